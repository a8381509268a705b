import type { Read } from "../feed/feed";
import type { Mark } from "../inputs/intent";
import { hasEnded, type Judging } from "../rows/jobs";
import { type Depth, inOrder, reachesMark, type Row, rowsAbove } from "../rows/order";
import { type Listed, whoseRow } from "../rows/whose";

/** How far down a read goes. `isTop`: reads only the top of the list, not down to a mark, which is enough for a first attempt. */
export interface Reach extends Omit<Depth, "mark"> {
  readonly isDeep: boolean;
  readonly isTop?: true;
}

/** What the reads during one wait have shown about one machine. */
export interface Shown extends Required<Pick<Judging, "above" | "unsure">> {
  /** Newest first, without rows of other machines. */
  readonly rows: readonly Row[];
  /** True if everything above the mark is known: a row at or below the mark was read, and no row has been skipped since. */
  readonly isComplete: boolean;
}

/** The rows that may belong to a machine. Each read goes down to the top of the previous read and to all unfinished rows; a deep read goes down to the mark. */
export class View {
  readonly #above = new Set<string>();
  readonly #unsure = new Set<string>();
  #isComplete = false;
  #rows: readonly Row[] = [];
  #top: Mark | undefined;

  /** `base`: the mark and the rows that a deep read must reach. Without a mark, every row is considered to be above it. */
  constructor(
    readonly base: Pick<Depth, "mark" | "around">,
    private readonly machine: string,
    private readonly listed: Listed,
  ) {}

  depth({ isDeep, isTop, ids: alsoIds = [], around: alsoAround = [], ...others }: Reach): Depth {
    const { mark, around = [] } = this.base;
    if (isTop) return { ids: alsoIds, around: alsoAround, ...others };
    const isFollowed = (row: Row): boolean =>
      this.#above.has(row.id) || mark === undefined || whoseRow(row, this.machine) === "this machine";
    const open = this.#rows.filter((row) => isFollowed(row) && !hasEnded(row)).map(({ id }) => id);
    const toTop = this.#isComplete && this.#top ? this.#top : mark;
    return {
      ...others,
      mark: isDeep ? mark : around.length > 0 ? undefined : toTop,
      ids: [...open, ...alsoIds],
      around: [...around, ...alsoAround],
    };
  }

  /** `showsNames`: rows name machines, so rows with another name can be left out. */
  add(read: Read, showsNames: boolean): Shown {
    const { mark } = this.base;
    const { rows, order } = read;
    const own = showsNames ? this.listed.of(rows, this.machine) : rows;
    const above = mark && rowsAbove(read, mark);
    for (const { id } of own) {
      if (above !== undefined && !above.ids.has(id)) continue;
      if (above?.unsure.has(id) !== true) this.#unsure.delete(id);
      else if (!this.#above.has(id)) this.#unsure.add(id);
      this.#above.add(id);
    }
    const topBefore = this.#top;
    this.#isComplete =
      mark === undefined ||
      reachesMark(read, mark) ||
      (this.#isComplete && topBefore !== undefined && reachesMark(read, topBefore));
    this.#rows = inOrder([own, this.#rows.filter(({ id }) => !this.listed.shows(rows, id))], order);
    this.#top = read.mark;
    return { rows: this.#rows, above: this.#above, unsure: this.#unsure, isComplete: this.#isComplete };
  }
}
