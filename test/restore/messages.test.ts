import assert from "node:assert/strict";
import { completeLine, followedText, waitingText } from "../../provider/restore/messages";
import type { Row } from "../../provider/rows/order";

const row = { id: "5015", action: "restore_virtual_machine", status: "running", state: "running" } as unknown as Row;

describe("a restore's progress line, which the terminal may cut at any column,", () => {
  const texts = {
    "is running": followedText("running", [row]),
    "has ended": followedText("complete", [row, row], "looking for further parts"),
    "waits for a job": waitingText({ rows: [row] }, "14:32"),
    "is complete": completeLine({
      ...{ status: "complete", transactionId: "5015", transactionIds: ["5015"], adopted: false, warnings: [] },
      durationSeconds: 3_905,
    }),
  };
  for (const [when, text] of Object.entries(texts))
    it(`shows an id either whole or not at all when the restore ${when}`, () => {
      for (let columns = 0; columns <= text.length; columns++)
        for (const [, id, end] of text.slice(0, columns).matchAll(/\b(50\d*)(\])?/g))
          assert.ok(end === undefined || id === "5015", text.slice(0, columns));
    });
});
