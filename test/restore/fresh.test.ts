import assert from "node:assert/strict";
import { NotFoundError } from "../../provider/panel/errors";
import { rowOf } from "../../provider/rows/chains";
import { knownByIds, unseen } from "../../provider/restore/follow-state";
import { following } from "../../provider/restore/following";
import { markOf } from "../../provider/rows/mark";
import type { RestorePlan } from "../../provider/inputs/intent";
import type { RestoreResult } from "../../provider/restore/result";
import { runRestore } from "../../provider/restore/run";
import type { SiteOptions } from "../../provider/restore/site";
import { waitFor } from "../../provider/restore/wait";
import { pause } from "../../provider/plain/clock";
import { VirtualClock } from "../support/virtual-clock";
import { ModelPanel, type Manners, type Post } from "./support/model-panel";
import { plainManners, siteOnModel } from "./support/model-site";
import { forbidden, serverError, timedOut } from "./support/panel-errors";
import { headOf, intentOf, minute, panelAddress, plainWords, planOf, target, timeouts } from "./support/rows";

const second = 1000;

function scene(options: Partial<SiteOptions> = {}, changes: Partial<Manners> = {}) {
  const clock = new VirtualClock();
  const panel = new ModelPanel(clock, { ...plainManners, ...changes });
  const site = siteOnModel(panel, { requestTimeoutMs: 30 * second, ...options });
  const warned: string[] = [];
  const run = (plan: Partial<RestorePlan> = {}): Promise<RestoreResult> => {
    const mark = markOf(headOf(panel.rows().map(rowOf)), panelAddress);
    const whole = planOf(plan);
    return runRestore(site, { ...whole, intent: intentOf({ mark, madeFor: whole.target }) }, "first", {
      progress: () => undefined,
      warn: (text) => warned.push(text),
    });
  };
  /** Somebody else's restore of the machine, right now. */
  const colleague = (runsForMs = minute) =>
    panel.order({ machine: "42", kind: "restore", outcome: "complete", runsForMs });
  /** Others' work, so that one walk down to its oldest row takes as many requests as ten times fewer. */
  const history = (rows: number) => {
    const [oldest] = panel.order({ machine: "43", kind: "restore", outcome: "complete", runsForMs: 10 * 60 * minute });
    for (let i = 0; i < rows; i++) panel.order({ machine: "44", kind: "backup", outcome: "complete", runsForMs: 1 });
    return oldest!;
  };
  /** Waits for a row far down, as a run does that goes on with an earlier restore of another machine. */
  const waitFarDown = (id: string): Promise<unknown> =>
    waitFor(
      site,
      following({
        target: { ...target, virtualMachineId: "43" },
        words: plainWords,
        timeouts,
        identifiers: site.identifiers,
        isClaimed: () => false,
        until: "listed",
      }),
      { ...unseen(knownByIds, clock.now(), undefined), ids: [id] },
      { machine: "43" },
    );
  return { clock, panel, site, run, colleague, history, waitFarDown, warned };
}

/** How long somebody else's restore of the machine had been listed, and not ended, when ours was posted. */
function longestOverlooked(panel: ModelPanel, post: Post): number {
  return Math.max(
    0,
    ...panel.jobs
      .filter((job) => job.machine === post.machine && job.listedAt < post.at && post.at < job.endsAt)
      .map((job) => post.at - job.listedAt),
  );
}

describe("what decides about a POST", () => {
  it("was read a moment before it, however long the walk under way takes and whenever somebody else restores", async () => {
    for (let at = 0; at <= 60; at += 1.5) {
      const { clock, panel, run, colleague, history, waitFarDown } = scene({}, { answersAfterMs: second });
      const far = history(195);
      const other = waitFarDown(far.id);
      const result = run();
      const theirs = pause(clock, at * second).then(() => colleague());
      await clock.run(Promise.all([result, theirs, other]));
      const [post] = panel.posts;
      assert.ok(post, "posted");
      const overlooked = longestOverlooked(panel, post);
      assert.ok(overlooked <= 3 * second, `at ${String(at)} s: overlooked for ${String(overlooked / second)} s`);
      assert.equal(clock.pending, 0);
    }
  });

  it("is read again when the question whether the run is watched took longer than a moment", async () => {
    let asked = 0;
    const isWatched = async (): Promise<boolean> => {
      if (++asked === 1) await pause(clock, 10 * second);
      return true;
    };
    const { clock, panel, run, colleague } = scene({ isWatched });
    const ours = run();
    await clock.advance(5 * second);
    const [theirs] = colleague();
    const result = await clock.run(ours);
    assert.equal(panel.posts.length, 1);
    assert.ok(panel.posts[0]!.at >= theirs!.endsAt, "posted while the colleague's restore was under way");
    assert.ok(result.kind === "good");
    assert.deepEqual(
      result.record.transactionIds,
      panel.posts[0]!.jobs.map(({ id }) => id),
    );
    assert.equal(clock.pending, 0);
  });

  it("keeps the place that was waited for while it is read again, and gives it up when the machine is busy", async () => {
    let asked = 0;
    const isWatched = async (): Promise<boolean> => {
      if (++asked === 1) await pause(clock, 10 * second);
      return true;
    };
    const { clock, panel, run, colleague } = scene({ isWatched, maxConcurrent: 1 });
    const ours = run();
    await clock.advance(5 * second);
    const [theirs] = colleague(5 * minute);
    const beside = run({ target: { ...target, virtualMachineId: "45" } });
    const [first, second_] = await clock.run(Promise.all([ours, beside]));
    assert.deepEqual([first.kind, second_.kind], ["good", "good"]);
    assert.deepEqual(
      panel.posts.map(({ machine }) => machine),
      ["45", "42"],
    );
    assert.ok(panel.posts[1]!.at >= theirs!.endsAt);
    assert.equal(clock.pending, 0);
  });
});

describe("a runner that is held up each time before the POST", () => {
  it("sends nothing, says so, and gives back its place", async () => {
    let isHeldUp = true;
    const isWatched = async (): Promise<boolean> => {
      if (isHeldUp) await pause(clock, 10 * second);
      return true;
    };
    const { clock, panel, run } = scene({ isWatched, maxConcurrent: 1 });
    const result = await clock.run(run());
    assert.ok(result.kind === "not-posted");
    assert.match(result.reason, /was not sent: .* was no longer new when it was to be sent: this runner is too busy/);
    assert.equal(panel.posts.length, 0);
    isHeldUp = false;
    assert.equal((await clock.run(run())).kind, "good");
    assert.equal(clock.pending, 0);
  });
});

describe("a machine's log that has to tell whose a row is", () => {
  it("is waited for though it takes longer than the next look", async () => {
    const { clock, panel, run } = scene({}, { tie: "log", logAnswersAfterMs: 15 * second });
    const [backup] = panel.order({ machine: "42", kind: "backup", outcome: "complete", runsForMs: 5 * minute });
    await clock.run(run({ timeouts: { ...timeouts, totalMs: 30 * minute } }));
    assert.equal(panel.posts.length, 1);
    assert.ok(panel.posts[0]!.at >= backup!.endsAt, "posted while the machine's backup was under way");
    assert.equal(clock.pending, 0);
  });

  it("clears a row of another machine, and then the list is read again before the POST", async () => {
    const { clock, panel, run, colleague } = scene({}, { tie: "log", logAnswersAfterMs: 15 * second });
    panel.order({ machine: "43", kind: "backup", outcome: "complete", runsForMs: 60 * minute });
    const ours = run();
    await clock.advance(8 * second);
    const [theirs] = colleague();
    await clock.run(ours);
    assert.equal(panel.posts.length, 1);
    assert.ok(panel.posts[0]!.at >= theirs!.endsAt, "posted while the colleague's restore was under way");
  });

  it("that fails now and then is asked again", async () => {
    let reads = 0;
    const logFails = () => (++reads <= 2 ? serverError() : undefined);
    const { clock, panel, run, warned } = scene({}, { tie: "log", logFails });
    const [backup] = panel.order({ machine: "42", kind: "backup", outcome: "complete", runsForMs: 5 * minute });
    await clock.run(run());
    assert.ok(panel.posts[0]!.at >= backup!.endsAt, "posted while the machine's backup was under way");
    assert.deepEqual(warned, []);
  });

  const unreadable: readonly [how: string, error: () => Error, afterMs: number][] = [
    ["is refused", forbidden, 0],
    [
      "does not exist",
      () => new NotFoundError({ address: panelAddress, method: "GET", path: "/logs", status: 404 }),
      0,
    ],
    ["fails again and again", serverError, 15 * second],
  ];
  for (const [how, error, afterMs] of unreadable) {
    it(`and ${how} does not keep the restore back, and the row it was to tell about is named`, async () => {
      const { clock, panel, run, warned } = scene({}, { tie: "log", logFails: error });
      panel.order({ machine: "43", kind: "backup", outcome: "complete", runsForMs: 60 * minute });
      const began = clock.now();
      await clock.run(run());
      const waited = panel.posts[0]!.at - began;
      assert.ok(waited >= afterMs && waited <= minute, String(waited));
      assert.match(
        warned.join(),
        /transaction 5000 does not say which machine it is of, and the machine's log.*cannot be read \(.*\); it was not waited for/,
      );
      assert.equal(clock.pending, 0);
    });
  }

  const slow: readonly [how: string, failures: readonly (() => Error)[]][] = [
    ["whose reads all time out", [timedOut]],
    ["whose reads time out and fail in turn", [timedOut, timedOut, serverError, timedOut]],
  ];
  for (const [how, failures] of slow) {
    it(`and ${how} is slow, and keeps the restore back for as long as the busy limit lasts`, async () => {
      let reads = 0;
      const logFails = () => failures[Math.min(reads++, failures.length - 1)]?.();
      const { clock, panel, run, warned } = scene({}, { tie: "log", logFails });
      panel.order({ machine: "42", kind: "backup", outcome: "complete", runsForMs: 120 * minute });
      const began = clock.now();
      const result = await clock.run(run({ timeouts: { ...timeouts, busyMs: 10 * minute } }));
      assert.equal(panel.posts.length, 0, "posted while the machine's backup was under way");
      assert.ok(result.kind === "not-posted");
      assert.match(
        result.reason,
        /transaction 5000 does not say which machine it is of, and the machine's log, which has to tell, has not answered within the busy limit of 10m\./,
      );
      assert.ok(clock.now() - began >= 10 * minute);
      assert.ok(reads > 3);
      assert.deepEqual(warned, []);
      assert.equal(clock.pending, 0);
    });
  }

  it("that times out for a while and then answers is believed", async () => {
    let reads = 0;
    const { clock, panel, run } = scene({}, { tie: "log", logFails: () => (++reads <= 6 ? timedOut() : undefined) });
    const [backup] = panel.order({ machine: "42", kind: "backup", outcome: "complete", runsForMs: 20 * minute });
    await clock.run(run());
    assert.ok(panel.posts[0]!.at >= backup!.endsAt, "posted while the machine's backup was under way");
  });

  it("and does not answer within the limit keeps it back, and the message names the row", async () => {
    const { clock, panel, run } = scene({}, { tie: "log", logAnswersAfterMs: 60 * minute });
    panel.order({ machine: "43", kind: "backup", outcome: "complete", runsForMs: 120 * minute });
    const result = await clock.run(run({ timeouts: { ...timeouts, busyMs: minute } }));
    assert.equal(panel.posts.length, 0);
    assert.ok(result.kind === "not-posted");
    assert.match(
      result.reason,
      /was not sent: transaction 5000 does not say which machine it is of, and the machine's log, which has to tell, has not answered within the busy limit of 1m\. A longer timeouts\.busy waits longer, busy: 0 posts without asking\. Nothing was changed/,
    );
    assert.equal(clock.pending, 0);
  });
});
