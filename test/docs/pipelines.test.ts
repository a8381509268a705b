import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commands } from "../../cli/commands";
import { allPages, root, textOf } from "./support/pages";
import { githubJob, gitlabJob, jobSteps, playSteps, type Step } from "./support/pipeline-files";

const pipelines = join(root, "docs", "pipelines");

/** A fake that replaces each tool on a runner. It records its arguments, and fails if they contain `$FAIL`. */
const tool = `#!/bin/bash
call="$(basename "$0") $*"
echo "$call" >> "$CALLS"
[[ -z $FAIL || $call != *$FAIL* ]]
`;

const month = new Date().toISOString().slice(0, 7);
const hosts = [
  { on: "GitHub", env: { GITHUB_RUN_ID: "77", RUN: "2026-Q4" } },
  { on: "GitLab", env: { CI_PIPELINE_ID: "77", RUN: "2026-Q4" } },
] as const;

describe("the pipeline files", () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "recovery-pipelines-"));
    for (const name of ["pulumi", "npm", "npx", "git", "curl"]) {
      writeFileSync(join(folder, name), tool);
      chmodSync(join(folder, name), 0o755);
    }
  });
  after(() => rmSync(folder, { recursive: true }));

  async function play(steps: readonly Step[], environment: Readonly<Record<string, string>>, fail = "") {
    const file = join(folder, "calls");
    writeFileSync(file, "");
    const env = {
      ...{ PATH: `${folder}:${process.env["PATH"] ?? ""}`, CALLS: file, FAIL: fail },
      ...{ STACK: "drill", STATE_TOKEN: "a token", AWS_WEB_IDENTITY_TOKEN_FILE: join(folder, "token") },
      GITHUB_STEP_SUMMARY: join(folder, "summary"),
      ...environment,
    };
    const { isGood, left } = await playSteps(steps, env, (input, given) => {
      const options = { input, env: given, cwd: folder, encoding: "utf8" } as const;
      const { status, stderr, stdout } = spawnSync("bash", ["-eo", "pipefail"], options);
      assert.doesNotMatch(stderr, /syntax|unbound|not found/, input);
      return Promise.resolve({ code: status, output: stdout });
    });
    return { isGood, calls: readFileSync(file, "utf8").trim().split("\n"), left };
  }

  const named = (name: string) => ["npm ci", "pulumi stack select drill", `pulumi config set run ${name}`];
  const gate =
    /^npx pulumi-recovery report --stack drill --run 2026-Q4 --gate --since 20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
  const run = " --stack drill --run 2026-Q4";
  /** The commands that a drill runs, in this order, with the options that matter. */
  const steps = [
    "pulumi cancel --yes",
    "pulumi up --yes --non-interactive",
    "pulumi refresh --yes --non-interactive --clear-pending-creates",
    "npx pulumi-recovery runbook --stack drill",
    `npx pulumi-recovery report${run} --format json --out reports/77`,
    `npx pulumi-recovery report${run} --history reports`,
  ];

  for (const { on, env } of hosts) {
    const drill = jobSteps(on, "drill");
    /** Leaves out the gate, because its position differs: on GitLab, only steps before the report can fail a job. */
    const stepsIn = (calls: readonly string[]): readonly string[] =>
      calls.flatMap((call) => steps.find((step) => call.startsWith(step)) ?? []);

    it(`name the run after the month unless a name is given, and use the same name for the drill: ${on}`, async () => {
      for (const [RUN, name] of [
        ["", month],
        ["2026-Q4", "2026-Q4"],
      ] as const) {
        rmSync(join(folder, "run.env"), { force: true });
        const { isGood, calls, left } = await play(jobSteps(on, "preview"), { ...env, RUN });
        const seen = [...named(name), "pulumi preview --non-interactive --suppress-outputs"];
        assert.deepEqual(calls.slice(0, seen.length), seen);
        // Both sides of a pipe start at once, so their order varies.
        assert.deepEqual(calls.slice(seen.length).sort(), [
          `npx pulumi-recovery ready --preview - --reader --goal-age 24h${on === "GitHub" ? " --summary" : ""}`,
          "pulumi preview --json --show-sames",
        ]);
        assert.ok(isGood);
        const kept =
          on === "GitHub" ? `run=${left["run"] ?? ""}` : readFileSync(join(folder, "run.env"), "utf8").trim();
        assert.equal(kept.toLowerCase(), `run=${name}`.toLowerCase());
      }
    });

    it(`run the restores, keep the report and pass the gate for this run when a drill is approved: ${on}`, async () => {
      const { isGood, calls } = await play(drill, env);
      assert.deepEqual([calls.slice(0, 3), stepsIn(calls)], [named("2026-Q4"), steps]);
      assert.ok(isGood);
      assert.equal(calls.filter((call) => gate.test(call)).length, 1, calls.join("\n"));
      assert.equal(calls.filter((call) => /report .* --summary/.test(call)).length, on === "GitHub" ? 1 : 0);
      assert.equal(calls.filter((call) => /^git -C reports push/.test(call)).length, 1);
    });

    it(`keep the report and fail the job when a drill fails: ${on}`, async () => {
      const { isGood, calls } = await play(drill, env, "pulumi up");
      const notRefreshed = steps.filter((step) => !step.startsWith("pulumi refresh"));
      assert.deepEqual(stepsIn(calls), notRefreshed);
      assert.ok(!isGood);
      assert.match(calls.at(-1) ?? "", /^git -C reports push/);
    });

    for (const [outcome, job, what, failing] of [
      ["fail", "preview", "Pulumi's preview fails", "pulumi preview"],
      ["fail", "preview", "the stack is not ready", "ready --preview"],
      ["fail", "drill", "--gate fails", "--gate"],
      ["pass", "drill", "there is no lock to cancel", "pulumi cancel"],
    ] as const)
      it(`let the ${job} job ${outcome} when ${what}: ${on}`, async () => {
        const { isGood, calls } = await play(jobSteps(on, job), env, failing);
        assert.equal(isGood, outcome === "pass");
        const isKept = calls.some((call) => /^git -C reports push/.test(call));
        assert.equal(isKept, job === "drill", "its report is kept");
      });

    it(`send only GETs in the morning check, and fail it if anything is not ready: ${on}`, async () => {
      const { isGood, calls } = await play(jobSteps(on, "ready"), {}, "ready");
      assert.equal(calls.length, 2);
      const ready = /^npx pulumi-recovery ready --stack drill --reader --goal-age 24h --proven-within 100d /;
      assert.match(calls[1] ?? "", ready);
      assert.ok(!isGood);
    });
  }

  it("send an alert with a valid JSON body when a job fails or times out", async () => {
    const github = githubJob("call");
    assert.match(github.if, /always\(\) && .*'failure'.*'cancelled'/);
    const gitlab = gitlabJob("call");
    assert.equal(gitlab.rules[0]?.when, "on_failure");
    for (const steps of [github.steps, jobSteps("GitLab", "call")]) {
      const alert = { ALERT_URL: "https://chat.example.com/x", RESULTS: "ready: failure", PAGE: "https://…/7" };
      const { calls } = await play(steps, alert);
      const [, body = ""] = /-d (\{.*\}) https:\/\/chat\.example\.com\/x$/.exec(calls[0] ?? "") ?? [];
      assert.match((JSON.parse(body) as { text: string }).text, /^Recovery/);
    }
  });

  it("ask for approval of a drill only after its preview, which uses a read-only user's secrets", () => {
    assert.deepEqual([githubJob("drill").needs, gitlabJob("drill").needs], ["preview", ["preview"]]);
    assert.deepEqual(
      [githubJob("preview").environment, githubJob("drill").environment],
      ["recovery-ready", "recovery"],
    );
    assert.deepEqual(gitlabJob("preview").environment, { name: "recovery-ready", action: "access" });
    assert.equal(gitlabJob("drill").environment, "recovery");
  });

  it("run one drill at a time, take secrets only from the secret store, and insert no input into shell code", () => {
    assert.deepEqual(githubJob("drill").concurrency, { group: "recovery-drill", "cancel-in-progress": false });
    assert.deepEqual([gitlabJob().resource_group, gitlabJob().interruptible], ["recovery-drill", false]);
    for (const name of ["ready", "preview", "drill"] as const) {
      const { env, steps } = githubJob(name);
      for (const [key, value] of Object.entries(env))
        if (!["STACK", "RUN"].includes(key)) assert.match(value, /^\$\{\{ (?:secrets|vars)\.\w+ \}\}$/, key);
      assert.match(env["RECOVERY_ALLOWED_MACHINES"] ?? "", /vars\.RECOVERY_ALLOWED_MACHINES/);
      assert.ok(steps.every(({ run = "", uses = "a@v1" }) => !run.includes("${{") && /@v\d+$/.test(uses)));
      // Stored cloud keys would outlive the job, so the job uses its own identity to access the state.
      assert.ok(steps.some(({ uses = "" }) => uses.startsWith("aws-actions/configure-aws-credentials@")));
    }
    const files = readdirSync(pipelines).map((name) => readFileSync(join(pipelines, name), "utf8"));
    for (const text of files) assert.doesNotMatch(text, /ACCESS_KEY/);
    assert.ok(parseInt(gitlabJob().artifacts.expire_in ?? "", 10) >= 1);
  });

  it("use exactly the variables and secrets that docs/drills.md lists", () => {
    const [github = "", gitlab = ""] = ["github", "gitlab"].map((name) => textOf(`docs/pipelines/${name}.yml`));
    const used = new Set([...github.matchAll(/\b(?:vars|secrets)\.(\w+)/g)].map(([, name]) => name));
    for (const [name] of gitlab.matchAll(/\b(?:REPORTS_TOKEN|AWS_ROLE_ARN)\b/g)) used.add(name);
    const entries = textOf("docs/drills.md").matchAll(/^ +- (`[A-Z_`, ]+`) \(.*/gm);
    const named = [...entries].flatMap(([entry]) => [...entry.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name]) => name));
    assert.deepEqual([...used].sort(), named.sort());
  });

  it("call commands only with options that exist, and so do the pages", () => {
    const files = readdirSync(pipelines).map((name) => `docs/pipelines/${name}`);
    const calls = [...allPages(), ...files].flatMap((page) => [
      ...textOf(page).matchAll(/npx pulumi-recovery(\S*) (\w+)([^\n`|]*)/g),
    ]);
    assert.ok(calls.length > 20);
    for (const [call, more, name = "", words = ""] of calls) {
      assert.equal(more, "", call);
      const usage = commands.find((one) => one.name === name)?.usage;
      assert.ok(usage !== undefined, call);
      for (const [option] of words.matchAll(/--[a-z][a-z-]*/g)) assert.ok(usage.includes(option), call);
    }
  });
});
