import assert from "node:assert/strict";
import type { Core } from "../../../drills/engine/one-restore";
import { whatHappened } from "../../../drills/judge/history";
import { readRecord } from "../../../drills/judge/read";
import { restoresOfState } from "../../../drills/judge/state";
import type { PlanRestore, PlanText } from "../../../drills/judge/stored";
import { attempt } from "../../../provider/restore/attempt";
import { resume, take } from "../../../provider/restore/follow";
import { virtualPanel, type VirtualPanel } from "../../support/virtual-panel";
import { MiniEngine, planOf, type Up } from "./support/mini-engine";

const panelAddress = "https://panel.example";

/** A wave on the sandbox, through the real core, on virtual time. */
describe("a wave", () => {
  let panel: VirtualPanel;
  let engine: MiniEngine;
  let checkPasses: boolean;
  beforeEach(() => {
    panel = virtualPanel("json");
    engine = new MiniEngine();
    checkPasses = true;
  });
  afterEach(() => {
    assert.equal(panel.clock.pending, 0, "no timer is left behind");
  });

  const restore = (machine: string, point: string, more: Partial<PlanRestore> = {}): PlanRestore => ({
    machine,
    point,
    checks: [],
    ...more,
  });
  const plan = (restores: Readonly<Record<string, PlanRestore>>, more: Partial<PlanText> = {}): PlanText =>
    planOf({ data: restores }, more);
  const three = {
    db: restore("43", "1008", { checks: [{ name: "tcp", kind: "tcp", asks: "tcp" }] }),
    web: restore("42", "1007"),
    content: restore("42", "1007", { paths: ["/var/www"] }),
  };

  /** One `up` in a process of its own. */
  async function up(of: PlanText, how: Partial<Up> = {}): Promise<readonly string[] | undefined> {
    const session = panel.newSession();
    const core: Core = {
      attempt,
      resume,
      take,
      checkAttempt: () => () => Promise.resolve(checkPasses ? {} : { problem: "ECONNREFUSED" }),
    };
    engine.log.length = 0;
    engine.rows.length = 0;
    return panel.clock.run(engine.up(of, { session, core, died: new Promise(() => undefined), ...how }));
  }
  const verdict = () => restoresOfState(engine.deployment).plans[0]?.verdict;
  const did = (name: string): readonly string[] =>
    readRecord(engine.of("Wave", "wave-data")?.outputs["record"])?.restores[name]?.map((event) => event.did) ?? [];
  const posts = (): readonly number[] => [42, 43, 44].map((machine) => panel.sandbox.acceptedPosts(machine));

  it("posts each restore once, in the order of its machine, and does nothing when it is asked again", async () => {
    assert.deepEqual(await up(plan(three)), []);
    assert.deepEqual(posts(), [2, 1, 0]);
    assert.deepEqual(did("db"), ["posted", "listed", "ended", "checked"]);
    assert.equal(verdict()?.verdict, "passed", verdict()?.reasons.join());
    const requests = panel.paths().length;
    assert.deepEqual(await up(plan(three)), []);
    assert.equal(panel.paths().length, requests);
    assert.deepEqual(engine.log, []);
    const [, content] = panel.sandbox.restores().filter(({ machineId }) => machineId === "42");
    assert.deepEqual(content?.paths, ["/var/www"]);
  });

  it("says in the preview what has failed, restores it again after the quiet time, and tells the wait", async () => {
    panel.sandbox.failNext(43, "failed");
    const errors = await up(plan(three));
    assert.match(
      errors?.join("\n") ?? "",
      /^1 of 3 restores of the wave is not complete and checked: db\. .*\n {2}restore "db" .*failed/,
    );
    assert.deepEqual(posts(), [2, 1, 0]);
    assert.equal(verdict()?.verdict, "failed");
    assert.deepEqual(await up(plan(three)), []);
    const waits = engine.rows.filter((text) => text.includes("looking for"));
    assert.match(waits[0] ?? "", /^2 of 3 done, db: looking for a newer restore of the machine, until /);
    assert.ok(waits.length <= 4, "the same text is repeated ever more rarely");
    assert.match(engine.log[0] ?? "", /^1 of 3 will be restored again: db \(failed\) after 2m 30s, as the request of an earlier attempt may be listed that late\n {2}db: transaction \d+ failed$/); // prettier-ignore
    assert.deepEqual(posts(), [2, 2, 0]);
    assert.equal(verdict()?.verdict, "passed with warnings");
    assert.match(verdict()?.reasons.join("\n") ?? "", /ended as failed.*2m \d\ds of it before later attempts/s);
  });

  it("takes what a killed run had sent, and sends nothing", async () => {
    await up(plan({ web: three.web }), { exclude: ["wave-data", "verdict"] });
    // Killed behind the POSTs: the wave has stored nothing.
    const killed = engine.up(plan({ web: three.web }), {
      session: panel.newSession(),
      core: { attempt, resume, take, checkAttempt: () => () => Promise.resolve({}) },
      died: panel.clock.pause(60_000),
    });
    assert.equal(await panel.clock.run(killed), undefined);
    assert.deepEqual(restoresOfState(engine.deployment).plans[0]?.verdict?.counts, { sent: 1 });
    await panel.clock.advance(3_600_000);
    assert.deepEqual(posts(), [1, 0, 0]);
    engine.resources.delete([...engine.resources.keys()].find((urn) => urn.endsWith("wave-data")) ?? "");
    assert.deepEqual(await up(plan({ web: three.web })), []);
    assert.deepEqual(did("web"), ["adopted", "listed", "ended"]);
    assert.deepEqual(posts(), [1, 0, 0]);
    assert.match(
      verdict()?.reasons.join("\n") ?? "",
      /web was adopted \(transaction \d+\): an earlier attempt had sent it/,
    );
  });

  it("restores again what was changed, and what comes after it on its machine, and nothing else", async () => {
    await up(plan(three));
    assert.deepEqual(await up(plan({ ...three, web: restore("42", "1007", { triggers: [1] }) })), []);
    assert.match(
      engine.log[0] ?? "",
      /^2 of 3 will be restored again: web, content\n {2}web: triggers changed: .*\n {2}content: behind web/,
    );
    assert.equal(engine.log.length, 1, "the wave does not repeat what its intent has announced");
    assert.deepEqual(posts(), [4, 1, 0]);
    assert.match(
      verdict()?.reasons.join("\n") ?? "",
      /waves.data.web.triggers was changed|waves.data.web.triggers was added/,
    );
  });

  it("restores again what came after a restore that is taken out, and says so", async () => {
    await up(plan(three));
    const { db, content } = three;
    assert.deepEqual(await up(plan({ db, content })), []);
    assert.match(
      engine.log[0] ?? "",
      /content: the previous restore of its machine was taken out: machine 42 from 1007$/,
    );
  });

  it("sends nothing behind a restore that is not complete", async () => {
    panel.sandbox.failNext(42, "failed");
    const errors = await up(plan(three));
    assert.match(
      errors?.join("\n") ?? "",
      /content: not sent: web, the previous restore of machine 42, is not complete/,
    );
    assert.deepEqual(posts(), [1, 1, 0]);
  });

  it("runs a check again until it passes, and sends nothing for it", async () => {
    checkPasses = false;
    assert.match((await up(plan(three)))?.join("\n") ?? "", /db: check tcp did not pass: ECONNREFUSED/);
    assert.equal(verdict()?.verdict, "failed");
    await up(plan(three));
    assert.deepEqual(did("db"), ["posted", "listed", "ended", "checked"], "a record does not grow with each `up`");
    checkPasses = true;
    assert.deepEqual(await up(plan(three)), []);
    assert.deepEqual(posts(), [2, 1, 0]);
    assert.equal(verdict()?.verdict, "passed with warnings");
  });

  it("runs a check again that asks something else now, whatever its name", async () => {
    const asking = (asks: string): PlanText =>
      plan({ ...three, db: restore("43", "1008", { checks: [{ name: "tcp", kind: "tcp", asks }] }) });
    await up(asking("10.0.0.43:5432"));
    assert.deepEqual(did("db"), ["posted", "listed", "ended", "checked"]);
    checkPasses = false;
    assert.match((await up(asking("10.0.0.44:5432")))?.join("\n") ?? "", /db: check tcp did not pass: ECONNREFUSED/);
    assert.equal(verdict()?.verdict, "failed");
    assert.match(verdict()?.reasons.join("\n") ?? "", /waves\.data\.db\.checks was changed/);
    await up(asking("10.0.0.43:5432"));
    assert.deepEqual(did("db"), ["posted", "listed", "ended", "checked", "checked"], "its own answer is known");
    assert.deepEqual(posts(), [2, 1, 0]);
  });

  it("tells another order of the restores of one machine as a change", async () => {
    const logs = restore("42", "1007", { paths: ["/var/log"] });
    await up(plan({ ...three, logs }));
    const { web, content, db } = three;
    assert.deepEqual(await up(plan({ db, web, logs, content })), []);
    const changed = verdict()?.reasons.filter((text) => text.includes("the plan was changed"));
    assert.match(
      changed?.join() ?? "",
      /: waves\.data: the order of machine 42 was web, content, logs, is web, logs, content$/,
    );
    assert.equal(changed?.length, 1);
  });

  it("measures no time for an end between two runs that a check has followed hours later", async () => {
    const timed = plan({ db: { ...three.db, goals: { recoveryTimeSeconds: 3_600 } } });
    panel.sandbox.failNext(43, "failed");
    await up(timed);
    const id = panel.sandbox.postRestoreAsSomebodyElse(43, 1008);
    await panel.clock.advance(9 * 3_600_000);
    assert.match(
      (await up(timed))?.join("\n") ?? "",
      /^run Q1 is incomplete, .*\n {2}db: recovery time not measured, goal 1h/,
    );
    assert.deepEqual(did("db"), ["posted", "listed", "ended", "adopted", "listed", "ended", "checked"], id);
    assert.equal(verdict()?.recoveryTimeSeconds, undefined);
  });

  it("takes a transaction that adopt names, with the row's own point", async () => {
    const id = panel.sandbox.postRestoreAsSomebodyElse(44, 1009);
    await panel.clock.advance(3_600_000);
    assert.deepEqual(await up(plan({ mail: restore("44", "1009", { adopt: id }) })), []);
    assert.deepEqual(posts(), [0, 0, 0]);
    assert.deepEqual(did("mail"), ["adopted", "listed", "ended"]);
  });

  it("goes on from the record of what --replace has deleted, and sends nothing", async () => {
    await up(plan(three));
    assert.deepEqual(await up(plan(three), { replace: ["run", "wave-data-intent", "wave-data", "verdict"] }), []);
    assert.match(engine.log.join("\n"), /made anew from its own record/);
    assert.deepEqual(posts(), [2, 1, 0]);
    assert.equal(verdict()?.verdict, "passed");
  });

  it("refuses a name that was used before, a wave that is taken out, and a restore that changes its wave", async () => {
    await up(plan(three));
    assert.match((await up(planOf({ data: {}, front: three })))?.join("\n") ?? "", /db belongs to wave data in run Q1/);
    assert.match((await up(plan({}, { waves: [] })))?.join("\n") ?? "", /wave data belongs to run Q1/);
    assert.deepEqual(await up(plan(three, { run: "Q2" })), []);
    assert.match((await up(plan(three)))?.join("\n") ?? "", /run Q1 was begun at/);
    assert.deepEqual(posts(), [4, 2, 0]);
  });

  it("restores nothing for a run that --target leaves out, which would use its name twice", async () => {
    await up(plan(three));
    assert.deepEqual(await up(plan(three, { run: "Q2" }), { exclude: ["run", "verdict"] }), []);
    assert.deepEqual(await up(plan(three)), []);
    assert.deepEqual(posts(), [2, 1, 0]);
    assert.equal(verdict()?.verdict, "passed");
  });

  it("keeps the panel's address with every mark, and sends nothing on another panel", async () => {
    panel.sandbox.failNext(42, "failed");
    await up(plan({ web: three.web }));
    const session = panel.newSession();
    const elsewhere = { ...session, client: { ...session.client, address: "https://other.example" } };
    assert.match(
      (await up(plan({ web: three.web }), { session: elsewhere }))?.join("\n") ?? "",
      new RegExp(`asked for on the panel ${panelAddress}`),
    );
    const events = readRecord(engine.of("Wave", "wave-data")?.outputs["record"])?.restores["web"] ?? [];
    assert.equal(whatHappened(events, events[0]?.entry).attempts.length, 1);
    assert.deepEqual(posts(), [1, 0, 0]);
  });
});
