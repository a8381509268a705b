import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(__dirname, "..", "..");
const rooms = ["provider", "drills", "report", "cli", "sandbox"];
const declared =
  /^export (?:declare |default |abstract |async )*(?:function\*?|const|let|class|interface|type|enum|namespace) (\w+)/gm;
/** `export { a as b }` adds a second name, and `export { a }` does not: `a` is declared in its own file. */
const renamed = /^export (?:type )?\{[^}]*?\b\w+ as (\w+)/gm;

/** The names that these files export, each with the files that declare it. */
function exportedNames(files: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const [file, text] of files) {
    const here = [...text.matchAll(declared), ...text.matchAll(renamed)].map(([, name = ""]) => name);
    for (const name of new Set(here)) names.set(name, [...(names.get(name) ?? []), file]);
  }
  return names;
}

function declaredTwice(files: ReadonlyMap<string, string>): readonly string[] {
  return [...exportedNames(files)]
    .filter(([, where]) => where.length > 1)
    .map(([name, where]) => `${name}: ${where.join(", ")}`);
}

describe("exported names", () => {
  it("are declared once in the project, so that each name has one meaning", () => {
    const files = rooms.flatMap((room) =>
      readdirSync(join(root, room), { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".ts"))
        .map((file) => [`${room}/${file}`, readFileSync(join(root, room, file), "utf8")] as const),
    );
    assert.ok(exportedNames(new Map(files)).size > 500);
    assert.deepEqual(declaredTwice(new Map(files)), []);
  });
});
