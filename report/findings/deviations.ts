import type { Deviation, EarlierTry, Step } from "../model/model";
import type { IntentResource } from "../state/restores";
import type { PendingOperation } from "../state/read-state";

const maxDeviations = 500;

/** What an auditor asks about although nothing failed: what went otherwise than in one go and as planned. */
export function deviationsOf(facts: {
  readonly steps: readonly Step[];
  readonly intents: readonly IntentResource[];
  readonly pending: readonly PendingOperation[];
  readonly changed: "no" | "since the run before";
  /** When the plan was changed while the run was under way. */
  readonly amended?: readonly string[];
  /** Restores whose point was chosen before the plan's incidentAt was changed. */
  readonly chosenBefore?: readonly Step[];
  readonly unreadable: readonly string[];
}): readonly Deviation[] {
  const { steps, intents, pending, changed, amended = [], chosenBefore = [], unreadable } = facts;
  const all: readonly Deviation[] = [
    ...pending.map(({ name, operation }): Deviation => ({
      kind: "broken off",
      text: `The engine was ${operation} ${name} when it was last heard of.`,
    })),
    ...unreadable.map((text): Deviation => ({ kind: "unreadable", text })),
    ...(changed === "since the run before"
      ? [{ kind: "plan changed", text: "The plan is not the one of the run before: their digests differ." } as const]
      : []),
    ...amended.map((at): Deviation => ({
      kind: "plan changed",
      text: `The plan was changed while the run was under way, at ${at}.`,
    })),
    ...chosenBefore.map(({ name, chosenBy }): Deviation => ({
      kind: "plan changed",
      restore: name,
      text: `incidentAt was changed after the recovery point had been chosen: it was ${chosenBy?.incidentAt ?? "not given"} then. Nothing is chosen anew for that.`,
    })),
    ...(spanSeveralRuns(intents)
      ? [
          {
            kind: "resumed",
            text: "The restores were begun by more than one `pulumi up`: an earlier one ended before its time.",
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
              text: `It is shown as of try ${String(earlierTries.length + 1)}, and measured from the first. Before: ${earlierTries.map(earlierTryText).join("; ")}.`,
            },
          ],
    ),
    ...steps.flatMap(({ name, adopted, transactionIds, warnings }): Deviation[] => [
      ...(adopted
        ? [
            {
              kind: "adopted",
              restore: name,
              text: `Not posted by the run that reports it: transaction ${transactionIds.join(", ")} was found on the panel and taken over. It is measured from its original request.`,
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

/** Each provider of a program has a process of its own, so only intents of one provider tell. */
function spanSeveralRuns(intents: readonly IntentResource[]): boolean {
  const processes = new Map<string, string>();
  return intents.some(({ provider = "", process }) => {
    if (process === undefined) return false;
    const before = processes.get(provider);
    processes.set(provider, process);
    return before !== undefined && before !== process;
  });
}
