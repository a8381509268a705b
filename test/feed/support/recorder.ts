import type { Transaction, TransactionId } from "../../../provider/panel/types";
import type { Floor, Tick, Trouble, Watch } from "../../../provider/feed/watching";

/** A watch that writes down what it is told. */
export class Recorder implements Watch {
  readonly ticks: Tick[] = [];
  readonly troubles: Trouble[] = [];
  floorNow: Floor;
  urgencyNow: ReturnType<Watch["urgency"]> = "steady";
  wanted: (row: Transaction) => boolean;
  /** Runs at the end of each tick. */
  then: (tick: Tick) => void = () => undefined;

  constructor(floor: Floor, wanted?: (row: Transaction) => boolean) {
    this.floorNow = floor;
    this.wanted = wanted ?? ((row) => floor.ids === undefined || floor.ids.includes(row.id));
  }

  floor(): Floor {
    return this.floorNow;
  }

  wants(row: Transaction): boolean {
    return this.wanted(row);
  }

  urgency(): ReturnType<Watch["urgency"]> {
    return this.urgencyNow;
  }

  onTick(tick: Tick): void {
    this.ticks.push(tick);
    this.then(tick);
  }

  onTrouble(trouble: Trouble): void {
    this.troubles.push(trouble);
  }

  /** Everything heard, as `id:status`, in the order it was heard. */
  get heard(): string[] {
    return this.ticks.flatMap(({ changed }) => changed.map(({ id, status }) => `${id}:${status ?? "-"}`));
  }

  heardOf(id: TransactionId): string[] {
    return this.heard.filter((entry) => entry.startsWith(`${id}:`)).map((entry) => entry.slice(id.length + 1));
  }
}
