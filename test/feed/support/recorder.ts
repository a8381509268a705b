import type { Transaction, TransactionId } from "../../../provider/panel/types";
import type { StopRule, ListRead, ReadFailure, Subscriber } from "../../../provider/feed/types";

/** A subscriber that writes down what it is told. */
export class Recorder implements Subscriber {
  readonly reads: ListRead[] = [];
  readonly failures: ReadFailure[] = [];
  ruleNow: StopRule;
  /** When the awaited thing began. Long ago: reads are ten seconds apart. */
  awaitedSinceNow = Number.NEGATIVE_INFINITY;
  wanted: (row: Transaction) => boolean;
  /** Runs at the end of each read. */
  afterRead: (read: ListRead) => void = () => undefined;

  /** Waits for its ids, or else for all above its mark, or else for the newest page. */
  constructor(stopRule: StopRule, wanted?: (row: Transaction) => boolean) {
    this.ruleNow = stopRule;
    this.wanted = wanted ?? ((row) => stopRule.awaitedIds === undefined || stopRule.awaitedIds.includes(row.id));
  }

  stopRule(): StopRule {
    return this.ruleNow;
  }

  wants(row: Transaction): boolean {
    return this.wanted(row);
  }

  awaitedSince(): number {
    return this.awaitedSinceNow;
  }

  onRead(read: ListRead): void {
    this.reads.push(read);
    this.afterRead(read);
  }

  onReadFailed(failure: ReadFailure): void {
    this.failures.push(failure);
  }

  /** The rows of each read, as `id:status`. */
  get deliveries(): string[][] {
    return this.reads.map(({ rows }) => rows.map(({ id, status }) => `${id}:${status ?? "-"}`));
  }

  /** The rows of the last read. */
  get lastDelivery(): string[] {
    return this.deliveries.at(-1) ?? [];
  }

  /** The statuses of a row over all reads, without repeats. */
  statusesOf(id: TransactionId): string[] {
    const statuses = this.reads.flatMap(({ rows }) =>
      rows.filter((row) => row.id === id).map(({ status = "-" }) => status),
    );
    return statuses.filter((status, index) => status !== statuses[index - 1]);
  }
}
