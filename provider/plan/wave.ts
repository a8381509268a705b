import { CheckOutput } from "../checks/output";
import { stampWriter } from "../checks/run-check";
import { isFinished } from "../inputs/record";
import type { Redact } from "../panel/secrets";
import { formatElapsed } from "../plain/clock";
import { omitUndefined } from "../plain/plain";
import type { WaveCheck, WaveRestore, WaveInput } from "./wave-input";
import { waitAndCheck, type StepResult, type StepEffects } from "./wait-and-check";
import { stopsHereText } from "./reasons";
import { lastProofsOf } from "./proofs";
import { reusableFrom, storedStep } from "./step";
import type { StoredProof, StoredStep, StoredTry, StoredTryCheck, StoredWave } from "./stored";
import { WaveReporter } from "./wave-reporter";

/** The effects that a wave needs. */
export interface WaveEffects extends StepEffects {
  /** The step that this process started by itself right after it posted the restore, if any. */
  readonly startedStep: (restore: WaveRestore, onEnded: () => void) => Promise<StepResult> | undefined;
  /** True if this process began the run and made the restore's intent: it has seen all that happened to it in the run. */
  readonly hasSeenAllOf: (restore: WaveRestore) => boolean;
  /** Removes secrets from the output of a check. */
  readonly redactFor: (check: WaveCheck | undefined) => Redact;
  readonly say: (text: string) => void;
  /** Reports a warning that is still visible when everything is over. */
  readonly warn: (text: string) => void;
}

/** The wave's stored record, when the wave runs again. */
export interface PreviousWave {
  /** The run that stored it, and its start: a name may be used again. */
  readonly run: string | undefined;
  readonly runStartedAt: string | undefined;
  readonly restores: Readonly<Record<string, StoredStep>>;
  readonly earlierTries: Readonly<Record<string, readonly StoredTry[]>>;
  readonly lastProofs: Readonly<Record<string, StoredProof>>;
  readonly checkOutput: CheckOutput["all"];
  readonly logOutput: Readonly<Record<string, string>>;
}

export interface WaveOutcome {
  readonly stored: StoredWave;
  readonly checkOutput: CheckOutput["all"];
  readonly logOutput: Readonly<Record<string, string>>;
  /** Errors for the engine; empty when the run goes on. */
  readonly errors: readonly string[];
}

/** Waits for all restores of a wave at once and checks each machine as soon as its restore has ended. A failure stops no other restore. */
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
  // A state of an earlier release has no start.
  const isSameRun = before.run === wave.run && [undefined, wave.runStartedAt].includes(before.runStartedAt);
  const earlierTries = isSameRun ? earlierTriesIn(wave, before) : {};
  const finished = await Promise.all(
    wave.restores.map(async (restore) => {
      const { name } = restore;
      const reusable = reusableFrom(restore, before.restores[name]);
      const onEnded = (): void => {
        if (restore.checks.length > 0) setPhase(name, "checking");
      };
      const step = await (effects.startedStep(restore, onEnded) ?? waitAndCheck(restore, reusable, effects, onEnded));
      longestEndedMs = Math.max(longestEndedMs, (step.record.durationSeconds ?? 0) * 1_000);
      setPhase(name, step.reason === undefined ? "good" : isFinished(step.record.status) ? "bad" : "unseen");
      const sameRestore = before.restores[name];
      const runStartedAt =
        sameRestore !== undefined && isSameTry(restore, sameRestore) ? sameRestore.runStartedAt : wave.runStartedAt;
      const isKnown = isSameRun && (sameRestore !== undefined || earlierTries[name] !== undefined);
      const isRecordedLate = isKnown ? sameRestore?.isRecordedLate === true : !effects.hasSeenAllOf(restore);
      return { restore, earlierTries: earlierTries[name] ?? [], runStartedAt, isRecordedLate, ...step };
    }),
  );
  reporter.end();

  const ownReasons = finished.flatMap(({ reason }) => reason ?? []);
  const reasons = [...wave.earlierReasons, ...ownReasons];
  const failsUp = wave.onFailure === "stop" && wave.isLastBatch && reasons.length > 0;
  if (!failsUp) ownReasons.forEach(effects.warn);
  const reasonsWithLogs = [...wave.earlierReasons, ...finished.flatMap((step) => step.reasonWithLog ?? [])];
  const restores = Object.fromEntries(
    finished.map(({ restore, record, noticedEnd, checks, ...known }) => [
      restore.name,
      storedStep(restore, record, noticedEnd, checks, { reason: undefined, ...known }),
    ]),
  );
  return {
    stored: {
      formatVersion: 1,
      plan: wave.plan,
      run: wave.run,
      ...(wave.runStartedAt !== undefined && { runStartedAt: wave.runStartedAt }),
      index: wave.index,
      name: wave.name,
      round: wave.batch,
      restores,
      // Always stored: an output that the state does not have is unknown in every preview.
      earlierTries,
      lastProofs: lastProofsOf(before, { run: wave.run, restores }),
      startedAt: stamp(beganAt),
      endedAt: stamp(clock.now()),
      reasons,
    },
    ...outputsOf(finished, before, effects),
    errors: failsUp ? [...reasonsWithLogs, ...stopsHereText(wave.laterWaves)] : [],
  };
}

/** The output of checks and the logs of restores: new ones where there are any, else the stored ones. */
function outputsOf(
  finished: readonly (StepResult & { readonly restore: WaveRestore })[],
  before: PreviousWave,
  effects: WaveEffects,
): Pick<WaveOutcome, "checkOutput" | "logOutput"> {
  const outputs = new CheckOutput();
  const logs = new LogOutput();
  for (const { restore, record, checks, printed } of finished) {
    const isKept = before.restores[restore.name]?.posting === restore.posting;
    for (const index of checks.keys()) {
      const text = printed[index] ?? (isKept ? before.checkOutput[restore.name]?.[String(index + 1)] : undefined);
      if (text !== undefined) outputs.add(restore.name, index, text, effects.redactFor(restore.checks[index]));
    }
    const log = record.logOutput ?? (isKept ? before.logOutput[restore.name] : undefined);
    if (log !== undefined) logs.add(restore.name, log);
  }
  return { checkOutput: outputs.all, logOutput: logs.all };
}

/** The phase of one restore of a wave. `unseen`: the wait is over and the end is not known. */
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
    nameList("end not known:", unseen),
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

/** The ends of logs, as far as they fit into one answer to the engine. */
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

/** The tries before those of now: what the record held that this wave waits for no longer, or under another form of the plan. */
function earlierTriesIn({ restores }: WaveInput, before: PreviousWave): PreviousWave["earlierTries"] {
  const planned = new Map(restores.map((restore) => [restore.name, restore]));
  const names = new Set([...Object.keys(before.earlierTries), ...Object.keys(before.restores)]);
  const all = [...names].map((name) => {
    const [tries, stored, restore] = [before.earlierTries[name] ?? [], before.restores[name], planned.get(name)];
    return [
      name,
      stored !== undefined && isOver(stored, restore) ? firstAndLast([...tries, tryOf(stored)]) : tries,
    ] as const;
  });
  return Object.fromEntries(all.filter(([, tries]) => tries.length > 0));
}

function isOver(stored: StoredStep, restore: WaveRestore | undefined): boolean {
  if (stored.status === "not sent") return false;
  if (restore === undefined || !isSameTry(restore, stored)) return true;
  // A state of an earlier release has no revisions.
  return stored.revision !== undefined && stored.revision !== restore.revision;
}

/** The first tries and the last ones that are kept, of each as many. */
const maxTries = 20;

function firstAndLast(tries: readonly StoredTry[]): readonly StoredTry[] {
  return tries.length <= 2 * maxTries ? tries : [...tries.slice(0, maxTries), ...tries.slice(-maxTries)];
}

function tryOf(step: StoredStep): StoredTry {
  const { revision, virtualMachineId, recoveryPointId, status, transactionIds, requestedAt, finishedAt, checks } = step;
  return omitUndefined<StoredTry>({
    revision,
    virtualMachineId,
    recoveryPointId,
    status,
    transactionIds,
    requestedAt,
    finishedAt,
    checks: checks.map(({ kind, name, target, result, reason }) =>
      omitUndefined<StoredTryCheck>({ kind, name, target, result, reason }),
    ),
  });
}

/** The same try may come with another intent, or as the transaction that `adopt` names. With other transactions it is another one. */
function isSameTry({ posting, record }: WaveRestore, stored: StoredStep): boolean {
  const known = [record, stored].every(({ transactionIds }) => transactionIds.length > 0);
  if (known && !record.transactionIds.some((one) => stored.transactionIds.includes(one))) return false;
  const [id = "", adopted = ""] = posting.split("/").slice(1);
  const [storedId] = stored.posting.split("/").slice(1);
  return id === storedId || [id, adopted].some((one) => stored.transactionIds.includes(one));
}
