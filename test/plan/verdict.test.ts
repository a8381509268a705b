import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { failsTheRun, verdictOfRun, recoveredSeconds } from "../../provider/plan/verdict";
import type { OverallVerdict, StoredStep } from "../../provider/plan/stored";
import { check, restoreAsGiven, runOf, step, waveOf } from "./support/stored-plans";

const golden = join(__dirname, "verdicts.golden.txt");
const withoutDuration = { durationSeconds: undefined } as unknown as Partial<StoredStep>;
const now = "2026-11-20T11:00:00.000Z";
const passed = { ...check, result: "passed", tries: 1 } as const;
const failed = { ...check, result: "failed", tries: 9, reason: "the answer was 503, not 200 to 299" } as const;
const notRun = { ...check, result: "not run", tries: 0 } as const;
const halfPassed = { ...passed, result: "half passed" } as unknown as typeof passed;

describe("a restore that its wave has no record of from before", () => {
  const reasonsWith = (elsewhere: Partial<StoredStep>): string => {
    const plan = {
      waves: [
        { name: "data", restores: { db: restoreAsGiven } },
        { name: "base", restores: {} },
      ],
    };
    const waves = [
      waveOf({ db: step({ isRecordedLate: true }) }),
      waveOf({ db: step(elsewhere) }, { name: "base", index: 1 }),
    ];
    return verdictOfRun(runOf([], plan), waves, now).reasons.join("\n");
  };

  it("is told, unless the wave that it has moved from has that very try", () => {
    assert.match(
      reasonsWith({ transactionIds: ["4001"] }),
      /wave data: a later `pulumi up` than the one that began the run carried out db, and no record/,
    );
    assert.equal(reasonsWith({}), "db was taken out of wave base after it was complete");
  });
});

describe("the verdict of a plan", () => {
  const goals = { recoveryTimeSeconds: 3_600, dataAgeSeconds: 86_400 };
  const taken = { recoveryPointTakenAt: "2026-11-20T02:00:00Z" };
  const laterPoint = { recoveryPointTakenAt: "2026-11-21T02:00:00Z" };
  const old = { recoveryPointTakenAt: "2026-11-18T02:00:00Z" };

  const withoutZone = { requestedAt: "2026-11-20 10:00:00", finishedAt: "2026-11-20 10:10:00" };

  type Judged = readonly [what: string, step: Partial<StoredStep> | undefined, plan: Parameters<typeof runOf>[1]];
  /** By the verdict of a plan with this one restore. `verdicts.golden.txt` has the reasons. */
  const table: Readonly<Record<OverallVerdict, readonly Judged[]>> = {
    passed: [
      ["complete", {}, {}],
      ["complete within its goals", taken, { goals }],
      [
        "complete with a check that passed",
        { checks: [passed], checkedSeconds: 30 },
        { goals: { recoveryTimeSeconds: 630 } },
      ],
      ["of unknown duration without a goal", withoutDuration, {}],
      ["from a point made after its first request", laterPoint, { goals }],
      [
        "with times that name no zone, with a goal for its time",
        withoutZone,
        { goals: { recoveryTimeSeconds: 600 }, wholeGoals: { recoveryTimeSeconds: 600 } },
      ],
    ],
    "passed with warnings": [
      ["later, where that is to warn", {}, { goals: { recoveryTimeSeconds: 1 }, onMissedGoal: "warn" }],
      ["adopted", { adopted: true }, {}],
      ["with a warning", { warnings: ["strange"] }, {}],
    ],
    failed: [
      ["complete but later than its goal", {}, { goals: { recoveryTimeSeconds: 599 } }],
      ["later only with its check", { checks: [passed], checkedSeconds: 30 }, { goals: { recoveryTimeSeconds: 629 } }],
      ["from a point that is too old", old, { goals }],
      ["failed", { status: "failed" }, {}],
      ["failed, from a point within its goal", { status: "failed", ...taken }, { goals }],
      ["failed, from a point that is too old", { status: "failed", ...old }, { goals }],
      // This is certain whatever the end.
      ["running, from a point that is too old", { status: "running", ...old }, { goals }],
      ["cancelled", { status: "cancelled" }, {}],
      ["with a check that did not pass", { checks: [passed, failed] }, {}],
    ],
    incomplete: [
      ["of unknown duration with a goal", withoutDuration, { goals: { recoveryTimeSeconds: 1 } }],
      ["without the point's time, with a goal", {}, { goals }],
      [
        "with times that name no zone, which are not certain, with a goal for its data",
        { ...taken, ...withoutZone },
        { goals: { dataAgeSeconds: 86_400 } },
      ],
      ["running, from a point within its goal", { status: "running", ...taken }, { goals: { dataAgeSeconds: 86_400 } }],
      ["not carried out, with goals", undefined, { goals: { dataAgeSeconds: 86_400 } }],
      ["not carried out, with a goal for its time", undefined, { goals: { recoveryTimeSeconds: 1 } }],
      ["running", { status: "running" }, {}],
      ["of an unknown answer", { status: "unknown" }, {}],
      ["with a check that was not run", { checks: [notRun] }, {}],
      ["with a check that came to what nobody knows", { checks: [halfPassed] }, {}],
      ["not carried out", undefined, {}],
    ],
  };
  const verdictOf = ([what, changes, plan]: Judged) => ({
    what,
    ...verdictOfRun(runOf(["db"], plan), changes ? [waveOf({ db: step(changes) })] : [], now),
  });
  for (const [verdict, judged] of Object.entries(table))
    for (const one of judged)
      it(`of a restore ${one[0]} is ${verdict}`, () => assert.equal(verdictOf(one).verdict, verdict));

  it("has the reasons that were read (UPDATE_GOLDEN=yes)", () => {
    const text = Object.values(table)
      .flat()
      .map(verdictOf)
      .map(({ what, reasons }) => `## ${what}\n${reasons.length === 0 ? "(none)" : reasons.join("\n")}\n`)
      .join("\n");
    if (process.env["UPDATE_GOLDEN"] === "yes") writeFileSync(golden, text);
    assert.equal(text, readFileSync(golden, "utf8"));
  });

  it("does not measure the age of a point that was made after the incident", () => {
    const run = { ...runOf(["db"], { goals }), incidentAt: "2026-11-20T23:00:00Z" };
    const found = verdictOfRun(run, [waveOf({ db: step(laterPoint) })], now);
    assert.equal(found.verdict, "incomplete");
    assert.match(found.reasons.join("\n"), /was taken after the incident; choose a point from before it/);
  });

  it("counts no data age goal as met if the data was not restored", () => {
    for (const status of ["failed", "cancelled", "unknown", "accepted", "pending", "running"] as const) {
      const found = verdictOfRun(runOf(["db"], { goals }), [waveOf({ db: step({ status, ...taken }) })], now);
      const age = found.goals.find(({ goal }) => goal === "dataAge");
      assert.deepEqual([age?.verdict, age?.measuredSeconds], ["not measured", undefined], status);
    }
  });

  it("measures recovery time and data age from the first request of the run, even if that try failed", () => {
    const again = { requestedAt: "2026-11-20T13:00:00Z", finishedAt: "2026-11-20T13:10:00Z", ...taken };
    const db = { status: "failed" as const, transactionIds: ["1"], requestedAt: "2026-11-20T09:00:00Z", checks: [] };
    const wanted = { wholeGoals: { recoveryTimeSeconds: 3_600 }, goals: { dataAgeSeconds: 86_400 } };
    const found = verdictOfRun(
      runOf(["db"], wanted),
      [waveOf({ db: step(again) }, { earlierTries: { db: [db] } })],
      now,
    );
    assert.deepEqual([found.verdict, found.recoveryTimeSeconds], ["failed", 15_000]);
    assert.equal(found.goals.find(({ goal }) => goal === "dataAge")?.measuredSeconds, 25_200);
  });

  it("counts no restore whose machine was restored again since, which its own wave may not know", () => {
    const judged = (changes: Partial<StoredStep>): readonly [string, string] => {
      const run = { ...runOf(["db"]), overwritten: { db: true } };
      const { verdict, reasons } = verdictOfRun(run, [waveOf({ db: step(changes) })], now);
      return [verdict, reasons.join()];
    };
    const overwritten = "db (wave data): overwritten, because its machine was restored again since";
    assert.deepEqual(judged({}), ["incomplete", overwritten]);
    assert.deepEqual(judged({ status: "failed" }), ["failed", "db (wave data): the restore failed"]);
  });

  it("counts neither of two restores that name the same transaction", () => {
    const waves = [waveOf({ db: step(), web: step(), mail: step({ transactionIds: ["5002"] }) })];
    const { verdict, reasons, counts } = verdictOfRun(runOf(["db", "web", "mail"]), waves, now);
    const shared = (own: string, other: string): string =>
      `${own} (wave data): not counted as complete: Transaction 5001 is stored for "${other}" too, and one transaction is one restore.`;
    assert.deepEqual([verdict, reasons], ["incomplete", [shared("db", "web"), shared("web", "db")]]);
    assert.deepEqual([counts.complete, counts.unfinished], [1, 2]);
  });

  it("counts a record of another run as not carried out", () => {
    const found = verdictOfRun(runOf(["db"]), [waveOf({ db: step() }, { run: "before" })], now);
    assert.deepEqual([found.verdict, found.counts.notCarriedOut], ["incomplete", 1]);
  });

  it("counts a record of another wave as not carried out", () => {
    const found = verdictOfRun(runOf(["db"]), [waveOf({ db: step() }, { name: "front" })], now);
    assert.deepEqual([found.verdict, found.counts.notCarriedOut], ["incomplete", 1]);
  });

  it("accepts a machine whose id is a secret", () => {
    const waves = [
      {
        name: "data",
        restores: { db: { ...restoreAsGiven, virtualMachineId: "[secret]", recoveryPointId: "[secret]" } },
      },
    ];
    assert.equal(verdictOfRun(runOf([], { waves }), [waveOf({ db: step() })], now).verdict, "passed");
  });

  it("without restores does not pass", () => {
    assert.equal(verdictOfRun(runOf([]), [], now).verdict, "incomplete");
  });

  it("takes the nearest goal, each by itself", () => {
    const run = runOf([], {
      goals: { recoveryTimeSeconds: 10, dataAgeSeconds: 86_400 },
      waves: [
        {
          name: "data",
          goals: { recoveryTimeSeconds: 20 },
          restores: { db: { ...restoreAsGiven, goals: { recoveryTimeSeconds: 700 } } },
        },
      ],
    });
    const found = verdictOfRun(run, [waveOf({ db: step(taken) })], now);
    assert.deepEqual(
      found.goals
        .filter(({ scope }) => scope === "restore")
        .map(({ targetSeconds, verdict }) => [targetSeconds, verdict]),
      [
        [700, "met"],
        [86_400, "met"],
      ],
    );
  });

  it("measures the whole plan from the first request to the last end or check", () => {
    const waves = [
      waveOf({
        db: step(),
        web: step({
          transactionIds: ["5002"],
          requestedAt: "2026-11-20T10:01:00Z",
          finishedAt: "2026-11-20T10:09:00Z",
          checks: [passed],
          checkedSeconds: 180,
        }),
      }),
    ];
    const found = verdictOfRun(runOf(["db", "web"], { wholeGoals: { recoveryTimeSeconds: 720 } }), waves, now);
    assert.deepEqual([found.recoveryTimeSeconds, found.verdict], [720, "passed"]);
    assert.deepEqual(found.slowest, { restore: "web", seconds: 780 });
    const missing = verdictOfRun(
      runOf(["db", "web"], { wholeGoals: { recoveryTimeSeconds: 720 } }),
      [waveOf({ db: step() })],
      now,
    );
    assert.equal(missing.recoveryTimeSeconds, undefined);
    assert.equal(missing.goals.at(-1)?.verdict, "not measured");
  });

  it("merges the batches of a wave", () => {
    const rounds = [waveOf({ db: step() }), waveOf({ files: step({ transactionIds: ["5002"] }) }, { round: 1 })];
    assert.equal(verdictOfRun(runOf(["db", "files"]), rounds, now).verdict, "passed");
  });

  const anyStep = fc.record(
    {
      status: fc.constantFrom("complete", "failed", "cancelled", "accepted", "unknown", "pending", "running"),
      durationSeconds: fc.option(fc.nat(5_000), { nil: undefined }),
      requestedAt: fc.option(fc.constant("2026-11-20T10:00:00Z"), { nil: undefined }),
      finishedAt: fc.option(fc.constant("2026-11-20T10:10:00Z"), { nil: undefined }),
      recoveryPointTakenAt: fc.option(fc.constantFrom("2026-11-20T02:00:00Z", "nonsense", "2027-01-01T00:00:00Z"), {
        nil: undefined,
      }),
      checkedSeconds: fc.option(fc.nat(500), { nil: undefined }),
      checks: fc.array(fc.constantFrom(passed, failed, notRun), { maxLength: 3 }),
      adopted: fc.boolean(),
      warnings: fc.array(fc.constant("strange"), { maxLength: 1 }),
    },
    { requiredKeys: [] },
  );
  const anyGoals = fc.record(
    { recoveryTimeSeconds: fc.nat(2_000), dataAgeSeconds: fc.nat(100_000) },
    { requiredKeys: [] },
  );

  it("never passes what is unknown, failed, missing or missed", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom("a", "b", "c"), fc.option(anyStep, { nil: undefined }), {
          minKeys: 1,
          noNullPrototype: true,
        }),
        anyGoals,
        anyGoals,
        fc.constantFrom("fail" as const, "warn" as const),
        (restores, goals, wholeGoals, onMissedGoal) => {
          const known = Object.entries(restores).flatMap(([name, changes]) =>
            changes === undefined
              ? []
              : [[name, { ...step({ transactionIds: [name] }), ...changes } as StoredStep] as const],
          );
          const run = runOf(Object.keys(restores), { goals, wholeGoals, onMissedGoal });
          const found = verdictOfRun(run, [waveOf(Object.fromEntries(known))], now);
          const all = known.map(([, one]) => one);
          if (!found.verdict.startsWith("passed")) {
            assert.ok(found.reasons.length > 0);
            return;
          }
          assert.equal(failsTheRun(found, onMissedGoal), false);
          assert.equal(all.length, Object.keys(restores).length);
          assert.ok(
            all.every(
              ({ status, checks }) => status === "complete" && checks.every(({ result }) => result === "passed"),
            ),
          );
          assert.ok(
            found.goals.every(
              ({ verdict }) =>
                verdict === "met" || verdict === "not set" || (verdict === "missed" && onMissedGoal === "warn"),
            ),
          );
          if (found.verdict === "passed") {
            assert.ok(all.every(({ adopted, warnings }) => !adopted && warnings.length === 0));
            assert.ok(found.goals.every(({ verdict }) => verdict !== "missed"));
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("is the same for the same data in any order", () => {
    fc.assert(
      fc.property(fc.array(anyStep, { minLength: 1, maxLength: 4 }), (steps) => {
        const names = steps.map((_, index) => `vm-${index}`);
        const waves = steps.map((changes, index) =>
          waveOf(
            { [`vm-${index}`]: { ...step({ transactionIds: [String(index)] }), ...changes } as StoredStep },
            { round: index },
          ),
        );
        assert.deepEqual(verdictOfRun(runOf(names), waves, now), verdictOfRun(runOf(names), [...waves].reverse(), now));
      }),
    );
  });
});

describe("the time to recover", () => {
  it("is known only for complete and checked restores", () => {
    assert.equal(recoveredSeconds(step()), 600);
    assert.equal(recoveredSeconds(step({ checks: [passed], checkedSeconds: 5 })), 605);
    assert.equal(recoveredSeconds(step({ checks: [passed] })), undefined);
    assert.equal(recoveredSeconds(step({ checks: [failed], checkedSeconds: 5 })), undefined);
    assert.equal(recoveredSeconds(step({ checks: [passed, notRun], checkedSeconds: 5 })), undefined);
    assert.equal(recoveredSeconds(step({ status: "failed" })), undefined);
  });

  it("after an earlier try does not depend on the runner's zone, even with times that name none", () => {
    const zone = process.env["TZ"];
    try {
      process.env["TZ"] = "Europe/Berlin";
      const earlier = { status: "failed", transactionIds: [], requestedAt: "2026-03-29 01:30:00", checks: [] } as const;
      const again = step({ requestedAt: "2026-03-29 03:00:00", finishedAt: "2026-03-29 03:30:00" });
      const tried = { ...again, earlierTries: [earlier] };
      assert.equal(recoveredSeconds(tried), 7_200);
    } finally {
      if (zone === undefined) delete process.env["TZ"];
      else process.env["TZ"] = zone;
    }
  });
});

describe("failing the run", () => {
  const counts = verdictOfRun(runOf([]), [], now).counts;
  it("follows onMissedGoal for a goal that was not measured, but not for a restore without an end", () => {
    assert.equal(failsTheRun({ verdict: "incomplete", counts }, "warn"), false);
    assert.equal(failsTheRun({ verdict: "incomplete", counts }, "fail"), true);
    for (const open of [{ unfinished: 1 }, { notCarriedOut: 1 }, { checks: { ...counts.checks, notRun: 1 } }]) {
      assert.equal(failsTheRun({ verdict: "incomplete", counts: { ...counts, ...open } }, "warn"), true);
    }
    assert.equal(failsTheRun({ verdict: "failed", counts }, "warn"), true);
    assert.equal(failsTheRun({ verdict: "passed with warnings", counts }, "fail"), false);
  });
});

describe("a restore that is planned", () => {
  const history = [
    { at: "2026-11-20T11:00:00.000Z", by: {}, changes: [{ path: "waves.data.restores.db.checks[0].contains" }] },
  ];
  const judged = (changes: Partial<Parameters<typeof verdictOfRun>[0]>, of: Parameters<typeof step>[0] = {}) =>
    verdictOfRun({ ...runOf(["db"]), ...changes }, [waveOf({ db: step(of) })], now);

  it("is carried out by a record at its revision, and by no other", () => {
    assert.equal(judged({}).verdict, "passed");
    for (const stored of ["run-1/0", "run-2/1", undefined]) {
      const found = judged({ history }, { revision: stored as string });
      assert.equal(found.verdict, "incomplete");
      assert.match(
        found.reasons[0]!,
        /^db \(wave data\) was not carried out since it was changed at 2026-11-20T11:00:00.000Z$/,
      );
    }
  });

  it("is carried out by the posting that its own resource has, and by no other", () => {
    const { posting } = step();
    assert.equal(judged({ postings: { db: posting } }).verdict, "passed");
    for (const other of ["intent-1/posted-after-6000", "intent-2/posted-after-5000", `${posting}/5001`])
      assert.equal(judged({ postings: { db: other } }).verdict, "incomplete", other);
  });

  it("is not carried out by a record of an earlier run of this name", () => {
    const [now, before] = ["2026-11-20T09:59:00.000Z", "2026-08-20T09:59:00.000Z"];
    assert.equal(judged({ startedAt: now }, { runStartedAt: now }).verdict, "passed");
    assert.match(judged({ startedAt: now }, { runStartedAt: before }).reasons.join(), /in an earlier run of this name/);
  });

  it("brings the tries of every wave along in which it stood", () => {
    const tried = {
      status: "failed",
      transactionIds: ["4000"],
      requestedAt: "2026-11-20T09:00:00Z",
      checks: [],
    } as const;
    const found = verdictOfRun(
      runOf(["db"]),
      [waveOf({}, { name: "front", earlierTries: { db: [tried] } }), waveOf({ db: step() })],
      now,
    );
    assert.equal(found.verdict, "passed with warnings");
    assert.match(found.reasons.join("\n"), /db \(wave data\): it came back at try 2/);
    assert.match(found.reasons.join("\n"), /db was taken out of wave front after it had failed/);
  });

  it("names a check that had failed before the plan was changed, of this very try", () => {
    const before = {
      status: "complete",
      transactionIds: ["5001"],
      checks: [{ ...failed, reason: "no answer" }],
    } as const;
    const found = verdictOfRun(runOf(["db"]), [waveOf({ db: step() }, { earlierTries: { db: [before] } })], now);
    assert.equal(found.verdict, "passed with warnings");
    assert.match(found.reasons.join(), /a check \(http .*\) had not passed before the plan was changed: no answer/);
    assert.doesNotMatch(found.reasons.join(), /try 2/, "it is the same try");
  });

  it("at a later try is at best passed with warnings, and its goal counts from the first try", () => {
    const db = { status: "failed", transactionIds: ["4000"], requestedAt: "2026-11-20T09:00:00Z", checks: [] } as const;
    const of = (goal: number) =>
      verdictOfRun(
        runOf(["db"], { goals: { recoveryTimeSeconds: goal } }),
        [waveOf({ db: step() }, { earlierTries: { db: [db] } })],
        now,
      );
    assert.deepEqual(of(4_200).goals[0]?.measuredSeconds, 4_200);
    assert.equal(of(4_200).verdict, "passed with warnings");
    assert.match(
      of(4_200).reasons.join(),
      /db \(wave data\): it came back at try 2: the one before was last seen failed, and its time counts from the first/,
    );
    assert.equal(of(4_199).verdict, "failed");
  });

  it("is not late for a check that was added later", () => {
    const checks = [passed, { ...passed, addedLater: true }];
    assert.equal(recoveredSeconds(step({ checks, checkedSeconds: 30 })), 630);
    assert.equal(recoveredSeconds(step({ checks: [{ ...passed, addedLater: true }] })), 600);
    assert.equal(
      recoveredSeconds(step({ checks: [passed, { ...failed, addedLater: true }], checkedSeconds: 30 })),
      undefined,
    );
  });
});
