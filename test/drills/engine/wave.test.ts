import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { firstText } from "../../../drills/engine/preview";
import { plannedResults } from "../../../drills/program/results";
import { assertGolden } from "../../support/golden";
import { goodFate } from "../../support/panel-at-work";
import { Process } from "../../support/process";
import { type How, PlanLab, planOf, restore } from "./support/plan-lab";

it("a plan's preview names at most twenty restores of a wave, four of them in its first line, and counts the rest", () => {
  const many = [...Array(20).keys()].map((nth) => [`vm${String(nth)}`, { machine: "42", point: "7" }] as const);
  const [later, before] = [{ machine: "(known only later)", point: "8" }, "2026-11-20T09:30:00Z"];
  const web = { machine: "43", point: { pick: "newest" } } as const;
  const files = { machine: "44", point: { pick: "oldest", before }, paths: ["/srv"] } as const;
  const text = firstText({ later, web, files, ...Object.fromEntries(many) }, undefined);
  const named = ["a machine not yet known (8)", "43 (newest)", "44 (files, oldest before)", "42 (7) and 19 more"];
  assert.equal(text.split("\n")[0], `overwrites ${named.join(", ")}`);
  assert.match(text, /\n {2}vm16: machine 42 from recovery point 7\nand 3 more$/);
  assert.match(firstText({ web }, before), /^overwrites 43 \(newest before\)\n/);
});

/** Runs a wave on an in-memory panel with the real core, in virtual time. `waves.txt` holds everything that each test's `up`s show and send, and the verdicts. */
describe("a wave", () => {
  let lab: PlanLab;
  beforeEach(() => {
    lab = new PlanLab({ tells: "point and paths" });
  });
  afterEach(function () {
    assert.equal(lab.time.pending, 0, "no timer is left behind");
    const sent = lab.panel.posts.map(({ order: { machine, point = "" } }) => `${machine} (${point})`).join(", ");
    const text = lab.transcript.join("\n").replaceAll(/(?<=until |began at )[\d:.TZ-]+|\d\d:\d\d(?= UTC)/g, "<time>");
    assertGolden("waves.txt", this.currentTest?.title ?? "", `${text}\nsent: ${sent}`);
  });

  const plan = (restores: object, more: object = {}) => planOf({ data: { ...restores } }, more);
  const asking = (tcp: string) => restore("43", "1008", { checks: [{ tcp, name: "tcp", within: 1 }] });
  const three = {
    db: asking("10.0.0.43:5432"),
    web: restore("42", "1007"),
    content: restore("42", "1007", { paths: ["/var/www"] }),
  };
  const { db, web, content } = three;
  const checkedWeb = { ...web, checks: [{ tcp: "web:1", within: 1 }] };

  const refused = (): void => void (lab.answer = () => ({ problem: "ECONNREFUSED" }));
  const passing = (): void => void (lab.answer = () => ({}));
  const good = async (of: object, how?: How): Promise<void> => assert.deepEqual(await lab.up(of, how), []);
  const bad = async (of: object, how?: How): Promise<void> => assert.notDeepEqual(await lab.up(of, how), []);
  const failNext = (machine: string): void => {
    lab.panel.onMade = (work) => {
      if (work.machine !== machine) return;
      work.outcome = "failed";
      lab.panel.onMade = () => undefined;
    };
  };
  const did = (name: string) => String(lab.eventsOf(name).map((event) => event.did));

  it("completes the other machines when a restore fails, waits before sending it again while it shows their progress, and reports the wait", async () => {
    lab.panel.fates = [goodFate, { ...goodFate, runsForMs: 60_000 }];
    failNext("43");
    await bad(plan(three));
    failNext("42");
    const some = plan({ web: checkedWeb, content, db }, { run: "Q2" });
    await bad(some);
    await good(some);
  });

  it("shows in the preview which restores, in this wave and the next, wait for a restore that was cancelled", async () => {
    lab.panel.fates = [{ ...goodFate, outcome: "cancelled" }];
    const front = { logs: restore("42", "1007", { paths: ["/var/log"] }) };
    const both = planOf({ data: { web, content }, front }, { onFailure: "continue" });
    for (let time = 0; time < 2; time++) await bad(both);
  });

  it("after a missed goal, advises a new run, and says what the next `up` continues", async () => {
    const missed = (run: string) => plan({ web }, { goals: { recoveryTime: "1s" }, run, onFailure: "continue" });
    await bad(missed("Q1"));
    failNext("42");
    await bad(missed("Q2"));
  });

  it("asks the user when a complete restore's new triggers are reverted before they reach the wave", async () => {
    await good(plan({ web }));
    await lab.up(plan({ web: { ...web, triggers: ["again"] } }), { exclude: ["wave-data"] });
    await bad(plan({ web }));
    await good(plan({ web: { ...web, adopt: "5001" } }));
  });

  it("repeats a complete and checked restore only with new triggers, and loses nothing when a refused change is reverted", async () => {
    const other = { ...db, recoveryPointId: "2001" };
    await good(plan(three));
    for (let time = 0; time < 2; time++) {
      await bad(plan({ ...three, db: other }));
      await good(plan(three));
    }
    await good(plan({ ...three, db: { ...other, triggers: ["the point was bad"] } }));
  });

  it("sends a restore whose point was corrected after a kill, and says that the earlier request may have been sent", async () => {
    const of = (recoveryPointId: string) => plan({ db: { ...db, recoveryPointId } });
    await lab.up(of("1008"), { kill: { at: "after a POST", after: 0 } });
    await good(of("2001"));
  });

  it("checks a machine again after its files are restored again, and names the file restore that a new restore overwrites", async () => {
    await good(plan({ web: checkedWeb, content }));
    refused();
    await bad(plan({ web: checkedWeb, content: { ...content, triggers: [1] } }));
    passing();
    await bad(plan({ web: { ...checkedWeb, triggers: [2] }, content: { ...content, triggers: [1] } }));
  });

  it("names the restore in a later wave that a new restore overwrites", async () => {
    const of = (triggers: number) => planOf({ data: { web: { ...web, triggers: [triggers] } }, front: { content } });
    await good(of(1));
    await bad(of(2));
  });

  it("reports restores queued behind a failed restore, in this wave or the next, as not sent, and lets you remove them", async () => {
    lab.panel.onMade = (work) => void (work.outcome = work.machine === "42" ? "failed" : "complete");
    const files = { ...content, paths: ["/srv"] };
    const all = (more: object) => planOf({ data: { web, ...more }, front: { db, files } }, { onFailure: "continue" });
    for (let again = 0; again < 3; again++) await bad(all({ content }));
    lab.panel.onMade = () => undefined;
    await good(all({}));
  });

  it("says that a restore queued behind a failed restore may have been sent if the failed restore was not repeated, because a killed `up` might have sent both", async () => {
    lab.panel.onMade = (work) => void (work.outcome = "failed");
    for (const more of [{}, { retryFailed: false }, {}]) await bad(plan({ web: { ...web, ...more }, content }));
  });

  it("leaves complete restores alone when the plan's rule or incident changes, and chooses a new point for all others", async () => {
    lab.panel.points = ["1", "5"].map((id) => ({ id, created_at: `2026-11-20T0${id}:00:00Z` }));
    const checks = [{ tcp: "db:1", within: 1 }];
    const two = { db: { virtualMachineId: "43", checks }, web: { virtualMachineId: "42" } };
    const byRule = (more: object) => plan(two, { recoveryPoint: "newest", ...more });
    failNext("42");
    await bad(byRule({}));
    await bad(byRule({ incidentAt: "2026-11-20T03:00:00Z" }));
    const [{ restores }, { record }] = [lab.outputsOf("wave-data-intent"), lab.outputsOf("wave-data")] as const;
    const results = plannedResults([{ name: "data", restores, record }]);
    assert.deepEqual([results["db"]?.status, results["db"]?.recoveryPointId], ["complete", "5"]);
    for (let time = 0; time < 2; time++) await good(byRule({ recoveryPoint: { pick: "oldest" } }));
  });

  it("names only failed restores, not unchanged ones, when an intent is previewed with --replace", async () => {
    lab.panel.points = [{ id: "1", created_at: "2026-11-20T01:00:00Z" }];
    const byRule = (pick: string, ...triggers: readonly string[]) => {
      const restores = { db: { virtualMachineId: "43" }, web: { virtualMachineId: "42", triggers } };
      return plan(restores, { recoveryPoint: { pick }, onFailure: "continue" });
    };
    await good(byRule("newest"));
    await good(byRule("oldest"));
    assert.deepEqual(await said(), []);
    failNext("42");
    await lab.up(byRule("oldest", "again"));
    // An unknown adopt may turn out to be unset.
    for (const more of [{}, { __options: pulumi.runtime.unknownValue }])
      assert.match(
        (await said(more)).join(),
        /^1 of 2 will be restored again: web \(failed\)\n {2}web: transaction \d+ failed: /,
      );

    /** Makes the engine's calls, including the second check of a replaced resource, and returns the wave's warnings. */
    async function said(more: object = {}): Promise<readonly string[]> {
      const transportOf = () => () => assert.fail("a preview sends no request");
      const { operations, warnings } = new Process("preview", { time: lab.time, transportOf });
      const part = (name: string) =>
        lab.engine.state.find(({ urn }) => urn.endsWith(`::shop-${name}`)) ?? assert.fail(name);
      const [run, intent, wave] = [part("run"), part("wave-data-intent"), part("wave-data")];
      await operations.PlanRun?.check(run.inputs, run.inputs);
      for (const olds of [intent.inputs, {}]) await operations.WaveIntent?.check(olds, intent.inputs);
      await operations.Wave?.check(wave.inputs, wave.inputs);
      await operations.Wave?.diff("", wave.outputs, {
        ...wave.inputs,
        __restores: pulumi.runtime.unknownValue,
        ...more,
      });
      return warnings;
    }
  });

  it("reports reordered restores of one machine, and added restores, as changes", async () => {
    const logs = restore("42", "1007", { paths: ["/var/log"] });
    await good(plan({ ...three, logs }));
    await good(plan({ db, web, logs, content }));
    const added = { mail: restore("44", "1009"), relay: restore("45", "1009") };
    await good(plan({ db, web, logs, content, ...added }));
  });

  it("repeats a check that was changed, or changed back, until it passes, without sending anything", async () => {
    await good(plan(three));
    assert.equal(did("db"), "posted,listed,ended,checked");
    refused();
    await bad(plan({ ...three, db: asking("10.0.0.44:5432") }));
    for (const why of ["it passed before the other failed", "the record does not grow with each `up`"]) {
      await bad(plan(three));
      assert.equal(did("db"), "posted,listed,ended,checked,checked,checked", why);
    }
    passing();
    await good(plan(three));
  });

  it("measures the recovery time until a failed check's replacement passes, whatever the replacement's name, and ignores checks added later", async () => {
    const checked = (...hosts: readonly string[]) => {
      const checks = hosts.map((host) => ({ tcp: `${host}:1`, within: 1, after: host === "slow" ? 60 : 0 }));
      return plan({ db: { ...db, checks } });
    };
    lab.answer = (probe) => (JSON.stringify(probe).includes("wrong") ? { problem: "ECONNREFUSED" } : {});
    await bad(checked("wrong", "slow"));
    await lab.time.advance(3_600_000);
    await good(checked("right", "slow"));
    const seconds = lab.verdict?.recoveryTimeSeconds;
    assert.ok((seconds ?? 0) > 3_600, lab.reasons);
    await good(checked("right", "slow", "added"));
    assert.equal(lab.verdict?.recoveryTimeSeconds, seconds);
  });

  it("keeps the output of a failed check, but hides what the check sends, such as every line of a key", async () => {
    const key = [...Array(500).keys()].map((nth) => `line ${String(nth)} ${"0123456789".repeat(3)}`).join("\n");
    const [path, sql, authorization] = ["/health?key=hunter2", "SELECT 1; ", "Bearer it's"];
    const outputs = { command: `0 rows\n${key}\n${sql}\n`, http: `https://db${path}, ${path}, ${authorization}` };
    lab.answer = ({ kind }) => ({ problem: "no row", output: outputs[kind as "http"] });
    const rows = { name: "rows", command: ["./rows.sh", sql], within: "1s", env: { KEY: key } };
    const health = { name: "health", http: `https://db${path}`, within: "1s", headers: { authorization } };
    await bad(plan({ db: { ...db, checks: [rows, health] } }));
    const logs = "check rows:\n0 rows\n[secret]\n[secret]\n\n\ncheck health:\n[secret], [secret], [secret]";
    assert.deepEqual(JSON.parse(String(lab.outputsOf("wave-data")["logs"])), { db: logs });
  });

  it("refuses to reuse a run name, remove a wave, or move an already sent restore to another wave", async () => {
    await good(planOf({ data: { ...three }, front: {} }));
    await bad(planOf({ data: { web, content }, front: { db } }));
    await bad(planOf({ data: { db, shop: web, content }, front: {} }));
    await bad(planOf({ front: {} }));
    const mail = restore("44", "1009");
    const later = planOf({ data: { ...three }, front: { mail } });
    await good(later);
    for (const moved of [{ mail }, { post: mail }])
      for (const front of [{}, { relay: restore("45", "1") }, { files: { ...mail, paths: ["/var/mail"] } }])
        await bad(planOf({ data: { ...three, ...moved }, front }));
    await good(later);
    await good(plan(three, { run: "Q2" }));
    for (const how of [{}, { replace: ["run"] }, {}]) await bad(plan(three), how);
  });

  for (const without of ["run", "wave-data-intent", "wave-data"])
    it(`starts nothing in a new run if --exclude leaves out an earlier part: ${without}`, async () => {
      const of = (run: string) => planOf({ data: { web, db }, front: { content } }, { run });
      await good(of("Q1"));
      await bad(of("Q2"), { exclude: [without, "verdict"] });
    });

  it("names a restore without a recorded end when its plan is destroyed, but not when only its wave is replaced", async () => {
    lab.panel.fates = [{ ...goodFate, runsForMs: 3_600_000 }];
    const slow = plan({ web: { ...web, timeouts: { run: "60s" } }, db });
    await bad(slow);
    await bad(slow, { replace: ["wave-data"] });
    await lab.up(undefined);
    await lab.time.advance(3_600_000);
  });

  it("stores the panel's address with every mark, and sends nothing to another panel", async () => {
    lab.panel.fates = [{ ...goodFate, outcome: "failed" }];
    await lab.up(plan({ web }));
    const settings = { "recovery:endpoint": "https://other.example" };
    await bad(plan({ web }), { settings });
  });
});
