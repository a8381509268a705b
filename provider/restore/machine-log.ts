import type { Read } from "../feed/feed";
import type { Mark } from "../inputs/intent";
import type { ListedLogItem, MachineId, TransactionId } from "../panel/types";
import { zonedTime } from "../plain/clock";
import { hasEnded, type Job, mayBeRestore } from "../rows/jobs";
import { mayBeAbove, type Row, rowsAbove } from "../rows/order";
import type { Run } from "./session";

/** However short `settle` is, a log may take this long to name a row. */
const slowestLogMs = 15_000;

/** Older pages of a log are not worth the requests. */
const mostLogPages = 10;

/**
 * What a log shows. `names rows`: the log names transactions in the list. `rules out`: the log also names one of this program's restores of the same kind, and
 * was read down to the mark. So it can be trusted to name each of the machine's rows shortly after the row's end.
 */
export type LogSays = "says nothing" | "names rows" | "rules out";

/** Learns from a machine's own log which rows of the list belong to the machine, because the rows themselves may name no machine. */
export class MachineLog {
  readonly names = new Set<string>();
  #namesRows = false;
  readonly #asked = new Set<string>();
  /** If the log rules out rows, a row that had ended by this time and is not in the log belongs to another machine. */
  #rulesOutUntil = -Infinity;
  /** When each row ended: its timestamp, or when its end was first seen if that is earlier, because a panel's timestamps may be in the future. */
  readonly #endedBy = new Map<string, number>();
  readonly #slowMs: number;

  constructor(private readonly run: Run) {
    this.#slowMs = Math.max(run.request.timeouts.settleMs, slowestLogMs);
  }

  get says(): LogSays {
    if (this.#rulesOutUntil > -Infinity) return "rules out";
    return this.#namesRows ? "names rows" : "says nothing";
  }

  note(rows: readonly Row[], time: number): void {
    for (const row of rows)
      if (!this.#endedBy.has(row.id) && hasEnded(row))
        this.#endedBy.set(row.id, Math.min(zonedTime(row.finishedAt) ?? time, time));
  }

  /** Whether the log has had time to name the job's rows. If it still has not named them, they belong to another machine. */
  readonly rulesOut = ({ rows }: Job): boolean =>
    rows.every(({ id }) => (this.#endedBy.get(id) ?? Infinity) <= this.#rulesOutUntil);

  /** Asks for up to three reads per row: while the row runs, after its end (some logs are written only then), and when even a slow log should name it. */
  #asks(about: readonly Row[], time: number): readonly string[] {
    const endedLongAgo = time - this.#slowMs;
    return about.map(({ id }) => {
      const endedBy = this.#endedBy.get(id);
      return `${id} ${endedBy === undefined ? "runs" : endedBy > endedLongAgo ? "has ended" : "ended long ago"}`;
    });
  }

  /**
   * Returns false if the log need not be read again. `isNotAbove`: set in a later attempt, which reads the log down to the mark. `isOfProgram`: whether a
   * transaction is a restore of this program.
   */
  async read(
    about: readonly Row[],
    rows: readonly Row[],
    time: number,
    isOfProgram: (id: string) => boolean,
    isNotAbove?: (id: string) => boolean,
  ): Promise<boolean> {
    const asks = this.#asks(about, time);
    if (asks.every((ask) => this.#asked.has(ask))) return false;
    for (const ask of asks) this.#asked.add(ask);
    const reachesMark = await this.#readDown(isNotAbove ?? (() => true));
    const named = rows.filter(({ id }) => this.names.has(id));
    // A log may name whole-machine restores but no file restores, so its silence about file restores proves nothing.
    const isOfKind = ({ kind }: Row): boolean =>
      (kind === "files") === (this.run.request.target.kind === "FileRestore");
    const restores = named.filter((row) => mayBeRestore(row) && isOfKind(row));
    this.#namesRows ||= named.length > 0 || [...this.names].some(isOfProgram);
    const isProven = isNotAbove ? restores.some(({ id }) => isOfProgram(id)) : this.#namesRows;
    if (reachesMark && isProven) this.#rulesOutUntil = time - this.#slowMs;
    return true;
  }

  /** Reads until `isEnough` accepts a transaction, or to the end of the log, and returns true. Gives up if the newest page names no transaction. */
  async #readDown(isEnough: (id: string) => boolean): Promise<boolean> {
    const { session, request } = this.run;
    const machine = request.target.virtualMachineId as MachineId;
    let pages = 0;
    try {
      for await (const { items } of session.client.walkLogItems(machine, { perPage: 50 })) {
        const named = namedTransactions(items);
        for (const id of named) this.names.add(id);
        if (named.some(isEnough)) return true;
        if ((pages === 0 && named.length === 0) || ++pages >= mostLogPages) return false;
      }
      return true;
    } catch {
      return false;
    }
  }
}

export function namedTransactions(items: readonly ListedLogItem[]): readonly string[] {
  return items.map(({ transactionId }) => transactionId).filter((id) => id !== undefined);
}

/** Whether a transaction is at or below the mark, according to the read. */
export function notAbove(read: Read, mark: Mark): (id: string) => boolean {
  const { ids: above } = rowsAbove(read, mark);
  const shown = new Set(read.rows.map(({ id }) => id));
  return (id) => !mayBeAbove(id, mark) || (shown.has(id as TransactionId) && !above.has(id));
}
