import assert from "node:assert/strict";
import {
  initialBeforePost,
  type BeforePostState,
  type BeforePostRules,
  type Question,
} from "../../provider/restore/before-post-state";
import {
  answerLostText,
  questionText,
  notSentText,
  refusedText,
  beforePostProgressText,
  whyBlocked,
} from "../../provider/restore/before-post-messages";
import { credentials } from "./support/panel-errors";
import {
  chain,
  markAt,
  minute,
  newestPageOf,
  ours,
  plainWords,
  requestOf,
  row,
  target,
  timeouts,
} from "./support/rows";

const second = 1000;
const plan = requestOf();
const who = 'restore "web" (machine 42, recovery point 1007) was not sent: ';

/** Every part has to be there, and nothing may be said twice over or left open. */
function reads(text: string, ...parts: readonly string[]): void {
  for (const part of parts) assert.ok(text.includes(part), `${part} is not in: ${text}`);
  assert.ok(!/\.\.|undefined|NaN|\s{2}|\[object/.test(text), text);
  assert.match(text, /\.$/);
}

describe("a question before a POST", () => {
  const made = ours(5001, { status: "complete", createdAt: "2026-11-21T10:00:00Z" });
  const found = "transaction 5001 (restore_recovery_point, complete, made 2026-11-21T10:00:00Z)";
  const whatIfNot =
    "If none of them is this restore, and you are sure that it is not under way, new triggers restore anew. Until then nothing is sent.";
  const table: readonly [question: Question, ...parts: string[]][] = [
    [
      { about: "several", chains: [chain(made), chain(ours(5002), ours(5003))] },
      "an earlier run may have posted it, and each of these may be it: transaction 5001",
      'write adopt: "5001" or adopt: "5003".',
      whatIfNot,
    ],
    [
      { about: "complete for long", chain: chain(made), ageMs: 7 * 60 * minute },
      `${found}, since 7h, which is longer than recovery:adoptWindow.`,
      'write adopt: "5001".',
      whatIfNot,
    ],
    [
      { about: "complete for long", chain: chain(made), ageMs: undefined },
      "how long ago that was the panel does not tell.",
      'write adopt: "5001".',
    ],
    [
      { about: "suspect", suspect: [{ chain: chain(made), reason: "other paths" }] },
      `${found} names other paths than this restore.`,
      'write adopt: "5001".',
      whatIfNot,
    ],
    [
      { about: "suspect", suspect: [{ chain: chain(made), reason: "listed late" }] },
      "was made before the intent of this restore, or before its last try, and listed since.",
    ],
    [
      { about: "suspect", suspect: [{ chain: chain(made), reason: "overwritten" }] },
      "stands below the restore before this one in the program, and may be a former try of it.",
    ],
    [
      { about: "unfinished", chains: [chain(ours(5001, { action: "stop" }))] },
      "what may be the first part of it has not ended: transaction 5001 (stop, pending).",
      'The next `pulumi up` looks again. To take its restore once that is listed, write adopt: "<transaction id>".',
    ],
    [
      { about: "whose", rows: [row(8)], trouble: "HTTP 403." },
      "transaction 8 (no action, no status) does not say of which machine it is, and the machine's log, which would tell, does not (HTTP 403).",
      "the right to read the log of machine 42",
      'If it is this restore, write adopt: "8".',
      "Until then nothing is sent.",
    ],
    [
      { about: "unusable page", why: "empty" },
      "is empty, and it was not when the intent was made. May recovery:username still see it?",
    ],
    [
      { about: "unusable page", why: "still empty" },
      "is empty, so it does not tell whether an earlier run has posted it",
      "new triggers restore anew",
    ],
    [{ about: "unusable page", why: "older" }, "is older than the one that the intent was made from"],
    [
      { about: "unusable page", why: "not newest first" },
      "is not sorted newest first",
      "`npx pulumi-recovery check` shows its order.",
    ],
  ];
  for (const [question, ...parts] of table) {
    it(`${question.about}: ${parts[0] ?? ""}`, () => {
      const text = questionText(plan, question);
      assert.ok(text.startsWith(who), text);
      reads(text, ...parts);
    });
  }

  it("names no more than five to write", () => {
    const chains = Array.from({ length: 9 }, (_, id) => chain(ours(5001 + id)));
    const text = questionText(plan, { about: "several", chains });
    reads(text, "and 4 more");
    assert.equal(text.match(/adopt: "/g)?.length, 5);
  });
});

describe("why a restore was not sent", () => {
  const start = initialBeforePost(0, undefined);
  const blockedBy = (state: Partial<Extract<BeforePostState, { phase: "over" }>>, changes = {}): string =>
    notSentText(
      plan,
      whyBlocked(
        requestOf({ timeouts: { ...timeouts, ...changes } }),
        30 * second,
        { ...start, ...state, phase: "over" } as BeforePostState,
        plainWords,
      ),
    );
  const busy = { how: "limit", limit: "busy" } as const;
  const blockers = [chain(ours(7, { action: "take_backup", status: "running" }))];
  const table: readonly [name: string, text: string, ...parts: string[]][] = [
    [
      "a job has not ended",
      blockedBy({ end: busy, blockers }),
      "transaction 7 (take_backup, running) of the machine has not ended within the busy limit of 30m.",
      "A longer timeouts.busy waits longer, busy: 0 posts without waiting for what stood there before the intent.",
      "Nothing was changed; the next `pulumi up` tries again.",
    ],
    [
      "a job has not ended in the time that listed gives",
      blockedBy({ end: { how: "limit", limit: "listed" }, blockers }, { busyMs: 0 }),
      "within the listed limit of 2m. A longer timeouts.listed waits longer.",
    ],
    [
      "the log has not told",
      blockedBy({ end: busy, unattributed: [row(8)] }),
      "transaction 8 does not say which machine it is of, and the machine's log, which has to tell, has not told within the busy limit of 30m.",
    ],
    [
      "the log has not told, and it may be what an earlier run has posted",
      blockedBy({
        end: busy,
        unattributed: [row(8)],
        candidates: { fits: [], suspect: [], others: [], unattributed: [chain(row(8))], unattributedOthers: [] },
      }),
      'A longer timeouts.busy waits longer. If it is this restore, write adopt: "8".',
    ],
    [
      "the list could not be read",
      blockedBy({ end: busy, lastTrouble: "no answer." }),
      "the panel's list could not be read (no answer) within the busy limit of 30m.",
    ],
    [
      "the list could not be read in the time of a request",
      blockedBy({ end: busy }, { busyMs: second }),
      "the panel's list could not be read within 30s.",
    ],
    [
      "nobody could find out whether it was posted",
      blockedBy({
        end: busy,
        candidates: { fits: [], suspect: [], others: [], unattributed: [], unattributedOthers: [] },
      }),
      "it could not be found out whether an earlier run has posted it within the busy limit of 30m.",
    ],
    [
      "the total limit",
      blockedBy({ end: { how: "limit", limit: "total" }, blockers }, { totalMs: 90 * second }),
      "within the total limit of 1m30s. A longer timeouts.total waits longer.",
    ],
    ["turned away", blockedBy({ end: { how: "access-denied", error: credentials() } }), "(status 401)"],
  ];
  for (const [name, text, ...parts] of table) {
    it(name, () => {
      assert.ok(text.startsWith(who), text);
      reads(text, ...parts);
    });
  }

  it("refused, and lost", () => {
    reads(refusedText(plan, new Error("HTTP 422.")), "was refused, nothing was carried out: HTTP 422.");
    assert.match(
      answerLostText(new Error("reset")),
      /lost \(reset\); it is not sent again, its transaction is looked for$/,
    );
  });
});

describe("what a wait before a POST says", () => {
  const rules: BeforePostRules = {
    target,
    mark: markAt("5000"),
    words: plainWords,
    ...timeouts,
    requestTimeoutMs: 30 * second,
    adoptWindowMs: 0,
    retryFailed: true,
    isClaimed: () => false,
    attempt: { kind: "first" },
  };
  const first = beforePostProgressText(rules);
  const again = beforePostProgressText({ ...rules, attempt: { kind: "later", predecessorIds: [] } });
  const start = initialBeforePost(0, undefined);
  const blockedBy = (...ids: number[]): BeforePostState => ({
    ...start,
    blockers: [
      chain(
        ours(6, { status: "complete" }),
        ...ids.map((id) => ours(id, { action: "take_backup", status: "running" })),
      ),
    ],
  });
  const look = { newestPage: newestPageOf([]), above: [], below: [], isWhole: true, wholeReadAt: 0 };
  const awaitingLog: BeforePostState = {
    ...initialBeforePost(0, undefined),
    phase: "waiting",
    unattributed: [row(8)],
    awaits: { what: "log", look, since: 0 },
  };

  it("the job that has to end next, of a chain the one that has not ended", () => {
    assert.equal(
      first.describe(blockedBy(7, 8), 90 * second),
      "waiting for transaction 7 (take_backup) of the machine to end (1m30s)",
    );
  });
  it("that the panel cannot be read", () => {
    assert.equal(
      first.describe({ ...blockedBy(7), lastTrouble: "no answer" }, minute),
      "the panel cannot be read, trying again (1m): no answer",
    );
  });
  it("that the machine's log is awaited, when that lasts", () => {
    assert.equal(first.describe(awaitingLog, 4 * second), undefined);
    assert.equal(
      first.describe(awaitingLog, 9 * second),
      "waiting for the machine's log, which has to tell whether transaction 8 is the machine's (9s)",
    );
  });
  it("that a later attempt looks back, for how long and how to shorten it; a first one says nothing", () => {
    assert.equal(first.describe(start, 30 * second), undefined);
    assert.equal(
      again.describe(start, 30 * second),
      "looking for a restore that an earlier run may have posted, 30s of 2m30s (a shorter timeouts.listed shortens this)",
    );
    assert.match(again.describe({ ...start, quietSince: minute }, 70 * second) ?? "", /1m10s of 3m30s/);
  });
  it("is news with another job and another kind of trouble, not with another text", () => {
    const unread = (text: string, outage: string): string => first.topic({ ...start, lastTrouble: text }, outage);
    assert.equal(first.topic(blockedBy(7), undefined), first.topic(blockedBy(7), "serverError 503"));
    assert.notEqual(first.topic(blockedBy(7), undefined), first.topic(blockedBy(8), undefined));
    assert.notEqual(first.topic(awaitingLog, undefined), first.topic(start, undefined));
    assert.equal(unread("id 1", "a"), unread("id 2", "a"));
    assert.notEqual(unread("id 1", "a"), unread("id 1", "a, b"));
  });
});
