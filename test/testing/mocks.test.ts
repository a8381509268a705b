import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import * as recovery from "../../provider";
import { mocks, type MockOptions } from "../../provider/testing";
import { seen, Thing } from "../program/support/program";
import { heardWarnings } from "../program/support/warnings";

const now = "2026-11-20T10:00:00Z";
const web = { virtualMachineId: 42, recoveryPointId: 1007 };
const taken = { recoveryPointTakenAt: "2026-11-20T02:00:00Z" };

/** Two waves; the second restores one machine twice. */
const shop: recovery.RecoveryPlanArgs = {
  run: "2026-Q4",
  goals: { recoveryTime: "1h", dataAge: "24h" },
  wholeGoals: { recoveryTime: "2h" },
  waves: [
    {
      name: "data",
      restores: {
        db: {
          virtualMachineId: 43,
          recoveryPointId: 1008,
          ...taken,
          checks: [
            { tcp: "10.0.0.43:5432", after: "30s" },
            { command: ["/nowhere/at-all"], env: { PASSWORD: pulumi.secret("hunter2") } },
          ],
        },
        queue: { virtualMachineId: 44, recoveryPoint: "newest", triggers: [pulumi.secret("again")] },
      },
    },
    {
      name: "front",
      restores: {
        web: { ...web, ...taken, checks: [{ http: pulumi.secret("https://shop.example.com/health") }] },
        content: { ...web, ...taken, paths: ["/var/www"] },
      },
    },
  ],
};
const points = { "44": [{ id: "7", takenAt: "2026-11-19T22:00:00Z" }] };

const valueOf = async <T>(output: pulumi.Output<T>): Promise<T | undefined> => (await seen(output)).value;

/** The values of a resource's outputs, by their names. */
async function valuesOf<Name extends string>(
  resource: Readonly<Record<Name, pulumi.Output<unknown>>>,
  ...names: readonly Name[]
): Promise<Record<Name, unknown>> {
  const values = names.map(async (name) => [name, await valueOf(resource[name])]);
  return Object.fromEntries(await Promise.all(values)) as Record<Name, unknown>;
}

const set = (options: MockOptions = {}): Promise<void> => pulumi.runtime.setMocks(mocks({ now, ...options }));

describe("a restore under mocks", () => {
  it("is complete within a minute, with its inputs as they are stored", async () => {
    await set();
    const restore = new recovery.FileRestore("etc", { ...web, paths: ["/etc"], timeouts: { run: "1h" } });
    const names = ["virtualMachineId", "recoveryPointId", "timeouts", "status", "transactionIds", "adopted"] as const;
    assert.deepEqual(await valuesOf(restore, ...names), {
      virtualMachineId: "42",
      recoveryPointId: "1007",
      timeouts: { run: 3600 },
      status: "complete",
      transactionIds: ["5001"],
      adopted: false,
    });
    assert.deepEqual(
      await valuesOf(restore, "requestedAt", "finishedAt", "durationSeconds", "warnings", "logOutput", "paths"),
      {
        requestedAt: now,
        finishedAt: "2026-11-20T10:01:00Z",
        durationSeconds: 60,
        warnings: [],
        logOutput: undefined,
        paths: ["/etc"],
      },
    );
  });

  it("fails where it is named, and what stands behind it on its machine is not sent", async () => {
    await set({ failed: ["first"] });
    const [first, second, third] = ["first", "second", "third"].map((name) => new recovery.VmRestore(name, web));
    const other = new recovery.VmRestore("other", { virtualMachineId: 43, recoveryPointId: 1 }, { dependsOn: third! });
    assert.deepEqual(await valuesOf(first!, "status", "durationSeconds"), { status: "failed", durationSeconds: 60 });
    assert.deepEqual(await valuesOf(second!, "status", "durationSeconds", "transactionIds", "warnings"), {
      status: "not sent",
      durationSeconds: undefined,
      transactionIds: [],
      warnings: ['VmRestore "second" was not sent: "first", the restore of its machine before it, is not complete'],
    });
    assert.equal(await valueOf(third!.status), "not sent");
    assert.equal(await valueOf(other.status), "complete", "of another machine");
  });

  it("is requested when the one before it on its machine has ended", async () => {
    await set();
    const machine = new recovery.VmRestore("machine", web);
    const files = new recovery.FileRestore("files", { ...web, virtualMachineId: "42", paths: ["/srv"] });
    assert.equal(await valueOf(files.requestedAt), await valueOf(machine.finishedAt));
  });

  it("is complete, and the one behind it too, where the machine's id is an output", async () => {
    await set();
    const machine = new recovery.VmRestore("machine", { ...web, virtualMachineId: pulumi.output(42) });
    const { virtualMachineId, recoveryPointId } = machine;
    const files = new recovery.FileRestore("files", { virtualMachineId, recoveryPointId, paths: ["/srv"] });
    const plan = new recovery.RecoveryPlan("shop", {
      run: "1",
      waves: [{ name: "only", restores: { db: { ...web, virtualMachineId: new Thing("db").id } } }],
    });
    assert.equal(await valueOf(machine.status), "complete");
    assert.equal(await valueOf(files.requestedAt), await valueOf(machine.finishedAt));
    assert.equal(await valueOf(plan.verdict), "passed");
  });

  it("takes the transaction that adopt names", async () => {
    await set();
    const restore = new recovery.VmRestore("web", { ...web, adopt: 4711 });
    assert.deepEqual(await valuesOf(restore, "transactionId", "adopted", "status"), {
      transactionId: "4711",
      adopted: true,
      status: "complete",
    });
  });

  it("keeps secrets secret", async () => {
    await set();
    const restore = new recovery.VmRestore("web", { ...web, triggers: [pulumi.secret("again")] });
    assert.deepEqual((await seen(restore.triggers)).value, ["again"]);
    assert.equal(await pulumi.isSecret(restore.triggers), true);
    assert.equal(await pulumi.isSecret(restore.status), false);
  });

  for (const [what, given, id, at] of [
    ["of its machine", { 42: [{ id: "7", takenAt: "2026-11-19T22:00:00Z" }] }, "7", "2026-11-19T22:00:00Z"],
    ["given for all machines", [{ id: "7", takenAt: "2026-11-19T22:00:00Z" }], "7", "2026-11-19T22:00:00Z"],
    [
      "that fits",
      [
        { id: "9", takenAt: "2026-11-20T09:00:00Z", state: "corrupt" },
        { id: "8", takenAt: "2026-11-20T08:00:00+01:00", state: "built" },
        { id: "7", takenAt: "2026-11-19T22:00:00Z" },
      ],
      "8",
      "2026-11-20T07:00:00Z",
    ],
    ["that is not known, where none are given", undefined, undefined, undefined],
    ["that is not known, where none are given for its machine", { 43: [{ id: "1" }] }, undefined, undefined],
  ] as const) {
    it(`with a rule is restored from the point ${what}`, async () => {
      await set(given === undefined ? {} : { points: given });
      const restore = new recovery.VmRestore("web", { virtualMachineId: 42, recoveryPoint: { within: "1d" } });
      assert.deepEqual(await valuesOf(restore, "status", "recoveryPointId", "recoveryPointTakenAt"), {
        status: "complete",
        recoveryPointId: id,
        recoveryPointTakenAt: at,
      });
    });
  }

  it("with a rule that no point fits is not sent", async () => {
    await set({ points: [{ id: "7", takenAt: "2026-11-01T00:00:00Z" }] });
    const restore = new recovery.VmRestore("web", { virtualMachineId: 42, recoveryPoint: { within: "1d" } });
    const { status, warnings } = await valuesOf(restore, "status", "warnings");
    assert.equal(status, "not sent");
    assert.match(String(warnings), /none of the 1 that can be restored was taken then/);
  });

  it("with an input that the preview refuses is not sent, and the mocks print why", async () => {
    const log = pulumi.log as { error: (message: string) => Promise<void> };
    const { error } = log;
    const printed: string[] = [];
    log.error = (message) => Promise.resolve(void printed.push(message));
    try {
      await set();
      const soon = pulumi.output({ run: "soon" });
      const restore = new recovery.VmRestore("web", { ...web, timeouts: soon });
      assert.equal(await valueOf(restore.status), "not sent");
      const plan = new recovery.RecoveryPlan("shop", {
        run: "1",
        waves: [{ name: "only", restores: { db: { ...web, virtualMachineId: 43, timeouts: soon } } }],
      });
      assert.deepEqual(await valuesOf(plan, "verdict", "restores"), { verdict: "incomplete", restores: {} });
      assert.match(printed[0] ?? "", /^VmRestore "web": timeouts\.run is "soon"/);
      assert.match(printed[1] ?? "", /^VmRestore "shop-db": timeouts\.run is "soon"/);
      const hiddenTime = { ...web, recoveryPointTakenAt: pulumi.secret("2026-11-20T02:00:00Z") };
      const refused = new recovery.RecoveryPlan("drill", {
        run: "1",
        waves: [{ name: "only", restores: { web: hiddenTime } }],
      });
      assert.equal(await valueOf(refused.verdict), "incomplete");
      assert.match(printed.at(-1) ?? "", /^plan "drill": waves\[0\]\.restores\.web\.recoveryPointTakenAt is a secret/);
    } finally {
      log.error = error;
    }
  });
});

describe("a machine that is not allowed, under mocks", () => {
  const log = pulumi.log as { error: (message: string) => Promise<void> };
  const { error } = log;
  let printed: string[] = [];
  beforeEach(() => {
    printed = [];
    log.error = (message) => Promise.resolve(void printed.push(message));
  });
  afterEach(() => {
    log.error = error;
    pulumi.runtime.setAllConfig({});
  });
  const why = (where: string): string =>
    `machine 42 is not among the machines that may be restored: it is not in ${where} (43). Nothing was sent. Correct the id; or, if this machine ` +
    "may be overwritten, add it there.";

  it("is not sent, and the mocks print why", async () => {
    await set();
    pulumi.runtime.setAllConfig({ "recovery:allowedMachines": "43" });
    const restore = new recovery.VmRestore("web", web);
    const other = new recovery.VmRestore("db", { ...web, virtualMachineId: 43 });
    assert.deepEqual([await valueOf(restore.status), await valueOf(other.status)], ["not sent", "complete"]);
    const place = "recovery:allowedMachines in the stack's configuration";
    assert.deepEqual(printed, [`VmRestore "web": virtualMachineId: ${why(place)}`]);
  });

  it("is not sent by an explicit provider's list, or in a plan", async () => {
    await set();
    const provider = new recovery.Provider("site", { allowedMachines: [43] });
    const restore = new recovery.FileRestore("etc", { ...web, paths: ["/etc"] }, { provider });
    assert.equal(await valueOf(restore.status), "not sent");
    assert.equal(await valueOf(new recovery.VmRestore("web", web).status), "complete");
    const plan = new recovery.RecoveryPlan(
      "shop",
      { run: "1", waves: [{ name: "only", restores: { db: web } }] },
      { provider },
    );
    assert.equal(await valueOf(plan.verdict), "incomplete");
    const place = why("allowedMachines of the explicit provider");
    assert.deepEqual(printed.slice(0, 2), [
      `FileRestore "etc": virtualMachineId: ${place}`,
      `plan "shop": waves[0].restores.db: ${place}`,
    ]);
  });

  it("ends its plan before anything is sent, as a preview does", async () => {
    await set();
    pulumi.runtime.setAllConfig({ "recovery:allowedMachines": "43" });
    const db = { ...web, virtualMachineId: 43 };
    const waves = [
      { name: "data", restores: { db } },
      { name: "front", restores: { web } },
    ];
    const plan = new recovery.RecoveryPlan("shop", { run: "1", onFailure: "continue", waves });
    assert.deepEqual(await valuesOf(plan, "verdict", "restores"), { verdict: "incomplete", restores: {} });
  });
});

describe("a plan under mocks", () => {
  heardWarnings();

  /** The plan's verdict, and the status of each of its restores. */
  const judged = async (options: MockOptions, more: Partial<recovery.RecoveryPlanArgs> = {}) => {
    await set(options);
    const plan = new recovery.RecoveryPlan("shop", { ...shop, ...more });
    const { restores = {}, ...outputs } = await valuesOf(plan, "verdict", "reasons", "counts", "restores");
    const counts = outputs.counts as recovery.StoredCounts;
    const results = restores as Readonly<Record<string, { readonly status: string }>>;
    const statuses = Object.fromEntries(Object.entries(results).map(([name, { status }]) => [name, status]));
    return { verdict: outputs.verdict, reasons: outputs.reasons as readonly string[], counts, statuses, plan };
  };

  it("passes, with its figures, and carries out no check", async () => {
    const { verdict, reasons, statuses, counts, plan } = await judged({ points });
    assert.deepEqual([verdict, reasons], ["passed", []]);
    assert.deepEqual(statuses, { db: "complete", queue: "complete", web: "complete", content: "complete" });
    assert.deepEqual(counts.checks, { passed: 3, failed: 0, notRun: 0 });
    const { restores, slowest, recoveryTimeSeconds } = await valuesOf(
      plan,
      "restores",
      "slowest",
      "recoveryTimeSeconds",
    );
    const { db, queue, content } = restores as Record<string, recovery.PlannedRestoreResult>;
    // The check waits for half a minute after a restore of one.
    assert.deepEqual(slowest, { restore: "db", seconds: 90 });
    assert.deepEqual([db?.recoveredSeconds, db?.dataAgeSeconds], [90, 8 * 3600]);
    assert.deepEqual([queue?.recoveryPointId, queue?.dataAgeSeconds], ["7", 12 * 3600]);
    // The data, then the machine, then its files.
    assert.deepEqual([content?.requestedAt, recoveryTimeSeconds], ["2026-11-20T10:02:00Z", 180]);
  });

  it("is incomplete where a goal cannot be measured, as no points are given", async () => {
    const { verdict, reasons } = await judged({});
    assert.equal(verdict, "incomplete");
    assert.match(reasons.join("\n"), /queue: the data age could not be measured/);
  });

  for (const name of ["db", "shop-db"]) {
    it(`fails with ${name}, and begins no later wave`, async () => {
      const { verdict, reasons, counts, statuses } = await judged({ points, failed: [name] });
      assert.equal(verdict, "failed");
      assert.deepEqual(reasons.slice(0, 3), [
        "db (wave data): the restore failed",
        "content (wave front) was not carried out",
        "web (wave front) was not carried out",
      ]);
      assert.deepEqual(statuses, { db: "failed", queue: "complete" });
      assert.deepEqual([counts.failed, counts.complete, counts.notCarriedOut], [1, 1, 2]);
      assert.deepEqual(counts.checks, { passed: 0, failed: 0, notRun: 2 });
    });
  }

  it("goes on behind a failed wave with onFailure: continue, but not on the failed machine", async () => {
    const { verdict, statuses } = await judged({ points, failed: ["db", "web"] }, { onFailure: "continue" });
    assert.equal(verdict, "failed");
    assert.deepEqual(statuses, { db: "failed", queue: "complete", web: "failed", content: "not sent" });
  });

  it("constructs the restores of a wave that it does not begin, and these are not sent", async () => {
    await set({ failed: ["db"] });
    const constructed = new Map<string, recovery.VmRestore>();
    const watch: pulumi.ResourceTransformation = ({ resource, name }) => {
      if (resource instanceof recovery.VmRestore) constructed.set(name, resource);
      return undefined;
    };
    const plan = new recovery.RecoveryPlan("shop", shop, { transformations: [watch] });
    assert.equal(await valueOf(plan.verdict), "failed");
    const statusOf = (name: string) => valueOf(constructed.get(name)!.status);
    assert.deepEqual([await statusOf("shop-db"), await statusOf("shop-web")], ["failed", "not sent"]);
  });

  it("misses a goal that no restore can meet", async () => {
    const { verdict, reasons } = await judged({ points }, { goals: { recoveryTime: "30s" } });
    assert.equal(verdict, "failed");
    assert.match(reasons.join("\n"), /web: the recovery time was 1m, the goal is 30s/);
  });

  it("passes in a preview, too", async () => {
    await pulumi.runtime.setMocks(mocks({ now, points }), "project", "stack", true);
    assert.equal(await valueOf(new recovery.RecoveryPlan("shop", shop).verdict), "passed");
  });

  it("is judged anew in each program of the same mocks", async () => {
    const shared = mocks({ now, points, failed: ["db"] });
    for (const run of ["1", "2"]) {
      await pulumi.runtime.setMocks(shared);
      const plan = new recovery.RecoveryPlan("shop", { ...shop, run });
      const { counts } = await valuesOf(plan, "counts");
      assert.deepEqual([(counts as recovery.StoredCounts).complete], [1]);
    }
  });
});

describe("the functions under mocks", () => {
  const transactions = [{ id: "12", status: "complete", logOutput: "hunter2" }, { id: "11" }, { id: "10" }];
  const items = { 42: [{ id: "3", action: "restore" }, { id: "2" }] };

  it("answer with the rows that are given, in their plain and in their Output form", async () => {
    await set({ transactions, items, points });
    const { transactions: rows } = await recovery.getTransactions();
    assert.deepEqual(
      rows.map(({ id, status, fields }) => [id, status, fields]),
      [
        ["12", "complete", {}],
        ["11", undefined, {}],
        ["10", undefined, {}],
      ],
    );
    assert.equal(rows[0]?.logOutput, undefined);
    const detailed = recovery.getTransactionsOutput({ detailed: true, limit: 1 }).transactions;
    assert.deepEqual(
      (await valueOf(detailed))?.map(({ id, logOutput }) => [id, logOutput]),
      [["12", "hunter2"]],
    );
    assert.equal(await pulumi.isSecret(detailed), true);
    const logOf = async (virtualMachineId: number) => (await recovery.getVmLogs({ virtualMachineId })).items.length;
    assert.deepEqual([await logOf(42), await logOf(43)], [2, 0]);
    const log = recovery.getVmLogsOutput({ virtualMachineId: pulumi.output(42), perPage: 1, page: 2 }).items;
    assert.deepEqual(
      (await valueOf(log))?.map(({ id }) => id),
      ["2"],
    );
    const { points: found } = await recovery.getRecoveryPoints({ virtualMachineId: "44", within: "1d" });
    assert.deepEqual(
      found.map(({ id, takenAt, usable }) => [id, takenAt, usable]),
      [["7", "2026-11-19T22:00:00Z", true]],
    );
    const older = recovery.getRecoveryPointsOutput({ virtualMachineId: 44, before: "2026-11-01T00:00:00Z" });
    assert.deepEqual(await valueOf(older.points), []);
  });

  it("answer with empty lists where none are given, without any connection", async () => {
    await set();
    assert.deepEqual((await recovery.getTransactions({ limit: 5 })).transactions, []);
    assert.deepEqual((await recovery.getVmLogs({ virtualMachineId: 42, limit: 5 })).items, []);
    assert.deepEqual((await recovery.getRecoveryPoints({ virtualMachineId: 42 })).points, []);
  });

  it("answer under a provider of their own, too, and refuse wrong arguments as ever", async () => {
    await set({ transactions });
    const provider = new recovery.Provider("site", { endpoint: "https://panel.example" });
    assert.equal((await recovery.getTransactions({ provider })).transactions.length, 3);
    await assert.rejects(recovery.getVmLogs({ virtualMachineId: "4 2" }), /virtualMachineId is "4 2"/);
  });

  it("go to the panel again under other mocks", async () => {
    await set({ transactions });
    await pulumi.runtime.setMocks({
      newResource: ({ inputs }) => ({ id: "1", state: inputs as object }),
      call: () => ({}),
    });
    // Another test of this process may have left the settings of a panel that is gone.
    await assert.rejects(recovery.getTransactions(), /endpoint|could not read the transaction list/);
  });
});

describe("mocks for the test of a program", () => {
  it("hand the inputs of other resources and functions back", async () => {
    const own = mocks();
    assert.deepEqual(await own.newResource({ type: "test:index:Thing", name: "thing", inputs: { size: 3 } }), {
      id: "thing_id",
      state: { size: 3 },
    });
    assert.deepEqual(await own.call({ token: "test:index:look", inputs: { at: "it" } }), { at: "it" });
  });

  it("may be copied and changed", async () => {
    const own = mocks({ now, transactions: [{ id: "1" }] });
    await pulumi.runtime.setMocks({
      ...own,
      newResource: (args) =>
        args.type === "test:index:Thing" ? { id: "mine", state: { size: 4 } } : own.newResource(args),
    });
    assert.equal(await valueOf(new Thing("thing").size), 4);
    assert.equal(await valueOf(new recovery.VmRestore("web", web).status), "complete");
    assert.equal((await recovery.getTransactions()).transactions.length, 1);
  });

  it("take the time of their call where none is given", async () => {
    const began = Date.now();
    await pulumi.runtime.setMocks(mocks());
    const at = Date.parse((await valueOf(new recovery.VmRestore("web", web).requestedAt)) ?? "");
    assert.ok(Math.abs(at - began) < 60_000);
    await pulumi.runtime.setMocks(mocks({ now: new Date(now) }));
    assert.equal(await valueOf(new recovery.VmRestore("web", web).requestedAt), now);
  });

  for (const wrong of ["2026-11-20T10:00:00", "soon", new Date("soon")]) {
    it(`refuse ${String(wrong)} as their time`, () => {
      assert.throws(() => mocks({ now: wrong }), /mocks: now is no time with a zone/);
    });
  }
});
