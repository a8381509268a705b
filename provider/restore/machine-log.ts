import type { Read } from "../feed/feed";
import type { Mark } from "../inputs/intent";
import type { ListedLogItem, MachineId, TransactionId } from "../panel/types";
import { zonedTime } from "../plain/clock";
import { hasEnded, type Job } from "../rows/jobs";
import { mayBeAbove, type Row, rowsAbove } from "../rows/order";
import type { Session } from "./session";

/** However short `settle` is, a log may name a row this much later. */
const slowestLogMs = 15_000;

/** Older pages of a log are not worth the requests. */
const mostLogPages = 10;

/** Whether a row is a reason to read the log again. */
export type LogUse = "always" | "for new rows" | "never";

/**
 * Whether it names transactions of the list. `rules out`: it was read down to the mark, and names a restore of this program, so it will name a row's
 * machine a little after the row has ended.
 */
export type LogSays = "says nothing" | "names rows" | "rules out";

/** Which of the list's rows a machine's own log names; the rows themselves may name no machine. */
export class MachineLog {
  readonly names = new Set<string>();
  #namesRows = false;
  readonly #asked = new Set<string>();
  /** The log names restores of this program, for a later attempt down to the mark: a row that ended by then and is not named is another machine's. */
  #rulesOutUntil = -Infinity;
  /** When a row ended, by its stamp, or was first seen to have ended, if that is earlier: a panel's stamps may be ahead. */
  readonly #endedBy = new Map<string, number>();
  readonly #slowMs: number;

  constructor(
    private readonly session: Session,
    private readonly machine: string,
    settleMs: number,
  ) {
    this.#slowMs = Math.max(settleMs, slowestLogMs);
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

  /** The log names the row's machine. A row that it does not name is another machine's, once the log has had time to name it. */
  rulesOut({ rows }: Job): boolean {
    return rows.every(({ id }) => (this.#endedBy.get(id) ?? Infinity) <= this.#rulesOutUntil);
  }

  isAsked(about: readonly Row[], use: LogUse, time: number): boolean {
    return use === "always"
      ? about.length > 0
      : use === "for new rows" && this.#asks(about, time).some((ask) => !this.#asked.has(ask));
  }

  /** Each row once while it runs, once when it has ended, because a log may be written then, and once when a slow log names it. */
  #asks(about: readonly Row[], time: number): readonly string[] {
    const endedLongAgo = time - this.#slowMs;
    return about.map(({ id }) => {
      const endedBy = this.#endedBy.get(id);
      return `${id} ${endedBy === undefined ? "runs" : endedBy > endedLongAgo ? "has ended" : "ended long ago"}`;
    });
  }

  /** `isNotAbove`: set for a later attempt, whose log is read down to the mark. `isOfProgram`: a restore of this program. */
  async read(
    about: readonly Row[],
    rows: readonly Row[],
    time: number,
    isOfProgram: (id: string) => boolean,
    isNotAbove?: (id: string) => boolean,
  ): Promise<void> {
    for (const ask of this.#asks(about, time)) this.#asked.add(ask);
    const reachesMark = await this.#readDown(isNotAbove ?? (() => true));
    const namesProgram = [...this.names].some(isOfProgram);
    this.#namesRows ||= namesProgram || rows.some(({ id }) => this.names.has(id));
    if (reachesMark && (isNotAbove ? namesProgram : this.#namesRows)) this.#rulesOutUntil = time - this.#slowMs;
  }

  /** Reads to the first transaction that `isEnough`, or to the end of the log, and returns true. A log whose newest page names none shows nothing. */
  async #readDown(isEnough: (id: string) => boolean): Promise<boolean> {
    const { client } = this.session;
    let pages = 0;
    try {
      for await (const { items } of client.walkLogItems(this.machine as MachineId, { perPage: 50 })) {
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

/** A row at or below the mark, according to the read. */
export function notAbove(read: Read, mark: Mark): (id: string) => boolean {
  const { ids: above } = rowsAbove(read, mark);
  const shown = new Set(read.rows.map(({ id }) => id));
  return (id) => !mayBeAbove(id, mark) || (shown.has(id as TransactionId) && !above.has(id));
}
