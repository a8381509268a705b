import assert from "node:assert/strict";
import type { TransactionId } from "../../provider/panel/types";
import { refreshRecord } from "../../provider/restore/resume-restore";
import type { DialectOption } from "../../sandbox";
import { recordingReporter, makeIntent, requestFor, resume, take } from "../support/restore-programs";
import { storedStillRunning } from "./support/still-running";
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
        const record = await storedStillRunning(panel);
        await panel.clock.advance(5_000_000);

        const looked = await counted(panel, (session, request) => refreshRecord(session, request, record, "x"));
        assert.equal(looked.result.status, "complete");
        assert.ok(looked.requests <= 30, String(looked.requests));

        const resumed = await counted(panel, (session, request) =>
          resume(session, request, record, "x", recordingReporter()),
        );
        assert.equal(resumed.result.kind, "good");
        assert.ok(resumed.requests <= 30, String(resumed.requests));

        const id = record.transactionIds[Math.floor(record.transactionIds.length / 2)] as TransactionId;
        const taken = await counted(panel, (session, request) => take(session, request, id, "x", recordingReporter()));
        assert.ok(taken.result.kind === "good", JSON.stringify(taken.result));
        assert.ok(taken.result.record.transactionIds.includes(id));
        assert.ok(taken.requests <= 30, String(taken.requests));
        assert.equal(panel.sandbox.acceptedPosts(42), 1);
      });
    });
  }
}

type Session = ReturnType<VirtualPanel["newSession"]>;
type Request = ReturnType<typeof requestFor>;

async function counted<Result>(
  panel: VirtualPanel,
  what: (session: Session, request: Request) => Promise<Result>,
): Promise<{ readonly result: Result; readonly requests: number }> {
  const session = panel.newSession();
  const request = requestFor(await panel.clock.run(makeIntent(session)));
  const before = panel.listRequests();
  const result = await panel.clock.run(what(session, request));
  return { result, requests: panel.listRequests() - before };
}
