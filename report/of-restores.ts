import type { NotCarriedOut, Report, Step, Wave } from "./model/model";
import type { ReportOptions } from "./options";
import { clocksOf, countsOf, measuredOf, firstRequest, goalsOf, wholeSeconds, withDataAge } from "./judge/figures";
import { deviationsOf } from "./judge/deviations";
import { paired, type Paired, type IntentResource, type StoredRestore } from "./state/restores";
import { verdictFrom } from "./judge/verdict";
import { latest, known, listOf, nameOf, stampOf } from "./state/values";
import { requestsNameZone, type Pending, type State } from "./state/read";

/** The report of restores that stand in a program by themselves: one group, in the order of their requests. */
export function reportOfRestores(
  state: State,
  found: {
    readonly restores: readonly StoredRestore[];
    readonly intents: readonly IntentResource[];
    readonly pending: readonly Pending[];
  },
  options: ReportOptions,
): Report {
  const { current, orphans } = paired(found.restores, found.intents);
  const dated = current.map(({ step }) => withPointTime(step, options));
  const startedAt = firstRequest(dated);
  const incidentAt = requestsNameZone(state.resources) ? startedAt : undefined;
  const steps = dated.map((step) => withDataAge(step, incidentAt)).sort(byRequest);
  const notCarriedOut = orphans.map(notStored);
  const goals = goalsOf(
    [...steps.map((step) => ({ restore: step.name, step })), ...notCarriedOut].map((aim) => ({
      ...aim,
      recoveryTimeSeconds: options.goalTimeSeconds,
      dataAgeSeconds: options.goalAgeSeconds,
    })),
  );
  const recoveryTimeSeconds = wholeSeconds(steps, notCarriedOut.length, startedAt);
  const deviations = deviationsOf({
    steps,
    retried: [],
    intents: [],
    pending: found.pending,
    changed: "no",
    unreadable: [],
  });
  const ended = notCarriedOut.length === 0 && steps.every(({ result }) => result !== "unfinished");
  return {
    formatVersion: 1,
    scope: known({
      kind: "restores" as const,
      name: state.stack ?? nameOf(options.stack) ?? "restores",
      project: state.project,
      stack: state.stack ?? nameOf(options.stack),
    }),
    run: known({
      name: commonTrigger(found.restores),
      kind: "not stated" as const,
      startedAt,
      endedAt: ended ? latest(steps.map(({ finishedAt }) => finishedAt)) : undefined,
      panels: panelsOf([...current.map(({ intent }) => intent.panel), ...orphans.map(({ intent }) => intent.panel)]),
    }),
    verdict: verdictFrom({
      steps,
      notCarriedOut,
      goals,
      onMissedGoal: "fail",
      pending: found.pending,
      unreadable: [],
      remarks: deviations.length,
      stored: "none expected",
    }),
    measured: measuredOf(steps, recoveryTimeSeconds),
    counts: countsOf(steps, notCarriedOut),
    goals,
    waves: steps.length === 0 ? [] : [group(steps, ended ? "ended" : "not ended")],
    notCarriedOut,
    deviations,
    clocks: clocksOf(steps),
    source: sourceOf(state, found.pending, {}),
  };
}

export function sourceOf(
  state: State,
  pending: readonly Pending[],
  versions: Readonly<Record<string, string>>,
): Report["source"] {
  return known({
    stateWrittenAt: state.writtenAt,
    pendingOperations: pending.length,
    versions: { ...versions, ...(state.engine !== undefined && { pulumi: state.engine }) },
  });
}

export function panelsOf(panels: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(panels.filter((panel) => panel !== undefined))].sort();
}

function group(restores: readonly Step[], state: Wave["state"]): Wave {
  return { index: 0, state, restores };
}

function withPointTime(step: Step, { takenAt = {} }: ReportOptions): Step {
  const given = Object.hasOwn(takenAt, step.recoveryPointId) ? stampOf(takenAt[step.recoveryPointId]) : undefined;
  return given === undefined ? step : { ...step, recoveryPointTakenAt: given };
}

function byRequest(a: Step, b: Step): number {
  const at = ({ requestedAt }: Step): number => (requestedAt === undefined ? Infinity : Date.parse(requestedAt));
  const [first, second] = [at(a), at(b)];
  if (first !== second) return first < second ? -1 : 1;
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

function notStored({ intent, earlier }: Paired["orphans"][number]): NotCarriedOut {
  const begun = intent.madeAt === undefined ? "It was begun" : `It was begun at ${intent.madeAt}`;
  const before =
    earlier === undefined
      ? ""
      : ` What is stored under its name is of an earlier run${earlier.step.transactionIds.length > 0 ? `: transaction ${earlier.step.transactionIds.join(", ")}` : ""}.`;
  return {
    restore: intent.name,
    virtualMachineId: intent.virtualMachineId,
    recoveryPointId: intent.recoveryPointId,
    what: "outcome not stored",
    why: `${begun}, and its outcome is not in the state: the run ended before, or the panel refused the request.${before}`,
  };
}

/** The word that all restores were triggered by, which is what people name a drill with. */
function commonTrigger(restores: readonly StoredRestore[]): string | undefined {
  const [first, ...others] = restores.map(({ triggers }) =>
    listOf(triggers).filter((item) => typeof item === "string"),
  );
  const common = first?.filter((word) => others.every((words) => words.includes(word))) ?? [];
  return common.length === 1 ? nameOf(common[0]) : undefined;
}
