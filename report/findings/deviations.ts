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
  /** The times at which the plan was changed during the run. */
  readonly amended?: readonly string[];
  /** Restores whose point was chosen before the plan's incidentAt was changed. */
  readonly chosenBefore?: readonly Step[];
  readonly unreadable: readonly string[];
}): readonly Deviation[] {
  const { steps, intents, pending, changed, amended = [], chosenBefore = [], unreadable } = facts;
  const all: readonly Deviation[] = [
    ...pending.map(({ name, operation }): Deviation => ({
      kind: "broken off",
      text: `The run broke off while the engine was ${operation} ${name}.`,
    })),
    ...unreadable.map((text): Deviation => ({ kind: "unreadable", text })),
    ...(changed === "since the run before"
      ? [{ kind: "plan changed", text: "The plan has changed since the run before: the digests differ." } as const]
      : []),
    ...amended.map((at): Deviation => ({
      kind: "plan changed",
      text: `The plan was changed during the run, at ${at}.`,
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
    ...steps.flatMap(({ name, earlierTries = [] }): Deviation[] =>
      earlierTries.length === 0
        ? []
        : [
            {
              kind: "retried",
              restore: name,
              text: `The report shows try ${String(earlierTries.length + 1)} and measures from the first. Earlier: ${earlierTries.map(earlierTryText).join("; ")}.`,
            },
          ],
    ),
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
    { kind: "warning", text: `… and ${String(all.length - maxDeviations)} more` },
  ];
}

function earlierTryText({ status, transactionIds, requestedAt }: EarlierTry): string {
  const which = transactionIds.length === 0 ? "" : `transaction ${transactionIds.join(", ")} `;
  return `${which}${status}${requestedAt === undefined ? "" : `, requested at ${requestedAt}`}`;
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
