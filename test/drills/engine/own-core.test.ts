import assert from "node:assert/strict";
import { restoresOfState } from "../../../drills/judge/state";
import type { PlanRestore } from "../../../drills/judge/stored";
import { createPanelClient } from "../../../provider/panel/client";
import { Secret } from "../../../provider/panel/secrets";
import { attempt } from "../../../provider/restore/attempt";
import { resume, take } from "../../../provider/restore/follow";
import { goodFate, type Manners, PanelAtWork, plainManners } from "../../support/panel-at-work";
import { seeded } from "../../support/process";
import { createSession } from "../../support/session";
import { VirtualClock } from "../../support/virtual-clock";
import { MiniEngine, planOf } from "./support/mini-engine";

/** Plans on the core that restores them, and on a panel whose rows show no more than its manners say. */
class Lab {
  readonly engine = new MiniEngine();
  readonly time = VirtualClock.ofLives();
  readonly panel: PanelAtWork;

  constructor(manners: Partial<Manners> = {}) {
    this.panel = new PanelAtWork(this.time, { ...plainManners, ...manners });
    for (const machine of ["8", "9"]) this.panel.order({ machine, kind: "backup" }, "panel");
  }

  /** Returns the recovery points of its POSTs. The process may be killed right after its first POST. */
  async up(waves: Parameters<typeof planOf>[0], end?: "killed") {
    await this.time.advance(60_000);
    this.engine.pending = this.engine.pending.filter(({ type }) => type === "creating");
    const process = { ended: false };
    const clock = this.time.clockOf(process);
    const client = createPanelClient({
      endpoint: "https://panel.example",
      format: "json",
      username: "operator",
      password: new Secret("password"),
      requestTimeoutMs: 30_000,
      transport: this.panel.transportOf(process),
      clock,
      random: seeded(1),
    });
    const session = createSession({
      client,
      clock,
      random: seeded(1),
      isWatched: () => Promise.resolve(!process.ended),
    });
    const core = { attempt, take, resume, checkAttempt: () => () => Promise.resolve({}) };
    const posts = this.panel.posts.length;
    const died = new Promise<void>((resolve) => {
      if (end === undefined) return;
      this.panel.onSent = () =>
        void setImmediate(() => {
          process.ended = true;
          this.time.forget(process);
          resolve();
        });
    });
    await this.time.run(this.engine.up(planOf(waves), { session, core, died }), 48 * 3_600_000);
    this.panel.onSent = () => undefined;
    return this.panel.posts.slice(posts).map(({ order }) => order.point);
  }

  get verdict() {
    return restoresOfState(this.engine.deployment).plans[0]?.verdict;
  }

  idsOf(restore: string): readonly string[] {
    return (
      restoresOfState(this.engine.deployment).restores.find(({ name }) => name === restore)?.happened.counts?.ids ?? []
    );
  }
}

const bare: Partial<Manners> = {
  tie: "nothing",
  bareRows: true,
  stamps: "none",
  date: false,
  log: "empty",
  link: "none",
};

describe("a restore of a plan that was changed within its run", () => {
  const logs = { logs: { point: "12", paths: ["/logs"] } };
  const dump = (more: Partial<PlanRestore>) => ({ dump: { point: "11", paths: ["/dump"], ...more } });

  it("is sent, and takes no transaction of a later wave", async () => {
    const lab = new Lab();
    await lab.up({ data: dump({}), front: logs });
    assert.deepEqual(await lab.up({ data: dump({ triggers: ["again"] }), front: logs }), ["11", "12"]);
    assert.deepEqual(await lab.up({ data: dump({ triggers: ["again"] }), front: logs }), []);
  });

  for (const tells of ["nothing", "point"] as const)
    it(`is sent after a kill, and takes nothing of what was asked for before: rows tell ${tells}`, async () => {
      const lab = new Lab({ tells });
      assert.deepEqual(await lab.up({ data: { db: { point: "10" } } }, "killed"), ["10"]);
      assert.deepEqual(await lab.up({ data: { db: { point: "99" } } }), ["99"]);
      assert.equal(lab.verdict?.verdict, "passed with warnings");
    });

  for (const tells of ["nothing", "point"] as const)
    it(`and changed back after a kill, is a question: rows tell ${tells}`, async () => {
      const lab = new Lab({ tells });
      await lab.up({ data: { db: { point: "10" } } });
      assert.deepEqual(await lab.up({ data: { db: { point: "99" } } }, "killed"), ["99"]);
      await lab.time.advance(300_000);
      assert.deepEqual(await lab.up({ data: { db: { point: "10" } } }), []);
      assert.equal(lab.verdict?.verdict, "incomplete");
      assert.match(
        lab.verdict.reasons.join("\n"),
        /may have been posted by an earlier attempt[^]*adopt: "\d+"[^]*new triggers/,
      );
      assert.deepEqual(await lab.up({ data: { db: { point: "10", triggers: ["sure"] } } }), ["10"]);
    });

  for (const [name, manners] of [
    ["bare rows", bare] as const,
    ["rows without stamps", { stamps: "none", date: false }] as const,
  ])
    it(`is sent with new triggers, as a question offers: ${name}`, async () => {
      const lab = new Lab(manners);
      await lab.up({ data: { db: { point: "10" } } }, "killed");
      lab.panel.order({ machine: "1", kind: "VmRestore", point: "77" }, "person");
      await lab.time.advance(3_600_000);
      assert.deepEqual(await lab.up({ data: { db: { point: "10" } } }), []);
      assert.deepEqual(await lab.up({ data: { db: { point: "10", triggers: ["sure"] } } }), ["10"]);
      assert.deepEqual(await lab.up({ data: { db: { point: "10", triggers: ["sure"] } } }), []);
    });

  it("takes no transaction of others where the panel has refused it: nothing was sent", async () => {
    const lab = new Lab();
    lab.panel.fates = [{ ...goodFate, answer: "refused", carriedOut: false }];
    await lab.up({ data: { db: { point: "10" } } });
    lab.panel.order({ machine: "1", kind: "VmRestore", point: "10" }, "person");
    await lab.time.advance(120_000);
    assert.deepEqual(await lab.up({ data: { db: { point: "10" } } }), []);
    assert.match(lab.verdict?.reasons.join("\n") ?? "", /adopt: "\d+"/);
    assert.deepEqual(lab.idsOf("db"), []);
  });

  it("leaves the run incomplete where a killed run may have overwritten another machine", async () => {
    const lab = new Lab();
    const front = { content: { machine: "2", point: "21", paths: ["/www"] } };
    await lab.up({ data: { db: { point: "10" } }, front });
    await lab.up({ data: { db: { machine: "2", point: "20" } }, front }, "killed");
    await lab.time.advance(300_000);
    await lab.up({ data: { db: { point: "10" } }, front });
    assert.match(lab.verdict?.reasons.join("\n") ?? "", /db was changed after an `up` that left no record of it/);
    assert.equal(lab.verdict?.verdict, "incomplete");
  });
});
