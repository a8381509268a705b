import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { historyPage, readReport, report, toJson } from "../../report";
import { marginText } from "../../report/model/format";
import * as cases from "./support/cases";
import { intentResource, type Played, restoreResource, stackOf, threeRestores } from "./support/restores";
import { at, exportedStack, type PendingOperation, urnOf } from "./support/stack";

const kept = JSON.parse(readFileSync(join(__dirname, "..", "e2e", "fixtures", "state-1.0.0.json"), "utf8")) as Readonly<
  Record<"finished" | "unfinished", unknown>
>;

describe("the report of restores without a plan", () => {
  it("passes when each is complete, in the order of their requests", () => {
    const made = report(cases.restores);
    assert.equal(made.verdict.result, "passed");
    assert.equal(made.verdict.from, "derived");
    assert.deepEqual(
      made.waves[0]?.restores.map(({ name }) => name),
      ["web", "db", "content"],
    );
    assert.equal(made.run.name, "2026-11-drill");
    assert.equal(made.measured.recoveryTimeSeconds, 1_542);
  });

  it("reads what release 1.0.0 stored, finished and unfinished", () => {
    const finished = report(kept.finished);
    assert.equal(finished.verdict.result, "passed");
    assert.deepEqual(
      finished.waves[0]?.restores.map(({ name, durationSeconds }) => [name, durationSeconds]),
      [
        ["drill-db", 10],
        ["web", 10],
        ["etc", 5],
      ],
    );
    const unfinished = report(kept.unfinished);
    assert.equal(unfinished.verdict.result, "failed");
    assert.deepEqual(unfinished.counts, {
      ...unfinished.counts,
      planned: 3,
      failed: 1,
      unfinished: 2,
      complete: 0,
    });
  });

  it("shows no log text that an earlier release stored beside a reason", () => {
    const [failed] = report(kept.unfinished).waves[0]?.restores.filter(({ result }) => result === "failed") ?? [];
    assert.match(failed?.reason ?? "", /transaction 5014 .* ended as failed after 2s/);
    assert.doesNotMatch(JSON.stringify(report(kept.unfinished)), /backup\.internal|Fatal/);
  });

  it("does not count what a later restore of its machine has overwritten, and says so", () => {
    const [web, , content] = threeRestores;
    const urn = urnOf(restoreResource(web!));
    const behind = (machineTransactionIds: readonly string[] | undefined): Played => ({
      ...content!,
      inputs: { predecessor: { urn, transactionIds: ["5001"] } },
      ...(machineTransactionIds && { outputs: { machineTransactionIds } }),
    });
    const made = (ids: readonly string[] | undefined) => report(stackOf([web!, behind(ids)]));
    for (const ids of [[web!.transaction!], [web!.transaction!, "1"], undefined])
      assert.equal(made(ids).verdict.result, "passed", String(ids));
    const overwritten = made(["4711"]);
    assert.equal(overwritten.verdict.result, "incomplete");
    const [step] = overwritten.waves[0]?.restores.filter(({ name }) => name === "content") ?? [];
    assert.deepEqual([step?.result, step?.status], ["unfinished", "overwritten"]);
    assert.match(step?.reason ?? "", /overwritten: "web" was restored again since/);
  });

  it("is incomplete when an intent has no restore: its outcome is not known", () => {
    const [web, db] = threeRestores;
    const made = report(exportedStack([intentResource(web!), restoreResource(web!), intentResource(db!)]));
    assert.equal(made.verdict.result, "incomplete");
    assert.deepEqual(
      made.notCarriedOut.map(({ restore, what, virtualMachineId }) => [restore, what, virtualMachineId]),
      [["db", "outcome not stored", "43"]],
    );
  });

  it("does not use a restore of an earlier intent", () => {
    const [web, ...others] = threeRestores;
    const made = report(stackOf([{ ...web!, carries: "intent-of-last-month" }, ...others]));
    assert.equal(made.verdict.result, "incomplete");
    assert.match(made.notCarriedOut[0]?.why ?? "", /belongs to an earlier run: transaction 5014/);
    assert.deepEqual(
      made.waves[0]?.restores.map(({ name }) => name),
      ["db", "content"],
    );
  });

  it("gives restores of one name their own names: a machine's and its files', and those of different parents", () => {
    const [web] = threeRestores;
    const files = { ...web!, paths: ["/srv"], ran: 9_000, transaction: "5020" };
    const made = report(
      stackOf([web!, files, { ...files, of: "shop", ran: 30, transaction: "5021" }, threeRestores[1]!]),
      {
        goalTimeSeconds: 3_600,
      },
    );
    assert.deepEqual(
      made.waves[0]?.restores.map(({ name, durationSeconds }) => [name, durationSeconds]),
      [
        ["web (files)", 9_012],
        ["web (files) 2", 42],
        ["web (machine)", 852],
        ["db", 1_540],
      ],
    );
    assert.deepEqual(
      made.goals.map(({ restore, verdict }) => [restore, verdict]),
      [
        ["web (files)", "missed"],
        ["web (files) 2", "met"],
        ["web (machine)", "met"],
        ["db", "met"],
      ],
    );
  });

  it("ignores replaced resources that wait for their deletion", () => {
    const [web] = threeRestores;
    const old = { ...restoreResource({ ...web!, status: "failed", carries: "intent-old" }), delete: true };
    assert.equal(report(exportedStack([intentResource(web!), restoreResource(web!), old])).verdict.result, "passed");
  });

  it("is incomplete if any operation is pending", () => {
    for (const type of ["VmRestore", "aws:s3/bucket:Bucket"]) {
      assert.equal(
        report(stackOf(threeRestores, [{ type, name: "x", operation: "creating" }])).verdict.result,
        "incomplete",
        type,
      );
    }
  });

  it("counts an interrupted operation as finished only if the same intent's restore is stored", () => {
    const [web] = threeRestores;
    const creating = (id: string): PendingOperation => ({
      type: "VmRestore",
      name: "web",
      operation: "creating",
      inputs: { intent: { id } },
    });
    assert.equal(report(stackOf(threeRestores, [creating("intent-web")])).verdict.result, "passed");
    assert.equal(report(stackOf(threeRestores, [creating("intent-new")])).verdict.result, "incomplete");
    const intent = intentResource(web!);
    const intending = (triggers: readonly string[]): PendingOperation => ({
      type: "RestoreIntent",
      name: intent.name,
      operation: "creating",
      inputs: { ...intent.outputs, triggers },
    });
    assert.equal(report(stackOf(threeRestores, [intending(["2026-11-drill"])])).verdict.result, "passed");
    assert.equal(report(stackOf(threeRestores, [intending(["another"])])).verdict.result, "incomplete");
  });

  for (const status of ["accepted", "unknown", "pending", "running", "archived", ""]) {
    it(`is incomplete when one is ${status || "without a status"}`, () => {
      const [web, ...others] = threeRestores;
      assert.equal(report(stackOf([{ ...web!, status }, ...others])).verdict.result, "incomplete");
    });
  }

  it("is incomplete for an empty stack and for one without any update", () => {
    for (const state of [cases.empty, { version: 3, deployment: null }, exportedStack([])]) {
      const made = report(state, { stack: "drill" });
      assert.equal(made.verdict.result, "incomplete");
      assert.match(made.verdict.reasons.join(" "), /holds no restore/);
    }
  });

  it("refuses anything but a state", () => {
    for (const other of [null, 7, "x", [], {}, { outputs: {} }]) {
      assert.throws(() => report(other), { name: "ReportError", message: /not the state of a stack/ });
    }
  });

  it("does not pass with a recovery time that counts and could not be measured", () => {
    const [web, ...others] = threeRestores;
    const unmeasured = { ...web!, outputs: { finishedAt: undefined, durationSeconds: undefined } };
    const made = report(stackOf([unmeasured, ...others]), { goalTimeSeconds: 3_600 });
    assert.equal(made.verdict.result, "incomplete");
    assert.deepEqual(made.verdict.reasons, [
      "web: the recovery time could not be measured against its goal of 1h: one of its times is not known",
    ]);
    assert.equal(report(stackOf([unmeasured, ...others])).verdict.result, "passed", "nothing was asked of its time");
  });

  for (const [status, verdict] of [
    ["failed", "not measured"],
    ["cancelled", "not measured"],
    // A point that is too old can only miss the goal, whatever the end.
    ["running", "missed"],
  ] as const) {
    it(`gives a restore that is ${status} no data age, and the history repeats the report's goal result: ${verdict}`, () => {
      const [web, ...others] = threeRestores;
      const takenAt = { "1007": "2025-11-21T01:00:00Z", "1008": at(-60), "1009": at(-60) };
      const made = report(stackOf([{ ...web!, status }, ...others]), { goalAgeSeconds: 86_400, takenAt });
      assert.equal(made.waves[0]?.restores.find(({ name }) => name === "web")?.dataAgeSeconds, undefined);
      assert.equal(made.goals.find(({ restore }) => restore === "web")?.verdict, verdict);
      const history = historyPage([readReport(toJson(made))]);
      assert.ok(history.includes(`goal 1 d ${verdict}`));
      assert.equal(history.includes("goal 1 d missed"), verdict === "missed");
    });
  }

  it("judges by the given goals, and never passes one that it could not measure", () => {
    assert.equal(report(cases.restores, { goalTimeSeconds: 1_800 }).verdict.result, "passed");
    assert.equal(report(cases.restores, { goalTimeSeconds: 1_500 }).verdict.result, "failed");
    const unknown = report(cases.restores, { goalAgeSeconds: 86_400 });
    assert.equal(unknown.verdict.result, "incomplete");
    assert.match(unknown.verdict.reasons.join(" "), /--taken-at/);
    const takenAt = { "1007": "2026-11-21T01:00:00Z", "1008": "2026-11-21T01:00:00Z", "1009": "2026-11-19T01:00:00Z" };
    const known = report(cases.restores, { goalAgeSeconds: 86_400, takenAt });
    assert.equal(known.verdict.result, "failed");
    assert.deepEqual(
      known.goals.map(({ restore, verdict }) => [restore, verdict]),
      [
        ["web", "met"],
        ["db", "met"],
        ["content", "missed"],
      ],
    );
  });

  it("measures the age of each restore's data against its own request, not the first that the stack ever made", () => {
    const [web, db] = threeRestores;
    const months = 90 * 86_400;
    const state = stackOf([web!, { ...db!, requested: months }]);
    const takenAt = { "1007": at(-3_600), "1008": at(-3_600) };
    const made = report(state, { goalAgeSeconds: 172_800, takenAt });
    assert.equal(made.verdict.result, "failed");
    assert.deepEqual(
      made.goals.map(({ restore, verdict, measuredSeconds }) => [restore, verdict, measuredSeconds]),
      [
        ["web", "met", 3_600],
        ["db", "missed", months + 3_600],
      ],
    );
  });

  it("reads the file of a self-managed backend as well", () => {
    const { deployment } = cases.restores as { deployment: object };
    assert.equal(report({ version: 3, checkpoint: { stack: "drill", latest: deployment } }).verdict.result, "passed");
  });

  it("an adopted restore passes with warnings and says what was adopted", () => {
    const [web, ...others] = threeRestores;
    const made = report(stackOf([{ ...web!, adopted: true, warnings: ["adopted transaction 5014"] }, ...others]));
    assert.equal(made.verdict.result, "passed with warnings");
    assert.deepEqual(
      made.deviations.map(({ kind, restore }) => [kind, restore]),
      [
        ["adopted", "web"],
        ["warning", "web"],
      ],
    );
  });
});

it("a goal that is met to the second is not missed", () => {
  assert.deepEqual([1, 0, -1].map(marginText), ["1 s to spare", "0 s to spare", "1 s over"]);
});
