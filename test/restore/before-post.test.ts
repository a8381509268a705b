import assert from "node:assert/strict";
import fc from "fast-check";
import type { Head } from "../../provider/feed/watching";
import {
  type BeforePost,
  beforePost,
  type BeforePostRules,
  isFreshForPost,
  quietMs,
  waitingBeforePost,
} from "../../provider/restore/before-post";
import type { WaitEvent } from "../../provider/restore/waiting";
import type { Row } from "../../provider/rows/chains";
import { VirtualClock } from "../support/virtual-clock";
import { credentials, forbidden, serverError, timedOut } from "./support/panel-errors";
import { headOf, listed, markAt, minute, ofMachine, ours, plainWords, row, target, timeouts } from "./support/rows";

const second = 1000;
const hour = 60 * minute;
/** When the mark was taken, by the panel's clock; the attempt began an hour later, at 0 of the clock that waits go by. */
const markedAt = Date.parse("2026-11-21T10:00:00Z");
const begun = markedAt + hour;
const panelAt = (at: number): number => begun + at;
const stamp = (at: number): string => new Date(panelAt(at)).toISOString();

const rules: BeforePostRules = {
  target,
  mark: markAt("5000", { takenAt: new Date(markedAt).toISOString() }),
  words: plainWords,
  busyMs: timeouts.busyMs,
  listedMs: timeouts.listedMs,
  requestTimeoutMs: 30 * second,
  adoptWindowMs: 6 * hour,
  isClaimed: () => false,
  later: undefined,
  until: "clear",
};
const later: Partial<BeforePostRules> = { later: { markedAt, isSentAnew: false } };
const quiet = quietMs(rules);

type Timed = readonly [at: number, event: WaitEvent];
const markRow = row(5000, { status: "complete" });

interface Read {
  /** Rows that the walk met further down than the newest page. */
  readonly deeper?: readonly Row[];
  readonly whole?: boolean;
  readonly readAt?: number;
  readonly panelTime?: number | "not told";
  readonly below?: readonly Row[];
}

function headAt(at: number, rows: readonly Row[], { readAt = at, panelTime = panelAt(at) }: Read): Head {
  return { ...headOf(rows, readAt, panelTime === "not told" ? undefined : panelTime), answeredAt: at };
}

/** A walk that shows `rows` on top of the mark's row. */
function tick(at: number, rows: readonly Row[], read: Read = {}): Timed {
  const { deeper = [], whole = true, below = [markRow] } = read;
  const page = [...rows, ...below];
  const head = headAt(at, page, read);
  return [
    at,
    { type: "tick", rows: [...page, ...deeper], reachedFloor: whole, reachedMark: whole, atOnce: true, head },
  ];
}
/** The newest page alone, as it was asked for. */
const newest = (at: number, rows: readonly Row[], read: Read = {}): Timed => [
  at,
  { type: "head", head: headAt(at, [...rows, ...(read.below ?? [markRow])], read) },
];
const log = (at: number, transactionIds: readonly string[], askedAt = at, since = Number.NEGATIVE_INFINITY): Timed => [
  at,
  { type: "machine-log", transactionIds, askedAt, since },
];
const logTrouble = (at: number, error: Error, inARow = 1): Timed => [
  at,
  { type: "machine-log-trouble", error, inARow },
];
const trouble = (at: number, error: Error, inARow = 1): Timed => [at, { type: "trouble", error, inARow }];
const limit = (at: number, which: "busy" | "listed" | "total" = "busy"): Timed => [at, { type: "limit", limit: which }];

function after(events: readonly Timed[], changes: Partial<BeforePostRules> = {}): BeforePost {
  const waiting = waitingBeforePost({ ...rules, ...changes });
  let state = beforePost(0, undefined);
  for (const [at, event] of events) {
    assert.ok(!waiting.isOver(state), `over before ${event.type} at ${String(at)}: ${outcome(state, changes)}`);
    if (event.type === "tick") {
      const rows = event.rows.filter((each) => waiting.wants(state, listed(each)));
      state = waiting.step(state, { ...event, rows }, at);
    } else state = waiting.step(state, event, at);
  }
  return state;
}

const names = (chains: readonly (readonly Row[])[]): string =>
  chains.map((each) => each.map(({ id }) => id).join("+")).join();

function outcome(state: BeforePost, changes: Partial<BeforePostRules> = {}): string {
  const { end } = state;
  switch (end?.how) {
    case "clear":
    case "busy":
    case "turned-away":
      return end.how;
    case "limit":
      return `${end.limit} limit`;
    case "found":
      return `found ${names([end.chain])}`;
    case "question":
      return `asks about ${questionOf(end.question)}`;
    case undefined:
  }
  const waiting = waitingBeforePost({ ...rules, ...changes });
  if (state.blockers.length > 0) return `waits for ${names(state.blockers)}`;
  if (waiting.asksMachineLog(state)) return "reads the machine's log";
  return waiting.asksHead?.(state) === true ? "reads the newest page" : "waits";
}

function questionOf(question: Extract<NonNullable<BeforePost["end"]>, { how: "question" }>["question"]): string {
  switch (question.about) {
    case "several":
    case "unfinished":
      return `${question.about}: ${names(question.chains)}`;
    case "complete for long":
      return `complete for long: ${names([question.chain])}`;
    case "doubtful":
      return `doubtful: ${question.doubtful.map(({ chain, why }) => `${names([chain])} ${why}`).join()}`;
    case "whose":
      return `whose: ${names([question.rows])}`;
    case "page":
      return `page: ${question.why}`;
  }
}

type Table = readonly [name: string, events: readonly Timed[], expected: string, changes?: Partial<BeforePostRules>][];

function tested(table: Table, common: Partial<BeforePostRules> = {}): void {
  for (const [name, events, expected, changes = {}] of table) {
    it(`${name}: ${expected}`, () => {
      const all = { ...common, ...changes };
      assert.equal(outcome(after(events, all), all), expected);
    });
  }
}

const busy = ours(4990, { action: "take_backup", status: "running" });
const done: Row = { ...busy, status: "complete" };
const untold = row(4991, { status: "running" });
const below = (...rows: Row[]): Read => ({ below: [markRow, ...rows] });

describe("waiting until the machine is free", () => {
  tested([
    ["nothing but the mark is listed", [tick(1, [])], "clear"],
    ["what is listed has ended", [tick(1, [], below(done))], "clear"],
    ["another machine is busy", [tick(1, [row(5001, { ...ofMachine("43"), status: "running" })])], "clear"],
    ["a job runs", [tick(1, [], below(busy))], "waits for 4990"],
    ["one that came after the mark runs", [tick(1, [ours(5001, { action: "take_backup" })])], "waits for 5001"],
    ["it ends", [tick(1, [], below(busy)), tick(2, [], below(done))], "clear"],
    ["it ends after it has left the page", [tick(1, [], below(busy)), tick(2, [], { deeper: [done] })], "clear"],
    ["it has left the page and was not met again", [tick(1, [], below(busy)), tick(2, [])], "waits for 4990"],
    ["a read from before the wait began", [tick(1, [], { readAt: -1 })], "waits"],
    ["a page from before the wait began", [newest(1, [], { readAt: -1 })], "waits"],
    ["the newest page alone", [newest(1, [])], "clear"],
    ["a walk that took longer than a moment", [[3_002, tick(1, [])[1]]], "reads the newest page"],
    ["and then the newest page", [[3_002, tick(1, [])[1]], newest(3_003, [])], "clear"],
    ["and then a job on it", [[3_002, tick(1, [])[1]], newest(3_003, [], below(busy))], "waits for 4990"],
    ["a failed look, then a good one", [trouble(1, serverError()), tick(2, [])], "clear"],
    ["refused credentials", [trouble(1, credentials())], "turned-away"],
    ["a permission missing three times", [trouble(1, forbidden(), 3)], "turned-away"],
    ["a permission missing twice", [trouble(1, forbidden(), 2)], "waits"],
    ["the limit", [tick(1, [], below(busy)), limit(2)], "busy limit"],
    ["the total limit", [tick(1, [], below(busy)), limit(2, "total")], "total limit"],
    ["one look, with a job", [tick(1, [], below(busy))], "busy", { until: "look" }],
    ["one look, with none", [tick(1, [])], "clear", { until: "look" }],
    [
      "one look, with a row the log tells of",
      [tick(1, [], below(untold)), log(2, ["4991"])],
      "busy",
      { until: "look" },
    ],
  ]);

  it("the read that showed it free is the mark's of the POST", () => {
    const [at, event] = tick(5, [ours(5001, { status: "complete" })]);
    const { end } = after([[at, event]]);
    assert.ok(end?.how === "clear" && event.type === "tick");
    assert.equal(end.head, event.head);
  });

  it("what may be of this restore is nothing to a first attempt: it has posted nothing yet", () => {
    assert.equal(outcome(after([tick(1, [ours(5001, { status: "complete" })])])), "clear");
  });
});

describe("a row that does not say whose it is, before a POST", () => {
  const seen = tick(1, [], below(untold));
  tested([
    ["is asked of the machine's log", [seen], "reads the machine's log"],
    ["keeps it back where that names it", [seen, log(2, ["4991"])], "waits for 4991"],
    ["is nobody's concern where that does not, and the read of a moment ago decides", [seen, log(2, ["1"])], "clear"],
    ["needs another read where the log took longer than a moment", [seen, log(3_002, ["1"])], "reads the newest page"],
    [
      "and decides nothing where a page that decides nothing came between",
      [seen, tick(2, [], { below: [] }), log(3, ["1"], 2)],
      "waits",
    ],
    ["is not cleared by a log asked for before", [seen, log(2, ["1"], 0)], "reads the machine's log"],
    ["is named by a log asked for before", [seen, log(2, ["4991"], 0)], "waits for 4991"],
    ["is not cleared by a log of younger items", [seen, log(2, ["5001"], 2, markedAt)], "reads the machine's log"],
    ["outlasts a slow log", [seen, tick(2, [], below(untold)), tick(3, [], below(untold))], "reads the machine's log"],
    ["outlasts a log that times out for hours", [seen, logTrouble(2, timedOut(), 99)], "reads the machine's log"],
    ["and a log that failed twice", [seen, logTrouble(2, serverError(), 2)], "reads the machine's log"],
    ["is a question where it failed three times", [seen, logTrouble(2, serverError(), 3)], "asks about whose: 4991"],
    ["is a question where it is refused", [seen, logTrouble(2, forbidden())], "asks about whose: 4991"],
    [
      "is one too where it comes after that",
      [tick(1, [], below(busy)), logTrouble(2, forbidden()), tick(3, [], below(untold, done))],
      "asks about whose: 4991",
    ],
    ["is none once it has ended", [seen, tick(2, [], below({ ...untold, status: "complete" }))], "clear"],
    ["is none where it works on what no machine has", [tick(1, [], below({ ...untold, parentType: "User" }))], "clear"],
    ["keeps it back up to the limit", [seen, limit(2)], "busy limit"],
  ]);
});

describe("busy: 0", () => {
  tested(
    [
      ["skips what stood below the mark", [tick(1, [], below(busy))], "clear"],
      ["skips the mark's own row", [tick(1, [], { below: [ours(5000, { status: "running" })] })], "clear"],
      ["skips what stood there and does not say whose it is", [tick(1, [], below(untold))], "clear"],
      ["waits for what came after it", [tick(1, [ours(5001)])], "waits for 5001"],
      [
        "asks whose a row is that came after it",
        [tick(1, [row(5001, { status: "running" })])],
        "reads the machine's log",
      ],
      ["for a later attempt as well", [tick(quiet, [], below(busy))], "clear", later],
      ["skips no page that decides nothing", [tick(1, [], { below: [] })], "waits"],
      [
        "skips what stood below letters, however long the page",
        [tick(1, [], { below: [row("tb"), row("tz"), ours("tq", { status: "running" })] })],
        "clear",
        { mark: markAt("tb", { firstPageIds: ["tb", "tz"] }) },
      ],
    ],
    { busyMs: 0 },
  );
});

describe("a page that decides nothing", () => {
  const empty = (at: number): Timed => tick(at, [], { below: [] });
  const older = (at: number): Timed => tick(at, [], { below: [row(4999)] });
  const sortedOtherwise = (at: number): Timed =>
    tick(at, [row(5001, { createdAt: stamp(0) }), row(5002, { createdAt: stamp(2 * minute) })]);
  tested([
    ["is read again", [empty(1), empty(2)], "waits"],
    ["empty three times", [empty(1), empty(2), empty(3)], "asks about page: empty"],
    ["older three times", [older(1), older(2), older(3)], "asks about page: older"],
    ["not newest first three times", [1, 2, 3].map(sortedOtherwise), "asks about page: not newest first"],
    ["three times, however it is read", [empty(1), newest(2, [], { below: [] }), older(3)], "asks about page: older"],
    [
      "counts anew after a good one",
      [empty(1), empty(2), tick(3, [], below(busy)), empty(4), empty(5)],
      "waits for 4990",
    ],
    ["shows no job, and is no free machine", [tick(1, [], below(busy)), older(2)], "waits for 4990"],
    ["decides where the list was empty before", [empty(1)], "clear", { mark: markAt() }],
    ["is said by a later attempt too", [empty(1), empty(2), empty(3)], "asks about page: empty", later],
    [
      "takes nothing either",
      [
        tick(1, [ours(5001), row(5002)], {
          below: [ours(5003, { createdAt: "2030-01-01T00:00:00Z" }), row(5004, { createdAt: "2031-01-01T00:00:00Z" })],
        }),
      ],
      "waits",
      later,
    ],
  ]);
});

const restore = (fields: object = {}, id = 5001): Row => ours(id, fields);
const completeAt = (at: number, id = 5001): Row => restore({ status: "complete", finishedAt: stamp(at) }, id);
const stop = ours(5001, { action: "stop_virtual_machine", status: "running" });

describe("a later attempt finds what an earlier run has posted", () => {
  tested(
    [
      ["it waits to run", [tick(1, [restore()])], "found 5001"],
      ["it runs", [tick(1, [restore({ status: "running" })])], "found 5001"],
      ["a word nobody knows is no end", [tick(1, [restore({ status: "warn" })])], "found 5001"],
      ["it is complete, a moment ago", [tick(1, [completeAt(-minute)])], "found 5001"],
      ["somebody cancelled it: a person stopped it", [tick(1, [restore({ status: "cancelled" })])], "found 5001"],
      [
        "somebody cancelled it, and what is behind it stays as it is",
        [tick(1, [restore({ chainId: "c" }, 5002), { ...stop, chainId: "c", status: "cancelled" }])],
        "found 5001+5002",
      ],
      ["deep down, off the newest page", [tick(1, [], { deeper: [restore()] })], "found 5001"],
      [
        "its row says nothing of a machine, and the log names it",
        [tick(1, [row(5001, { action: "restore" })]), log(2, ["5001"])],
        "found 5001",
      ],
      ["one failed, another runs", [tick(1, [restore({}, 5002), restore({ status: "failed" })])], "found 5002"],
      [
        "one is taken by another restore",
        [tick(1, [restore({}, 5002), restore()])],
        "found 5002",
        { isClaimed: (id) => id === "5001" },
      ],
      [
        "one is doubtful, another fits",
        [tick(1, [restore({}, 5002), restore({ createdAt: stamp(-2 * hour) })])],
        "found 5002",
      ],
      [
        "without what another machine queues behind it on a panel without chain ids",
        [tick(1, [restore({ ...ofMachine("43"), dependentTransactionId: "5001" }, 5002), restore()])],
        "found 5001",
      ],
      ["not by a walk that left a gap", [tick(1, [restore()], { whole: false })], "waits for 5001"],
      [
        "not by the newest page alone, above which nothing is known to be whole",
        [newest(1, [restore()])],
        "waits for 5001",
      ],
      ["above an empty list", [tick(1, [restore()], { below: [] })], "found 5001", { mark: markAt() }],
    ],
    later,
  );

  it("is told how long ago it ended, by the panel's clock", () => {
    const { end } = after([tick(second, [completeAt(-minute)])], later);
    assert.ok(end?.how === "found");
    assert.equal(end.ageMs, minute + second);
  });
});

describe("a later attempt asks", () => {
  tested(
    [
      ["two fit", [tick(1, [restore({}, 5002), restore()])], "asks about several: 5002,5001"],
      [
        "two fit, of which one is complete",
        [tick(1, [completeAt(0, 5002), restore()])],
        "asks about several: 5002,5001",
      ],
      [
        "one fits, and one may that the log does not tell of",
        [tick(1, [restore({}, 5002), row(5001, { action: "restore" })])],
        "waits for 5002",
      ],
      [
        "the same, and that log is refused",
        [tick(1, [restore({}, 5002), row(5001, { action: "restore" })]), logTrouble(2, forbidden())],
        "asks about several: 5002,5001",
      ],
      [
        "the same, and that log is silent",
        [tick(1, [restore({}, 5002), row(5001, { action: "restore" })]), limit(2)],
        "asks about several: 5002,5001",
      ],
      [
        "the same, and that log names it",
        [tick(1, [restore({}, 5002), row(5001, { action: "restore" })]), log(2, ["5001"])],
        "asks about several: 5002,5001",
      ],
      [
        "the same, and that log denies it",
        [tick(1, [restore({}, 5002), row(5001, { action: "restore" })]), log(2, ["5002"])],
        "found 5002",
      ],
    ],
    later,
  );

  const daysLater = (rows: readonly Row[], read: Read = {}): Timed =>
    tick(1, rows, { panelTime: panelAt(10 * hour), ...read });
  tested(
    [
      [
        "it is complete for longer than adoptWindow",
        [daysLater([completeAt(3 * hour)])],
        "asks about complete for long: 5001",
      ],
      ["complete just within it", [daysLater([completeAt(4 * hour + 1)])], "found 5001"],
      [
        "a window of its own",
        [daysLater([completeAt(4 * hour)])],
        "asks about complete for long: 5001",
        { adoptWindowMs: hour },
      ],
      [
        "complete, by stamps without a zone, of a mark of long ago",
        [daysLater([restore({ status: "complete", finishedAt: stamp(9 * hour).slice(0, 19) })])],
        "asks about complete for long: 5001",
      ],
      [
        "complete, without stamps, of a mark of long ago",
        [daysLater([restore({ status: "complete" })])],
        "asks about complete for long: 5001",
      ],
      [
        "complete, without stamps, of a mark of an hour ago",
        [tick(1, [restore({ status: "complete" })])],
        "found 5001",
      ],
      [
        "nothing above a mark is older than the mark, whatever its stamps say",
        [tick(1, [restore({ status: "complete", finishedAt: stamp(-9 * hour) })])],
        "found 5001",
      ],
      [
        "complete, and the panel tells no time",
        [tick(1, [completeAt(0)], { panelTime: "not told" })],
        "asks about complete for long: 5001",
      ],
      ["unfinished for long", [daysLater([restore({ status: "running" })])], "found 5001"],
      ["unfinished, and the panel tells no time", [tick(1, [restore()], { panelTime: "not told" })], "found 5001"],
    ],
    later,
  );
});

describe("a later attempt that finds nothing posts when it has been quiet for long enough", () => {
  const failed = restore({ status: "failed" });
  tested(
    [
      ["nothing at first sight", [tick(1, [])], "waits"],
      ["nothing, a moment too early", [tick(quiet - 1, [])], "waits"],
      ["nothing, by a read that began too early", [tick(quiet, [], { readAt: quiet - 1 })], "waits"],
      ["nothing, long enough", [tick(1, []), tick(quiet, [])], "clear"],
      ["nothing, by a walk that did not get down to the mark", [tick(quiet, [], { whole: false })], "waits"],
      ["one failed", [tick(1, [failed])], "waits"],
      ["one failed, long enough", [tick(1, [failed]), tick(quiet, [failed])], "clear"],
      [
        "a chain that broke off, and what is behind it ended",
        [
          tick(quiet, [
            restore({ chainId: "c", status: "cancelled" }, 5002),
            { ...stop, chainId: "c", status: "failed" },
          ]),
        ],
        "clear",
      ],
      [
        "a chain that broke off keeps the machine busy as long as the rest stays",
        [tick(quiet, [restore({ chainId: "c" }, 5002), { ...stop, chainId: "c", status: "failed" }])],
        "waits for 5001+5002",
      ],
      [
        "one failed, and another is listed then",
        [tick(1, [failed]), tick(quiet, [restore({}, 5002), failed])],
        "found 5002",
      ],
      ["another machine's", [tick(quiet, [restore(ofMachine("43"))])], "clear"],
      [
        "another point's, ended",
        [tick(quiet, [restore({ status: "complete", params: { recovery_point_id: 8 } })])],
        "clear",
      ],
      ["its own first part runs", [tick(quiet, [stop])], "waits for 5001"],
      [
        "it ended a moment ago: the next part may be on its way",
        [tick(9, [stop]), tick(quiet + 8, [{ ...stop, status: "complete" }])],
        "waits",
      ],
      ["and has been quiet since", [tick(9, [stop]), tick(quiet + 9, [{ ...stop, status: "complete" }])], "clear"],
      [
        "and the next part is listed",
        [tick(9, [stop]), tick(quiet + 8, [restore({}, 5002), { ...stop, status: "complete" }])],
        "found 5002",
      ],
      [
        "a job below the mark keeps it back, and is no sign",
        [tick(9, [], below(busy)), tick(quiet, [], below(done))],
        "clear",
      ],
      [
        "a walk too old to decide, then the newest page down to it",
        [[quiet + 4_000, tick(quiet, [])[1]], newest(quiet + 4_001, [])],
        "clear",
      ],
      [
        "then a newest page that leaves a gap",
        [
          [quiet + 4_000, tick(quiet, [row(5001, ofMachine("43"))])[1]],
          newest(quiet + 4_001, [row(5103, ofMachine("43"))], { below: [row(5102, ofMachine("43"))] }),
        ],
        "waits",
      ],
      [
        "then a newest page with the restore",
        [[quiet + 4_000, tick(quiet, [])[1]], newest(quiet + 4_001, [restore()])],
        "found 5001",
      ],
      ["an untold row at the end", [tick(quiet, [row(5001, { action: "restore" })])], "reads the machine's log"],
      [
        "an untold row that has ended, at the end",
        [tick(quiet, [row(5001, { action: "restore", status: "complete" })])],
        "reads the machine's log",
      ],
    ],
    later,
  );

  const doubted = restore({ createdAt: stamp(-2 * hour), status: "complete" });
  tested(
    [
      ["doubtful by its time", [tick(quiet, [doubted])], "asks about doubtful: 5001 listed late"],
      [
        "doubtful by its paths",
        [tick(quiet, [restore({ status: "complete", params: { paths: ["/x"] } })])],
        "asks about doubtful: 5001 other paths",
      ],
      [
        "doubtful by the one before it",
        [tick(quiet, [completeAt(0)])],
        "asks about doubtful: 5001 sent anew",
        { later: { markedAt, isSentAnew: true } },
      ],
      ["doubtful, too early to ask: one that fits may come", [tick(1, [doubted])], "waits"],
      ["one that fits has come", [tick(1, [doubted]), tick(2, [restore({}, 5002), doubted])], "found 5002"],
      ["doubtful and failed", [tick(quiet, [{ ...doubted, status: "failed" }])], "clear"],
      ["doubtful and under way: waited for", [tick(quiet, [{ ...doubted, status: "running" }])], "waits for 5001"],
      [
        "and asked about at the limit",
        [tick(quiet, [{ ...doubted, status: "running" }]), limit(timeouts.busyMs)],
        "asks about doubtful: 5001 listed late",
      ],
      [
        "after a stored failure, made within requestTimeout after it",
        [tick(quiet, [{ ...doubted, createdAt: stamp(-hour + 20_000) }])],
        "asks about doubtful: 5001 listed late",
        { later: { markedAt: markedAt + 30_000, isSentAnew: false } },
      ],
      [
        "what may be the first part has not ended at the limit",
        [tick(1, [stop]), limit(timeouts.busyMs)],
        "asks about unfinished: 5001",
      ],
      ["the same with the total limit", [tick(1, [stop]), limit(9, "total")], "total limit"],
      ["a job below the mark at the limit", [tick(1, [], below(busy)), limit(timeouts.busyMs)], "busy limit"],
      ["nothing could be read until the limit", [trouble(1, serverError()), limit(timeouts.busyMs)], "busy limit"],
    ],
    later,
  );
});

describe("what a wait before a POST has to read", () => {
  const floorAfter = (events: readonly Timed[], changes: Partial<BeforePostRules> = {}): unknown =>
    waitingBeforePost({ ...rules, ...changes }).floor(after(events, changes));

  it("for a first attempt: one page, and a job that has left it by its id", () => {
    assert.deepEqual(floorAfter([]), { needs: "one page" });
    assert.deepEqual(floorAfter([tick(1, [], below(busy))]), { ids: ["4990"], needs: "ids" });
  });
  it("for a later one: down to the mark, and what is below it by its id", () => {
    assert.deepEqual(floorAfter([], later), { above: "5000", ids: [], needs: "mark" });
    assert.deepEqual(floorAfter([tick(1, [stop])], later), { above: "5000", ids: [], needs: "mark" });
    assert.deepEqual(floorAfter([tick(1, [], below(busy))], later), { above: "5000", ids: ["4990"], needs: "ids" });
  });
  it("rows of the machine, and for a later attempt those that do not say whose they are or show the mark", () => {
    const lettered = { mark: markAt("tb", { firstPageIds: ["tb"] }) };
    const wants = (each: Row, changes: Partial<BeforePostRules>): boolean =>
      waitingBeforePost({ ...rules, ...changes }).wants(beforePost(0, undefined), listed(each));
    const rows = [ours("ta"), row("tc"), row("td", ofMachine("43")), row("tb", ofMachine("43"))];
    assert.deepEqual(
      rows.map((each) => wants(each, lettered)),
      [true, false, false, false],
    );
    assert.deepEqual(
      rows.map((each) => wants(each, { ...lettered, ...later })),
      [true, true, false, true],
    );
  });
});

describe("how long a wait before a POST may last", () => {
  const deadlineAfter = (events: readonly Timed[], changes: Partial<BeforePostRules> = {}): unknown =>
    waitingBeforePost({ ...rules, ...changes }).deadline(after(events, changes));
  const short = { busyMs: 10 * second };
  const table: readonly [
    name: string,
    events: readonly Timed[],
    changes: Partial<BeforePostRules>,
    at: number,
    limit: string,
  ][] = [
    ["as long as busy", [tick(1, [], below(busy))], {}, timeouts.busyMs, "busy"],
    ["as one request may take, where that is longer", [tick(1, [], below(busy))], short, 30 * second, "busy"],
    [
      "a later attempt, as long as it has to be quiet and one read more",
      [tick(1, [])],
      { ...later, ...short },
      quiet + 30 * second,
      "busy",
    ],
    [
      "the same from the last sign on",
      [tick(9, [stop]), tick(20, [{ ...stop, status: "complete" }])],
      { ...later, ...short },
      9 + quiet + 30 * second,
      "busy",
    ],
    ["what is under way no longer than busy", [tick(9, [stop])], { ...later, ...short }, 30 * second, "busy"],
    ["with busy: 0 as long as listed", [tick(9, [stop])], { ...later, busyMs: 0 }, timeouts.listedMs, "listed"],
  ];
  for (const [name, events, changes, at, which] of table) {
    it(name, () => {
      assert.deepEqual(deadlineAfter(events, changes), { at, limit: which });
    });
  }
  it("never longer than the total limit", () => {
    assert.deepEqual(waitingBeforePost(rules).deadline(beforePost(0, 5)), { at: 5, limit: "total" });
    assert.deepEqual(waitingBeforePost({ ...rules, ...later }).deadline(beforePost(0, 5)), { at: 5, limit: "total" });
  });
});

describe("whatever is listed, in whatever order", () => {
  const shown = fc.record({
    id: fc.integer({ min: 5001, max: 5005 }),
    status: fc.constantFrom("pending", "running", "complete", "failed", "cancelled"),
    machine: fc.constantFrom("42", "42", "43", undefined),
    action: fc.constantFrom("restore_recovery_point", "take_backup"),
    chainId: fc.constantFrom("c", undefined),
    paths: fc.constantFrom(undefined, ["/x"]),
  });
  /** One for all, or the page would not be newest first. */
  const made = fc.constantFrom(undefined, stamp(0), stamp(-3 * hour));
  const look = fc.record({
    rows: fc.uniqueArray(shown, { maxLength: 4, selector: ({ id }) => id }),
    whole: fc.boolean(),
    afterMs: fc.constantFrom(second, 30 * second, quiet),
    named: fc.option(fc.subarray(["5001", "5002"])),
  });

  it("a later attempt posts only after a whole read in which nothing may be its own", () => {
    let posted = 0;
    fc.assert(
      fc.property(fc.array(look, { minLength: 1, maxLength: 6 }), made, (looks, createdAt) => {
        const waiting = waitingBeforePost({ ...rules, ...later });
        let state = beforePost(0, undefined);
        let at = 0;
        let lastSign = 0;
        const told = new Set<string>();
        // A log tells of every row that has been seen by then.
        const seen = new Set<string>();
        // What is told of one row of a chain is told of the whole.
        const isTold = ({ id, chainId }: Row, rows: readonly Row[]): boolean =>
          told.has(id) ||
          (chainId !== undefined &&
            (told.has(chainId) || rows.some((other) => other.chainId === chainId && told.has(other.id))));
        for (const { rows: drawn, whole, afterMs, named } of looks) {
          at += afterMs;
          const rows = [...drawn]
            .sort((a, b) => b.id - a.id)
            .map(({ id, status, machine, action, chainId, paths }) =>
              row(id, {
                status,
                action,
                ...(machine !== undefined && ofMachine(machine)),
                ...(chainId !== undefined && machine !== "43" && { chainId }),
                ...(paths && { params: { paths } }),
                ...(createdAt !== undefined && { createdAt }),
              }),
            );
          for (const { id, chainId = id } of rows) seen.add(id).add(chainId);
          const unfinished = (each: Row): boolean => each.status === "pending" || each.status === "running";
          const [when, event] = tick(at, rows, { whole });
          assert.ok(event.type === "tick");
          const wanted = event.rows.filter((each) => waiting.wants(state, listed(each)));
          state = waiting.step(state, { ...event, rows: wanted }, when);
          const judge = (): void => {
            if (state.end?.how !== "clear") return;
            posted++;
            assert.ok(whole);
            assert.ok(at >= lastSign + quiet);
            for (const each of rows) {
              if (each.associatedObjectId === "43" || (each.associatedObjectId === undefined && isTold(each, rows)))
                continue;
              assert.ok(!unfinished(each), `posted beside ${each.id}`);
            }
            const own = rows.filter(
              (each) => each.associatedObjectId === "42" && each.action !== "take_backup" && each.chainId === undefined,
            );
            assert.ok(
              own.every(({ status }) => status === "failed"),
              "posted though something may be its own",
            );
          };
          judge();
          if (waiting.isOver(state)) return;
          if (
            rows.some(
              (each) =>
                each.associatedObjectId === "42" &&
                each.action === "take_backup" &&
                each.chainId === undefined &&
                unfinished(each),
            )
          )
            lastSign = at;
          if (!named) continue;
          for (const id of seen) told.add(id);
          state = waiting.step(state, log(at, named)[1], at);
          judge();
          if (waiting.isOver(state)) return;
        }
      }),
      { numRuns: 2_000 },
    );
    assert.ok(posted > 50, String(posted));
  });
});

describe("a page right before the POST", () => {
  const clock = new VirtualClock(0);
  const table: readonly [name: string, heldUpMs: number, wallMs: number, fresh: boolean][] = [
    ["of a moment ago", 0, 0, true],
    ["of three seconds ago", 3_000, 0, true],
    ["of longer ago", 3_001, 0, false],
    ["of a runner that was suspended since, which only the wall clock shows", 0, hour, false],
    ["of a runner whose wall clock was set back", 0, -hour, false],
    ["of a runner whose wall clock was corrected by a second", 0, 1_000, true],
  ];
  for (const [name, heldUpMs, wallMs, fresh] of table) {
    it(`${name}: ${fresh ? "decides" : "is read again"}`, () => {
      const head = headOf([], 0);
      const later: Pick<VirtualClock, "now" | "wallTime" | "after"> = {
        now: () => heldUpMs,
        wallTime: () => new Date(heldUpMs + wallMs),
        after: (ms, run) => clock.after(ms, run),
      };
      assert.equal(isFreshForPost(head, later), fresh);
    });
  }
});
