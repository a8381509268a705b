import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import * as cases from "../report/support/cases";
import { call, withFiles } from "../cli/support/call";
import { readMetrics } from "../cli/support/prometheus";
import { runReady } from "../cli/support/run-ready";
import { needs } from "../e2e/support/needs";
import { long } from "../support/thorough";
import { root, textOf } from "./support/pages";

const rulesFile = join(root, "docs", "monitoring", "alerts.yml");

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: Readonly<Record<string, string>>;
}

/** The metrics files that `ready` and `report` write. */
function metricsOf(state: object): Promise<readonly string[]> {
  return withFiles({}, async (pathOf, written) => {
    await call(["report", "-", "--out", pathOf("."), "--metrics", pathOf("m")], {}, JSON.stringify(state));
    return [(await runReady({ state })).metrics, written("m")];
  });
}

describe("the monitoring section of docs/ready.md", () => {
  it("lists exactly the metrics that exist, and has alert rules that use only existing metrics and labels", async () => {
    const texts = await metricsOf(cases.passed);
    const made = texts.flatMap((text) =>
      [...text.matchAll(/^# TYPE pulumi_recovery_(\w+)/gm)].map(([, name = ""]) => name),
    );
    const [, part = ""] = /## Monitoring\n([^]*?)(?=\n## |$)/.exec(textOf("docs/ready.md")) ?? [];
    const named = [...part.matchAll(/^- `(\w+)`/gm)].map(([, name]) => name);
    assert.deepEqual([...named].sort(), [...made].sort());
    const labels = new Set(texts.flatMap(readMetrics).flatMap((sample) => Object.keys(sample.labels)));
    const { groups } = parse(readFileSync(rulesFile, "utf8")) as { groups: { rules: Rule[] }[] };
    for (const { alert, expr, annotations } of groups.flatMap(({ rules }) => rules)) {
      const metrics = [...expr.matchAll(/pulumi_recovery_(\w+)/g)].map(([, name = ""]) => name);
      assert.ok(metrics.length > 0 && metrics.every((name) => made.includes(name)), expr);
      for (const [, label = ""] of JSON.stringify(annotations).matchAll(/\$labels\.(\w+)/g))
        assert.ok(labels.has(label), `${alert}: ${label}`);
    }
  });

  it("describes metrics that can be parsed even if the state contains hostile text", async () => {
    for (const text of await metricsOf(cases.hostile)) assert.ok(readMetrics(text).length > 0);
  });

  long.describe("as checked by Prometheus' own tool", function () {
    this.timeout(60_000);
    const tool = needs("promtool");
    const accepts = (args: readonly string[], input = ""): void => {
      const { status, stdout, stderr } = spawnSync(tool.path, args, { input, encoding: "utf8" });
      assert.equal(status, 0, stdout + stderr + input);
    };

    it("documents metrics that are valid whatever the state contains", async () => {
      for (const state of [cases.passed, cases.restores, cases.brokenOff, cases.hostile]) {
        for (const text of await metricsOf(state)) accepts(["check", "metrics"], text);
      }
    });

    it("has alert rules that fire when they should", () => {
      accepts(["check", "rules", rulesFile]);
      accepts(["test", "rules", join(__dirname, "support", "alerts.test.yml")]);
    });
  });
});
