import semver from "semver";
import { heartbeat } from "../setup/say.mjs";
import { keep } from "./kept.mjs";
import { pinnedVersion } from "./version.mjs";

const from = "https://get.pulumi.com";
const connectLimitMs = 3_000;

/**
 * The official download of a Pulumi CLI, by the SDK's own installer.
 *
 * @param {import("./go-commands.mjs").GoCommand} command
 * @returns {import("./find.mjs").Way}
 */
export function download(command) {
  const version = pinnedVersion(command);
  return {
    name: `official download of ${version}`,
    async look() {
      const unreachable = await whyUnreachable();
      if (unreachable !== undefined) return { why: unreachable };
      const done = heartbeat(`downloading ${command.what} ${version} (once; some 200 MB)`);
      try {
        const { PulumiCommand } = await import("@pulumi/pulumi/automation/index.js");
        const install = async (/** @type {string} */ made) => {
          await PulumiCommand.install({ root: made, version: new semver.SemVer(version) });
        };
        return { path: await keep(command, version, install) };
      } catch (error) {
        return { why: /** @type {Error} */ (error).message };
      } finally {
        done();
      }
    },
  };
}

/** The installer waits long for a network that is not there; this asks first, and briefly. */
async function whyUnreachable() {
  try {
    await fetch(from, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(connectLimitMs) });
    return undefined;
  } catch (error) {
    const { cause, message } = /** @type {Error} */ (error);
    return `no connection to ${new URL(from).host} (${cause instanceof Error ? cause.message : message})`;
  }
}
