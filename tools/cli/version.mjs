import { readFileSync } from "node:fs";
import { join } from "node:path";
import semver from "semver";
import { root } from "../setup/places.mjs";

const read = (/** @type {string} */ file) => JSON.parse(readFileSync(join(root, file), "utf8"));

/**
 * The versions of everything that the setup downloads or builds.
 *
 * @type {{ cli: string, yamlHost: string, python: string[], oldest: { pulumi: string }, tested: { node: string }[] }}
 */
export const versions = read("tools/versions.json");

/** The oldest usable CLI: the version of the tests' SDK. Pulumi supports an SDK that is older than the CLI, but not vice versa. */
export function oldestUsable() {
  /** @type {{ devDependencies: Record<string, string> }} */
  const { devDependencies } = read("package.json");
  return String(devDependencies["@pulumi/pulumi"]);
}

/** True if a version, as `pulumi version` prints it, has the same major version and is not older. */
export function isUsable(/** @type {string} */ version, /** @type {string} */ oldest) {
  return semver.satisfies(version.trim(), `^${oldest}`, { includePrerelease: true });
}
