import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import * as recovery from "../../provider";
import { mocks, type MockOptions } from "../../provider/testing";
import { seen, Thing } from "../program/support/program";
import { heardErrors } from "../program/support/heard";

const now = "2026-11-20T10:00:00Z";
const web = { virtualMachineId: 42, recoveryPointId: 1007 };
const points = { "44": [{ id: "7", takenAt: "2026-11-19T22:00:00Z" }] };

const valueOf = async <T>(output: pulumi.Output<T>): Promise<T | undefined> => (await seen(output)).value;

/** The values of a resource's outputs, by name. */
async function valuesOf<Name extends string>(
  resource: Readonly<Record<Name, pulumi.Output<unknown>>>,
  ...names: readonly Name[]
): Promise<Record<Name, unknown>> {
  const values = names.map(async (name) => [name, await valueOf(resource[name])]);
  return Object.fromEntries(await Promise.all(values)) as Record<Name, unknown>;
}

const set = (options: MockOptions = {}): Promise<void> => pulumi.runtime.setMocks(mocks({ now, ...options }));

describe("a mocked restore", () => {
  const printed = heardErrors();
  afterEach(() => {
    pulumi.runtime.setAllConfig({});
  });

  it("completes after a minute, with its inputs in their stored form", async () => {
    await set();
    const restore = new recovery.FileRestore("etc", { ...web, paths: ["/etc"], timeouts: { run: "1h" } });
    const stored = {
      virtualMachineId: "42",
      recoveryPointId: "1007",
      paths: ["/etc"],
      timeouts: { run: 3600 },
      status: "complete",
      transactionIds: ["5001"],
      adopted: false,
      requestedAt: now,
      finishedAt: "2026-11-20T10:01:00Z",
      durationSeconds: 60,
      warnings: [],
      logOutput: undefined,
    };
    const names = Object.keys(stored) as readonly (keyof typeof stored)[];
    assert.deepEqual(await valuesOf(restore, ...names), stored);
  });

  it("prevents later restores of its machine from being sent if it is named in `failed`", async () => {
    await set({ failed: ["first"] });
    const [first, second, third] = ["first", "second", "third"].map((name) => new recovery.VmRestore(name, web));
    const other = new recovery.VmRestore("other", { virtualMachineId: 43, recoveryPointId: 1 }, { dependsOn: third! });
    assert.deepEqual(await valuesOf(first!, "status", "durationSeconds"), { status: "failed", durationSeconds: 60 });
    assert.deepEqual(await valuesOf(second!, "status", "durationSeconds", "transactionIds", "warnings"), {
      status: "not sent",
      durationSeconds: undefined,
      transactionIds: [],
      warnings: ['VmRestore "second" was not sent: the previous restore of its machine, "first", is not complete'],
    });
    assert.equal(await valueOf(third!.status), "not sent");
    assert.equal(await valueOf(other.status), "complete", "a restore of another machine");
  });

  it("completes when the machine's id is an output, as does the machine's next restore", async () => {
    await set();
    const machine = new recovery.VmRestore("machine", { ...web, virtualMachineId: pulumi.output(42) });
    const { virtualMachineId, recoveryPointId } = machine;
    const files = new recovery.FileRestore("files", { virtualMachineId, recoveryPointId, paths: ["/srv"] });
    assert.equal(await valueOf(machine.status), "complete");
    assert.equal(await valueOf(files.requestedAt), await valueOf(machine.finishedAt));
  });

  it("adopts the transaction set as `adopt`", async () => {
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

  const listed = points["44"];
  for (const [what, given, id, at] of [
    ["listed for its machine", { points: { 42: listed } }, "7", "2026-11-19T22:00:00Z"],
    ["listed for all machines", { points: listed }, "7", "2026-11-19T22:00:00Z"],
    ["with an unknown id if no list is set", {}, undefined, undefined],
    ["with an unknown id if no list is set for its machine", { points: { 43: listed } }, undefined, undefined],
  ] as const) {
    it(`lets a rule choose a point ${what}`, async () => {
      await set(given);
      const restore = new recovery.VmRestore("web", { virtualMachineId: 42, recoveryPoint: { within: "1d" } });
      assert.deepEqual(await valuesOf(restore, "status", "recoveryPointId", "recoveryPointTakenAt"), {
        status: "complete",
        recoveryPointId: id,
        recoveryPointTakenAt: at,
      });
    });
  }

  it("is not sent if it has a rule and the list of points for its machine is empty", async () => {
    await set({ points: { 42: [] } });
    const restore = new recovery.VmRestore("web", { virtualMachineId: 42, recoveryPoint: { within: "1d" } });
    const { status, warnings } = await valuesOf(restore, "status", "warnings");
    assert.equal(status, "not sent");
    assert.match(String(warnings), /lists no recovery points for this machine/);
  });

  it("is not sent if a preview would reject an input, and the mocks print why", async () => {
    await set();
    const restore = new recovery.VmRestore("web", { ...web, timeouts: pulumi.output({ run: "soon" }) });
    assert.equal(await valueOf(restore.status), "not sent");
    assert.match(printed[0] ?? "", /^VmRestore "web": timeouts\.run is "soon"/);
  });

  it("is not sent if its machine is not allowed, and the mocks print why", async () => {
    await set();
    pulumi.runtime.setAllConfig({ "recovery:allowedMachines": "43" });
    const restore = new recovery.VmRestore("web", web);
    const other = new recovery.VmRestore("db", { ...web, virtualMachineId: 43 });
    assert.deepEqual([await valueOf(restore.status), await valueOf(other.status)], ["not sent", "complete"]);
    const why =
      /^VmRestore "web": virtualMachineId: nothing was sent: machine 42 is not among .* recovery:allowedMachines in the stack's configuration \(43\)\./;
    assert.match(printed.join("\n"), why);
  });
});

describe("the mocked functions", () => {
  const transactions = [{ id: "12", status: "complete", logOutput: "hunter2" }, { id: "11" }, { id: "10" }];
  const items = { 42: [{ id: "3", action: "restore" }, { id: "2" }] };

  it("return the given rows, both as a promise and as an Output", async () => {
    await set({ transactions, items, points });
    const { transactions: rows } = await recovery.getTransactions();
    const shown = rows.map(({ id, status, fields, logOutput }) => [id, status, fields, logOutput]);
    assert.deepEqual(shown.slice(0, 2), [
      ["12", "complete", {}, undefined],
      ["11", undefined, {}, undefined],
    ]);
    const detailed = recovery.getTransactionsOutput({ detailed: true, limit: 1 }).transactions;
    const [only, ...others] = (await valueOf(detailed)) ?? [];
    assert.deepEqual([only?.id, only?.logOutput, others], ["12", "hunter2", []]);
    assert.equal(await pulumi.isSecret(detailed), true);
    const logOf = async (virtualMachineId: number) => (await recovery.getVmLogs({ virtualMachineId })).items.length;
    assert.deepEqual([await logOf(42), await logOf(43)], [2, 0]);
    const log = recovery.getVmLogsOutput({ virtualMachineId: pulumi.output(42), perPage: 1, page: 2 }).items;
    assert.equal((await valueOf(log))?.map(({ id }) => id).join(), "2");
    const { points: found } = await recovery.getRecoveryPoints({ virtualMachineId: "44", within: "1d" });
    const [point] = found.map(({ id, takenAt, usable }) => [id, takenAt, usable]);
    assert.deepEqual([found.length, point], [1, ["7", "2026-11-19T22:00:00Z", true]]);
    const older = recovery.getRecoveryPointsOutput({ virtualMachineId: 44, before: "2026-11-01T00:00:00Z" });
    assert.deepEqual(await valueOf(older.points), []);
  });
});

describe("mocks for a program's tests", () => {
  it("can be copied and changed", async () => {
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

  it("use the time at which mocks() was called if no time is set", async () => {
    const began = Date.now();
    await pulumi.runtime.setMocks(mocks());
    const at = Date.parse((await valueOf(new recovery.VmRestore("web", web).requestedAt)) ?? "");
    assert.ok(Math.abs(at - began) < 60_000);
    await pulumi.runtime.setMocks(mocks({ now: new Date(now) }));
    assert.equal(await valueOf(new recovery.VmRestore("web", web).requestedAt), now);
  });

  it("reject an unknown option", () => {
    assert.throws(() => mocks({ fails: ["db"] } as MockOptions), /^TypeError: mocks: there is no option fails/);
    assert.throws(() => mocks({ point: [] } as MockOptions), /there is no option point, did you mean "points"\?$/);
  });

  it("make the process exit with an error if `failed` names an unknown restore", async () => {
    const program = `
      const pulumi = require("@pulumi/pulumi");
      const { mocks } = require("./provider/testing");
      const { VmRestore } = require("./provider");
      void (async () => {
        await pulumi.runtime.setMocks(mocks({ failed: ["db", "typo"] }));
        new VmRestore("db", { virtualMachineId: 42, recoveryPointId: 7 });
      })();`;
    const args = ["-r", "ts-node/register/transpile-only", "-e", program];
    const { status, stderr } = await new Promise<{ status: unknown; stderr: string }>((resolve) => {
      execFile(process.execPath, args, { cwd: join(__dirname, "..", "..") }, (error, _stdout, printed) => {
        resolve({ status: error?.code ?? 0, stderr: printed });
      });
    });
    assert.match(stderr, /mocks: no restore is named "typo" \(see failed\)\.\n$/);
    assert.equal(status, 1);
  });

  for (const wrong of ["2026-11-20T10:00:00", "soon", new Date("soon")]) {
    it(`reject ${String(wrong)} as the time`, () => {
      assert.throws(() => mocks({ now: wrong }), /mocks: now must be a time with a time zone/);
    });
  }
});
