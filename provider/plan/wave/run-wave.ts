import type { Redact } from "../../panel/secrets/redact";
import { isFinished } from "../../restore/terms/record";
import { CheckOutput } from "../checks/output";
import { stampsOf } from "../checks/wall-stamps";
import { firstOf, firstRequestOf } from "../terms/seconds";
import type { StoredStep, StoredWave } from "../terms/stored";
import type { AskedCheck, AskedRestore, AskedWave } from "./asked";
import { LogOutput } from "./log-output";
import { carryOutStep, type FinishedStep, type StepWorld } from "./carry-out-step";
import { waveLine, type StepPhase } from "./wave-line";
import { notStarted } from "./reasons";
import { WaveVoice } from "./wave-voice";
import { keptOf, stepOf } from "./step";
import { earlierTriesOf } from "./tries";

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
export interface Before {
  /** The run that it was stored by. */
  readonly run: string | undefined;
  readonly restores: Readonly<Record<string, StoredStep>>;
  readonly sameProbe: (restore: string, index: number) => boolean;
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
export async function runWave(wave: AskedWave, before: Before, world: WaveWorld): Promise<WaveOutcome> {
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
      const kept = keptOf(asked, before.restores[name], (index) => before.sameProbe(name, index));
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

  const firstRequestedAt = firstOf(
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
          {
            ...stepOf(asked, record, noticed, checks, incidentAt, reason),
            ...(earlierTries.length > 0 && { earlierTries }),
          },
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
  before: Before,
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
