import type { Mark } from "../inputs/intent";
import type { Read } from "../feed/feed";
import { hasEnded, type Judging, keysOf } from "../rows/jobs";
import { type Depth, inOrder, markOf, reachesMark, type Row, rowsAbove } from "../rows/order";
import { whoseRow } from "../rows/whose";
import type { ConfiguredWords } from "../rows/words";

/**
 * The rows that may belong to one machine, as the reads of one wait have shown them. Each read goes down to where the previous read began and to the
 * rows that have not ended, so that the cost of a look does not grow with time; a deep read goes down to the mark, where rows that were listed late
 * may be.
 */
export class View implements Pick<Judging, "above" | "foreign"> {
  readonly above = new Set<string>();
  readonly foreign = new Set<string>();
  /** Everything above the mark is known: a row at or below the mark was read, and nothing was skipped since. */
  isComplete = false;
  #rows: readonly Row[] = [];
  #top: Mark | undefined;

  /** `base`: the mark, or the rows, that a deep read goes down to. */
  constructor(
    private readonly base: Depth,
    private readonly machine: string,
    private readonly words: ConfiguredWords,
  ) {}

  /** The rows that have not ended. */
  get open(): readonly string[] {
    const isFollowed = (row: Row): boolean =>
      this.above.has(row.id) || this.base.mark === undefined || whoseRow(row, this.machine) === "this machine";
    return this.#rows.filter((row) => isFollowed(row) && !hasEnded(row, this.words)).map(({ id }) => id);
  }

  depth(how: "deep" | "shallow"): Depth {
    const isDeep = how === "deep" || !this.isComplete || this.#top === undefined;
    const depth = isDeep ? this.base : { mark: this.#top };
    return { ...depth, ids: [...(depth.ids ?? []), ...this.open] };
  }

  /** Takes a read, and returns all rows that are known, newest first. */
  add({ pages, rows, page, order, isWhole }: Read): readonly Row[] {
    const { mark } = this.base;
    for (const { id } of mark === undefined ? rows : rowsAbove(pages, mark, order)) this.above.add(id);
    const reaches = (place: Mark): boolean => reachesMark(rows, place, order, isWhole);
    this.isComplete =
      mark === undefined || reaches(mark) || (this.isComplete && this.#top !== undefined && reaches(this.#top));
    const own = rows.filter((row) => {
      if (whoseRow(row, this.machine) !== "another machine") return true;
      for (const key of keysOf(row)) this.foreign.add(key);
      return false;
    });
    const read = new Set(rows.map(({ id }) => id));
    this.#rows = inOrder([own, this.#rows.filter(({ id }) => !read.has(id))], order);
    this.#top = markOf(page, order, "", undefined);
    return this.#rows;
  }
}
