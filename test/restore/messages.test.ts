import assert from "node:assert/strict";
import { type ProgressEnd, type Underway, newProgress } from "../../provider/restore/restore-progress";
import { completeLine, endedBadlyReasons, logEnd, subject, unfinishedReason } from "../../provider/restore/messages";
import { chain, markAt, ours, requestOf, recordWith, row, target } from "./support/rows";
import { credentials } from "./support/panel-errors";
import type { TransactionId } from "../../provider/panel/types";
import type { RestoreRecord } from "../../provider/inputs/record";

const mark = markAt("5000");
const start = newProgress({ kind: "posted", mark }, 0, undefined);
const seen = recordWith({
  transactionId: "5012",
  transactionIds: ["5012"],
  action: "restore_recovery_point",
  status: "running",
});

function stored(end: ProgressEnd, record: RestoreRecord, state: Partial<Underway> = {}, plan = requestOf()): string {
  return unfinishedReason(plan, record, { ...start, ...state, phase: "over", end }, end);
}

/** Every part has to be there, and nothing may be said twice over or left open. */
function reads(text: string, ...parts: readonly (string | RegExp)[]): void {
  for (const part of parts)
    assert.ok(typeof part === "string" ? text.includes(part) : part.test(text), `${String(part)} is not in: ${text}`);
  assert.ok(!/\.\.|undefined|NaN|\s{2}|\[object/.test(text), text);
  assert.match(text, /\.$/);
}

describe("whom a message is about", () => {
  it("a restore and its machine and point", () => {
    assert.equal(subject(requestOf()), 'restore "web" (machine 42, recovery point 1007)');
    assert.equal(
      subject(requestOf({ name: "etc", target: { ...target, kind: "FileRestore" } })),
      'file restore "etc" (machine 42, recovery point 1007)',
    );
  });
});

describe("the line of a complete restore", () => {
  const table: readonly [record: Partial<RestoreRecord>, line: string][] = [
    [{ durationSeconds: 372, queuedSeconds: 120 }, "complete in 6m12s (queued 2m, ran 4m12s), transaction 5012"],
    [{ durationSeconds: 372 }, "complete in 6m12s, transaction 5012"],
    [{}, "complete, transaction 5012"],
    [{ durationSeconds: 10, queuedSeconds: 20 }, "complete in 10s, transaction 5012"],
    [{ adopted: true }, "complete, transaction 5012, adopted"],
  ];
  for (const [record, line] of table) {
    it(line, () => {
      assert.equal(completeLine({ ...seen, status: "complete", ...record }), line);
    });
  }
});

describe("what the operator reads of a restore that ended badly", () => {
  const more = { requestTimeoutMs: 30_000 };
  const failed = { ...seen, status: "failed", durationSeconds: 372, queuedSeconds: 120 } as const;
  it("which, where, how long, and that the next run tries again", () => {
    const [text = ""] = endedBadlyReasons(requestOf(), failed, more);
    reads(
      text,
      'restore "web" (machine 42, recovery point 1007) failed',
      "transaction 5012 (restore_recovery_point) ended as failed after 6m12s (queued 2m)",
      "The next `pulumi up` first looks for 2m30s (recovery:requestTimeout and timeouts.listed) for a restore posted meanwhile, then posts it again.",
      "New triggers restore at once.",
      "retryFailed: false",
    );
  });
  it("for how long the next run looks, by the settings", () => {
    const hasty = requestOf({ timeouts: { ...requestOf().timeouts, listedMs: 15_000 } });
    const [text = ""] = endedBadlyReasons(hasty, failed, { requestTimeoutMs: 5_000 });
    reads(text, "first looks for 20s");
  });
  it("that the next run does not look first where adopt says never", () => {
    const [text = ""] = endedBadlyReasons(requestOf({ adopt: "never" }), failed, more);
    reads(text, "The next `pulumi up` posts the restore again, and so do new triggers.");
    assert.ok(!text.includes("first looks"));
  });
  it("which parts of a chain never began, and what becomes of them", () => {
    const [text = ""] = endedBadlyReasons(
      requestOf(),
      { ...failed, transactionIds: ["5012", "5013", "5014"] },
      {
        ...more,
        neverBegan: [ours(5013, { action: "startup_virtual_machine" }), row(5014)],
      },
    );
    reads(
      text,
      "transaction 5012 (restore_recovery_point) of the chain 5012, 5013, 5014 ended as failed",
      "5013 (startup_virtual_machine, pending), 5014 (no action, no status) never began",
      "the next restore of the machine waits for them up to timeouts.busy, unless somebody ends them on the panel",
    );
  });
  it("that it stays an error without a retry", () => {
    const [text = ""] = endedBadlyReasons(requestOf({ retryFailed: false }), failed, more);
    reads(text, "retryFailed is false: it stays an error, and nothing is sent, until triggers change");
  });
  it("that adopt would take it once more", () => {
    const [text = ""] = endedBadlyReasons(requestOf({ adopt: "5012" as TransactionId }), failed, more);
    reads(
      text,
      "As long as adopt names it, `pulumi up` takes it again and posts nothing: take adopt out to restore anew.",
    );
  });
  it("that somebody cancelled it, and that it is never retried by itself", () => {
    const [text = ""] = endedBadlyReasons(requestOf(), { ...failed, status: "cancelled" }, more);
    reads(text, "was cancelled", "never retried by itself", "until triggers change");
    assert.ok(!text.includes("posts the restore again"));
  });
  it("a chain with all its parts", () => {
    const [text = ""] = endedBadlyReasons(requestOf(), { ...failed, transactionIds: ["5011", "5012"] }, more);
    reads(text, "transaction 5012 (restore_recovery_point) of the chain 5011, 5012 ended as failed");
  });
  it("the end of the log, each line set off", () => {
    assert.equal(
      logEnd(["disk is full", "giving up"]),
      "the end of its log, secrets masked:\n  disk is full\n  giving up",
    );
  });
});

describe("what the operator reads of a restore whose end is not known", () => {
  const resume = "The next `pulumi up` goes on waiting and posts nothing.";

  for (const [limit, within] of [
    ["queue", "1h"],
    ["run", "4h"],
  ] as const) {
    it(`the ${limit} limit: how long it is, that the restore goes on, and how to wait longer`, () => {
      reads(
        stored({ how: "limit", limit }, seen),
        `has not ended within the ${limit} limit of ${within}`,
        "transaction 5012 (restore_recovery_point) is running, and goes on on the panel",
        resume,
        `A longer timeouts.${limit} waits longer.`,
      );
    });
  }
  it("the total limit, whatever the phase", () => {
    const plan = requestOf({ timeouts: { ...requestOf().timeouts, totalMs: 90_000 } });
    reads(
      stored({ how: "limit", limit: "total" }, seen, {}, plan),
      "within the total limit of 1m30s",
      "A longer timeouts.total",
    );
  });
  const listedLimit = { how: "limit", limit: "listed" } as const;
  const accepted = recordWith({ status: "accepted" });
  it("accepted and not listed: what nobody knows, that nothing behind it is sent, and both ways out", () => {
    reads(
      stored(listedLimit, accepted),
      "was accepted by the panel, but no transaction of it has been listed within 2m",
      "It is unaccounted for: the next `pulumi up` looks again and posts nothing, and no other restore of machine 42 behind it is sent.",
      'adopt: "<transaction id>"',
      "If you are sure that it was never carried out and is not under way, new triggers restore anew.",
    );
  });
  it("the answer lost and not listed: that it may have been carried out", () => {
    const none = recordWith({ status: "unknown" });
    reads(
      stored(listedLimit, none, { posted: "unknown" }),
      "the panel's answer was lost",
      "it may or may not have been carried out",
      "new triggers",
    );
  });
  it("posted by an earlier run and still not listed", () => {
    const search = { kind: "unconfirmed", mark, predecessorIds: [] } as const;
    reads(
      stored(listedLimit, accepted, { search }),
      "was posted by an earlier run, and no transaction of it is listed yet (looked for 2m).",
    );
  });
  it("not listed, and what was seen instead, with the lines that would take it", () => {
    const candidates = {
      fits: [],
      suspect: [{ chain: chain(ours(6)), reason: "other paths" }],
      others: [chain(ours(7, { action: "recover", status: "running" }))],
      unattributed: [chain(row(8))],
      unattributedOthers: [],
    } as const;
    reads(
      stored(listedLimit, accepted, { candidates }),
      "not a restore of this point, by what it says: transaction 7 (recover, running)",
      "may be it, but other paths, another recovery point, an earlier time or the restore before it speak against it: transaction 6 (restore_recovery_point, pending)",
      "not tied to a machine by the list or by the machine's log: transaction 8 (no action, no status)",
      'write adopt: "6" or adopt: "8".',
    );
  });
  it("not listed, but what may be its first part: that one is not to be taken for it", () => {
    const others = [chain(ours(7, { action: "stop_virtual_machine", status: "complete" }))];
    const text = stored(listedLimit, accepted, {
      candidates: { fits: [], suspect: [], others, unattributed: [], unattributedOthers: [] },
    });
    reads(text, "transaction 7 (stop_virtual_machine, complete)", 'write adopt: "<transaction id>".');
  });
  it("many others, cut to a few", () => {
    const others = Array.from({ length: 9 }, (_, id) => chain(ours(id, { action: "take_backup" })));
    reads(
      stored(listedLimit, accepted, {
        candidates: { fits: [], suspect: [], others, unattributed: [], unattributedOthers: [] },
      }),
      "and 4 more",
    );
  });
  it("several may be it: each with when it was made, and the line that takes it", () => {
    const chains = [chain(ours(5001, { createdAt: "2026-11-21T10:00:00Z" })), chain(ours(5002), ours(5003))];
    reads(
      stored({ how: "several", chains }, accepted),
      "transaction 5001 (restore_recovery_point, pending, made 2026-11-21T10:00:00Z), 5002 (restore_recovery_point, pending), 5003",
      'write adopt: "5001" or adopt: "5003".',
      "nothing is taken and nothing is sent for this machine",
    );
  });
  it("known, and no longer in the list: not that it ran too long, and a way out", () => {
    const text = stored({ how: "limit", limit: "listed" }, seen);
    reads(
      text,
      "the panel's list has not shown transaction 5012 (restore_recovery_point) within 2m; it was last seen running",
      resume,
      "change triggers",
    );
    assert.ok(!text.includes("has not ended within"));
  });
  it("never to restore a second time while the first may run", () => {
    const text = stored(listedLimit, seen);
    assert.match(text, /change triggers only when you are sure that this one does not run any more/);
    assert.doesNotMatch(text, /restore anew/);
  });
  it("that a list too long to be read was not read to its end", () => {
    for (const record of [seen, recordWith({ status: "accepted" })]) {
      const end = { how: "limit", limit: "listed" } as const;
      reads(stored(end, record, { readFarEnough: false }), "The list goes on further down than it was read.");
      assert.doesNotMatch(stored(end, record, { readFarEnough: true }), /further down/);
    }
  });
  it("what the panel answered last, with one full stop", () => {
    reads(
      stored({ how: "limit", limit: "run" }, seen, { lastTrouble: "GET /transactions.json: no answer." }),
      "The panel could not be read last: GET /transactions.json: no answer. The next",
    );
  });
  it("ended differently: which, how, and how to choose", () => {
    const rows = [ours(5012, { status: "complete" }), ours(5013, { status: "failed" })];
    const both = recordWith({ status: "unknown", transactionIds: ["5012", "5013"] });
    reads(
      stored({ how: "differs" }, both, { rows, ids: ["5012", "5013"] }),
      "5012 complete, 5013 failed",
      "neither taken for a success nor retried",
      'adopt: "<transaction id>"',
      "change triggers",
    );
  });
  it("turned away: why, what was seen last, and that nothing is posted again", () => {
    reads(
      stored({ how: "access-denied", error: credentials() }, seen),
      "was posted but cannot be watched",
      "did not accept the user name and password (status 401)",
      "last seen running",
      resume,
    );
  });
  it("another machine's transaction: that it is not taken, and that no more is posted", () => {
    const text = stored({ how: "not-this-machine" }, { ...seen, status: "unknown" });
    reads(text, "the panel now ties that to another machine", "nothing more is posted for it", "change triggers");
  });
});
