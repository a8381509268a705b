import type { Intent } from "./terms/intent";
import { subject } from "./telling/messages";
import type { IntendedPlan, RestorePlan } from "./terms/restore-plan";
import { decidingInputs, meansSame } from "./terms/same-target";

/**
 * Whether a restore may be carried out at all. Without its intent nobody could tell after a kill whether it was posted; with
 * an intent that was made for something else, or on another panel, its mark says nothing about this restore.
 */
export function permit(
  plan: RestorePlan & { readonly intent?: Intent },
  panel: string,
): { readonly plan: IntendedPlan } | { readonly refusal: string } {
  const { intent } = plan;
  const who = subject(plan);
  if (intent === undefined) {
    return {
      refusal:
        `${who} was not sent: its RestoreIntent is missing, which happens when a run is limited to this resource. ` +
        "Include the RestoreIntent of the same restore in --target as well, or run `pulumi up` without --target.",
    };
  }
  const differing = (["kind", ...decidingInputs] as const).filter(
    (input) => !meansSame(input, plan.target[input], intent.madeFor[input]),
  );
  if (differing.length > 0) {
    return {
      refusal:
        `${who} was not sent: its intent ${intent.urn} was made for another restore (${differing.join(", ")} differ). ` +
        "Include the intent in --target or --replace, take these properties out of ignoreChanges, or change triggers so that both are made anew.",
    };
  }
  if (intent.mark.panel !== panel) {
    return {
      refusal:
        `${who} was not sent: its intent was made on the panel ${intent.mark.panel}, and the configured panel is ${panel}. ` +
        "Point the configuration back to that panel, or change triggers to restore on this one.",
    };
  }
  return { plan: { ...plan, intent } };
}
