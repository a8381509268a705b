import { readFileSync } from "node:fs";
import { join } from "node:path";
import semver from "semver";
import { root } from "../setup/places.mjs";
import { goCommands } from "./go-commands.mjs";

/**
 * The version set-up obtains, pinned by the Go module that builds it.
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
 * The oldest CLI that will do: as old as the SDK that drives it in the tests. The SDK of a program may be older
 * than the CLI, which is a combination Pulumi supports; the other way round is not.
 */
export function oldestUsable() {
  const { devDependencies } = /** @type {{ devDependencies: Record<string, string> }} */ (
    JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  );
  return String(devDependencies["@pulumi/pulumi"]);
}

/**
 * Usable: of the same major version, and not older. What does not look like a version is not.
 *
 * @param {string} version as `pulumi version` prints it
 * @param {string} oldest
 */
export function isUsable(version, oldest) {
  return semver.satisfies(version.trim(), `^${oldest}`, { includePrerelease: true });
}
