import assert from "node:assert/strict";
import { attempt, makeIntent, recordingReporter, requestFor } from "../support/restore-programs";
import { VirtualClock } from "../support/virtual-clock";
import { thorough } from "../support/thorough";
import { type Fate, goodFate, type Manners, PanelAtWork, plainManners } from "./support/panel-at-work";
import { sessionOn } from "./support/process";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Ten rows a second of other machines, a fifth of them restores. */
function traffic(panel: PanelAtWork, forMs: number): void {
  let made = 0;
  const next = (): void => {
    const machine = String(1_000 + (made % 5_000));
    panel.order(
      { machine, kind: made % 5 === 0 ? "VmRestore" : "backup", point: "9001" },
      "panel",
      "complete",
      made % 5 === 0 ? 40 * second : second,
    );
    if (++made < forMs / 100) panel.time.after(100, next);
  };
  next();
}

const panels: readonly [name: string, manners: Partial<Manners>][] = [
  ["rows that name a disk or a backup", { tie: "target" }],
  ["rows that name machines by the other kind of name", { tie: "alias" }],
  ["rows that only a machine's log tells of", { tie: "log" }],
  ["rows that name their machine", {}],
];

describe("under steady traffic of others", () => {
  for (const [name, manners] of panels) {
    const scene = (forMs: number, fate: Partial<Fate>, more: Partial<Manners> = {}) => {
      const time = VirtualClock.ofLives();
      const panel = new PanelAtWork(time, { ...plainManners, answersAfterMs: 20, ...manners, ...more });
      panel.fates = [
        { ...goodFate, ...fate },
        { ...goodFate, ...fate },
      ];
      panel.order({ kind: "backup", machine: "41" }, "panel", "complete", 1);
      traffic(panel, forMs);
      const process = { ended: false };
      return { time, panel, process, session: sessionOn(panel, process, { requestTimeoutMs: 30 * second }) };
    };

    /** Carries it out, and says how long after its end that was told. */
    const carryOut = async ({ time, panel, session }: ReturnType<typeof scene>, status: string): Promise<number> => {
      await time.run(time.pause(10 * second));
      const plan = requestFor(await time.run(makeIntent(session, "42")));
      const done = attempt(session, plan, "first", recordingReporter()).then((result) => ({ result, at: time.now() }));
      const { result, at } = await time.run(done);
      assert.ok(result.kind !== "not-posted", JSON.stringify(result));
      assert.equal(result.record.status, status, JSON.stringify(result));
      assert.deepEqual(result.record.transactionIds, panel.idsOf(0));
      return at - (panel.posts[0]?.work?.endedAt ?? 0);
    };

    it(`an end is told within ten seconds and one read of the log: ${name}`, async () => {
      const lateMs = await carryOut(scene(5 * minute, { runsForMs: 100 * second }), "complete");
      assert.ok(lateMs <= 11 * second, `${String(lateMs / 1000)} s`);
    });

    it(`within twenty-five seconds where the restore has grown: ${name}`, async () => {
      const parts = { parts: "one after the other", stopMs: 40 * second } as const;
      const lateMs = await carryOut(scene(5 * minute, { runsForMs: 60 * second }, parts), "complete");
      assert.ok(lateMs <= 26 * second, `${String(lateMs / 1000)} s`);
    });

    it(`within a minute more where its chain broke off: ${name}`, async () => {
      const broken = { parts: "at once", leavesRest: true } as const;
      const lateMs = await carryOut(scene(8 * minute, { runsForMs: 60 * second, outcome: "failed" }, broken), "failed");
      assert.ok(lateMs >= minute && lateMs <= minute + 26 * second, `${String(lateMs / 1000)} s`);
    });

    it(`what a killed run has posted is taken up by its end, and that is told as soon: ${name}`, async () => {
      const { time, panel, session, process } = scene(8 * minute, { runsForMs: 3 * minute });
      await time.run(time.pause(10 * second));
      const plan = requestFor(await time.run(makeIntent(session, "42")));
      void attempt(session, plan, "first", recordingReporter());
      await time.run(time.pause(20 * second));
      process.ended = true;
      time.forget(process);
      await time.run(time.pause(20 * second));
      const done = await time.run(attempt(sessionOn(panel), plan, "later", recordingReporter()));
      assert.ok(done.kind === "good", JSON.stringify(done));
      assert.deepEqual([done.record.status, done.record.adopted], ["complete", true]);
      assert.deepEqual(done.record.transactionIds, panel.idsOf(0));
      const lateMs = time.now() - (panel.posts[0]?.work?.endedAt ?? 0);
      assert.ok(lateMs <= 11 * second, `${String(lateMs / 1000)} s`);
      assert.equal(panel.posts.length, 1);
    });

    it(`a look costs as much at the end as at the beginning, and so does the end: ${name}`, async function () {
      this.timeout(10 * minute);
      const forMs = thorough(20 * minute, 4 * hour);
      const { time, panel, session } = scene(forMs, { runsForMs: forMs - minute });
      await time.run(time.pause(10 * second));
      const plan = requestFor(await time.run(makeIntent(session, "42")));
      let told = 0;
      const result = attempt(session, plan, "first", recordingReporter()).then((done) => {
        told = time.now();
        return done;
      });
      const requests: number[] = [];
      for (let passedMs = 0; passedMs < forMs - 5 * minute; passedMs += 5 * minute) {
        const before = panel.requests;
        await time.run(time.pause(5 * minute));
        requests.push(panel.requests - before);
      }
      const [first = 0, ...later] = requests;
      assert.ok(
        later.every((count) => count <= 1.05 * first),
        requests.join(),
      );
      const done = await time.run(result);
      assert.equal(done.kind === "good" && done.record.status, "complete", JSON.stringify(done));
      const lateMs = told - (panel.posts[0]?.work?.endedAt ?? 0);
      assert.ok(lateMs <= 11 * second, `${String(lateMs / 1000)} s`);
    });

    it(`a run that was killed before its POST posts when the quiet time has passed: ${name}`, async () => {
      const { time, panel, session } = scene(8 * minute, { runsForMs: 20 * second });
      await time.run(time.pause(10 * second));
      const plan = requestFor(await time.run(makeIntent(session, "42")));
      await time.run(time.pause(minute));
      const began = time.now();
      const done = await time.run(attempt(sessionOn(panel), plan, "later", recordingReporter()));
      assert.equal(done.kind === "good" && done.record.status, "complete", JSON.stringify(done));
      const afterMs = (panel.posts[0]?.sentAt ?? 0) - began;
      assert.ok(afterMs >= 130 * second && afterMs <= 190 * second, `${String(afterMs / 1000)} s`);
    });
  }
});
