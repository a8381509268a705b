import assert from "node:assert/strict";
import { lookingBack, type LookBackRules } from "../../provider/restore/earlier";
import { lookingBackFrom, whileLookingBack } from "../../provider/restore/look-back";
import type { Row } from "../../provider/rows/chains";
import type { WaitEvent } from "../../provider/restore/waiting";
import { credentials, serverError } from "./support/panel-errors";
import { headOf, intentOf, listed, markAt, minute, ofMachine, ours, plainWords, row, target } from "./support/rows";

const began = Date.parse("2026-11-21T12:00:00Z");
const window = 150_000;
const intent = intentOf({ madeAt: "2026-11-21T11:50:00Z" });

const rules: LookBackRules = {
  target,
  intent,
  words: plainWords,
  adoptWindowMs: 360 * minute,
  identifiers: new Map(),
  isClaimed: () => false,
  madeForOthers: [],
  wallAheadMs: 0,
};

const start = lookingBackFrom(began, began + window);

/** Below the rows that it tells of, the list shows the mark's, unless that is gone as well. */
const tick = (
  rows: readonly Row[],
  at: number,
  {
    whole = true,
    panelTime,
    below = [row(5000)],
  }: { whole?: boolean; panelTime?: number; below?: readonly Row[] } = {},
): [WaitEvent, number] => [
  { type: "tick", rows, head: headOf([...rows, ...below], began + at, panelTime), reachedFloor: whole },
  began + at,
];
const trouble = (error: Error, at: number, inARow = 1): [WaitEvent, number] => [
  { type: "trouble", error, inARow },
  began + at,
];
const log = (
  ids: readonly string[],
  at: number,
  { since = Number.NEGATIVE_INFINITY, askedAt = at } = {},
): [WaitEvent, number] => [{ type: "machine-log", transactionIds: ids, since, askedAt: began + askedAt }, began + at];
const limit = (which: "listed" | "total", at: number): [WaitEvent, number] => [
  { type: "limit", limit: which },
  began + at,
];

function outcome(events: readonly [WaitEvent, number][], changes: Partial<LookBackRules> = {}): string {
  const waiting = lookingBack({ ...rules, ...changes });
  let state = start;
  for (const [event, now] of events) {
    if (waiting.isOver(state)) return `over before ${event.type}`;
    state = waiting.step(state, event, now);
  }
  if (state.phase !== "decided")
    return state.phase === "awaiting the log" ? `asks the machine's log about ${state.untold.join()}` : "still looking";
  const { decision } = state;
  switch (decision.found) {
    case "adoptable":
    case "too-old":
      return `${decision.found} ${decision.chains
        .flat()
        .map(({ id }) => id)
        .join()}`;
    case "another's":
      return `another's ${decision.transactionIds.join()}`;
    case "out-of-time":
      return `not known (${decision.limit})`;
    case "nothing":
    case "turned-away":
      return decision.found;
  }
}

const untold = row(5001, { action: "restore_recovery_point", status: "running" });

describe("looking back for what an earlier run posted", () => {
  const table: readonly [name: string, events: readonly [WaitEvent, number][], outcome: string][] = [
    ["nothing at first sight proves nothing", [tick([], 1)], "still looking"],
    [
      "nothing, looked at whole once the time has passed",
      [tick([], 1), tick([], window), limit("listed", window)],
      "nothing",
    ],
    ["what is found ends it at once", [tick([ours(5001)], 1)], "adoptable 5001"],
    [
      "a failed one is passed over, and one listed after it is found",
      [tick([ours(5001, { status: "failed" })], 1), tick([ours(5002)], 9)],
      "adoptable 5002",
    ],
    ["a list that could never be read", [trouble(serverError(), 1), limit("listed", window)], "not known (listed)"],
    [
      "a list that was read once and then no more: what came since is not known",
      [tick([], 1), trouble(serverError(), 9), limit("listed", window)],
      "not known (listed)",
    ],
    [
      "a last look that did not get down to the mark",
      [tick([], 1), tick([], window, { whole: false }), limit("listed", window), limit("listed", window + 1)],
      "not known (listed)",
    ],
    [
      "a last look that began before the time had passed",
      [tick([], window - 1), limit("listed", window), limit("listed", window + 1)],
      "not known (listed)",
    ],
    [
      "a last look that is still under way when the time has passed, and then shows everything",
      [tick([], window - 1), limit("listed", window), tick([], window + 50_000)],
      "nothing",
    ],
    [
      "a last look that is still under way when the time has passed, and then shows the restore",
      [tick([], window - 1), limit("listed", window), tick([ours(5001)], window + 50_000)],
      "adoptable 5001",
    ],
    [
      "a list that was emptied since the mark, which shows nobody's transactions",
      [tick([], 1, { below: [] }), tick([], window, { below: [] }), limit("listed", window)],
      "not known (listed)",
    ],
    [
      "a list that is empty at the last look",
      [tick([], 1), tick([], window, { below: [] }), limit("listed", window)],
      "not known (listed)",
    ],
    ["the total limit, whatever was seen", [tick([], 1), tick([], 50), limit("total", 60)], "not known (total)"],
    ["refused credentials", [trouble(credentials(), 1)], "turned-away"],
    [
      "a row that does not say whose it is, named by the machine's log",
      [tick([untold], 1), log(["5001"], 2)],
      "adoptable 5001",
    ],
    [
      "such a row, not in the machine's log",
      [tick([untold], 1), log(["4"], 2), tick([], window), limit("listed", window)],
      "nothing",
    ],
    [
      "such a row, and a log that was not read yet",
      [tick([untold], 1), tick([], window), limit("listed", window)],
      "asks the machine's log about 5001",
    ],
    [
      "such a row, and a log that was read in the end",
      [tick([untold], 1), tick([], window), limit("listed", window), log(["5001"], window + 9)],
      "adoptable 5001",
    ],
    [
      "such a row, cleared in the end",
      [
        tick([untold], 1),
        tick([], window),
        limit("listed", window),
        log([], window + 9),
        limit("listed", window + 45_000),
      ],
      "nothing",
    ],
    [
      "such a row, and a log that cannot be read",
      [tick([untold], 1), tick([], window), limit("listed", window), limit("listed", window + 45_000)],
      "not known (listed)",
    ],
    [
      "such a row, and a log that was asked for before the row was listed",
      [tick([untold], window), log([], window + 9, { askedAt: window - 1 }), limit("listed", window + 10)],
      "asks the machine's log about 5001",
    ],
    [
      "such a row, and a log of younger items only",
      [
        tick([untold], window),
        log(["5009"], window, { since: began }),
        limit("listed", window + 1),
        limit("listed", window + 45_000),
      ],
      "not known (listed)",
    ],
    [
      "such a row, and a log that reaches down to it by the ids it names",
      [tick([untold], window), log(["5009", "4990"], window, { since: began }), limit("listed", window + 1)],
      "nothing",
    ],
    [
      "such a row with a stamp, and a log that reaches down to that",
      [
        tick([row(5001, { action: "restore", createdAt: "2026-11-21T12:00:00Z" })], window),
        log(["5009"], window, { since: began }),
        limit("listed", window + 1),
      ],
      "nothing",
    ],
    [
      "another machine's row",
      [tick([row(5001, { ...ofMachine("43"), action: "restore" })], window), limit("listed", window)],
      "nothing",
    ],
  ];
  for (const [name, events, expected] of table) {
    it(name, () => {
      assert.equal(outcome(events), expected);
    });
  }

  it("above the mark of an empty list takes an empty one for what it is", () => {
    const nothing = [tick([], 1, { below: [] }), tick([], window, { below: [] }), limit("listed", window)];
    assert.equal(outcome(nothing, { intent: { ...intent, mark: markAt() } }), "nothing");
  });

  it("does not take what another resource of the program has taken", () => {
    assert.equal(
      outcome([tick([ours(5001)], window), limit("listed", window)], { isClaimed: (id) => id === "5001" }),
      "nothing",
    );
  });

  describe("by the panel's own clock, whichever way the row was tied", () => {
    const panelTime = began - 12 * 60 * minute;
    const ended = new Date(panelTime - 7 * 60 * minute).toISOString();
    const old = intentOf({ madeAt: new Date(began - 48 * 60 * minute).toISOString() });
    it("an end seven hours ago is too old, though the panel's clock is half a day behind", () => {
      assert.equal(
        outcome([tick([ours(5001, { status: "complete", updatedAt: ended })], 1, { panelTime })], { intent: old }),
        "too-old 5001",
      );
    });
    it("an end a minute ago is fresh, when the machine's log tells of it", () => {
      const fresh = new Date(panelTime - minute).toISOString();
      const done = row(5001, { action: "restore", status: "complete", updatedAt: fresh });
      assert.equal(outcome([tick([done], 1, { panelTime }), log(["5001"], 2)], { intent: old }), "adoptable 5001");
    });
  });

  it("finds it where the state spells the machine's id in another way than the panel", () => {
    const old = intentOf({ ...intent, madeFor: { ...target, virtualMachineId: "042" } });
    assert.equal(outcome([tick([ours(5001)], 1)], { intent: old }), "adoptable 5001");
  });

  it("hears of rows above the intent's mark that are not another machine's", () => {
    const waiting = lookingBack(rules);
    const wants = (of: Row): boolean => waiting.wants(start, listed(of));
    assert.deepEqual(
      [wants(ours(5001)), wants(ours(5000)), wants(untold), wants(row(5001, ofMachine("43")))],
      [true, false, true, false],
    );
    assert.deepEqual(waiting.floor(start), { above: "5000", aboveIds: ["5000"] });
  });

  it("after an empty list hears of everything", () => {
    const waiting = lookingBack({ ...rules, intent: intentOf({ mark: markAt() }) });
    assert.equal(waiting.wants(start, listed(ours(1))), true);
    assert.deepEqual(waiting.floor(start), { aboveNothing: true });
  });

  it("is cut by the total limit where that comes first", () => {
    const waiting = lookingBack(rules);
    const limited = (totalMs: number) => lookingBackFrom(began, began + window, began + totalMs);
    assert.deepEqual(waiting.deadline(start), { at: began + window, limit: "listed" });
    assert.deepEqual(waiting.deadline(limited(5)), { at: began + 5, limit: "total" });
    assert.deepEqual(waiting.deadline(limited(window + 5)), {
      at: began + window,
      limit: "listed",
    });
  });

  it("says what it does, how long it takes and how to shorten it", () => {
    assert.equal(
      whileLookingBack.describe(start, began + 30_000),
      "looking for a restore that an earlier run may have posted, 30s of 2m30s (a shorter timeouts.listed shortens this)",
    );
  });
});
