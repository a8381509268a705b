import { request } from "node:https";
import { run } from "../setup/child.mjs";
import { root } from "../setup/places.mjs";
import { heartbeat } from "../setup/say.mjs";
import { keep } from "./kept.mjs";
import { pinnedVersion } from "./version.mjs";

const host = "get.pulumi.com";
const connectLimitMs = 5_000;
const downloadLimitMs = 10 * 60_000;

/**
 * The official download of a Pulumi CLI, by the SDK's own installer.
 *
 * @param {import("./go-commands.mjs").GoCommand} command
 * @returns {import("./find.mjs").Way}
 */
export function download(command) {
  const version = pinnedVersion(command);
  return {
    name: `download of ${version}`,
    async look() {
      const unreachable = await whyUnreachable();
      if (unreachable !== undefined) return { why: unreachable };
      const done = heartbeat(`downloading ${command.what} ${version}`);
      try {
        return { cli: await keep(command, version, (folder) => install(version, folder)) };
      } catch (error) {
        return { why: /** @type {Error} */ (error).message };
      } finally {
        done();
      }
    },
  };
}

/** The installer waits long for a network that is not there; this asks first, and briefly. */
function whyUnreachable() {
  return new Promise((/** @type {(why: string | undefined) => void} */ resolve) => {
    const asked = request({ host, method: "HEAD", path: "/" }, (answer) => {
      answer.resume();
      clearTimeout(timer);
      asked.destroy();
      resolve(undefined);
    });
    const timer = setTimeout(() => asked.destroy(new Error("no answer")), connectLimitMs);
    asked.once("error", (error) => {
      clearTimeout(timer);
      resolve(`no connection to ${host} (${error.message})`);
    });
    asked.end();
  });
}

const script = `
  const { createRequire } = require("node:module");
  const { SemVer } = createRequire(require.resolve("@pulumi/pulumi/package.json"))("semver");
  const { PulumiCommand } = require("@pulumi/pulumi/automation");
  const [, folder, version] = process.argv;
  PulumiCommand.install({ root: folder, version: new SemVer(version) }).catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
`;

/**
 * @param {string} version
 * @param {string} folder
 */
async function install(version, folder) {
  const outcome = await run(process.execPath, ["-e", script, folder, version], {
    cwd: root,
    limitMs: downloadLimitMs,
  });
  if (!outcome.ok) throw new Error(outcome.problem);
}
