import { forTerminal, withoutMarkupIn } from "../text/for-terminal";
import type { Properties } from "./outputs";
import { withoutUndefined } from "../plain/without-undefined";

const longestReason = 20_000;
/** All reasons of one resource together travel in one trailer, beside everything that is stored. */
const longestReasons = 200_000;

/** Outputs of a plan's resource as the engine can carry them. */
export function planOutputs(outputs: Properties): Properties {
  return withoutUndefined(withoutMarkupIn(outputs)) as Properties;
}

/** A wave that is not good, or a verdict that fails the run: stored with everything that is known, and with the reasons why. */
export class StoredPlanFailure extends Error {
  readonly properties: Properties;
  readonly reasons: string[];

  constructor(
    readonly id: string,
    outputs: Properties,
    reasons: readonly string[],
  ) {
    super("stored");
    this.name = "StoredPlanFailure";
    let left = longestReasons;
    const fitting = reasons.filter((reason) => (left -= Math.min(reason.length, longestReason)) >= 0);
    const more = reasons.length - fitting.length;
    this.reasons = [...fitting, ...(more > 0 ? [`and ${String(more)} more`] : [])].map((reason) =>
      forTerminal(reason.slice(0, longestReason)),
    );
    this.message = this.reasons.join("\n");
    this.properties = planOutputs(outputs);
  }
}
