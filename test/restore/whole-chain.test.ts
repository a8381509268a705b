import assert from "node:assert/strict";
import type { TransactionId } from "../../provider/panel/types";
import type { RestoreRecord } from "../../provider/inputs/record";
import { refreshRecord } from "../../provider/restore/resume-restore";
import type { RestoreResult } from "../../provider/restore/result";
import type { Dialect } from "../../sandbox";
import { attempt, recordingReporter, makeIntent, requestFor, resume, take } from "../support/restore-programs";
import { virtualPanel, type VirtualPanel } from "../support/virtual-panel";

const chains = ["chain", "chainOnly"] as const satisfies readonly Dialect["chain"][];
const idStyles = ["integer", "alphanumeric"] as const satisfies readonly Dialect["idStyle"][];

/** Pages of ten rows, with the chain on the first one. */
function panelWith(dialect: Partial<Dialect>): VirtualPanel {
  return virtualPanel("json", { dialect: { ...dialect, pageCap: 10 } });
}

const rowsAbove = 4;

/** Somebody's restore of machine 42: its three rows, oldest first, with other rows below and above. */
async function restoreBySomebody(panel: VirtualPanel, seconds: number): Promise<readonly TransactionId[]> {
  panel.sandbox.postRestoreAsSomebodyElse(42, 1007, { seconds });
  for (let n = 0; n < rowsAbove; n++)
    panel.sandbox.addTransaction({ machineId: 43, action: "work", status: "complete" });
  await panel.clock.advance(3_000);
  return panel.sandbox.restores()[0]?.transactionIds as readonly TransactionId[];
}

async function adopt(panel: VirtualPanel, id: TransactionId, wait = true): Promise<RestoreResult> {
  const session = panel.newSession();
  const request = requestFor(await panel.clock.run(makeIntent(session)), { adopt: id, wait });
  return panel.clock.run(take(session, request, id, "x", recordingReporter()));
}

for (const chain of chains) {
  for (const idStyle of idStyles) {
    describe(`a chain of three, ${chain}, ${idStyle} ids`, () => {
      for (const named of [0, 1, 2]) {
        it(`counts whole when its first row failed and adopt names row ${String(named + 1)}`, async () => {
          const panel = panelWith({ chain, idStyle });
          const ids = await restoreBySomebody(panel, 100);
          panel.sandbox.endTransaction(ids[0] ?? "", "failed");
          const { record } = storedIn(await adopt(panel, ids[named] as TransactionId));
          assert.deepEqual([endOf(record), sorted(record)], ["failed", [...ids].sort()]);
        });

        it(`counts whole while its last row runs and adopt names row ${String(named + 1)}`, async () => {
          const panel = panelWith({ chain, idStyle });
          const ids = await restoreBySomebody(panel, 1_000);
          await panel.clock.advance(930_000);
          assert.deepEqual(
            panel.sandbox
              .transactions()
              .slice(-3 - rowsAbove, -rowsAbove)
              .map(({ status }) => status),
            ["complete", "complete", "running"],
          );
          const record = good(await adopt(panel, ids[named] as TransactionId));
          assert.deepEqual([record.status, sorted(record)], ["complete", [...ids].sort()]);
          assert.ok(panel.clock.now() >= (panel.sandbox.restores()[0]?.endedAt ?? Infinity));
        });

        it(`counts whole when only row ${String(named + 1)} of it was stored and a later run goes on`, async () => {
          const panel = panelWith({ chain, idStyle });
          const ids = await restoreBySomebody(panel, 100);
          panel.sandbox.endTransaction(ids[0] ?? "", "failed");
          const stale: RestoreRecord = {
            status: "running",
            transactionIds: [ids[named] as TransactionId],
            adopted: false,
            warnings: [],
          };
          const session = panel.newSession();
          const request = requestFor(await panel.clock.run(makeIntent(session)));
          const refreshed = await panel.clock.run(refreshRecord(session, request, stale, "x"));
          assert.deepEqual([endOf(refreshed), sorted(refreshed)], ["failed", [...ids].sort()]);
          const { record } = storedIn(await panel.clock.run(resume(session, request, stale, "x", recordingReporter())));
          assert.deepEqual([endOf(record), sorted(record)], ["failed", [...ids].sort()]);
        });
      }

      /** Where neither ids nor links nor stamps tell which row came first, it cannot be told what fell with what. */
      const endOf = ({ status }: RestoreRecord): string =>
        chain === "chainOnly" && idStyle === "alphanumeric" && status === "cancelled" ? "failed" : status;

      it("is not taken for two restores of one program, whichever rows they name", async () => {
        const panel = panelWith({ chain, idStyle });
        const ids = await restoreBySomebody(panel, 100);
        const session = panel.newSession();
        const taken = async (id: TransactionId, owner: string): Promise<RestoreResult> =>
          take(session, requestFor(await makeIntent(session), { adopt: id }), id, owner, recordingReporter());
        const first = good(await panel.clock.run(taken(ids[0] as TransactionId, "one")));
        assert.equal(first.status, "complete");
        const second = await panel.clock.run(taken(ids[2] as TransactionId, "two"));
        assert.match(second.kind === "not-posted" ? second.reason : "", /is another restore of this program already/);
      });

      it("is stored as far as it is known without waiting for its end, and whole by a refresh", async () => {
        const panel = panelWith({ chain, idStyle });
        const ids = await restoreBySomebody(panel, 1_000);
        const record = good(await adopt(panel, ids[1] as TransactionId, false));
        assert.ok(record.transactionIds.includes(ids[1] ?? ""));
        const session = panel.newSession();
        const request = requestFor(await panel.clock.run(makeIntent(session)), { wait: false });
        const refreshed = await panel.clock.run(refreshRecord(session, request, record, "x"));
        assert.deepEqual([refreshed.status, sorted(refreshed)], ["running", [...ids].sort()]);
      });
    });
  }
}

for (const idStyle of idStyles) {
  describe(`a chain without chain ids, ${idStyle} ids`, () => {
    for (const which of ["first", "later"] as const) {
      it(`counts whole for ${which === "first" ? "the run that posts it" : "the one after a kill"}: rows above the mark that name each other`, async () => {
        const panel = virtualPanel("json", { dialect: { chain: "dependentOnly", idStyle } });
        const session = panel.newSession();
        const request = requestFor(await panel.clock.run(makeIntent(session)));
        let result = attempt(session, request, "first", recordingReporter());
        if (which === "later") {
          await panel.clock.advance(5_000);
          result = attempt(panel.newSession(), request, "later", recordingReporter());
        }
        const record = good(await panel.clock.run(result));
        assert.deepEqual([record.status, record.transactionIds.length], ["complete", 3]);
        assert.deepEqual(sorted(record), [...(panel.sandbox.restores()[0]?.transactionIds ?? [])].sort());
        assert.equal(panel.sandbox.acceptedPosts(), 1);
      });
    }

    it("counts whole for a refresh, and for whoever goes on, when a part behind what is stored is listed since", async () => {
      const panel = virtualPanel("json", { dialect: { chain: "dependentOnly", idStyle, pageCap: 10 } });
      const [first, ...behind] = await restoreBySomebody(panel, 1_000);
      const stored: RestoreRecord = { status: "running", transactionIds: [first!], adopted: false, warnings: [] };
      // Only the first part has ended.
      panel.sandbox.endTransaction(first!, "complete");
      const session = panel.newSession();
      const request = requestFor(await panel.clock.run(makeIntent(session)));
      const refreshed = await panel.clock.run(refreshRecord(session, request, stored, "x"));
      assert.deepEqual([refreshed.status, sorted(refreshed)], ["running", [first, ...behind].sort()]);
      const record = good(await panel.clock.run(resume(session, request, stored, "x", recordingReporter())));
      assert.deepEqual([record.status, sorted(record)], ["complete", [first, ...behind].sort()]);
      assert.ok(panel.clock.now() >= (panel.sandbox.restores()[0]?.endedAt ?? Infinity));
    });
  });
}

/** Lettered ids, with a chain id alone, do not tell the order of rows that were made at once. */
function sorted({ transactionIds }: RestoreRecord): readonly string[] {
  return [...transactionIds].sort();
}

function good(result: RestoreResult): RestoreRecord {
  if (result.kind === "good") return result.record;
  throw new Error(result.kind === "stored" ? result.reasons.join("\n") : result.reason);
}

function storedIn(result: RestoreResult): { record: RestoreRecord; reasons: readonly string[] } {
  assert.equal(result.kind, "stored", JSON.stringify(result));
  return result;
}
