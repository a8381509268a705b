import assert from "node:assert/strict";
import type { AttemptResult } from "../../../drills/checks/kind";
import { runCheck } from "../../../drills/checks/run-check";
import { pause } from "../../../provider/plain/clock";
import { VirtualClock } from "../../support/virtual-clock";

const times = { everySeconds: 5, withinSeconds: 60, afterSeconds: 0 };

describe("a check", () => {
  let clock: VirtualClock;
  beforeEach(() => {
    clock = new VirtualClock();
  });
  afterEach(() => assert.equal(clock.pending, 0, "no timer is left behind"));

  const answering = (answers: readonly AttemptResult[], tookMs = 0) => {
    const limits: number[] = [];
    const attempt = async (limitMs: number): Promise<AttemptResult> => {
      limits.push(limitMs);
      if (tookMs > 0) await pause(clock, Math.min(tookMs, limitMs));
      return answers[Math.min(limits.length, answers.length) - 1] ?? {};
    };
    return { attempt, limits };
  };

  const no = { problem: "no" };
  const soon = [true, 3, 10] as const;
  const late = [false, 13, 60, "no (13 attempts in 1m)"] as const;
  type Case = readonly [AttemptResult[], readonly [boolean, number, number, string?], afterSeconds?: number];
  const cases: Readonly<Record<string, Case>> = {
    "is attempted only once if it passes the first time": [[{}], [true, 1, 0]],
    "is attempted at its interval until it passes": [[no, no, {}], soon],
    "gives up at its time limit, and returns the result of the last attempt": [[{ problem: "early" }, no], late],
    "pauses before the first attempt, and then still has its full time": [[no], late, 90],
  };
  for (const [what, [answers, expected, afterSeconds = 0]] of Object.entries(cases))
    it(what, async () => {
      const given = { ...times, afterSeconds };
      const started = clock.now();
      const found = await clock.run(runCheck(clock, given, answering(answers).attempt));
      const { passed, attempts, seconds, why } = found;
      assert.deepEqual([passed, attempts, seconds, ...(why === undefined ? [] : [why])], expected);
      assert.equal(Date.parse(found.endedAt) - started, (given.afterSeconds + seconds) * 1_000);
    });

  it("is aborted at its time limit when it hangs", async () => {
    const { attempt, limits } = answering([{ problem: "hangs" }], 3_600_000);
    const found = await clock.run(runCheck(clock, times, attempt));
    // A service that comes up in the last second still passes, because there is time for one more short attempt.
    assert.deepEqual([found.passed, found.attempts], [false, 2]);
    assert.deepEqual(limits, [60_000, 1_000]);
  });
});
