import { createHash } from "node:crypto";
import { accessSync, chmodSync, constants, copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder, root } from "../setup/places.mjs";
import { run } from "../setup/run.mjs";
import { createWhole } from "../setup/whole.mjs";
import { goCommands } from "./go-commands.mjs";
import { pinnedVersion } from "./version.mjs";

/** @typedef {import("./go-commands.mjs").GoCommand} GoCommand */

const windows = process.platform === "win32";
/** The engine starts this command for dynamic resources. The official download includes it. */
export const launcherName = windows ? "pulumi-resource-pulumi-nodejs.cmd" : "pulumi-resource-pulumi-nodejs";

/** @param {GoCommand} command */
export function fileName({ binary } = goCommands.cli) {
  return windows ? `${binary}.exe` : binary;
}

/**
 * The folder of a kept version. Its binaries lie in `bin`, as in every Pulumi installation.
 *
 * @param {GoCommand} command
 */
function keptFolder(command, version = pinnedVersion(command)) {
  return join(cacheFolder(), command.keptAs, `${version}${sourceSuffix(command)}`);
}

/** @param {GoCommand} command */
function sourceSuffix({ source, pinnedIn }) {
  if (source === undefined) return "";
  const text = readFileSync(join(root, pinnedIn, source));
  return `-${createHash("sha256").update(text).digest("hex").slice(0, 12)}`;
}

/**
 * The kept command, if there is one. Its folder was completed and tried out, so it need not be checked again.
 *
 * @param {GoCommand} command
 */
export function keptBinary(command, version = pinnedVersion(command)) {
  const bin = join(keptFolder(command, version), "bin");
  const found = join(bin, fileName(command));
  const isWhole = !command.launches || existsSync(join(bin, launcherName));
  return isExecutable(found) && isWhole ? found : undefined;
}

/**
 * Keeps a command. `make` puts the binary into `<made>/bin`; a missing launcher is added, and the command is tried out before it
 * counts.
 *
 * @param {GoCommand} command
 * @param {string} version
 * @param {(made: string) => Promise<void>} make
 */
export async function keepCommand(command, version, make) {
  await createWhole(keptFolder(command, version), async (made) => {
    await make(made);
    const bin = join(made, "bin");
    if (command.launches && !existsSync(join(bin, launcherName))) addLauncher(bin);
    const tried = await run(join(bin, fileName(command)), command.tryOut, { env: quietEnvironment(), limitMs: 60_000 });
    if (!tried.ok) throw new Error(`it does not run: ${tried.problem}`);
    if (command.versionVariable !== undefined && !tried.stdout.includes(version)) {
      throw new Error(`it says that it is "${tried.stdout.trim()}", not ${version}`);
    }
  });
  return join(keptFolder(command, version), "bin", fileName(command));
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

/** Environment in which a CLI prints its version without looking for a newer version. */
export function quietEnvironment() {
  return { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "1" };
}
