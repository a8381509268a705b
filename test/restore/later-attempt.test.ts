import assert from "node:assert/strict";
import fc from "fast-check";
import { type BeforePostState, initialBeforePost } from "../../provider/restore/before-post-state";
import { beforePostPoller } from "../../provider/restore/before-post-poller";
import type { Row } from "../../provider/rows/chains";
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
  panelAt,
  quiet,
  rules,
  type Read,
  second,
  stamp,
  stop,
  tested,
  tick,
  type Timed,
  trouble,
} from "./support/before-post-events";
import { forbidden, serverError } from "./support/panel-errors";
import { listed, markAt, minute, ofMachine, ours, row, timeouts } from "./support/rows";

/** The restore, where neither its row nor the log says of which machine it is. */
const unnamed = row(5001, { action: "restore" });
const denied: readonly Timed[] = [tick(1, [unnamed]), log(2, [])];
const restore = (fields: object = {}, id = 5001): Row => ours(id, fields);
const completeAt = (at: number, id = 5001): Row => restore({ status: "complete", finishedAt: stamp(at) }, id);

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
      ["above an empty list", [tick(1, [restore()], { below: [] })], "found 5001", { mark: markAt() }],
    ],
    later,
  );

  it("is told how long ago it ended, by the panel's clock", () => {
    const state = after([tick(second, [completeAt(-minute)])], later);
    assert.ok(state.phase === "over" && state.end.how === "found");
    assert.equal(state.end.ageMs, minute + second);
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
        "another point's",
        [tick(quiet, [restore({ status: "complete", params: { recovery_point_id: 8 } })])],
        "asks about suspect: 5001 other point",
      ],
      ["its own first part runs", [tick(quiet, [stop])], "waits for 5001"],
      [
        "it ended a moment ago: the next part may be on its way",
        [tick(9, [stop]), tick(quiet + 8, [{ ...stop, status: "complete" }])],
        "waits",
      ],
      [
        "its own first part is listed when it is complete",
        [tick(9, []), tick(minute, [{ ...stop, status: "complete" }]), tick(quiet, [{ ...stop, status: "complete" }])],
        "waits",
      ],
      [
        "and it has been quiet since that",
        [tick(minute, [{ ...stop, status: "complete" }]), tick(minute + quiet, [{ ...stop, status: "complete" }])],
        "clear",
      ],
      [
        "the log names a complete job of it, and not the one that may be a restore",
        [9, quiet + 10].flatMap((at) => [
          tick(at, [row(5002, { action: "restore_backup" }), row(5001, { action: "take_backup", status: "complete" })]),
          log(at, ["5001"]),
        ]),
        "clear",
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
      ["a walk too old to decide", [[quiet + 4_000, tick(quiet, [])[1]]], "reads again"],
      [
        "a walk too old to decide, then a short one",
        [[quiet + 4_000, tick(quiet, [])[1]], tick(quiet + 4_001, [])],
        "clear",
      ],
      [
        "then a walk that leaves a gap",
        [[quiet + 4_000, tick(quiet, [])[1]], tick(quiet + 4_001, [], { whole: false })],
        "waits",
      ],
      [
        "then a walk with the restore",
        [[quiet + 4_000, tick(quiet, [])[1]], tick(quiet + 4_001, [restore()])],
        "found 5001",
      ],
      ["an untold row at the end", [tick(quiet, [row(5001, { action: "restore" })])], "reads the machine's log"],
      [
        "an untold row that has ended, at the end",
        [tick(quiet, [row(5001, { action: "restore", status: "complete" })])],
        "reads the machine's log",
      ],
      ["a row that the log did not name before that: it may name it later than the list shows it", denied, "waits"],
      ["is asked about once more", [...denied, tick(quiet, [unnamed])], "reads the machine's log"],
      [
        "by a log asked for since",
        [...denied, tick(quiet, [unnamed]), log(quiet + 1, [], quiet - 1)],
        "reads the machine's log",
      ],
      ["and found where that names it", [...denied, tick(quiet, [unnamed]), log(quiet + 1, ["5001"])], "found 5001"],
      ["and nobody's concern where it does not", [...denied, tick(quiet, [unnamed]), log(quiet + 1, [])], "clear"],
      [
        "and a question where the log is refused by then",
        [...denied, tick(quiet, [unnamed]), logTrouble(quiet + 1, forbidden())],
        "asks about whose: 5001",
      ],
    ],
    later,
  );

  const doubted = restore({ createdAt: stamp(-2 * hour), status: "complete" });
  tested(
    [
      ["doubtful by its time", [tick(quiet, [doubted])], "asks about suspect: 5001 listed late"],
      [
        "of files, by its paths",
        [1, quiet + 1].map((at) => tick(at, [restore({ status: "complete", params: { paths: ["/x"] } })])),
        "clear",
      ],
      [
        "doubtful by the one before it",
        [tick(quiet, [completeAt(0)])],
        "asks about suspect: 5001 overwritten",
        { attempt: { kind: "later", predecessorIds: ["5002"] } },
      ],
      ["doubtful, too early to ask: one that fits may come", [tick(1, [doubted])], "waits"],
      ["one that fits has come", [tick(1, [doubted]), tick(2, [restore({}, 5002), doubted])], "found 5002"],
      [
        "what may be the first part was cancelled by a person: nobody is asked about it",
        [tick(quiet, [{ ...stop, status: "cancelled" }])],
        "clear",
      ],
      ["what may be the first part failed", [tick(quiet, [{ ...stop, status: "failed" }])], "clear"],
      ["doubtful and failed", [tick(quiet, [{ ...doubted, status: "failed" }])], "clear"],
      ["doubtful and under way: waited for", [tick(quiet, [{ ...doubted, status: "running" }])], "waits for 5001"],
      [
        "and asked about at the limit",
        [tick(quiet, [{ ...doubted, status: "running" }]), limit(timeouts.busyMs)],
        "asks about suspect: 5001 listed late",
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
    named: fc.subarray(["5001", "5002"]),
  });

  it("a later attempt posts only after a whole read in which nothing may be its own", () => {
    let posted = 0;
    fc.assert(
      fc.property(fc.array(look, { minLength: 1, maxLength: 6 }), made, (looks, createdAt) => {
        const poller = beforePostPoller({ ...rules, ...later });
        let state: BeforePostState = initialBeforePost(0);
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
                ...(chainId !== undefined && machine === "42" && { chainId }),
                ...(paths && { params: { paths } }),
                ...(createdAt !== undefined && { createdAt }),
              }),
            );
          for (const { id, chainId = id } of rows) seen.add(id).add(chainId);
          const unfinished = (each: Row): boolean => each.status === "pending" || each.status === "running";
          const [when, event] = tick(at, rows, { whole });
          assert.ok(event.type === "list-read");
          const wanted = event.rows.filter((each) => poller.wants(state, listed(each)));
          const stopRule = poller.stopRule(state, event.newestPage.readAt);
          state = poller.step(state, { ...event, rows: wanted, stopRule }, when);
          const judge = (): void => {
            if (state.phase !== "over" || state.end.how !== "clear") return;
            posted++;
            assert.ok(whole);
            assert.ok(at >= lastSign + quiet);
            for (const each of rows) {
              if (each.associatedObjectId === "43" || (each.associatedObjectId === undefined && isTold(each, rows)))
                continue;
              assert.ok(!unfinished(each), `posted beside ${each.id}`);
            }
            const own = rows.filter(
              (each) =>
                each.associatedObjectId === "42" &&
                each.action !== "take_backup" &&
                each.chainId === undefined &&
                each.params === undefined,
            );
            assert.ok(
              own.every(({ status }) => status === "failed"),
              "posted though something may be its own",
            );
          };
          judge();
          if (poller.isOver(state)) return;
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
          for (const id of seen) told.add(id);
          state = poller.step(state, log(at, named)[1], at);
          judge();
          if (poller.isOver(state)) return;
        }
      }),
      { numRuns: 2_000 },
    );
    assert.ok(posted > 50, String(posted));
  });
});
