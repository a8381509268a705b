import assert from "node:assert/strict";
import { questionText, whyBlocked } from "../../provider/restore/before-post-messages";
import { newProgress, type RestoreProgress } from "../../provider/restore/restore-progress";
import type { PollEvent } from "../../provider/restore/poller";
import { restorePoller } from "../../provider/restore/restore-poller";
import type { Row } from "../../provider/rows/chains";
import { blockersOf, noLogFindings } from "../../provider/rows/match-transactions";
import {
  after,
  limit,
  hour,
  later,
  outcome,
  panelAt,
  quiet,
  rules,
  second,
  stamp,
  tested,
  tick,
} from "./support/before-post-events";
import { serverError } from "./support/panel-errors";
import {
  markAt,
  minute,
  newestPageOf,
  ofMachine,
  ours,
  plainWords,
  requestOf,
  row,
  target,
  timeouts,
} from "./support/rows";

const part = (id: number, fields: object = {}): Row =>
  ours(id, { status: "complete", finishedAt: stamp(0), ...fields });

type ListReadEvent = Extract<PollEvent, { type: "list-read" }>;

/** One read of the list that reached the mark. */
const listRead = (
  rows: readonly Row[],
  at: number,
  stopRule: ListReadEvent["stopRule"],
  inOneRequest = true,
): ListReadEvent => ({
  type: "list-read",
  rows,
  newestPage: newestPageOf(rows, at),
  reachedStop: true,
  reachedMark: true,
  stopRule,
  inOneRequest,
});

describe("a job that the panel has scheduled for later", () => {
  const scheduled = ours(4990, { action: "take_backup", startAfter: stamp(30 * 24 * hour) });
  const blockers = (of: Row, panelTime?: number): number =>
    blockersOf([of], "42", plainWords, noLogFindings, panelTime).blockers.length;

  it("does not keep the machine busy until its time has come", () => {
    assert.equal(blockers(scheduled, panelAt(0)), 0);
    assert.equal(blockers({ ...scheduled, startAfter: stamp(-1) }, panelAt(0)), 1);
  });
  it("does where it runs all the same, or where the panel's clock or the stamp's zone is not known", () => {
    assert.equal(blockers({ ...scheduled, status: "running" }, panelAt(0)), 1);
    assert.equal(blockers(scheduled), 1);
    assert.equal(blockers({ ...scheduled, startAfter: stamp(hour).slice(0, 19) }, panelAt(0)), 1);
  });
  tested([
    ["nothing waits for it", [tick(1, [], { below: [row(5000, { status: "complete" }), scheduled] })], "clear"],
    [
      "another job is waited for",
      [tick(1, [], { below: [row(5000, { status: "complete" }), { ...scheduled, startAfter: stamp(-hour) }] })],
      "waits for 4990",
    ],
  ]);
});

describe("a list of which rows were removed", () => {
  for (const ids of ["decimal", "lettered"] as const) {
    it(`is a question that names adopt and new triggers: ${ids} ids`, () => {
      const mark = ids === "decimal" ? rules.mark : markAt("b7", { firstPageIds: ["b7", "a7"] });
      const rest = [row(ids === "decimal" ? 4999 : "a7", { status: "complete" })];
      const events = [1, 2, 3].map((at) => tick(at, [], { below: rest }));
      const changes = { ...later, mark };
      const state = after(events, changes);
      assert.equal(outcome(state, changes), "asks about unusable page: older");
      assert.ok(state.phase === "over" && state.end.how === "question");
      const text = questionText(requestOf(), state.end.question);
      assert.match(text, /adopt: "<transaction id>"/);
      assert.match(text, /new triggers/);
    });
  }

  it("says so as well where the whole of the mark's page is gone, lettered ids: no walk gets down to it", () => {
    const mark = markAt("b7", { firstPageIds: ["b7", "a7"] });
    const events = [
      tick(1, [], { below: [row("z7", { ...ofMachine("43"), status: "complete" })], whole: false }),
      limit(minute),
    ];
    const state = after(events, { ...later, mark });
    assert.ok(state.phase === "over");
    const text = whyBlocked(requestOf(), rules, state);
    assert.match(text, /adopt: "<transaction id>"/);
    assert.match(text, /new triggers/);
  });
});

describe("what belongs to another restore, or to an earlier try, is not this one", () => {
  const failedTry = { transactionIds: ["5001"], mark: rules.mark };
  const failed = part(5001, { status: "failed" });
  tested([
    [
      "3 (a): a later part of the job whose first part is stored as failed, by its dependent transaction",
      [tick(quiet, [part(5002, { dependentTransactionId: "5001" }), failed])],
      "clear",
      { attempt: { kind: "later", predecessorIds: [], failedTry } },
    ],
    [
      "the same by its chain id: the job failed",
      [tick(quiet, [part(5002, { chainId: "c" }), { ...failed, chainId: "c" }])],
      "clear",
      { attempt: { kind: "later", predecessorIds: [], failedTry } },
    ],
    [
      "3 (b): a late part of the restore before, which another one owns",
      [tick(quiet, [part(5002, { dependentTransactionId: "4990" })])],
      "clear",
      { ...later, isClaimed: (id) => id === "4990" },
    ],
    [
      "3 (c): a part of a chain of which a row stands below the mark",
      [
        tick(quiet, [part(5002, { chainId: "c" })], {
          below: [row(5000, { status: "complete" }), part(4990, { chainId: "c" })],
        }),
      ],
      "asks about suspect: 5002 older chain",
      later,
    ],
    [
      "3 (c): the same where the read that shows the row below comes first",
      [
        tick(1, [], { below: [row(5000, { status: "complete" }), part(4990, { chainId: "c" })] }),
        tick(quiet + 1, [part(5002, { chainId: "c" })]),
      ],
      "asks about suspect: 5002 older chain",
      later,
    ],
    [
      "8: above the transactions of the restore before, sent anew, it counts as ever",
      [tick(second, [part(5009)])],
      "found 5009",
      { attempt: { kind: "later", predecessorIds: ["5002"] } },
    ],
    [
      "8: nothing is asked where these stand below the mark",
      [tick(second, [part(5001)])],
      "found 5001",
      { attempt: { kind: "later", predecessorIds: ["4800"] } },
    ],
    [
      "8: below them it is a question",
      [tick(quiet, [part(5001)])],
      "asks about suspect: 5001 overwritten",
      { attempt: { kind: "later", predecessorIds: ["5002"] } },
    ],
  ]);
});

describe("9: chain ids that are not one per job", () => {
  const others = row(4980, { ...ofMachine("43"), status: "complete", chainId: "0" });
  const below = [row(5000, { status: "complete" }), others];
  tested(
    [
      ["0 for all: what fits is found", [tick(second, [part(5001, { chainId: "0" })], { below })], "found 5001"],
      [
        "0 for all, another machine's above it",
        [tick(second, [row(5002, { ...ofMachine("43"), chainId: "0" }), part(5001, { chainId: "0" })])],
        "found 5001",
      ],
      [
        "one per machine: never posted again, it is a question",
        [
          tick(quiet, [part(5001, { chainId: "42" })], {
            below: [row(5000, { status: "complete" }), part(4980, { chainId: "42" })],
          }),
        ],
        "asks about suspect: 5001 older chain",
      ],
      [
        "used again by an old job of another machine: found",
        [
          tick(second, [part(5001, { chainId: "7" })], {
            below: [row(5000, { status: "complete" }), { ...others, chainId: "7" }],
          }),
        ],
        "found 5001",
      ],
    ],
    later,
  );

  const follow = (chainId: string, older: Row): RestoreProgress => {
    const poller = restorePoller({ target, words: plainWords, timeouts, isClaimed: () => false, until: "ended" });
    let state: RestoreProgress = newProgress({ kind: "posted", mark: markAt("5000") }, 0);
    for (const [at, status] of [
      [1, "running"],
      [2, "complete"],
      [3, "complete"],
    ] as const) {
      if (poller.isOver(state)) break;
      const rows = [ours(5001, { chainId, status }), row(5000, { status: "complete" }), older];
      state = poller.step(state, listRead(rows, at, poller.stopRule(state, at)), at);
    }
    return state;
  };
  for (const [name, chainId, older] of [
    ["0 for all", "0", others],
    ["one per machine", "42", ours(4980, { chainId: "42", status: "failed" })],
    ["used again", "7", ours(4980, { chainId: "7", status: "failed" })],
  ] as const) {
    it(`${name}: the restore of this run is accounted for, and the older one is none of it`, () => {
      const state = follow(chainId, older);
      assert.deepEqual([state.end, state.ids], [{ how: "ended", status: "complete" }, ["5001"]]);
    });
  }
});

describe("a chain that broke off, under steady traffic of others", () => {
  it("ends as failed a minute after, and no later", () => {
    const poller = restorePoller({ target, words: plainWords, timeouts, isClaimed: () => false, until: "ended" });
    let state: RestoreProgress = newProgress({ kind: "posted", mark: markAt("5000") }, 0);
    const link = (id: number, status: string): Row => ours(id, { chainId: "c", status });
    const endsAt: number[] = [];
    for (let at = second; at <= 5 * minute && !poller.isOver(state); at += 5 * second) {
      const traffic = [1, 2, 3].map((n) =>
        row(6000 + at / 100 + n, {
          action: "restore_recovery_point",
          status: "running",
          parentType: "Disk",
          parentId: "9",
        }),
      );
      const rows = [...traffic.reverse(), link(5002, "pending"), link(5001, "failed")];
      state = poller.step(state, listRead(rows, at, poller.stopRule(state, at), false), at);
      if (!poller.isOver(state) && poller.needsMachineLog(state).length > 0)
        state = poller.step(
          state,
          { type: "machine-log", transactionIds: ["5001", "5002"], askedAt: at, since: "everything" },
          at,
        );
      if (poller.isOver(state)) endsAt.push(at);
    }
    assert.deepEqual(state.end, { how: "ended", status: "failed" });
    const [endedAt = 0] = endsAt;
    assert.ok(endedAt >= minute && endedAt <= minute + 11 * second, String(endedAt));
  });
});

describe("rows that name no machine, under steady traffic of others", () => {
  it("cost a look nothing once the restore is listed, and are all asked about when it has ended", () => {
    const poller = restorePoller({ target, words: plainWords, timeouts, isClaimed: () => false, until: "ended" });
    const looks = 300;
    let state: RestoreProgress = newProgress({ kind: "posted", mark: markAt("5000") }, 0);
    const kept: number[] = [];
    for (let look = 1; look <= looks; look++) {
      const at = look * 5 * second;
      const others = [0, 1].map((n) =>
        row(10_000 + 2 * look + n, {
          action: "restore_recovery_point",
          status: "running",
          parentType: "Disk",
          parentId: "9",
        }),
      );
      const rows = [...others.reverse(), ours(5001, { status: look === looks ? "complete" : "running" })];
      state = poller.step(state, listRead(rows, at, poller.stopRule(state, at)), at);
      kept.push(state.above.length);
    }
    assert.ok(Math.max(...kept.slice(1, -1)) <= 3, `${String(Math.max(...kept))} rows at each look`);
    const asked = poller.needsMachineLog(state).map(({ id }) => Number(id));
    assert.deepEqual(
      asked.sort((a, b) => a - b),
      Array.from({ length: 2 * looks }, (_, index) => 10_002 + index),
    );
    const log = {
      type: "machine-log",
      transactionIds: ["10002"],
      askedAt: looks * 5 * second,
      since: "everything",
    } as const;
    const found = poller.step(state, log, looks * 5 * second);
    assert.deepEqual([found.phase, found.ids], ["running", ["5001", "10002"]]);
  });
});

describe("the limit of being listed, while the list cannot be read", () => {
  it("counts only the time in which it can", () => {
    const poller = restorePoller({ target, words: plainWords, timeouts, isClaimed: () => false, until: "ended" });
    const { listedMs, queueMs } = timeouts;
    const read = (at: number): ListReadEvent => listRead([], at, {});
    let state: RestoreProgress = newProgress({ kind: "posted", mark: markAt("5000") }, 0);
    state = poller.step(state, read(10 * second), 10 * second);
    assert.deepEqual(poller.deadline(state), { at: listedMs, limit: "listed" });
    state = poller.step(state, { type: "read-failed", error: serverError(), failuresInARow: 1 }, 20 * second);
    assert.deepEqual(
      poller.deadline(state),
      { at: Math.max(listedMs, queueMs), limit: "listed" },
      "no longer than this",
    );
    state = poller.step(state, read(10 * minute), 10 * minute);
    assert.deepEqual(poller.deadline(state), { at: listedMs + 10 * minute - 10 * second, limit: "listed" });
  });
});
