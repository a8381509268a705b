import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { metricsOf as metricsOfReady } from "../../cli/ready/metrics";
import { metricsOf as metricsOfReports } from "../../cli/report/metrics";
import { report } from "../../report";
import * as cases from "../report/support/cases";
import { metricsText, readMetrics } from "../cli/support/prometheus";
import { runReady } from "../cli/support/run-ready";
import { needs } from "../e2e/support/needs";
import { long } from "../support/thorough";

const docs = join(__dirname, "..", "..", "docs");
const page = readFileSync(join(docs, "monitoring.md"), "utf8");
const prefix = "pulumi_recovery_";

const ofReady = metricsOfReady({
  formatVersion: 1,
  lookedAt: "2026-11-21T10:00:00Z",
  panel: "https://panel.example.com",
  stack: "drill",
  verdict: "ready",
  counts: { ready: 0, notReady: 0, cannotBeTold: 0, known: 0 },
  requests: 0,
  restores: [],
  plans: [],
  unreadable: [],
});
const ofReports = metricsOfReports([report(cases.passed)]);
const labels = ["project", "stack", "plan", "wave", "restore", "kind", "machine", "verdict", "run"];

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<"summary" | "description", string>>;
}

describe("docs/monitoring.md", () => {
  for (const [what, gauges] of [
    ["ready", ofReady],
    ["report", ofReports],
  ] as const) {
    it(`names every metric of ${what}, in its order, and nothing else`, () => {
      const table = page.slice(page.indexOf(`| of \`${what}\``)).split("\n\n")[0] ?? "";
      const named = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
      const made = gauges.map(({ name }) => name);
      assert.deepEqual([...named].sort(), [...made].sort());
    });
  }

  it("has names by Prometheus' conventions: a unit at the end, seconds where it is a time", () => {
    for (const { name, help } of [...ofReady, ...ofReports]) {
      assert.match(name, /^[a-z][a-z_]*$/);
      assert.doesNotMatch(name, /_(?:total|count|sum|bucket|minutes|hours|days|ms)$/, name);
      assert.match(help, /^[A-Z].*\.$/);
      if (/\b(?:age|time that|recovery time|seconds since)\b/i.test(help) && !/verdict/.test(name))
        assert.match(name, /_seconds$/, name);
    }
    assert.doesNotThrow(() => readMetrics(metricsText([...ofReady, ...ofReports])));
  });

  it("has alert rules about metrics and labels that there are", () => {
    const { groups } = parse(readFileSync(join(docs, "monitoring", "alerts.yml"), "utf8")) as {
      readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[];
    };
    const rules = groups.flatMap((group) => group.rules);
    assert.equal(rules.length, 6);
    assert.equal(new Set(rules.map(({ alert }) => alert)).size, 6);
    const known = new Set([...ofReady, ...ofReports].map(({ name }) => `${prefix}${name}`));
    for (const rule of rules) {
      const metrics = [...rule.expr.matchAll(/pulumi_recovery_\w+/g)].map(([name]) => name);
      assert.ok(metrics.length > 0 && metrics.every((name) => known.has(name)), rule.expr);
      assert.match(rule.for ?? "1m", /^\d+[smhd]$/);
      assert.match(rule.labels["severity"] ?? "", /^(?:info|warning|critical)$/);
      for (const text of Object.values(rule.annotations)) {
        for (const [, label = ""] of text.matchAll(/\$labels\.(\w+)/g)) assert.ok(labels.includes(label), text);
      }
    }
  });

  long.describe("by Prometheus' own tool", function () {
    this.timeout(60_000);
    const tool = needs("promtool");
    const accepts = (args: readonly string[], input = ""): void => {
      const { status, stdout, stderr } = spawnSync(tool.path, args, { input, encoding: "utf8" });
      assert.equal(status, 0, stdout + stderr + input);
    };

    it("has metrics without a fault, whatever the state holds", async () => {
      for (const state of [cases.passed, cases.restores, cases.brokenOff, cases.hostile]) {
        const { ready } = await runReady({ state });
        accepts(["check", "metrics"], metricsText(metricsOfReady(ready)));
        accepts(["check", "metrics"], metricsText(metricsOfReports([report(state)])));
      }
    });

    it("has alert rules, which fire when they should", () => {
      accepts(["check", "rules", join(docs, "monitoring", "alerts.yml")]);
      accepts(["test", "rules", join(__dirname, "support", "alerts.test.yml")]);
    });
  });
});
