import assert from "node:assert/strict";
import { decodeLogItems, decodeTransactions } from "../../provider/panel/decode";
import type { RestoreRecord } from "../../provider/inputs/record";
import { engineSafeData } from "../../provider/plain/text";
import { attempt, recordingReporter, makeIntent, requestFor, resume } from "../support/restore-programs";
import { virtualPanel } from "../support/virtual-panel";

/** The ids of transactions as texts that the engine would take for a colour of its own. */
const odd = {
  json: (body: string): string =>
    body.replace(/"(id|dependent_transaction_id|target_id)":"?(\d+)"?/g, '"$1":"<{%red%}>$2"'),
  xml: (body: string): string =>
    body.replace(/<((?:id|dependent[-_]transaction[-_]id|target[-_]id)\b[^>]*)>(\d+)</g, "<$1>&lt;{%red%}&gt;$2<"),
};

/** What the engine is given of plain data, and gives back. */
function kept<T>(value: T): T {
  return engineSafeData(JSON.parse(JSON.stringify(value)) as T);
}

for (const format of ["json", "xml"] as const) {
  describe(`ids that the engine cannot carry as they are, ${format}`, () => {
    it("are read as what the state keeps of them", () => {
      const row = '[{"id":7,"dependent_transaction_id":6,"chain_id":"<{%c"}]';
      const xml =
        '<transactions type="array"><transaction><id>7</id><dependent_transaction_id>6</dependent_transaction_id>' +
        "<chain_id>&lt;{%c</chain_id></transaction></transactions>";
      const { items, skipped } = decodeTransactions(odd[format](format === "json" ? row : xml), format);
      const [{ id, dependentTransactionId, chainId }] = items as [(typeof items)[0]];
      assert.deepEqual(
        { id, dependentTransactionId, chainId, skipped },
        {
          ...kept({ id, dependentTransactionId, chainId }),
          skipped: 0,
        },
      );
      assert.match(id, /red/);
      assert.equal(id.replace("7", "6"), dependentTransactionId);
      const log = '[{"id":1,"target_id":7}]';
      const logXml = '<log_items type="array"><log_item><id>1</id><target_id>7</target_id></log_item></log_items>';
      assert.equal(decodeLogItems(odd[format](format === "json" ? log : logXml), format).items[0]?.targetId, id);
    });

    it("are followed by the run that finds them stored", async () => {
      const panel = virtualPanel(format, {}, odd[format]);
      const session = panel.newSession();
      const intent = kept(await panel.clock.run(makeIntent(session)));
      const request = requestFor(intent);
      const left = await panel.clock.run(
        attempt(
          session,
          { ...request, timeouts: { ...request.timeouts, totalMs: 6_000 } },
          "first",
          recordingReporter(),
        ),
      );
      assert.ok(left.kind === "stored" && left.record.transactionIds.length > 0, JSON.stringify(left));
      const record: RestoreRecord = kept(left.record);
      const found = await panel.clock.run(resume(panel.newSession(), request, record, "x", recordingReporter()));
      assert.ok(found.kind === "good", JSON.stringify(found));
      assert.equal(found.record.status, "complete");
      assert.deepEqual(found.record.transactionIds, record.transactionIds);
    });

    it("do not hide a killed run's restore from the next", async () => {
      const panel = virtualPanel(format, {}, odd[format]);
      const session = panel.newSession();
      const intent = kept(await panel.clock.run(makeIntent(session)));
      await panel.clock.run(attempt(session, requestFor(intent), "first", recordingReporter()));
      const found = await panel.clock.run(
        attempt(panel.newSession(), requestFor(intent), "later", recordingReporter()),
      );
      assert.ok(found.kind === "good" && found.record.adopted, JSON.stringify(found));
      assert.equal(panel.sandbox.acceptedPosts(42), 1);
    });
  });
}
