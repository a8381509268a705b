import type { Read } from "../feed/feed";
import type { Mark, RestoreRequest } from "../inputs/intent";
import type { AllowedMachines } from "../inputs/settings";
import type { ConfiguredWords } from "../panel/facts";
import type { PostAnswer } from "../panel/types";
import type { Message } from "../plain/message";
import type { End, Job } from "../rows/jobs";
import type { Row } from "../rows/order";
import type { Guess, Judged, Recognised } from "./recognise";
import type { Shown } from "./view";

/** What is known, seen and decided of one restore, as plain values. */

/** What earlier attempts left on the panel. In the process that made the intent, nothing can have been posted for it. */
export interface Past {
  /** An earlier attempt's restore may be above it: the mark of the failed attempt, else the intent's mark. */
  readonly mark: Mark;
  /** The rows of the attempts that are stored as failed. While the panel shows them as anything else, nothing is sent. */
  readonly failedIds: readonly string[];
  /**
   * What is found may be another restore, so it is a question: `refused`: nothing was sent for this one; `lost`: what was asked for before it has left no
   * record, and may be at work.
   */
  readonly isAskedAgain?: "refused" | "lost";
}

export interface Looking {
  readonly is: "looking";
  readonly past: Past | undefined;
  readonly began: number;
  /** Nothing that is read later leads to a POST. The time in which other restores have the place does not count. */
  readonly until: number;
  /** An earlier POST may be listed late. It starts again when a restore of the machine, or a part, is seen at work. */
  readonly quietUntil: number;
  /** When the last read down to the mark began. */
  readonly lookedBackAt: number;
  readonly goodAt: number;
  readonly busy: readonly string[];
  /** What was at work within the first quiet time: a stop may be the first part of what was posted. */
  readonly early: readonly string[];
}

export interface Named {
  readonly is: "named";
  readonly id: string;
  readonly until: number;
}

/** The restore's own jobs, as a read has shown them. `differs`: they have not ended alike. */
export interface Seen {
  readonly jobs: readonly Job[];
  readonly rows: readonly Row[];
  readonly end?: End | "differs";
  /** Where the list was when the end counted, if nothing above the old mark may be newer: a next attempt looks at what is above it. */
  readonly closed?: Mark;
}

/** After the POST. `settling`: it has ended, and further parts are looked for. */
export interface Following {
  readonly is: "posted" | "listed" | "settling";
  readonly by: "POST" | "mark" | "ids";
  readonly ids: readonly string[];
  readonly named?: string | undefined;
  /** A refresh: only an end is waited for that the first read shows. */
  readonly isOnce?: boolean;
  readonly began: number;
  readonly since: number;
  /** The limit of a run counts from the first listing, whatever is read later. */
  readonly listedAt?: number | undefined;
  readonly own: Seen;
  readonly guess: Guess;
  /** What is own may be another row: nothing is stored of it yet, and nobody makes way. */
  readonly isHeld?: boolean;
  readonly isAtWork?: boolean;
  readonly isFar?: boolean;
}

export type State = Looking | Named | Following;

/** One good read, recognized. Its mark is where the list is now. */
export interface Look extends Recognised, Omit<Shown & Read, "rows" | "panelTime"> {
  readonly read: "good";
  readonly isDeep: boolean;
  /** Nothing was posted on this panel since. */
  readonly isLatest: boolean;
  /** The machine's log names transactions of the list. `isLogUsual`: it was read down to the mark, and names a restore of this program. */
  readonly logNames: boolean;
  readonly isLogUsual: boolean;
  /** The status words of the list, where none is known to be an end. */
  readonly unknownWords: readonly string[];
  /** Posted before on a panel that names no machines, and never listed. */
  readonly lost: string | undefined;
  readonly panelTime: number;
  /** Its place is held, and the engine was asked whether it is there. */
  readonly ready?: { readonly isWatched: boolean };
}

export type Sight =
  | Look
  /** Nothing was read yet, or what was read is too old to decide anything. `waitedMs`: for the place of the unlisted restore. */
  | { readonly read: "nothing"; readonly waitedMs?: number }
  | { readonly read: "old" }
  | { readonly read: "failed"; readonly trouble: Message; readonly ends: boolean };

/** How it ended, or why the end is unknown. */
export interface Ended {
  readonly own: Seen;
  readonly why?: string | undefined;
  readonly trouble?: Message | undefined;
  /** Jobs that may be the restore, where it was never listed. */
  readonly maybe?: readonly Job[];
  /** The list was read, and shows no row of the restore. */
  readonly isGone?: boolean;
}

export type Action =
  /** At the usual pace, or `withinMs`, and no later than `by`. */
  | { readonly do: "read"; readonly withinMs?: number | undefined; readonly by?: number | undefined }
  /** Take the place of the unlisted restore, and ask whether the engine is there. */
  | { readonly do: "get ready" }
  | { readonly do: "post" }
  | { readonly do: "adopt"; readonly why: "found" | "named"; readonly jobs: readonly Judged[]; readonly text: string }
  | { readonly do: "not sent"; readonly reason: string }
  | ({ readonly do: "end" } & Ended);

export interface Decision {
  readonly state: State;
  readonly action: Action;
  readonly say?: string | undefined;
  readonly warnings?: readonly string[];
}

/** One restore, at the time of a decision. */
export interface Terms {
  readonly request: RestoreRequest;
  readonly mark: Mark | undefined;
  readonly requestTimeoutMs: number;
  readonly quietMs: number;
  readonly totalUntil: number;
  readonly words: ConfiguredWords;
  readonly allowedMachines: readonly AllowedMachines[];
  readonly at: number;
  readonly wallTime: Date;
  readonly isHeldUp: boolean;
  readonly answer: PostAnswer | undefined;
}

/** Nothing is sent, or nothing more, and nothing is stored. */
export const notSent = (state: State, reason: string): Decision => ({ state, action: { do: "not sent", reason } });
