import type { Mark } from "../terms/intent";
import { isAbove } from "./mark";
import type { Row } from "./row-chains";

/** A restore that an earlier run has posted above a mark, and that is looked for there. */
export interface Sought {
  readonly machine: string;
  readonly mark: Mark;
}

/**
 * What is being looked for above the marks of earlier runs, in this process. Restores of one machine are posted one after the other, the next
 * one above a mark that was taken when the one before had ended. So what stands above a later one's mark is not what an earlier one is
 * looked for as, though it stands above that one's mark as well.
 */
export class Searches {
  readonly #under = new Set<Sought>();

  /** Does something while this is looked for. */
  async during<T>(sought: Sought | undefined, work: () => Promise<T>): Promise<T> {
    if (sought === undefined) return work();
    const search = { ...sought };
    this.#under.add(search);
    try {
      return await work();
    } finally {
      this.#under.delete(search);
    }
  }

  /** Whether a row stands where a restore is looked for that was posted later than this one. */
  isOfALater(row: Pick<Row, "id" | "createdAt">, { machine, mark }: Sought): boolean {
    return [...this.#under].some(
      (other) => other.machine === machine && isLater(other.mark, mark) && isAbove(row, other.mark),
    );
  }
}

/** Where nothing was listed in between, the two lie at the same place, and only the time tells. */
function isLater(mark: Mark, than: Mark): boolean {
  if (mark.newestId !== than.newestId) {
    return mark.newestId !== undefined && isAbove({ id: mark.newestId as Row["id"], ...stampOf(mark) }, than);
  }
  return Date.parse(mark.takenAt ?? "") > Date.parse(than.takenAt ?? "");
}

function stampOf({ newestCreatedAt }: Mark): Pick<Row, "createdAt"> {
  return newestCreatedAt === undefined ? {} : { createdAt: newestCreatedAt };
}
