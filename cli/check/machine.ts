import { howToAllow } from "../../provider/inputs/allowed-machines";
import { parseRestoreInputs } from "../../provider/inputs/restore-inputs";
import type { PanelError } from "../../provider/panel/errors";
import type { Redact } from "../../provider/panel/secrets";
import { blockersOf, matchTransactions } from "../../provider/rows/match-transactions";
import { type Chain, chainStatus, type Row, rowOf } from "../../provider/rows/chains";
import { hasEnded, mayBeRestore } from "../../provider/rows/words";
import { isDecimalId } from "../../provider/panel/types";
import { parseStamp } from "../../provider/plain/clock";
import { firstFew } from "../../provider/plain/text";
import { restoreTimes } from "../../provider/restore/build-record";
import type { RestoreTarget, Timeouts } from "../../provider/inputs/intent";
import { namedTransactions } from "../../provider/restore/machine-log";
import { RequestLimitError } from "../parts/guard";
import { count, some } from "../parts/words";
import { type CheckFinding, shortened, formatSpan } from "./result";
import type { ReadMachine, Survey, SurveyedMachine } from "./survey";

export function machineFindings(survey: Survey): readonly CheckFinding[] {
  const { machine, list, settings, redact } = survey;
  if (machine === undefined) return [];
  if ("whyNotAllowed" in machine) return [notAllowedFinding(machine)];
  if ("error" in machine.log) return [unreadableFinding(machine, machine.log.error)];
  const rows = list.rows.map(rowOf);
  const inMachineLog = new Set(namedTransactions(machine.log.items));
  // No point has this id, so the machine's rows come back as candidates or as others.
  const target: RestoreTarget = { kind: "VmRestore", virtualMachineId: machine.id, recoveryPointId: "0" };
  const log = { named: inMachineLog, excluded: new Set<string>() };
  const seen = matchTransactions(rows, { target, words: settings, log, isKnown: () => false });
  const jobsOfMachine = [...seen.fits, ...seen.suspect.map(({ chain }) => chain), ...seen.others];
  const limits = parseRestoreInputs("VmRestore", { ...target }, "create").timeouts;
  const restores = jobsOfMachine.filter((chain) =>
    chain.some((row) => row.action !== undefined && mayBeRestore(row, settings)),
  );
  return [
    machineLogFinding(machine, machine.log.items.length, inMachineLog.size, jobsOfMachine.length),
    ...otherNameFindings(machine.id, machinesByIdentifier(rows), redact),
    busyFinding(machine.id, blockersOf(rows, machine.id, settings, log).blockers, limits, redact),
    lastRestoresFinding(restores, survey),
    ...limitFindings(restores, survey, limits),
  ];
}

function notAllowedFinding({
  id,
  whyNotAllowed: why,
}: Extract<SurveyedMachine, { whyNotAllowed: string }>): CheckFinding {
  const says = `Machine ${id} may not be restored with these settings, so nothing was asked about it.`;
  return { code: "machine.not-allowed", verdict: "fault", says, why: `M${why.slice(1)}`, then: howToAllow };
}

function unreadableFinding({ id }: ReadMachine, error: PanelError): CheckFinding {
  const { message, kind } = error;
  if (error instanceof RequestLimitError) {
    const says = `The log of machine ${id} was not read.`;
    return { code: "machine.log", verdict: "question", says, why: message.replace(/\s+/g, " ") };
  }
  return {
    code: kind === "notFound" ? "machine.unknown" : "machine.log",
    verdict: "fault",
    says:
      kind === "notFound"
        ? `The panel knows no machine ${id}, or does not show it to this user.`
        : `The log of machine ${id} cannot be read.`,
    why: message.replace(/\s+/g, " "),
    ...(kind === "notFound" && {
      then: "Take the id from the machine's address on the panel: restores are posted to it.",
    }),
  };
}

function machineLogFinding({ id }: ReadMachine, items: number, naming: number, jobs: number): CheckFinding {
  const says = `Machine ${id} is known; its log has ${items === 0 ? "no items" : `${count(items, "item")}, which name ${count(naming, "transaction")}`}.`;
  if (naming > 0) return { code: "machine.log", verdict: "fine", says };
  const why =
    jobs > 0
      ? "The log names no transaction. That does not matter: the list's rows name the machine."
      : "Neither the list nor the log names a transaction of this machine, so it is not known whether a restore of it would be found.";
  return {
    code: "machine.log",
    verdict: jobs > 0 ? "fine" : "question",
    says,
    why,
    ...(jobs === 0 && { then: "Do something harmless to it (restart it), then check again." }),
  };
}

function otherNameFindings(
  id: string,
  identifiers: ReadonlyMap<string, string | null>,
  redact: Redact,
): readonly CheckFinding[] {
  const others = [...identifiers].flatMap(([identifier, machine]) =>
    machine === id ? [identifier] : identifier === id && machine !== null ? [machine] : [],
  );
  if (others.length === 0) return [];
  return [
    {
      code: "machine.other-name",
      verdict: "fine",
      says: `The panel also calls it ${some(others.map((other) => shortened(other, redact)))}. Use one name in all programs: restores queue by it.`,
    },
  ];
}

/** Machine ids by identifier, from rows that carry both; null when one identifier belongs to several machines. */
function machinesByIdentifier(rows: readonly Row[]): ReadonlyMap<string, string | null> {
  const names = new Map<string, string | null>();
  for (const { identifier, associatedObjectType = "", associatedObjectId, parentId, parentType = "" } of rows) {
    const isOfMachine = parentId === undefined || machineType.test(parentType);
    if (identifier === undefined || identifier === "" || isDecimalId(identifier) || !isOfMachine) continue;
    const id = machineType.test(associatedObjectType) ? associatedObjectId : parentId;
    if (id === undefined || !isDecimalId(id)) continue;
    const known = names.get(identifier);
    names.set(identifier, known === undefined || known === id ? id : null);
  }
  return names;
}

const machineType = /^virtual[-_ ]?(machine|server)$/i;

function busyFinding(id: string, jobs: readonly Chain[], { busyMs }: Timeouts, redact: Redact): CheckFinding {
  const code = "machine.busy";
  if (jobs.length === 0) return { code, verdict: "fine", says: "Nothing runs on it or is queued for it now." };
  const named = firstFew(
    jobs.map(
      (chain) =>
        `${shortened(chain[0].action ?? "?", redact)} (transaction ${shortened(chain[0].id, redact)}, ${shortened(chain[0].status ?? "?", redact)})`,
    ),
  );
  return {
    code,
    verdict: "question",
    says: `Unfinished on machine ${id}: ${named}.`,
    why: `A restore waits for it, up to timeouts.busy (${formatSpan(busyMs / 1_000)} unless a program says otherwise).`,
    then: "If it is stuck, end it on the panel before you restore.",
  };
}

const restoresShown = 3;

function lastRestoresFinding(restores: readonly Chain[], { settings, redact }: Survey): CheckFinding {
  const code = "machine.restores";
  if (restores.length === 0) return { code, verdict: "fine", says: "The rows read show no restore of it." };
  const descriptions = newestFirst(restores)
    .slice(0, restoresShown)
    .map((chain) => {
      const status = chainStatus(chain, settings);
      const times = restoreTimes(chain, hasEnded(status) ? "ended" : "unfinished");
      const queued = times.queuedSeconds === undefined ? "" : `, queued ${formatSpan(times.queuedSeconds)}`;
      const ran = runSecondsOf(chain, status);
      return `${shortened(chain[chain.length - 1]?.id ?? "", redact)} ${status}${queued}${ran === undefined ? "" : `, ran ${formatSpan(ran)}`}`;
    });
  return { code, verdict: "fine", says: `Its last restores: ${descriptions.join("; ")}.` };
}

function limitFindings(
  restores: readonly Chain[],
  { settings }: Survey,
  { queueMs, runMs }: Timeouts,
): readonly CheckFinding[] {
  if (restores.length === 0) return [];
  const longest = (of: (chain: Chain) => number | undefined): number =>
    Math.max(0, ...restores.map((chain) => of(chain) ?? 0));
  const ran = longest((chain) => runSecondsOf(chain, chainStatus(chain, settings)));
  const queued = longest((chain) => restoreTimes(chain, "unfinished").queuedSeconds);
  const short = [
    ...(queued * 1_000 > limitShare * queueMs ? [`queue: "${generousLimit(queued)}"`] : []),
    ...(ran * 1_000 > limitShare * runMs ? [`run: "${generousLimit(ran)}"`] : []),
  ];
  const says = `The longest was queued ${formatSpan(queued)} and ran ${formatSpan(ran)}; the limits are ${formatSpan(queueMs / 1_000)} and ${formatSpan(runMs / 1_000)} unless a program says otherwise.`;
  if (short.length === 0) return [{ code: "machine.limits", verdict: "fine", says }];
  return [
    {
      code: "machine.limits",
      verdict: "question",
      says,
      why: "A restore that passes a limit has not failed, but `pulumi up` ends with an error, and the next `pulumi up` goes on waiting.",
      then: "Give the restore more time, in the program:",
      set: [`timeouts: { ${short.join(", ")} },`],
    },
  ];
}

/** A restore that took more than this share of a limit may well pass it next time. */
const limitShare = 0.8;

function generousLimit(seconds: number): string {
  return formatSpan(Math.ceil((seconds * 2) / 3_600) * 3_600);
}

function runSecondsOf(chain: Chain, status: ReturnType<typeof chainStatus>): number | undefined {
  const { durationSeconds, queuedSeconds } = restoreTimes(chain, hasEnded(status) ? "ended" : "unfinished");
  return durationSeconds === undefined ? undefined : Math.max(0, durationSeconds - (queuedSeconds ?? 0));
}

function newestFirst(chains: readonly Chain[]): readonly Chain[] {
  const at = (chain: Chain): number => parseStamp(chain[0].createdAt)?.at ?? 0;
  return [...chains].sort((a, b) => at(b) - at(a));
}
