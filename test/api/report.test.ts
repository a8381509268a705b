import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { currentRecords, entryPointNames, recordOf } from "./write";

describe("the record of the package's public API", () => {
  let now: Awaited<ReturnType<typeof currentRecords>>;

  before(async function () {
    this.timeout(60_000);
    now = await currentRecords();
  });

  for (const entry of entryPointNames) {
    it(`is up to date for ${entry} (npm run build && npx ts-node test/api/write.ts)`, () => {
      assert.equal(readFileSync(recordOf(entry), "utf8"), now[entry]);
    });
  }
});
