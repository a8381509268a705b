import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { root, textOf } from "./support/pages";

const map = /## Layout\n\n```\n([\s\S]*?)```/.exec(textOf("CONTRIBUTING.md"))?.[1] ?? "";

/** Each folder with its description, which may continue on the following lines. An indented folder is inside the nearest unindented folder above it. */
const rooms: { readonly path: string; readonly words: string }[] = [];
let outer = "";
for (const [, isInner, name = "", words = ""] of map.matchAll(/^( {2})?(\w+\/)(.*(?:\n {5,}.*)*)/gm)) {
  if (isInner === undefined) outer = name;
  rooms.push({ path: isInner === undefined ? name : outer + name, words });
}

describe("the map in CONTRIBUTING.md", () => {
  for (const outside of ["provider", "drills"])
    it(`lists every folder in ${outside}/, and no others`, () => {
      const folders = readdirSync(join(root, outside), { withFileTypes: true }).filter((entry) => entry.isDirectory());
      const inside = rooms.flatMap(({ path }) => (path.startsWith(`${outside}/`) ? path.split("/").slice(1, -1) : []));
      assert.deepEqual(inside.sort(), folders.map(({ name }) => name).sort());
    });

  it("names only existing files", () => {
    const missing = rooms.flatMap(({ path, words }) => {
      const files = readdirSync(join(root, path));
      const names = [...words.matchAll(/[\w-]+…?\.(?:ts|mod)\b/g)].map(([name]) => name);
      return names
        .filter((name) => !files.some((file) => new RegExp(`^${name.replace("…", ".*")}$`).test(file)))
        .map((name) => path + name);
    });
    assert.deepEqual(missing, []);
  });
});
