import assert from "node:assert/strict";
import { allKinds, getFaults, postFaults } from "./fault-sets";
import { liveThroughFaults, outcomes } from "./life-under-faults";

const formats = ["json", "xml"] as const;

/** Every fault on reading, in both formats. As nothing happens to the POST, every restore ends as it really did. */
export function readingGoesWrong(percent: number, seeds: number): void {
  for (const [name, get] of getFaults(percent / 100)) {
    it(`${name}: each ends as it did, posted once`, async function () {
      this.timeout(20_000 + seeds * 10_000);
      for (const format of formats) {
        for (let seed = 1; seed <= seeds; seed++) {
          const endings = await liveThroughFaults({ format, seed, faults: { get } });
          assert.deepEqual(
            endings,
            outcomes.map((outcome) => ({ status: outcome, truth: outcome })),
            `${format}, seed ${String(seed)}`,
          );
        }
      }
    });
  }
}

/** Every fault on posting, with readings that go wrong beside it. What was not carried out is never said to have ended. */
export function postingGoesWrong(seeds: number): void {
  for (const [name, post] of postFaults) {
    it(`${name}: each ends as it did, or is left open, posted once`, async function () {
      this.timeout(20_000 + seeds * 20_000);
      for (const format of formats) {
        for (let seed = 1; seed <= seeds; seed++) {
          const endings = await liveThroughFaults({ format, seed, faults: { get: allKinds(0.1), post } });
          for (const [index, { status, truth }] of endings.entries()) {
            const where = `${format}, seed ${String(seed)}, restore ${String(index)} is ${status} and really ${truth ?? "untouched"}`;
            if (truth === undefined) assert.ok(status === "unknown" || status === "accepted", where);
            else assert.deepEqual([status, truth], [outcomes[index], outcomes[index]], where);
          }
        }
      }
    });
  }
}
