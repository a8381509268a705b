import assert from "node:assert/strict";
import { nothingRead } from "../../provider/restore/rows-above";
import { beforePostProgressText } from "../../provider/restore/before-post-messages";
import {
  type BeforePostRules,
  type BeforePostState,
  initialBeforePost,
} from "../../provider/restore/before-post-state";
import { chain, markAt, newestPageOf, ours, plainWords, row, target, timeouts } from "./support/rows";

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
  const start = initialBeforePost(0);
  const blockedBy = (id: number): BeforePostState => ({ ...start, blockers: [chain(ours(id, { status: "running" }))] });
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

  it("is news with another job and with trouble, not with another text", () => {
    const unread = (text: string): string => first.topic({ ...start, lastTrouble: text });
    assert.notEqual(first.topic(blockedBy(7)), first.topic(blockedBy(8)));
    assert.notEqual(first.topic(awaitingLog), first.topic(start));
    assert.equal(unread("id 1"), unread("id 2"));
    assert.notEqual(unread("id 1"), first.topic(start));
  });
});
