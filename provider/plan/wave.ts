import { CheckOutput } from "../checks/output";
import { stampsOf } from "../checks/run-check";
import { isFinished } from "../inputs/record";
import type { Redact } from "../panel/secrets";
import { formatElapsed, earliestStamp } from "../plain/clock";
import type { AskedCheck, AskedRestore, AskedWave } from "./asked";
import { carryOutStep, type FinishedStep, type StepWorld } from "./carry-out-step";
import { firstRequestOf } from "./judge";
import { notStarted } from "./reasons";
import { keptOf, stepOf } from "./step";
import type { StoredStep, StoredTry, StoredWave } from "./stored";
import { WaveVoice } from "./wave-voice";

/** Everything a wave does to the world outside. */
export interface WaveWorld extends StepWorld {
  /** A step that this process has begun by itself, right after it had posted the restore. */
  readonly begun: (asked: AskedRestore, onEnded: () => void) => Promise<FinishedStep> | undefined;
  /** Texts that are not to be kept of what a check prints. */
  readonly redactFor: (check: AskedCheck | undefined) => Redact;
  readonly say: (text: string) => void;
  /** What is to be read when everything is over. */
  readonly warn: (text: string) => void;
}

/** What was stored of the wave before, when it is looked at again. */
export interface WaveBefore {
  /** The run that it was stored by. */
  readonly run: string | undefined;
  readonly restores: Readonly<Record<string, StoredStep>>;
  /** Whether the check at a place of a restore asks the same as the one that was stored at another place. */
  readonly sameProbe: (restore: string, index: number, before: number) => boolean;
  readonly checkOutput: CheckOutput["all"];
  readonly logOutput: Readonly<Record<string, string>>;
}

export interface WaveOutcome {
  readonly stored: StoredWave;
  readonly checkOutput: CheckOutput["all"];
  readonly logOutput: Readonly<Record<string, string>>;
  /** What the engine is to be told; empty when the run goes on. */
  readonly errors: readonly string[];
}

/** Waits for all restores of a wave at once, and checks each machine as soon as its restore has ended. One that fails ends no other. */
export async function runWave(wave: AskedWave, before: WaveBefore, world: WaveWorld): Promise<WaveOutcome> {
  const { clock } = world;
  const began = clock.now();
  const stamp = stampsOf(clock);
  const phases = new Map<string, StepPhase>(wave.restores.map(({ name }) => [name, "waiting"]));
  let longestEndedMs = 0;
  const longestMs = (): number => {
    const isOpen = [...phases.values()].some((phase) => phase === "waiting" || phase === "checking");
    return isOpen ? Math.max(longestEndedMs, clock.now() - began) : longestEndedMs;
  };
  const voice = new WaveVoice(clock, () => waveLine(phases, longestMs()), world.say);
  const enter = (name: string, phase: StepPhase): void => {
    phases.set(name, phase);
    voice.changed();
  };

  voice.changed();
  const finished = await Promise.all(
    wave.restores.map(async (asked) => {
      const { name } = asked;
      const kept = keptOf(asked, before.restores[name], (index, place) => before.sameProbe(name, index, place));
      const onEnded = (): void => {
        if (asked.checks.length > 0) enter(name, "checking");
      };
      const step = await (world.begun(asked, onEnded) ?? carryOutStep(asked, kept, world, onEnded));
      longestEndedMs = Math.max(longestEndedMs, (step.record.durationSeconds ?? 0) * 1_000);
      enter(name, step.reason === undefined ? "good" : isFinished(step.record.status) ? "bad" : "unseen");
      const earlierTries = before.run === wave.run ? earlierTriesOf(asked, before.restores[name]) : [];
      return { asked, earlierTries, ...step };
    }),
  );
  voice.end();

  const firstRequestedAt = earliestStamp(
    finished.map(({ earlierTries, record }) => firstRequestOf({ ...record, earlierTries })),
  );
  const incidentAt = wave.incidentAt ?? wave.firstRequestedAt ?? firstRequestedAt;
  const own = finished.flatMap(({ reason }) => reason ?? []);
  const reasons = [...wave.earlierReasons, ...own];
  const isTold = wave.onFailure === "stop" && wave.isLastRound && reasons.length > 0;
  if (!isTold) own.forEach(world.warn);
  const told = [...wave.earlierReasons, ...finished.flatMap((step) => step.told ?? [])];
  return {
    stored: {
      formatVersion: 1,
      plan: wave.plan,
      run: wave.run,
      index: wave.index,
      name: wave.name,
      round: wave.round,
      restores: Object.fromEntries(
        finished.map(({ asked, record, noticed, checks, earlierTries, reason }) => [
          asked.name,
          stepOf(asked, record, noticed, checks, { incidentAt, reason, earlierTries }),
        ]),
      ),
      startedAt: stamp(began),
      endedAt: stamp(clock.now()),
      ...(firstRequestedAt !== undefined && { firstRequestedAt }),
      reasons,
    },
    ...printedBy(finished, before, world),
    errors: isTold ? [...told, ...notStarted(wave.later)] : [],
  };
}

/** What checks have printed and the logs of restores: new where there is something new, else as they were stored. */
function printedBy(
  finished: readonly (FinishedStep & { readonly asked: AskedRestore })[],
  before: WaveBefore,
  world: WaveWorld,
): Pick<WaveOutcome, "checkOutput" | "logOutput"> {
  const outputs = new CheckOutput();
  const logs = new LogOutput();
  for (const { asked, record, checks, printed } of finished) {
    const isKept = before.restores[asked.name]?.posting === asked.posting;
    for (const index of checks.keys()) {
      const text = printed[index] ?? (isKept ? before.checkOutput[asked.name]?.[String(index + 1)] : undefined);
      if (text !== undefined) outputs.keep(asked.name, index, text, world.redactFor(asked.checks[index]));
    }
    const log = record.logOutput ?? (isKept ? before.logOutput[asked.name] : undefined);
    if (log !== undefined) logs.keep(asked.name, log);
  }
  return { checkOutput: outputs.all, logOutput: logs.all };
}

/** Where one restore of a wave is. `unseen`: nobody waits any more, and whether it has ended is not known. */
type StepPhase = "waiting" | "checking" | "good" | "bad" | "unseen";

const namesShown = 3;

/** The one line of a wave: `38 of 40 ended, 1 failed, longest 14m; waiting for db and web`. */
function waveLine(phases: ReadonlyMap<string, StepPhase>, longestMs: number): string {
  const named = (phase: StepPhase): readonly string[] =>
    [...phases].flatMap(([name, current]) => (current === phase ? [name] : []));
  const phasesInOrder = ["waiting", "checking", "good", "bad", "unseen"] as const;
  const [waiting, checking, good, bad, unseen] = phasesInOrder.map(named) as [
    readonly string[],
    readonly string[],
    readonly string[],
    readonly string[],
    readonly string[],
  ];
  const ended = `${String(good.length + bad.length)} of ${String(phases.size)} ended`;
  const failed = bad.length === 0 ? "" : `, ${String(bad.length)} failed`;
  const open = [
    listed("waiting for", waiting),
    listed("checking", checking),
    listed("not seen to end:", unseen),
  ].filter((text) => text !== "");
  return `${ended}${failed}, longest ${formatElapsed(longestMs)}${open.length === 0 ? "" : `; ${open.join(", ")}`}`;
}

function listed(what: string, names: readonly string[]): string {
  if (names.length === 0) return "";
  if (names.length <= namesShown) return `${what} ${names.join(", ").replace(/, (?=[^,]*$)/, " and ")}`;
  return `${what} ${String(names.length)}`;
}

const longestLog = 64 * 1024;
const longestLogs = 2 * 1024 * 1024;

/** The ends of logs, and no more of them than the engine can be told of in one answer. */
class LogOutput {
  readonly all: Record<string, string> = {};
  #size = 0;

  keep(name: string, log: string): void {
    const end = log.slice(-longestLog);
    if (this.#size + end.length > longestLogs) return;
    this.#size += end.length;
    this.all[name] = end;
  }
}

const mostTries = 20;

/**
 * The tries of a restore before the one that is waited for now, by what the wave has stored of it in the same run. A machine that was
 * restored at the second try was down during the first one, too.
 */
function earlierTriesOf({ posting }: AskedRestore, stored: StoredStep | undefined): readonly StoredTry[] {
  if (stored === undefined) return [];
  const { earlierTries = [] } = stored;
  if (isSameTry(posting, stored)) return earlierTries;
  // It was back: what is asked for now is another restore of the machine.
  if (stored.status === "complete" && stored.checks.every(({ result }) => result === "passed")) return [];
  const { status, transactionIds, requestedAt, finishedAt } = stored;
  const last: StoredTry = {
    status,
    transactionIds,
    ...(requestedAt !== undefined && { requestedAt }),
    ...(finishedAt !== undefined && { finishedAt }),
  };
  const all = [...earlierTries, last];
  return all.length <= mostTries ? all : [...all.slice(0, 1), ...all.slice(1 - mostTries)];
}

/** Another intent, or a transaction that `adopt` names, may stand for the same try. */
function isSameTry(posting: string, stored: StoredStep): boolean {
  const [id = "", adopted = ""] = posting.split("/").slice(1);
  const [storedId] = stored.posting.split("/").slice(1);
  return id === storedId || [id, adopted].some((one) => stored.transactionIds.includes(one));
}
