import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commands } from "../../cli/commands";
import { allPages, root, textOf } from "./support/pages";
import { githubJob, gitlabJob, type Step } from "./support/pipeline-files";

const pipelines = join(root, "docs", "pipelines");

/** The tools of a runner. Each notes how it was called, and fails where the test says so. */
const tool = `#!/bin/bash
call="$(basename "$0") $*"
echo "$call" >> "$CALLS"
[[ -z $FAIL || $call != *$FAIL* ]]
`;

interface Played {
  readonly isGood: boolean;
  readonly calls: readonly string[];
}

describe("the pipeline files, played command by command", () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "recovery-pipelines-"));
    for (const name of ["pulumi", "npm", "npx", "git", "curl"]) {
      writeFileSync(join(folder, name), tool);
      chmodSync(join(folder, name), 0o755);
    }
  });
  after(() => rmSync(folder, { recursive: true }));

  /** Runs steps as a runner does: after a failed step only those that always run. */
  function play(steps: readonly Step[], environment: Readonly<Record<string, string>>, fail = ""): Played {
    const file = join(folder, "calls");
    writeFileSync(file, "");
    const env = {
      PATH: `${folder}:${process.env["PATH"] ?? ""}`,
      CALLS: file,
      FAIL: fail,
      STACK: "drill",
      ...environment,
    };
    let isGood = true;
    for (const { run, if: when } of steps) {
      if (run === undefined || (!isGood && when !== "always()")) continue;
      const { status, stderr } = spawnSync("bash", ["-e"], { input: run, env, encoding: "utf8" });
      assert.doesNotMatch(stderr, /syntax|unbound|not found/, run);
      isGood &&= status === 0;
    }
    return { isGood, calls: readFileSync(file, "utf8").trim().split("\n") };
  }

  const gitlabSteps = (name: "ready" | "drill"): readonly Step[] => {
    const { before_script, script, after_script } = gitlabJob(name);
    const always = after_script.length === 0 ? [] : [{ run: after_script.join("\n"), if: "always()" }];
    return [{ run: [...before_script, ...script].join("\n") }, ...always];
  };
  const drills = [
    { on: "GitHub", steps: githubJob("drill").steps, env: { GITHUB_RUN_ID: "77" } },
    { on: "GitLab", steps: gitlabSteps("drill"), env: { CI_PIPELINE_ID: "77" } },
  ] as const;

  for (const { on, steps, env } of drills) {
    const reported = [
      "npx pulumi-recovery report --stack drill --format json --out reports/77",
      "npx pulumi-recovery report --stack drill --history reports --summary --metrics recovery-report/run.prom",
      "npx pulumi-recovery runbook --stack drill",
    ];
    const restored = ["pulumi up --yes --non-interactive --suppress-outputs --parallel 64"];
    const named = (drill: string): readonly string[] => [
      "npm ci",
      "pulumi stack select drill",
      `pulumi config set run ${drill}`,
      "pulumi cancel --yes",
    ];
    const withoutGit = (calls: readonly string[]): readonly string[] => calls.filter((call) => !/^git /.test(call));

    it(`${on}: a drill is named by the month, restores, forgets what was pending, and keeps its report`, () => {
      const { isGood, calls } = play(steps, env);
      const month = new Date().toISOString().slice(0, 7);
      const refreshed = "pulumi refresh --yes --non-interactive --clear-pending-creates --suppress-outputs";
      assert.deepEqual(withoutGit(calls), [...named(month), ...restored, refreshed, ...reported]);
      assert.ok(isGood);
      assert.match(calls.at(-1) ?? "", /^git -C reports push/);
    });

    it(`${on}: a drill that fails has its report kept too, and fails the job`, () => {
      const { isGood, calls } = play(steps, { ...env, DRILL: "2026-Q4" }, "pulumi up");
      assert.deepEqual(withoutGit(calls), [...named("2026-Q4"), ...restored, ...reported]);
      assert.ok(!isGood);
      assert.match(calls.at(-1) ?? "", /^git -C reports push/);
    });

    it(`${on}: a lock that is not there is no failure`, () => {
      assert.ok(play(steps, env, "pulumi cancel").isGood);
    });
  }

  it("only look in the morning, and fail when something is not ready", () => {
    for (const steps of [githubJob("ready").steps, gitlabSteps("ready")]) {
      const { isGood, calls } = play(steps, {}, "ready");
      assert.equal(calls.length, 2);
      assert.match(calls[1] ?? "", /^npx pulumi-recovery ready --stack drill --goal-age 24h --proven-within 100d /);
      assert.ok(!isGood);
    }
  });

  it("call somebody when a job failed or ran out of time, with a body that is JSON", () => {
    const github = githubJob("call");
    assert.match(github.if, /always\(\) && .*'failure'.*'cancelled'/);
    const gitlab = gitlabJob("call");
    assert.equal(gitlab.rules[0]?.when, "on_failure");
    for (const steps of [github.steps, [{ run: gitlab.script.join("\n") }]]) {
      const { calls } = play(steps, {
        ALERT_URL: "https://chat.example.com/x",
        RESULTS: "ready: failure",
        RUN: "https://…/7",
      });
      const [, body = ""] = /-d (\{.*\}) https:\/\/chat\.example\.com\/x$/.exec(calls[0] ?? "") ?? [];
      assert.match((JSON.parse(body) as { text: string }).text, /^Recovery/);
    }
  });

  it("run one drill at a time, keep their secrets in the store, and put no input into a shell's text", () => {
    assert.deepEqual(githubJob("drill").concurrency, { group: "recovery-drill", "cancel-in-progress": false });
    assert.deepEqual([gitlabJob().resource_group, gitlabJob().interruptible], ["recovery-drill", false]);
    for (const name of ["ready", "drill"] as const) {
      const { env, steps } = githubJob(name);
      for (const [key, value] of Object.entries(env))
        if (!["STACK", "DRILL"].includes(key)) assert.match(value, /^\$\{\{ (?:secrets|vars)\.\w+ \}\}$/, key);
      assert.ok(steps.every(({ run = "", uses = "a@v1" }) => !run.includes("${{") && /@v\d+$/.test(uses)));
    }
    assert.ok(parseInt(gitlabJob().artifacts.expire_in ?? "", 10) >= 1);
  });

  it("and the pages call commands with options that there are", () => {
    const texts = [
      ...allPages().map(textOf),
      ...readdirSync(pipelines).map((name) => readFileSync(join(pipelines, name), "utf8")),
    ];
    const calls = texts.flatMap((text) => [...text.matchAll(/npx pulumi-recovery (\w+)([^\n`|]*)/g)]);
    assert.ok(calls.length > 20);
    for (const [call, name = "", words = ""] of calls) {
      const usage = commands.find((one) => one.name === name)?.usage;
      assert.ok(usage !== undefined, call);
      for (const [option] of words.matchAll(/--[a-z][a-z-]*/g)) assert.ok(usage.includes(option), call);
    }
  });
});
