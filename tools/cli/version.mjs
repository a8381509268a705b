import { readFileSync } from "node:fs";
import { join } from "node:path";
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
  return String(devDependencies["@pulumi/pulumi"]).replace(/^\D+/, "");
}

/**
 * Usable: of the same major version, and not older. What does not look like a version is not.
 *
 * @param {string} version as `pulumi version` prints it
 * @param {string} oldest
 */
export function isUsable(version, oldest) {
  const has = numbers(version);
  const wants = numbers(oldest);
  if (has === undefined || wants === undefined || has[0] !== wants[0]) return false;
  const differing = has.findIndex((part, index) => part !== wants[index]);
  return differing === -1 || Number(has[differing]) > Number(wants[differing]);
}

/** @param {string} version */
function numbers(version) {
  return /^v?(\d+)\.(\d+)\.(\d+)/.exec(version.trim())?.slice(1).map(Number);
}
