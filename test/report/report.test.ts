import assert from "node:assert/strict";
import {
  readReport,
  report,
  reports,
  subjectsOf,
  toHtml,
  toJson,
  toJunit,
  toMarkdown,
  type Report,
} from "../../report";
import * as cases from "./support/cases";
import { plan, resourcesOf, stackOfPlan, type PlayedPlan } from "../support/stored/plans";
import {
  complete,
  intentResource,
  type Played,
  restoreResource,
  stackOf,
  threeRestores,
} from "../support/stored/restores";
import { at, exportedStack, shown, type StackResource } from "../support/stored/stack";

const stepsOf = (made: Report) => made.waves.flatMap(({ restores }) => restores);
const [web, db] = threeRestores;

describe("the report of a plan", () => {
  it("says that an unfinished run is under way or was interrupted", () => {
    const said = (played: Partial<PlayedPlan>): readonly unknown[] => {
      const { verdict } = report(stackOfPlan({ ...cases.shop, ...played }));
      return [verdict.result, verdict.progress];
    };
    const [data, front] = cases.shop.waves;
    const underWay = "is under way, or was interrupted";
    assert.deepEqual(said({ waves: [data!, { ...front!, came: "not begun" }] }), ["incomplete", underWay]);
    assert.deepEqual(said({ waves: [data!, { ...front!, came: "asked for" }] }), ["incomplete", underWay]);
    const pending = [{ type: "Wave", name: "shop-wave-front", operation: "updating", of: "shop" }] as const;
    assert.deepEqual(said({ pending }), ["incomplete", underWay]);
    assert.match(toMarkdown(report({ version: 3, deployment: null })), /^### .+ Restores: Incomplete/m);
    const stop = { sent: "no", why: "not sent: busy" } as const;
    const stopped = { ...data!.restores[0]!, stop, came: "asked for" } as const;
    const notBegun = { ...front!, came: "not begun" } as const;
    assert.deepEqual(said({ waves: [{ ...data!, restores: [stopped] }, notBegun] }), ["incomplete", undefined]);
    assert.equal(said({})[1], undefined);
  });

  it("does not present an adopted transaction's point as chosen by the rule when the rule chose another point", () => {
    const found = [{}, { point: "1008" }].map((showing) => {
      const db = { rule: { pick: "newest" }, adopted: true, showing, ...complete("5015") } as const;
      const [step] = stepsOf(report(exportedStack(plan({ data: { db } }))));
      return [step?.recoveryPointId, step?.chosenBy?.rule];
    });
    assert.deepEqual(found, [
      ["1007", "the newest"],
      ["1008", undefined],
    ]);
  });

  it("claims nothing about the point if the adopted transaction does not show it", () => {
    for (const [db, said] of [
      [{ adopted: true, showing: { why: "named", point: undefined }, ...complete("5015") }, "does not show the point"],
      [{ came: "not begun", rule: { pick: "newest" } }, "no point chosen yet"],
    ] as const) {
      const made = report(exportedStack(plan({ data: { db } })));
      for (const text of [toHtml(made), toMarkdown(made)])
        assert.deepEqual(text.match(/no point chosen yet|does not show the point/g), [said]);
    }
  });

  it("shows which recovery point a wave that has not begun will use", () => {
    assert.equal(stepsOf(report(cases.brokenOff)).at(-1)?.recoveryPointId, "1044");
  });

  it("is incomplete, and shows what the waves contain, if the plan is a secret or was edited", () => {
    const state = exportedStack(
      resourcesOf(cases.shop).map((one) =>
        one.type === "PlanRun" ? { ...one, outputs: { ...one.outputs, plan: "secret" } } : one,
      ),
    );
    const made = report(state);
    assert.equal(made.verdict.result, "incomplete");
    assert.match(made.verdict.reasons.join(), /it is a secret, was edited, or is from a later version/);
    assert.equal(stepsOf(made).length, 3);
  });
});

describe("the report of restores without a plan", () => {
  it("shows whether they are complete, but no goals and no overall time", () => {
    const made = report(cases.restores);
    assert.deepEqual([made.verdict.result, made.verdict.reasons], ["complete", []]);
    assert.deepEqual([made.goals, made.measured.recoveryTimeSeconds], [[], undefined]);
    assert.equal(made.measured.slowest?.restore, "db");
    const resultOf = (status: string) => report(stackOf([{ ...web, status }, db])).verdict.result;
    for (const status of ["failed", "cancelled"]) assert.equal(resultOf(status), "failed");
    for (const status of ["running", "pending", "sent", "odd"]) assert.equal(resultOf(status), "incomplete", status);
    assert.equal(report(cases.empty).verdict.result, "incomplete");
  });

  it("shows earlier attempts that failed, without their times", () => {
    const { waves } = report(stackOf([{ ...web, outputs: { failedBefore: ["5012"] } }]));
    assert.deepEqual(waves[0]?.restores[0]?.earlierAttempts, [{ state: "failed", transactionIds: ["5012"] }]);
  });

  it("shows no time, transaction or log from an earlier run's record, and neither does the report of a plan", () => {
    const alone = stackOf([{ ...web, carries: "intent-of-last-month", outputs: { logOutput: "a line of its log" } }]);
    const [data] = cases.shop.waves;
    const last = { ...data!, run: "2026-Q3", restores: [{ ...data!.restores[0]!, log: "a line of its log" }] };
    for (const state of [alone, stackOfPlan({ ...cases.shop, waves: [last] })]) {
      const made = report(state, { logs: "with logs" });
      const shown = JSON.stringify([made.waves, made.run.panels]);
      assert.doesNotMatch(shown, /501\d|requestedAt|startedAt|finishedAt|a line/);
    }
    const { verdict, counts, run } = report(alone);
    assert.deepEqual([verdict.result, verdict.progress], ["incomplete", undefined]);
    assert.deepEqual([counts.states, run.startedAt], [{ "not sent": 1 }, undefined]);
  });

  it("takes its name from the current declaration, even if the stored records are from an earlier run", () => {
    const asked = (one: Played): readonly StackResource[] => [
      intentResource({ ...one, triggers: ["2027-02-drill"] }),
      restoreResource({ ...one, carries: "intent-of-last-month" }),
    ];
    const made = report(exportedStack([...asked(web), ...asked(db)]));
    assert.deepEqual([made.run.name, made.verdict.result], ["2027-02-drill", "incomplete"]);
  });

  it("comes with an incomplete report of a rejected plan, even if everything else in the state was successful", () => {
    for (const state of [stackOf(threeRestores), cases.passed]) {
      const type = "recovery:index:RecoveryPlan";
      const other = { urn: `urn:pulumi:prod::drill::${type}::other`, type, outputs: {} };
      const resources = [...state.deployment.resources, other];
      const [bad, ...more] = reports({ deployment: { resources } }).filter(
        ({ verdict }) => verdict.result === "incomplete",
      );
      assert.ok(bad && more.length === 0);
      assert.match(bad.verdict.reasons.join(), /the state has no run of plan other: none of its restores was sent/);
      assert.equal(toMarkdown(bad).includes("\nNo restores.\n"), stepsOf(bad).length === 0);
    }
  });

  it("shows restores with the same name under distinct names", () => {
    const files = { ...web, paths: ["/srv"], machine: 44, transaction: "5020" };
    const made = report(stackOf([web, files, { ...files, of: "site", machine: 45, transaction: "5021" }]));
    const names = stepsOf(made).map(({ name }) => name);
    assert.deepEqual(names.sort(), ["web (files)", "web (files) 2", "web (machine)"]);
  });

  it("shows timestamps without a zone as the panel wrote them, in every format", () => {
    const local = (seconds: number): string => at(seconds).replace("T", " ").replace("Z", "");
    const outputs = { requestedAt: local(0), startedAt: local(12), finishedAt: local(852) };
    const made = report(stackOf([{ ...web, outputs }]));
    const [step] = stepsOf(made);
    assert.deepEqual(
      [step?.requestedAt, step?.recoveredSeconds, step?.queuedSeconds, made.run.startedAt],
      ["2026-11-21 10:00:00", 852, 12, "2026-11-21 10:00:00"],
    );
    for (const text of [toHtml(made), toMarkdown(made)]) {
      assert.ok(text.includes("2026-11-21 10:00:00 to 2026-11-21 10:14:12"));
      assert.doesNotMatch(text, /10:(?:00:00|14:12) UTC/);
    }
  });

  it("shows timestamps from another zone in UTC, and both dates of a restore that runs past midnight", () => {
    const outputs = { requestedAt: "2026-11-22T01:50:00+02:00", finishedAt: "2026-11-22T00:10:00Z" };
    const made = report(stackOf([{ ...web, outputs }]));
    assert.equal(stepsOf(made)[0]?.requestedAt, "2026-11-21T23:50:00Z");
    for (const text of [toHtml(made), toMarkdown(made)])
      assert.ok(text.includes("2026-11-21 23:50:00 to 2026-11-22 00:10:00 UTC"));
  });

  it("is separate from the report of a plan in the same state", () => {
    const state = exportedStack([...resourcesOf(cases.shop), intentResource(db), restoreResource(db)]);
    assert.deepEqual(subjectsOf(state), ["shop", "drill"]);
    assert.throws(() => report(state), { name: "ReportError", message: /contains shop, drill/ });
    assert.equal(report(state, { subject: "drill" }).scope.kind, "restores");
  });

  it("shows a log only on request, and never a secret", () => {
    const texts = (made: Report): string => [toHtml, toMarkdown, toJson, toJunit].map((render) => render(made)).join();
    assert.doesNotMatch(texts(report(cases.restoresWithLog)), /backup\.internal/);
    const made = report(cases.restoresWithLog, { logs: "with logs" });
    assert.match(toMarkdown(made), /^ {4}<b>done<\/b>$/m);
    assert.ok(toHtml(made).includes("&lt;b&gt;done&lt;/b&gt;"));
    const waves = cases.shop.waves.map((wave) => ({
      ...wave,
      restores: wave.restores.map((one) => ({ ...one, log: "restored 4 GB" })),
    }));
    const plan = stackOfPlan({ ...cases.shop, waves });
    assert.doesNotMatch(texts(report(plan)), /restored 4 GB|200 OK/);
    assert.match(toMarkdown(report(plan, { logs: "with logs" })), /restored 4 GB[^]*check smoke:[^]*200 OK/);
    const logOutput = shown("restored 4 GB");
    for (const triggers of [shown(["hunter2"]) as unknown[], [shown("hunter2")]]) {
      const withSecret = stackOf(threeRestores.map((one) => ({ ...one, triggers, outputs: { logOutput } })));
      const withLogs = report(withSecret, { logs: "with logs" });
      assert.match(toMarkdown(withLogs), /restored 4 GB/);
      assert.doesNotMatch(texts(withLogs), /hunter2/);
    }
  });
});

it("the report's input can be a state from any backend, but nothing else", () => {
  const { deployment } = cases.restores;
  for (const state of [{ version: 3, checkpoint: { latest: deployment } }, deployment])
    assert.equal(report(state).verdict.result, "complete");
  assert.equal(report({ version: 3, deployment: null }, { stack: "drill" }).scope.name, "drill");
  for (const other of [null, 7, "x", [], {}, { outputs: {} }])
    assert.throws(() => report(other), { name: "ReportError", message: /not a stack's state/ });
});

describe("earlier runs", () => {
  const earlier = cases.history().map((state) => readReport(toJson(report(state))));
  const runsOf = (made: Report): readonly unknown[] =>
    (made.earlier ?? []).map(({ run, result }) => `${run ?? ""} ${result}`);

  it("are listed once each, newest first, if they belong to the same plan and stack", () => {
    const made = report(cases.passed, { earlier: [...earlier, ...earlier] });
    assert.deepEqual(runsOf(made), ["2026-Q3 passed", "2026-Q2 failed"]);
    assert.deepEqual(runsOf(report(cases.history()[1]!, { earlier })), ["2026-Q2 failed"]);
    const elsewhere = earlier.map((one) => ({ ...one, scope: { ...one.scope, stack: "other" } }));
    assert.equal(report(cases.passed, { earlier: elsewhere }).earlier, undefined);
    for (const text of [toHtml(made), toMarkdown(made)]) assert.ok(text.includes(earlier[0]!.sha256));
  });

  it("are each shown as in that run's latest report", () => {
    const older = { ...earlier[1]!, stateWrittenAt: "2020-01-01T00:00:00Z", result: "incomplete" } as const;
    for (const files of [
      [older, earlier[1]!],
      [earlier[1]!, older],
    ])
      assert.deepEqual(runsOf(report(cases.passed, { earlier: files })), ["2026-Q3 passed"]);
  });

  it("are rejected if they are not reports", () => {
    for (const text of ["", "[]", "{}", '{"verdict":{},"waves":[],"formatVersion":2}'])
      assert.throws(() => readReport(text), { name: "ReportError" });
    const made = JSON.parse(toJson(report(cases.passed))) as object;
    const { result, planned, complete } = readReport(
      JSON.stringify({ ...made, counts: {}, verdict: { result: "fine" } }),
    );
    assert.deepEqual([result, planned, complete], ["incomplete", 0, 0]);
  });
});
