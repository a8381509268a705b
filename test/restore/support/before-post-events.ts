import type { Stamp } from "../../../provider/plain/clock";
import assert from "node:assert/strict";
import type { NewestPage } from "../../../provider/feed/types";
import {
  type BeforePostState,
  initialBeforePost,
  type BeforePostRules,
  type Question,
  quietMs,
} from "../../../provider/restore/before-post-state";
import { beforePostPoller } from "../../../provider/restore/before-post-poller";
import type { PollEvent } from "../../../provider/restore/poller";
import type { Row } from "../../../provider/rows/chains";
import { newestPageOf, listed, markAt, minute, ours, plainWords, row, target, timeouts } from "./rows";

export const second = 1000;
export const hour = 60 * minute;
/** When the mark was taken, by the panel's clock; the attempt began an hour later, at 0 of the clock that waits go by. */
export const markedAt = Date.parse("2026-11-21T10:00:00Z");
const begun = markedAt + hour;
export const panelAt = (at: number): number => begun + at;
export const stamp = (at: number): string => new Date(panelAt(at)).toISOString();

export const rules: BeforePostRules = {
  target,
  mark: markAt("5000", {
    takenAt: new Date(markedAt).toISOString(),
    newestCreatedAt: new Date(markedAt).toISOString(),
  }),
  words: plainWords,
  busyMs: timeouts.busyMs,
  listedMs: timeouts.listedMs,
  requestTimeoutMs: 30 * second,
  adoptWindowMs: 6 * hour,
  retryFailed: true,
  isClaimed: () => false,
  attempt: { kind: "first" },
};
export const later: Partial<BeforePostRules> = { attempt: { kind: "later", predecessorIds: [] } };
export const quiet = quietMs(rules);

export type Timed = readonly [at: number, event: PollEvent];
const markRow = row(5000, { status: "complete" });

export interface Read {
  /** Rows that the walk met further down than the newest page. */
  readonly deeper?: readonly Row[];
  readonly whole?: boolean;
  readonly readAt?: number;
  readonly panelTime?: number | "not told";
  readonly below?: readonly Row[];
}

function newestPageAt(at: number, rows: readonly Row[], { readAt = at, panelTime = panelAt(at) }: Read): NewestPage {
  return { ...newestPageOf(rows, readAt, panelTime === "not told" ? undefined : panelTime), answeredAt: at };
}

/** A walk that shows `rows` on top of the mark's row. */
export function tick(at: number, rows: readonly Row[], read: Read = {}): Timed {
  const { deeper = [], whole = true, below = [markRow] } = read;
  const page = [...rows, ...below];
  const newestPage = newestPageAt(at, page, read);
  return [
    at,
    {
      type: "list-read",
      rows: [...page, ...deeper],
      reachedStop: whole,
      reachedMark: whole,
      stopRule: {},
      inOneRequest: true,
      newestPage,
    },
  ];
}
export const log = (
  at: number,
  transactionIds: readonly string[],
  askedAt = at,
  since: Stamp | "everything" = "everything",
): Timed => [at, { type: "machine-log", transactionIds, askedAt, since }];
export const logTrouble = (at: number, error: Error, failuresInARow = 1): Timed => [
  at,
  { type: "machine-log-trouble", error, failuresInARow },
];
export const trouble = (at: number, error: Error, failuresInARow = 1): Timed => [
  at,
  { type: "read-failed", error, failuresInARow },
];
export const limit = (at: number, which: "busy" | "listed" | "total" = "busy"): Timed => [
  at,
  { type: "limit", limit: which },
];

export function after(events: readonly Timed[], changes: Partial<BeforePostRules> = {}): BeforePostState {
  const poller = beforePostPoller({ ...rules, ...changes });
  let state = initialBeforePost(0);
  for (const [at, event] of events) {
    assert.ok(!poller.isOver(state), `over before ${event.type} at ${String(at)}: ${outcome(state, changes)}`);
    if (event.type === "list-read") {
      const rows = event.rows.filter((each) => poller.wants(state, listed(each)));
      // As the feed does: by the rule that held when the walk began.
      const stopRule = poller.stopRule(state, event.newestPage.readAt);
      state = poller.step(state, { ...event, rows, stopRule }, at);
    } else state = poller.step(state, event, at);
  }
  return state;
}

const names = (chains: readonly (readonly Row[])[]): string =>
  chains.map((each) => each.map(({ id }) => id).join("+")).join();

export function outcome(state: BeforePostState, changes: Partial<BeforePostRules> = {}): string {
  const end = state.phase === "over" ? state.end : undefined;
  switch (end?.how) {
    case "clear":
    case "access-denied":
      return end.how;
    case "limit":
      return `${end.limit} limit`;
    case "found":
      return `found ${names([end.chain])}`;
    case "run again":
      return `run again ${names([end.chain])}`;
    case "question":
      return `asks about ${questionOf(end.question)}`;
    case undefined:
  }
  const poller = beforePostPoller({ ...rules, ...changes });
  if (state.blockers.length > 0) return `waits for ${names(state.blockers)}`;
  if (poller.needsMachineLog(state).length > 0) return "reads the machine's log";
  return poller.readAgainAt?.(state) === undefined ? "waits" : "reads again";
}

function questionOf(question: Question): string {
  switch (question.about) {
    case "several":
    case "unfinished":
      return `${question.about}: ${names(question.chains)}`;
    case "complete for long":
      return `complete for long: ${names([question.chain])}`;
    case "suspect":
      return `suspect: ${question.suspect.map(({ chain, reason: why }) => `${names([chain])} ${why}`).join()}`;
    case "whose":
      return `whose: ${names([question.rows])}`;
    case "unusable page":
      return `unusable page: ${question.why}`;
  }
}

type Table = readonly [name: string, events: readonly Timed[], expected: string, changes?: Partial<BeforePostRules>][];

export function tested(table: Table, common: Partial<BeforePostRules> = {}): void {
  for (const [name, events, expected, changes = {}] of table) {
    it(`${name}: ${expected}`, () => {
      const all = { ...common, ...changes };
      assert.equal(outcome(after(events, all), all), expected);
    });
  }
}

export const busy = ours(4990, { action: "take_backup", status: "running" });
export const done: Row = { ...busy, status: "complete" };
export const unattributed = row(4991, { status: "running" });
export const below = (...rows: Row[]): Read => ({ below: [markRow, ...rows] });
/** May be the first part of a restore. */
export const stop = ours(5001, { action: "stop_virtual_machine", status: "running" });
