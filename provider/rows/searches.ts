import type { Mark } from "../inputs/intent";
import { namesZone } from "../plain/clock";
import type { Row } from "./chains";
import { isAbove } from "./mark";

/** A restore that was posted above a mark, where its transaction stands. */
export interface Sought {
  readonly machine: string;
  readonly mark: Mark;
}

/**
 * What is being looked for above the marks of earlier runs, in this process, and what is known to have been posted. Restores of one
 * machine are posted one after the other, the next one above a mark that was taken when the one before had ended. So what stands above a
 * later one's mark is not what an earlier one is looked for as, though it stands above that one's mark as well.
 */
export class Searches {
  readonly #under = new Set<Sought>();
  readonly #posted = new Set<Sought>();

  /** A restore was posted above a mark, by this process or an earlier one, whether or not anybody looks for it there. */
  posted(sought: Sought): void {
    this.#posted.add(sought);
  }

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

  /** Whether a row stands where a restore that was posted later than this one is looked for, or will be. */
  isOfALater(row: Pick<Row, "id" | "createdAt">, { machine, mark }: Sought): boolean {
    return [...this.#under, ...this.#posted].some(
      (other) =>
        other.machine === machine &&
        other.mark.panel === mark.panel &&
        isLater(other.mark, mark) &&
        isAbove(row, other.mark) &&
        !isMadeBefore(row, other.mark),
    );
  }
}

/** A row that is listed late may stand above a mark that was taken long after it was made. */
function isMadeBefore({ createdAt = "" }: Pick<Row, "createdAt">, { takenAt = "" }: Mark): boolean {
  return namesZone(createdAt) && Date.parse(createdAt) < Date.parse(takenAt) - lateMs;
}

/** Clocks of one panel may be this far apart, and the restore of a mark is made right after it. */
const lateMs = 60_000;

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
