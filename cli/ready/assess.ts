import { ruleText } from "../../provider/inputs/read-point-rule";
import { type Settings, whyNotAllowed } from "../../provider/inputs/settings";
import type { MachineId } from "../../provider/panel/types";
import { omitUndefined } from "../../provider/plain/plain";
import { firstFew } from "../../provider/plain/text";
import { busyJobs, type MachineReading } from "../parts/read-machine";
import { statusText } from "../../provider/panel/facts";
import { findKnownQuestion, type KnownQuestions } from "../parts/known-questions";
import { mayBeAtWork, type StackRestore, type StackState } from "../parts/stack-state";
import { cleaned, count, oneLine } from "../parts/words";
import {
  elsewhereFinding,
  listFinding,
  machineLogFindings,
  notAllowedFindings,
  proofFindings,
  proofOf,
  stateFindings,
} from "./findings";
import {
  goalFindings,
  incidentFindings,
  type PointSource,
  pointSourceFrom,
  unmeasurableFindings,
} from "./point-source";
import type { PanelReading } from "./read-panel";
import {
  finding,
  type FindingVerdict,
  isAccepted,
  question,
  type ReadyFinding,
  type ReadyResult,
  type ReadyRestore,
} from "./result";

type Words = Pick<Settings, "restoreActions" | "completeStatuses" | "failedStatuses" | "pointStates">;

/** The criteria for judging restores, besides the stored state and the panel's responses. */
export interface Criteria {
  readonly panel: string;
  /** The provider whose settings are used. */
  readonly provider: string;
  readonly allowedMachines: Settings["allowedMachines"];
  readonly words: Words;
  readonly known: KnownQuestions;
  readonly now: Date;
  readonly goalAgeSeconds?: number;
  readonly provenWithinSeconds?: number;
}

/** The machines to look up on this panel. Leaves out machines that may not be restored, and restores that belong to another panel or provider. */
export function machinesToRead(
  restores: readonly StackRestore[],
  { panel, provider, allowedMachines }: Pick<Criteria, "panel" | "provider" | "allowedMachines">,
): readonly string[] {
  const here = restores.filter((one) => elsewhereFinding(one, { panel, provider }) === undefined);
  const machines = new Set(here.map(({ machine }) => machine));
  return [...machines].filter((machine) => whyNotAllowed(machine, allowedMachines) === undefined);
}

/** Judges whether each restore could run now. */
export function assessReadiness(
  state: StackState,
  restores: readonly StackRestore[],
  reading: PanelReading,
  criteria: Criteria,
): ReadyResult {
  const judged = restores.map((one) => assessRestore(one, reading, { ...criteria, from: state.from }));
  const countOf = (isOne: (one: ReadyRestore) => boolean): number => judged.filter(isOne).length;
  const counts = {
    ready: countOf(({ readiness }) => readiness === "ready"),
    notReady: countOf(({ readiness }) => readiness === "not ready"),
    cannotBeJudged: countOf(({ readiness }) => readiness === "cannot be judged"),
    accepted: countOf(isAccepted),
  };
  const isOpen = judged.length === 0 || state.unreadable.length > 0;
  const verdict =
    counts.notReady > 0 ? "not ready" : isOpen || counts.cannotBeJudged > 0 ? "cannot be judged" : "ready";
  return omitUndefined<ReadyResult>({
    formatVersion: 1,
    lookedAt: criteria.now.toISOString(),
    panel: criteria.panel,
    stack: state.stack,
    project: state.project,
    verdict,
    isAccepted: verdict === "cannot be judged" && !isOpen && counts.accepted === counts.cannotBeJudged,
    counts,
    requests: reading.requests,
    provenWithinSeconds: criteria.provenWithinSeconds,
    restores: judged,
    unreadable: state.unreadable,
  });
}

const verdictOrder: readonly FindingVerdict[] = ["not ready", "cannot be judged", "warning"];

function assessRestore(
  restore: StackRestore,
  reading: PanelReading,
  criteria: Criteria & Pick<StackState, "from">,
): ReadyRestore {
  const { plan, wave, name, kind, provider, panel, machine, goals, rule, incidentAt, planned } = restore;
  const { provenWithinSeconds, now } = criteria;
  const goalSeconds = goals.dataAgeSeconds ?? criteria.goalAgeSeconds;
  const elsewhere = elsewhereFinding(restore, criteria);
  const seen = elsewhere === undefined ? reading.machines.get(machine) : undefined;
  const source = sourceOf(restore, seen, reading, criteria);
  const proof = proofOf(restore, criteria);
  const ofPanel =
    elsewhere !== undefined
      ? [elsewhere]
      : [
          ...notAllowedFindings(machine, criteria.allowedMachines),
          ...(seen === undefined ? [] : machineLogFindings(seen, machine)),
          ...source.findings,
          ...goalFindings(source, goalSeconds),
          ...busyFindings(restore, reading),
        ];
  const findings = [
    ...stateFindings(restore, criteria.from),
    ...ofPanel,
    ...incidentFindings(incidentAt, planned?.takenAt, source.takenAt),
    ...unmeasurableFindings(planned, goals),
    ...(provenWithinSeconds === undefined ? [] : proofFindings(restore, proof, provenWithinSeconds, now)),
  ]
    .map((finding) => ifAccepted(cleaned(finding, oneLine), restore, criteria))
    .sort((a, b) => verdictOrder.indexOf(a.verdict) - verdictOrder.indexOf(b.verdict));
  const worst = findings[0]?.verdict;
  const { pointId, takenAt, ageSeconds } = source;
  return omitUndefined<ReadyRestore>({
    plan,
    wave,
    name: oneLine(name),
    kind,
    readiness: worst === undefined || worst === "warning" ? "ready" : worst,
    virtualMachineId: machine,
    rule: rule && ruleText(rule),
    recoveryPointId: pointId === undefined ? undefined : oneLine(pointId),
    recoveryPointTakenAt: takenAt,
    ageSeconds,
    goalSeconds,
    leftSeconds: goalSeconds === undefined || ageSeconds === undefined ? undefined : goalSeconds - ageSeconds,
    provenAt: proof?.isOfToday === true ? proof.at : undefined,
    provenIn: proof?.isOfToday === true ? proof.run : undefined,
    state: restore.state,
    panel,
    provider,
    findings,
  });
}

function sourceOf(
  { rule, planned, entry, machine, incidentAt }: StackRestore,
  seen: MachineReading | undefined,
  { isAnyListed }: PanelReading,
  { from, words }: Pick<Criteria, "words"> & Pick<StackState, "from">,
): PointSource {
  const asked = typeof entry?.point === "string" && entry.point !== "" ? entry.point : undefined;
  // A rule takes precedence over the point that it chose last, because the next drill will choose a point again.
  const point = rule ?? planned?.point ?? asked;
  if (point === undefined) return { findings: [pointNotReadable(from)] };
  if (seen?.points === undefined) return { ...(typeof point === "string" && { pointId: point }), findings: [] };
  return pointSourceFrom(point, machine as MachineId, seen.points, words.pointStates, incidentAt, isAnyListed);
}

function pointNotReadable(from: StackState["from"]): ReadyFinding {
  const why =
    from === "preview"
      ? "is a secret, or known only during `pulumi up`"
      : "is a secret, or the restore came from a transaction that `adopt` named";
  const says = `The ${from} does not show its recovery point: the id ${why}.`;
  return question("state.point", `point not in the ${from}`, says);
}

function busyFindings(restore: StackRestore, { transactions }: PanelReading): readonly ReadyFinding[] {
  if ("error" in transactions) return [listFinding(transactions.error)];
  const { machine } = restore;
  const busy = busyJobs(transactions, machine);
  const [first] = busy;
  if (first === undefined) return [];
  const jobs = busy.map(
    ({ rows: [row] }) => `${row.action ?? "a transaction"} (${row.id}, ${statusText(row) ?? "no status"})`,
  );
  const says = `${count(jobs.length, "job has", "jobs have")} not ended on machine ${machine}: ${firstFew(jobs)}.`;
  const then = mayBeAtWork(restore) ? "" : " A restore would wait.";
  return [finding("warning")("machine.busy", `busy: ${first.rows[0].action ?? "a transaction"}`, says + then)];
}

/** Only a question can be accepted. */
function ifAccepted(
  finding: ReadyFinding,
  { plan, name, machine }: StackRestore,
  { known, now }: Criteria,
): ReadyFinding {
  if (finding.verdict !== "cannot be judged") return finding;
  const text = [plan ?? "", name, machine, finding.says, finding.then ?? ""].join(" ");
  const entry = findKnownQuestion({ code: finding.code, text }, known, now);
  return entry === undefined ? finding : { ...finding, accepted: entry.why };
}
