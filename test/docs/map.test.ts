import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { root, textOf } from "./support/pages";

const map = /## Layout\n\n```\n([\s\S]*?)```/.exec(textOf("CONTRIBUTING.md"))?.[1] ?? "";

/** Each room with its words, which may go on in the lines below its own. */
const rooms = [...map.matchAll(/^( {2})?(\w+\/)(.*(?:\n {5,}.*)*)/gm)].map(([, isInner, name = "", words = ""]) => ({
  path: `${isInner === undefined ? "" : "provider/"}${name}`,
  words,
}));

describe("the map in CONTRIBUTING.md", () => {
  it("has every room of the provider, and no other", () => {
    const folders = readdirSync(join(root, "provider"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const named = rooms.flatMap(({ path }) => /^provider\/(\w+)\/$/.exec(path)?.[1] ?? []);
    assert.deepEqual(named.sort(), folders.map(({ name }) => name).sort());
  });

  it("names only files that their rooms have", () => {
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
