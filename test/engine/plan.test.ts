import assert from "node:assert/strict";
import { freshProcess } from "./support/fresh-process";
import { planVerdict, planWave, planRun } from "../../provider/engine/dynamic";
import { digestOf } from "../../provider/plan/digest";
import { runOf, step, waveOf } from "../plan/support/stored-plans";

const given = runOf(["db"]);
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

describe("the run's resource", () => {
  const stored = {
    plan: "shop",
    run: "first",
    asGiven: given.asGiven,
    digest: digestOf({ asGiven: given.asGiven }),
    startedAt: "2026-01-01T00:00:00.000Z",
    history: [],
    panel: "https://panel.example",
    by: { user: "ada" },
    __provider: "text",
  };
  const news = { plan: "shop", run: "first", asGiven: given.asGiven, __provider: "text", expected: { db: "secret" } };

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

  it("keeps who began it, and remembers that the plan was changed meanwhile", async () => {
    const changed = runOf(["db", "web"]).asGiven;
    const { outs } = await planRun.update("id", stored, { ...news, asGiven: changed });
    assert.deepEqual([outs["startedAt"], outs["by"]], [stored.startedAt, stored.by]);
    assert.match(String(outs["key"]), /^[0-9a-f]{64}$/);
    assert.match(String(outs["digest"]), /^v2:sha256:/);
    const [change] = outs["history"] as { at: string; by: object; changes: { path: string; before?: string }[] }[];
    assert.deepEqual(
      change?.changes.map(({ path, before }) => [path, before]),
      [["waves.data.restores.web", undefined]],
    );
    assert.equal(typeof change?.at, "string");
    assert.ok("host" in (change?.by ?? {}));
    assert.equal("expected" in outs, false, "what checks ask is not recorded");
  });

  it("repeats no word of a command that an earlier version stored, and tells of no change", async () => {
    const withCheck = (target: string): typeof given.asGiven => {
      const plan = structuredClone(given.asGiven) as unknown as { waves: { restores: Record<string, object> }[] };
      const check = { kind: "command", target, everySeconds: 5, withinSeconds: 300, afterSeconds: 0 };
      plan.waves[0]!.restores["db"] = { ...plan.waves[0]!.restores["db"], checks: [check] };
      return plan as never;
    };
    const olds = { ...stored, asGiven: withCheck("mysql -pcanary shop") };
    for (const run of ["first", "second"]) {
      const changed = { ...news, run, asGiven: withCheck("mysql") };
      assert.deepEqual(planRun.diff("id", olds, changed), { changes: true });
      const { outs } = await freshProcess(settings).planRun.update("id", olds, changed);
      assert.deepEqual(outs["history"], []);
      assert.notEqual(outs["changed"], true);
      assert.doesNotMatch(JSON.stringify(outs), /canary/);
    }
  });

  it("begins anew under a new name, and tells from the run before what it was and what has changed since", async () => {
    const changed = runOf(["db", "web"]).asGiven;
    const { previous } = await following({ ...news, run: "second" });
    assert.deepEqual(previous, { run: "first", digest: stored.digest, startedAt: stored.startedAt });
    for (const [asGiven, isChanged, paths] of [
      [given.asGiven, false, []],
      [changed, true, ["waves[0].restores.web"]],
    ] as const) {
      const outs = await following({ ...news, run: "second", asGiven });
      assert.deepEqual([outs["changed"], outs["changedPaths"], outs["history"]], [isChanged, paths, []]);
      assert.notEqual(outs["startedAt"], stored.startedAt);
      assert.equal(outs["run"], "second");
    }
  });

  it("refuses what cannot be right once it is known, with the path", () => {
    const asGiven = structuredClone(given.asGiven) as unknown as { waves: { restores: Record<string, object> }[] };
    asGiven.waves[0]!.restores["db"] = { ...asGiven.waves[0]!.restores["db"], recoveryPointTakenAt: "yesterday" };
    const { failures } = planRun.check({}, { ...news, asGiven, run: "", incidentAt: "now" });
    assert.deepEqual(
      failures.map(({ property }) => property),
      ["run", "incidentAt", "waves[0].restores.db.recoveryPointTakenAt"],
    );
  });

  // All secrets are stored as the same word: one run's waves and verdict would be taken for the next one's.
  it("refuses secrets that tell runs apart or are measured by, and says what to do", () => {
    const asGiven = structuredClone(given.asGiven) as unknown as { waves: { restores: Record<string, object> }[] };
    asGiven.waves[0]!.restores["db"] = { ...asGiven.waves[0]!.restores["db"], recoveryPointTakenAt: "[secret]" };
    const { failures } = planRun.check(
      {},
      { ...news, asGiven, run: "[secret]", incidentAt: "[secret]", notes: { owner: "[secret]" } },
    );
    assert.deepEqual(
      failures.map(({ property }) => property),
      ["run", "incidentAt", "waves[0].restores.db.recoveryPointTakenAt"],
    );
    for (const { reason } of failures) assert.match(reason, / is a secret, .*: give it in plain/);
  });
});

describe("the wave's resource", () => {
  const asked = {
    db: {
      kind: "VmRestore",
      urn: "urn:db",
      inputs: { virtualMachineId: "42", recoveryPointId: "7" },
      intentId: "intent-1",
      restoreId: "posted-after-5000",
      record: { status: "accepted", transactionIds: [], adopted: false, warnings: [] },
      goals: {},
      checks: [],
    },
  };
  const news = { plan: "shop", run: "first", index: 0, name: "data", round: 0, asked, probes: {}, earlierReasons: [] };
  const stored = { ...news, ...waveOf({ db: step() }) };

  it("knows what a refresh finds out about a restore as no change", () => {
    assert.deepEqual(planWave.diff("id", stored, news), { changes: false });
    const refreshed = {
      ...asked.db,
      record: { ...asked.db.record, status: "failed", transactionIds: ["5001"] },
      urn: "urn:renamed",
    };
    assert.deepEqual(planWave.diff("id", stored, { ...news, asked: { db: refreshed } }), { changes: false });
  });

  it("is not changed by what a preview cannot know of a restore that is", () => {
    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
    const inPreview = { ...asked.db, record: { ...asked.db.record, transactionId: unknown, queuedSeconds: unknown } };
    assert.deepEqual(planWave.diff("id", stored, { ...news, asked: { db: inPreview } }), { changes: false });
    for (const what of ["intentId", "restoreId"]) {
      const again = { ...inPreview, [what]: unknown };
      assert.deepEqual(planWave.diff("id", stored, { ...news, asked: { db: again } }), { changes: true });
    }
  });

  const changes: readonly [string, object][] = [
    ["another posting of a restore", { asked: { db: { ...asked.db, restoreId: "posted-after-6000" } } }],
    ["another intent", { asked: { db: { ...asked.db, intentId: "intent-2" } } }],
    ["a transaction named by adopt", { asked: { db: { ...asked.db, inputs: { ...asked.db.inputs, adopt: "5009" } } } }],
    ["a new goal", { asked: { db: { ...asked.db, goals: { recoveryTimeSeconds: 1 } } } }],
    ["another probe", { probes: { db: [{ tcp: "a:1" }] } }],
    ["another restore", { asked: { ...asked, web: asked.db } }],
    ["a restore less", { asked: {} }],
    ["another run", { run: "second" }],
    ["another moment of the incident", { incidentAt: "2026-11-20T09:30:00Z" }],
    ["what an earlier round has come to", { earlierReasons: ["web failed"] }],
    ["what is not known yet", { asked: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" }],
  ];
  for (const [what, change] of changes) {
    it(`is updated for ${what}`, () =>
      assert.deepEqual(planWave.diff("id", stored, { ...news, ...change }), { changes: true }));
  }

  it("is looked at again as long as it is not good, whatever a refresh makes of its error", () => {
    assert.deepEqual(planWave.diff("id", { ...stored, reasons: ["db failed"] }, news), { changes: true });
  });

  it("takes no restore of another run for one of its own: --target may leave a restore out and name its wave", async () => {
    const again = { ...news, run: "second", asked: { db: { ...asked.db, run: "first" } } };
    assert.deepEqual(planWave.diff("id", stored, again), { changes: true });
    const told = /restore "db" of the plan was made in run "first", and this is run "second"/;
    await assert.rejects(planWave.update("id", stored, again), told);
    await assert.rejects(planWave.create(again), told);
    const own = { ...asked.db, run: "first", record: { ...asked.db.record, status: "complete" } };
    assert.deepEqual(planWave.diff("id", stored, { ...news, asked: { db: own } }), { changes: false });
  });

  it("refuses a check that cannot be right once it is known, with the path", () => {
    const { failures } = planWave.check({}, { ...news, index: 1, probes: { db: [{ http: "ftp://x" }] } });
    assert.deepEqual(
      failures.map(({ property }) => property),
      ["waves[1].restores.db.checks[0].http"],
    );
  });

  it("quotes nothing that may be a secret beside an address that is shown", () => {
    const checks = [{ kind: "http", target: "https://web" }];
    const probe = { http: "https://web", contains: { canary: "" }, caFile: "canary.pem", status: "canary" };
    const { failures } = planWave.check(
      {},
      { ...news, asked: { db: { ...asked.db, checks } }, probes: { db: [probe] } },
    );
    assert.deepEqual(
      failures.map(({ property }) => property.split(".").at(-1)),
      ["status", "contains", "caFile"],
    );
    assert.doesNotMatch(JSON.stringify(failures), /canary/);
  });

  it("does not show what is wrong with a secret", () => {
    const checks = [{ kind: "http", target: "[secret]" }];
    const { failures } = planWave.check(
      {},
      { ...news, asked: { db: { ...asked.db, checks } }, probes: { db: [{ http: "ftp://canary", every: "canary" }] } },
    );
    assert.deepEqual(
      failures.map(({ property }) => property),
      ["waves[0].restores.db.checks[0].http", "waves[0].restores.db.checks[0].every"],
    );
    assert.ok(!JSON.stringify(failures).includes("canary"));
  });
});

describe("a plan's restore that a refresh has seen to end badly", () => {
  const urnOf = (type: string, name: string): string =>
    `urn:pulumi:dev::drill::recovery:index:RecoveryPlan$pulumi-nodejs:dynamic/recovery:${type}::${name}`;
  const urn = urnOf("VmRestore", "shop-db");
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
      const { vmRestore, planRun } = freshProcess();
      await assert.rejects(vmRestore.update("5001", olds, news), /5001/, "one of no plan tells it itself");

      const expected = { db: { urn, checks: [], probes: [] } };
      planRun.check({}, { plan: "shop", run: "first", asGiven: given.asGiven, expected });
      const { outs } = await vmRestore.update("5001", olds, news);
      assert.equal(outs["status"], status);
      assert.deepEqual(vmRestore.diff("5001", outs, news), { changes: true }, "it never becomes a good one");
    });
  }
});
