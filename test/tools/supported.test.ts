import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inc } from "semver";
import { enginesOf, major, newestOf, supported } from "../../tools/supported";

const root = join(__dirname, "..", "..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");

const { oldest, tested } = supported;
const engines = enginesOf(supported);
const oldestEngine = `${oldest.pulumi}.0`;
const newestCli = newestOf(engines.map(({ cli }) => cli));
const newestSdk = newestOf(engines.map(({ sdk }) => sdk));
/** The first SDK that requires Node.js 22. */
const leavesNode20 = "3.249.0";

describe("the supported versions", () => {
  const manifest = JSON.parse(read("package.json")) as {
    readonly engines: { readonly node: string };
    readonly peerDependencies: Readonly<Record<string, string>>;
  };
  const requirements = /## Requirements\n[\s\S]*?(?=\n## )/.exec(read("README.md"))?.[0] ?? "";

  it("match the versions that package.json requires", () => {
    assert.equal(manifest.engines.node, `>=${oldest.node}`);
    assert.equal(manifest.peerDependencies["@pulumi/pulumi"], `^${oldestEngine}`);
  });

  it("match the versions that README.md names", () => {
    assert.ok(requirements.includes(`${oldest.node} or newer`), "of Node.js");
    assert.ok(requirements.includes(`${oldest.pulumi} or newer`), "of Pulumi");
  });

  it("match the CLI versions that the setup downloads", async () => {
    const { goCommands } = await import("../../tools/cli/commands.mjs");
    assert.deepEqual([goCommands.oldestCli.version, goCommands.cli.version], [oldestEngine, newestCli]);
  });

  it("match the versions that each go.mod pins", () => {
    const pinned = (folder: string, module: string): string | undefined =>
      new RegExp(`${module} v(\\S+)`).exec(read(`tools/${folder}/go.mod`))?.[1];
    assert.equal(pinned(".", "github.com/pulumi/pulumi/pkg/v3"), supported.cli);
    assert.equal(pinned("go/oldest-cli", "github.com/pulumi/pulumi/pkg/v3"), oldestEngine);
    assert.equal(pinned("go/yaml-host", "github.com/pulumi/pulumi-yaml"), supported.yamlHost);
  });

  for (const { node, engines: tried } of tested) {
    it(`are tested on Node.js ${node} with the oldest engine and the newest engine that runs there`, () => {
      const sdk = major(node) < 22 ? tried.find(({ cli }) => cli === newestCli)?.sdk : newestSdk;
      assert.deepEqual(tried, [
        { cli: oldestEngine, sdk: oldestEngine },
        { cli: newestCli, sdk },
      ]);
      if (major(node) < 22) assert.equal(inc(sdk ?? "", "minor"), leavesNode20);
    });
  }
});
