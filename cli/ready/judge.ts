import type { Redact } from "../../provider/panel/secrets";
import type { MachineId } from "../../provider/panel/types";
import { ruleText } from "../../provider/inputs/read-point-rule";
import { forTerminal } from "../../provider/plain/text";
import { namedTransactions } from "../../provider/restore/machine-log";
import { rowOf, type ConfiguredWords } from "../../provider/rows/chains";
import { blockersOf } from "../../provider/rows/match-transactions";
import { definedOnly } from "../../report/state/values";
import { knownAs, type KnownQuestions } from "../parts/known-questions";
import type { MachineRead } from "../parts/read-machine";
import { count, some } from "../parts/words";
import type { Declaration, Declared, LastRun } from "./declared";
import type { Looked } from "./look";
import type { ReadyFinding, FindingVerdict, Readiness, Ready, ReadyRestore } from "./outcome";
import { fromPoints, ofGoal, type PointSource } from "./source";

/** What a judgement goes by beside what was declared and seen. */
export interface Yardstick {
  readonly panel: string;
  readonly words: ConfiguredWords & { readonly pointStates: readonly string[] };
  readonly redact: Redact;
  readonly known: KnownQuestions;
  readonly now: Date;
}

/** The machines to ask about: of restores on the panel that is connected to. */
export function machinesOf({ restores }: Declaration, panel: string): readonly MachineId[] {
  return [
    ...new Set(restores.filter((one) => isOfPanel(one, panel)).flatMap(({ machine }) => machine ?? [])),
  ] as MachineId[];
}

/** One that says nothing of its panel counts: it would be restored on this one. */
function isOfPanel(declared: Declared, panel: string): boolean {
  return declared.panel === undefined || declared.panel === panel;
}

/** Whether what is declared could be restored now. */
export function judge(declaration: Declaration, looked: Looked, by: Yardstick): Ready {
  const restores = declaration.restores
    .map((declared) => judged(declared, looked, by))
    .map((one, index) => ({ one, index }))
    .sort((a, b) => placeOf(a.one) - placeOf(b.one) || a.index - b.index)
    .map(({ one }) => one);
  const of = (readiness: Readiness): number => restores.filter((one) => one.readiness === readiness).length;
  const counts = {
    ready: of("ready"),
    notReady: of("not ready"),
    cannotBeTold: of("cannot be told"),
    otherPanel: of("other panel"),
    known: restores.flatMap(({ findings }) => findings.filter((finding) => finding.known !== undefined)).length,
  };
  const isOpen = restores.some((one) => one.readiness === "cannot be told" && !isAccepted(one));
  const isNothing = counts.ready + counts.notReady + counts.cannotBeTold === 0;
  return definedOnly({
    formatVersion: 1 as const,
    lookedAt: by.now.toISOString(),
    panel: by.panel,
    stack: declaration.stack,
    project: declaration.project,
    verdict:
      counts.notReady > 0
        ? ("not ready" as const)
        : isOpen || isNothing || declaration.unreadable.length > 0
          ? ("cannot be told" as const)
          : ("ready" as const),
    counts,
    requests: looked.requests,
    restores,
    unreadable: declaration.unreadable,
  });
}

const order: readonly Readiness[] = ["not ready", "cannot be told", "ready", "other panel"];

function placeOf(restore: ReadyRestore): number {
  return order.indexOf(restore.readiness) * 2 + (restore.findings.length > 0 ? 0 : 1);
}

/** Whether everything that cannot be told of it is known. */
export function isAccepted({ findings }: Pick<ReadyRestore, "findings">): boolean {
  return findings.every(({ verdict, known: why }) => verdict !== "cannot be told" || why !== undefined);
}

function judged(declared: Declared, looked: Looked, by: Yardstick): ReadyRestore {
  const { outcome, from, machine, goalSeconds, panel, ...about } = declared;
  const common = {
    ...about,
    ...(machine !== undefined && { virtualMachineId: machine }),
    ...(from.kind === "rule" && { rule: ruleText(from.rule) }),
    ...(goalSeconds !== undefined && { goalSeconds }),
    ...(panel !== undefined && { panel }),
  };
  if (!isOfPanel(declared, by.panel)) return { ...common, readiness: "other panel", findings: [] };
  const seen = machine === undefined ? undefined : looked.machines.get(machine as MachineId);
  const source = sourceOf(declared, seen, by);
  const found = [
    ...ofOutcome(outcome),
    ...(machine === undefined ? [unreadMachine] : []),
    ...(seen === undefined ? [] : ofMachine(seen, machine ?? "")),
    ...source.findings,
    ...ofGoal(source, goalSeconds),
    ...ofTransactions(declared, seen, looked, by),
  ];
  const text = (value: string): string => forTerminal(by.redact(value)).replaceAll(/\s+/g, " ");
  const findings = found
    .map((finding) => accepted(printable(finding, text), declared, by))
    .sort((a, b) => verdicts.indexOf(a.verdict) - verdicts.indexOf(b.verdict));
  const worst = findings[0]?.verdict;
  return definedOnly({
    ...common,
    readiness: worst === undefined || worst === "warning" ? ("ready" as const) : worst,
    recoveryPointId: source.pointId === undefined ? undefined : text(source.pointId),
    recoveryPointTakenAt: source.takenAt,
    ageSeconds: source.ageSeconds,
    leftSeconds:
      goalSeconds === undefined || source.ageSeconds === undefined ? undefined : goalSeconds - source.ageSeconds,
    findings,
  });
}

const verdicts: readonly FindingVerdict[] = ["not ready", "cannot be told", "warning"];

function printable({ short, says, then, ...rest }: ReadyFinding, text: (value: string) => string): ReadyFinding {
  return { ...rest, short: text(short), says: text(says), ...(then !== undefined && { then: text(then) }) };
}

/** That something is not ready is no question, and is never accepted. */
function accepted(
  finding: ReadyFinding,
  { name, plan, machine }: Declared,
  { known: all, now }: Yardstick,
): ReadyFinding {
  if (finding.verdict === "not ready") return finding;
  const text = [plan, name, machine, finding.says].filter((part) => part !== undefined).join(" ");
  const entry = knownAs({ code: finding.code, text }, all, now);
  return entry === undefined ? finding : { ...finding, known: entry.why };
}

const unreadMachine: ReadyFinding = {
  code: "state.machine",
  verdict: "cannot be told",
  short: "machine is a secret",
  says: "The state does not show its machine: its id is stored as a secret, or not at all.",
  then: "Give the machine's id in plain: it is no secret to whoever may restore it.",
};

function ofOutcome(outcome: LastRun): readonly ReadyFinding[] {
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
          says: `In the last run it was not carried out. ${outcome.says}`,
        },
      ];
    case "failed":
    case "cancelled":
      return [
        {
          code: outcome.kind === "failed" ? "restore.failed" : "restore.cancelled",
          verdict: "not ready",
          short: `last restore ${outcome.kind}`,
          says: `Its last restore is stored as ${outcome.kind}. ${sentence(outcome.says)}`,
          then: "Carry it out again: `pulumi up`, of a plan `pulumi up --refresh`.",
        },
      ];
    case "unfinished":
      return [
        {
          code: "restore.unfinished",
          verdict: "not ready",
          short: "not seen to end",
          says: `Its restore has not been seen to end. ${sentence(outcome.says)}`,
          then: "`pulumi up` goes on waiting for it; `pulumi refresh` looks how far it is.",
        },
      ];
    case "unaccounted":
      return [
        {
          code: "restore.unaccounted",
          verdict: "not ready",
          short: "unaccounted for",
          says: `Whether its restore was carried out is not known. ${sentence(outcome.says)}`,
          then: "`pulumi up` looks for it once more, and says how to go on.",
        },
      ];
  }
}

/** Reasons that the engine has stored end in many ways. */
function sentence(text: string): string {
  return /[.!?]$/.test(text.trimEnd()) ? text : `${text.trimEnd()}.`;
}

function ofMachine({ log }: MachineRead, machine: string): readonly ReadyFinding[] {
  if ("items" in log) return [];
  if (log.error.kind === "notFound") {
    return [
      {
        code: "machine.unknown",
        verdict: "not ready",
        short: "machine unknown",
        says: `The panel knows no machine ${machine}, or does not show it to this user.`,
        then: "See on the panel what became of it, and give the id that it has there.",
      },
    ];
  }
  const isForbidden = log.error.kind === "forbidden";
  return [
    {
      code: "machine.log",
      verdict: "cannot be told",
      short: isForbidden ? "log forbidden" : "log not read",
      says: `The log of machine ${machine} cannot be read, so whether the panel knows it is not certain. ${log.error.message}`,
      ...(isForbidden && { then: "Have the user's role allow it: a restore may need the log, too." }),
    },
  ];
}

function sourceOf(
  { from, machine }: Declared,
  seen: MachineRead | undefined,
  { words: { pointStates } }: Yardstick,
): PointSource {
  const pointId = from.kind === "point" ? { pointId: from.id } : {};
  if (from.kind === "not known") return { findings: [unreadPoint] };
  if (machine === undefined || seen?.points === undefined) return { ...pointId, findings: [] };
  return fromPoints(from, machine as MachineId, seen.points, pointStates);
}

const unreadPoint: ReadyFinding = {
  code: "state.point",
  verdict: "cannot be told",
  short: "point not in the state",
  says: "The state does not show from which recovery point it is restored: it is stored as a secret, or was that of a transaction that `adopt` has named.",
};

function ofTransactions(
  { machine }: Declared,
  seen: MachineRead | undefined,
  { transactions }: Looked,
  { words }: Yardstick,
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
  const named = "items" in seen.log ? namedTransactions(seen.log.items) : [];
  const { blockers } = blockersOf(transactions.rows.map(rowOf), machine, words, { named, excluded: [] });
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
