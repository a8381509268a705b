import { accessSync, chmodSync, constants, copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { run } from "../setup/child.mjs";
import { makeWhole } from "../setup/half-made.mjs";
import { cliCache, root } from "../setup/places.mjs";
import { pinnedVersion } from "./version.mjs";

const windows = process.platform === "win32";
export const cliName = windows ? "pulumi.exe" : "pulumi";
/** The command that the engine starts for dynamic resources; the official download brings its own. */
export const launcherName = windows ? "pulumi-resource-pulumi-nodejs.cmd" : "pulumi-resource-pulumi-nodejs";

/** Where a version is kept; the binaries lie in `bin`, as in every Pulumi installation. */
export function keptFolder(version = pinnedVersion()) {
  return join(cliCache(), version);
}

/** The kept CLI, if there is one. It appeared whole and tried out, so its presence is enough. */
export function keptCli(version = pinnedVersion()) {
  const cli = join(keptFolder(version), "bin", cliName);
  return isExecutable(cli) && existsSync(join(keptFolder(version), "bin", launcherName)) ? cli : undefined;
}

/**
 * Keeps a CLI: `make` puts the binary into `<folder>/bin`, the launcher is added where it is missing, and it is
 * tried out before it counts.
 *
 * @param {string} version
 * @param {(folder: string) => Promise<void>} make
 */
export async function keep(version, make) {
  await makeWhole(keptFolder(version), async (folder) => {
    await make(folder);
    const bin = join(folder, "bin");
    if (!existsSync(join(bin, launcherName))) addLauncher(bin);
    const tried = await run(join(bin, cliName), ["version"], { env: quiet(), limitMs: 60_000 });
    if (!tried.ok) throw new Error(`it does not run: ${tried.problem}`);
  });
  return join(keptFolder(version), "bin", cliName);
}

/** @param {string} bin */
function addLauncher(bin) {
  copyFileSync(join(root, "tools", "cli", launcherName), join(bin, launcherName));
  if (!windows) chmodSync(join(bin, launcherName), 0o755);
}

/** @param {string} path */
export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Environment for asking a CLI its version: without its look for a newer one. */
export function quiet() {
  return { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "1" };
}
