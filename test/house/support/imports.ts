import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { isBuiltin } from "node:module";
import { posix } from "node:path";
import ts from "typescript";

/** One file of code, its path and those of what it imports from the repository's root. */
export interface Source {
  readonly path: string;
  /** Files of the repository that it imports, as values or as types. */
  readonly files: readonly string[];
  /** npm packages, by name alone. */
  readonly packages: readonly string[];
  /** Relative imports that lead to no file. */
  readonly missing: readonly string[];
}

const code = /\.(?:ts|mts|cts|tsx|js|mjs|cjs)$/;

/** Every file of code below some folders of a repository; a folder that is not there has none. */
export function sourcesOf(root: string, folders: readonly string[]): readonly Source[] {
  const there = folders.filter((folder) => existsSync(posix.join(root, folder)));
  return there
    .flatMap((folder) => filesBelow(root, folder))
    .sort()
    .map((path) => {
      const names = namesIn(readFileSync(posix.join(root, path), "utf8"));
      const near = names.filter((name) => name.startsWith("."));
      const far = names.filter((name) => !name.startsWith(".") && !isBuiltin(name));
      const led = near.map((name) => ({ name, file: fileOf(root, posix.join(posix.dirname(path), name)) }));
      return {
        path,
        files: unique(led.flatMap(({ file }) => file ?? []).filter((file) => code.test(file))),
        packages: unique(far.map(packageOf)),
        missing: led.filter(({ file }) => file === undefined).map(({ name }) => name),
      };
    });
}

/** What a text imports, re-exports, requires or takes a type from. */
export function namesIn(text: string): readonly string[] {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
}

function filesBelow(root: string, folder: string): string[] {
  return readdirSync(posix.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : filesBelow(root, path);
    return code.test(entry.name) ? [path] : [];
  });
}

/** The file that is meant by a path, with its ending or without. What is built counts as its source. */
function fileOf(root: string, path: string): string | undefined {
  const source = path.replace(/^dist\/(.*?)(?:\.js)?$/, "$1");
  const endings = ["", ".ts", "/index.ts"];
  const candidates = [path, source].flatMap((name) => endings.map((ending) => name + ending));
  return candidates.find((file) => !file.startsWith("dist/") && isFile(posix.join(root, file)));
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function packageOf(name: string): string {
  return name
    .split("/")
    .slice(0, name.startsWith("@") ? 2 : 1)
    .join("/");
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}
