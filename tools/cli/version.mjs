import { readFileSync } from "node:fs";
import { join } from "node:path";
import semver from "semver";
import { root } from "../setup/places.mjs";
import { goCommands } from "./go-commands.mjs";

/**
 * The version that set-up gets: the one pinned in `go.mod`.
 *
 * @param {Pick<import("./go-commands.mjs").GoCommand, "module" | "pinnedIn">} command
 */
export function pinnedVersion({ module, pinnedIn } = goCommands.cli) {
  const text = readFileSync(join(root, pinnedIn, "go.mod"), "utf8");
  const [, version] = text.split(`${module} v`);
  if (version === undefined) throw new Error(`${pinnedIn}/go.mod pins no version of ${module}`);
  return version.slice(0, version.search(/\s/));
}

/**
 * The oldest usable CLI: as old as the SDK that drives it in the tests. Pulumi supports an SDK older than the CLI, but not the other way
 * round.
 */
export function oldestUsable() {
  const { devDependencies } = /** @type {{ devDependencies: Record<string, string> }} */ (
    JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  );
  return String(devDependencies["@pulumi/pulumi"]);
}

/**
 * A usable version has the same major version and is not older. Anything else is not usable.
 *
 * @param {string} version as `pulumi version` prints it
 * @param {string} oldest
 */
export function isUsable(version, oldest) {
  return semver.satisfies(version.trim(), `^${oldest}`, { includePrerelease: true });
}
