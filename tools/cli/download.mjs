import { root } from "../setup/places.mjs";
import { run } from "../setup/run.mjs";
import { startTicker } from "../setup/say.mjs";
import { keepCommand } from "./kept.mjs";
import { pinnedVersion } from "./version.mjs";

const from = "https://get.pulumi.com";
const connectLimitMs = 3_000;
const downloadLimitMs = 15 * 60_000;

/** The SDK's own installer, in a process that can be stopped when it takes too long. */
const install = `
  const { PulumiCommand } = require("@pulumi/pulumi/automation");
  const { SemVer } = require("semver");
  const [, root, version] = process.argv;
  void PulumiCommand.install({ root, version: new SemVer(version) });
`;

/**
 * Downloads the official Pulumi CLI.
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
      const done = startTicker(`downloading ${command.what} ${version} (once; some 200 MB)`);
      try {
        const path = await keepCommand(command, version, async (made) => {
          const args = ["-e", install, made, version];
          const outcome = await run(process.execPath, args, { cwd: root, limitMs: downloadLimitMs });
          if (!outcome.ok) throw new Error(outcome.problem);
        });
        return { path };
      } catch (error) {
        return { why: /** @type {Error} */ (error).message };
      } finally {
        done();
      }
    },
  };
}

/** Tries the network briefly first, because the installer waits long for a missing network. */
async function whyUnreachable() {
  try {
    await fetch(from, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(connectLimitMs) });
    return undefined;
  } catch (error) {
    const { cause, message } = /** @type {Error} */ (error);
    return `no connection to ${new URL(from).host} (${cause instanceof Error ? cause.message : message})`;
  }
}
