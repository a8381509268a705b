import type { StoredRun } from "../judge/stored";

/**
 * What a program registers: the inputs of a plan's four kinds of resources. What grows with the number of restores is a JSON text. The
 * outputs are in `judge/stored.ts`; an output has another name than the inputs that it is made from, because a preview takes the input of
 * the same name for a value that is not known yet. Each has `row`, its own URN, as well.
 */

/** `<plan>-run`. */
export interface RunInputs {
  readonly run: string;
  /** A `PlanText`. */
  readonly plan: string;
  /** A `PlanSecrets`: a secret text. */
  readonly secrets: string;
}

/** What the checks of each restore send and expect, by the restore's name. A restore without checks is absent. */
export type PlanSecrets = Readonly<Record<string, readonly unknown[]>>;

/** `<plan>-wave-<name>-intent`. */
export interface WaveIntentInputs {
  /** The program's. */
  readonly run: string;
  /** A `Form` of each restore by its name, in the order of the program. */
  readonly declared: string;
  /** The id of the last entry of its machine in the waves before, by the restore's name, for the first restore of each such machine. Nearly always `{}`. */
  readonly behind: string;
  /** For a rule without `before`. It is no part of the form: a change restores nothing. */
  readonly incidentAt?: string;
}

/** `<plan>-wave-<name>`. */
export interface WaveInputs {
  /** The intent's. */
  readonly run: string;
  /** The intent's: an `IntentText`. */
  readonly restores: string;
  /** An `EarlierMachines`. */
  readonly earlier: string;
  /** A `WaveOptions`: a secret text. */
  readonly options: string;
  readonly onFailure: "stop" | "continue";
}

/** `<plan>-verdict`. */
export interface VerdictInputs {
  readonly run: string;
  /** A `PlanText`, the program's. */
  readonly plan: string;
  readonly ofRun: Pick<StoredRun, "run" | "startedAt" | "up" | "changes">;
  /** In the order of the program. */
  readonly waves: readonly JudgedWave[];
  /** A digest of the outputs of each resource between the waves, by its URN: one that is the same as under the previous run has not run in this run. */
  readonly between: string;
}

export interface JudgedWave {
  readonly name: string;
  /** The run of the wave's intent. */
  readonly intentRun: string;
  /** An `IntentText`. */
  readonly restores: string;
  /** The wave's own run. */
  readonly run: string;
  /** A `WaveRecord`. */
  readonly record: string;
}
