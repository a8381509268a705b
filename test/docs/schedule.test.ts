import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import assert from "node:assert/strict";
import { parse, parseAllDocuments } from "yaml";
import { readReadyArguments } from "../../cli/ready/arguments";
import { readReportArguments } from "../../cli/report/arguments";
import { readRunbookArguments } from "../../cli/runbook/arguments";
import { allPages, root, textOf } from "./support/pages";
import type { Step } from "./support/pipeline-files";

const schedule = join(root, "docs", "schedule");
const files = [
  ...allPages().map((page) => ({ name: page, text: textOf(page) })),
  ...[schedule, join(root, "docs", "pipelines")].flatMap((folder) =>
    readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") })),
  ),
];

/** The words behind a command of this package, as a shell, a unit or a list in YAML writes them. */
function callsOf(command: string, text: string): readonly (readonly string[])[] {
  const call = new RegExp(
    `pulumi-recovery,? ${command}((?:,? (?:--?[a-z][a-z-]*|"\\$STACK"|[\\w./-]+))*)(?=["\\]\\n\`:|]| \\|)`,
    "g",
  );
  return [...text.matchAll(call)].map(({ 1: rest = "" }) => rest.split(/[\s,]+/).filter((word) => word !== ""));
}

function job(name: string): Readonly<Record<string, unknown>> {
  return parse(readFileSync(join(root, "docs", "pipelines", name), "utf8")) as Readonly<Record<string, unknown>>;
}

describe("what runs on a schedule", () => {
  it("calls ready, report and runbook with options that there are", () => {
    const found = files.flatMap(({ name, text }) => callsOf("ready", text).map((args) => ({ name, args })));
    for (const { name, args } of found) {
      assert.doesNotThrow(() => readReadyArguments(args), `${name}: ready ${args.join(" ")}`);
    }
    for (const name of [
      "github-ready.yml",
      "gitlab-ready.yml",
      "recovery-ready.service",
      "kubernetes.yml",
      "deployments.sh",
    ])
      assert.ok(
        found.some((one) => one.name === name && one.args.includes("--stack")),
        name,
      );
    for (const { name, text } of files)
      for (const args of callsOf("report", text))
        assert.doesNotThrow(() => readReportArguments(args), `${name}: ${args.join(" ")}`);
    const runbooks = files.flatMap(({ name, text }) => callsOf("runbook", text).map((args) => ({ name, args })));
    for (const { name, args } of runbooks) {
      assert.doesNotThrow(() => readRunbookArguments(args), `${name}: runbook ${args.join(" ")}`);
    }
    for (const name of ["github-actions.yml", "gitlab-ci.yml", "recovery-drill.service"])
      assert.ok(
        runbooks.some((one) => one.name === name && one.args.includes("--stack")),
        name,
      );
  });

  it("writes metrics of each ready and each drill, and the runbook beside the report, into what is kept", () => {
    for (const [name, folder] of [
      ["github-ready.yml", "recovery-ready"],
      ["gitlab-ready.yml", "recovery-ready"],
      ["github-actions.yml", "recovery-report"],
      ["gitlab-ci.yml", "recovery-report"],
      ["recovery-ready.service", "/var/lib/recovery"],
      ["recovery-drill.service", "/var/lib/recovery"],
    ] as const) {
      const text = files.find((file) => file.name === name)?.text ?? "";
      const [call = []] = [...callsOf("ready", text), ...callsOf("report", text)];
      const file = call[call.indexOf("--metrics") + 1] ?? "";
      assert.ok(call.includes("--metrics") && file.startsWith(`${folder}/`) && file.endsWith(".prom"), name);
      if (name.endsWith(".yml"))
        assert.match(text, new RegExp(`path: ${folder}$|- ${folder}/?$|paths: \\[${folder}`, "m"), name);
      if (callsOf("report", text).length > 0) {
        const [runbook = []] = callsOf("runbook", text);
        const out = runbook.includes("--out") ? runbook[runbook.indexOf("--out") + 1] : "recovery-report";
        assert.equal(out, call.includes("--out") ? call[call.indexOf("--out") + 1] : "recovery-report", name);
      }
    }
  });

  it("is a workflow that only looks, one at a time, with its secrets from the store, and keeps what it found", () => {
    const { on, permissions, concurrency, jobs } = job("github-ready.yml") as {
      on: { schedule: unknown[] };
      permissions: unknown;
      concurrency: unknown;
      jobs: { ready: { env: Record<string, string>; steps: Step[] } };
    };
    assert.equal(on.schedule.length, 1);
    assert.deepEqual(permissions, { contents: "read" });
    assert.deepEqual(concurrency, { group: "recovery-ready", "cancel-in-progress": false });
    const { env, steps } = jobs.ready;
    for (const name of ["RECOVERY_ENDPOINT", "RECOVERY_USERNAME", "RECOVERY_PASSWORD", "PULUMI_BACKEND_URL"])
      assert.match(env[name] ?? "", /^\$\{\{ (?:secrets|vars)\.\w+ \}\}$/, name);
    assert.ok(steps.every(({ run = "" }) => !run.includes("${{") && !/pulumi (?:up|refresh|cancel)/.test(run)));
    assert.equal(steps.at(-1)?.if, "always()");
  });

  it("is a job of GitLab's that a schedule starts, and that keeps what it found", () => {
    const { ready } = job("gitlab-ready.yml") as {
      ready: { rules: unknown; script: string[]; artifacts: { when: string; paths: string[] } };
    };
    assert.deepEqual(ready.rules, [{ if: '$CI_PIPELINE_SOURCE == "schedule"' }]);
    assert.deepEqual([ready.artifacts.when, ready.artifacts.paths], ["always", ["recovery-ready"]]);
    assert.ok(ready.script.every((line) => !/pulumi (?:up|refresh|cancel)/.test(line)));
  });

  it("has scripts that a shell can read, and bodies that are JSON", () => {
    for (const name of readdirSync(schedule).filter((file) => file.endsWith(".sh"))) {
      const text = readFileSync(join(schedule, name), "utf8");
      const { status, stderr } = spawnSync("bash", ["-n"], { input: text, encoding: "utf8" });
      assert.equal(status, 0, stderr);
      for (const { 1: body = "" } of text.matchAll(/^schedule '(\{[^']*\})'$/gm)) {
        const { scheduleCron, request } = JSON.parse(body) as {
          scheduleCron: string;
          request: { operationContext: object };
        };
        assert.match(scheduleCron, /^\S+( \S+){4}$/);
        assert.deepEqual(Object.keys(request.operationContext), ["operation", "preRunCommands"]);
      }
    }
  });

  it("has objects for Kubernetes that name every secret and hold none", () => {
    const text = readFileSync(join(schedule, "kubernetes.yml"), "utf8");
    const objects = parseAllDocuments(text).map((document) => document.toJSON() as { kind: string; spec: object });
    assert.deepEqual(
      objects.map(({ kind }) => kind),
      ["Stack", "CronJob", "CronJob"],
    );
    assert.ok(!/password: (?!\{)|literal/i.test(text.replaceAll(/RECOVERY_PASSWORD:\n/g, "")));
    // The drill of a job that is begun anew in its own pod keeps its name.
    assert.match(text, /batch\.kubernetes\.io\/job-name/);
  });

  it("has units that systemd takes, where there is one to ask", function () {
    const verified = spawnSync(
      "systemd-analyze",
      ["verify", ...["ready", "drill"].map((name) => join(schedule, `recovery-${name}.service`))],
      { encoding: "utf8" },
    );
    if (verified.error !== undefined) this.skip();
    const other = verified.stderr
      .split("\n")
      .filter((line) => line !== "" && !/is not executable: No such file|^Failed to|recovery-tell/.test(line));
    assert.deepEqual(other, []);
    for (const name of ["ready", "drill"]) {
      const timer = readFileSync(join(schedule, `recovery-${name}.timer`), "utf8");
      const when = /^OnCalendar=(.+)$/m.exec(timer)?.[1] ?? "";
      assert.equal(spawnSync("systemd-analyze", ["calendar", when]).status, 0, when);
    }
  });
});
