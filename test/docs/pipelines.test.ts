import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { blocksOf } from "./support/pages";
import { githubSteps, gitlabJob, type Step } from "./support/pipeline-files";

describe("the pipeline files", () => {
  const github = githubSteps();
  const gitlab = gitlabJob();

  it("are workflows of the form GitHub and GitLab take", () => {
    const uses = github.steps.flatMap(({ uses }) => (uses === undefined ? [] : [uses]));
    assert.ok(uses.every((name) => /^[\w-]+\/[\w-]+@v\d+$/.test(name)));
    assert.ok(github.steps.every((step) => (step.run === undefined) !== (step.uses === undefined)));
    assert.ok(gitlab.script.every((line) => typeof line === "string"));
  });

  it("run one at a time, and are not cancelled for another", () => {
    assert.deepEqual(github.concurrency, { group: "recovery-drill", "cancel-in-progress": false });
    assert.deepEqual([gitlab.resource_group, gitlab.interruptible], ["recovery-drill", false]);
  });

  it("hold no secret and take every part of the connection from the store", () => {
    for (const name of [
      "RECOVERY_ENDPOINT",
      "RECOVERY_USERNAME",
      "RECOVERY_PASSWORD",
      "PULUMI_CONFIG_PASSPHRASE",
      "PULUMI_BACKEND_URL",
    ]) {
      assert.match(github.env[name] ?? "", /^\$\{\{ (?:secrets|vars)\.\w+ \}\}$/, name);
    }
    assert.deepEqual(gitlab.variables, { STACK: "drill" });
  });

  it("show no outputs, because a failed run leaves those of an earlier one", () => {
    const lines = [...github.steps.flatMap(({ run }) => run ?? []), ...gitlab.script, ...gitlab.after_script];
    assert.deepEqual(
      lines.filter((line) => line.includes("stack output")),
      [],
    );
  });

  it("put no input of the workflow into a shell's text, where it could be more than a value", () => {
    assert.ok(github.steps.every(({ run }: Step) => !run?.includes("${{")));
  });

  it("have steps that a shell can read", () => {
    for (const script of [...github.steps.map(({ run }) => run ?? ""), gitlab.script.join("\n")]) {
      const { status, stderr } = spawnSync("bash", ["-n"], { input: script, encoding: "utf8" });
      assert.equal(status, 0, stderr);
    }
  });

  it("run what their page shows", () => {
    const [shown] = blocksOf("docs/pipelines.md").map(({ code }) => code.replace(/ #.*$/gm, "").trim().split("\n"));
    const ran = github.steps
      .flatMap(({ run = "" }) => run.split("\n"))
      .filter((line) => /^(?!\s*#)(pulumi|npx) /.test(line));
    assert.deepEqual(shown, [...gitlab.script, ...gitlab.after_script]);
    assert.deepEqual(shown, ran);
  });

  it("publish the report whatever became of the job", () => {
    const after = github.steps.filter(
      ({ run, uses }) => run?.includes("report") === true || uses?.startsWith("actions/upload-artifact") === true,
    );
    assert.deepEqual(
      after.map((step) => step.if),
      ["always()", "always()"],
    );
    assert.deepEqual(gitlab.after_script, [
      'npx pulumi-recovery report --stack "$STACK" --summary --metrics recovery-report/run.prom',
      'npx pulumi-recovery runbook --stack "$STACK"',
    ]);
    assert.equal(gitlab.artifacts.when, "always");
    assert.deepEqual(
      [gitlab.artifacts.paths, gitlab.artifacts.reports.junit],
      [["recovery-report"], "recovery-report/*.junit.xml"],
    );
  });
});
