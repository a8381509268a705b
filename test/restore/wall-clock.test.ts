import assert from "node:assert/strict";
import type { RestoreResult } from "../../provider/restore/result";
import type { PanelOptions } from "../../sandbox";
import { attempt, recordingReporter, makeIntent, requestFor } from "../support/restore-programs";
import { virtualPanel, type VirtualPanel } from "../support/virtual-panel";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

const jumps = [
  ["set back by an hour", -hour],
  ["set forward by an hour", hour],
  ["set back by ten years", -10 * 365 * 24 * hour],
] as const;

const runsFor = (seconds: number, others: PanelOptions = {}): PanelOptions => ({
  scenario: { machines: [{ id: 42, recoveryPoints: [1007], restoreSeconds: seconds }] },
  ...others,
});

const reasons = (result: RestoreResult): string =>
  result.kind === "not-posted" ? result.reason : result.kind === "stored" ? result.reasons.join() : "";

/** How long something takes, and whatever else it tells, when the runner's clock stays as it is and when it is set. */
interface Case {
  readonly what: string;
  readonly panel?: PanelOptions;
  run(panel: VirtualPanel): Promise<string>;
}

const cases: readonly Case[] = [
  {
    what: "the look back",
    async run(panel) {
      const intent = await makeIntent(panel.newSession());
      const reporter = recordingReporter();
      const began = panel.clock.now();
      await attempt(panel.newSession(), requestFor(intent), "later", reporter);
      const posted = panel.sandbox.restores()[0]?.requestedAt ?? NaN;
      return `posted after ${String(Math.round((posted - began) / second))} s; ${reporter.said.join("|")}`;
    },
  },
  {
    what: "the limit of being listed",
    async run(panel) {
      panel.sandbox.setFaults({ post: { resetBefore: {} } });
      const session = panel.newSession();
      return reasons(await attempt(session, requestFor(await makeIntent(session)), "first", recordingReporter()));
    },
  },
  {
    what: "the limit of the queue",
    panel: runsFor(60, { slots: 1 }),
    async run(panel) {
      panel.sandbox.addTransaction({ machineId: 42, action: "take_backup", seconds: 8 * 3600, outcome: "complete" });
      const session = panel.newSession();
      const request = requestFor(await makeIntent(session), {
        timeouts: { busyMs: 0, listedMs: 2 * minute, queueMs: 20 * minute, runMs: 4 * hour },
      });
      return reasons(await attempt(session, request, "first", recordingReporter()));
    },
  },
  {
    what: "the limit of the run",
    panel: runsFor(8 * 3600),
    async run(panel) {
      const session = panel.newSession();
      const request = requestFor(await makeIntent(session), {
        timeouts: { busyMs: 0, listedMs: 2 * minute, queueMs: 20 * minute, runMs: 30 * minute },
      });
      return reasons(await attempt(session, request, "first", recordingReporter()));
    },
  },
  {
    what: "the limit of all",
    panel: runsFor(8 * 3600),
    async run(panel) {
      const session = panel.newSession();
      const request = requestFor(await makeIntent(session), {
        timeouts: { busyMs: hour, listedMs: hour, queueMs: 20 * hour, runMs: 20 * hour, totalMs: 45 * minute },
      });
      return reasons(await attempt(session, request, "first", recordingReporter()));
    },
  },
  {
    what: "the limit of a busy machine",
    async run(panel) {
      panel.sandbox.addTransaction({ machineId: 42, action: "take_backup", seconds: 8 * 3600, outcome: "complete" });
      const session = panel.newSession();
      return reasons(await attempt(session, requestFor(await makeIntent(session)), "first", recordingReporter()));
    },
  },
  {
    what: "what is said meanwhile, and the pace of the looks",
    panel: runsFor(3600),
    async run(panel) {
      const session = panel.newSession();
      const reporter = recordingReporter();
      await attempt(session, requestFor(await makeIntent(session)), "first", reporter);
      return `${String(panel.listRequests())} reads; ${reporter.said.join("|")}`;
    },
  },
  {
    what: "the pauses between the tries of a failing panel",
    async run(panel) {
      panel.sandbox.setFaults({ get: { serverError: {} } });
      const session = panel.newSession();
      await assert.rejects(session.feed.newestPage());
      return `${String(panel.listRequests())} tries`;
    },
  },
  {
    what: "the pauses of an outage",
    panel: runsFor(3600),
    async run(panel) {
      const session = panel.newSession();
      const intent = await makeIntent(session);
      panel.sandbox.setFaults({ get: { serverError: { after: 60, times: 200 } } });
      const result = await attempt(session, requestFor(intent), "first", recordingReporter());
      return `${result.kind} after ${String(panel.listRequests())} reads`;
    },
  },
];

/** Runs the case on a new panel; the runner's clock is set again and again while it runs. */
async function outcome(one: Case, byMs: number): Promise<string> {
  const panel = virtualPanel("json", one.panel);
  const { clock } = panel;
  const began = clock.now();
  const end = one.run(panel);
  for (const at of [0.1, 40, 700, 2000]) {
    const cancel = clock.after(at * second, () => {
      clock.setWall(byMs);
    });
    void end.finally(cancel).catch(() => undefined);
  }
  const told = await clock.run(end);
  const took = Math.round((clock.now() - began) / second);
  await clock.advance(0);
  assert.equal(clock.pending, 0, "no timer is left behind");
  return `${String(took)} s: ${told}`;
}

describe("a wall clock that is set while something is waited for", () => {
  for (const one of cases) {
    it(`changes nothing about ${one.what}`, async () => {
      const undisturbed = await outcome(one, 0);
      for (const [, byMs] of jumps) assert.equal(await outcome(one, byMs), undisturbed);
    });
  }

  for (const [how, byMs] of jumps) {
    it(`${how} between the read that decides and the POST: read once more, posted once`, async () => {
      const panel = virtualPanel("json");
      let asked = 0;
      const isWatched = (): Promise<boolean> => {
        if (++asked === 1) panel.clock.setWall(byMs);
        return Promise.resolve(true);
      };
      const session = panel.newSession({ isWatched });
      const intent = await panel.clock.run(makeIntent(session));
      assert.equal(
        (await panel.clock.run(attempt(session, requestFor(intent), "first", recordingReporter()))).kind,
        "good",
      );
      assert.deepEqual([panel.sandbox.acceptedPosts(42), asked], [1, 2]);
    });
  }

  it("tells how old an intent is, when the panel gives no time of its own", async () => {
    const panel = virtualPanel("json");
    const intent = await panel.clock.run(makeIntent(panel.newSession()));
    panel.sandbox.postRestoreAsSomebodyElse(42, 1007, { seconds: 1 });
    await panel.clock.advance(24 * hour);
    // Two thirds of the way are left of a day: the runner's clock says that the intent is older than the window all the same.
    panel.clock.setWall(-8 * hour);
    const result = await panel.clock.run(attempt(panel.newSession(), requestFor(intent), "later", recordingReporter()));
    assert.match(reasons(result), /longer than recovery:adoptWindow/);
  });
});

describe("a runner that was suspended", () => {
  it("between the read that decides and the POST reads again, though its waits stood still", async () => {
    const panel = virtualPanel("json");
    let theirs = 0;
    const isWatched = (): Promise<boolean> => {
      if (theirs === 0) {
        // Hours pass in which the monotonic clock stands still; what remains of them is what the wall clock shows.
        panel.clock.setWall(8 * hour);
        panel.sandbox.postRestoreAsSomebodyElse(42, 1007, { seconds: 600 });
        theirs = panel.clock.now();
      }
      return Promise.resolve(true);
    };
    const session = panel.newSession({ isWatched });
    const intent = await panel.clock.run(makeIntent(session));
    const result = await panel.clock.run(attempt(session, requestFor(intent), "first", recordingReporter()));
    assert.equal(result.kind, "good");
    assert.ok((panel.sandbox.restores()[1]?.requestedAt ?? 0) - theirs >= 600 * second);
  });
});

describe("a wall clock that was wrong", () => {
  for (const [when, atFirst, then] of [
    ["when the intent was made", 10 * hour, -10 * hour],
    ["when it was looked back", 0, -8 * hour],
  ] as const) {
    it(`${when} does not make a restore of eight hours ago young enough to be taken for today's`, async () => {
      const panel = virtualPanel("json", runsFor(20));
      panel.clock.setWall(atFirst);
      const killed = panel.newSession();
      const intent = await panel.clock.run(makeIntent(killed));
      await panel.clock.run(attempt(killed, requestFor(intent), "first", recordingReporter()));
      panel.clock.setWall(then);
      await panel.clock.advance(8 * hour);
      const result = await panel.clock.run(
        attempt(panel.newSession(), requestFor(intent), "later", recordingReporter()),
      );
      assert.match(reasons(result), /8h.* ago, which is longer than recovery:adoptWindow/);
      assert.equal(panel.sandbox.acceptedPosts(42), 1);
    });
  }
});
