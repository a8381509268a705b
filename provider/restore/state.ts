import type { Read } from "../feed/feed";
import type { Mark, RestoreRequest } from "../inputs/intent";
import type { AllowedMachines } from "../inputs/settings";
import type { ConfiguredWords } from "../panel/facts";
import type { PostAnswer } from "../panel/types";
import type { Message } from "../plain/message";
import type { Job } from "../rows/jobs";
import type { LogSays } from "./machine-log";
import type { Judged, Recognised, Seen } from "./recognise";
import type { Shown } from "./view";

/** Everything known, seen and decided about one restore, as plain values. */

/** What earlier attempts left on the panel. The process that made the intent has no past, because nothing can have been posted before it made the intent. */
export interface Past {
  /** The mark above which an earlier attempt's restore may be: the failed attempt's mark, or the intent's. */
  readonly mark: Mark;
  /** The rows of the attempts that are stored as failed. While the panel shows any other status for them, nothing is sent. */
  readonly failedIds: readonly string[];
  /**
   * Set if a job that is found may be a different restore, so that the run asks the user instead of adopting the job. `refused`: nothing was sent for this
   * restore. `lost`: the previous request has left no record, and its restore may still be running.
   */
  readonly doubt?: "refused" | "lost";
  /** Only searches, and sends nothing. If nothing is found, the result has an empty reason. */
  readonly isSearch?: true;
  /** When the quiet time began, if this process has already searched for a restore of the machine, or posted one. */
  readonly since?: number;
}

export interface Looking {
  readonly is: "looking";
  readonly past: Past | undefined;
  readonly began: number;
  /** The time by which the panel lists anything that an earlier attempt posted. */
  readonly listedBy: number;
  /** Nothing is posted after this time. Waiting for the slot for unlisted restores postpones it. */
  readonly until: number;
  /** Until this time, an earlier POST may still be listed. The quiet time starts again whenever a restore of the machine, or a part of one, is seen running. */
  readonly quietUntil: number;
  /** When the last read down to the mark began. */
  readonly lookedBackAt: number;
  readonly goodAt: number;
  readonly busy: readonly string[];
  /** A job that kept the machine busy may have further parts, which are listed by this time. */
  readonly freeAt: number;
  /** Jobs seen running until the first deep read after `listedBy`. Even a stop may be the posted restore's first part, but later jobs are somebody else's. */
  readonly early: readonly string[];
}

export interface Named {
  readonly is: "named";
  readonly id: string;
  readonly until: number;
}

/** A restore after its POST. `unlisted`: none of its rows is known yet. `settling`: the restore has ended, and the list is searched for further parts. */
export interface Following {
  readonly is: "unlisted" | "listed" | "settling";
  readonly by: "POST" | "mark" | "ids";
  readonly ids: readonly string[];
  readonly named?: string | undefined;
  /** Set for a refresh, which keeps reading only if its first read shows an end. */
  readonly isOnce?: boolean;
  readonly began: number;
  readonly since: number;
  /** `timeouts.run` is measured from the first listing, even if a later read does not list the restore. */
  readonly listedAt?: number | undefined;
  readonly own: Seen;
  readonly isGuess: boolean;
  readonly taken?: Recognised["taken"];
  /** True if a different row may be the restore. Nothing is stored yet, and the slot for unlisted restores is kept. */
  readonly isHeld?: boolean;
  readonly isAtWork?: boolean;
}

export type State = Looking | Named | Following;

/** A successful read and the jobs recognized in it. Its mark is the top of the list at that time. */
export interface Look extends Recognised, Omit<Shown & Read, "rows"> {
  readonly read: "good";
  readonly isDeep: boolean;
  /** How many transactions were claimed when the read was evaluated. */
  readonly claimed: number;
  readonly log: LogSays;
  /** The list's status words, if none of them is known to be final. */
  readonly unknownWords: readonly string[];
  /** A restore that was posted earlier and never listed, on a panel whose rows name no machine. */
  readonly lost: string | undefined;
  /** Set once the restore has the slot for unlisted restores and the connection to the engine has been checked. */
  readonly ready?: "watched" | "unwatched";
}

export type Sight =
  | Look
  /** Nothing has been read yet, or the last read is too old for a decision. `waitedMs`: how long the restore waited for the slot for unlisted restores. */
  | { readonly read: "nothing"; readonly waitedMs?: number }
  /** The page is older than the mark. */
  | { readonly read: "old"; readonly trouble?: undefined; readonly ends?: undefined }
  | { readonly read: "failed"; readonly trouble: Message; readonly ends: boolean };

/** The state has the restore's own jobs, without an end if their end is not final. */
export interface EndAction {
  readonly do: "end";
  readonly state: Following;
  readonly why?: string | undefined;
  readonly trouble?: Message | undefined;
  /** Jobs that may be the restore, if the restore was never listed. */
  readonly maybe?: readonly Job[];
  /** True if the list was read, and no row in it is the restore. */
  readonly isGone?: boolean;
}

export type Action =
  /** Read at the usual pace, or within `withinMs`, and no later than `by`. */
  | { readonly do: "read"; readonly withinMs?: number | undefined; readonly by?: number | undefined }
  /** Take the slot for unlisted restores, and check that the engine is still running. */
  | { readonly do: "get ready" }
  | { readonly do: "post" }
  | { readonly do: "adopt"; readonly why: "found" | "named"; readonly jobs: readonly Judged[]; readonly text: string }
  | { readonly do: "not sent"; readonly reason: string }
  | EndAction;

export interface Decision {
  readonly state: State;
  readonly action: Action;
  readonly say?: string | undefined;
  readonly warnings?: readonly string[];
}

/** What a decision about one restore depends on, apart from the restore's state and the last read. */
export interface Terms {
  readonly request: RestoreRequest;
  readonly mark: Mark | undefined;
  readonly requestTimeoutMs: number;
  /** A later attempt posts only after this long, because an earlier POST may still be under way or not yet listed. */
  readonly quietMs: number;
  readonly totalUntil: number;
  readonly words: ConfiguredWords;
  readonly allowedMachines: readonly AllowedMachines[];
  readonly at: number;
  readonly wallTime: Date;
  readonly isHeldUp: boolean;
  readonly answer: PostAnswer | undefined;
}

/** The decision to send nothing, or nothing more, and to store nothing. */
export const notSent = (state: State, reason: string): Decision => ({ state, action: { do: "not sent", reason } });
