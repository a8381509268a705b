#!/usr/bin/env node
/**
 * Packs the plugin for other languages in the form that `pulumi plugin install resource recovery <version>` expects from a release: the package with all its
 * dependencies except Node.js. Pulumi requests the file for its platform by name, so there is one file for each platform, but all have the same contents.
 *
 *   node tools/release/plugin.mjs <folder>
 */
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { npm } from "../setup/dependencies.mjs";
import { root } from "../setup/places.mjs";
import { run } from "../setup/run.mjs";
import { reportingFailure, setUpPackage } from "../setup/set-up.mjs";

const platforms = ["linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64", "windows-amd64"];
const entry = "./node_modules/pulumi-recovery/plugin/index.cjs";

/** @type {{ version: string, devDependencies: Record<string, string> }} */
const { version, devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const dependencies = { "pulumi-recovery": version, "@pulumi/pulumi": String(devDependencies["@pulumi/pulumi"]) };

await reportingFailure(async () => {
  const [folder, ...more] = process.argv.slice(2);
  if (folder === undefined || more.length > 0) throw new Error("pass the folder for the files as the only argument");
  mkdirSync(folder, { recursive: true });
  await setUpPackage();
  const work = mkdtempSync(join(tmpdir(), "recovery-plugin-"));
  try {
    const plugin = join(work, "plugin");
    await fill(plugin, work);
    const first = join(resolve(folder), nameFor(String(platforms[0])));
    orThrow(await run("tar", ["-czf", first, "-C", plugin, "."]));
    for (const platform of platforms.slice(1)) copyFileSync(first, join(folder, nameFor(platform)));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
});

function nameFor(/** @type {string} */ platform) {
  return `pulumi-resource-recovery-v${version}-${platform}.tar.gz`;
}

/** Fills the folder `plugin`, with temporary files in `work`. */
async function fill(/** @type {string} */ plugin, /** @type {string} */ work) {
  mkdirSync(plugin);
  orThrow(await npm(["pack", "--ignore-scripts", "--pack-destination", work], root));
  const packed = join(work, String(readdirSync(work).find((name) => name.endsWith(".tgz"))));
  const manifest = { name: "pulumi-recovery-plugin", private: true, main: entry };
  const write = (/** @type {object} */ wanted) => {
    writeFileSync(join(plugin, "package.json"), `${JSON.stringify({ ...manifest, dependencies: wanted }, null, 2)}\n`);
  };
  write({ ...dependencies, "pulumi-recovery": `file:${packed}` });
  const quiet = ["--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock"];
  orThrow(await npm(["install", ...quiet, "--prefix", plugin], plugin));
  // With these, a later `npm install` finds the published versions.
  write(dependencies);
  copyFileSync(join(root, "plugin", "PulumiPlugin.yaml"), join(plugin, "PulumiPlugin.yaml"));
  // If this file is executable, Pulumi prefers it to PulumiPlugin.yaml.
  const executable = join(plugin, "pulumi-resource-recovery");
  writeFileSync(executable, `#!/usr/bin/env node\nrequire("${entry}");\n`);
  chmodSync(executable, 0o755);
}

function orThrow(/** @type {import("../setup/run.mjs").Outcome} */ outcome) {
  if (!outcome.ok) throw new Error(outcome.problem);
}
