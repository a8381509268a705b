import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../tools/engine/cli";
import { pathWithPulumi } from "../../tools/engine/command-line";
import { engineEnvironment } from "../../tools/engine/environment";
import { githubSteps, gitlabJob } from "../docs/support/pipeline-files";
import { useScene, type Sandbox } from "./support/scene";
import { waitUntil } from "./support/wait-until";

/** A checkout of a user's repository, on a machine of a pipeline: the quickstart, with what `npm ci` would have installed. */
class Checkout {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;

  constructor(folder: string, panel: Sandbox) {
    this.folder = join(folder, "checkout");
    cpSync(join(repositoryRoot, "examples", "quickstart"), this.folder, { recursive: true });
    symlinkSync(join(repositoryRoot, "node_modules"), join(this.folder, "node_modules"));
    const backend = join(folder, "backend");
    mkdirSync(backend);
    this.env = {
      ...process.env,
      ...engineEnvironment(folder),
      PATH: pathWithPulumi(folder),
      RECOVERY_ENDPOINT: panel.url,
      RECOVERY_USERNAME: panel.username,
      RECOVERY_PASSWORD: panel.password,
      GITHUB_STEP_SUMMARY: join(this.folder, "summary.md"),
      STACK: "drill",
      DRILL: "2026-11",
    };
  }

  /** As both runners do it: a shell that stops at the first command that fails. */
  start(script: string) {
    const child = spawn("bash", ["-eo", "pipefail", "-c", script], {
      cwd: this.folder,
      env: this.env,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    const ended = new Promise<{ code: number | null; output: string }>((resolve) => {
      child.once("close", (code) => resolve({ code, output }));
    });
    return { ended, kill: () => process.kill(-(child.pid ?? 0), "SIGKILL") };
  }

  async run(script: string): Promise<string> {
    const { code, output } = await this.start(script).ended;
    assert.equal(code, 0, output);
    return output;
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), "utf8");
  }
}

describe("the pipelines of the documentation on the real engine", () => {
  const scene = useScene();

  it("GitHub Actions: a job that is killed is picked up by the next one, and the outputs reach the summary", async function () {
    this.timeout(400_000);
    const panel = await scene.panel({ speed: 20 });
    panel.failNext(42, { outcome: "complete", seconds: 200 });
    const checkout = new Checkout(scene.folder, panel);
    const scripts = githubSteps().steps.flatMap(({ run }) => (run === undefined || run === "npm ci" ? [] : [run]));
    await checkout.run("pulumi stack init drill");

    const first = checkout.start(scripts.join("\n"));
    await waitUntil(() => panel.acceptedPosts() > 0, 120_000, "the first restore to be posted");
    first.kill();
    await first.ended;
    const output = await checkout.run(scripts.join("\n"));

    assert.match(output, /adopted transaction \d+/);
    assert.equal(panel.acceptedPosts(), 2, "the machine once, and its files");
    assert.match(checkout.read("summary.md"), /^\| status \| complete \|$/m);
    assert.match(checkout.read("summary.md"), /^\| seconds \| \d+ \|$/m);
    const again = await checkout.run("pulumi up --yes --non-interactive --skip-preview --expect-no-changes");
    assert.doesNotMatch(again, /pending operations/);
  });

  it("GitLab: restores once per name of the drill, and leaves the outputs as a file", async function () {
    this.timeout(400_000);
    const panel = await scene.panel({ speed: 50 });
    const checkout = new Checkout(scene.folder, panel);
    const { before_script, script, after_script } = gitlabJob();
    assert.deepEqual(before_script, ["npm ci"]);
    await checkout.run("pulumi stack init drill");

    await checkout.run([...script, ...after_script].join("\n"));
    await checkout.run(script.join("\n"));

    assert.equal(panel.acceptedPosts(), 2);
    assert.equal((JSON.parse(checkout.read("outputs.json")) as { status: string }).status, "complete");
  });
});
