import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { declared, entryPointNames, recordOf } from "../../docs/api/report";

describe("the record of what the package declares", () => {
  for (const entry of entryPointNames) {
    it(`is up to date for ${entry} (npm run build && npx ts-node docs/api/report.ts)`, async function () {
      this.timeout(60_000);
      assert.equal(readFileSync(recordOf(entry), "utf8"), await declared(entry));
    });
  }
});
