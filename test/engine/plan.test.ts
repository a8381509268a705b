import assert from "node:assert/strict";
import { unknownString } from "../../provider/inputs/read-values";
import { omit } from "../../provider/plain/plain";
import { engineSafeText } from "../../provider/plain/text";
import { freshProcess } from "./support/fresh-process";
import { planVerdict, planWave, planRun } from "../../provider/engine/dynamic";
import type {
  DefinedRestore,
  StoredDefinition,
  StoredPlan,
  StoredRevision,
  StoredRun,
} from "../../provider/plan/stored";
import { definitionText, readDefinition } from "../../provider/plan/definition";
import { verdictOfRun } from "../../provider/plan/verdict";
import { planOf, restoreAsGiven, revision, runOf, step, waveOf } from "../plan/support/stored-plans";

const given = planOf(["db"]);
const settings = {
  RECOVERY_ENDPOINT: "https://panel.example",
  RECOVERY_USERNAME: "ada",
  RECOVERY_PASSWORD: "hunter2",
};

describe("the verdict's resource", () => {
  const inputs = (changes: Parameters<typeof step>[0], plan: Parameters<typeof runOf>[1] = {}) => ({
    of: runOf(["db"], plan),
    waves: [waveOf({ db: step(changes) })],
    __provider: "text",
  });

  it("is stored when it fails the run, with its reasons, and evaluated again by every run", async () => {
    const failing = inputs({ status: "failed" });
    const error = await planVerdict.create(failing).then(
      () => undefined,
      (thrown: unknown) => thrown as { id: string; properties: Record<string, unknown>; reasons: string[] },
    );
    assert.match(error?.id ?? "", /^verdict-/);
    assert.equal(error?.properties["verdict"], "failed");
    assert.equal(error?.properties["__provider"], "text");
    assert.match(error?.reasons.join("\n") ?? "", /plan "shop", run "first": failed/);
    assert.deepEqual(planVerdict.diff("id", error?.properties ?? {}, failing), { changes: true });
    await assert.rejects(planVerdict.update("id", error?.properties ?? {}, failing));
  });

  it("is left alone when it has passed and nothing it is about has changed", async () => {
    const good = inputs({});
    const { outs } = await planVerdict.create(good);
    assert.deepEqual(planVerdict.diff("id", outs, good), { changes: false });
    assert.deepEqual(planVerdict.diff("id", outs, inputs({ durationSeconds: 5 })), { changes: true });
    assert.deepEqual(planVerdict.diff("id", outs, { ...good, waves: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" }), {
      changes: true,
    });
  });
});

describe("the verdict's resource in a preview", () => {
  const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

  it("is judged by what is known: an incident that the run does not have is unknown in every preview", async () => {
    const inputs = { of: runOf(["db"]), waves: [waveOf({ db: step() })] };
    const { outs } = await planVerdict.create(inputs);
    assert.deepEqual(planVerdict.diff("id", outs, { ...inputs, of: { ...inputs.of, incidentAt: unknown } }), {
      changes: false,
    });
  });
});

describe("the run's resource", () => {
  const stored = {
    plan: "shop",
    run: "first",
    asGiven: given,
    definition: definitionText(given),
    revisions: { db: { at: "run-1/1", checks: [] } },
    startedAt: "2026-01-01T00:00:00.000Z",
    history: [],
    panel: "https://panel.example",
    by: { user: "ada" },
    __provider: "text",
  };
  const news = { plan: "shop", run: "first", asGiven: given, definition: definitionText(given), __provider: "text" };
  const newsOf = (plan: StoredPlan): typeof news => ({ ...news, asGiven: plan, definition: definitionText(plan) });

  /** A panel's settings: a new run stores their address. */
  async function following(changed: typeof news): Promise<Record<string, unknown>> {
    const { outs } = await freshProcess(settings).planRun.update(
      "id",
      { ...stored, history: [{ at: "then", by: {}, changes: [] }] },
      changed,
    );
    return outs;
  }

  it("is left alone by the same run", () => {
    assert.deepEqual(planRun.diff("id", stored, news), { changes: false });
    assert.deepEqual(planRun.diff("id", stored, { ...news, run: "second" }), { changes: true });
  });

  it("is left alone where the state has the definition in parts, or the program has them in another order", async () => {
    const inParts = { ...stored, definition: given };
    assert.deepEqual(planRun.diff("id", inParts, news), { changes: false });
    const [{ restores, name }] = given.waves as unknown as [{ restores: object; name: string }];
    const turned = definitionText({ waves: [{ restores, name }], ...omit(given, "waves") });
    assert.notEqual(turned, stored.definition);
    assert.deepEqual(planRun.diff("id", stored, { ...news, definition: turned }), { changes: false });
    const { outs } = await planRun.update("id", inParts, newsOf(planOf(["db", "web"])));
    assert.deepEqual((outs["revisions"] as Record<string, unknown>)["db"], stored.revisions.db);
    assert.equal((outs["history"] as readonly unknown[]).length, 1);
  });

  it("stores the definition as one text: clean, but for what a check sends, and unknown where a part of it is", () => {
    const db = { ...restoreAsGiven, triggers: ["<{%red%}>\ud800"] };
    const checks = [{ kind: "tcp", target: "<{%", given: { tcp: "<{%" } }];
    const inParts = (changes: object): object => ({
      ...given,
      waves: [{ name: "data", restores: { db: { ...db, ...changes } } }],
    });
    const stores = (definition: unknown): unknown => planRun.check({}, { ...news, definition }).inputs["definition"];
    const text = stores(inParts({ checks }));
    assert.equal(typeof text === "string" && engineSafeText(text), text);
    assert.deepEqual(readDefinition(text)?.waves[0]?.restores["db"], {
      ...db,
      triggers: ["<{ %red%}>\ufffd"],
      checks: [{ ...checks[0], target: "<{ %" }],
    });
    for (const definition of [inParts({ recoveryPointId: unknownString }), unknownString])
      assert.equal(stores(definition), unknownString);
    assert.equal(stores(text), text);
  });

  it("takes a definition that somebody has edited for none", () => {
    assert.deepEqual(planRun.diff("id", { ...stored, definition: '{"waves":' }, news), { changes: true });
  });

  it("keeps who began it, and remembers that the plan was changed meanwhile", async () => {
    const { outs } = await planRun.update("run-1", stored, newsOf(planOf(["db", "web"])));
    assert.deepEqual([outs["startedAt"], outs["by"]], [stored.startedAt, stored.by]);
    const { db, web } = outs["revisions"] as NonNullable<StoredRun["revisions"]>;
    assert.deepEqual(db, stored.revisions.db);
    assert.notEqual(web?.at, db.at);
    assert.deepEqual(
      outs["begunWith"],
      { asGiven: given, definition: stored.definition },
      "told against by the next run",
    );
    const [change] = outs["history"] as { at: string; by: object; changes: { path: string; before?: string }[] }[];
    assert.deepEqual(
      change?.changes.map(({ path, before }) => [path, before]),
      [["waves.data.restores.web", undefined]],
    );
    assert.equal(typeof change?.at, "string");
    assert.ok("host" in (change?.by ?? {}));
  });

  it("remembers that its incident, its kind or a note was changed, and no more than a note passes without a warning", async () => {
    const waves = [waveOf({ db: step() }, { run: "first" })];
    for (const [change, path, verdict] of [
      [{ incidentAt: "2026-11-20T12:00:00Z" }, "incidentAt", "passed with warnings"],
      [{ kind: "recovery" }, "kind", "passed with warnings"],
      [{ notes: { approver: "jo" } }, "notes", "passed"],
    ] as const) {
      const { outs } = await planRun.update(
        "run-1",
        { ...stored, kind: "drill" },
        { ...news, kind: "drill", ...change },
      );
      const history = outs["history"] as StoredRun["history"];
      assert.deepEqual(
        history.map(({ changes }) => changes.map((one) => one.path)),
        [[path]],
      );
      const found = verdictOfRun({ ...runOf(["db"]), history }, waves, "2026-11-20T13:00:00Z");
      assert.equal(found.verdict, verdict, path);
      assert.equal(found.reasons.join().includes(path), verdict !== "passed", found.reasons.join());
    }
  });

  it("keeps a change that warns, however often the notes are changed: of each the first and the last twenty", async () => {
    let olds: Record<string, unknown> = stored;
    const change = async (changed: object): Promise<void> => {
      olds = (await planRun.update("run-1", olds, { ...news, ...olds, ...changed })).outs;
    };
    for (let build = 0; build < 30; build++) await change({ notes: { reference: `build ${String(build)}` } });
    await change({ kind: "recovery" });
    for (let build = 30; build < 60; build++) await change({ notes: { reference: `build ${String(build)}` } });
    const history = olds["history"] as StoredRun["history"];
    assert.equal(history.length, 41);
    const waves = [waveOf({ db: step() }, { run: "first" })];
    const found = verdictOfRun({ ...runOf(["db"]), history }, waves, "2026-11-20T13:00:00Z");
    assert.equal(found.verdict, "passed with warnings");
    assert.match(found.reasons.join(), /kind was added: recovery/);
  });

  it("gives no revision again where the stack goes back to an older state, and no check the id of another one", async () => {
    const checked = (contains: string): StoredDefinition => {
      const check = {
        kind: "http",
        target: "https://a/",
        everySeconds: 5,
        withinSeconds: 300,
        afterSeconds: 0,
      } as const;
      const [{ restores }] = given.waves as unknown as [{ restores: Record<string, DefinedRestore> }];
      const db = { ...restores["db"]!, checks: [{ ...check, given: { http: "https://a/", contains } }] };
      return { ...given, waves: [{ name: "data", restores: { db } }] };
    };
    const revisionIn = async (made: Promise<{ outs: Record<string, unknown> }>): Promise<StoredRevision> =>
      ((await made).outs["revisions"] as Record<string, StoredRevision>)["db"]!;
    const { planRun: own } = freshProcess(settings);
    const all = await Promise.all([
      ...["a", "b"].map((contains) =>
        revisionIn(own.create({ ...news, definition: definitionText(checked(contains)) })),
      ),
      ...["c", "d"].map((contains) =>
        revisionIn(own.update("run-1", stored, { ...news, definition: definitionText(checked(contains)) })),
      ),
    ]);
    assert.equal(new Set(all.map(({ at }) => at)).size, all.length);
    assert.equal(new Set(all.flatMap(({ checks }) => checks)).size, all.length);
  });

  it("goes on from a state of an earlier release, which has no revisions and no secrets", async () => {
    const others = omit(stored, "definition", "revisions");
    const olds = {
      ...others,
      digest: "v2:sha256:0",
      key: "0".repeat(64),
      hashes: { db: { madeFor: "0" } },
      lastRevision: 1,
    };
    assert.deepEqual(planRun.diff("run-1", olds, news), { changes: true });
    const { outs } = await planRun.update("run-1", olds, news);
    assert.deepEqual([outs["history"], Object.keys(outs["revisions"] as object)], [[], ["db"]]);
    assert.deepEqual(
      ["digest", "key", "hashes", "amended", "lastRevision"].filter((name) => name in outs),
      [],
    );
  });

  it("repeats no word of a command that an earlier version stored, and tells of no change", async () => {
    const withCheck = (target: string): typeof given => {
      const plan = structuredClone(given) as unknown as { waves: { restores: Record<string, object> }[] };
      const check = { kind: "command", target, everySeconds: 5, withinSeconds: 300, afterSeconds: 0 };
      plan.waves[0]!.restores["db"] = { ...plan.waves[0]!.restores["db"], checks: [check] };
      return plan as never;
    };
    const olds = { ...stored, asGiven: withCheck("mysql -pcanary shop"), definition: undefined };
    for (const run of ["first", "second"]) {
      const changed = { ...newsOf(withCheck("mysql")), run };
      assert.deepEqual(planRun.diff("id", olds, changed), { changes: true });
      const { outs } = await freshProcess(settings).planRun.update("id", olds, changed);
      assert.deepEqual(outs["history"], []);
      assert.notEqual(outs["changed"], true);
      assert.doesNotMatch(JSON.stringify(outs), /canary/);
    }
  });

  it("begins anew under a new name, and tells from the run before what it was and what has changed since", async () => {
    const { previous } = await following({ ...news, run: "second" });
    assert.deepEqual(previous, { run: "first", startedAt: stored.startedAt });
    for (const [plan, isChanged, paths] of [
      [given, false, []],
      [planOf(["db", "web"]), true, ["waves.data.restores.web"]],
    ] as const) {
      const outs = await following({ ...newsOf(plan), run: "second" });
      assert.deepEqual([outs["changed"], outs["changedPaths"], outs["history"]], [isChanged, paths, []]);
      assert.notEqual(outs["startedAt"], stored.startedAt);
      assert.equal(outs["run"], "second");
    }
  });

  it("begins with new revisions on another panel, where a machine of the same id is another one", async () => {
    const { outs } = await freshProcess({ ...settings, RECOVERY_ENDPOINT: "https://lab.example" }).planRun.update(
      "id",
      stored,
      {
        ...news,
        run: "second",
      },
    );
    const revisionIn = ({ revisions }: Record<string, unknown>) =>
      (revisions as NonNullable<StoredRun["revisions"]>)["db"]?.at;
    assert.notEqual(revisionIn(outs), stored.revisions.db.at);
    assert.equal(revisionIn(await following({ ...news, run: "second" })), stored.revisions.db.at);
  });

  it("keeps the records of a run that has begun: of its waves, and of each round of a wave", () => {
    const [{ restores }] = given.waves as unknown as [StoredPlan["waves"][number]];
    const inputs = (
      records: readonly string[] | undefined,
      names = ["data"],
      run = "first",
    ): Record<string, unknown> => ({
      ...newsOf({ ...given, waves: names.map((name) => ({ name, restores })) }),
      run,
      records,
    });
    const refused = (olds: object, news: object): string =>
      planRun
        .check(olds, news)
        .failures.map(({ reason }) => reason)
        .join();
    const two = inputs(["data", "data:round-2"]);
    assert.match(
      refused(two, inputs(["data"])),
      /^waves: round-2 of wave "data" is in the run "first", which has begun.* cannot become fewer during a run.*Nothing was sent\.$/,
    );
    assert.match(
      refused(inputs(undefined), inputs(["base"], ["base"])),
      /^waves: wave "data" is in the run "first", which has begun/,
    );
    assert.equal(refused(two, inputs(["data"], ["data"], "second")), "", "another run begins with what it has");
    assert.equal(refused(inputs(["data"]), two), "");
    assert.equal(refused({}, inputs(["data"])), "");
  });
});

describe("the wave's resource", () => {
  const planned = {
    db: {
      kind: "VmRestore",
      urn: "urn:db",
      inputs: { virtualMachineId: "42", recoveryPointId: "7", triggers: ["first"] },
      posting: "intent-1/posted-after-5000",
      record: { status: "accepted", transactionIds: [], adopted: false, warnings: [] },
    },
  };
  const definition = { db: given.waves[0]!.restores["db"] as object };
  const revisions = { db: { at: revision, checks: [] as readonly string[] } };
  const ofWave = { plan: "shop", run: "first", index: 0, name: "data", round: 0 };
  const news = { ...ofWave, planned, definition, revisions, earlierReasons: [] };
  const checkedBy = (checks: readonly object[]) => ({
    revisions: { db: { at: "run-1/2", checks: ["1.0"] } },
    definition: { db: { ...definition.db, checks } },
  });
  const stored = { ...news, ...waveOf({ db: step() }) };

  it("knows what a refresh finds out about a restore as no change", () => {
    assert.deepEqual(planWave.diff("id", stored, news), { changes: false });
    const refreshed = {
      ...planned.db,
      record: { ...planned.db.record, status: "failed", transactionIds: ["5001"] },
      urn: "urn:renamed",
    };
    assert.deepEqual(planWave.diff("id", stored, { ...news, planned: { db: refreshed } }), { changes: false });
  });

  it("is not changed by what a preview cannot know of a restore that is", () => {
    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
    const inPreview = {
      ...planned.db,
      record: { ...planned.db.record, transactionId: unknown, queuedSeconds: unknown },
    };
    assert.deepEqual(planWave.diff("id", stored, { ...news, planned: { db: inPreview } }), { changes: false });
    assert.deepEqual(planWave.diff("id", stored, { ...news, planned: { db: { ...inPreview, posting: unknown } } }), {
      changes: true,
    });
  });

  it("is not changed by what a preview cannot know of a run that is: what is planned says if it is another one", () => {
    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
    const inPreview = { ...news, runStartedAt: unknown, revisions: unknown };
    assert.deepEqual(planWave.diff("id", stored, inPreview), { changes: false });
    const changed = { ...checkedBy([{ kind: "tcp", target: "a:1", given: { tcp: "a:1" } }]), revisions: unknown };
    assert.deepEqual(planWave.diff("id", stored, { ...inPreview, ...changed }), { changes: true });
  });

  const changes: readonly [string, object][] = [
    ["another posting of a restore", { planned: { db: { ...planned.db, posting: "intent-1/posted-after-6000" } } }],
    ["another intent", { planned: { db: { ...planned.db, posting: "intent-2/posted-after-5000" } } }],
    [
      "a transaction named by adopt",
      { planned: { db: { ...planned.db, posting: "intent-1/posted-after-5000/5009" } } },
    ],
    ["another revision", { revisions: { db: { at: "run-1/2", checks: [] } } }],
    ["a check", checkedBy([{ kind: "tcp", target: "a:1", given: { tcp: "a:1" } }])],
    ["another restore", { planned: { ...planned, web: planned.db } }],
    ["a restore less", { planned: {} }],
    ["another run", { run: "second" }],
    ["what an earlier round has come to", { earlierReasons: ["web failed"] }],
    ["what is not known yet", { planned: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" }],
  ];
  for (const [what, change] of changes) {
    it(`is updated for ${what}`, () =>
      assert.deepEqual(planWave.diff("id", stored, { ...news, ...change }), { changes: true }));
  }

  it("goes on from its record where the engine deletes it and makes it anew", async () => {
    const { planWave: wave } = freshProcess(settings);
    const failed = { status: "failed", transactionIds: ["4001"] } as const;
    const runUrn =
      "urn:pulumi:dev::drill::recovery:index:RecoveryPlan$pulumi-nodejs:dynamic/recovery:PlanRun::shop-run";
    const inputs = { ...news, row: "shop-wave-data", runUrn, planned: {} };
    await wave.delete("id", { ...inputs, ...waveOf({ db: step(failed) }) });
    const triesOf = async (row: string): Promise<unknown> =>
      (await wave.create({ ...inputs, row })).outs["earlierTries"];
    const { db = [] } = (await triesOf("shop-wave-data")) as Record<string, { readonly transactionIds: string[] }[]>;
    assert.deepEqual(
      db.map(({ transactionIds }) => transactionIds),
      [["4001"]],
    );
    assert.deepEqual(await triesOf("shop-wave-front"), {}, "another wave has a record of its own");
  });

  it("is looked at again as long as it is not good, whatever a refresh makes of its error", () => {
    assert.deepEqual(planWave.diff("id", { ...stored, reasons: ["db failed"] }, news), { changes: true });
  });

  it("refuses a restore of another run: --target may leave the run, or a restore, out", async () => {
    const told =
      /restore "db" of the plan was made in run "first", and this is run "second": a part of the plan was left out/;
    await assert.rejects(planWave.update("id", stored, { ...news, run: "second" }), told);
    await assert.rejects(planWave.create({ ...news, run: "second" }), told);
  });
});

describe("a plan's restore that a refresh has seen to end badly", () => {
  const urnOf = (type: string, name: string): string =>
    `urn:pulumi:dev::drill::recovery:index:RecoveryPlan$pulumi-nodejs:dynamic/recovery:${type}::${name}`;
  const target = { virtualMachineId: "42", recoveryPointId: "7", triggers: ["first"] };
  const intent = {
    id: "intent-1",
    urn: urnOf("RestoreIntent", "shop-db-vm-intent"),
    process: "before",
    mark: { panel: "https://panel.example", firstPageIds: [] },
    madeFor: { kind: "VmRestore", ...target },
  };
  const ended = { transactionId: "5001", transactionIds: ["5001"], adopted: false, warnings: [] };

  for (const [status, others] of [
    ["cancelled", {}],
    ["failed", { retryFailed: false }],
  ] as const) {
    it(`leaves it to its wave to tell that it ${status === "failed" ? "has failed" : "was cancelled"}, and stops no other one`, async () => {
      const news = { ...target, ...others, wait: false, intent, __provider: "text" };
      const olds = { ...news, ...ended, status };
      const { vmRestore } = freshProcess();
      await assert.rejects(vmRestore.update("5001", olds, news), /5001/, "one of no plan tells it itself");

      const ofPlan = { name: "db", checks: [] };
      const { outs } = await vmRestore.update("5001", olds, { ...news, ofPlan });
      assert.equal("ofPlan" in outs, false, "outputs hold nothing of its checks");
      assert.equal(outs["status"], status);
      assert.deepEqual(vmRestore.diff("5001", outs, news), { changes: true }, "it never becomes a good one");
    });
  }
});
