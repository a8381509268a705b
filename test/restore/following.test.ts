import assert from "node:assert/strict";
import fc from "fast-check";
import type { Row } from "../../provider/rows/chains";
import {
  endOf,
  finish,
  knownByIds,
  lookingAbove,
  unseen,
  type Follow,
  type FollowRules,
  type Underway,
} from "../../provider/restore/follow-state";
import { following } from "../../provider/restore/following";
import type { Mark } from "../../provider/inputs/intent";
import type { WaitEvent } from "../../provider/restore/waiting";
import { credentials, forbidden, serverError } from "./support/panel-errors";
import { headOf, listed, markAt, minute, ofMachine, ours, plainWords, row, target, timeouts } from "./support/rows";

const rules: FollowRules = {
  target,
  words: plainWords,
  timeouts,
  identifiers: new Map(),
  isClaimed: () => false,
  until: "ended",
};

const postedAbove = (mark: Mark): Underway => unseen(lookingAbove(mark, "this run"), 0, undefined);
const posted = postedAbove(markAt("5000"));
const known = (...ids: string[]): Underway => ({ ...unseen(knownByIds, 0, undefined), ids });

type Timed = readonly [at: number, event: WaitEvent];
const tick = (at: number, ...rows: Row[]): Timed => [
  at,
  { type: "tick", rows, head: headOf(rows, at), reachedFloor: true },
];
const log = (at: number, ...transactionIds: string[]): Timed => [
  at,
  { type: "machine-log", transactionIds, askedAt: at },
];
const trouble = (at: number, error: Error, inARow = 1): Timed => [at, { type: "trouble", error, inARow }];
const limit = (at: number, which: "listed" | "queue" | "run" | "total"): Timed => [at, { type: "limit", limit: which }];

function run(start: Follow, events: readonly Timed[], changes: Partial<FollowRules> = {}): Follow {
  const waiting = following({ ...rules, ...changes });
  let state: Follow = start;
  for (const [at, event] of events) {
    assert.ok(!waiting.isOver(state), `over before ${event.type} at ${String(at)}`);
    state = waiting.step(state, event, at);
  }
  return state;
}

function outcome(state: Follow): string {
  const ids = state.ids.length === 0 ? "" : ` ${state.ids.join("+")}`;
  const end = endOf(state);
  if (!end) return state.phase + ids;
  return (end.how === "ended" ? end.standing : end.how === "limit" ? `${end.limit} limit` : end.how) + ids;
}

const pending = ours(5001);
const running = ours(5001, { status: "running" });
const complete = ours(5001, { status: "complete" });
const untold = row(5001, { action: "restore", status: "running" });
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
    ["a row that does not tell", [tick(1, untold)], "unlisted"],
    ["a row that the machine's log tells of", [tick(1, untold), log(2, "5001")], "running 5001"],
    ["a row that the machine's log does not know", [tick(1, untold), log(2, "4711")], "unlisted"],
    ["a log read before the row was listed", [log(1, "5001"), tick(2, untold)], "running 5001"],
    ["two that nothing tells apart", [tick(1, ours(5002), pending)], "queued 5002+5001"],
    ["a second one, listed a moment later", [tick(1, running), tick(2, ours(5002))], "running 5001+5002"],
    [
      "a second one, when none can be listed late any more",
      [
        tick(1, running),
        tick(3 * minute, ours(5001, { status: "running", lockVersion: 2 })),
        tick(3 * minute + 1, ours(5002)),
      ],
      "running 5001",
    ],
    ["both complete", [tick(1, ours(5002, { status: "complete" }), complete)], "complete 5002+5001"],
    ["one complete, one failed", [tick(1, ours(5002, { status: "failed" }), complete)], "differs 5002+5001"],
    ["one complete, one still to end", [tick(1, ours(5002), complete)], "running 5002+5001"],
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
    ["refused credentials", [tick(1, running), trouble(2, credentials())], "turned-away 5001"],
    ["a permission missing for a moment", [trouble(1, forbidden(), 2)], "unlisted"],
    ["a permission missing for good", [trouble(1, forbidden(), 3)], "turned-away"],
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
    assert.equal(outcome(run(postedAbove(markAt()), [tick(1, ours(1))])), "queued 1");
  });

  it("on a panel with lettered ids", () => {
    const start = postedAbove(markAt("tb", { firstPageIds: ["tb", "tz"] }));
    const waiting = following(rules);
    assert.equal(waiting.wants(start, listed(ours("tz"))), false);
    assert.equal(waiting.wants(start, listed(ours("ta"))), true);
    assert.equal(outcome(run(start, [tick(1, ours("ta"))])), "queued ta");
  });

  it("does not take what another resource of the program has taken", () => {
    assert.equal(outcome(run(posted, [tick(1, pending)], { isClaimed: (id) => id === "5001" })), "unlisted");
  });

  it("finds a row by an identifier that is explained only later", () => {
    const identifiers = new Map<string, string>();
    const waiting = following({ ...rules, identifiers });
    const byName = row(5001, { identifier: "abc", action: "restore", status: "running" });
    assert.equal(waiting.wants(posted, listed(byName)), true);
    const seen = waiting.step(posted, tick(1, byName)[1], 1);
    assert.equal(outcome(seen), "unlisted");
    identifiers.set("abc", "42");
    assert.equal(outcome(waiting.step(seen, tick(2)[1], 2)), "running 5001");
  });
});

describe("following a restore whose transactions are known", () => {
  const table: readonly [name: string, start: Follow, events: readonly Timed[], outcome: string][] = [
    ["running", known("5001"), [tick(1, running)], "running 5001"],
    ["complete", known("5001"), [tick(1, complete)], "complete 5001"],
    ["a row that does not say whose it is", known("5001"), [tick(1, untold)], "running 5001"],
    ["another machine's by now", known("5001"), [tick(1, ours(5001, ofMachine("43")))], "not-this-machine 5001"],
    ["not listed", known("5001"), [tick(1)], "unlisted 5001"],
    ["not listed for the time that being listed may take", known("5001"), [limit(1, "listed")], "listed limit 5001"],
    [
      "a chain of which one row was known waits for a look that shows the rest",
      known("5002"),
      [tick(1, link(5002, "complete"))],
      "queued 5002",
    ],
    [
      "such a chain, shown whole",
      known("5002"),
      [tick(1, link(5002, "complete")), tick(2, link(5003, "running"))],
      "running 5002+5003",
    ],
    ["such a chain, shown to be complete", known("5002"), [tick(1, link(5002, "complete")), tick(2)], "complete 5002"],
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

describe("following only so far", () => {
  it("until it is listed", () => {
    assert.equal(outcome(run(posted, [tick(1), tick(2, pending)], { until: "listed" })), "seen 5001");
    assert.equal(outcome(run(posted, [tick(1, complete)], { until: "listed" })), "complete 5001");
  });
  it("for one look, whatever it shows", () => {
    assert.equal(outcome(run(posted, [tick(1)], { until: "look" })), "seen");
    assert.equal(outcome(run(posted, [tick(1, complete)], { until: "look" })), "complete 5001");
    assert.equal(outcome(run(known("5001"), [tick(1, running)], { until: "look" })), "seen 5001");
  });
  it("for one look, which takes the machine's log when the rows do not tell", () => {
    assert.equal(outcome(run(posted, [tick(1, untold)], { until: "look" })), "unlisted");
    assert.equal(outcome(run(posted, [tick(1, untold), log(2, "5001")], { until: "look" })), "seen 5001");
  });
  it("for one look, which is two where a chain came to light", () => {
    assert.equal(outcome(run(known("5002"), [tick(1, link(5002, "complete"))], { until: "look" })), "queued 5002");
    assert.equal(
      outcome(run(known("5002"), [tick(1, link(5002, "complete")), tick(2)], { until: "look" })),
      "complete 5002",
    );
  });
});

describe("the limit that holds in each phase", () => {
  const table: readonly [name: string, state: Follow, at: number | undefined, limit: string | undefined][] = [
    ["unlisted", posted, timeouts.listedMs, "listed"],
    ["queued", { ...posted, phase: "queued", since: 7 }, 7 + timeouts.queueMs, "queue"],
    ["running", { ...posted, phase: "running", since: 7 }, 7 + timeouts.runMs, "run"],
    ["over", finish({ ...posted, totalUntil: 9 }, { how: "seen" }), undefined, undefined],
    ["looking, the total comes first", { ...posted, totalUntil: 5 }, 5, "total"],
    ["queued, the total comes first", { ...posted, phase: "queued", totalUntil: 5 }, 5, "total"],
    ["running, the total comes first", { ...posted, phase: "running", totalUntil: 5 }, 5, "total"],
    [
      "running, the total comes last",
      { ...posted, phase: "running", totalUntil: timeouts.runMs + 1 },
      timeouts.runMs,
      "run",
    ],
  ];
  for (const [name, state, at, which] of table) {
    it(name, () => {
      const deadline = following(rules).deadline(state);
      assert.deepEqual([deadline?.at, deadline?.limit], [at, which]);
    });
  }
});

describe("what following warns of", () => {
  it("a word that no setting classifies, once", () => {
    const state = run(posted, [
      tick(1, ours(5001, { status: "warn" })),
      tick(2, ours(5001, { status: "warn", lockVersion: 2 })),
    ]);
    assert.deepEqual(state.warnings, [{ kind: "unheard of", status: "warn" }]);
  });
  it("transactions that nothing tells apart, in one warning that names all of them", () => {
    const state = run(posted, [tick(1, pending), tick(2, ours(5002)), tick(3, ours(5003))]);
    assert.deepEqual(state.warnings, [{ kind: "alike", transactionIds: ["5001", "5002", "5003"] }]);
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
        const waiting = following(rules);
        const last = new Map<string, string>();
        let state: Follow = isKnown ? known("5001") : posted;
        for (const [at, each] of events.entries()) {
          if (waiting.isOver(state)) break;
          if (each === "trouble") state = waiting.step(state, trouble(at, serverError())[1], at);
          else if ("ids" in each) state = waiting.step(state, log(at, ...each.ids)[1], at);
          else {
            const rows = [...new Map(each.rows.map((of) => [of.id, of])).values()].map(({ id, machine, ...fields }) =>
              row(
                id,
                JSON.parse(JSON.stringify({ ...fields, ...(machine !== undefined && ofMachine(machine)) })) as object,
              ),
            );
            const wanted = rows.filter((of) => waiting.wants(state, listed(of)));
            for (const of of wanted) last.set(of.id, of.status ?? "");
            state = waiting.step(state, tick(at, ...wanted)[1], at);
          }
        }
        const end = endOf(state);
        if (end?.how !== "ended") return;
        const taken = state.ids.map((id) => last.get(id));
        if (end.standing === "complete")
          assert.ok(taken.length > 0 && taken.every((each) => each === "complete"), taken.join());
        else assert.ok(taken.includes(end.standing), taken.join());
      }),
      { numRuns: 1000 },
    );
  });
});

describe("a restore of the night before, on a panel that is busy by day and whose stamps name no zone", () => {
  const hour = 60 * minute;
  const night = Date.parse("2026-11-21T02:00:00");
  const stamp = (at: number): string =>
    new Date(at - new Date(at).getTimezoneOffset() * minute).toISOString().slice(0, 19);
  const mark = markAt("5000", {
    takenAt: new Date(night).toISOString(),
    newestCreatedAt: stamp(night - 8 * hour),
  });
  const day = Array.from({ length: 100 }, (_, index) =>
    row(5300 - index, { ...ofMachine("7"), createdAt: stamp(night + 16 * hour - index * 5 * minute) }),
  );
  const foundNextNight = (made: number): Follow => {
    const restore = ours(5001, { createdAt: stamp(made), status: "complete" });
    const event: WaitEvent = {
      type: "tick",
      rows: [restore],
      head: headOf(day, 0, night + 24 * hour),
      reachedFloor: true,
    };
    return run(unseen(lookingAbove(mark, "an earlier run"), 0, undefined), [[0, event]]);
  };

  it("is found, although the list looks as it did then", () => {
    assert.equal(outcome(foundNextNight(night + 5_000)), "complete 5001");
  });

  it("is not one of a week later", () => {
    assert.equal(outcome(foundNextNight(night + 7 * 24 * hour)), "unlisted");
  });
});
