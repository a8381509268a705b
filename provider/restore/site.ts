import type { Feed } from "../feed/types";
import type { PanelClient } from "../panel/types";
import type { Clock } from "../time/clock";
import { Claims } from "./claims";
import { Lanes } from "./lane";
import { Slots } from "./slots";
import type { Words } from "./words";

/** Everything that the restores of one panel share in one process. */
export interface Site {
  readonly client: PanelClient;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly words: Words;
  readonly adoptWindowMs: number;
  readonly requestTimeoutMs: number;
  readonly claims: Claims;
  readonly lanes: Lanes;
  readonly slots: Slots;
  /** Machine ids by identifier, as rows have shown them. */
  readonly identifiers: Map<string, string | null>;
  /** The connection's own secrets, in every spelling in which a log might repeat them. */
  readonly knownSecrets: readonly string[];
  /** Whether the run that asked for the restores is still there to watch them. Asked right before every POST. */
  readonly isWatched: () => Promise<boolean>;
}

export interface SiteOptions extends Pick<
  Site,
  "client" | "feed" | "clock" | "words" | "adoptWindowMs" | "requestTimeoutMs" | "isWatched"
> {
  readonly maxConcurrent?: number;
  readonly claims?: Claims;
  readonly knownSecrets?: readonly string[];
}

export function createSite({ maxConcurrent, claims = new Claims(), knownSecrets = [], ...shared }: SiteOptions): Site {
  return {
    ...shared,
    claims,
    knownSecrets,
    lanes: new Lanes(),
    slots: new Slots(maxConcurrent),
    identifiers: new Map(),
  };
}
