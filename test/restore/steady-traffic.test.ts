import assert from "node:assert/strict";
import { attempt, makeIntent, recordingReporter, requestFor } from "../support/restore-programs";
import { VirtualClock } from "../support/virtual-clock";
import { goodFate, type Manners, PanelAtWork, plainManners } from "./support/panel-at-work";
import { sessionOn } from "./support/process";

const second = 1_000;
const minute = 60 * second;

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
    const scene = (forMs: number, runsForMs: number) => {
      const time = VirtualClock.ofLives();
      const panel = new PanelAtWork(time, { ...plainManners, answersAfterMs: 20, ...manners });
      panel.fates = [
        { ...goodFate, runsForMs },
        { ...goodFate, runsForMs },
      ];
      panel.order({ kind: "backup", machine: "41" }, "panel", "complete", 1);
      traffic(panel, forMs);
      const process = { ended: false };
      return { time, panel, process, session: sessionOn(panel, process, { requestTimeoutMs: 30 * second }) };
    };

    it(`an end is told within ten seconds and one read of the log: ${name}`, async () => {
      const { time, panel, session } = scene(5 * minute, 100 * second);
      await time.run(time.pause(10 * second));
      const plan = requestFor(await time.run(makeIntent(session, "42")));
      let told = 0;
      const result = attempt(session, plan, "first", recordingReporter()).then((done) => {
        told = time.now();
        return done;
      });
      const done = await time.run(result);
      assert.equal(done.kind === "good" && done.record.status, "complete", JSON.stringify(done));
      const lateMs = told - (panel.posts[0]?.work?.endedAt ?? 0);
      assert.ok(lateMs <= 11 * second, `${String(lateMs / 1000)} s`);
      assert.deepEqual(done.kind === "good" && done.record.transactionIds, panel.idsOf(0));
    });

    it(`a look costs as much at the end as at the beginning: ${name}`, async () => {
      const { time, panel, session } = scene(8 * minute, 7 * minute);
      await time.run(time.pause(10 * second));
      const plan = requestFor(await time.run(makeIntent(session, "42")));
      const result = attempt(session, plan, "first", recordingReporter());
      const requests: number[] = [];
      for (let minutes = 0; minutes < 6; minutes += 1) {
        const before = panel.requests;
        await time.run(time.pause(minute));
        requests.push(panel.requests - before);
      }
      const [first = 0, ...later] = requests;
      assert.ok(
        later.every((count) => count <= 1.2 * first),
        requests.join(),
      );
      await time.run(result);
    });

    it(`a run that was killed before its POST posts when the quiet time has passed: ${name}`, async () => {
      const { time, panel, session } = scene(8 * minute, 20 * second);
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
