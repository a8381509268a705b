import assert from "node:assert/strict";
import fc from "fast-check";
import { verdictOfRun } from "../../provider/plan/verdict";
import { judgedWave } from "../../provider/plan/judged";
import type { StoredRun, StoredStep, StoredWave } from "../../provider/plan/stored";
import { report, type VerdictWord } from "../../report";
import { definedOnly } from "../../report/state/values";
import { judgedRun, resourcesOf, type PlayedCheck, type PlayedPlan, type PlayedStep } from "./support/plans";
import { at, exportedStack, type StackResource } from "./support/stack";

/** How much a verdict claims. A restore begun after a failed verdict makes it incomplete: neither passes. */
const claimOf: Readonly<Record<VerdictWord, number>> = {
  failed: 0,
  incomplete: 0,
  "passed with warnings": 1,
  passed: 2,
};

/** Mostly the first value, so that some runs pass. */
function mostly<T>(usual: T, others: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 15, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: others });
}

const check: fc.Arbitrary<PlayedCheck> = fc.record({
  kind: fc.constantFrom("http" as const, "tcp" as const),
  target: fc.constantFrom("a", "b"),
  result: mostly<"passed" | "failed" | "not run">("passed", fc.constantFrom("failed", "not run")),
  addedLater: fc.boolean(),
});

const step = (name: string): fc.Arbitrary<PlayedStep> =>
  fc
    .record({
      machine: fc.constant(name.length),
      requested: fc.nat(100),
      ran: fc.integer({ min: 1, max: 900 }),
      status: mostly("complete", fc.constantFrom("failed", "cancelled", "running", "odd")),
      goals: fc.record(
        { recoveryTimeSeconds: mostly(3_600, fc.constant(60)), dataAgeSeconds: mostly(86_400, fc.constant(60)) },
        { requiredKeys: [] },
      ),
      takenAt: mostly(at(-30), fc.constantFrom(at(-3_600), "2026-02-31T00:00:00Z")),
      paths: fc.constantFrom(undefined, ["/srv"], ["/srv", "/etc"]),
      triggers: fc.constantFrom(undefined, ["again"]),
      adopted: mostly(false, fc.constant(true)),
      checks: fc.array(check, { maxLength: 2 }),
      earlierTries: mostly<PlayedStep["earlierTries"] | undefined>(
        undefined,
        fc.constant([{ status: "failed" as const, transactionIds: ["1"], requestedAt: at(-900), checks: [] }]),
      ),
      came: mostly<PlayedStep["came"] | undefined>(undefined, fc.constantFrom("not begun", "intent saved", "posted")),
    })
    .map((one) => ({
      ...definedOnly(one),
      name,
      transaction: String(name.length),
      planned: numberOf([one.paths, one.triggers, one.checks.map(({ kind, target }) => [kind, target])]),
    }));

/** Another one for another form of a restore, as revisions are. */
function numberOf(form: unknown): number {
  return Buffer.from(JSON.stringify(form)).reduce((sum, byte) => (sum * 31 + byte) % 1_000_003, 7);
}

const plan: fc.Arbitrary<PlayedPlan> = fc
  .record({
    onMissedGoal: fc.constantFrom("fail" as const, "warn" as const),
    onFailure: fc.constantFrom("stop" as const, "continue" as const),
    wholeGoalSeconds: fc.constantFrom(undefined, 600, 7_200),
    waves: fc
      .tuple(step("db"), step("web"), step("mail"), fc.boolean(), fc.boolean())
      .map(([db, web, mail, one, two]) => [
        { name: "data", restores: [db], stored: one },
        { name: "front", restores: [web, mail], stored: two },
      ]),
  })
  .map(({ wholeGoalSeconds, ...others }) => ({
    ...others,
    ...(wholeGoalSeconds !== undefined && { wholeGoalSeconds }),
  }));

/** Resources that another plan left, in this run or the one before. */
const left = mostly<number[]>([], fc.array(fc.nat(20), { minLength: 1, maxLength: 3 }));

function outputsOf(resources: readonly StackResource[], type: string): readonly object[] {
  return resources.flatMap((one) => (one.type === type ? [one.outputs] : []));
}

describe("a run and its report", () => {
  it("share their rules: the report is never better than the verdict, and passes only records of this plan", function () {
    this.timeout(120_000);
    const said = { passed: 0, other: 0 };
    fc.assert(
      fc.property(plan, plan, left, fc.boolean(), (now, before, which, sameRun) => {
        const [own, old] = [
          resourcesOf({ ...now, verdict: "not stored" }),
          resourcesOf({ ...before, run: sameRun ? "2026-Q4" : "2026-Q3", verdict: "not stored" }),
        ];
        const resources = own.map((one, index) =>
          index > 0 && which.includes(index)
            ? (old.find(({ name, type }) => name === one.name && type === one.type) ?? one)
            : one,
        );
        const [run] = outputsOf(resources, "PlanRun") as StoredRun[];
        const waves = outputsOf(resources, "PlanWave") as StoredWave[];
        const verdict = verdictOfRun(judgedRun(run!), waves.map(judgedWave), at(4_000));
        const withVerdict = [
          ...resources,
          {
            type: "PlanVerdict",
            name: "shop-verdict",
            of: "shop",
            outputs: verdict,
          },
        ];
        const made = report(exportedStack(withVerdict));
        assert.ok(
          claimOf[made.verdict.result] <= claimOf[verdict.verdict],
          `${made.verdict.result}, and the verdict is ${verdict.verdict}: ${verdict.reasons.join("; ")}`,
        );
        // Even if somebody has written "passed" into the state.
        const edited = withVerdict.map((one) =>
          one.type === "PlanVerdict" ? { ...one, outputs: { ...one.outputs, verdict: "passed", reasons: [] } } : one,
        );
        const claimed = report(exportedStack(edited)).verdict.result;
        for (const result of [made.verdict.result, claimed]) {
          if (!result.startsWith("passed")) continue;
          for (const [name, planned] of run!.asGiven.waves.flatMap(({ restores }) => Object.entries(restores))) {
            const steps = waves.flatMap(({ run: of, restores }): StoredStep[] =>
              of === run!.run && restores[name] ? [restores[name]] : [],
            );
            const isBack = steps.some(
              (one) =>
                one.status === "complete" &&
                one.virtualMachineId === planned.virtualMachineId &&
                one.recoveryPointId === planned.recoveryPointId &&
                one.revision === run!.revisions?.[name]?.at,
            );
            // Without a stored wave, the restore's own paths and triggers count.
            const alone = (
              outputsOf(
                resources.filter(({ name: own }) => own === `shop-${name}`),
                planned.paths === undefined ? "VmRestore" : "FileRestore",
              ) as Readonly<Record<string, unknown>>[]
            ).some(
              ({ status, paths, triggers }) =>
                status === "complete" &&
                JSON.stringify([paths, triggers]) ===
                  JSON.stringify([planned.paths, [run!.run, ...(planned.triggers ?? [])]]),
            );
            assert.ok(isBack || alone, `${result}, and ${name} is not back`);
          }
        }
        if (made.verdict.result.startsWith("passed")) said.passed++;
        else said.other++;
      }),
      { numRuns: 1_000 },
    );
    assert.ok(said.passed > 20 && said.other > 50, `a test of both: ${JSON.stringify(said)}`);
  });
});
