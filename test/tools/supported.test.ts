import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { disagreements, type Claims } from "../../tools/supported/disagreements";
import { supported, type Supported } from "../../tools/supported/versions";

const root = join(__dirname, "..", "..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");

async function claims(): Promise<Claims> {
  const { goCommands } = await import("../../tools/cli/go-commands.mjs");
  const { pinnedVersion } = await import("../../tools/cli/version.mjs");
  const { engines, peerDependencies } = JSON.parse(read("package.json")) as {
    engines: { node: string };
    peerDependencies: Record<string, string>;
  };
  return {
    today: new Date().toISOString().slice(0, 10),
    engines: engines.node,
    peer: peerDependencies["@pulumi/pulumi"] ?? "",
    pages: {
      "README.md, Requirements": /## Requirements\n[\s\S]*?(?=\n## )/.exec(read("README.md"))?.[0] ?? "",
      "docs/limits.md": read("docs/limits.md"),
    },
    oldestCli: pinnedVersion(goCommands.oldestCli),
    newestCli: pinnedVersion(goCommands.cli),
    testFiles: readdirSync(join(root, "test", "e2e", "versions"))
      .map((name) => Number(/^node-(\d+)\.long\.test\.ts$/.exec(name)?.[1]))
      .sort((one, other) => one - other),
  };
}

describe("the versions that are supported", () => {
  it("are what README, package and tests say they are", async () => {
    assert.deepEqual(disagreements(supported, await claims()), []);
  });

  const changed: readonly [what: string, versions: Partial<Supported>, said: Partial<Claims>, complaint: RegExp][] = [
    ["a day that has not come", { on: "2999-01-01" }, {}, /2999-01-01 is no day/],
    ["another Node.js in package.json", {}, { engines: ">=18" }, /asks for Node\.js >=18, not >=20\.19/],
    ["another SDK in package.json", {}, { peer: "^3.0.0" }, /asks for the SDK \^3\.0\.0/],
    [
      "a page that asks for less",
      {},
      { pages: { here: "Node 18 or newer, Pulumi 3.139 or newer" } },
      /here .* Node\.js/,
    ],
    ["a page that is silent", {}, { pages: { here: "Node 20.19 or newer" } }, /here .* of Pulumi/],
    ["a line of Node.js without tests", {}, { testFiles: [20, 22, 26] }, /test files for Node\.js 20,22,26/],
    ["a line of Node.js left out", { tested: supported.tested.slice(1) }, {}, /tried are the lines 22,24,26/],
    ["another oldest CLI", {}, { oldestCli: "3.140.0" }, /oldest CLI that can be built is 3\.140\.0/],
    ["another newest CLI", {}, { newestCli: "3.256.0" }, /newest CLI that can be built is 3\.256\.0/],
    [
      "a Node.js without the oldest engine",
      { tested: supported.tested.map(({ node, engines }) => ({ node, engines: engines.slice(1) })) },
      {},
      /on Node\.js 24\.\S+ the oldest engine is not tried/,
    ],
    [
      "a Node.js without the newest engine",
      {
        tested: supported.tested.map((one, index) =>
          index === 2 ? { ...one, engines: one.engines.slice(0, 1) } : one,
        ),
      },
      {},
      /on Node\.js 24\.\S+ the newest engine is not tried/,
    ],
  ];

  for (const [what, versions, said, complaint] of changed) {
    it(`are told apart from ${what}`, async () => {
      const lines = disagreements({ ...supported, ...versions }, { ...(await claims()), ...said });
      assert.match(lines.join("\n"), complaint);
    });
  }
});
