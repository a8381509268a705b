import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The names in a program in C# that the package made for C# does not have: there is no compiler here. Known are the ways in which the page's
 * program uses the package: `new Args { Name = … }`, `variable.Name`, and what a function's result holds.
 */
export function unknownNames(program: string, folder: string): readonly string[] {
  const used: [string, string][] = [];
  for (const [, type = "", body = ""] of program.matchAll(/new (\w+Args)\s*\{((?:[^{}]|\{[^{}]*\})*)\}/g)) {
    const flat = body.replace(/\{[^{}]*\}/g, "");
    for (const [, name = ""] of flat.matchAll(/(\w+) =(?![>=])/g)) used.push([type, name]);
  }
  for (const [, variable = "", type = ""] of program.matchAll(/var (\w+) = new (\w+)\(/g)) {
    for (const [, name = ""] of program.matchAll(new RegExp(`\\b${variable}\\.(\\w+)`, "g"))) used.push([type, name]);
  }
  for (const [, variable = "", called = ""] of program.matchAll(/var (\w+) = (\w+)\.Invoke\(/g)) {
    used.push([called, "Invoke"]);
    const paths = program.matchAll(
      new RegExp(`\\b${variable}\\.Apply\\(\\w+ => \\w+\\.(\\w+)\\[0\\]\\.(\\w+)\\)`, "g"),
    );
    for (const [, list = "", member = ""] of paths) {
      used.push([`${called}Result`, list]);
      used.push([elementOf(folder, `${called}Result`, list), member]);
    }
  }
  if (used.length < 10) throw new Error("the program is written in a way that is not understood here");
  const unknown = used
    .filter(([type, name]) => !membersOf(folder, type).has(name))
    .map(([type, name]) => `${type}.${name}`);
  return [...new Set(unknown)].sort();
}

const member = /public (?:static |readonly )*[\w.<>?]+ (\w+)(?: \{|;|\(|$)/gm;

function membersOf(folder: string, type: string): ReadonlySet<string> {
  return new Set([...sourceOf(folder, type).matchAll(member)].map(([, name = ""]) => name));
}

function elementOf(folder: string, type: string, list: string): string {
  const found = new RegExp(`ImmutableArray<Outputs\\.(\\w+)> ${list};`).exec(sourceOf(folder, type));
  return found?.[1] ?? `${type}.${list}[]`;
}

/** The class alone: a file may hold several. */
function sourceOf(folder: string, type: string): string {
  const owner = type.replace(/(Invoke)?(Args|Result)$/, "");
  for (const file of [`${owner}.cs`, `Inputs/${type}.cs`, `Outputs/${type}.cs`]) {
    const path = join(folder, file);
    const text = existsSync(path) ? readFileSync(path, "utf8") : "";
    const from = text.search(new RegExp(`class ${type}\\b`));
    if (from < 0) continue;
    const next = text.slice(from + 1).search(/^ {4}public .*class /m);
    return next < 0 ? text.slice(from) : text.slice(from, from + 1 + next);
  }
  return "";
}
