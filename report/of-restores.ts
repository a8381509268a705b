import { firstRequestOfAll, assess, type Assessment, type AssessedRestore } from "../provider/plan/verdict";
import { asList } from "../provider/plain/plain";
import { deviationsOf } from "./findings/deviations";
import { clocksOf, countsOf, goalsOf, withFigures, measuredOf } from "./findings/figures";
import { verdictFrom } from "./findings/verdict";
import type { NotCarriedOut, Report, Step, Wave } from "./model/model";
import type { ReportOptions } from "./options";
import type { StepGoals } from "./state/plan-run";
import { requestsNameZone, type PendingOperation, type State } from "./state/read-state";
import { pairWithIntents, type IntentResource, type PairedRestores, type StoredRestore } from "./state/restores";
import { latestStamp } from "../provider/plain/clock";
import { definedOnly, nameOf, utcOf } from "./state/values";

/** The report of restores without a plan: one group, in the order of their requests. */
export function reportOfRestores(
  state: State,
  found: {
    readonly restores: readonly StoredRestore[];
    readonly intents: readonly IntentResource[];
    readonly pending: readonly PendingOperation[];
  },
  options: ReportOptions,
): Report {
  const { current, orphans } = withUniqueNames(pairWithIntents(found.restores, found.intents));
  const notCarriedOut = orphans.map(outcomeNotStored);
  const goals: StepGoals = definedOnly({
    recoveryTimeSeconds: options.goalTimeSeconds,
    dataAgeSeconds: options.goalAgeSeconds,
  });
  const stored = current.map(({ step }) => withGivenPointTime(step, options)).sort(byRequest);
  const assessed = [
    ...stored.map((step): AssessedRestore => ({ name: step.name, goals, step })),
    ...notCarriedOut.map(({ restore }) => ({ name: restore, goals, missing: outcomeNotStoredText })),
  ];
  const startedAt = firstRequestOfAll(assessed);
  // Each restore is one of its own: the first request that the stack ever made says nothing of the others.
  const basis = { incidentAt: undefined, requestsNameZone: requestsNameZone(state.resources) };
  const assessment = assess(assessed, { ...basis, onMissedGoal: "fail" });
  const steps = stored.map((step) => withFigures(step, basis));
  const { recoveryTimeSeconds } = assessment;
  const deviations = deviationsOf({
    steps,
    intents: [],
    pending: found.pending,
    changed: "no",
    unreadable: [],
  });
  const ended = notCarriedOut.length === 0 && steps.every(({ result }) => result !== "unfinished");
  return {
    formatVersion: 1,
    scope: definedOnly({
      kind: "restores" as const,
      name: state.stack ?? nameOf(options.stack) ?? "restores",
      project: state.project,
      stack: state.stack ?? nameOf(options.stack),
    }),
    run: definedOnly({
      name: commonTrigger(found.restores),
      kind: "not stated" as const,
      startedAt,
      endedAt: ended ? latestStamp(steps.map(({ finishedAt }) => finishedAt)) : undefined,
      panels: panelsOf([...current.map(({ intent }) => intent.panel), ...orphans.map(({ intent }) => intent.panel)]),
    }),
    verdict: verdictFrom({
      assessment: withTakenAtHint(assessment),
      planned: assessed.length,
      pending: found.pending,
      unreadable: [],
      remarks: deviations.length,
      stored: "none expected",
    }),
    measured: measuredOf(steps, recoveryTimeSeconds),
    counts: countsOf(steps, notCarriedOut),
    goals: goalsOf(assessment),
    waves: steps.length === 0 ? [] : [singleWave(steps, ended ? "ended" : "not ended")],
    notCarriedOut,
    deviations,
    clocks: clocksOf(steps),
    source: sourceOf(state, found.pending, {}),
  };
}

/** Gives each restore a name of its own: a machine's and its files', or two below different parents, may share one. */
function withUniqueNames({ current, orphans }: PairedRestores): PairedRestores {
  const all = [...current.map(({ step }) => step), ...orphans.map(({ intent }) => intent)];
  const [seen, shared, taken] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const { name } of all) (seen.has(name) ? shared : seen).add(name);
  const own = ({ name, kind }: Pick<Step, "name" | "kind">): string => {
    const plain = !shared.has(name) ? name : `${name} (${kind === "VmRestore" ? "machine" : "files"})`;
    let free = plain;
    for (let number = 2; taken.has(free); number++) free = `${plain} ${String(number)}`;
    taken.add(free);
    return free;
  };
  return {
    current: current.map((one) => ({ ...one, step: { ...one.step, name: own(one.step) } })),
    orphans: orphans.map((one) => ({ ...one, intent: { ...one.intent, name: own(one.intent) } })),
  };
}

/** Without a plan the time of a recovery point comes from the command line. */
function withTakenAtHint(assessment: Assessment): Assessment {
  const hint = " give it with `--taken-at POINT=TIME`";
  return {
    ...assessment,
    gaps: assessment.gaps.map((gap) => (/: recoveryPointTakenAt is not given/.test(gap) ? `${gap};${hint}` : gap)),
  };
}

export function sourceOf(
  state: State,
  pending: readonly PendingOperation[],
  versions: Readonly<Record<string, string>>,
): Report["source"] {
  return definedOnly({
    stateWrittenAt: state.writtenAt,
    pendingOperations: pending.length,
    versions: { ...versions, ...(state.engine !== undefined && { pulumi: state.engine }) },
  });
}

export function panelsOf(panels: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(panels.filter((panel) => panel !== undefined))].sort();
}

function singleWave(restores: readonly Step[], state: Wave["state"]): Wave {
  return { index: 0, state, restores };
}

function withGivenPointTime(step: Step, { takenAt = {} }: ReportOptions): Step {
  const given = Object.hasOwn(takenAt, step.recoveryPointId) ? utcOf(takenAt[step.recoveryPointId]) : undefined;
  return given === undefined ? step : { ...step, recoveryPointTakenAt: given };
}

function byRequest(a: Step, b: Step): number {
  const at = ({ requestedAt }: Step): number => (requestedAt === undefined ? Infinity : Date.parse(requestedAt));
  const [first, second] = [at(a), at(b)];
  if (first !== second) return first < second ? -1 : 1;
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

const outcomeNotStoredText = "was started, but its outcome is not in the state";

function outcomeNotStored({ intent, earlier }: PairedRestores["orphans"][number]): NotCarriedOut {
  const started = intent.madeAt === undefined ? "It was started" : `It was started at ${intent.madeAt}`;
  const before =
    earlier === undefined
      ? ""
      : ` The record stored under its name belongs to an earlier run${earlier.step.transactionIds.length > 0 ? `: transaction ${earlier.step.transactionIds.join(", ")}` : ""}.`;
  return {
    restore: intent.name,
    virtualMachineId: intent.virtualMachineId,
    recoveryPointId: intent.recoveryPointId,
    ...(intent.chosenBy !== undefined && { chosenBy: intent.chosenBy }),
    what: "outcome not stored",
    why: `${started}, but its outcome is not in the state: the run ended first, or the panel refused the request.${before}`,
  };
}

/** The one trigger that all restores share: people name a drill with it. */
function commonTrigger(restores: readonly StoredRestore[]): string | undefined {
  const [first, ...others] = restores.map(({ triggers }) =>
    asList(triggers).filter((item) => typeof item === "string"),
  );
  const common = first?.filter((word) => others.every((words) => words.includes(word))) ?? [];
  return common.length === 1 ? nameOf(common[0]) : undefined;
}
