import assert from "node:assert/strict";
import { report, subjectsOf } from "../../report";
import * as cases from "./support/cases";
import { recoveryTimeOf, resourcesOf, stackOfPlan, type PlayedPlan, type PlayedStep } from "./support/plans";
import { restoreResource } from "./support/restores";
import { encrypted, exportedStack, type PendingOperation, type StackResource } from "./support/stack";

const [db, web] = [
  { name: "db", machine: 43, requested: 0, ran: 600, transaction: "1" },
  { name: "web", machine: 42, requested: 610, ran: 300, transaction: "2" },
] as const satisfies readonly PlayedStep[];

/** A plan of two waves, with other facts of their restores. */
const played = (ofDb: Partial<PlayedStep> = {}, ofWeb: Partial<PlayedStep> = {}): PlayedPlan => ({
  waves: [
    { name: "data", restores: [{ ...db, ...ofDb }] },
    { name: "front", restores: [{ ...web, ...ofWeb }] },
  ],
});
const two = played();

/** The first of the two waves alone. */
const dataAlone = (ofDb: Partial<PlayedStep>): PlayedPlan => ({ waves: played(ofDb).waves.slice(0, 1) });

/** The state of a plan, in which some resources have other outputs. */
function stateWith(plan: PlayedPlan, changed: (one: StackResource) => object | undefined): object {
  return exportedStack(resourcesOf(plan).map((one) => ({ ...one, outputs: { ...one.outputs, ...changed(one) } })));
}

const kindsIn = ({ deviations }: ReturnType<typeof report>): readonly string[] => deviations.map(({ kind }) => kind);

/** A state as somebody has edited its text. */
function edited(state: object, what: RegExp, to: string): object {
  const text = JSON.stringify(state);
  assert.match(text, what);
  return JSON.parse(text.replaceAll(what, to)) as object;
}

function verdictOf(state: object): string {
  return report(state).verdict.result;
}

function becoming(state: object) {
  const made = report(state);
  return {
    result: made.verdict.result,
    missing: made.notCarriedOut.map(({ restore, what }) => `${restore}: ${what}`),
    reasons: made.verdict.reasons.join(" "),
  };
}

/** Records of an earlier run beside the current one: the engine replaces one resource after the other. */
function mixed(now: PlayedPlan, before: PlayedPlan, which: (type: string, name: string) => boolean): object {
  const old = resourcesOf(before);
  return exportedStack(
    resourcesOf(now).map((one) =>
      which(one.type, one.name) ? one : (old.find(({ name }) => name === one.name) ?? one),
    ),
  );
}

describe("the report of a plan", () => {
  it("passes when the run says so and the state agrees", () => {
    const made = report(stackOfPlan(two));
    assert.deepEqual(made.verdict, {
      result: "passed",
      reasons: [],
      from: "stored",
      decidedAt: made.verdict.decidedAt,
    });
    assert.equal(made.measured.recoveryTimeSeconds, 915);
    assert.deepEqual(made.notCarriedOut, []);
  });

  it("measures the whole plan as the verdict does, without the time in which nobody checked", () => {
    const checks = [{ kind: "tcp", target: "db:5432", seconds: 41 }] as const;
    const cutOff = { ...dataAlone({ noticedAfter: 7_200, checks }), wholeGoalSeconds: 1_000 };
    const made = report(stackOfPlan(cutOff));
    assert.equal(made.measured.recoveryTimeSeconds, 5 + 600 + 41);
    assert.equal(made.measured.recoveryTimeSeconds, recoveryTimeOf(cutOff));
    assert.deepEqual([made.verdict.result, made.verdict.from], ["passed", "stored"]);
    assert.equal(made.measured.slowest?.seconds, made.measured.recoveryTimeSeconds);
  });

  it("never counts records of an earlier run", () => {
    const now = { ...two, run: "2026-Q4" };
    const before = { ...two, run: "2026-Q3" };
    const onlyTheRun = becoming(mixed(now, before, (type) => type === "PlanRun"));
    assert.equal(onlyTheRun.result, "incomplete");
    assert.deepEqual(onlyTheRun.missing, ["db: not begun", "web: not begun"]);

    // Its own triggers may hold any word, this run's name as well.
    const named = {
      ...before,
      waves: before.waves.map((wave) => ({
        ...wave,
        stored: false,
        restores: wave.restores.map((one) => ({ ...one, triggers: ["2026-Q4"] })),
      })),
    };
    const others = resourcesOf({ ...named, verdict: "not stored" }).filter(({ type }) => type !== "PlanRun");
    const [theRun] = resourcesOf(now);
    assert.deepEqual(becoming(exportedStack([theRun!, ...others])).missing, ["db: not begun", "web: not begun"]);

    const firstWave = becoming(mixed(now, before, (type, name) => type === "PlanRun" || /db|wave-data/.test(name)));
    assert.deepEqual(firstWave.missing, ["web: not begun"]);

    const butTheVerdict = becoming(mixed(now, before, (type) => type !== "PlanVerdict"));
    assert.equal(butTheVerdict.result, "incomplete");
    assert.match(butTheVerdict.reasons, /stored no verdict/);
  });

  it("finds started restores with odd and long names", () => {
    for (const odd of ["a\tb", "\u{202e}x", "n".repeat(300), "a::b", "-vm-intent", "<{%x%}>"]) {
      const name = `db${odd}`;
      const restores = [{ ...db, name, came: "intent saved" } as const, { ...db, name: `${name}2` }];
      const waves = [{ name: "data", stored: false, restores }];
      const made = report(stackOfPlan({ plan: `shop${odd}`, run: `run${odd}`, waves, verdict: "not stored" }));
      assert.deepEqual(
        made.notCarriedOut.map(({ what }) => what),
        ["outcome not stored"],
        odd,
      );
      assert.equal(made.counts.complete, 1, odd);
    }
  });

  const history = [{ at: "2026-11-21T11:00:00Z", by: {}, changes: [{ path: "waves.front.restores.web.checks[0]" }] }];
  for (const [what, changed] of [
    ["restored once more", { triggers: ["again"] }],
    ["given other checks", { checks: [{ kind: "tcp", target: "a:1" }] }],
    ["given another goal", { goals: { recoveryTimeSeconds: 7_200 } }],
  ] as const) {
    it(`does not pass when a restore was to be ${what} in the same run, and nothing else of that is stored`, () => {
      const state = mixed({ ...played({}, changed), runFields: { history } }, two, (type) => type === "PlanRun");
      const { result, reasons } = becoming(state);
      assert.equal(report(state).run.endedAt, undefined);
      assert.equal(result, "incomplete");
      assert.match(reasons, /changed after this run's verdict/);
    });
  }

  it("does not pass when the time of the incident was changed after the verdict", () => {
    const now = { ...two, runFields: { incidentAt: "2026-11-21T09:00:00Z", history } };
    assert.match(becoming(mixed(now, two, (type) => type === "PlanRun")).reasons, /changed after this run's verdict/);
    assert.equal(verdictOf(stackOfPlan(now)), "passed with warnings");
  });

  it("passes when the verdict judged the current plan, in any order of properties", () => {
    const turned = (value: unknown): unknown =>
      typeof value !== "object" || value === null
        ? value
        : Array.isArray(value)
          ? value.map(turned)
          : Object.fromEntries(
              Object.entries(value)
                .reverse()
                .map(([key, inner]) => [key, turned(inner)]),
            );
    const ofVerdict = (one: StackResource): StackResource =>
      one.type === "PlanVerdict" ? { ...one, outputs: turned(one.outputs) as object } : one;
    assert.equal(verdictOf(exportedStack(resourcesOf(two).map(ofVerdict))), "passed");
  });

  it("is incomplete if an operation on any of its resources is pending", () => {
    for (const type of ["PlanRun", "PlanWave", "PlanVerdict", "VmRestore", "RestoreIntent"]) {
      const state = stackOfPlan({ ...two, pending: [{ type, name: `shop-x`, operation: "updating", of: "shop" }] });
      const made = report(state);
      assert.equal(made.verdict.result, "incomplete", type);
      assert.match(made.verdict.reasons[0] ?? "", /broke off while the engine was updating shop-x/);
      assert.equal(made.run.endedAt, undefined);
    }
  });

  it("says of each wave if it has ended, and if it was begun", () => {
    assert.deepEqual(
      report(cases.brokenOff).waves.map(({ state }) => state),
      ["ended", "not ended", "not begun"],
    );
  });

  for (const [what, changed] of [
    ["a failed restore", { status: "failed" }],
    ["a cancelled restore", { status: "cancelled" }],
    ["a failed check", { checks: [{ kind: "tcp", target: "a:1", result: "failed" }] }],
  ] as const) {
    it(`does not pass with ${what}, though the stored verdict says so`, () => {
      const { verdict } = report(stackOfPlan(played({}, changed)));
      assert.deepEqual([verdict.result, verdict.from], ["failed", "derived"]);
      assert.match(verdict.reasons.at(-1) ?? "", /rest of the state contradicts it/);
    });
  }

  it("says what the state says now, and no reason of a verdict that was stored before", () => {
    const old = "web (wave front) was not carried out";
    const verdict = { verdict: "incomplete", reasons: [old] } as const;
    const failed = report(stackOfPlan({ ...played({}, { status: "failed" }), verdict })).verdict;
    assert.deepEqual([failed.result, failed.from], ["failed", "derived"]);
    assert.match(failed.reasons.join(), /web \(wave front\): the restore failed/);
    const [missed, goals] = ["db: the recovery time was 2 h, the goal is 1 h", { recoveryTimeSeconds: 86_400 }];
    const stored = { verdict: "failed", reasons: [missed] } as const;
    const met = report(stackOfPlan({ ...two, goals, verdict: stored }));
    assert.ok(met.goals.every(({ verdict }) => verdict !== "missed"));
    assert.equal(met.verdict.result, "incomplete");
    assert.match(met.verdict.reasons.join(), /own verdict is failed, and the records in the state have changed since/);
    for (const { reasons } of [failed, met.verdict]) assert.ok(!reasons.includes(old) && !reasons.includes(missed));
  });

  it("does not pass with an unrecognized status, a check that was not run, or fewer restores than the verdict counts", () => {
    const checks = [{ kind: "tcp", target: "a:1", result: "not run" }] as const;
    const none = { failed: 0, cancelled: 0, unfinished: 0, notCarriedOut: 0, adopted: 0 };
    const counts = { ...none, planned: 3, complete: 3, checks: { passed: 0, failed: 0, notRun: 0 } };
    for (const plan of [played({}, { status: "archived" }), played({}, { checks }), { ...two, verdict: { counts } }])
      assert.equal(verdictOf(stackOfPlan(plan)), "incomplete");
  });

  it("counts a planned check that no record has as not run", () => {
    const state = stackOfPlan(dataAlone({ checks: [{ kind: "tcp", target: "a:1" }] }));
    const ofWave = /("type":"pulumi-nodejs:dynamic\/recovery:PlanWave".*?"checks":)\[[^\]]*\]/g;
    const made = report(edited(state, ofWave, "$1[]"));
    assert.equal(made.verdict.result, "incomplete");
    assert.equal(made.waves[0]?.restores[0]?.recoveredSeconds, undefined);
  });

  it("ignores a record of another machine or recovery point", () => {
    const ofDb = /("type":"pulumi-nodejs:dynamic\/recovery:(?:PlanWave|VmRestore)".*?"virtualMachineId":)"43"/g;
    assert.deepEqual(becoming(edited(stackOfPlan(two), ofDb, '$1"99"')).missing, ["db: not begun"]);
  });

  it("shows the last try of a restore that was tried again after its wave was stored", () => {
    const again = { ...db, requested: 700, transaction: "9" };
    const [restore] = resourcesOf({ waves: [{ name: "data", stored: false, restores: [again] }] }).filter(
      ({ type }) => type === "VmRestore",
    );
    const all = resourcesOf({ ...dataAlone({ status: "failed" }), verdict: "not stored" }).map((one) =>
      one.type === "VmRestore" ? { ...restore!, id: "posted-after-8" } : one,
    );
    const made = report(exportedStack(all));
    assert.deepEqual(made.waves[0]?.restores[0]?.transactionIds, ["9"]);
    assert.deepEqual(kindsIn(made), ["retried"]);
  });

  for (const [what, posted] of [
    ["was refused", false],
    ["is not listed yet", true],
  ] as const) {
    it(`does not use a wave's record for a later restore, which ${what}`, () => {
      // All secret triggers are stored as one text, so the plan as given is the same.
      const again = { of: "shop", name: "shop-web", machine: 42, triggers: ["2026-Q4"] };
      const resources = resourcesOf(two).map((one) => {
        const { intent } = one.outputs as { intent?: object };
        if (one.id === "intent-shop-web") return { ...one, id: "intent-2" };
        if (!posted || intent === undefined || one.name !== "shop-web") return one;
        return restoreResource({ ...again, status: "accepted", carries: "intent-2" });
      });
      const { result, missing } = becoming(exportedStack(resources));
      assert.equal(result, "incomplete");
      assert.deepEqual(missing, posted ? [] : ["web: outcome not stored"]);
    });
  }

  const failedBefore = { status: "failed", transactionIds: ["0"], requestedAt: "2026-11-21T07:00:00Z" };

  it("reads what earlier releases kept with each restore, and apart from them what was taken out", () => {
    const failed = { kind: "tcp", target: "a:1", result: "failed", reason: "refused" };
    const earlierTries = [{ ...failedBefore, failedChecks: [failed] }];
    const state = stateWith({ ...two, runFields: { revisions: undefined } }, (one) => {
      const { restores } = one.outputs as { restores?: { db?: object } };
      if (restores?.db === undefined) return undefined;
      const ofDb = { ...restores.db, revision: undefined, earlierTries, droppedChecks: [failed] };
      return { earlierTries: undefined, restores: { db: ofDb }, takenOut: { mail: { ...ofDb, status: "failed" } } };
    });
    const { waves, verdict } = report(JSON.parse(JSON.stringify(state)));
    const tries = waves[0]?.restores[0]?.earlierTries?.map(({ status, checks }) => [status, checks.length]);
    assert.deepEqual(tries, [
      ["failed", 1],
      ["complete", 1],
    ]);
    assert.match(verdict.reasons.join("\n"), /mail was taken out of wave data after it had failed/);
    assert.match(verdict.reasons.join("\n"), /had not passed before the plan was changed: refused/);
  });

  it("measures from the first try of a restore that was tried again, and says so", () => {
    const state = stateWith({ ...two, wholeGoalSeconds: 3_600, verdict: "not stored" }, ({ outputs }) => {
      const { restores } = outputs as { restores?: { db?: object } };
      return restores?.db && { earlierTries: { db: [{ ...failedBefore, checks: [] }] } };
    });
    const made = report(state);
    assert.equal(made.measured.recoveryTimeSeconds, 3 * 3_600 + 915);
    assert.equal(made.verdict.result, "failed");
    assert.deepEqual(
      made.deviations.map(({ kind, restore }) => [kind, restore]),
      [["retried", "db"]],
    );
  });

  it("merges the batches of one wave", () => {
    const [run, ...rest] = resourcesOf({ waves: [{ name: "data", restores: [db, web] }] });
    const split = rest.flatMap((one) => {
      if (one.type !== "PlanWave") return [one];
      const { restores } = one.outputs as { restores: Record<string, unknown> };
      return Object.entries(restores).map(([name, step], round) => ({
        ...one,
        name: `${one.name}-${String(round)}`,
        outputs: { ...one.outputs, round, restores: { [name]: step } },
      }));
    });
    const made = report(exportedStack([run!, ...split]));
    assert.deepEqual(
      made.waves.map(({ restores }) => restores.map(({ name }) => name)),
      [["db", "web"]],
    );
    assert.equal(made.verdict.result, "passed");
  });

  it("keeps waves apart that have one index: a run that was cut off has moved some of them alone", () => {
    const made = report(
      stateWith({ ...two, verdict: "not stored" }, ({ type }) => (type === "PlanWave" ? { index: 0 } : undefined)),
    );
    assert.deepEqual(
      made.waves.map(({ name, state, restores }) => [name, state, restores.map(({ status }) => status)]),
      two.waves.map(({ name }) => [name, "ended", ["complete"]]),
    );
    assert.deepEqual([made.takenOut, made.verdict.reasons], [undefined, ["The run has stored no verdict."]]);
  });

  it("says no more than the run's own verdict, where the state does not show what that had noted", () => {
    const reasons = ["the plan was changed during the run"];
    const made = report(stackOfPlan({ ...two, verdict: { verdict: "passed with warnings", reasons } }));
    assert.deepEqual(
      [made.verdict.result, made.verdict.from, made.verdict.reasons],
      ["passed with warnings", "stored", reasons],
    );
  });

  it("shows no secret in the plan as given, whoever has put it there, in an export that shows them", () => {
    const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", plaintext: '"hunter2"' };
    const state = stateWith(two, ({ outputs }) => {
      const { asGiven } = outputs as { asGiven?: object };
      return asGiven && { asGiven: { ...asGiven, goals: { recoveryTimeSeconds: secret } } };
    });
    assert.match(JSON.stringify(state), /hunter2/);
    assert.doesNotMatch(JSON.stringify(report(state)), /hunter2/);
  });

  it("says which format it cannot read, and does not pass", () => {
    const made = report(stackOfPlan({ ...two, runFields: { formatVersion: 7 } }));
    assert.equal(made.verdict.result, "incomplete");
    assert.match(made.verdict.reasons.join(" "), /stored in format 7; this release reads format 1/);
    assert.deepEqual(kindsIn(made), ["unreadable"]);
    const verdict = report(stackOfPlan({ ...two, verdict: { formatVersion: 2 as 1 } }));
    assert.equal(verdict.verdict.result, "incomplete");
    assert.match(verdict.verdict.reasons.join(" "), /does not know the form of the stored verdict/);
  });

  it("uses the waves when the plan is a secret, and says that it could not read the plan", () => {
    const made = report(stackOfPlan({ ...two, runFields: { asGiven: encrypted() } }));
    assert.deepEqual(
      made.waves.flatMap(({ restores }) => restores.map(({ name }) => name)),
      ["db", "web"],
    );
    assert.equal(made.verdict.result, "incomplete");
    assert.match(made.verdict.reasons.join(" "), /does not hold the plan in a readable form/);
  });

  it("says of a state of an earlier release that the plan was changed during the run, with the paths", () => {
    const amended = [{ at: "2026-11-21T10:05:00Z", digest: "sha256:1", paths: ["goals.recoveryTimeSeconds"] }];
    const made = report(stackOfPlan({ ...two, runFields: { history: undefined, amended } }));
    assert.equal(made.verdict.result, "passed with warnings");
    assert.match(made.verdict.reasons.join("\n"), /10:05:00Z: goals\.recoveryTimeSeconds was changed/);
  });

  for (const [where, from] of [
    ["beside it, as earlier releases did", (one, process) => ({ ...one, outputs: { ...one.outputs, process } })],
    ["in its id", (one, process) => ({ ...one, id: `${process}-1`, outputs: { ...one.outputs, process: undefined } })],
  ] as const satisfies [string, (one: StackResource, process: string) => StackResource][]) {
    const resumed = (ofDb: string, ofWeb: string): readonly string[] => {
      const resources = resourcesOf(two).map((one) => {
        if (one.name === "shop-db-vm-intent") return from(one, ofDb);
        return one.name === "shop-web-vm-intent" ? from(one, ofWeb) : one;
      });
      return kindsIn(report(exportedStack(resources)));
    };

    it(`says that the run was resumed if its intents come from several processes of one provider, known ${where}`, () => {
      assert.deepEqual(resumed("0b3ec8567291", "f3a35de96dfb"), ["resumed"]);
    });

    it(`does not say so if they come from one, known ${where}`, () => {
      assert.deepEqual(resumed("0b3ec8567291", "0b3ec8567291"), []);
    });
  }

  it("measures no data age against a first request without a zone, and says so", () => {
    const one = { ...dataAlone({ takenAt: "2026-11-21T02:00:00Z" }), goals: { dataAgeSeconds: 86_400 } };
    const zones = /("(?:requested|started|finished)At":"2026-11-21T1\d[^"]*)Z"/g;
    const local = (plan: PlayedPlan): object => edited(stackOfPlan(plan), zones, '$1"');
    const made = report(local(one));
    assert.deepEqual(
      made.goals.map(({ verdict }) => verdict),
      ["not measured"],
    );
    assert.equal(made.waves[0]?.restores[0]?.dataAgeSeconds, undefined);
    assert.equal(made.measured.recoveryTimeSeconds, 605);
    const told = { ...one, runFields: { incidentAt: "2026-11-21T09:00:00Z" } };
    assert.equal(report(local(told)).goals[0]?.measuredSeconds, 25_200);
  });

  it("warns instead of failing over a missed goal where the plan says so", () => {
    const late = { ...two, goals: { recoveryTimeSeconds: 60 }, verdict: "not stored" as const };
    assert.equal(verdictOf(stackOfPlan(late)), "failed");
    const made = report(stackOfPlan({ ...late, onMissedGoal: "warn" }));
    assert.equal(made.verdict.result, "incomplete", "there is no verdict");
    assert.ok(made.goals.every(({ verdict }) => verdict === "missed"));
  });

  it("reports each plan, and the restores beside them", () => {
    const state = exportedStack([...resourcesOf(two), ...resourcesOf({ ...two, plan: "lab" })]);
    assert.deepEqual(subjectsOf(state), ["shop", "lab"]);
    assert.throws(() => report(state), /the state holds shop, lab: say which/);
    assert.equal(report(state, { subject: "lab" }).scope.name, "lab");
    assert.throws(() => report(state, { subject: "prod" }), /holds no prod; it holds shop, lab/);
    assert.deepEqual(subjectsOf(cases.planAndRestores), ["shop", "drill"]);
  });

  it("does not take over a verdict that passed with a goal that counts and was not measured", () => {
    for (const onMissedGoal of ["fail", "warn"] as const) {
      const state = stackOfPlan({ ...played({ goals: { recoveryTimeSeconds: 3_600 } }), onMissedGoal });
      assert.equal(verdictOf(state), "passed");
      const measured = /,"(?:durationSeconds|recoveredSeconds|finishedAt)":("[^"]*"|\d+)/g;
      const { verdict } = report(edited(state, measured, ""));
      assert.deepEqual([verdict.result, verdict.from], ["incomplete", "derived"]);
      assert.match(verdict.reasons.join(" "), /db: the recovery time could not be measured against its goal of 1h/);
    }
  });

  for (const [type, name] of [
    ["PlanRun", "shop-run"],
    ["PlanWave", "shop-wave-data"],
    ["PlanVerdict", "shop-verdict"],
  ] as const) {
    it(`counts an interrupted creation of a ${type} as finished where it exists, and no other operation`, () => {
      const brokenOff = (operation: PendingOperation["operation"], of: string = name): object =>
        stackOfPlan({
          ...two,
          pending: [{ type, name: of, operation, of: "shop", inputs: { plan: "shop", run: "2026-Q4" } }],
        });
      assert.equal(verdictOf(brokenOff("creating")), "passed");
      assert.equal(verdictOf(brokenOff("creating", `${name}-2`)), "incomplete");
      for (const operation of ["updating", "deleting"] as const)
        assert.equal(verdictOf(brokenOff(operation)), "incomplete");
    });
  }
});
