import type { Feed } from "../feed/watching";
import type { Redact } from "../panel/secrets/redact";
import type { PanelClient } from "../panel/terms/types";
import type { Clock } from "../time/clock";
import { Claims } from "./turn/claims";
import { Lanes } from "./turn/lane";
import { Slots } from "./turn/slots";
import type { Words } from "./rows/row-words";
import { Searches } from "./rows/searches";

/** Everything that the restores of one panel share in one process. */
export interface Site {
  readonly client: PanelClient;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly words: Words;
  readonly adoptWindowMs: number;
  readonly requestTimeoutMs: number;
  readonly claims: Claims;
  readonly searches: Searches;
  readonly lanes: Lanes;
  readonly slots: Slots;
  /** Machine ids by identifier, as rows have shown them. */
  readonly identifiers: Map<string, string | null>;
  /** Takes the connection's own secrets out of a log, in every spelling in which it might repeat them. */
  readonly redact: Redact;
  /** Whether the run that asked for the restores is still there to watch them. Asked right before every POST. */
  readonly isWatched: () => Promise<boolean>;
}

export interface SiteOptions extends Pick<
  Site,
  "client" | "feed" | "clock" | "words" | "adoptWindowMs" | "requestTimeoutMs" | "redact" | "isWatched"
> {
  readonly maxConcurrent?: number;
  readonly claims?: Claims;
}

export function createSite({ maxConcurrent, claims = new Claims(), ...shared }: SiteOptions): Site {
  return {
    ...shared,
    claims,
    searches: new Searches(),
    lanes: new Lanes(),
    slots: new Slots(maxConcurrent),
    identifiers: new Map(),
  };
}
