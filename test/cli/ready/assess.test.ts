import assert from "node:assert/strict";
import { RequestLimitError } from "../../../cli/parts/guard";
import { assessReadiness } from "../../../cli/ready/assess";
import { readDeclaration } from "../../../cli/ready/declared";
import { AbortedError } from "../../../provider/panel/connection-errors";
import type { MachineId } from "../../../provider/panel/types";
import { settingsOf } from "../support/run-check";
import { encrypted, type StackResource } from "../../report/support/stack";
import { stackOfPlan, type PlayedPlan, type PlayedStep } from "../../report/support/plans";
import { stackOf } from "../../report/support/restores";
import { toMarkdown } from "../../../cli/ready/markdown";
import { printReady, worstFirst } from "../../../cli/ready/table";
import { runReady, type ReadySetup } from "../support/run-ready";
import { hour, machine, oneHour, readyCases, web } from "../support/ready-cases";

describe("ready: what it makes of a restore", () => {
  for (const { name, of, settings, ...setup } of readyCases) {
    it(`is the same in both formats: ${name}`, async () => {
      const [json, xml] = await Promise.all(
        ["json", "xml"].map(async (format) => {
          const state = stackOf([{ ...web, ...of }]);
          const { ready } = await runReady({
            ...setup,
            state,
            settings: { format, requestTimeout: "2s", ...settings },
          });
          return JSON.stringify(ready.restores, undefined, 1).replaceAll(/(?:xml|XML)/g, (word) =>
            word === "xml" ? "json" : "JSON",
          );
        }),
      );
      assert.equal(xml, json);
    });
  }
});

const db: PlayedStep = { name: "db", machine: 42, point: 1007, requested: 0, ran: 60, transaction: "5014" };

function planOf(steps: readonly PlayedStep[], plan: Partial<PlayedPlan> = {}): object {
  return stackOfPlan({ waves: [{ name: "data", restores: steps }], ...plan });
}

describe("ready: restores of a plan", () => {
  it("takes the wave's record for how it ended, not the restore's own", async () => {
    const well = await runReady({ state: planOf([db]), panel: oneHour });
    assert.deepEqual([well.ready.verdict, well.restore("db").wave], ["ready", "data"]);
    const badly = await runReady({ state: planOf([{ ...db, status: "failed" }]), panel: oneHour });
    assert.equal(badly.restore("db").findings[0]?.code, "restore.failed");
    const noRecord = await runReady({
      state: stackOfPlan({ waves: [{ name: "data", restores: [{ ...db, status: "accepted" }], stored: false }] }),
      panel: oneHour,
    });
    assert.equal(noRecord.ready.verdict, "not ready");
  });

  it("goes by the nearest goal: the restore's, its wave's, the plan's, then the one that is asked", async () => {
    const goals = (seconds: number): { readonly dataAgeSeconds: number } => ({ dataAgeSeconds: seconds });
    const state = stackOfPlan({
      goals: goals(4),
      waves: [
        {
          name: "one",
          goals: goals(3),
          restores: [
            { ...db, name: "own", goals: goals(2) },
            { ...db, name: "wave" },
          ],
        },
        { name: "two", restores: [{ ...db, name: "plan" }] },
      ],
    });
    const { restore } = await runReady({ state, panel: oneHour, asked: { goalAgeSeconds: 5 } });
    assert.deepEqual(
      ["own", "wave", "plan"].map((name) => restore(name).goalSeconds),
      [2, 3, 4],
    );
    const none = await runReady({ state: planOf([db]), panel: oneHour, asked: { goalAgeSeconds: 5 } });
    assert.deepEqual([none.restore("db").goalSeconds, none.restore("db").leftSeconds], [5, 5 - hour]);
  });

  it("goes by the rule that the plan as given has, and by what is stored where that hides it", async () => {
    const given = (restore: object): object => ({
      asGiven: {
        onFailure: "stop",
        onMissedGoal: "fail",
        waves: [{ name: "data", restores: { db: { virtualMachineId: "42", checks: [], ...restore } } }],
      },
      hashes: {},
    });
    const two = machine([
      { id: 1, ageSeconds: 2 * hour },
      { id: 2, ageSeconds: hour },
    ]);
    for (const [restore, stored, point] of [
      [{ recoveryPoint: { pick: "oldest" } }, {}, "1"],
      [{ recoveryPoint: { pick: "newest" } }, {}, "2"],
      [{ recoveryPoint: "[secret]" }, { recoveryPoint: { pick: "oldest" } }, "1"],
      [{ recoveryPointId: "2" }, { recoveryPoint: { pick: "oldest" } }, "2"],
    ] as const) {
      const state = stackOfPlan({
        waves: [{ name: "data", stored: false, restores: [{ ...db, outputs: stored }] }],
        runFields: given(restore),
      });
      const { restore: found } = await runReady({ state, panel: two });
      assert.equal(found("db").recoveryPointId, point, JSON.stringify(restore));
    }
  });

  it("looks at one plan alone where one is named", async () => {
    const { ready } = await runReady({ state: planOf([db]), asked: { plan: "other" }, panel: oneHour });
    assert.deepEqual(ready.restores, []);
  });
});

describe("ready: all together", () => {
  const mixed = stackOf([
    { ...web, name: "gone", point: 1 },
    { ...web, name: "fine", transaction: "5015" },
    { ...web, name: "told", transaction: "5016", outputs: { recoveryPointId: encrypted() } },
  ]);

  it("lets not ready beat what cannot be told, and lists it first", async () => {
    const { ready } = await runReady({ state: mixed, panel: oneHour });
    assert.equal(ready.verdict, "not ready");
    assert.deepEqual(
      worstFirst(ready.restores).map(({ name }) => name),
      ["gone", "told", "fine"],
    );
    assert.match(toMarkdown(ready), /gone[^]*told[^]*fine/);
    assert.match(printReady(ready, { columns: 80, colours: "plain" }).join("\n"), /gone[^]*told[^]*fine/);
    assert.deepEqual(ready.counts, { ready: 1, notReady: 1, cannotBeTold: 1, known: 0 });
  });

  it("cannot tell restores of another panel, and asks this one nothing about them", async () => {
    const elsewhere = JSON.stringify(stackOf([{ ...web, name: "there", machine: 99 }])).replaceAll(
      "https://panel.example.com",
      "https://panel.dr.example.com",
    );
    const [here, there] = [stackOf([web]), JSON.parse(elsewhere) as object].map(
      (state) => (state as { deployment: { resources: StackResource[] } }).deployment.resources,
    );
    const state = { version: 3, deployment: { manifest: {}, resources: [...(here ?? []), ...(there ?? []).slice(1)] } };
    const { ready, restore, paths } = await runReady({ state, panel: oneHour });
    assert.equal(ready.verdict, "cannot be told");
    assert.deepEqual(ready.counts, { ready: 1, notReady: 0, cannotBeTold: 1, known: 0 });
    const { readiness, panel } = restore("there");
    assert.deepEqual([readiness, panel], ["cannot be told", "https://panel.dr.example.com"]);
    assert.ok(paths.every((path) => !path.includes("99")));
    const known = [{ code: "restore.other-panel", about: "there", why: "asked in a job of its own" }];
    assert.equal((await runReady({ state, panel: oneHour, known })).ready.verdict, "ready");
    const alone = await runReady({ state: JSON.parse(elsewhere) as object, panel: oneHour });
    assert.equal(alone.ready.verdict, "cannot be told");
  });

  it("lets what the state knows of a restore of another panel be not ready", async () => {
    const failed = JSON.stringify(stackOf([{ ...web, status: "failed" }])).replaceAll("panel.example", "dr.example");
    const { ready, restore } = await runReady({ state: JSON.parse(failed) as object, panel: oneHour });
    assert.equal(ready.verdict, "not ready");
    assert.deepEqual(
      restore("web").findings.map(({ code }) => code),
      ["restore.failed", "restore.other-panel"],
    );
  });

  it("names its own limit where that kept a machine's log back", async () => {
    const state = stackOf([web]);
    const { reading } = await runReady({ state, panel: oneHour });
    const exchange = { address: "https://panel.example.com", method: "GET", path: "/virtual_machines/42/logs.json" };
    const error = new RequestLimitError(new AbortedError(exchange, false), 170);
    const ready = assessReadiness(
      readDeclaration(state, {}),
      { ...reading, machines: new Map([["42" as MachineId, { log: { error } }]]) },
      {
        panel: "https://panel.example.com",
        words: settingsOf({ username: "a", password: "b" }),
        redact: (text) => text,
        known: { questions: [] },
        allowedMachines: [],
        now: new Date(),
      },
    );
    const [finding] = ready.restores[0]?.findings ?? [];
    assert.deepEqual([finding?.code, finding?.short], ["machine.log", "limit of requests"]);
    assert.match(finding?.then ?? "", /at most 170 requests here/);
  });

  it("asks each machine once, eight requests at a time, and lets somebody watch from eleven machines on", async () => {
    const ids = Array.from({ length: 40 }, (_, index) => 300 + index);
    const panel = { scenario: { machines: ids.map((id) => ({ id })) } };
    const many = ids.flatMap((id) => [
      { ...web, name: `vm-${String(id)}`, machine: id, transaction: `5${String(id)}` },
      { ...web, name: `files-${String(id)}`, machine: id, paths: ["/etc"], transaction: `6${String(id)}` },
    ]);
    const lines: string[] = [];
    const { ready, paths, atOnce } = await runReady({
      state: stackOf(many),
      panel,
      progress: (line) => void lines.push(line),
    });
    assert.equal(ready.verdict, "ready");
    assert.equal(ready.requests, paths.length);
    const of = (part: RegExp): readonly string[] => paths.filter((path) => part.test(path));
    assert.ok(of(/^\/transactions/).length <= 2, String(of(/^\/transactions/)));
    assert.equal(of(/\/logs\./).length, 40);
    // A short list is read to its end: the page behind it.
    assert.equal(new Set(of(/recovery_points/)).size, of(/recovery_points/).length);
    assert.equal(atOnce, 8);
    assert.deepEqual([lines[1], lines.at(-2), lines.at(-1)], ["1 of 40 machines", "40 of 40 machines", ""]);
    const few: string[] = [];
    await runReady({ state: stackOf(many.slice(0, 20)), panel, progress: (line) => void few.push(line) });
    assert.deepEqual(
      few.filter((line) => line !== ""),
      [],
    );
  });

  it("counts what is known and asks it no more, and never what is not ready", async () => {
    const state = stackOf([{ ...web, outputs: { recoveryPointId: encrypted() } }]);
    const why = "nobody needs to know";
    const asked = async (known: ReadySetup["known"]) =>
      (await runReady({ state, panel: oneHour, known: known ?? [] })).ready;
    assert.equal((await asked([])).verdict, "cannot be told");
    for (const entry of [{}, { about: "42" }, { about: "web" }, { until: "2026-11-21" }]) {
      const ready = await asked([{ code: "state.point", why, ...entry }]);
      assert.deepEqual([ready.verdict, ready.counts.known, ready.restores[0]?.findings[0]?.known], ["ready", 1, why]);
    }
    for (const entry of [{ about: "4" }, { about: "43" }, { until: "2026-11-20" }, { code: "state.machine" }]) {
      const ready = await asked([{ code: "state.point", why, ...entry }]);
      assert.equal(ready.verdict, "cannot be told", JSON.stringify(entry));
    }
    const gone = await runReady({
      state: stackOf([{ ...web, point: 1 }]),
      panel: oneHour,
      known: [{ code: "point.gone", why }],
    });
    assert.equal(gone.ready.verdict, "not ready");
  });

  it("shows no password, whatever the panel repeats of it", async () => {
    const { ready } = await runReady({
      state: stackOf([web]),
      panel: { ...machine([{ id: 1007, state: "state-correct-horse-battery" }]), password: "correct-horse-battery" },
    });
    assert.ok(!JSON.stringify(ready).includes("correct-horse"));
    assert.equal(ready.verdict, "not ready");
  });
});
