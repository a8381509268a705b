import assert from "node:assert/strict";
import { initialBeforePost, type BeforePostRules, isFreshForPost } from "../../provider/restore/before-post-state";
import { beforePostPoller } from "../../provider/restore/before-post-poller";
import type { Row } from "../../provider/rows/chains";
import { VirtualClock } from "../support/virtual-clock";
import {
  after,
  below,
  busy,
  done,
  hour,
  later,
  limit,
  log,
  logTrouble,
  markedAt,
  outcome,
  quiet,
  rules,
  second,
  stop,
  tested,
  tick,
  type Timed,
  trouble,
  unattributed,
} from "./support/before-post-events";
import { credentials, forbidden, serverError, timedOut } from "./support/panel-errors";
import { newestPageOf, listed, markAt, ofMachine, ours, row, timeouts } from "./support/rows";

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
    ["a walk that took longer than a moment", [[3_002, tick(1, [])[1]]], "reads again"],
    ["and then another", [[3_002, tick(1, [])[1]], tick(3_003, [])], "clear"],
    ["and then a job on it", [[3_002, tick(1, [])[1]], tick(3_003, [], below(busy))], "waits for 4990"],
    ["a failed look, then a good one", [trouble(1, serverError()), tick(2, [])], "clear"],
    ["refused credentials", [trouble(1, credentials())], "access-denied"],
    ["a permission missing three times", [trouble(1, forbidden(), 3)], "access-denied"],
    ["a permission missing twice", [trouble(1, forbidden(), 2)], "waits"],
    ["the limit", [tick(1, [], below(busy)), limit(2)], "busy limit"],
    ["the total limit", [tick(1, [], below(busy)), limit(2, "total")], "total limit"],
  ]);

  it("the read that showed it free is the mark's of the POST", () => {
    const [at, event] = tick(5, [ours(5001, { status: "complete" })]);
    const state = after([[at, event]]);
    assert.ok(state.phase === "over" && state.end.how === "clear" && event.type === "list-read");
    assert.equal(state.end.newestPage, event.newestPage);
  });

  it("what may be of this restore is nothing to a first attempt: it has posted nothing yet", () => {
    assert.equal(outcome(after([tick(1, [ours(5001, { status: "complete" })])])), "clear");
  });
});

describe("a row that does not say whose it is, before a POST", () => {
  const seen = tick(1, [], below(unattributed));
  tested([
    ["is asked of the machine's log", [seen], "reads the machine's log"],
    ["keeps it back where that names it", [seen, log(2, ["4991"])], "waits for 4991"],
    ["is nobody's concern where that does not, and the read of a moment ago decides", [seen, log(2, ["1"])], "clear"],
    ["needs another read where the log took longer than a moment", [seen, log(3_002, ["1"])], "reads again"],
    [
      "and decides nothing where a page that decides nothing came between",
      [seen, tick(2, [], { below: [] }), log(3, ["1"], 2)],
      "waits",
    ],
    ["is not cleared by a log asked for before", [seen, log(2, ["1"], 0)], "reads the machine's log"],
    ["is not named by one either: nothing of it is remembered", [seen, log(2, ["4991"], 0)], "reads the machine's log"],
    [
      "is a question where the log does not reach down to it",
      [seen, log(2, ["5001"], 2, { at: markedAt, namesZone: true })],
      "asks about whose: 4991",
    ],
    [
      "outlasts a slow log",
      [seen, tick(2, [], below(unattributed)), tick(3, [], below(unattributed))],
      "reads the machine's log",
    ],
    ["outlasts a log that times out for hours", [seen, logTrouble(2, timedOut(), 99)], "reads the machine's log"],
    ["and a log that failed twice", [seen, logTrouble(2, serverError(), 2)], "reads the machine's log"],
    ["is a question where it failed three times", [seen, logTrouble(2, serverError(), 3)], "asks about whose: 4991"],
    ["is a question where it is refused", [seen, logTrouble(2, forbidden())], "asks about whose: 4991"],
    [
      "is one too where it comes after that",
      [tick(1, [], below(busy)), tick(3, [], below(unattributed, done)), logTrouble(4, forbidden())],
      "asks about whose: 4991",
    ],
    ["is none once it has ended", [seen, tick(2, [], below({ ...unattributed, status: "complete" }))], "clear"],
    [
      "is none where it works on what no machine has",
      [tick(1, [], below({ ...unattributed, parentType: "User" }))],
      "clear",
    ],
    ["keeps it back up to the limit", [seen, limit(2)], "busy limit"],
  ]);
});

describe("busy: 0", () => {
  tested(
    [
      ["skips what stood below the mark", [tick(1, [], below(busy))], "clear"],
      ["skips the mark's own row", [tick(1, [], { below: [ours(5000, { status: "running" })] })], "clear"],
      ["skips what stood there and does not say whose it is", [tick(1, [], below(unattributed))], "clear"],
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
  const sortedOtherwise = (at: number): Timed => tick(at, [row(5001), row(5102)]);
  tested([
    ["is read again", [empty(1), empty(2)], "waits"],
    ["empty three times", [empty(1), empty(2), empty(3)], "asks about unusable page: empty"],
    ["older three times", [older(1), older(2), older(3)], "asks about unusable page: older"],
    ["not newest first three times", [1, 2, 3].map(sortedOtherwise), "asks about unusable page: not newest first"],
    [
      "three times, however it is read",
      [empty(1), tick(2, [], { below: [] }), older(3)],
      "asks about unusable page: older",
    ],
    [
      "counts anew after a good one",
      [empty(1), empty(2), tick(3, [], below(busy)), empty(4), empty(5)],
      "waits for 4990",
    ],
    ["shows no job, and is no free machine", [tick(1, [], below(busy)), older(2)], "waits for 4990"],
    ["decides where the list was empty before", [empty(1)], "clear", { mark: markAt() }],
    ["is said by a later attempt too", [empty(1), empty(2), empty(3)], "asks about unusable page: empty", later],
    [
      "takes nothing either",
      [
        tick(1, [ours(5001), row(5002)], {
          below: [ours(5103), row(5104)],
        }),
      ],
      "waits",
      later,
    ],
  ]);
});

describe("what a wait before a POST has to read", () => {
  const stopRuleAfter = (events: readonly Timed[], changes: Partial<BeforePostRules> = {}): unknown => {
    const poller = beforePostPoller({ ...rules, ...changes });
    const { mark, awaitedIds } = poller.stopRule(after(events, changes), events.at(-1)?.[0] ?? 0);
    return [mark?.newestId, awaitedIds];
  };

  it("for a first attempt: one page, and a job that has left it by its id", () => {
    assert.deepEqual(stopRuleAfter([]), [undefined, []]);
    assert.deepEqual(stopRuleAfter([tick(1, [], below(busy))]), [undefined, ["4990"]]);
  });
  it("for a later one: down to the mark, then to where the read before began, and jobs by their ids", () => {
    assert.deepEqual(stopRuleAfter([], later), ["5000", []]);
    assert.deepEqual(stopRuleAfter([tick(1, [stop])], later), ["5001", ["5001"]]);
    assert.deepEqual(stopRuleAfter([tick(1, [], below(busy))], later), ["5000", ["4990"]]);
    const quietRead = [tick(1, []), tick(quiet, [], { readAt: quiet - 1 })];
    assert.deepEqual(stopRuleAfter(quietRead, later), ["5000", []]);
  });
  it("rows of the machine, those that do not say whose they are, and those that show the mark", () => {
    const lettered = { mark: markAt("tb", { firstPageIds: ["tb"] }) };
    const wants = (each: Row): boolean =>
      beforePostPoller({ ...rules, ...lettered }).wants(initialBeforePost(0), listed(each));
    const rows = [ours("ta"), row("tc"), row("td", ofMachine("43")), row("tb", ofMachine("43"))];
    assert.deepEqual(rows.map(wants), [true, true, false, true]);
  });
});

describe("how long a wait before a POST may last", () => {
  const deadlineAfter = (events: readonly Timed[], changes: Partial<BeforePostRules> = {}): unknown =>
    beforePostPoller({ ...rules, ...changes }).deadline(after(events, changes));
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
});

describe("a page right before the POST", () => {
  const clock = new VirtualClock({ startAt: 0 });
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
      const newestPage = newestPageOf([], 0);
      const later: Pick<VirtualClock, "now" | "wallTime" | "after"> = {
        now: () => heldUpMs,
        wallTime: () => new Date(heldUpMs + wallMs),
        after: (ms, run) => clock.after(ms, run),
      };
      assert.equal(isFreshForPost(newestPage, later), fresh);
    });
  }
});
