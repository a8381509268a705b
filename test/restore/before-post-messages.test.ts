import assert from "node:assert/strict";
import { nothingRead } from "../../provider/restore/rows-above";
import { beforePostProgressText } from "../../provider/restore/before-post-messages";
import {
  type BeforePostRules,
  type BeforePostState,
  initialBeforePost,
} from "../../provider/restore/before-post-state";
import { chain, markAt, newestPageOf, minute, ours, plainWords, row, target, timeouts } from "./support/rows";

const second = 1000;

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
  const start = initialBeforePost(0);
  const blockedBy = (...ids: number[]): BeforePostState => ({
    ...start,
    blockers: [
      chain(
        ours(6, { status: "complete" }),
        ...ids.map((id) => ours(id, { action: "take_backup", status: "running" })),
      ),
    ],
  });
  const look = {
    newestPage: newestPageOf([]),
    ...nothingRead,
    below: [],
    newIds: new Set<string>(),
    isWhole: true,
    wholeReadAt: 0,
  };
  const awaitingLog: BeforePostState = {
    ...initialBeforePost(0),
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
      "waiting for the machine's log to tell whose transaction 8 is (9s)",
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
  it("is news with another job and with trouble, not with another text", () => {
    const unread = (text: string): string => first.topic({ ...start, lastTrouble: text });
    assert.notEqual(first.topic(blockedBy(7)), first.topic(blockedBy(8)));
    assert.notEqual(first.topic(awaitingLog), first.topic(start));
    assert.equal(unread("id 1"), unread("id 2"));
    assert.notEqual(unread("id 1"), first.topic(start));
  });
});
