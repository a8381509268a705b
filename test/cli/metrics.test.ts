import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { writeMetrics, type Gauge } from "../../cli/parts/metrics";
import { metricsOf as metricsOfReady } from "../../cli/ready/metrics";
import { metricsOf as metricsOfReports } from "../../cli/report/metrics";
import { report, type Report } from "../../report";
import * as cases from "../report/support/cases";
import { stackOfPlan } from "../report/support/plans";
import { stackOf, type Played } from "../report/support/restores";
import { at } from "../report/support/stack";
import { metricsText, readMetrics } from "./support/prometheus";
import { machine } from "./support/ready-cases";
import { runReady } from "./support/run-ready";

const web: Played = { name: "web", machine: 42, point: 1007, requested: 0, ran: 60, transaction: "5014" };

describe("metrics", () => {
  it("are in Prometheus' text format, whatever the labels hold", () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('a"b', "a\\", "a\nb", "\\n", '"}', "{}", "é€"));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(text, text, fc.oneof(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), fc.boolean()))),
        (given) => {
          const gauge: Gauge = {
            name: "made_up",
            help: "With \\ and\na line.",
            samples: given.map(([restore, machine, value]) => ({ labels: { restore, machine }, value })),
          };
          const read = readMetrics(metricsText([gauge]));
          const series = new Map(
            given.map(([restore, machine]) => [JSON.stringify([restore, machine]), { restore, machine }]),
          );
          assert.deepEqual(
            read.map(({ labels }) => labels),
            [...series.values()],
          );
        },
      ),
    );
  });

  it("have no sample of what is not known, and no line about a gauge without one", () => {
    assert.equal(metricsText([{ name: "none", help: "None.", samples: [{ labels: {}, value: undefined }] }]), "");
  });

  it("of ready tell each restore's readiness, its point's age, its proof and its times", async () => {
    const goals = { asked: { goalAgeSeconds: 86_400 } };
    const { ready } = await runReady({
      state: stackOf([web, { ...web, name: "gone", point: 1, status: "failed", transaction: "5015" }]),
      panel: machine([{ id: 1007, ageSeconds: 3_600 }]),
      inventory: { machines: ["42", "43"], restored: new Set(["42"]) },
      ...goals,
    });
    const samples = readMetrics(metricsText(metricsOfReady(ready)));
    const valueOf = (name: string, restore?: string): number | undefined =>
      samples.find((one) => one.name === `pulumi_recovery_${name}` && one.labels["restore"] === restore)?.value;
    assert.deepEqual(
      [
        valueOf("ready"),
        valueOf("restore_ready", "web"),
        valueOf("restore_ready", "gone"),
        valueOf("machines_without_restore"),
      ],
      [0, 1, 0, 1],
    );
    assert.equal(valueOf("restore_point_age_seconds", "web"), 3_600);
    assert.equal(valueOf("restore_point_age_goal_seconds", "web"), 86_400);
    assert.equal(valueOf("restore_proven_timestamp_seconds", "web"), Date.parse(at(65)) / 1_000);
    assert.equal(valueOf("restore_last_recovery_seconds", "web"), 65);
    assert.equal(valueOf("restore_proven_timestamp_seconds", "gone"), undefined);
    assert.deepEqual([valueOf("restore_last_complete", "web"), valueOf("restore_last_complete", "gone")], [1, 0]);
    const [labels] = samples.filter(({ name }) => name === "pulumi_recovery_restore_ready").map((one) => one.labels);
    assert.deepEqual(labels, { project: "shop", stack: "drill", restore: "web", kind: "VmRestore", machine: "42" });
  });

  it("of ready do not tell of a question that is accepted", async () => {
    for (const [known, value] of [
      [[], 1],
      [[{ code: "points.no-list", why: "looked at by hand" }], 0],
    ] as const) {
      const { ready } = await runReady({ state: stackOf([web]), panel: machine([], { pointList: "missing" }), known });
      const samples = readMetrics(metricsText(metricsOfReady(ready)));
      const valueOf = (name: string): number | undefined =>
        samples.find((one) => one.name === `pulumi_recovery_${name}`)?.value;
      assert.deepEqual(
        [valueOf("restore_cannot_be_told"), valueOf("restore_ready"), valueOf("ready")],
        [value, undefined, 1 - value],
      );
    }
  });

  it("of ready keep the series of two restores of one name apart, whichever of them is ready", async () => {
    for (const [first, second] of [
      [1007, 1],
      [1, 1007],
    ] as const) {
      const one = { ...web, point: first };
      const other = JSON.parse(
        JSON.stringify(stackOf([{ ...web, point: second, transaction: "5015" }])).replaceAll(
          "::pulumi-nodejs:",
          "::site:index:Site$pulumi-nodejs:",
        ),
      ) as { deployment: { resources: object[] } };
      const state = stackOf([one]) as typeof other;
      state.deployment.resources.push(...other.deployment.resources.slice(1));
      const { ready } = await runReady({ state, panel: machine([{ id: 1007, ageSeconds: 60 }]) });
      const samples = readMetrics(metricsText(metricsOfReady(ready)));
      assert.deepEqual(
        samples
          .filter(({ name }) => name === "pulumi_recovery_restore_ready")
          .map(({ labels, value }) => [labels["restore"], value]),
        [
          ["web", first === 1007 ? 1 : 0],
          ["web 2", second === 1007 ? 1 : 0],
        ],
      );
    }
  });

  it("have no sample of what is no number", () => {
    const samples = [NaN, Infinity].map((value) => ({ labels: {}, value }));
    assert.equal(metricsText([{ name: "none", help: "None.", samples }]), "");
  });

  it("of ready tell the goals of a plan and of its restores beside what was measured", async () => {
    const { ready } = await runReady({
      state: stackOfPlan({
        goals: { recoveryTimeSeconds: 60 },
        wholeGoalSeconds: 90,
        waves: [{ name: "data", restores: [web] }],
      }),
      panel: machine([{ id: 1007, ageSeconds: 3_600 }]),
    });
    const samples = readMetrics(metricsText(metricsOfReady(ready)));
    const times = samples.filter(({ name }) => /recovery(?:_goal)?_seconds$/.test(name));
    assert.deepEqual(
      times.map(({ name, value }) => [name.replace("pulumi_recovery_", ""), value]),
      [
        ["restore_last_recovery_seconds", 65],
        ["restore_recovery_goal_seconds", 60],
        ["plan_expected_recovery_seconds", 65],
        ["plan_recovery_goal_seconds", 90],
      ],
    );
  });

  it("of reports tell the verdict, the counts and the times, for every golden report", () => {
    for (const [name, made] of Object.entries(allReports())) {
      const samples = readMetrics(metricsText(metricsOfReports([made])));
      const verdicts = samples.filter((one) => one.name === "pulumi_recovery_run_verdict");
      assert.deepEqual(
        verdicts.filter(({ value }) => value === 1).map(({ labels }) => labels["verdict"]),
        [made.verdict.result],
        name,
      );
      const complete = samples.filter((one) => one.name === "pulumi_recovery_run_restore_complete" && one.value === 1);
      assert.equal(complete.length, made.counts.complete, name);
    }
  });

  it("of a run that broke off have a 0 for each restore that was not carried out", () => {
    const made = report(cases.brokenOff);
    const samples = readMetrics(metricsText(metricsOfReports([made])));
    const complete = samples.filter(({ name }) => name === "pulumi_recovery_run_restore_complete");
    assert.equal(complete.length, made.counts.planned);
    for (const { restore } of made.notCarriedOut)
      assert.equal(complete.find(({ labels }) => labels["restore"] === restore)?.value, 0, restore);
    assert.ok(made.notCarriedOut.length > 0);
  });

  it("of two plans of one name in a stack lose none of both verdicts", () => {
    const [good, bad] = [report(cases.passed), report(cases.failed)];
    const samples = readMetrics(metricsText(metricsOfReports([good, bad])));
    const verdicts = samples.filter((one) => one.name === "pulumi_recovery_run_verdict" && one.value === 1);
    assert.deepEqual(
      verdicts.map(({ labels }) => [labels["plan"], labels["verdict"]]),
      [
        ["shop", "passed"],
        ["shop 2", "failed"],
      ],
    );
  });

  it("of two stacks with plans of one name stay apart", () => {
    const made = report(cases.passed);
    const other: Report = { ...made, scope: { ...made.scope, stack: "other" } };
    assert.equal(
      readMetrics(metricsText(metricsOfReports([made, other]))).length,
      2 * readMetrics(metricsText(metricsOfReports([made]))).length,
    );
  });

  describe("in a file", () => {
    const gauges: readonly Gauge[] = [{ name: "one", help: "One.", samples: [{ labels: {}, value: 1 }] }];
    const folder = (): string => mkdtempSync(join(tmpdir(), "metrics-"));

    it("are written whole, also over an earlier file and into a folder that is not there yet", () => {
      const place = folder();
      for (const file of [join(place, "recovery.prom"), join(place, "new", "recovery.prom")]) {
        for (const text of [undefined, "old"]) {
          if (text !== undefined) writeFileSync(file, text);
          writeMetrics(file, gauges);
          assert.equal(
            readFileSync(file, "utf8"),
            "# HELP pulumi_recovery_one One.\n# TYPE pulumi_recovery_one gauge\npulumi_recovery_one 1\n",
          );
        }
      }
      assert.deepEqual(readdirSync(place).sort(), ["new", "recovery.prom"]);
    });

    it("or not at all, and nothing is left beside it", () => {
      const place = folder();
      assert.throws(() => writeMetrics(place, gauges), {
        name: "CommandError",
        message: /^--metrics: .* cannot be written: /,
      });
      assert.deepEqual(readdirSync(place), []);
      assert.throws(() => writeMetrics("/proc/none/recovery.prom", gauges), /cannot be written/);
    });

    it("and not in the place of a pipe or a device, like /dev/stdout", function () {
      const pipe = join(folder(), "pipe");
      if (spawnSync("mkfifo", [pipe]).status !== 0) this.skip();
      assert.throws(() => writeMetrics(pipe, gauges), /cannot be written: it is there, and is no file$/);
      assert.equal(statSync(pipe).isFIFO(), true);
    });
  });
});

function allReports(): Readonly<Record<string, Report>> {
  const { passed, restores, planAndRestores } = cases;
  return {
    passed: report(passed),
    restores: report(restores),
    beside: report(planAndRestores, { subject: "shop" }),
  };
}
