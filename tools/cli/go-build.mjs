import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { run } from "../setup/child.mjs";
import { root } from "../setup/places.mjs";
import { heartbeat, say } from "../setup/say.mjs";
import { cliName, keep } from "./kept.mjs";
import { pinnedVersion } from "./version.mjs";

const command = "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi";
const versionVariable = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";

/** The unmodified CLI, built from the module that `tools/go.mod` and `tools/go.sum` pin. @type {import("./find.mjs").Way} */
export const goBuild = {
  name: `build of ${pinnedVersion()} with Go`,
  async look() {
    const go = await run("go", ["version"], { limitMs: 30_000 });
    if (!go.ok) return { why: go.problem.includes("ENOENT") ? "Go is not installed" : go.problem };
    const done = heartbeat(`building the Pulumi CLI ${pinnedVersion()} with Go (once; takes minutes)`);
    let took = "";
    try {
      const cli = await keep(pinnedVersion(), build);
      took = done();
      say(`the Pulumi CLI was built in ${took}`);
      return { cli };
    } catch (error) {
      return { why: /** @type {Error} */ (error).message };
    } finally {
      if (took === "") done();
    }
  },
};

/** @param {string} folder */
async function build(folder) {
  const work = join(folder, "work");
  mkdirSync(work, { recursive: true });
  const ldflags = `-s -w -X ${versionVariable}=v${pinnedVersion()}`;
  const args = ["build", "-trimpath", "-ldflags", ldflags, "-o", join(folder, "bin", cliName), command];
  const outcome = await run("go", args, {
    cwd: join(root, "tools"),
    env: {
      ...process.env,
      // As the official builds: no C compiler needed.
      CGO_ENABLED: "0",
      GOWORK: "off",
      // Go's scratch files go with the folder when the build is stopped.
      GOTMPDIR: work,
      // Downloaded modules are read-only otherwise, and a user who removes a cache folder meets that.
      GOFLAGS: `${process.env.GOFLAGS ?? ""} -modcacherw`.trim(),
    },
  });
  rmSync(work, { recursive: true, force: true });
  if (!outcome.ok) throw new Error(outcome.problem);
}
