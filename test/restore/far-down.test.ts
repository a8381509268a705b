import assert from "node:assert/strict";
import type { TransactionId } from "../../provider/panel/terms/types";
import type { RestoreRecord } from "../../provider/restore/terms/record";
import { lookAgain, resumeRestore, takeTransaction } from "../../provider/restore/resume";
import { runRestore } from "../../provider/restore/run";
import type { DialectOption } from "../../sandbox";
import { listeningVoice, makeIntent, planFor } from "../support/restore-programs";
import { virtualPanel, type VirtualPanel } from "../support/virtual-panel";

const dialects: readonly (readonly [name: string, dialect: DialectOption])[] = [
  ["plain", "plain"],
  ["awkward", "awkward"],
  ["small pages, the last one repeated", { preset: "plain", pageCap: 10, pastEnd: "repeatLast" }],
  ["page and page size not together", { preset: "plain", combinedPaging: "notFound" }],
  ["chains", { preset: "plain", chain: "chain" }],
];

for (const format of ["json", "xml"] as const) {
  for (const [name, dialect] of format === "json" ? dialects : dialects.slice(1, 2)) {
    describe(`a restore 100,000 rows down, ${name}, ${format}`, function () {
      this.timeout(60_000);

      it("is resumed, looked at and adopted by its id with some tens of requests", async () => {
        const panel = virtualPanel(format, { dialect, scenario: { background: { perSecond: 20 } } });
        const record = await stillRunning(panel);
        await panel.clock.advance(5_000_000);

        const looked = await counted(panel, (site, plan) => lookAgain(site, plan, record, "x"));
        assert.equal(looked.result.status, "complete");
        assert.ok(looked.requests <= 30, String(looked.requests));

        const resumed = await counted(panel, (site, plan) => resumeRestore(site, plan, record, "x", listeningVoice()));
        assert.equal(resumed.result.kind, "good");
        assert.ok(resumed.requests <= 30, String(resumed.requests));

        const id = record.transactionIds[0] as TransactionId;
        const taken = await counted(panel, (site, plan) => takeTransaction(site, plan, id, "x", listeningVoice()));
        assert.ok(taken.result.kind === "good", JSON.stringify(taken.result));
        assert.ok(taken.result.record.transactionIds.includes(id));
        assert.ok(taken.requests <= 30, String(taken.requests));
        assert.equal(panel.sandbox.acceptedPosts(42), 1);
      });
    });
  }
}

async function stillRunning(panel: VirtualPanel): Promise<RestoreRecord> {
  panel.sandbox.failNext(42, { outcome: "complete", seconds: 600 });
  await panel.clock.advance(60_000);
  const site = panel.newSite();
  const intent = await panel.clock.run(makeIntent(site));
  const plan = planFor(intent, { timeouts: { busyMs: 0, listedMs: 120_000, queueMs: 60_000, runMs: 60_000 } });
  const result = await panel.clock.run(runRestore(site, plan, "first", listeningVoice()));
  assert.ok(result.kind === "stored", JSON.stringify(result));
  assert.equal(result.record.status, "running");
  return JSON.parse(JSON.stringify(result.record)) as RestoreRecord;
}

type Site = ReturnType<VirtualPanel["newSite"]>;
type Plan = ReturnType<typeof planFor>;

async function counted<Result>(
  panel: VirtualPanel,
  what: (site: Site, plan: Plan) => Promise<Result>,
): Promise<{ readonly result: Result; readonly requests: number }> {
  const site = panel.newSite();
  const plan = planFor(await panel.clock.run(makeIntent(site)));
  const before = panel.listRequests();
  const result = await panel.clock.run(what(site, plan));
  return { result, requests: panel.listRequests() - before };
}
