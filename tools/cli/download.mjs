import { request } from "node:https";
import { run } from "../setup/child.mjs";
import { root } from "../setup/places.mjs";
import { heartbeat } from "../setup/say.mjs";
import { keep } from "./kept.mjs";
import { pinnedVersion } from "./version.mjs";

const host = "get.pulumi.com";
const connectLimitMs = 5_000;
const downloadLimitMs = 10 * 60_000;

/** The official download, by the SDK's own installer. @type {import("./find.mjs").Way} */
export const download = {
  name: `download of ${pinnedVersion()}`,
  async look() {
    const unreachable = await whyUnreachable();
    if (unreachable !== undefined) return { why: unreachable };
    const done = heartbeat(`downloading the Pulumi CLI ${pinnedVersion()}`);
    try {
      return { cli: await keep(pinnedVersion(), install) };
    } catch (error) {
      return { why: /** @type {Error} */ (error).message };
    } finally {
      done();
    }
  },
};

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

/** @param {string} folder */
async function install(folder) {
  const outcome = await run(process.execPath, ["-e", script, folder, pinnedVersion()], {
    cwd: root,
    limitMs: downloadLimitMs,
  });
  if (!outcome.ok) throw new Error(outcome.problem);
}
