import assert from "node:assert/strict";
import fc from "fast-check";
import type { Transaction } from "../../provider/panel/types";
import type { Row } from "../../provider/rows/chains";
import { type RestoreProgress, type Search, type Underway, newProgress } from "../../provider/restore/restore-progress";
import { restorePoller, type RestorePollerRules } from "../../provider/restore/restore-poller";
import type { PollEvent } from "../../provider/restore/poller";
import { credentials, forbidden, serverError } from "./support/panel-errors";
import {
  newestPageOf,
  listed,
  markAt,
  minute,
  ofMachine,
  ours,
  plainWords,
  row,
  target,
  timeouts,
} from "./support/rows";

const rules: RestorePollerRules = { target, words: plainWords, timeouts, isClaimed: () => false, until: "ended" };

const second = 1000;
const hour = 60 * minute;
const searching = (search: Search): Underway => newProgress(search, 0);
const posted = searching({ kind: "posted", mark: markAt("5000") });
const known = (...ids: string[]): Underway => ({ ...searching({ kind: "known" }), ids });

type Timed = readonly [at: number, event: PollEvent];
/** A walk; `partial` ones did not get down to the mark, `long` ones took several requests. */
const look =
  (kind: { readonly partial?: boolean; readonly long?: boolean; readonly panelTime?: number }) =>
  (at: number, ...rows: Row[]): Timed => [
    at,
    {
      type: "list-read",
      rows,
      newestPage: newestPageOf(rows, at, kind.panelTime),
      reachedStop: kind.partial !== true,
      reachedMark: kind.partial !== true,
      stopRule: {},
      inOneRequest: kind.long !== true,
    },
  ];
const tick = look({});
const log = (at: number, ...transactionIds: string[]): Timed => [
  at,
  { type: "machine-log", transactionIds, askedAt: at, since: "everything" },
];
const trouble = (at: number, error: Error, failuresInARow = 1): Timed => [
  at,
  { type: "read-failed", error, failuresInARow: failuresInARow },
];
const limit = (at: number, which: "listed" | "queue" | "run" | "total"): Timed => [at, { type: "limit", limit: which }];

function run(
  start: RestoreProgress,
  events: readonly Timed[],
  changes: Partial<RestorePollerRules> = {},
): RestoreProgress {
  const poller = restorePoller({ ...rules, ...changes });
  let state: RestoreProgress = start;
  for (const [at, event] of events) {
    assert.ok(!poller.isOver(state), `over before ${event.type} at ${String(at)}`);
    // A walk goes as far as it is asked to.
    const shown = event.type === "list-read" ? { ...event, stopRule: poller.stopRule(state, at) } : event;
    state = poller.step(state, shown, at);
  }
  return state;
}

function outcome(state: RestoreProgress): string {
  const ids = state.ids.length === 0 ? "" : ` ${state.ids.join("+")}`;
  const end = state.end;
  if (!end) return state.phase + ids;
  return (end.how === "ended" ? end.status : end.how === "limit" ? `${end.limit} limit` : end.how) + ids;
}

const pending = ours(5001);
const running = ours(5001, { status: "running" });
const complete = ours(5001, { status: "complete" });
const unattributed = row(5001, { action: "restore", status: "running" });
const link = (id: number, status: string, action = "restore_recovery_point"): Row =>
  ours(id, { chainId: "c", status, action });

describe("following a restore from its POST to its end", () => {
  const table: readonly [name: string, events: readonly Timed[], outcome: string][] = [
    ["not listed yet", [tick(1)], "unlisted"],
    ["listed", [tick(1, pending)], "queued 5001"],
    ["begun", [tick(1, pending), tick(2, running)], "running 5001"],
    ["first seen running", [tick(1, running)], "running 5001"],
    ["complete", [tick(1, pending), tick(2, running), tick(3, complete)], "complete 5001"],
    ["first seen complete", [tick(1, complete)], "complete 5001"],
    ["failed", [tick(1, ours(5001, { status: "failed" }))], "failed 5001"],
    ["cancelled", [tick(1, pending), tick(2, ours(5001, { status: "cancelled" }))], "cancelled 5001"],
    ["never goes back from running to queued", [tick(1, running), tick(2, pending)], "running 5001"],
    ["a status nobody knows is no end", [tick(1, ours(5001, { status: "warn" }))], "queued 5001"],
    [
      "a backup never wins",
      [tick(1, ours(5001, { action: "take_backup", status: "complete" })), tick(2, ours(5002))],
      "queued 5002",
    ],
    ["another machine's restore", [tick(1, ours(5001, ofMachine("43")))], "unlisted"],
    ["a row that does not tell", [tick(1, unattributed)], "unlisted"],
    ["a row that the machine's log tells of", [tick(1, unattributed), log(2, "5001")], "running 5001"],
    ["a row that the machine's log does not know", [tick(1, unattributed), log(2, "4711")], "unlisted"],
    [
      "a log read before the row was listed: nothing of it is remembered",
      [log(1, "5001"), tick(2, unattributed)],
      "unlisted",
    ],
    ["two that nothing tells apart", [tick(1, ours(5002), pending)], "queued 5001+5002"],
    ["a second one, listed a moment later", [tick(1, running), tick(2, ours(5002))], "running 5001+5002"],
    [
      "a second one, for as long as the first one runs",
      [tick(1, running), tick(hour, ours(5002))],
      "running 5001+5002",
    ],
    ["both complete", [tick(1, ours(5002, { status: "complete" }), complete)], "complete 5001+5002"],
    ["one complete, one failed", [tick(1, ours(5002, { status: "failed" }), complete)], "differs 5001+5002"],
    ["one complete, one still to end", [tick(1, ours(5002), complete)], "running 5001+5002"],
    [
      "a chain that appears row by row",
      [
        tick(1, link(5001, "running", "stop_virtual_machine")),
        tick(2, link(5001, "complete", "stop_virtual_machine"), link(5002, "running")),
      ],
      "running 5001+5002",
    ],
    [
      "a chain is complete when all of it is",
      [tick(1, link(5003, "pending", "startup"), link(5002, "complete"), link(5001, "complete", "stop"))],
      "running 5001+5002+5003",
    ],
    [
      "a chain that fails at its start",
      [tick(1, link(5002, "cancelled"), link(5001, "failed", "stop"))],
      "failed 5001+5002",
    ],
    [
      "a chain that fails while the rest stays pending gives the rest some time",
      [tick(1, link(5003, "pending", "startup"), link(5002, "failed"), link(5001, "complete", "stop")), tick(60_000)],
      "running 5001+5002+5003",
    ],
    [
      "and no more than that",
      [tick(1, link(5003, "pending", "startup"), link(5002, "failed"), link(5001, "complete", "stop")), tick(60_001)],
      "failed 5001+5002+5003",
    ],
    [
      "unless something of it begins",
      [
        tick(1, link(5003, "pending", "startup"), link(5002, "failed")),
        tick(30_000, link(5003, "running", "startup")),
        tick(90_000),
      ],
      "running 5002+5003",
    ],
    [
      "and the time begins anew when that, too, ends without the rest",
      [
        tick(1, link(5004, "pending", "tidy"), link(5003, "pending", "startup"), link(5002, "failed")),
        tick(30_000, link(5003, "running", "startup")),
        tick(90_000, link(5003, "complete", "startup")),
        tick(100_000),
      ],
      "running 5002+5003+5004",
    ],
    [
      "a chain that somebody cancelled while the rest stays pending",
      [tick(1, link(5002, "pending"), link(5001, "cancelled", "stop")), tick(60_001)],
      "cancelled 5001+5002",
    ],
    [
      "a limit that passes before that time",
      [tick(1, link(5002, "pending"), link(5001, "failed", "stop")), limit(20_000, "run")],
      "failed 5001+5002",
    ],
    ["a failed look", [tick(1, pending), trouble(2, serverError(), 100)], "queued 5001"],
    ["refused credentials", [tick(1, running), trouble(2, credentials())], "access-denied 5001"],
    ["a permission missing for a moment", [trouble(1, forbidden(), 2)], "unlisted"],
    ["a permission missing for good", [trouble(1, forbidden(), 3)], "access-denied"],
    ["the limit of being listed", [tick(1), limit(2, "listed")], "listed limit"],
    ["the limit of the queue", [tick(1, pending), limit(2, "queue")], "queue limit 5001"],
    ["the limit of running", [tick(1, running), limit(2, "run")], "run limit 5001"],
    ["the total limit while looking", [limit(1, "total")], "total limit"],
    ["the total limit while queued", [tick(1, pending), limit(2, "total")], "total limit 5001"],
    ["the total limit while running", [tick(1, running), limit(2, "total")], "total limit 5001"],
  ];
  for (const [name, events, expected] of table) {
    it(name, () => {
      assert.equal(outcome(run(posted, events)), expected);
    });
  }

  it("after an empty list any restore of the machine may be it", () => {
    assert.equal(outcome(run(searching({ kind: "posted", mark: markAt() }), [tick(1, ours(1))])), "queued 1");
  });

  it("on a panel with lettered ids, what stands before the mark's page", () => {
    const start = searching({ kind: "posted", mark: markAt("tb", { firstPageIds: ["tb", "tz"] }) });
    assert.equal(outcome(run(start, [tick(1, ours("ta"), ours("tb"), ours("tz"))])), "queued ta");
    assert.equal(outcome(run(start, [tick(1, ours("tz"))])), "unlisted");
    const wants = (id: string): boolean => restorePoller(rules).wants(start, listed(row(id, ofMachine("43"))));
    assert.deepEqual(["ta", "tz"].map(wants), [false, true]);
  });

  it("does not take what another resource of the program has taken", () => {
    assert.equal(outcome(run(posted, [tick(1, pending)], { isClaimed: (id) => id === "5001" })), "unlisted");
  });

  it("does not take what is doubtful by its paths, and names it", () => {
    const files = { ...target, kind: "FileRestore", paths: ["/etc"] } as const;
    const state = run(posted, [tick(1, ours(5001, { params: { paths: ["/x"] } })), limit(2, "listed")], {
      target: files,
    });
    assert.equal(outcome(state), "listed limit");
    assert.deepEqual(
      state.candidates?.suspect.map(({ reason: why }) => why),
      ["other paths"],
    );
  });

  it("takes what was made before its mark by a panel whose clocks differ: it has posted it itself", () => {
    const mark = markAt("5000", { takenAt: "2026-11-21T10:00:00Z" });
    const early = ours(5001, { createdAt: "2026-11-21T09:00:00Z" });
    assert.equal(outcome(run(searching({ kind: "posted", mark }), [tick(1, early)])), "queued 5001");
  });
});

describe("the set of what may be this run's restore", () => {
  const partial = look({ partial: true });
  const long = look({ long: true });
  const other = (status: string): Row => ours(5002, { status });
  const inSteps = [
    ours(5001, { action: "stop", status: "complete", chainId: "c", createdAt: "2026-11-21T10:00:00Z" }),
    ours(5002, { status: "complete", chainId: "c", createdAt: "2026-11-21T10:00:05Z" }),
  ];
  const older = ours(4990, { action: "stop", status: "complete", chainId: "old" });
  const late = ours(5003, { status: "complete", chainId: "old" });
  const table: readonly [name: string, events: readonly Timed[], outcome: string][] = [
    ["closes with one request that shows everything above the mark", [tick(1, complete)], "complete 5001"],
    ["not with a walk that left a gap", [partial(1, complete)], "running 5001"],
    ["not with two of them", [partial(1, complete), partial(2, complete)], "running 5001"],
    ["not with a walk of several requests", [long(1, complete)], "running 5001"],
    ["but with one that was begun after that", [long(1, complete), long(2, complete)], "complete 5001"],
    ["or with one request after a gap", [partial(1, complete), tick(2, complete)], "complete 5001"],
    [
      "stays open where the second walk shows another one",
      [long(1, complete), long(2, complete, other("running"))],
      "running 5001+5002",
    ],
    [
      "and until a further walk shows no more, where that has ended too",
      [long(1, complete), long(2, complete, other("complete"))],
      "running 5001+5002",
    ],
    [
      "and closes then",
      [long(1, complete), long(2, complete, other("complete")), long(15_002, complete, other("complete"))],
      "complete 5001+5002",
    ],
    [
      "stays open where the second walk shows another part of its chain",
      [long(1, link(5001, "complete", "stop")), long(2, link(5001, "complete", "stop"), link(5002, "complete"))],
      "running 5001+5002",
    ],
    [
      "which may have a third one behind it",
      [long(1, link(5001, "complete")), long(2, link(5001, "complete"), link(5002, "complete", "startup"))],
      "running 5001+5002",
    ],
    [
      "stays open for a quarter of a minute where its rows were made one after the other, by their stamps",
      [tick(1, ...inSteps), tick(15_000, ...inSteps)],
      "running 5001+5002",
    ],
    ["and closes then, no part having come", [tick(1, ...inSteps), tick(15_002, ...inSteps)], "complete 5001+5002"],
    ["and takes it where none does", [tick(1, late, older)], "complete 5003"],
    [
      "stays open as long as a row does not say whose it is",
      [tick(1, complete, { ...unattributed, id: other("").id })],
      "running 5001",
    ],
    [
      "and closes when the log would have named that",
      [tick(1, complete, { ...unattributed, id: other("").id }), log(2, "5001")],
      "complete 5001",
    ],
    [
      "and takes it where the log names it",
      [tick(1, complete, { ...unattributed, id: other("").id }), log(2, "5002")],
      "running 5001+5002",
    ],
    [
      "is not of one opinion where one failed, whenever that shows",
      [tick(1, running, other("failed")), tick(2, complete)],
      "differs 5001+5002",
    ],
    ["has failed when all have", [tick(1, ours(5001, { status: "failed" }), other("failed"))], "failed 5001+5002"],
  ];
  for (const [name, events, expected] of table) {
    it(`${name}: ${expected}`, () => {
      assert.equal(outcome(run(posted, events)), expected);
    });
  }

  it("is read down to the mark until something is found, and then to where the read before began", () => {
    const floor = (...events: Timed[]): unknown => {
      const { mark, awaitedIds } = restorePoller(rules).stopRule(run(posted, events), 0);
      return [mark?.newestId, awaitedIds];
    };
    assert.deepEqual(floor(), ["5000", []]);
    assert.deepEqual(floor(tick(1, running)), ["5001", ["5001"]]);
    assert.deepEqual(floor(partial(1, complete)), ["5000", ["5001"]]);
    assert.deepEqual(restorePoller(rules).stopRule(known("5001"), 0), {
      awaitedIds: ["5001"],
      around: true,
    });
  });
});

describe("following a restore that is unaccounted for", () => {
  const postedAt = Date.parse("2026-11-21T10:00:00Z");
  const takenAt = new Date(postedAt).toISOString();
  const mark = markAt("5000", { takenAt, newestCreatedAt: takenAt });
  const unconfirmed = searching({ kind: "unconfirmed", mark, predecessorIds: [] });
  const read = look({ panelTime: postedAt + 24 * hour });
  const made = (afterMs: number, id = 5001, status = "complete"): Row =>
    ours(id, { status, createdAt: new Date(postedAt + afterMs).toISOString() });
  const predecessorResent = searching({ kind: "unconfirmed", mark, predecessorIds: ["6000"] });
  const untimed = searching({ kind: "unconfirmed", mark: markAt("5000"), predecessorIds: [] });
  const table: readonly [name: string, events: readonly Timed[], outcome: string, start?: Underway][] = [
    ["nothing is listed", [read(1)], "unlisted"],
    ["exactly one fits", [read(1, made(second))], "complete 5001"],
    ["exactly one fits, and runs", [read(1, made(second, 5001, "running"))], "running 5001"],
    ["it failed", [read(1, made(second, 5001, "failed"))], "failed 5001"],
    ["it was cancelled", [read(1, made(second, 5001, "cancelled"))], "cancelled 5001"],
    ["two fit", [read(1, made(second), made(second, 5002))], "several"],
    [
      "one of them has failed: nobody knows which is ours",
      [read(1, made(second), made(second, 5002, "failed"))],
      "several",
    ],
    ["made six hours after it was posted", [read(1, made(6 * hour))], "complete 5001"],
    ["made later than that", [read(1, made(6 * hour + second))], "several"],
    ["made before it was posted", [read(1, made(-minute))], "unlisted"],
    ["made at a time that is not told, a day later", [read(1, ours(5001))], "several"],
    [
      "made at a time that is not told, within six hours",
      [look({ panelTime: postedAt + hour })(1, pending)],
      "queued 5001",
    ],
    ["by a stamp without a zone, a day later", [read(1, ours(5001, { createdAt: "2026-11-21T10:00:01" }))], "several"],
    ["the panel tells no time, and its row does", [tick(1, made(second))], "complete 5001"],
    ["neither does", [tick(1, pending)], "several"],
    ["nobody knows when it was posted", [read(1, made(second))], "several", untimed],
    ["the restore before it was sent anew", [read(1, made(second))], "unlisted", predecessorResent],
    ["other paths", [read(1, { ...made(second), params: { paths: ["/x"] } })], "unlisted"],
    ["by a walk that left a gap", [look({ partial: true, panelTime: postedAt })(1, made(second))], "unlisted"],
    [
      "a second one may fit that the log has not told of",
      [read(1, made(second), row(5002, { action: "restore" }))],
      "unlisted",
    ],
    ["and the log names it", [read(1, made(second), row(5002, { action: "restore" })), log(2, "5002")], "several"],
    [
      "and the log denies it",
      [read(1, made(second), row(5002, { action: "restore" })), log(2, "5001")],
      "complete 5001",
    ],
    [
      "once it is taken, a further one is another's",
      [read(1, made(second, 5001, "running")), read(2, made(second, 5001, "running"), made(second, 5002))],
      "running 5001",
    ],
  ];
  for (const [name, events, expected, start = unconfirmed] of table) {
    it(`${name}: ${expected}`, () => {
      assert.equal(outcome(run(start, events)), expected);
    });
  }

  it("warns of what it takes", () => {
    const [warning] = run(unconfirmed, [read(1, made(second))]).warnings;
    assert.deepEqual(warning, { kind: "appeared later", rows: [made(second)] });
  });

  it("takes nothing but exactly one fit of its time, whatever is listed", () => {
    const shown = fc.record({
      id: fc.integer({ min: 5001, max: 5004 }),
      afterMs: fc.constantFrom(-minute, second, 5 * hour, 7 * hour),
      machine: fc.constantFrom("42", "42", "43"),
      action: fc.constantFrom("restore_recovery_point", "take_backup"),
    });
    fc.assert(
      fc.property(fc.uniqueArray(shown, { maxLength: 4, selector: ({ id }) => id }), (drawn) => {
        const rows = drawn.map(
          ({ id, afterMs, machine, action }) => ({ ...made(afterMs, id), ...ofMachine(machine), action }) as Row,
        );
        const state = run(unconfirmed, [
          read(1, ...rows.filter((each) => restorePoller(rules).wants(unconfirmed, listed(each)))),
        ]);
        const fits = drawn.filter(
          ({ machine, action, afterMs }) => machine === "42" && action !== "take_backup" && afterMs > 0,
        );
        const [only, ...more] = fits;
        const expected =
          only === undefined
            ? "unlisted"
            : more.length > 0 || only.afterMs > 6 * hour
              ? "several"
              : `complete ${String(only.id)}`;
        assert.equal(outcome(state), expected);
      }),
    );
  });
});

describe("following a restore whose transactions are known", () => {
  const table: readonly [name: string, start: RestoreProgress, events: readonly Timed[], outcome: string][] = [
    ["running", known("5001"), [tick(1, running)], "running 5001"],
    ["complete", known("5001"), [tick(1, complete)], "complete 5001"],
    ["a row that does not say whose it is", known("5001"), [tick(1, unattributed)], "running 5001"],
    ["another machine's by now", known("5001"), [tick(1, ours(5001, ofMachine("43")))], "not-this-machine 5001"],
    ["not listed", known("5001"), [tick(1)], "unlisted 5001"],
    ["not listed for the time that being listed may take", known("5001"), [limit(1, "listed")], "listed limit 5001"],
    [
      "whatever point it names by now",
      known("5001"),
      [tick(1, ours(5001, { params: { recovery_point_id: 1 } }))],
      "queued 5001",
    ],
    ["with its chain", known("5002"), [tick(1, link(5003, "running"), link(5002, "complete"))], "running 5002"],
    [
      "complete, of a chain of which no look has shown the rest yet",
      known("5002"),
      [tick(1, link(5002, "complete"))],
      "running 5002",
    ],
    [
      "complete, of a chain that shows no other part",
      known("5002"),
      [tick(1, link(5002, "complete")), tick(2)],
      "complete 5002",
    ],
    [
      "complete, of a chain around which no look has come to the end yet",
      known("5002"),
      [tick(1, link(5002, "complete")), look({ partial: true })(2, link(5002, "complete"))],
      "running 5002",
    ],
    [
      "with the rest of its chain, once a row has told which that is",
      known("5002"),
      [tick(1, link(5002, "running")), tick(2, link(5003, "running"), link(5002, "complete"))],
      "running 5002+5003",
    ],
    [
      "two that nothing told apart, one complete, one failed",
      known("5001", "5002"),
      [tick(1, complete, ours(5002, { status: "failed" }))],
      "differs 5001+5002",
    ],
    [
      "another restore of the machine is nobody's business",
      known("5001"),
      [tick(1, running, ours(5009))],
      "running 5001",
    ],
  ];
  for (const [name, start, events, expected] of table) {
    it(name, () => {
      assert.equal(outcome(run(start, events)), expected);
    });
  }
});

describe("following a restore by its ids, where rows have no chain ids", () => {
  const waits = (id: number, dependentTransactionId: string, fields: Parameters<typeof ours>[1] = {}): Row =>
    ours(id, { dependentTransactionId, ...fields });
  const table: readonly [name: string, expected: string, rows: readonly Row[]][] = [
    ["takes what names it as what it waits for", "running 5001+5002", [waits(5002, "5001"), complete]],
    ["and what names that", "running 5001+5002+5003", [waits(5003, "5002"), waits(5002, "5001"), complete]],
    ["nothing of another machine", "complete 5001", [waits(5002, "5001", ofMachine("43")), complete]],
    ["nothing that another restore owns", "complete 5001", [waits(5009, "5001"), complete]],
    ["nothing that names it and has a chain id", "complete 5001", [waits(5002, "5001", { chainId: "c" }), complete]],
  ];
  for (const [name, expected, rows] of table) {
    it(name, () => {
      const poller = restorePoller({ ...rules, isClaimed: (id) => id === "5009" });
      let state: RestoreProgress = known("5001");
      for (let at = 1; at <= 3 && !poller.isOver(state); at++) {
        // The feed hands over what is wanted.
        const wanted = rows.filter((each) => poller.wants(state, each as Transaction));
        const [, event] = tick(at, ...wanted);
        state = poller.step(state, { ...event, stopRule: poller.stopRule(state, at) } as PollEvent, at);
      }
      assert.equal(outcome(state), expected);
    });
  }
});

describe("following only so far", () => {
  it("until one of its transactions is met", () => {
    assert.equal(outcome(run(known("5001"), [tick(1), tick(2, pending)], { until: "met" })), "read-enough 5001");
    assert.equal(outcome(run(known("5001"), [tick(1, complete)], { until: "met" })), "complete 5001");
  });
  it("for one look, whatever it shows, unless it did not get far enough", () => {
    assert.equal(outcome(run(known("5001"), [tick(1)], { until: "one read" })), "read-enough 5001");
    assert.equal(outcome(run(known("5001"), [tick(1, running)], { until: "one read" })), "read-enough 5001");
    assert.equal(outcome(run(known("5001"), [tick(1, complete)], { until: "one read" })), "complete 5001");
    assert.equal(outcome(run(known("5001"), [look({ partial: true })(1)], { until: "one read" })), "unlisted 5001");
  });
  it("for one look more where a chain came to light", () => {
    for (const until of ["one read", "met"] as const) {
      assert.equal(outcome(run(known("5002"), [tick(1, link(5002, "complete"))], { until })), "running 5002");
      const both = [tick(1, link(5002, "complete")), tick(2, link(5003, "running"))];
      assert.equal(outcome(run(known("5002"), both, { until })), "read-enough 5002+5003");
    }
  });
});

describe("the limit that holds in each phase", () => {
  const table: readonly [name: string, state: RestoreProgress, at: number | undefined, limit: string | undefined][] = [
    ["unlisted", posted, timeouts.listedMs, "listed"],
    ["queued", { ...posted, phase: "queued", since: 7 }, 7 + timeouts.queueMs, "queue"],
    ["running", { ...posted, phase: "running", since: 7 }, 7 + timeouts.runMs, "run"],
    ["over", { ...posted, phase: "over", end: { how: "read-enough" } }, undefined, undefined],
  ];
  for (const [name, state, at, which] of table) {
    it(name, () => {
      const deadline = restorePoller(rules).deadline(state);
      assert.deepEqual([deadline?.at, deadline?.limit], [at, which]);
    });
  }
});

describe("the limit of being listed", () => {
  const first = ours(5001, { action: "stop_virtual_machine", status: "running" });
  const { listedMs, queueMs } = timeouts;
  const deadlineAfter = (...events: Timed[]): unknown => restorePoller(rules).deadline(run(posted, events));
  const table: readonly [name: string, events: readonly Timed[], at: number][] = [
    ["counts from the POST", [tick(1)], listedMs],
    [
      "counts anew while what may be the first part runs",
      [tick(minute, first), tick(3 * minute, first)],
      3 * minute + listedMs,
    ],
    [
      "counts from when that ended",
      [tick(minute, first), tick(3 * minute, { ...first, status: "complete" })],
      minute + listedMs,
    ],
    ["stays as it is beside a job that has ended", [tick(minute, { ...first, status: "complete" })], listedMs],
    [
      "stays as it is beside another machine's",
      [tick(minute, row(5001, { ...ofMachine("43"), status: "running" }))],
      listedMs,
    ],
    [
      "counts anew while something doubtful runs",
      [tick(minute, ours(5001, { params: { paths: ["/x"] } }))],
      minute + listedMs,
    ],
    ["is no longer than the queue may take", [tick(queueMs - 1, first)], queueMs],
  ];
  for (const [name, events, at] of table) {
    it(name, () => {
      assert.deepEqual(deadlineAfter(...events), { at, limit: "listed" });
    });
  }
});

describe("what following warns of", () => {
  it("a word that no setting classifies, once", () => {
    const state = run(posted, [
      tick(1, ours(5001, { status: "warn" })),
      tick(2, ours(5001, { status: "warn", lockVersion: 2 })),
    ]);
    assert.deepEqual(state.warnings, [{ kind: "unrecognized status", status: "warn" }]);
  });
  it("transactions that nothing tells apart, in one warning that names all of them", () => {
    const state = run(posted, [tick(1, pending), tick(2, ours(5002)), tick(3, ours(5003))]);
    assert.deepEqual(state.warnings, [{ kind: "indistinguishable", transactionIds: ["5001", "5002", "5003"] }]);
  });
});

describe("whatever a panel shows, in whatever order", () => {
  const status = fc.constantFrom("pending", "running", "complete", "failed", "cancelled", "warn");
  const shown = fc.record({
    id: fc.integer({ min: 5001, max: 5004 }),
    status,
    machine: fc.constantFrom("42", "42", "43", undefined),
    chainId: fc.constantFrom("c", undefined),
    action: fc.constantFrom("restore_recovery_point", "take_backup", undefined),
  });
  const event = fc.oneof(
    { weight: 4, arbitrary: fc.array(shown, { maxLength: 4 }).map((rows) => ({ rows })) },
    { weight: 1, arbitrary: fc.subarray(["5001", "5002", "5003"]).map((ids) => ({ ids })) },
    { weight: 1, arbitrary: fc.constant("trouble" as const) },
  );
  it("complete means that all it took is complete, failed and cancelled that some of it is", () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 8 }), fc.boolean(), (events, isKnown) => {
        const poller = restorePoller(rules);
        const last = new Map<string, string>();
        let state: RestoreProgress = isKnown ? known("5001") : posted;
        for (const [at, each] of events.entries()) {
          if (poller.isOver(state)) break;
          if (each === "trouble") state = poller.step(state, trouble(at, serverError())[1], at);
          else if ("ids" in each) state = poller.step(state, log(at, ...each.ids)[1], at);
          else {
            const rows = [...new Map(each.rows.map((of) => [of.id, of])).values()].map(({ id, machine, ...fields }) =>
              row(
                id,
                JSON.parse(JSON.stringify({ ...fields, ...(machine !== undefined && ofMachine(machine)) })) as object,
              ),
            );
            const wanted = rows.filter((of) => poller.wants(state, listed(of)));
            // Once the set is closed, nothing that is listed counts.
            const isClosed = state.awaits.what === "log" && state.awaits.isClosed;
            if (!isClosed) for (const of of wanted) last.set(of.id, of.status ?? "");
            state = poller.step(state, tick(at, ...wanted)[1], at);
          }
        }
        const end = state.end;
        if (end?.how !== "ended") return;
        const taken = state.ids.map((id) => last.get(id));
        if (end.status === "complete")
          assert.ok(taken.length > 0 && taken.every((each) => each === "complete"), taken.join());
        else assert.ok(taken.includes(end.status), taken.join());
      }),
      { numRuns: 1000 },
    );
  });
});
