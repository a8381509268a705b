import assert from "node:assert/strict";
import { getRecoveryPoints, getTransactions, getVmLogs, type GetTransactionsArgs } from "../../provider";
import { startSandbox, type Sandbox, type SandboxOptions } from "../../sandbox";
import { withSandbox } from "../sandbox/support/ask";
import { withoutConnection } from "./support/environment";
import { connectionTo, startEngine } from "./support/program";

const busyCloud: SandboxOptions = {
  scenario: {
    machines: [{ id: 42, recoveryPoints: [1007] }, { id: "empty" }],
    transactions: Array.from({ length: 30 }, (_, index) => ({
      machineId: 42,
      action: "take_backup",
      seconds: 1,
      ageSeconds: 3_600 - index * 60,
      status: "complete" as const,
      params: { secret_key: "p4ssphrase" },
    })),
  },
};

for (const format of ["json", "xml"]) {
  describe(`reading the panel's lists in ${format}`, () => {
    withoutConnection();
    let panel: Sandbox;

    async function open(options: SandboxOptions = {}): Promise<void> {
      panel = await startSandbox({ ...busyCloud, ...options });
      await startEngine({ config: { ...connectionTo(panel), "recovery:format": format } });
    }

    const allIds = (): readonly string[] =>
      panel
        .transactions()
        .map(({ id }) => id)
        .reverse();

    afterEach(() => panel.stop());

    const pages: [GetTransactionsArgs, number, number][] = [
      [{}, 0, 10],
      [{ page: 2 }, 10, 20],
      [{ perPage: 4 }, 0, 4],
      [{ page: 3, perPage: 4 }, 8, 12],
      [{ perPage: 10_000 }, 0, 30],
      [{ limit: 3 }, 0, 3],
    ];
    for (const [args, from, to] of pages) {
      it(`returns rows ${String(from + 1)} to ${String(to)} for ${JSON.stringify(args)}, and echoes the arguments`, async () => {
        await open();
        const { transactions, ...echoed } = await getTransactions(args);
        assert.deepEqual(echoed, args);
        const paths = panel.requests().map(({ path }) => path);
        assert.match(paths.join(), args.limit === undefined ? /./ : /^[^,]*\/per_page\/3$/);
        const ids = transactions.map(({ id }) => id);
        assert.deepEqual(ids, allIds().slice(from, to));
      });
    }

    it("omits params and log text, even from `fields`, unless detailed is true", async () => {
      await open({ dialect: { undetailedLog: "empty" } });
      const { transactions } = await getTransactions({ limit: 5 });
      assert.equal(transactions.length, 5);
      for (const one of transactions) {
        assert.deepEqual([Object.hasOwn(one, "params"), Object.hasOwn(one, "logOutput")], [false, false]);
        assert.equal(one.fields["action"], "take_backup");
      }
      assert.doesNotMatch(JSON.stringify(transactions), /p4ssphrase|log_output|log-output/);
      for (const rows of [{ limit: 1 }, { perPage: 1 }]) {
        const [detailed] = (await getTransactions({ ...rows, detailed: true })).transactions;
        assert.deepEqual(detailed?.params, { secret_key: "p4ssphrase" });
      }
    });

    it("returns a machine's log, by page or up to a limit", async () => {
      await open();
      const byPage = await getVmLogs({ virtualMachineId: 42, page: 2, perPage: 5 });
      assert.equal(byPage.virtualMachineId, "42");
      assert.equal(byPage.page, 2);
      const byLimit = await getVmLogs({ virtualMachineId: "42", limit: 10 });
      const idsIn = (items: typeof byPage.items): string => items.map((one) => one.id).join();
      assert.equal(idsIn(byLimit.items.slice(5)), idsIn(byPage.items));
      assert.equal(byLimit.items.map((one) => one.targetId).join(), allIds().slice(0, 10).join());
    });

    it("returns a machine's recovery points with their details, newest first, regardless of the panel's order", async () => {
      const points = [
        { id: 1, ageSeconds: 90_000, sizeBytes: 5 },
        { id: 2, ageSeconds: 60, state: "merging" },
        { id: 3, ageSeconds: 3_600, state: "Synced" },
      ];
      await open({
        scenario: { machines: [{ id: 42, recoveryPoints: points }] },
        dialect: { pointOrder: "shuffled", utcOffsetMinutes: 180 },
      });
      await startEngine({
        config: { ...connectionTo(panel), "recovery:format": format, "recovery:pointStates": "synced" },
      });
      const made = new Map(panel.machines()[0]?.recoveryPoints.map(({ id, createdAt }) => [id, createdAt]));
      const { points: found, ...rest } = await getRecoveryPoints({ virtualMachineId: 42 });
      assert.deepEqual(rest, { virtualMachineId: "42" });
      assert.deepEqual(
        found.map(({ id, state, usable, sizeBytes }) => [id, state, usable, sizeBytes === 5]),
        [
          ["2", "merging", false, false],
          ["3", "Synced", true, false],
          ["1", "built", true, true],
        ],
      );
      for (const { id, takenAt, fields } of found) {
        assert.match(takenAt ?? "", /Z$/);
        assert.equal(Date.parse(takenAt ?? ""), Math.floor((made.get(id) ?? NaN) / 1000) * 1000);
        assert.match(String(fields["created_at"]), /\+03:00$/);
      }
      const args = { virtualMachineId: "42", within: 7_200, before: new Date(Date.now() - 600_000).toISOString() };
      const some = await getRecoveryPoints(args);
      assert.deepEqual([some.within, some.before], ["7200", args.before]);
      const ids = some.points.map(({ id }) => id);
      assert.deepEqual(ids, ["3"]);
    });
  });
}

describe("invalid arguments of the functions", () => {
  withoutConnection();

  it("are rejected before anything is sent, with an error that names the function and every problem", async () => {
    await withSandbox(busyCloud, async (panel) => {
      await startEngine({ config: connectionTo(panel) });
      const calls: Readonly<Record<string, () => Promise<unknown>>> = {
        getTransactions: () => getTransactions({ page: NaN, limit: 1 }),
        getVmLogs: () => getVmLogs({ virtualMachineId: "..", page: NaN, limit: 1 }),
        getRecoveryPoints: () => getRecoveryPoints({ virtualMachineId: "..", within: "a week" }),
      };
      for (const [name, call] of Object.entries(calls))
        await assert.rejects(call(), new RegExp(`${name}: no request was made: .*is (NaN|"\\.\\."), .*; `));
      const misspelled: object = { limt: 2, detailled: true, tail: 1 };
      const told =
        /there is no argument limt, did you mean "limit"\?; .*"detailed"\?; .* tail: the arguments are page, perPage,/;
      await assert.rejects(getTransactions(misspelled), told);
      assert.deepEqual(panel.requests(), []);
    });
  });
});
