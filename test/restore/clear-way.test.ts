import assert from "node:assert/strict";
import {
  type ClearWay,
  type ClearWayRules,
  clearWayFrom,
  waitingForClearWay,
  whileBlocked,
} from "../../provider/restore/clear-way";
import type { Row } from "../../provider/rows/chains";
import type { WaitEvent } from "../../provider/restore/waiting";
import { credentials, forbidden, serverError, timedOut } from "./support/panel-errors";
import { headOf, ofMachine, ours, plainWords, row } from "./support/rows";

const start: ClearWay = clearWayFrom(1000, 100_000);
const telling = whileBlocked(plainWords);
const now = 6000;
const aMomentAgo = 5000;
const longAgo = 2000;

type Tick = Extract<WaitEvent, { type: "tick" }>;
type Newest = Extract<WaitEvent, { type: "head" }>;

/** A tick whose first page shows `head`, and which told of `changed` as well, further down. */
const tick = (head: readonly Row[], changed: readonly Row[] = head, readAt = aMomentAgo): Tick => ({
  type: "tick",
  rows: changed,
  head: headOf(head, readAt),
  reachedFloor: true,
});
const newest = (rows: readonly Row[], readAt = aMomentAgo): Newest => ({ type: "head", head: headOf(rows, readAt) });
/** The same, with the answer come in only now. */
const slow = (event: Tick | Newest): WaitEvent => ({
  ...event,
  head: { ...event.head, answeredAt: now },
});
const log = (...transactionIds: string[]): WaitEvent => ({ type: "machine-log", transactionIds, askedAt: now });
const earlierLog = (...transactionIds: string[]): WaitEvent => ({
  type: "machine-log",
  transactionIds,
  askedAt: now - 1,
});
const logTrouble = (error: Error, inARow = 1): WaitEvent => ({ type: "machine-log-trouble", error, inARow });
const trouble = (error: Error, inARow = 1): WaitEvent => ({ type: "trouble", error, inARow });

function after(events: readonly WaitEvent[], until: ClearWayRules["until"] = "clear"): string {
  const waiting = waitingForClearWay({ machine: "42", words: plainWords, identifiers: new Map(), until });
  let state = start;
  for (const event of events) {
    if (waiting.isOver(state)) return `over before ${event.type}`;
    state = waiting.step(state, event, now);
  }
  if (!state.end) {
    const names = state.blockers.map((chain) => chain.map(({ id }) => id).join("+")).join();
    if (names !== "") return `waits for ${names}`;
    if (waiting.asksMachineLog(state)) return "asks the machine's log";
    return waiting.asksHead?.(state) === true ? "asks for the newest page" : "waits";
  }
  return state.end.how === "limit" ? `${state.end.limit} limit` : state.end.how;
}

const busy = ours(7, { action: "take_backup", status: "running" });
const done: Row = { ...busy, status: "complete" };
const untold = row(8, { status: "running" });
const other = row(9, { status: "running" });

describe("waiting until the machine is free", () => {
  const table: readonly [name: string, events: readonly WaitEvent[], outcome: string][] = [
    ["nothing is listed", [tick([])], "clear"],
    ["what is listed has ended", [tick([done])], "clear"],
    ["another machine is busy", [tick([row(1, { ...ofMachine("43"), status: "running" })])], "clear"],
    ["a job runs", [tick([busy])], "waits for 7"],
    ["the job ends", [tick([busy]), tick([done])], "clear"],
    ["the job ends after it has left the first page", [tick([busy]), tick([], []), tick([], [done])], "clear"],
    ["the job has left the first page and still runs", [tick([busy]), tick([], [])], "waits for 7"],
    ["a read from long before this wait", [tick([], [], 999)], "asks for the newest page"],
    ["a newest page from long before this wait", [newest([], 999)], "asks for the newest page"],
    ["a slow read that this wait did not ask for", [slow(tick([], [], 999))], "asks for the newest page"],
    ["a slow newest page that it did not ask for", [slow(newest([], 999))], "asks for the newest page"],
    ["a slow newest page that it asked for", [slow(newest([], 1000))], "clear"],
    ["a slow read of before, with a job", [slow(tick([busy], [busy], 999))], "asks for the newest page"],
    ["nothing is on the newest page", [newest([])], "clear"],
    ["a job is on the newest page", [newest([busy])], "waits for 7"],
    ["a job has left it and still runs, for all that is known", [newest([busy]), newest([])], "waits for 7"],
    ["nothing, by a page that the walk has outlived", [tick([], [], longAgo)], "asks for the newest page"],
    ["a failed look, then a good one", [trouble(serverError()), tick([])], "clear"],
    ["refused credentials", [trouble(credentials())], "turned-away"],
    ["a missing permission, three times", [trouble(forbidden(), 3)], "turned-away"],
    ["the limit passes", [tick([busy]), { type: "limit", limit: "busy" }], "busy limit"],
    ["the total limit passes", [tick([busy]), { type: "limit", limit: "total" }], "total limit"],
    ["a row does not say whose it is", [tick([untold])], "asks the machine's log"],
    ["the log says that it is ours", [tick([untold]), log("8")], "waits for 8"],
    ["the log says nothing of it", [tick([untold]), log("5")], "clear"],
    ["the log is slow", [tick([untold]), tick([untold]), tick([untold])], "asks the machine's log"],
    ["the log was asked before the row came", [tick([untold]), earlierLog("5")], "asks the machine's log"],
    ["the log named it, though asked before it was seen", [tick([untold]), earlierLog("8")], "waits for 8"],
    ["the log fails once, and twice", [tick([untold]), logTrouble(serverError(), 2)], "asks the machine's log"],
    ["the log fails again and again", [tick([untold]), logTrouble(serverError(), 3)], "clear"],
    ["the log times out again and again", [tick([untold]), logTrouble(timedOut(), 9)], "asks the machine's log"],
    ["the log is refused", [tick([untold]), logTrouble(forbidden())], "clear"],
    ["the log cannot be read, and a job runs", [tick([untold, busy]), logTrouble(forbidden())], "waits for 7"],
    ["a row has left the page before the log answers", [tick([untold]), tick([]), log("8")], "waits for 8"],
    [
      "another one comes after the log was asked",
      [tick([untold], [], longAgo), log("5"), tick([untold, other])],
      "asks the machine's log",
    ],
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
    const event = tick([done], [done], 5678);
    const state = waiting.step(start, event, now);
    assert.ok(state.end?.how === "clear" && event.type === "tick");
    assert.equal(state.end.head, event.head);
  });

  it("asks for no page while a job runs, the log is awaited or the panel cannot be read", () => {
    const waiting = waitingForClearWay({ machine: "42", words: plainWords, identifiers: new Map(), until: "clear" });
    const asks = (...events: readonly WaitEvent[]) =>
      waiting.asksHead?.(events.reduce((state, event) => waiting.step(state, event, now), start));
    assert.equal(asks(), true);
    assert.equal(asks(tick([busy])), false);
    assert.equal(asks(tick([untold])), false);
    assert.equal(asks(trouble(serverError())), false);
    assert.equal(asks(trouble(serverError()), tick([], [], longAgo)), true);
  });

  it("says that the machine's log is awaited when that lasts", () => {
    const waiting = waitingForClearWay({ machine: "42", words: plainWords, identifiers: new Map(), until: "clear" });
    const state = waiting.step(start, tick([untold]), now);
    assert.equal(telling.describe(state, now + 4_000), undefined);
    assert.equal(
      telling.describe(state, now + 9_000),
      "waiting for the machine's log, which has to tell whether transaction 8 is the machine's (14s)",
    );
  });

  it("has another topic with another job and another kind of trouble, not with another text", () => {
    const waiting = waitingForClearWay({ machine: "42", words: plainWords, identifiers: new Map(), until: "clear" });
    const topic = (event: WaitEvent, outage?: string) => telling.topic(waiting.step(start, event, now), outage);
    assert.equal(topic(tick([busy])), topic(tick([busy]), "serverError 503"));
    assert.notEqual(topic(tick([busy])), topic(tick([ours(17, { action: "take_backup", status: "running" })])));
    assert.equal(topic(trouble(new Error("id 1")), "a"), topic(trouble(new Error("id 2")), "a"));
    assert.notEqual(topic(trouble(new Error("id 1")), "a"), topic(trouble(new Error("id 1")), "a, b"));
  });

  it("a job off the first page is looked for by its id, and its row alone is of interest", () => {
    const waiting = waitingForClearWay({ machine: "42", words: plainWords, identifiers: new Map(), until: "clear" });
    const state = waiting.step(start, tick([busy]), now);
    assert.deepEqual(waiting.floor(state), { ids: ["7"] });
    assert.equal(waiting.wants(state, { ...row(7), fields: {} }), true);
    assert.equal(waiting.wants(state, { ...row(6), fields: {} }), false);
  });

  it("says for which job it waits, or that the panel cannot be read", () => {
    const waiting = waitingForClearWay({ machine: "42", words: plainWords, identifiers: new Map(), until: "clear" });
    const blocked = waiting.step(start, tick([busy]), now);
    assert.equal(
      telling.describe(blocked, 91_000),
      "waiting for transaction 7 (take_backup) of the machine to end (1m30s)",
    );
    const unread = waiting.step(start, trouble(new Error("no answer")), now);
    assert.equal(telling.describe(unread, 61_000), "the panel cannot be read, trying again (1m): no answer");
    assert.equal(telling.describe(start, now), undefined);
  });
});
