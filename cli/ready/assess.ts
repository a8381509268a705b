import { type AllowedMachines, whyNotAllowed } from "../../provider/inputs/allowed-machines";
import type { Redact } from "../../provider/panel/secrets";
import type { MachineId } from "../../provider/panel/types";
import { ruleText } from "../../provider/inputs/read-point-rule";
import { forTerminal } from "../../provider/plain/text";
import { namedTransactions } from "../../provider/restore/machine-log";
import { rowOf } from "../../provider/rows/chains";
import type { ConfiguredWords } from "../../provider/rows/words";
import { blockersOf } from "../../provider/rows/match-transactions";
import { definedOnly } from "../../report/state/values";
import { shellQuoted } from "../parts/command";
import { findKnownQuestion, type KnownQuestions } from "../parts/known-questions";
import { RequestLimitError } from "../parts/guard";
import type { MachineReading } from "../parts/read-machine";
import { count, some } from "../parts/words";
import type { Declaration, DeclaredPlan, DeclaredRestore, LastRun } from "./declared";
import type { PanelReading } from "./read-panel";
import { proofFindings, slowFindings } from "./proof-findings";
import { lastMeasured, newestOfToday, withoutFuture } from "./proofs";
import type { ReadyFinding, FindingVerdict, Readiness, ReadyPlan, ReadyResult, ReadyRestore } from "./result";
import { adviceOnLimit, goalFindings, pointSourceFrom, type PointSource } from "./point-source";

/** Settings and rules of a judgement, besides the declared restores and the panel's answers. */
export interface Criteria {
  readonly panel: string;
  readonly allowedMachines: readonly AllowedMachines[];
  /** The explicit provider that was asked for. */
  readonly provider?: string;
  readonly words: ConfiguredWords & { readonly pointStates: readonly string[] };
  readonly redact: Redact;
  readonly known: KnownQuestions;
  readonly now: Date;
  /** A restore has to be proven within this time. */
  readonly provenWithinSeconds?: number;
  /** Machines that should have a restore, and those that have one. */
  readonly inventory?: { readonly machines: readonly string[]; readonly restored: ReadonlySet<string> };
}

/** The machines of all restores on this panel, but for those that may not be restored: of them nothing is asked. */
export function machinesToRead(
  { restores }: Declaration,
  { panel, allowedMachines }: Pick<Criteria, "panel" | "allowedMachines">,
): readonly MachineId[] {
  const machines = new Set(restores.filter((one) => isOnPanel(one, panel)).flatMap(({ machine }) => machine ?? []));
  return [...machines].filter((machine) => whyNotAllowed(machine, allowedMachines) === undefined) as MachineId[];
}

/** A restore of an unknown panel is on this one: it would be sent here. */
export function isOnPanel(declared: DeclaredRestore, panel: string): boolean {
  return declared.panel === undefined || declared.panel === panel;
}

/** Judges whether each declared restore could run now. */
export function assessReadiness(declaration: Declaration, reading: PanelReading, criteria: Criteria): ReadyResult {
  const restores = declaration.restores.map((declared) => assessRestore(declared, reading, criteria));
  const countOf = (readiness: Readiness): number => restores.filter((one) => one.readiness === readiness).length;
  const counts = {
    ready: countOf("ready"),
    notReady: countOf("not ready"),
    cannotBeTold: countOf("cannot be told"),
    known: restores.flatMap(({ findings }) => findings.filter((finding) => finding.known !== undefined)).length,
  };
  const isOpen = restores.some((one) => one.readiness === "cannot be told" && !isEveryQuestionKnown(one));
  const { inventory } = criteria;
  const withoutRestore = inventory?.machines.filter((machine) => !inventory.restored.has(machine));
  const isNothing = counts.ready + counts.notReady + counts.cannotBeTold === 0;
  return definedOnly({
    formatVersion: 1 as const,
    lookedAt: criteria.now.toISOString(),
    panel: criteria.panel,
    stack: declaration.stack,
    project: declaration.project,
    verdict:
      counts.notReady > 0 || (withoutRestore ?? []).length > 0
        ? ("not ready" as const)
        : isOpen || isNothing || declaration.unreadable.length > 0
          ? ("cannot be told" as const)
          : ("ready" as const),
    counts,
    requests: reading.requests,
    provenWithinSeconds: criteria.provenWithinSeconds,
    restores,
    plans: declaration.plans.map((plan) => expectedTime(plan, declaration.restores, criteria.now)),
    withoutRestore: withoutRestore?.map((machine) => forTerminal(machine)),
    unreadable: declaration.unreadable,
  });
}

/** Restores of one machine run one behind the other, those of a wave side by side, and waves one after the other. */
function expectedTime(
  { plan, run, recoveryGoalSeconds }: DeclaredPlan,
  restores: readonly DeclaredRestore[],
  now: Date,
): ReadyPlan {
  const own = restores.filter(({ stored }) => stored.run === run);
  const times = own.map((one) => ({ ...one, seconds: lastMeasured(withoutFuture(one.proofs, now)) }));
  const notMeasured = times.filter(({ seconds }) => seconds === undefined).length;
  const waves = new Map<string, Map<string, number>>();
  for (const { wave = "", machine = "", seconds = 0 } of times) {
    const machines = waves.get(wave) ?? new Map<string, number>();
    machines.set(machine, (machines.get(machine) ?? 0) + seconds);
    waves.set(wave, machines);
  }
  const expected = [...waves.values()].reduce((sum, machines) => sum + Math.max(...machines.values()), 0);
  return definedOnly({
    plan,
    expectedSeconds: notMeasured > 0 || own.length === 0 ? undefined : expected,
    notMeasured,
    goalSeconds: recoveryGoalSeconds,
  });
}

export function isEveryQuestionKnown({ findings }: Pick<ReadyRestore, "findings">): boolean {
  return findings.every(({ verdict, known: why }) => verdict !== "cannot be told" || why !== undefined);
}

function assessRestore(declared: DeclaredRestore, reading: PanelReading, criteria: Criteria): ReadyRestore {
  const { outcome, from, machine, goalSeconds, recoveryGoalSeconds, panel, plan, wave, name, kind, provider } =
    declared;
  const { provenWithinSeconds, now } = criteria;
  const proofs = withoutFuture(declared.proofs, now);
  const proof = newestOfToday(proofs);
  const lastRecoverySeconds = lastMeasured(proofs);
  const common = {
    ...definedOnly({ plan, wave, name, kind, provider, recoveryGoalSeconds }),
    ...(machine !== undefined && { virtualMachineId: machine }),
    ...(from.kind === "rule" && { rule: ruleText(from.rule) }),
    ...(goalSeconds !== undefined && { goalSeconds }),
    ...(panel !== undefined && { panel }),
  };
  const isHere = isOnPanel(declared, criteria.panel);
  const machineReading = isHere && machine !== undefined ? reading.machines.get(machine as MachineId) : undefined;
  const source = pointSourceOf(declared, machineReading, criteria);
  const allFindings = [
    ...lastRunFindings(outcome),
    ...(isHere ? [] : [otherPanelFinding(declared, criteria)]),
    ...(machine === undefined ? [machineNotReadable] : notAllowedFindings(machine, criteria)),
    ...(machineReading === undefined ? [] : machineLogFindings(machineReading, machine ?? "")),
    ...source.findings,
    ...goalFindings(source, goalSeconds),
    ...(provenWithinSeconds === undefined ? [] : proofFindings(proofs, { withinSeconds: provenWithinSeconds, now })),
    ...slowFindings(lastRecoverySeconds, recoveryGoalSeconds),
    ...(isHere ? busyFindings(declared, machineReading, reading, criteria) : []),
  ];
  const sanitize = (value: string): string => forTerminal(criteria.redact(value)).replaceAll(/\s+/g, " ");
  const findings = allFindings
    .map((finding) => markIfKnown(sanitizeFinding(finding, sanitize), declared, criteria))
    .sort((a, b) => verdictOrder.indexOf(a.verdict) - verdictOrder.indexOf(b.verdict));
  const worst = findings[0]?.verdict;
  return definedOnly({
    ...common,
    readiness: worst === undefined || worst === "warning" ? ("ready" as const) : worst,
    recoveryPointId: source.pointId === undefined ? undefined : sanitize(source.pointId),
    recoveryPointTakenAt: source.takenAt,
    ageSeconds: source.ageSeconds,
    leftSeconds:
      goalSeconds === undefined || source.ageSeconds === undefined ? undefined : goalSeconds - source.ageSeconds,
    provenAt: proof?.at,
    provenIn: proof?.run,
    lastRecoverySeconds,
    lastRun: outcome.kind,
    findings,
  });
}

const verdictOrder: readonly FindingVerdict[] = ["not ready", "cannot be told", "warning"];

function sanitizeFinding(
  { short, says, then, ...rest }: ReadyFinding,
  sanitize: (value: string) => string,
): ReadyFinding {
  return { ...rest, short: sanitize(short), says: sanitize(says), ...(then !== undefined && { then: sanitize(then) }) };
}

/** Only a question or a warning can be known and accepted, never "not ready". */
function markIfKnown(
  finding: ReadyFinding,
  { name, plan, machine }: DeclaredRestore,
  { known: all, now }: Criteria,
): ReadyFinding {
  if (finding.verdict === "not ready") return finding;
  const text = [plan, name, machine, finding.says].filter((part) => part !== undefined).join(" ");
  const entry = findKnownQuestion({ code: finding.code, text }, all, now);
  return entry === undefined ? finding : { ...finding, known: entry.why };
}

function otherPanelFinding({ panel = "", provider }: DeclaredRestore, asked: Criteria): ReadyFinding {
  const isOfOther = provider !== undefined && provider !== asked.provider;
  return {
    code: "restore.other-panel",
    verdict: "cannot be told",
    short: `on ${panel}`,
    says: `Its panel is ${panel}, and ${asked.panel} was asked.`,
    then: isOfOther
      ? `Ask its own panel: \`pulumi-recovery ready --provider ${shellQuoted(provider)}\`.`
      : "Ask that panel: let recovery:endpoint name it. If it is the same panel and has a new address, accept this question in recovery-known.json until the next restore.",
  };
}

const machineNotReadable: ReadyFinding = {
  code: "state.machine",
  verdict: "cannot be told",
  short: "machine is a secret",
  says: "The state does not show its machine: its id is stored as a secret, or not at all.",
  then: "Give the machine's id as plain text: it is no secret to whoever may restore it.",
};

function notAllowedFindings(machine: string, { allowedMachines }: Criteria): readonly ReadyFinding[] {
  const why = whyNotAllowed(machine, allowedMachines);
  if (why === undefined) return [];
  return [
    {
      code: "machine.not-allowed",
      verdict: "not ready",
      short: "machine not allowed",
      says: sentence(why),
      then: "Correct the id; or, if this machine may be overwritten, add it to recovery:allowedMachines wherever that is set.",
    },
  ];
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function lastRunFindings(outcome: LastRun): readonly ReadyFinding[] {
  switch (outcome.kind) {
    case "complete":
      return outcome.failedChecks.map((check) => ({
        code: "restore.check-failed",
        verdict: "warning",
        short: "check failed last time",
        says: `In the last run its check did not pass: ${check}.`,
      }));
    case "not begun":
      return [
        {
          code: "restore.not-begun",
          verdict: "warning",
          short: "not carried out last time",
          says: `The last run did not carry it out. ${outcome.says}`,
        },
      ];
    case "failed":
    case "cancelled":
      return [
        {
          code: outcome.kind === "failed" ? "restore.failed" : "restore.cancelled",
          verdict: "not ready",
          short: `last restore ${outcome.kind}`,
          says: `Its last restore is stored as ${outcome.kind}. ${asSentence(outcome.says)}`,
          then:
            outcome.kind === "failed"
              ? "Restore it again: `pulumi up`, for a plan `pulumi up --refresh`."
              : "Ask who cancelled it. To restore it again, change its `triggers` and run `pulumi up`.",
        },
      ];
    case "unfinished":
      return [
        {
          code: "restore.unfinished",
          verdict: "not ready",
          short: "not ended yet",
          says: `Its restore has not ended as far as the state knows. ${asSentence(outcome.says)}`,
          then: "`pulumi up` goes on waiting for it; `pulumi refresh` shows how far it is.",
        },
      ];
    case "overwritten":
      return [
        {
          code: "restore.overwritten",
          verdict: "not ready",
          short: "overwritten",
          says: asSentence(outcome.says),
          then: "Change its `triggers` to restore it again; `replaceWith` among its options restores it along from then on.",
        },
      ];
    case "unconfirmed":
      return [
        {
          code: "restore.unconfirmed",
          verdict: "not ready",
          short: "unconfirmed",
          says: `It is not known whether its restore was carried out. ${asSentence(outcome.says)}`,
          then: "`pulumi up` looks for it once more, and says how to go on.",
        },
      ];
  }
}

/** Adds a full stop if need be: stored reasons end in many ways. */
function asSentence(text: string): string {
  return /[.!?]$/.test(text.trimEnd()) ? text : `${text.trimEnd()}.`;
}

function machineLogFindings({ log }: MachineReading, machine: string): readonly ReadyFinding[] {
  if ("items" in log) return [];
  if (log.error.kind === "notFound") {
    return [
      {
        code: "machine.unknown",
        verdict: "not ready",
        short: "machine unknown",
        says: `The panel knows no machine ${machine}, or does not show it to this user.`,
        then: "Look on the panel what became of it, and give the id that it has there.",
      },
    ];
  }
  const isForbidden = log.error.kind === "forbidden";
  const isLimit = log.error instanceof RequestLimitError;
  return [
    {
      code: "machine.log",
      verdict: "cannot be told",
      short: isForbidden ? "log forbidden" : isLimit ? "limit of requests" : "log not read",
      says: `The log of machine ${machine} cannot be read, so it is not certain that the panel knows this machine. ${log.error.message}`,
      ...(isForbidden && { then: "Have the user's role allow it: a restore may need the log as well." }),
      ...(isLimit && { then: adviceOnLimit(log.error) }),
    },
  ];
}

function pointSourceOf(
  { from, machine }: DeclaredRestore,
  seen: MachineReading | undefined,
  { words: { pointStates } }: Criteria,
): PointSource {
  const pointId = from.kind === "point" ? { pointId: from.id } : {};
  if (from.kind === "not known") return { findings: [pointNotReadable] };
  if (machine === undefined || seen?.points === undefined) return { ...pointId, findings: [] };
  return pointSourceFrom(from, machine as MachineId, seen.points, pointStates);
}

const pointNotReadable: ReadyFinding = {
  code: "state.point",
  verdict: "cannot be told",
  short: "point not in the state",
  says: "The state does not show its recovery point: the id is stored as a secret, or the restore came from a transaction that `adopt` named.",
};

function busyFindings(
  { machine }: DeclaredRestore,
  seen: MachineReading | undefined,
  { transactions }: PanelReading,
  { words }: Criteria,
): readonly ReadyFinding[] {
  if ("error" in transactions) {
    return [
      {
        code: "list.forbidden",
        verdict: "cannot be told",
        short: "transactions forbidden",
        says: `The list of transactions cannot be read, and without it no restore is sent. ${transactions.error.message}`,
        then: "Have the user's role allow it.",
      },
    ];
  }
  if (machine === undefined || seen === undefined) return [];
  const named = new Set("items" in seen.log ? namedTransactions(seen.log.items) : []);
  const { blockers } = blockersOf(transactions.rows.map(rowOf), machine, words, { named, excluded: new Set<string>() });
  if (blockers.length === 0) return [];
  const jobs = blockers.map(
    ([first]) => `${first.action ?? "a transaction"} (${first.id}, ${first.status ?? "no status"})`,
  );
  return [
    {
      code: "machine.busy",
      verdict: "warning",
      short: `busy: ${blockers[0]?.[0].action ?? "a transaction"}`,
      says: `${count(jobs.length, "job has", "jobs have")} not ended on machine ${machine}: ${some(jobs, 3)}. A restore would wait.`,
    },
  ];
}
