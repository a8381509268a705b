import assert from "node:assert/strict";
import type { StoredGoals } from "../../../provider/inputs/read-goals";
import { readReport, report, toJson } from "../../../report";
import { toMarkdown } from "../../../cli/ready/markdown";
import { printReady } from "../../../cli/ready/table";
import { metricsOf } from "../../../cli/ready/metrics";
import { warningText } from "../../../provider/restore/messages";
import { metricsText, readMetrics } from "../support/prometheus";
import { type PlayedPlan, type PlayedStep, resourcesOf, stackOfPlan } from "../../report/support/plans";
import { type Played, stackOf } from "../../report/support/restores";
import { at, exportedStack } from "../../report/support/stack";
import { machine } from "../support/ready-cases";
import { runReady, type ReadySetup } from "../support/run-ready";

const day = 86_400;
const panel = machine([{ id: 1007, ageSeconds: 60 }]);
const web: Played = { name: "web", machine: 42, point: 1007, requested: 0, ran: 60, transaction: "5014" };
const passed = { kind: "tcp", target: "10.0.0.42:443" } as const;
const db: PlayedStep = { ...web, name: "db", checks: [passed] };

/** The state as it is so many days after the restores. */
async function proofOf(
  state: object,
  setup: { readonly daysLater?: number; readonly within?: number } & Partial<ReadySetup> = {},
): Promise<{ readonly codes: readonly string[]; readonly provenAt: string | undefined; readonly says: string }> {
  const { daysLater = 1, within = 90, ...others } = setup;
  const { ready } = await runReady({
    state,
    panel,
    now: new Date(Date.parse(at(0)) + daysLater * day * 1_000),
    provenWithinSeconds: within * day,
    ...others,
  });
  const [one] = ready.restores;
  const findings = one?.findings.filter(({ code }) => /^restore\.(?:not-proven|proof-old|changed-since)$/.test(code));
  return {
    codes: findings?.map(({ code }) => code) ?? [],
    provenAt: one?.provenAt,
    says: findings?.map(({ says }) => says).join(" ") ?? "",
  };
}

/** The state of two plans of one name, each in a component of its own. */
function twoPlansOf(first: PlayedPlan, second: PlayedPlan): object {
  const inSite = JSON.stringify(stackOfPlan(second)).replaceAll(
    /::(?=recovery:index:RecoveryPlan)/g,
    "::site:index:Site$",
  );
  const [one, other] = [stackOfPlan(first), JSON.parse(inSite)] as { deployment: { resources: object[] } }[];
  const resources = [...one!.deployment.resources, ...other!.deployment.resources.slice(1)];
  return { ...one, deployment: { ...one!.deployment, resources } };
}

const planOf = (step: Partial<PlayedStep> = {}, more: Partial<PlayedPlan> = {}): PlayedPlan => ({
  waves: [{ name: "data", restores: [{ ...db, ...step }] }],
  ...more,
});

describe("a restore that has to be proven lately", () => {
  it("is, by its own record", async () => {
    assert.deepEqual(await proofOf(stackOf([web])), { codes: [], provenAt: at(65), says: "" });
    const old = await proofOf(stackOf([web]), { daysLater: 91 });
    assert.deepEqual(old.codes, ["restore.proof-old"]);
    assert.match(old.says, /last proven on 2026-11-21, .*ago; 90d is allowed/);
  });

  it("is, in a plan, from its last check on", async () => {
    assert.deepEqual((await proofOf(stackOfPlan(planOf()))).codes, []);
    assert.deepEqual((await proofOf(stackOfPlan(planOf()), { daysLater: 91 })).codes, ["restore.proof-old"]);
  });

  it("is not by a stamp of a time that is still to come, which would never get old", async () => {
    const early = await proofOf(stackOf([web]), { daysLater: -2 });
    assert.deepEqual([early.codes, early.provenAt], [["restore.not-proven"], undefined]);
    assert.deepEqual((await proofOf(stackOf([web]), { daysLater: -0.5 })).codes, [], "its zone is not known");
  });

  it("is as long ago as it ended, however late it was adopted and checked", async () => {
    const adopted = { requested: -100 * day, noticedAfter: 100 * day, adopted: true };
    assert.deepEqual((await proofOf(stackOfPlan(planOf(adopted)))).codes, ["restore.proof-old"]);
    const earlier = [readReport(toJson(report(stackOfPlan(planOf(adopted, { run: "2026-Q3" })))))];
    const failed = stackOfPlan(planOf({ status: "failed" }));
    assert.deepEqual((await proofOf(failed, { asked: { earlier } })).codes, ["restore.proof-old"]);
  });

  for (const warning of [
    { kind: "other point", transactionId: "5014" },
    { kind: "other paths", transactionId: "5014" },
  ] as const) {
    it(`is not by a transaction that adopt names and that is of ${warning.kind}`, async () => {
      const adopted: Played = { ...web, adopted: true, warnings: [warningText(warning)] };
      assert.deepEqual((await proofOf(stackOf([adopted]))).codes, ["restore.changed-since"]);
      const earlier = [readReport(toJson(report(stackOf([adopted]))))];
      const failed = stackOf([{ ...web, status: "failed", transaction: "5015" }]);
      assert.deepEqual((await proofOf(failed, { asked: { earlier } })).codes, ["restore.changed-since"]);
    });
  }

  for (const [what, step] of [
    ["failed", { status: "failed" }],
    ["has not ended", { status: "running" }],
    ["has a check that did not pass", { checks: [{ ...passed, result: "failed" }] }],
    ["has a check that was not run", { checks: [{ ...passed, result: "not run" }] }],
  ] as const) {
    it(`is not where it ${what}`, async () => {
      assert.deepEqual((await proofOf(stackOfPlan(planOf(step)))).codes, ["restore.not-proven"]);
    });
  }

  it("is told with the name of a check that did not pass, and of its command with the program alone", async () => {
    const checks = [
      { kind: "command", name: "orders are there", target: "psql", result: "failed" },
      { kind: "tcp", name: "port", target: "10.0.0.42:443" },
    ] as const;
    const { ready } = await runReady({ state: stackOfPlan(planOf({ checks })), panel });
    const failed = ready.restores[0]?.findings.filter(({ code }) => code === "restore.check-failed") ?? [];
    assert.deepEqual(
      failed.map(({ says }) => says),
      ["In the last run its check did not pass: orders are there, command psql."],
    );
    assert.match(toMarkdown(ready), /did not pass: orders are there, command psql\. \|/);
  });

  describe("and whose last run did not prove it", () => {
    const proof = { run: "2026-Q3", at: at(-30 * day), recoveredSeconds: 120, revision: "run-1/1" };
    const failed = (lastProofs: object, now = 1): object =>
      exportedStack(
        resourcesOf(planOf({ status: "failed", planned: now })).map((one) =>
          one.type === "PlanWave" ? { ...one, outputs: { ...one.outputs, lastProofs } } : one,
        ),
      );

    it("is by the proof that its wave has kept of a run before", async () => {
      const { codes, provenAt } = await proofOf(failed({ db: proof }));
      assert.deepEqual([codes, provenAt], [[], at(-30 * day)]);
      const old = await proofOf(failed({ db: proof }), { daysLater: 61 });
      assert.match(old.says, /last proven on 2026-10-22 in run 2026-Q3/);
    });

    it("is not where the restore or its checks were changed since", async () => {
      const { codes, provenAt, says } = await proofOf(failed({ db: proof }, 2));
      assert.deepEqual([codes, provenAt], [["restore.changed-since"], undefined]);
      assert.match(
        says,
        /proven on 2026-10-22 in run 2026-Q3, but as far as is known not with the machine, point, paths, triggers and checks that it has now/,
      );
      const unknown = { run: proof.run, at: proof.at };
      assert.deepEqual((await proofOf(failed({ db: unknown }))).codes, ["restore.changed-since"]);
    });

    it("is by the newest proof that a wave has kept, also one that the plan has it in no longer", async () => {
      const wave = (name: string, restores: readonly PlayedStep[]): PlayedPlan["waves"][number] => ({ name, restores });
      const moved = { ...db, status: "failed" as const };
      const proofs: Record<string, object> = {
        "shop-wave-data": { db: proof },
        "shop-wave-front": { db: { ...proof, at: at(-60 * day) } },
      };
      for (const waves of [
        [wave("data", []), wave("front", [moved])],
        [wave("front", [moved]), wave("data", [])],
      ]) {
        const state = exportedStack(
          resourcesOf({ waves }).map((one) =>
            one.name in proofs ? { ...one, outputs: { ...one.outputs, lastProofs: proofs[one.name] } } : one,
          ),
        );
        assert.deepEqual(await proofOf(state), { codes: [], provenAt: at(-30 * day), says: "" });
      }
    });

    it("is not by a proof of this very run, where the state does not count its restore", async () => {
      const resources = resourcesOf(planOf({}));
      const state = (run: string): object =>
        exportedStack(
          resources.map((one) =>
            one.type === "PlanWave"
              ? { ...one, outputs: { ...one.outputs, lastProofs: { db: { ...proof, run } } } }
              : one.type === "VmRestore"
                ? { ...one, initErrors: ["transaction 5014 is another restore's"] }
                : one,
          ),
        );
      assert.deepEqual((await proofOf(state("2026-Q4"))).codes, ["restore.not-proven"]);
      assert.deepEqual((await proofOf(state("2026-Q3"))).codes, []);
    });

    it("is by a proof of a run before, also where the run that goes on has not come to its wave", async () => {
      const broken = resourcesOf(planOf({ came: "not begun" }, { run: "2027-Q1" }));
      const state = exportedStack(
        broken.map((one) =>
          one.type === "PlanWave"
            ? { ...one, outputs: { ...one.outputs, run: "2026-Q4", restores: {}, lastProofs: { db: proof } } }
            : one,
        ),
      );
      assert.deepEqual((await proofOf(state)).codes, []);
    });
  });

  describe("and kept reports", () => {
    const inQ3 = (step: Partial<PlayedStep> = {}): object => stackOfPlan(planOf(step, { run: "2026-Q3" }));
    const failed = (step: Partial<PlayedStep> = {}, more: Partial<PlayedPlan> = {}): object =>
      stackOfPlan(planOf({ status: "failed", ...step }, more));
    const alone = (one: Partial<Played> = {}): object => stackOf([{ ...web, ...one }]);
    const failedAlone = (one: Partial<Played> = {}): object => alone({ ...one, status: "failed", transaction: "5015" });
    const written = (state: object, from: string, to: string): object =>
      JSON.parse(JSON.stringify(state).replaceAll(from, to)) as object;
    const many = Array.from({ length: 100 }, (_, index) => `/srv/${String(index)}`);
    const files: Played = { ...web, paths: ["/etc"], transaction: "5015" };

    const changed = ["restore.changed-since"];
    const notProven = ["restore.not-proven"];
    const table: readonly [what: string, before: object, now: object, codes: readonly string[]][] = [
      ["is by the report of a run of the same plan", inQ3(), failed(), []],
      // What was changed may be a secret of a check.
      ["is not by one of another revision", inQ3({ planned: 1 }), failed({ planned: 2 }), changed],
      ["is not by one of no revision", inQ3({ planned: "no revisions" }), failed({ planned: 1 }), changed],
      ["is not where it has none itself", inQ3({ planned: 1 }), failed({ planned: "no revisions" }), changed],
      ["is not where neither has one", inQ3({ planned: "no revisions" }), failed({ planned: "no revisions" }), changed],
      ["is not by one of another kind", inQ3(), failed({ paths: ["/etc"] }), notProven],
      [
        "is not by one of another name, whose machine and point it has now",
        inQ3(),
        failed({ name: "database" }),
        notProven,
      ],
      ["is not by one of another plan", inQ3(), failed({}, { plan: "lab" }), notProven],
      [
        "is not by one of another stack",
        inQ3(),
        written(failed(), "urn:pulumi:drill::", "urn:pulumi:prod::"),
        notProven,
      ],
      ["is not by one of another project", inQ3(), written(failed(), "::shop::", "::store::"), notProven],
      ["is not, beside plans, by one of another machine", alone(), failedAlone({ machine: 41 }), changed],
      ["is not, beside plans, by one of another point", alone(), failedAlone({ point: 1001 }), changed],
      [
        "is not, beside plans, by one of another panel, where its machine is another one",
        written(alone(), "panel.example.com", "lab.example.com"),
        failedAlone(),
        changed,
      ],
      ["is by one of 99 paths", alone({ paths: many.slice(1) }), failedAlone({ paths: many.slice(1) }), []],
      ["is not by one that may leave paths out", alone({ paths: many }), failedAlone({ paths: many }), changed],
      [
        "is by one whose paths stand in another order",
        alone({ paths: ["/a", "/b"] }),
        failedAlone({ paths: ["/b", "/a"] }),
        [],
      ],
      [
        "is beside plans by one of the same stack, whatever brackets tell two of a name apart",
        stackOf([web, files]),
        alone({ status: "failed" }),
        [],
      ],
    ];
    for (const [what, before, now, codes] of table) {
      it(what, async () => {
        const earlier = [readReport(toJson(report(before)))];
        assert.deepEqual((await proofOf(now, { asked: { earlier } })).codes, codes);
      });
    }

    it("is not by one that is not whole", async () => {
      for (const checks of [[{ ...passed, result: "skipped" }], "all passed", undefined, [passed]] as const) {
        const edited = JSON.parse(toJson(report(inQ3()))) as { waves: { restores: { checks: unknown }[] }[] };
        edited.waves[0]!.restores[0]!.checks = checks;
        const earlier = [readReport(JSON.stringify(edited))];
        const { codes } = await proofOf(failed(), { asked: { earlier } });
        assert.deepEqual(codes, notProven, JSON.stringify(checks));
      }
    });
  });

  it("is not asked where nobody asks for it, and its day is told all the same", async () => {
    const { ready } = await runReady({ state: stackOf([{ ...web, status: "failed" }]), panel });
    assert.deepEqual(
      ready.restores[0]?.findings.map(({ code }) => code),
      ["restore.failed"],
    );
    assert.equal((await runReady({ state: stackOf([web]), panel })).ready.restores[0]?.provenAt, at(65));
  });
});

it("a restore that is not proven, was long ago, or was changed since makes the stack not ready", async () => {
  const restores = [{ ...db, came: "not begun" as const, checks: [] }];
  const planned: PlayedPlan = { waves: [{ name: "data", stored: false, restores }], verdict: "not stored" };
  const otherPoint: Played = {
    ...web,
    adopted: true,
    warnings: [warningText({ kind: "other point", transactionId: "5014" })],
  };
  for (const [state, code, daysLater] of [
    [stackOf([web]), undefined, 1],
    [stackOf([web]), "restore.proof-old", 91],
    [stackOf([otherPoint]), "restore.changed-since", 1],
    [stackOfPlan(planned), "restore.not-proven", 1],
  ] as const) {
    const setup = { state, panel, now: new Date(Date.parse(at(daysLater * day))) };
    const { ready } = await runReady({ ...setup, provenWithinSeconds: 90 * day });
    const verdict = code === undefined ? "ready" : "not ready";
    assert.deepEqual([ready.verdict, ready.restores[0]?.findings[0]?.code], [verdict, code]);
    assert.equal((await runReady(setup)).ready.verdict, "ready");
    const text = printReady(ready, { columns: 100, colours: "plain" }).join("\n");
    assert.match(text, /^ +RESTORE .* PROVEN$/m);
    const shown = code === undefined || code === "restore.proof-old" ? "2026-11-21" : "–";
    assert.match(text, new RegExp(`^ (?:ok|!!) .* ${shown}`, "m"));
    assert.match(toMarkdown(ready), new RegExp(`\\| ${shown}(?:, 2026-Q4)? \\|`));
  }
});

describe("the time that a recovery takes", () => {
  const goals = (seconds: number): StoredGoals => ({ recoveryTimeSeconds: seconds });
  const plan: PlayedPlan = {
    waves: [
      {
        name: "data",
        restores: [
          { ...db, checks: [] },
          { ...db, name: "mail", ran: 600, transaction: "2", checks: [] },
        ],
      },
      { name: "front", restores: [{ ...db, name: "web", ran: 300, transaction: "3", checks: [] }] },
    ],
  };

  it("is a warning where it was longer than its goal when it was measured last", async () => {
    for (const [seconds, codes] of [
      [65, []],
      [64, ["restore.slow"]],
    ] as const) {
      const { ready } = await runReady({ state: stackOfPlan(planOf({ checks: [], goals: goals(seconds) })), panel });
      assert.deepEqual(
        ready.restores[0]?.findings.filter(({ code }) => code === "restore.slow").map(({ code }) => code),
        codes,
      );
    }
  });

  it("is for a plan that of the slowest machine of each wave, added up: two restores of a machine run one behind the other", async () => {
    const { ready } = await runReady({ state: stackOfPlan(plan), panel });
    assert.deepEqual(ready.plans, [{ plan: "shop", expectedSeconds: 65 + 605 + 305, notMeasured: 0 }]);
    const [data, front] = plan.waves;
    const apart = { ...data!, restores: [data!.restores[0]!, { ...data!.restores[1]!, machine: 43 }] };
    const other = await runReady({ state: stackOfPlan({ ...plan, waves: [apart, front!] }), panel });
    assert.equal(other.ready.plans[0]?.expectedSeconds, 605 + 305);
  });

  it("is the last that was measured, also where the panel told no times of the last run", async () => {
    const earlier = [readReport(toJson(report(stackOf([{ ...web, requested: -day }]))))];
    const unmeasured = { requestedAt: undefined, startedAt: undefined, durationSeconds: undefined };
    const { ready } = await runReady({ state: stackOf([{ ...web, outputs: unmeasured }]), panel, asked: { earlier } });
    assert.deepEqual([ready.restores[0]?.provenAt, ready.restores[0]?.lastRecoverySeconds], [at(65), 65]);
  });

  it("is not by a stamp of a time that is still to come", async () => {
    const now = new Date(Date.parse(at(0)) - 2 * day * 1_000);
    const { ready } = await runReady({ state: stackOfPlan(planOf()), panel, now });
    assert.deepEqual(ready.plans, [{ plan: "shop", notMeasured: 1 }]);
  });

  it("is of each of two plans of one name that of its own restores", async () => {
    const other = planOf({ ran: 600, transaction: "6014", checks: [] });
    const { ready } = await runReady({ state: twoPlansOf(planOf({ checks: [] }), other), panel });
    assert.deepEqual(ready.plans, [
      { plan: "shop", expectedSeconds: 65, notMeasured: 0 },
      { plan: "shop 2", expectedSeconds: 605, notMeasured: 0 },
    ]);
    const samples = readMetrics(metricsText(metricsOf(ready)));
    for (const name of ["plan_expected_recovery_seconds", "restore_last_recovery_seconds"]) {
      assert.deepEqual(
        samples
          .filter((one) => one.name === `pulumi_recovery_${name}`)
          .map(({ labels, value }) => [labels["plan"], labels["restore"], value]),
        [
          ["shop", name.startsWith("plan") ? undefined : "db", 65],
          ["shop 2", name.startsWith("plan") ? undefined : "db", 605],
        ],
      );
    }
  });

  it("is not known while a restore was never measured", async () => {
    const [data, front] = plan.waves;
    const failed = { ...front!, restores: [{ ...front!.restores[0]!, status: "failed" as const }] };
    const { ready } = await runReady({
      state: stackOfPlan({ ...plan, waves: [data!, failed], wholeGoalSeconds: 60 }),
      panel,
    });
    assert.deepEqual(ready.plans, [{ plan: "shop", notMeasured: 1, goalSeconds: 60 }]);
  });
});

describe("an inventory", () => {
  it("makes a stack not ready whose restores do not name each of its machines", async () => {
    const looked = (machines: readonly string[]) =>
      runReady({ state: stackOf([web]), panel, inventory: { machines, restored: new Set(["42"]) } });
    assert.deepEqual((await looked(["42"])).ready.verdict, "ready");
    const { ready } = await looked(["42", "43", "web-2"]);
    assert.deepEqual([ready.verdict, ready.withoutRestore], ["not ready", ["43", "web-2"]]);
  });
});
