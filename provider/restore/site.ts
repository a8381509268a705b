import type { Feed } from "../feed/watching";
import type { IntendedPlan, RestorePlan } from "../inputs/intent";
import type { Redact } from "../panel/secrets";
import type { PanelClient } from "../panel/types";
import type { Clock } from "../plain/clock";
import type { Words } from "../rows/chains";
import { Searches } from "../rows/searches";
import { Claims } from "./claims";
import { notSent } from "./not-sent";
import type { RestoreResult, Voice } from "./result";
import { Lanes, type Leaving, Slots } from "./turn";

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

/** One run of one restore: what all its steps have to know. */
export interface OneRun {
  readonly site: Site;
  readonly plan: IntendedPlan;
  readonly voice: Voice;
  /** When the whole run has to be over. */
  readonly totalUntil: number | undefined;
}

/** What a step comes to that ends the run. */
export interface Done extends Leaving {
  readonly result: RestoreResult;
}

/** When a run that begins now has to be over, where it has a limit over everything. */
export function totalUntilOf(clock: Clock, { timeouts }: Pick<RestorePlan, "timeouts">): number | undefined {
  return timeouts.totalMs === undefined ? undefined : clock.now() + timeouts.totalMs;
}

export function notPosted(plan: IntendedPlan, why: string): Done {
  return { result: { kind: "not-posted", reason: notSent(plan, why) } };
}
