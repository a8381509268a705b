import type { TransactionId } from "../panel/terms/types";
import type { Walked } from "./shared-walk";

/** A pause of this length between a tick and the request for a row's log is expected, and covered. */
const aheadMs = 2_000;
/** A few rows more than the average may come at any time. */
const spare = 2;

/** Where wanted rows lay in the last walks and how fast they move: just enough to find one of them again. */
export class Surroundings {
  #positions: ReadonlyMap<TransactionId, number> = new Map();
  #before: ReadonlyMap<TransactionId, number> = new Map();
  #readAt: number | undefined;
  #newest: TransactionId | undefined;
  #arrivalsPerMs = 0;

  get newest(): TransactionId | undefined {
    return this.#newest;
  }

  /** Rows whose places are remembered: never more than two walks have met. */
  get size(): number {
    return this.#positions.size + this.#before.size;
  }

  note({ head, positions, arrivals }: Walked): void {
    const elapsed = this.#readAt === undefined ? 0 : head.readAt - this.#readAt;
    if (this.#newest !== undefined && elapsed > 0) this.#arrivalsPerMs = arrivals / elapsed;
    this.#before = this.#positions;
    this.#positions = positions;
    this.#readAt = head.readAt;
    this.#newest = head.rows[0]?.id;
  }

  /** A row that is no longer waited for is remembered for one more walk: its log is asked for after its end was told. */
  positionOf(id: TransactionId): number | undefined {
    return this.#positions.get(id) ?? this.#before.get(id);
  }

  /** Where the last walk met a row, for walks that go straight to it. */
  lastPlaceOf(id: TransactionId): number | undefined {
    return this.#positions.get(id);
  }

  /** How many new rows to expect in this time. */
  rowsWithin(ms: number): number {
    return Math.round(this.#arrivalsPerMs * ms);
  }

  /** How many rows to read to come by every row that the last walk met. */
  depthAt(now: number): number {
    let deepest = 0;
    for (const position of this.#positions.values()) deepest = Math.max(deepest, position + 1);
    return deepest + this.driftAt(now);
  }

  driftAt(now: number): number {
    const elapsed = this.#readAt === undefined ? 0 : Math.max(0, now - this.#readAt);
    return spare + this.rowsWithin(elapsed + aheadMs);
  }
}
