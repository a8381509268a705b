import { type PlayedPlan, type PlayedStep, resourcesOf } from "../../report/support/plans";
import { intentResource, type Played, restoreResource } from "../../report/support/restores";
import { at, type PendingOperation, type StackResource } from "../../report/support/stack";

const usual = { machine: "42", queued: 5, ran: 60 };

/** A restore without a plan, as it is stored. Without a status, only its intent is stored. */
export function restore(given: Partial<Played>): readonly StackResource[] {
  const played = { ...usual, name: "web", ...(given.transaction !== undefined && { requested: 0 }), ...given };
  const intent = intentResource(played);
  const shown = { ...intent, outputs: { ...intent.outputs, ...given.outputs } };
  return given.status === undefined ? [shown] : [shown, restoreResource(played)];
}

export const pendingOn = (name: string, type = "VmRestore", of?: string): PendingOperation => ({
  type,
  name,
  operation: "creating",
  ...(of !== undefined && { of }),
});

export const complete = (transaction: string) => ({ status: "complete", transaction }) as const;

/** A plan called shop and its waves; a restore without a status has no record. `carriedOut`: the waves that have a record, the others only an intent. */
export function plan(
  waves: Readonly<Record<string, Readonly<Record<string, Partial<PlayedStep>>>>>,
  { carriedOut, ...more }: Partial<PlayedPlan> & { readonly carriedOut?: readonly string[] } = {},
): readonly StackResource[] {
  const stepOf = ([name, one]: readonly [string, Partial<PlayedStep>]): PlayedStep => {
    return { ...usual, name, requested: 0, came: one.status === undefined ? "asked for" : "sent", ...one };
  };
  const played = Object.entries(waves).map(([name, restores]) => ({
    name,
    came: carriedOut?.includes(name) === false ? ("asked for" as const) : ("carried out" as const),
    restores: Object.entries(restores).map(stepOf),
  }));
  return resourcesOf({ startedAt: at(0), ...more, waves: played });
}
