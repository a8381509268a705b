import assert from "node:assert/strict";
import fc from "fast-check";
import { Ledger } from "../../../sandbox/cloud/ledger";
import type { Job } from "../../../sandbox/cloud/model";

function job(ordinal: number, createdAt: number, listedAt: number): Job {
  return {
    ordinal,
    machineId: "42",
    machineIdentifier: "m42",
    action: "restore_backup",
    params: {},
    locks: true,
    createdAt,
    listedAt,
    startAfter: createdAt,
    runsForMs: 1000,
    willEnd: "complete",
    status: "pending",
  };
}

describe("the sandbox's list of transactions", () => {
  it("shows every listed row once, newest first, whatever the pages, the background and the late rows", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            pause: fc.integer({ min: 0, max: 5000 }),
            late: fc.constantFrom(0, 0, 1500, 20_000),
            everyMs: fc.option(fc.constantFrom(undefined, 10, 333.3, 2000), { nil: null }),
          }),
          { maxLength: 30 },
        ),
        fc.integer({ min: 1, max: 40 }),
        (steps, size) => {
          const ledger = new Ledger(1);
          const hidden = new Map<number, number>();
          let now = 0;
          for (const { pause, late, everyMs } of steps) {
            now += pause;
            ledger.advance(now);
            if (everyMs !== null) ledger.setBackground(everyMs, now);
            hidden.set(ledger.nextOrdinal, now + late);
            ledger.add(job(ledger.nextOrdinal, now, now + late));
          }
          now += 1000;
          ledger.advance(now);
          const expected = Array.from({ length: ledger.nextOrdinal }, (_, ordinal) => ordinal)
            .filter((ordinal) => (hidden.get(ordinal) ?? 0) <= now)
            .reverse();
          assert.equal(ledger.listedCount, expected.length);
          const rows: Job[] = [];
          for (let offset = 0; offset < expected.length; offset += size) rows.push(...ledger.slice(offset, size, now));
          assert.deepEqual(
            rows.map((row) => row.ordinal),
            expected,
          );
          const times = rows.map((row) => row.createdAt);
          assert.deepEqual(
            times,
            [...times].sort((left, right) => right - left),
          );
          assert.deepEqual(ledger.slice(expected.length, size, now), []);
        },
      ),
    );
  });
});
