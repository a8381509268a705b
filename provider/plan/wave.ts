import { CheckOutput } from "../checks/output";
import { stampWriter } from "../checks/run-check";
import { isFinished } from "../inputs/record";
import type { Redact } from "../panel/secrets";
import { formatElapsed, earliestStamp } from "../plain/clock";
import type { WaveCheck, WaveRestore, WaveInput } from "./wave-input";
import { waitAndCheck, type StepResult, type StepEffects } from "./wait-and-check";
import { firstRequestOf } from "./verdict";
import { notStartedText } from "./reasons";
import { reusableFrom, storedStep } from "./step";
import type { StoredStep, StoredTry, StoredWave } from "./stored";
import { WaveReporter } from "./wave-reporter";

/** Everything a wave does to the world outside. */
export interface WaveEffects extends StepEffects {
  /** A step that this process has begun by itself, right after it had posted the restore. */
  readonly startedStep: (asked: WaveRestore, onEnded: () => void) => Promise<StepResult> | undefined;
  /** Texts that are not to be kept of what a check prints. */
  readonly redactFor: (check: WaveCheck | undefined) => Redact;
  readonly say: (text: string) => void;
  /** What is to be read when everything is over. */
  readonly warn: (text: string) => void;
}

/** What was stored of the wave before, when it is looked at again. */
export interface PreviousWave {
  /** The run that it was stored by. */
  readonly run: string | undefined;
  readonly restores: Readonly<Record<string, StoredStep>>;
  /** Whether the check at a place of a restore asks the same as the one that was stored at another place. */
  readonly isSameProbe: (restore: string, index: number, before: number) => boolean;
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
export async function runWave(wave: WaveInput, before: PreviousWave, effects: WaveEffects): Promise<WaveOutcome> {
  const { clock } = effects;
  const beganAt = clock.now();
  const stamp = stampWriter(clock);
  const phases = new Map<string, StepPhase>(wave.restores.map(({ name }) => [name, "waiting"]));
  let longestEndedMs = 0;
  const longestMs = (): number => {
    const isOpen = [...phases.values()].some((phase) => phase === "waiting" || phase === "checking");
    return isOpen ? Math.max(longestEndedMs, clock.now() - beganAt) : longestEndedMs;
  };
  const reporter = new WaveReporter(clock, () => waveProgressText(phases, longestMs()), effects.say);
  const setPhase = (name: string, phase: StepPhase): void => {
    phases.set(name, phase);
    reporter.changed();
  };

  reporter.changed();
  const finished = await Promise.all(
    wave.restores.map(async (asked) => {
      const { name } = asked;
      const reusable = reusableFrom(asked, before.restores[name], (index, place) =>
        before.isSameProbe(name, index, place),
      );
      const onEnded = (): void => {
        if (asked.checks.length > 0) setPhase(name, "checking");
      };
      const step = await (effects.startedStep(asked, onEnded) ?? waitAndCheck(asked, reusable, effects, onEnded));
      longestEndedMs = Math.max(longestEndedMs, (step.record.durationSeconds ?? 0) * 1_000);
      setPhase(name, step.reason === undefined ? "good" : isFinished(step.record.status) ? "bad" : "unseen");
      const earlierTries = before.run === wave.run ? earlierTriesOf(asked, before.restores[name]) : [];
      return { asked, earlierTries, ...step };
    }),
  );
  reporter.end();

  const firstRequestedAt = earliestStamp(
    finished.map(({ earlierTries, record }) => firstRequestOf({ ...record, earlierTries })),
  );
  const incidentAt = wave.incidentAt ?? wave.firstRequestedAt ?? firstRequestedAt;
  const ownReasons = finished.flatMap(({ reason }) => reason ?? []);
  const reasons = [...wave.earlierReasons, ...ownReasons];
  const failsUp = wave.onFailure === "stop" && wave.isLastBatch && reasons.length > 0;
  if (!failsUp) ownReasons.forEach(effects.warn);
  const reasonsWithLogs = [...wave.earlierReasons, ...finished.flatMap((step) => step.reasonWithLog ?? [])];
  return {
    stored: {
      formatVersion: 1,
      plan: wave.plan,
      run: wave.run,
      index: wave.index,
      name: wave.name,
      round: wave.batch,
      restores: Object.fromEntries(
        finished.map(({ asked, record, noticedEnd, checks, earlierTries, reason }) => [
          asked.name,
          storedStep(asked, record, noticedEnd, checks, { incidentAt, reason, earlierTries }),
        ]),
      ),
      startedAt: stamp(beganAt),
      endedAt: stamp(clock.now()),
      ...(firstRequestedAt !== undefined && { firstRequestedAt }),
      reasons,
    },
    ...outputsOf(finished, before, effects),
    errors: failsUp ? [...reasonsWithLogs, ...notStartedText(wave.laterWaves)] : [],
  };
}

/** What checks have printed and the logs of restores: new where there is something new, else as they were stored. */
function outputsOf(
  finished: readonly (StepResult & { readonly asked: WaveRestore })[],
  before: PreviousWave,
  effects: WaveEffects,
): Pick<WaveOutcome, "checkOutput" | "logOutput"> {
  const outputs = new CheckOutput();
  const logs = new LogOutput();
  for (const { asked, record, checks, printed } of finished) {
    const isKept = before.restores[asked.name]?.posting === asked.posting;
    for (const index of checks.keys()) {
      const text = printed[index] ?? (isKept ? before.checkOutput[asked.name]?.[String(index + 1)] : undefined);
      if (text !== undefined) outputs.add(asked.name, index, text, effects.redactFor(asked.checks[index]));
    }
    const log = record.logOutput ?? (isKept ? before.logOutput[asked.name] : undefined);
    if (log !== undefined) logs.add(asked.name, log);
  }
  return { checkOutput: outputs.all, logOutput: logs.all };
}

/** Where one restore of a wave is. `unseen`: nobody waits any more, and whether it has ended is not known. */
type StepPhase = "waiting" | "checking" | "good" | "bad" | "unseen";

const maxNamesShown = 3;

/** The one line of a wave: `38 of 40 ended, 1 failed, longest 14m; waiting for db and web`. */
function waveProgressText(phases: ReadonlyMap<string, StepPhase>, longestMs: number): string {
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
    nameList("waiting for", waiting),
    nameList("checking", checking),
    nameList("not seen to end:", unseen),
  ].filter((text) => text !== "");
  return `${ended}${failed}, longest ${formatElapsed(longestMs)}${open.length === 0 ? "" : `; ${open.join(", ")}`}`;
}

function nameList(what: string, names: readonly string[]): string {
  if (names.length === 0) return "";
  if (names.length <= maxNamesShown) return `${what} ${names.join(", ").replace(/, (?=[^,]*$)/, " and ")}`;
  return `${what} ${String(names.length)}`;
}

const maxLogLength = 64 * 1024;
const maxTotalLength = 2 * 1024 * 1024;

/** The ends of logs, and no more of them than the engine can be told of in one answer. */
class LogOutput {
  readonly all: Record<string, string> = {};
  #size = 0;

  add(name: string, log: string): void {
    const end = log.slice(-maxLogLength);
    if (this.#size + end.length > maxTotalLength) return;
    this.#size += end.length;
    this.all[name] = end;
  }
}

const maxTries = 20;

/**
 * The tries of a restore before the one that is waited for now, by what the wave has stored of it in the same run. A machine that was
 * restored at the second try was down during the first one, too.
 */
function earlierTriesOf({ posting }: WaveRestore, stored: StoredStep | undefined): readonly StoredTry[] {
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
  return all.length <= maxTries ? all : [...all.slice(0, 1), ...all.slice(1 - maxTries)];
}

/** Another intent, or a transaction that `adopt` names, may stand for the same try. */
function isSameTry(posting: string, stored: StoredStep): boolean {
  const [id = "", adopted = ""] = posting.split("/").slice(1);
  const [storedId] = stored.posting.split("/").slice(1);
  return id === storedId || [id, adopted].some((one) => stored.transactionIds.includes(one));
}
