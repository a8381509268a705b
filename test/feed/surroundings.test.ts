import assert from "node:assert/strict";
import type { TransactionId } from "../../provider/panel/types";
import { Surroundings, type Walked } from "../../provider/feed/shared-walk";

const id = (number: number): TransactionId => String(number) as TransactionId;

function walked(readAt: number, positions: readonly (readonly [number, number])[], arrivals = 0): Walked {
  const rows = [{ id: id(1_000_000 + readAt), fields: {} }];
  return {
    head: { rows, readAt, answeredAt: readAt, wallTime: new Date(readAt) },
    complete: true,
    endOfList: false,
    positions: new Map(positions.map(([row, position]) => [id(row), position])),
    arrivals,
  };
}

describe("what a feed remembers of where rows lie", () => {
  it("is two walks, however many have been", () => {
    const surroundings = new Surroundings();
    for (let walk = 0; walk < 1_000; walk++) {
      surroundings.note(
        walked(walk, [
          [walk, 3],
          [-walk, 5],
        ]),
      );
      assert.ok(surroundings.size <= 4, String(surroundings.size));
    }
  });

  it("is where the last walk met a row, and for one more walk where the one before did", () => {
    const surroundings = new Surroundings();
    surroundings.note(walked(0, [[7, 3]]));
    surroundings.note(walked(1, [[8, 4]]));
    assert.deepEqual([surroundings.positionOf(id(7)), surroundings.lastPlaceOf(id(7))], [3, undefined]);
    surroundings.note(walked(2, []));
    assert.equal(surroundings.positionOf(id(7)), undefined);
  });

  it("tells how far rows have moved since, by the pace of the last walks", () => {
    const surroundings = new Surroundings();
    surroundings.note(walked(0, []));
    surroundings.note(walked(10_000, [], 50));
    assert.equal(surroundings.rowsWithin(2_000), 10);
    assert.equal(surroundings.driftAt(10_000) - surroundings.rowsWithin(2_000), 2);
  });
});
