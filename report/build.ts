import { restoresOfState, type StatePlan } from "../drills/judge/state";
import type { StateRestore } from "../drills/judge/restores";
import { earliestStamp, parseStamp } from "../provider/plain/clock";
import { entriesOf, omitUndefined } from "../provider/plain/plain";
import { withEarlierRuns, type EarlierReport } from "./earlier";
import { countsOf, measuredOf, stepOf } from "./step";
import { reportStamp, maxLengths, safeData, safeText } from "./model/format";
import type { Report, ReportRun, Source, Step, ReportVerdict } from "./model/model";
import { fieldsOf, nameOf, readState, ReportError, withPlainLogs, type ExportedStack } from "./read-state";

/** Options of a report. */
export interface ReportOptions {
  /** The subject to report on, by its name in `subjectsOf`, if the state contains several. */
  readonly subject?: string;
  /** The stack's name, for a state without resources. */
  readonly stack?: string;
  /** Shows logs if the state contains them in plain text. @default "without logs" */
  readonly logs?: "with logs" | "without logs";
  /** Reports of other runs. Earlier runs of the same plan in the same stack are listed. */
  readonly earlier?: readonly EarlierReport[];
}

/** A subject of a report: a run of a plan, or the restores without a plan. */
interface Subject {
  readonly name: string;
  readonly make: () => Report;
}

/** The names of a state's subjects: the name of each plan, and the stack's name if there are restores without a plan. */
export function subjectsOf(exported: unknown, options: ReportOptions = {}): readonly string[] {
  return subjectsIn(exported, options).map(({ name }) => name);
}

/**
 * Reports the last run in a stack's state, as `pulumi stack export` prints it. Throws a `ReportError` if the value is not a state or contains nothing to
 * report, if it contains no subject named `subject`, or if it contains several subjects and none is named.
 */
export function report(exported: unknown, options: ReportOptions = {}): Report {
  const subjects = subjectsIn(exported, options);
  const names = subjects.map(({ name }) => name).join(", ");
  const named = subjects.find(({ name }) => name === options.subject);
  const [only, ...others] = subjects;
  if (options.subject !== undefined && named === undefined)
    throw new ReportError(`the state contains no "${options.subject}"; it contains ${names}`);
  if (named === undefined && others.length > 0)
    throw new ReportError(`the state contains ${names}: choose one with subject`);
  const chosen = named ?? only;
  if (chosen === undefined) throw new ReportError("the state contains nothing to report");
  return withEarlierRuns(chosen.make(), options.earlier ?? []);
}

/** A report on each subject. */
export function reports(exported: unknown, options: ReportOptions = {}): readonly Report[] {
  return subjectsIn(exported, options).map(({ make }) => withEarlierRuns(make(), options.earlier ?? []));
}

function subjectsIn(exported: unknown, options: ReportOptions): readonly Subject[] {
  const state = readState(exported);
  const logs = options.logs === "with logs";
  const { restores, plans } = restoresOfState(logs ? withPlainLogs(state.deployment) : state.deployment);
  const subjects = plans.map((plan, index): Subject => {
    const isShared = plans.filter(({ name }) => name === plan.name).length > 1;
    const own = restores.filter(({ urn }) => plan.waves.some((wave) => wave.urn === urn));
    return {
      name: isShared ? `${plan.name}-${String(index + 1)}` : plan.name,
      make: () => reportOfPlan(state, plan, own, logs),
    };
  });
  const beside = restores.filter(({ plan }) => plan === undefined);
  const isAllOfPlans = beside.length === 0 && !state.pending.some(isPlainRestore) && state.unbegunPlans.length === 0;
  if (subjects.length > 0 && isAllOfPlans) return subjects;
  const stack = state.stack ?? nameOf(options.stack);
  const name = stack ?? "restores";
  return [
    ...subjects,
    {
      name: subjects.some((one) => one.name === name) ? `${name}-restores` : name,
      make: () => reportOfRestores(state, stack, beside, logs),
    },
  ];
}

function isPlainRestore({ isOfPlan }: ExportedStack["pending"][number]): boolean {
  return !isOfPlan;
}

function reportOfPlan(
  state: ExportedStack,
  stored: StatePlan,
  restores: readonly StateRestore[],
  logs: boolean,
): Report {
  const { run, plan, verdict, name } = stored;
  const { incidentAt } = plan ?? {};
  const stepsOfWave = (wave: string): readonly Step[] =>
    restores
      .filter((one) => one.wave === wave)
      .map((one) => stepOf(one, { name: safeText(one.name, maxLengths.name), incidentAt, logs }));
  const waves = stored.waves.map((wave) => ({
    name: safeText(wave.name, maxLengths.name),
    restores: stepsOfWave(wave.name),
  }));
  const steps = waves.flatMap((wave) => wave.restores);
  const { user, host, pipeline, version } = run.by;
  const result = verdict?.verdict ?? "incomplete";
  const carriedOut = new Set<string | undefined>(
    stored.waves.flatMap((wave) => (wave.intentRun === run.run && wave.waveRun === run.run ? [wave.name] : [])),
  );
  // A failed run reports its failures. If there are none, but restores were left undone, the run stopped midway or is still under way.
  const isCutShort =
    state.pending.length > 0 ||
    (restores.some(({ wave }) => !carriedOut.has(wave)) && restores.every(({ happened }) => happened.bad.length === 0));
  return omitUndefined<Report>({
    formatVersion: 1,
    scope: scopeOf("plan", safeText(name, maxLengths.name), state),
    run: omitUndefined<ReportRun>({
      name: nameOf(run.run) ?? "unnamed",
      kind: plan?.kind ?? "not stated",
      startedAt: reportStamp(run.startedAt),
      incidentAt: reportStamp(incidentAt),
      user: nameOf(user),
      host: nameOf(host),
      pipeline: textsOf(pipeline),
      notes: textsOf(plan?.notes),
      panels: panelsOf(restores),
    }),
    verdict: {
      result,
      reasons: verdict?.reasons.map((text) => safeText(text)) ?? [
        "The plan cannot be read (it is a secret, was edited, or is from a later version), so nothing can be judged.",
      ],
      ...(result === "incomplete" && isCutShort && underWay),
    },
    counts: countsOf(steps),
    measured: measuredOf(steps, verdict?.recoveryTimeSeconds),
    goals: (verdict?.goals ?? []).map((goal) =>
      goal.restore === undefined ? goal : { ...goal, restore: safeText(goal.restore, maxLengths.name) },
    ),
    waves,
    plan: plan && safeData(plan),
    source: sourceOf(state, { "pulumi-recovery": nameOf(version) }),
  });
}

const underWay: Pick<ReportVerdict, "progress"> = { progress: "is under way, or was interrupted" };

/** The report on restores without a plan: one group, ordered by request time, without a verdict. */
function reportOfRestores(
  state: ExportedStack,
  stack: string | undefined,
  restores: readonly StateRestore[],
  logs: boolean,
): Report {
  const names = uniqueNames(restores);
  const steps = restores
    .map((one, index) => stepOf(one, { name: names[index] ?? one.name, logs }))
    .sort((a, b) => requestOf(a) - requestOf(b));
  const startedAt = earliestStamp(steps.map(({ requestedAt }) => requestedAt));
  return {
    formatVersion: 1,
    scope: scopeOf("restores", stack ?? "restores", { ...state, stack }),
    run: omitUndefined<ReportRun>({
      name: commonTrigger(restores),
      kind: "not stated",
      startedAt: reportStamp(startedAt),
      panels: panelsOf(restores),
    }),
    verdict: verdictOfRestores(state, steps),
    counts: countsOf(steps),
    measured: measuredOf(steps),
    goals: [],
    waves: steps.length === 0 ? [] : [{ restores: steps }],
    source: sourceOf(state, {}),
  };
}

function verdictOfRestores(state: ExportedStack, steps: readonly Step[]): ReportVerdict {
  const { unbegunPlans } = state;
  const pending = state.pending.filter(isPlainRestore);
  const open = steps.filter((step) => step.reason !== undefined);
  const hasFailed = open.some((step) => step.state === "failed" || step.state === "cancelled");
  const why = [
    ...open.map(({ name, reason }) => `${name} ${reason ?? ""}`),
    ...pending.map((one) => `an operation on ${one.name} is under way, or was interrupted`),
    ...([...steps, ...unbegunPlans].length === 0 ? ["the state contains no restores"] : []),
    ...unbegunPlans.map(
      (name) =>
        `the state has no run of plan ${name}: none of its restores was sent, and the output of the last \`pulumi up\` shows why`,
    ),
  ];
  return {
    result: hasFailed ? "failed" : why.length > 0 ? "incomplete" : "complete",
    reasons: [
      ...why,
      ...steps.flatMap(({ name, adopted, transactionIds, warnings }) => [
        ...(adopted ? [`${name} was adopted (transaction ${transactionIds.join(", ")})`] : []),
        ...warnings.map((text) => `${name}: ${text}`),
      ]),
    ],
    ...(!hasFailed && pending.length > 0 && underWay),
  };
}

/** A restore of a machine and a restore of its files, or two restores with different parents, may have the same name. */
function uniqueNames(restores: readonly StateRestore[]): readonly string[] {
  const [seen, shared, taken] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const { name } of restores) (seen.has(name) ? shared : seen).add(name);
  return restores.map(({ name, kind }) => {
    const isShared = shared.has(name);
    const plain = safeText(
      !isShared ? name : `${name} (${kind === "VmRestore" ? "machine" : "files"})`,
      maxLengths.name,
    );
    let free = plain;
    for (let number = 2; taken.has(free); number++) free = `${plain} ${String(number)}`;
    taken.add(free);
    return free;
  });
}

/** The trigger that all restores have in common, if there is exactly one. Usually this is the drill's name. */
function commonTrigger(restores: readonly StateRestore[]): string | undefined {
  const [first, ...others] = restores.map(({ entry }) =>
    (entry?.triggers ?? []).filter((one): one is string => typeof one === "string"),
  );
  const common = first?.filter((word) => others.every((words) => words.includes(word))) ?? [];
  return common.length === 1 ? nameOf(common[0]) : undefined;
}

function scopeOf(
  kind: Report["scope"]["kind"],
  name: string,
  { project, stack }: Pick<ExportedStack, "project"> & { readonly stack?: string | undefined },
): Report["scope"] {
  return omitUndefined<Report["scope"]>({ kind, name, project, stack });
}

function panelsOf(restores: readonly StateRestore[]): readonly string[] {
  return [...new Set(restores.flatMap(({ panel }) => (panel === undefined ? [] : [safeText(panel)])))].sort();
}

function textsOf(texts: unknown): Readonly<Record<string, string>> | undefined {
  const known = entriesOf(fieldsOf(texts)).flatMap(([name, text]) =>
    typeof text === "string" && text !== "" ? [[safeText(name, 60), safeText(text)] as const] : [],
  );
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

function sourceOf(state: ExportedStack, versions: Readonly<Record<string, string | undefined>>): Source {
  return omitUndefined<Source>({
    stateWrittenAt: state.writtenAt,
    pending: state.pending.map(({ name }) => name),
    versions: omitUndefined<Record<string, string>>({ ...versions, pulumi: state.engine }),
  });
}

/** Restores without a request come last. */
function requestOf({ requestedAt }: Step): number {
  return parseStamp(requestedAt)?.at ?? Number.MAX_SAFE_INTEGER;
}
