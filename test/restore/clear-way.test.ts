import assert from "node:assert/strict";
import { waitingForClearWay, type ClearWay, type ClearWayRules } from "../../provider/restore/clear-way";
import type { Row } from "../../provider/restore/chain";
import type { WaitEvent } from "../../provider/restore/wait";
import { credentials, forbidden, serverError } from "./support/panel-errors";
import { headOf, ofMachine, ours, plainWords, row } from "./support/rows";

const start: ClearWay = { since: 1000, until: 100_000, blockers: [], inMachineLog: [], untold: "not looked" };

/** A tick whose first page shows `head`, and which told of `changed` as well, further down. */
const tick = (head: readonly Row[], changed: readonly Row[] = head, readAt = 1000): WaitEvent => ({
  type: "tick",
  rows: changed,
  head: headOf(head, readAt),
  reachedFloor: true,
});
const log = (...transactionIds: string[]): WaitEvent => ({ type: "machine-log", transactionIds, askedAt: 0 });
const trouble = (error: Error, inARow = 1): WaitEvent => ({ type: "trouble", error, inARow });

function after(events: readonly WaitEvent[], until: ClearWayRules["until"] = "clear"): string {
  const waiting = waitingForClearWay({ machine: "42", words: plainWords, identifiers: new Map(), until });
  let state = start;
  for (const event of events) {
    if (waiting.isOver(state)) return `over before ${event.type}`;
    state = waiting.step(state, event, 2000);
  }
  if (!state.end) {
    if (waiting.asksMachineLog(state)) return "asks the machine's log";
    const names = state.blockers.map((chain) => chain.map(({ id }) => id).join("+")).join();
    return names === "" ? "waits" : `waits for ${names}`;
  }
  return state.end.how === "limit" ? `${state.end.limit} limit` : state.end.how;
}

const busy = ours(7, { action: "take_backup", status: "running" });
const done: Row = { ...busy, status: "complete" };
const untold = row(8, { status: "running" });

describe("waiting until the machine is free", () => {
  const table: readonly [name: string, events: readonly WaitEvent[], outcome: string][] = [
    ["nothing is listed", [tick([])], "clear"],
    ["what is listed has ended", [tick([done])], "clear"],
    ["another machine is busy", [tick([row(1, { ...ofMachine("43"), status: "running" })])], "clear"],
    ["a job runs", [tick([busy])], "waits for 7"],
    ["the job ends", [tick([busy]), tick([done])], "clear"],
    ["the job ends after it has left the first page", [tick([busy]), tick([], []), tick([], [done])], "clear"],
    ["the job has left the first page and still runs", [tick([busy]), tick([], [])], "waits for 7"],
    ["a read from before this wait", [tick([], [], 999)], "waits"],
    ["a failed look, then a good one", [trouble(serverError()), tick([])], "clear"],
    ["refused credentials", [trouble(credentials())], "turned-away"],
    ["a missing permission, three times", [trouble(forbidden(), 3)], "turned-away"],
    ["the limit passes", [tick([busy]), { type: "limit", limit: "busy" }], "busy limit"],
    ["the total limit passes", [tick([busy]), { type: "limit", limit: "total" }], "total limit"],
    ["a row does not say whose it is", [tick([untold])], "asks the machine's log"],
    ["the log says that it is ours", [tick([untold]), log("8")], "waits for 8"],
    ["the log says nothing of it", [tick([untold]), log("5")], "clear"],
    ["the log cannot be read: the next look goes without", [tick([untold]), tick([untold])], "clear"],
    ["a finished row that does not say whose it was", [tick([row(8, { status: "complete" })])], "clear"],
    [
      "an untold row turns up while a job that has left the first page runs",
      [tick([busy]), tick([untold], []), log("5")],
      "waits for 7",
    ],
    [
      "the job ends in the very look in which an untold row turns up",
      [tick([busy]), tick([untold], [done]), log("5")],
      "clear",
    ],
  ];
  for (const [name, events, expected] of table) {
    it(`${name}: ${expected}`, () => {
      assert.equal(after(events), expected);
    });
  }

  it("one look, by somebody who already holds a place, does not wait for a job", () => {
    assert.equal(after([tick([busy])], "look"), "busy");
    assert.equal(after([tick([])], "look"), "clear");
    assert.equal(after([tick([untold]), log("8")], "look"), "busy");
  });

  it("one read, when the machine is not to be waited for, takes the list as it is", () => {
    assert.equal(after([tick([busy, untold])], "read"), "clear");
    assert.equal(after([trouble(serverError())], "read"), "waits");
  });

  it("the read that showed the machine free is the mark's", () => {
    const waiting = waitingForClearWay({ machine: "42", words: plainWords, identifiers: new Map(), until: "clear" });
    const event = tick([done], [done], 1234);
    const state = waiting.step(start, event, 2000);
    assert.ok(state.end?.how === "clear" && event.type === "tick");
    assert.equal(state.end.head, event.head);
  });

  it("a job off the first page is looked for by its id, and its row alone is of interest", () => {
    const waiting = waitingForClearWay({ machine: "42", words: plainWords, identifiers: new Map(), until: "clear" });
    const state = waiting.step(start, tick([busy]), 2000);
    assert.deepEqual(waiting.floor(state), { ids: ["7"] });
    assert.equal(waiting.wants(state, { ...row(7), fields: {} }), true);
    assert.equal(waiting.wants(state, { ...row(6), fields: {} }), false);
  });

  it("says for which job it waits, or that the panel cannot be read", () => {
    const waiting = waitingForClearWay({ machine: "42", words: plainWords, identifiers: new Map(), until: "clear" });
    const blocked = waiting.step(start, tick([busy]), 2000);
    assert.equal(
      waiting.describe(blocked, 91_000),
      "waiting for transaction 7 (take_backup) of the machine to end (1m30s)",
    );
    const unread = waiting.step(start, trouble(new Error("no answer")), 2000);
    assert.equal(waiting.describe(unread, 61_000), "the panel cannot be read, trying again (1m): no answer");
    assert.equal(waiting.describe(start, 2000), undefined);
  });
});
