import type { Transaction, TransactionId } from "../../../provider/panel/types";
import type { Floor, Tick, Trouble, Watch } from "../../../provider/feed/watching";

/** A watch that writes down what it is told. */
export class Recorder implements Watch {
  readonly ticks: Tick[] = [];
  readonly troubles: Trouble[] = [];
  floorNow: Floor;
  /** When what is awaited began. Long ago: looks are ten seconds apart. */
  sinceNow = Number.NEGATIVE_INFINITY;
  wanted: (row: Transaction) => boolean;
  /** Runs at the end of each tick. */
  then: (tick: Tick) => void = () => undefined;

  /** Waits for its ids, or else for all above its mark, or else for the newest page. */
  constructor(floor: Partial<Floor>, wanted?: (row: Transaction) => boolean) {
    this.floorNow = floorOf(floor);
    this.wanted = wanted ?? ((row) => floor.ids === undefined || floor.ids.includes(row.id));
  }

  floor(): Floor {
    return this.floorNow;
  }

  wants(row: Transaction): boolean {
    return this.wanted(row);
  }

  since(): number {
    return this.sinceNow;
  }

  onTick(tick: Tick): void {
    this.ticks.push(tick);
    this.then(tick);
  }

  onTrouble(trouble: Trouble): void {
    this.troubles.push(trouble);
  }

  /** What each tick told, as `id:status`. */
  get told(): string[][] {
    return this.ticks.map(({ rows }) => rows.map(({ id, status }) => `${id}:${status ?? "-"}`));
  }

  /** What the last tick told. */
  get last(): string[] {
    return this.told.at(-1) ?? [];
  }

  /** The statuses told of a row, each as often as it was told in a row. */
  heardOf(id: TransactionId): string[] {
    const statuses = this.ticks.flatMap(({ rows }) =>
      rows.filter((row) => row.id === id).map(({ status = "-" }) => status),
    );
    return statuses.filter((status, index) => status !== statuses[index - 1]);
  }
}

export function floorOf(floor: Partial<Floor>): Floor {
  const hasMark = floor.above !== undefined || floor.aboveIds !== undefined || floor.aboveNothing === true;
  return { needs: floor.ids !== undefined ? "ids" : hasMark ? "mark" : "one page", ...floor };
}
