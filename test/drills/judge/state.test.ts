import assert from "node:assert/strict";
import { readStack } from "../../../cli/parts/stack-state";
import { restoresOfState } from "../../../drills/judge/state";
import type { PlanText, RestoreEvent } from "../../../drills/judge/stored";
import { reports } from "../../../report";
import { pluginTypes, type ResourceName, resourceTypes } from "../../../provider/inputs/resource-names";

const types = { dynamic: resourceTypes, plugin: pluginTypes };

/** A stack with a plan of two waves, of which both are complete, and whatever else a case adds. */
function stack(of: keyof typeof types = "dynamic") {
  const parents = "urn:pulumi:test::shop::recovery:index:RecoveryPlan$";
  const own = (type: ResourceName, name: string, outputs: object, more: object = {}) => ({
    urn: `${parents}${types[of][type]}::${name}`,
    type: types[of][type],
    id: name,
    outputs,
    ...more,
  });
  const entry = (id: string, machine: string, more: object = {}) => ({ id, mark: "m", machine, point: "10", ...more });
  const events = (id: string, machine: string, transaction: string, more: object = {}): readonly RestoreEvent[] => [
    {
      at: "2026-11-21T10:00:00Z",
      entry: id,
      did: "posted",
      up: "p",
      machine,
      point: "10",
      answer: "accepted",
      ...more,
    },
    { at: "2026-11-21T10:00:01Z", entry: id, did: "listed", ids: [transaction] },
    { at: "2026-11-21T10:01:00Z", entry: id, did: "ended", status: "complete" },
  ];
  const plan: PlanText = {
    run: "Q1",
    kind: "drill",
    onFailure: "stop",
    onMissedGoal: "fail",
    waves: [
      { name: "data", restores: { db: { machine: "1", point: "10", checks: [] } } },
      { name: "front", restores: { web: { machine: "2", point: "10", paths: ["/www"], checks: [] } } },
    ],
  };
  const marks = { m: { panel: "https://panel.example", newestId: "4", process: "p" } };
  const run = {
    run: "Q1",
    startedAt: "2026-11-21T09:59:00Z",
    up: "p",
    plan: JSON.stringify(plan),
    changes: [],
    earlierRuns: [],
  };
  const intent = (entries: object) => ({ run: "Q1", restores: JSON.stringify({ entries, marks }) });
  const wave = (restores: object) => ({ run: "Q1", record: JSON.stringify({ restores, proofs: {} }) });
  return {
    own,
    resources: [
      own("PlanRun", "shop-run", run),
      own("WaveIntent", "shop-wave-data-intent", intent({ db: entry("a", "1") })),
      own("Wave", "shop-wave-data", wave({ db: events("a", "1", "5") })),
      own("WaveIntent", "shop-wave-front-intent", intent({ web: entry("b", "2", { paths: ["/www"] }) })),
      own("Wave", "shop-wave-front", wave({ web: events("b", "2", "6", { paths: ["/www"] }) })),
    ] as object[],
    pending_operations: [] as object[],
  };
}

/** A restore of the whole machine beside the plan. */
const beside = (machine: string, id: string, more: object = {}, outputs: object = {}) => ({
  urn: `urn:pulumi:test::shop::${resourceTypes.VmRestore}::files`,
  type: resourceTypes.VmRestore,
  id,
  outputs: {
    virtualMachineId: machine,
    recoveryPointId: "9",
    intent: { id: "i-1" },
    status: "complete",
    transactionIds: [id],
    ...outputs,
  },
  ...more,
});

describe("the restores of a state", () => {
  for (const of of ["dynamic", "plugin"] as const)
    it(`are the planned ones, and their plan passes: ${of}`, () => {
      const { restores, plans } = restoresOfState(stack(of));
      assert.deepEqual(
        restores.map(({ name, plan, wave, kind, machine, panel, state }) => ({
          name,
          plan,
          wave,
          kind,
          machine,
          panel,
          state,
        })),
        [
          {
            name: "db",
            plan: "shop",
            wave: "data",
            kind: "VmRestore",
            machine: "1",
            panel: "https://panel.example",
            state: "complete",
          },
          {
            name: "web",
            plan: "shop",
            wave: "front",
            kind: "FileRestore",
            machine: "2",
            panel: "https://panel.example",
            state: "complete",
          },
        ],
      );
      assert.equal(plans[0]?.verdict?.verdict, "passed", plans[0]?.verdict?.reasons.join());
    });

  it("are overwritten by a later restore of the whole machine beside the plan, also by one that is replaced", () => {
    for (const more of [{}, { delete: true }]) {
      const state = stack();
      state.resources.push(beside("2", "7", more));
      const { restores, plans } = restoresOfState(state);
      assert.equal(restores.find(({ name }) => name === "web")?.state, "overwritten");
      assert.equal(restores.find(({ name }) => name === "files")?.state, "delete" in more ? undefined : "complete");
      assert.match(plans[0]?.verdict?.reasons.join() ?? "", /web was overwritten by files \(transaction 7\)/);
    }
    const state = stack();
    state.resources.push(beside("2", "3"));
    assert.equal(restoresOfState(state).plans[0]?.verdict?.verdict, "passed");
  });

  it("are not sent where their wave was last asked for in another run", () => {
    const state = stack();
    const [, intent, wave] = state.resources as { outputs: Record<string, unknown> }[];
    intent!.outputs["run"] = wave!.outputs["run"] = "Q0";
    const { restores, plans } = restoresOfState(state);
    assert.deepEqual(
      restores.map((one) => one.state),
      ["not sent", "complete"],
    );
    assert.deepEqual(plans[0]?.verdict?.reasons, ["wave data was last asked for in run Q0"]);
  });

  it("beside plans are what their record and their present intent say", () => {
    const intent = (id: string) => ({
      urn: `urn:pulumi:test::shop::${resourceTypes.Intent}::files-vm-intent`,
      type: resourceTypes.Intent,
      id,
      outputs: { mark: { panel: "https://panel.example", newestId: "4" } },
    });
    const cases: readonly (readonly [object[], string])[] = [
      [[beside("9", "7"), intent("i-1")], "complete"],
      [[beside("9", "7"), intent("i-2")], "not sent"],
      [[beside("9", "7", {}, { status: "running" }), intent("i-1")], "running"],
      [[beside("9", "7", {}, { status: "sent", transactionIds: [] }), intent("i-1")], "sent"],
      [[beside("9", "7", {}, { status: "failed", failedPart: "8" }), intent("i-1")], "failed"],
    ];
    for (const [resources, state] of cases)
      assert.deepEqual(
        restoresOfState({ resources }).restores.map((one) => one.state),
        [state],
      );
  });

  it("may have been sent while their wave is pending: those without a record, and no others", () => {
    const cases: readonly (readonly [string, string, readonly string[]])[] = [
      ["shop-wave-data", "updating", ["sent", "complete"]],
      ["shop-wave-data-intent", "updating", ["not sent", "complete"]],
      ["shop-wave-front", "updating", ["not sent", "complete"]],
      ["shop-wave-data", "creating", ["not sent", "complete"]],
    ];
    for (const [name, type, states] of cases) {
      const state = stack();
      const [, , wave] = state.resources as { outputs: Record<string, unknown> }[];
      wave!.outputs["record"] = JSON.stringify({ restores: {}, proofs: {} });
      const resource = state.resources.find((one) => (one as { id: string }).id === name);
      state.pending_operations.push({ resource, type });
      const { restores, plans } = restoresOfState(state);
      assert.deepEqual(
        restores.map((one) => one.state),
        states,
        `${name} ${type}`,
      );
      const counts = states[0] === "sent" ? { sent: 1, complete: 1 } : { "not sent": 1, complete: 1 };
      assert.deepEqual(plans[0]?.verdict?.counts, counts);
      const reasons = plans[0]?.verdict?.reasons.join("\n") ?? "";
      assert.equal(/db may have been sent: an `up` is under way, or broke off/.test(reasons), states[0] === "sent");
    }
  });

  it("may have been sent where an `up` stopped before it knew what an earlier run had sent", () => {
    for (const [sent, word] of [
      ["unknown", "sent"],
      ["no", "not sent"],
    ] as const) {
      const state = stack();
      const [, , wave] = state.resources as { outputs: Record<string, unknown> }[];
      const db = [{ at: "2026-11-21T10:05:00Z", entry: "a", did: "stopped", sent, why: "the panel lists these jobs" }];
      wave!.outputs["record"] = JSON.stringify({ restores: { db }, proofs: {} });
      const { restores, plans } = restoresOfState(state);
      assert.equal(restores[0]?.state, word);
      const reasons = plans[0]?.verdict?.reasons.join() ?? "";
      assert.equal(
        reasons.includes("db may have been sent by an earlier run: the panel lists"),
        word === "sent",
        reasons,
      );
    }
  });

  it("may have been sent, without a plan, while a restore is made under their present intent", () => {
    const urn = `urn:pulumi:test::shop::${resourceTypes.VmRestore}::files`;
    const outputs = { kind: "VmRestore", virtualMachineId: "9", recoveryPointId: "9" };
    const intent = { urn: `urn:pulumi:test::shop::${resourceTypes.Intent}::files-vm-intent`, type: resourceTypes.Intent, id: "i-2", outputs }; // prettier-ignore
    const begun = (id: string) => [{ type: "creating", resource: { urn, inputs: { intent: { id } } } }];
    for (const resources of [[intent], [beside("9", "7"), intent]])
      for (const [id, state] of [
        ["i-2", "sent"],
        ["i-1", "not sent"],
      ] as const)
        assert.deepEqual(
          restoresOfState({ resources, pending_operations: begun(id) }).restores.map((one) => one.state),
          [state],
        );
  });

  it("of machines that are secrets are not of one machine", () => {
    const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
    const hidden = (name: string, id: string) => ({
      ...beside("", id, {}, { virtualMachineId: secret }),
      urn: `urn:pulumi:test::shop::${resourceTypes.VmRestore}::${name}`,
    });
    const { restores } = restoresOfState({ resources: [hidden("a", "7"), hidden("b", "8")] });
    assert.deepEqual(
      restores.map(({ name, machine, state }) => [name, machine, state]),
      [
        ["a", undefined, "complete"],
        ["b", undefined, "complete"],
      ],
    );
  });

  it("are incomplete while an update of the plan's resources is pending, and not for a creation that was made good", () => {
    const state = stack();
    const [, , wave] = state.resources;
    state.pending_operations.push({ resource: wave, type: "creating" });
    assert.equal(restoresOfState(state).plans[0]?.verdict?.verdict, "passed");
    state.pending_operations.push({ resource: wave, type: "updating" });
    assert.match(
      restoresOfState(state).plans[0]?.verdict?.reasons.join() ?? "",
      /an update of shop-wave-data is under way, or broke off/,
    );
  });

  it("have one rule for what is pending, for the judge, the commands and the report", () => {
    const wave = stack().resources[2] as { readonly urn: string };
    const vm = beside("9", "7");
    const again = { ...vm, inputs: { intent: { id: "i-2" } } };
    const cases: readonly (readonly [string, object, object, boolean])[] = [
      ["creating", wave, wave, false],
      ["creating", { ...wave, pendingReplacement: true }, wave, true],
      ["updating", wave, wave, true],
      ["creating", vm, vm, false],
      ["creating", vm, again, true],
    ];
    for (const [type, stored, resource, isPending] of cases) {
      const state = stack();
      state.resources = [...state.resources.filter((one) => (one as typeof wave).urn !== wave.urn), wave, vm];
      const { urn } = stored as typeof wave;
      state.resources = state.resources.map((one) => ((one as typeof wave).urn === urn ? stored : one));
      state.pending_operations.push({ resource, type });
      const exported = { version: 3, deployment: state };
      const { restores, isUnderWay } = readStack(exported);
      const ofVm = urn === vm.urn;
      const said = {
        judge: restoresOfState(state).plans[0]?.verdict?.verdict === "incomplete",
        command: restores.find((one) => one.urn === urn)?.isPending,
        stack: isUnderWay,
        report: reports(exported).every(({ source }) => source.pending.length > 0),
      };
      assert.deepEqual(
        said,
        { judge: isPending && !ofVm, command: isPending, stack: isPending, report: isPending },
        `${type} ${urn} ${String(isPending)}`,
      );
    }
  });

  it("are kept apart where two plans below different parents have one name", () => {
    const state = stack();
    const other = JSON.parse(
      JSON.stringify(stack().resources)
        .replaceAll("recovery:index", "my:Site$recovery:index")
        .replaceAll(String.raw`\"10\"`, String.raw`\"20\"`)
        .replaceAll(String.raw`\"5\"`, String.raw`\"8\"`),
    ) as object[];
    state.resources.push(...other);
    const [first, second] = restoresOfState(state).plans;
    assert.match(first?.verdict?.reasons.join() ?? "", /db was overwritten by db \(transaction 8\)/);
    assert.equal(second?.verdict?.verdict, "passed", second?.verdict?.reasons.join());
    const marks = readStack({ version: 3, deployment: state }).restores.map(({ urn, mark, resource }) => [
      mark?.newestId,
      resource?.urn === urn,
    ]);
    assert.deepEqual(marks, [["4", true], ["4", true], ["4", true], ["4", true]]); // prettier-ignore
  });

  it("are passed with a warning if a resource between the waves has not run in this run", () => {
    for (const [run, verdict] of [
      ["Q0", "passed with warnings"],
      ["Q1", "passed"],
    ] as const) {
      const state = stack();
      const between = JSON.stringify({ dns: { digest: "a", run } });
      state.resources.push(state.own("Verdict", "shop-verdict", { run: "Q1", between }));
      assert.equal(restoresOfState(state).plans[0]?.verdict?.verdict, verdict);
    }
  });

  it("are read from any state, whatever was edited", () => {
    const { own } = stack();
    const wrong: readonly object[] = [
      own("PlanRun", "shop-run", { run: 7 }),
      own("PlanRun", "shop-run", { run: "Q1", plan: "{" }),
      own("PlanRun", "shop-run", {
        run: "Q1",
        plan: JSON.stringify({ run: "Q1", waves: [null, { name: "data", restores: { db: 7 } }] }),
      }),
      own("Wave", "shop-wave-data", { run: "Q1", record: "[]" }),
      own("WaveIntent", "shop-wave-data-intent", { run: "Q1", restores: '{"entries":{"db":{"id":1}}}' }),
    ];
    for (const one of wrong) {
      const state = stack();
      state.resources = [
        ...state.resources.filter(
          (other) => (other as typeof one & { urn: string }).urn !== (one as { urn: string }).urn,
        ),
        one,
      ];
      const { plans } = restoresOfState(state);
      assert.ok(
        plans.every(({ verdict }) => verdict?.verdict !== "passed"),
        JSON.stringify(plans),
      );
    }
    for (const nothing of [undefined, null, {}, { resources: 7 }, { resources: [null, {}] }])
      assert.deepEqual(restoresOfState(nothing), { restores: [], plans: [] });
  });
});
