import assert from "node:assert/strict";
import * as fc from "fast-check";
import type { WaveRestore, WaveInput } from "../../provider/plan/wave-input";
import type { WaitResult } from "../../provider/plan/wait-and-check";
import { isSameStep } from "../../provider/plan/step";
import { runWave, type PreviousWave, type WaveOutcome, type WaveEffects } from "../../provider/plan/wave";
import type { AttemptResult } from "../../provider/checks/attempt";
import type { RestoreRecord } from "../../provider/inputs/record";
import type { TransactionId } from "../../provider/panel/types";
import { pause } from "../../provider/plain/clock";
import { warningText } from "../../provider/restore/messages";
import { VirtualClock } from "../support/virtual-clock";
import { check } from "./support/stored-plans";

const nothing: PreviousWave = {
  run: "first",
  runStartedAt: undefined,
  restores: {},
  earlierTries: {},
  lastProofs: {},
  checkOutput: {},
  logOutput: {},
};

/** A restore at its first revision. The target of a check is its id, too. */
function asked(name: string, { checks = [], ...changes }: Partial<WaveRestore> = {}): WaveRestore {
  return {
    name,
    kind: "VmRestore",
    request: {
      name,
      target: { kind: "VmRestore", virtualMachineId: "42", recoveryPointId: "7" },
      timeouts: { busyMs: 0, listedMs: 1_000, queueMs: 1_000, runMs: 1_000 },
      wait: false,
      adopt: "auto",
      retryFailed: true,
      captureLog: "onFailure",
    },
    owner: `intent-${name}`,
    posting: `intent-${name}/posted-after-1`,
    record: { status: "accepted", transactionIds: [], adopted: false, warnings: [] },
    revision: "run-1/1",
    checks: checks.map((one) => ({ id: one.target, ...one })),
    ...changes,
  };
}

function wave(restores: readonly WaveRestore[], changes: Partial<WaveInput> = {}): WaveInput {
  return {
    plan: "shop",
    run: "first",
    index: 0,
    name: "data",
    batch: 0,
    onFailure: "stop",
    isLastBatch: true,
    laterWaves: ["front"],
    earlierReasons: [],
    restores,
    ...changes,
  };
}

const complete: RestoreRecord = {
  status: "complete",
  transactionId: "5",
  transactionIds: ["5"],
  requestedAt: "2026-11-21T10:00:00Z",
  finishedAt: "2026-11-21T10:10:00Z",
  durationSeconds: 600,
  adopted: false,
  warnings: [],
};
const ended = (record: RestoreRecord): WaitResult => ({ record, reasons: [], tail: [] });
const failed = ended({ ...complete, status: "failed" });

type AskedCheck = WaveRestore["checks"][number];
const checkOf = (target: string, changes: Partial<AskedCheck> = {}): AskedCheck => ({
  ...check,
  target,
  probe: {},
  ...changes,
});
/** A restore with one check, whose target has its name. */
const checked = (name: string, changes: Partial<AskedCheck> = {}): WaveRestore =>
  asked(name, { checks: [checkOf(name, changes)] });

/** A state that has the restores of a wave, and nothing else of it. */
const having = ({ stored }: WaveOutcome): PreviousWave => ({ ...nothing, restores: stored.restores });

describe("a wave", () => {
  let clock: VirtualClock;
  let said: string[];
  let warned: string[];
  let followed: string[];
  let tried: string[];

  beforeEach(() => {
    clock = new VirtualClock();
    [said, warned, followed, tried] = [[], [], [], []];
  });
  afterEach(() => assert.equal(clock.pending, 0, "no timer is left behind"));

  function effects(
    ends: Readonly<Record<string, { readonly afterMs?: number; readonly followed: WaitResult }>>,
    answers: Readonly<Record<string, readonly AttemptResult[]>> = {},
  ): WaveEffects {
    const made: Record<string, number> = {};
    return {
      clock,
      follow: async ({ name }) => {
        followed.push(name);
        await pause(clock, ends[name]?.afterMs ?? 0);
        return ends[name]?.followed ?? ended(complete);
      },
      panelAheadMs: () => Promise.resolve(0),
      attemptFor:
        ({ target }) =>
        () => {
          tried.push(target);
          const at = (made[target] = (made[target] ?? 0) + 1) - 1;
          const list = answers[target] ?? [{}];
          return Promise.resolve(list[Math.min(at, list.length - 1)] ?? {});
        },
      startedStep: () => undefined,
      hasSeenAllOf: () => true,
      redactFor: () => (text) => text.replaceAll("hunter2", "[secret]"),
      say: (text) => said.push(text),
      warn: (text) => warned.push(text),
    };
  }
  const run = (asking: WaveInput, before = nothing, on = effects({})): Promise<WaveOutcome> =>
    clock.run(runWave(asking, before, on));

  it("ends when all restores have ended, reports its progress, and passes when all pass", async () => {
    const restores = Array.from({ length: 40 }, (_, index) => asked(`vm-${index}`));
    const failing = ended({ ...complete, status: "failed", durationSeconds: 300 });
    const found = await run(
      wave(restores),
      nothing,
      effects(
        Object.fromEntries(
          restores.map(({ name }, index) => [
            name,
            { afterMs: index < 12 ? 840_000 : 900_000, followed: index === 3 ? failing : ended(complete) },
          ]),
        ),
      ),
    );
    assert.ok(
      said.some((line) => /^12 of 40 ended, 1 failed, longest 14m/.test(line)),
      said.join("\n"),
    );
    assert.match(said.at(-1) ?? "", /^40 of 40 ended, 1 failed, longest 10m$/);
    assert.equal(found.errors.length, 2);
    assert.match(
      found.errors[0] ?? "",
      /restore "vm-3" .* failed: transaction 5 ended as failed after 5m.*`pulumi up --refresh`/,
    );
    assert.match(found.errors[1] ?? "", /stops here \(onFailure: "stop"\), before wave front/);
    assert.deepEqual(found.stored.reasons.length, 1);
  });

  it("says of one that failed, and that adopt names, to take that out: a refresh would take it again", async () => {
    const db = asked("db");
    const named = { ...db, request: { ...db.request, adopt: "5" as TransactionId } };
    const found = await run(wave([named]), nothing, effects({ db: { followed: failed } }));
    assert.match(
      found.errors[0] ?? "",
      /As long as adopt names it, .* takes it again\. To restore again, take adopt out/,
    );
  });

  it("stores the rule and the choice of a point, and the point's time", async () => {
    const recoveryPoint = { pick: "newest" } as const;
    const from = { listed: 12, fitted: 5, incidentAt: "2026-11-21T09:00:00Z" };
    const choice = { recoveryPointTakenAt: "2026-11-21T02:00:00Z", warnings: ["passed over"], ...from };
    const by = asked("db", { choice, recoveryPointTakenAt: choice.recoveryPointTakenAt });
    const byRule = { ...by, request: { ...by.request, target: { ...by.request.target, recoveryPoint } } };
    const { db } = (await run(wave([byRule]))).stored.restores;
    assert.deepEqual([db?.recoveryPointId, db?.recoveryPoint, db?.chosenFrom], ["7", recoveryPoint, from]);
    assert.equal(db?.recoveryPointTakenAt, choice.recoveryPointTakenAt);
    assert.equal(isSameStep(byRule, db), true);
    assert.equal(isSameStep(by, db), false, "the point is named by its id now");
    const byId = (await run(wave([asked("db")]))).stored.restores["db"];
    assert.deepEqual(["recoveryPoint" in byId!, "chosenFrom" in byId!], [false, false]);
  });

  it("checks each machine as soon as its own restore has ended", async () => {
    const one = checked("fast");
    const two = checked("slow");
    const found = await run(
      wave([one, two]),
      nothing,
      effects({
        fast: { afterMs: 60_000, followed: ended(complete) },
        slow: { afterMs: 900_000, followed: ended(complete) },
      }),
    );
    const at = (name: string) =>
      Date.parse(String(found.stored.restores[name]?.checks[0]?.startedAt)) - Date.parse(found.stored.startedAt);
    assert.deepEqual([at("fast"), at("slow")], [60_000, 900_000]);
    assert.deepEqual(found.errors, []);
    assert.equal(found.stored.restores["fast"]?.recoveredSeconds, 600);
  });

  it("measures a check from the noticed end by the runner's clock", async () => {
    const slow: AttemptResult[] = [{ problem: "no" }, { problem: "no" }, {}];
    const found = await run(wave([checked("web", { afterSeconds: 30 })]), nothing, effects({}, { web: slow }));
    const step = found.stored.restores["web"];
    assert.deepEqual([step?.checkedSeconds, step?.recoveredSeconds], [40, 640]);
  });

  it("stamps by the wall clock, not by the monotonic clock of waits", async () => {
    clock.setWall(-50 * 365 * 24 * 3_600_000);
    const startedAt = clock.wallTime().toISOString();
    const found = await run(wave([checked("web")]));
    const step = found.stored.restores["web"];
    const { checks = [], noticedAt, checkedAt } = step ?? {};
    assert.deepEqual(
      [found.stored.startedAt, found.stored.endedAt, noticedAt, checks[0]?.startedAt, checks[0]?.endedAt, checkedAt],
      Array.from({ length: 6 }, () => startedAt),
    );
  });

  it("measures a check in the same way when somebody sets the wall clock meanwhile", async () => {
    const slow: AttemptResult[] = [{ problem: "no" }, { problem: "no" }, {}];
    const on = effects({}, { web: slow });
    const setBack = clock.after(20_000, () => {
      clock.setWall(-3_600_000);
    });
    const asking = wave([checked("web", { afterSeconds: 30 })]);
    const step = (await run(asking, nothing, on)).stored.restores["web"];
    setBack();
    assert.deepEqual([step?.checkedSeconds, step?.recoveredSeconds], [40, 640]);
  });

  it("runs no check after a failed restore, and says so", async () => {
    const found = await run(wave([checked("web")]), nothing, effects({ web: { followed: failed } }));
    assert.deepEqual(tried, []);
    assert.equal(found.stored.restores["web"]?.checks[0]?.result, "not run");
  });

  it("that runs again waits for no known end, and repeats only the checks that did not pass", async () => {
    const restores = [
      checked("good"),
      asked("bad", {
        checks: [checkOf("bad-1"), checkOf("bad-2", { withinSeconds: 1 })],
      }),
      asked("failed"),
    ];
    const on = effects({ failed: { followed: failed } }, { "bad-2": [{ problem: "no", output: "password=hunter2" }] });
    const first = await run(wave(restores), nothing, on);
    assert.equal(first.errors.length, 3);
    assert.deepEqual(first.checkOutput, { bad: { "2": "password=[secret]" } });
    assert.doesNotMatch(JSON.stringify([first.stored, first.errors]), /hunter2|password/);

    [followed, tried] = [[], []];
    const before: PreviousWave = { ...nothing, restores: first.stored.restores, checkOutput: first.checkOutput };
    const second = await run(wave(restores), before);
    assert.deepEqual([followed, tried], [[], ["bad-2"]]);
    assert.deepEqual(
      Object.values(second.stored.restores).map(({ reason }) => reason === undefined),
      [true, true, false],
    );
    assert.equal(second.stored.restores["good"]?.noticedAt, first.stored.restores["good"]?.noticedAt);

    // A check with another id is another one, whatever it shows.
    tried = [];
    const other = checked("good", { id: "2.0" });
    await run(wave([other, ...restores.slice(1)]), { ...before, restores: second.stored.restores });
    assert.deepEqual(tried, ["good"]);
  });

  it("measures a check that was added later by itself, says so, and calls no restore late for it", async () => {
    const old = checkOf("old");
    const added = checkOf("added", { expects: "status 204" });
    const first = await run(wave([asked("web", { checks: [old] })]));
    const { recoveredSeconds, checkedSeconds, checkedAt } = first.stored.restores["web"] ?? {};
    assert.equal(recoveredSeconds, 600);
    // Hours later, with a check added in front: a passed check is not run again.
    await clock.run(pause(clock, 4 * 3_600_000));
    tried = [];
    const seen = having(first);
    const second = await run(wave([asked("web", { checks: [added, old] })]), seen);
    assert.deepEqual(tried, ["added"]);
    const step = second.stored.restores["web"];
    assert.deepEqual(
      [step?.recoveredSeconds, step?.checkedSeconds, step?.checkedAt],
      [recoveredSeconds, checkedSeconds, checkedAt],
    );
    assert.deepEqual(
      step?.checks.map(({ expects, addedLater }) => [expects, addedLater]),
      [
        ["status 204", true],
        [undefined, undefined],
      ],
    );
    assert.match(
      step?.warnings.join() ?? "",
      /^check 1 \(http added\): added after the restore was looked at; measured by itself/,
    );
    // The mark stays, and a restore without any other check is not late either.
    const third = await run(wave([asked("web", { checks: [added] })]), having(second));
    assert.deepEqual(
      [third.stored.restores["web"]?.recoveredSeconds, third.stored.restores["web"]?.warnings.length],
      [600, 1],
    );
  });

  it("waits for a new posting of a failed restore", async () => {
    const first = await run(wave([asked("web")]), nothing, effects({ web: { followed: failed } }));
    followed = [];
    const again = asked("web", { posting: "intent-web/posted-after-9" });
    const second = await run(wave([again]), having(first));
    assert.deepEqual([followed, second.errors], [["web"], []]);
  });

  it("calls a restore whose limit has passed neither ended nor failed: the panel may still work on it", async () => {
    const stuck: WaitResult = { record: { ...complete, status: "running" }, reasons: ["limit"], tail: [] };
    await run(wave([asked("web"), asked("db")]), nothing, effects({ web: { afterMs: 60_000, followed: stuck } }));
    assert.equal(said.at(-1), "1 of 2 ended, longest 10m; end not known: web");
  });

  it("keeps the results of earlier tries in its run, and the time of the first request", async () => {
    const first = await run(wave([asked("web")]), nothing, effects({ web: { followed: failed } }));
    const again = asked("web", { posting: "intent-web/posted-after-9" });
    const later = { ...complete, transactionIds: ["9"], transactionId: "9", requestedAt: "2026-11-21T13:00:00Z" };
    const on = effects({ web: { followed: ended({ ...later, finishedAt: "2026-11-21T13:10:00Z" }) } });
    const second = await run(wave([again]), having(first), on);
    const { requestedAt, finishedAt } = complete;
    const which = { revision: "run-1/1", virtualMachineId: "42", recoveryPointId: "7" };
    const tries = [{ ...which, status: "failed", transactionIds: ["5"], requestedAt, finishedAt, checks: [] }];
    assert.deepEqual(second.stored.earlierTries, { web: tries });
    // The machine was down from the first request on; the duration of the last try is another figure.
    const { recoveredSeconds, durationSeconds } = second.stored.restores["web"] ?? {};
    assert.deepEqual([recoveredSeconds, durationSeconds], [3 * 3_600 + 600, 600]);

    // Another run starts over.
    const anew = await run(wave([again], { run: "second" }), having(first), on);
    assert.deepEqual(anew.stored.earlierTries, {});

    // A second wait, or `adopt` with the same transaction, is the same try.
    for (const posting of [again.posting, `${again.posting}/9`, "intent-new/9"]) {
      const before = { ...nothing, restores: second.stored.restores, earlierTries: second.stored.earlierTries ?? {} };
      const third = await run(wave([asked("web", { posting })]), before, on);
      assert.deepEqual(third.stored.earlierTries, { web: tries }, posting);
    }
  });

  it("keeps a try that failed where adopt names another transaction: the resource, and so its id, stays the same", async () => {
    const first = await run(wave([asked("web")]), nothing, effects({ web: { followed: failed } }));
    const taken = { ...complete, transactionIds: ["9"], transactionId: "9", adopted: true };
    const adopting = asked("web", { posting: "intent-web/posted-after-1/9", record: taken });
    const before = having(first);
    const on = effects({ web: { followed: ended(taken) } });
    const { stored } = await run(wave([adopting], { runStartedAt: "2026-11-22T10:00:00Z" }), before, on);
    const [tried, ...others] = stored.earlierTries?.["web"] ?? [];
    assert.deepEqual([tried?.status, tried?.transactionIds, others], ["failed", ["5"], []]);
    assert.equal(stored.restores["web"]?.runStartedAt, "2026-11-22T10:00:00Z");
  });

  it("keeps what had come of a restore that is taken out, and of it again when it comes back", async () => {
    const first = await run(wave([asked("web"), asked("db")]), nothing, effects({ web: { followed: failed } }));
    const after = ({ stored }: WaveOutcome): PreviousWave => ({
      ...nothing,
      restores: stored.restores,
      earlierTries: stored.earlierTries ?? {},
    });
    const without = await run(wave([asked("db")]), after(first));
    assert.deepEqual(Object.keys(without.stored.restores), ["db"]);
    const statuses = without.stored.earlierTries?.["web"]?.map(({ status }) => status);
    assert.deepEqual(statuses, ["failed"]);
    const back = asked("web", { posting: "intent-2/9", revision: "run-1/3" });
    const again = await run(wave([back, asked("db")]), after(without));
    assert.deepEqual(again.stored.earlierTries, without.stored.earlierTries, "nothing is taken back");
  });

  it("keeps what had come of a check before the plan was changed, under the same posting", async () => {
    const failing = checkOf("old", { withinSeconds: 1 });
    const first = await run(
      wave([asked("web", { checks: [failing] })]),
      nothing,
      effects({}, { old: [{ problem: "no" }] }),
    );
    const before = having(first);
    const changed = asked("web", { revision: "run-1/2", checks: [checkOf("new")] });
    const second = await run(wave([changed]), before);
    const [kept, ...others] = second.stored.earlierTries?.["web"] ?? [];
    assert.deepEqual(others, []);
    assert.deepEqual([kept?.revision, kept?.transactionIds], ["run-1/1", ["5"]]);
    assert.deepEqual(
      kept?.checks.map(({ target, result }) => [target, result]),
      [["old", "failed"]],
    );
    assert.equal(second.stored.restores["web"]?.revision, "run-1/2");
  });

  it("says of what an earlier process has sent that no record tells what had come of it, unless this run's own does", async () => {
    const on: WaveEffects = { ...effects({}), hasSeenAllOf: ({ name }) => name !== "web" };
    const late = ({ stored }: WaveOutcome) =>
      Object.values(stored.restores).map(({ isRecordedLate }) => isRecordedLate);
    const first = await run(wave([asked("web"), asked("db")]), nothing, on);
    assert.deepEqual(late(first), [true, undefined]);
    const seen = having(first);
    // The mark stays, and one more look at what the record knows makes none.
    assert.deepEqual(late(await run(wave([asked("web"), asked("db")]), seen)), [true, undefined]);
    const all: WaveEffects = { ...on, hasSeenAllOf: () => false };
    assert.deepEqual(late(await run(wave([asked("web"), asked("db")]), seen, all)), [true, undefined]);
    assert.deepEqual(late(await run(wave([asked("web"), asked("db")]), { ...seen, run: "before" }, all)), [true, true]);
  });

  it("knows nothing of a run from an earlier one of its name", async () => {
    const failing = effects({ web: { followed: failed } });
    const first = await run(wave([asked("web")], { runStartedAt: "10:00" }), nothing, failing);
    const { run: name, runStartedAt, restores } = first.stored;
    const before = { ...nothing, run: name, runStartedAt, restores };
    // It was sent again before the run began anew, and that up was killed.
    const again = asked("web", { posting: "intent-web/posted-after-9" });
    const byAnother = {
      ...effects({ web: { followed: ended({ ...complete, transactionIds: ["9"] }) } }),
      hasSeenAllOf: () => false,
    };
    const { stored } = await run(wave([again], { runStartedAt: "11:00" }), before, byAnother);
    assert.deepEqual([stored.restores["web"]?.isRecordedLate, stored.earlierTries], [true, {}]);
    const same = await run(wave([again], { runStartedAt: "10:00" }), before, byAnother);
    assert.deepEqual(
      [same.stored.restores["web"]?.isRecordedLate, same.stored.earlierTries?.["web"]?.length],
      [undefined, 1],
    );
  });

  it("keeps of very many tries the first and the last twenty", async () => {
    const tried = (id: number): NonNullable<PreviousWave["earlierTries"][string]>[number] => ({
      status: "failed",
      transactionIds: [String(id)],
      checks: [],
    });
    const forty = Array.from({ length: 40 }, (_, id) => tried(id));
    const first = await run(wave([asked("web")]), nothing, effects({ web: { followed: failed } }));
    const before = { ...nothing, restores: first.stored.restores, earlierTries: { web: forty } };
    const found = await run(wave([asked("web", { posting: "intent-2/99" })]), before);
    const ids = found.stored.earlierTries?.["web"]?.map(({ transactionIds }) => transactionIds[0]) ?? [];
    assert.deepEqual([ids.length, ids[0], ids[19], ids[20], ids[39]], [40, "0", "19", "21", "5"]);
  });

  it("continues with a restore whose limit has passed, from its last record", async () => {
    const running: RestoreRecord = { ...complete, status: "running" };
    const stuck: WaitResult = { record: running, reasons: ["it has not ended within the run limit."], tail: [] };
    const first = await run(wave([asked("web")]), nothing, effects({ web: { followed: stuck } }));
    assert.match(first.errors.join(), /run limit/);
    assert.equal(first.stored.restores["web"]?.noticedAt, undefined);
    let resumedFrom: RestoreRecord | undefined;
    const on: WaveEffects = {
      ...effects({}),
      follow: (_asked, record) => {
        resumedFrom = record;
        return Promise.resolve(ended(complete));
      },
    };
    const second = await run(wave([asked("web")]), having(first), on);
    assert.deepEqual(resumedFrom?.transactionIds, ["5"]);
    assert.deepEqual(second.errors, []);
  });

  it("with several candidates stays undecided, even if a refresh has seen one of them end", async () => {
    const one = asked("web", { posting: "intent-web/5", record: { ...complete, status: "running" } });
    const both: RestoreRecord = { ...complete, status: "unknown", transactionIds: ["5", "6"] };
    const differs: WaitResult = { record: both, reasons: ["they have ended differently."], tail: [] };
    const first = await run(wave([one]), nothing, effects({ web: { followed: differs } }));
    const resumed: (readonly string[])[] = [];
    const on: WaveEffects = {
      ...effects({}),
      follow: (_asked, record) => {
        resumed.push(record.transactionIds);
        return Promise.resolve(record.transactionIds.length === 1 ? ended(complete) : differs);
      },
    };
    const before = having(first);
    const refreshed = await run(wave([{ ...one, record: complete }]), before, on);
    assert.deepEqual([resumed, refreshed.stored.restores["web"]?.status], [[["5", "6"]], "unknown"]);
    assert.match(refreshed.errors.join(), /ended differently/);
  });

  it("with onFailure continue succeeds for the engine, and stores and reports its reasons", async () => {
    const found = await run(
      wave([asked("web")], { onFailure: "continue" }),
      nothing,
      effects({ web: { followed: failed } }),
    );
    assert.deepEqual(found.errors, []);
    assert.equal(found.stored.reasons.length, 1);
    assert.deepEqual(warned, found.stored.reasons);
  });

  it("lets only its last batch fail", async () => {
    const failing = effects({ web: { followed: failed } });
    const first = await run(wave([asked("web")], { isLastBatch: false }), nothing, failing);
    assert.deepEqual(first.errors, []);
    const last = await run(wave([asked("files")], { batch: 1, earlierReasons: first.stored.reasons }));
    assert.match(last.errors.join("\n"), /restore "web" .* failed/);
  });

  it("says that an end was noticed late after a run was cut off, if there are checks", async () => {
    await clock.advance(3 * 3_600_000);
    const found = await run(wave([checked("web"), asked("db")]));
    assert.match(found.stored.restores["web"]?.warnings.join() ?? "", /noticed 2h50m after it/);
    assert.deepEqual(found.stored.restores["db"]?.warnings, []);
    assert.equal(found.stored.restores["web"]?.recoveredSeconds, 600);
  });

  it("gives no delay from times without a zone", async () => {
    await clock.advance(3 * 3_600_000);
    const local = { ...complete, requestedAt: "2026-11-21T10:00:00", finishedAt: "2026-11-21 10:10:00" };
    const found = await run(wave([checked("web")]), nothing, effects({ web: { followed: ended(local) } }));
    const { warnings, noticedAfterSeconds, recoveredSeconds } = found.stored.restores["web"] ?? {};
    assert.deepEqual([warnings, noticedAfterSeconds], [[], undefined]);
    assert.equal(recoveredSeconds, 600);
  });

  it("survives a wait that breaks", async () => {
    const on: WaveEffects = { ...effects({}), follow: () => Promise.reject(new Error("broken")) };
    const found = await run(wave([asked("web"), asked("db")]), nothing, on);
    assert.match(found.errors.join("\n"), /web: the wait for it broke off: broken/);
    assert.equal(found.stored.restores["web"]?.status, "accepted");
  });

  it("takes over a step that this process has started, without a second check", async () => {
    const on = effects({});
    const begun = { record: complete, noticedEnd: { noticedAt: "2026-11-21T10:10:00.000Z" }, checks: [], printed: {} };
    const found = await run(wave([asked("web")]), nothing, { ...on, startedStep: () => Promise.resolve(begun) });
    assert.deepEqual(followed, []);
    assert.equal(found.stored.restores["web"]?.status, "complete");
  });

  it("shows that a machine is checked, even if the process that posted the restore started the check", async () => {
    const begun = { record: complete, noticedEnd: { noticedAt: "2026-11-21T10:10:00.000Z" }, checks: [], printed: {} };
    const on: WaveEffects = {
      ...effects({}),
      startedStep: async (_asked, onEnded) => {
        await pause(clock, 60_000);
        onEnded();
        await pause(clock, 60_000);
        return begun;
      },
    };
    await run(wave(["db", "web", "mail"].map((name) => checked(name))), nothing, on);
    assert.deepEqual(
      [...new Set(said.map((line) => line.replace(/, longest [^;]*/, "")))],
      [
        "0 of 3 ended; waiting for db, web and mail",
        "0 of 3 ended; waiting for web and mail, checking db",
        "0 of 3 ended; checking db, web and mail",
        "1 of 3 ended; checking web and mail",
        "3 of 3 ended",
      ],
    );
  });

  it("stores every restore, and passes if and only if all do", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            status: fc.constantFrom(
              "complete" as const,
              "failed" as const,
              "cancelled" as const,
              "running" as const,
              "unknown" as const,
            ),
            afterMs: fc.nat(5_000_000),
            passes: fc.array(fc.boolean(), { maxLength: 3 }),
          }),
          { minLength: 1, maxLength: 12 },
        ),
        async (ends) => {
          clock = new VirtualClock();
          const restores = ends.map(({ passes }, index) =>
            asked(`vm-${index}`, {
              checks: passes.map((_, at) => checkOf(`vm-${index}/${at}`)),
            }),
          );
          const answers = Object.fromEntries(
            ends.flatMap(({ passes }, index) =>
              passes.map((passed, at) => [`vm-${index}/${at}`, [passed ? {} : { problem: "no" }]]),
            ),
          );
          const outcomes = Object.fromEntries(
            ends.map(({ status, afterMs }, index) => [
              `vm-${index}`,
              {
                afterMs,
                followed: {
                  record: { ...complete, status },
                  reasons: status === "running" || status === "unknown" ? ["limit"] : [],
                  tail: [],
                },
              },
            ]),
          );
          const found = await run(wave(restores), nothing, effects(outcomes, answers));
          const good = ends.every(({ status, passes }) => status === "complete" && passes.every(Boolean));
          assert.equal(found.errors.length === 0, good);
          assert.deepEqual(
            Object.values(found.stored.restores).map(({ status }) => status),
            ends.map(({ status }) => status),
          );
          // A second run without changes keeps everything that has ended.
          followed = [];
          await run(wave(restores), having(found), effects(outcomes, answers));
          const open = ends.flatMap(({ status }, index) =>
            status === "running" || status === "unknown" ? [`vm-${index}`] : [],
          );
          assert.deepEqual([...followed].sort(), [...open].sort());
        },
      ),
      { numRuns: 100 },
    );
  });

  describe("keeps the last proof of each restore", () => {
    const proven = (run: string, posting: string): PreviousWave["lastProofs"][string] & object => ({
      run,
      at: posting === "1" ? "2026-11-21T10:10:00Z" : "2027-02-21T10:10:00Z",
      recoveredSeconds: 600,
      revision: "run-1/1",
    });
    const later = { ...complete, requestedAt: "2027-02-21T10:00:00Z", finishedAt: "2027-02-21T10:10:00Z" };
    const db = (posting: string, changes: Partial<WaveRestore> = {}): WaveRestore =>
      asked("db", { posting, ...changes });
    const beforeIn = ({ stored }: WaveOutcome): PreviousWave => ({
      ...nothing,
      run: stored.run,
      restores: stored.restores,
      lastProofs: stored.lastProofs ?? {},
    });
    const first = () => run(wave([db("1")]), nothing, effects({ db: { followed: ended(complete) } }));
    const second = async (record: RestoreRecord, before: PreviousWave, changes: Partial<WaveRestore> = {}) =>
      (await run(wave([db("2", changes)], { run: "second" }), before, effects({ db: { followed: ended(record) } })))
        .stored.lastProofs;

    it("of the run that completed it", async () => {
      assert.deepEqual((await first()).stored.lastProofs, { db: proven("first", "1") });
    });

    it("over a run in which it failed, and of one in which it was completed again", async () => {
      const before = beforeIn(await first());
      assert.deepEqual(await second({ ...later, status: "failed" }, before), { db: proven("first", "1") });
      assert.deepEqual(await second(later, before), { db: proven("second", "2") });
    });

    it("from the record of a state that has kept none yet", async () => {
      const before = { ...beforeIn(await first()), lastProofs: {} };
      assert.deepEqual(await second({ ...later, status: "failed" }, before), { db: proven("first", "1") });
    });

    it("and of none whose check did not pass", async () => {
      const withCheck = db("1", { checks: [checkOf("a:1", { kind: "tcp" })] });
      const failing = effects({ db: { followed: ended(complete) } }, { "a:1": [{ problem: "no" }] });
      assert.deepEqual((await run(wave([withCheck]), nothing, failing)).stored.lastProofs, {});
    });

    for (const warning of [
      { kind: "other point", transactionId: "5" },
      { kind: "other paths", transactionId: "5" },
    ] as const) {
      it(`and of none that is a transaction of ${warning.kind}, which adopt names`, async () => {
        const before = beforeIn(await first());
        const adopted = { ...later, adopted: true, warnings: [warningText(warning)] };
        assert.deepEqual(await second(adopted, before), { db: proven("first", "1") });
      });
    }

    it("from its end on, however late it was adopted and checked", async () => {
      const withCheck = db("1", { checks: [checkOf("a:1", { kind: "tcp" })] });
      const adopted = effects({ db: { afterMs: 60_000, followed: ended({ ...complete, adopted: true }) } });
      const { restores, lastProofs } = (await run(wave([withCheck]), nothing, adopted)).stored;
      assert.notEqual(restores["db"]?.checkedAt, complete.finishedAt);
      assert.equal(lastProofs?.["db"]?.at, complete.finishedAt);
    });

    it("and of one that the plan has in another wave now, where it may fail", async () => {
      const before = beforeIn(await first());
      const found = await run(wave([asked("web")], { run: "second" }), before);
      assert.deepEqual(found.stored.lastProofs?.["db"], proven("first", "1"));
      assert.equal(found.stored.lastProofs?.["web"]?.run, "second");
    });
  });
});
