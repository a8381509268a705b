import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { upToDate } from "../../docs/generate";
import { house } from "../../tools/house";
import { circles, forbidden, namesakes, strangers } from "./support/findings";
import { sourcesOf } from "./support/imports";

const root = resolve(__dirname, "../..");
const sources = sourcesOf(root, house.trees);

/** Fails with one finding a line, and not with a comparison of two lists. */
function none(findings: readonly string[]): void {
  if (findings.length > 0) assert.fail(`\n${findings.join("\n")}`);
}

describe("the house", () => {
  it("is all there to be looked at", () => {
    const trees = house.trees.filter((tree) => existsSync(join(root, tree)));
    assert.ok(trees.length >= 2);
    for (const tree of trees)
      assert.ok(
        sources.some(({ path }) => path.startsWith(`${tree}/`)),
        `${tree}/ has no code`,
      );
    assert.ok(sources.filter(({ files }) => files.length > 0).length > 100, "hardly any import was found");
  });

  it("has a row in tools/house.ts for every folder with code, and none besides", () => {
    none(strangers(house, sources));
  });

  it("has only the arrows its rows allow, and needs each of them", () => {
    none(forbidden(house, sources));
  });

  it("has no circle but the known ones", () => {
    none(circles(house, sources));
  });

  it("has no two files of one name in a tree but the known ones", () => {
    none(namesakes(house, sources));
  });

  it("is on the map in CONTRIBUTING.md (npx ts-node docs/generate.ts)", () => {
    const text = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
    assert.match(text, /<!-- house: /);
    assert.equal(upToDate(text), text);
  });

  it("leaves no folder of the repository off the map", () => {
    const made = ["coverage", "dist", "node_modules"];
    const folders = readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && !made.includes(entry.name))
      .map((entry) => entry.name);
    const mapped = [...house.trees, ...Object.keys(house.alongside)];
    assert.deepEqual(
      folders.filter((name) => !mapped.includes(name)),
      [],
    );
    assert.deepEqual(
      Object.keys(house.alongside).filter((name) => !folders.includes(name)),
      [],
    );
  });
});
