import { checkLabel } from "../../provider/inputs/read-check";
import { whenAndWho } from "../../provider/plan/changes";
import { otherTriesOf, triesSinceBack } from "../../provider/plan/verdict";
import type { StoredChange } from "../../provider/plan/stored";
import { countText, numberText } from "../model/format";
import type { Deviation, EarlierTry, Step } from "../model/model";
import type { IntentResource } from "../state/restores";
import type { PendingOperation } from "../state/read-state";

const maxDeviations = 500;

/** Everything that an auditor asks about although nothing failed: the run was interrupted, or differs from the plan. */
export function deviationsOf(facts: {
  readonly steps: readonly Step[];
  readonly intents: readonly IntentResource[];
  readonly pending: readonly PendingOperation[];
  readonly changed: "no" | "since the run before";
  /** The changes of the plan during the run. */
  readonly history?: readonly StoredChange[];
  /** Restores whose point was chosen before the plan's incidentAt was changed. */
  readonly chosenBefore?: readonly Step[];
  readonly unreadable: readonly string[];
}): readonly Deviation[] {
  const { steps, intents, pending, changed, history = [], chosenBefore = [], unreadable } = facts;
  const all: readonly Deviation[] = [
    ...pending.map(({ name, operation }): Deviation => ({
      kind: "broken off",
      text: `The run broke off while the engine was ${operation} ${name}.`,
    })),
    ...unreadable.map((text): Deviation => ({ kind: "unreadable", text })),
    ...(changed === "since the run before"
      ? [{ kind: "plan changed", text: "The plan is another one than the run before began with." } as const]
      : []),
    ...history.map((change): Deviation => ({
      kind: "plan changed",
      text: `The plan was changed ${whenAndWho(change)}: ${countText(change.changes.length, "value")}, with what they were before among the changes.`,
    })),
    ...chosenBefore.map(({ name, chosenBy }): Deviation => ({
      kind: "plan changed",
      restore: name,
      text: `incidentAt was changed after the recovery point was chosen: it was ${chosenBy?.incidentAt ?? "not given"} then. The restore keeps that point.`,
    })),
    ...(spanSeveralRuns(intents)
      ? [
          {
            kind: "resumed",
            text: "More than one `pulumi up` started the restores: an earlier one was cut off.",
          } as const,
        ]
      : []),
    ...steps.flatMap((step): Deviation[] => {
      const earlierTries = otherTriesOf(step);
      if (earlierTries.length === 0) return [];
      const text = `The report shows try ${String(earlierTries.length + 1)} and ${measuredFromText(earlierTries)}. Earlier: ${earlierTries.map(earlierTryText).join("; ")}.`;
      return [{ kind: "retried", restore: step.name, text }];
    }),
    ...steps.flatMap(({ name, adopted, transactionIds, warnings }): Deviation[] => [
      ...(adopted
        ? [
            {
              kind: "adopted",
              restore: name,
              text: `This run did not post it: it took over transaction ${transactionIds.join(", ")} from the panel. It is measured from its original request.`,
            } as const,
          ]
        : []),
      ...warnings.map((text): Deviation => ({ kind: "warning", restore: name, text })),
    ]),
  ];
  if (all.length <= maxDeviations) return all;
  return [
    ...all.slice(0, maxDeviations),
    { kind: "warning", text: `… and ${numberText(all.length - maxDeviations)} more` },
  ];
}

/** A try after which the machine was back is over: the next one is measured for itself. */
function measuredFromText(tries: readonly EarlierTry[]): string {
  const counted = triesSinceBack(tries).length;
  if (counted === tries.length) return "measures from the first";
  const from = tries.length - counted + 1;
  return `measures from try ${String(from)}, because the machine was back after the one before`;
}

function earlierTryText({ status, transactionIds, requestedAt, checks: all }: EarlierTry): string {
  const which = transactionIds.length === 0 ? "" : `transaction ${transactionIds.join(", ")} `;
  const failed = all.filter(({ result }) => result !== "passed");
  const checks = failed.length === 0 ? "" : `, not passed: ${failed.map(checkLabel).join(", ")}`;
  return `${which}${status}${checks}${requestedAt === undefined ? "" : `, requested at ${requestedAt}`}`;
}

/** Each provider of a program has its own process, so only intents of one provider are compared. */
function spanSeveralRuns(intents: readonly IntentResource[]): boolean {
  const processes = new Map<string, string>();
  return intents.some(({ provider = "", process }) => {
    if (process === undefined) return false;
    const before = processes.get(provider);
    processes.set(provider, process);
    return before !== undefined && before !== process;
  });
}
