import type { Clock } from "../time/clock";
import type { Page, PanelClient, Transaction, TransactionId } from "../panel/types";
import type { Descent } from "./floor";
import type { Head } from "./types";

/** One watch's part in one walk. */
export interface Visitor {
  readonly descent: Descent;
  wants(row: Transaction): boolean;
  /** Takes a wanted row, newest first. */
  found(row: Transaction): void;
  /** A row at or above the floor that the watch does not want. */
  passed(row: Transaction): void;
}

export interface WalkOptions {
  readonly client: PanelClient;
  readonly clock: Clock;
  readonly perPage: number;
  /** Time for one page with all its tries. */
  readonly budgetMs: number;
  readonly maxPages: number;
  readonly signal: AbortSignal;
  readonly visitors: readonly Visitor[];
  /** The newest row of the read before this one, to count what has come since. */
  readonly newestBefore?: TransactionId | undefined;
  /** Called as soon as the newest page is there. */
  readonly onHead: (head: Head) => void;
}

export interface Walked {
  readonly head: Head;
  /** Every visitor got down to its floor or to the end of the list. */
  readonly complete: boolean;
  readonly endOfList: boolean;
  /** How many rows lie above each wanted row. */
  readonly positions: ReadonlyMap<TransactionId, number>;
  /** Rows above the newest row of the read before; as many as were read when it was not met. */
  readonly arrivals: number;
}

/** Reads the list newest first, page by page, until every visitor has seen what it has to see. */
export async function walk(options: WalkOptions): Promise<Walked> {
  const { client, clock, visitors, signal } = options;
  const readAt = clock.now();
  const positions = new Map<TransactionId, number>();
  let head: Head | undefined;
  let endOfList = true;
  let pages = 0;
  let rowsRead = 0;
  let arrivals: number | undefined;

  for await (const page of client.walkTransactions({ perPage: options.perPage, budgetMs: options.budgetMs, signal })) {
    pages++;
    if (head === undefined) {
      head = headOf(page, readAt);
      options.onHead(head);
    }
    for (const row of page.items) {
      if (row.id === options.newestBefore) arrivals = rowsRead;
      if (show(row, visitors)) positions.set(row.id, rowsRead);
      rowsRead++;
    }
    for (const { descent } of visitors) descent.endPage();
    if (visitors.every(({ descent }) => descent.reached) || pages >= options.maxPages) {
      endOfList = false;
      break;
    }
  }

  if (head === undefined) {
    head = { rows: [], readAt };
    options.onHead(head);
  }
  const complete = endOfList || visitors.every(({ descent }) => descent.reached);
  return { head, complete, endOfList, positions, arrivals: arrivals ?? rowsRead };
}

/** Shows a row to everyone it may concern; true when somebody wants it. */
function show(row: Transaction, visitors: readonly Visitor[]): boolean {
  let wanted = false;
  for (const visitor of visitors) {
    if (!visitor.descent.meet(row)) continue;
    if (visitor.wants(row)) {
      visitor.found(row);
      wanted = true;
    } else {
      visitor.passed(row);
    }
  }
  return wanted;
}

function headOf(page: Page<Transaction>, readAt: number): Head {
  return page.panelTime === undefined
    ? { rows: page.items, readAt }
    : { rows: page.items, readAt, panelTime: page.panelTime };
}
