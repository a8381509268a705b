import type { RestoreRecord } from "../../restore/record";
import { isFinished } from "../../restore/record";
import { messageOf } from "../../text/message-of";
import type { Clock } from "../../time/clock";
import { CheckOutput } from "../checks/output";
import { runCheck } from "../checks/run-check";
import type { Try } from "../checks/try";
import type { CheckTimes } from "../read/check";
import { firstOf, secondsFrom } from "../seconds";
import type { StoredCheck, StoredStep, StoredWave } from "../stored";
import type { AskedCheck, AskedRestore, AskedWave } from "./asked";
import { waveLine, type StepPhase } from "./progress";
import { checksFailed, endedBadlyInWave, notStarted, withTail } from "./reasons";
import { Said } from "./said";
import { keptOf, stepOf, type Kept, type Noticed } from "./step";

/** How waiting for one restore came out. */
export interface Followed {
  readonly record: RestoreRecord;
  /** Why it has not ended, where it has not. */
  readonly reasons: readonly string[];
  /** The last lines of its log, masked, for the terminal. */
  readonly tail: readonly string[];
}

/** Everything a wave does to the world outside. */
export interface WaveWorld {
  readonly clock: Clock;
  /** Waits until a restore has ended, or one of its limits passes. Posts nothing. */
  readonly follow: (restore: AskedRestore, record: RestoreRecord) => Promise<Followed>;
  /** How far the panel's clock is ahead of the runner's; undefined where it does not tell. */
  readonly panelAheadMs: () => Promise<number | undefined>;
  readonly tryOf: (check: AskedCheck) => Try;
  /** Texts that are not to be kept of what a check prints. */
  readonly secretsOf: (check: AskedCheck) => readonly string[];
  readonly say: (text: string) => void;
  /** What is to be read when everything is over. */
  readonly warn: (text: string) => void;
}

/** What was stored of the wave before, when it is looked at again. */
export interface Before {
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
  const phases = new Map<string, StepPhase>(wave.restores.map(({ name }) => [name, "waiting"]));
  let longestEndedMs = 0;
  const longestMs = (): number => {
    const isOpen = [...phases.values()].some((phase) => phase === "waiting" || phase === "checking");
    return isOpen ? Math.max(longestEndedMs, clock.now() - began) : longestEndedMs;
  };
  const said = new Said(clock, () => waveLine(phases, longestMs()), world.say);
  const enter = (name: string, phase: StepPhase): void => {
    phases.set(name, phase);
    said.changed();
  };
  const panelAhead = world.panelAheadMs();
  const output = new CheckOutput();
  const logs = new LogOutput();

  const oneStep = async (asked: AskedRestore): Promise<Omit<Finished, "asked">> => {
    const { name } = asked;
    const kept = keptOf(asked, before.restores[name], (index) => before.sameProbe(name, index));
    const { record, noticed, reasons, tail } = await ending(asked, kept, world, panelAhead);
    const log = record.logOutput ?? (kept.how === "ended" ? before.logOutput[name] : undefined);
    if (log !== undefined) logs.keep(name, log);
    longestEndedMs = Math.max(longestEndedMs, (record.durationSeconds ?? 0) * 1_000);
    if (record.status !== "complete") {
      enter(name, "bad");
      const reason = isFinished(record.status) ? endedBadlyInWave(asked, record) : reasons.join(" ");
      return { record, noticed, reason, told: withTail(reason, tail), checks: asked.checks.map(notRun) };
    }
    if (asked.checks.length > 0) enter(name, "checking");
    const checks = await Promise.all(
      asked.checks.map(async (check, index) => {
        const passed = kept.how === "ended" ? kept.checks[index] : undefined;
        if (passed !== undefined) {
          const printed = before.checkOutput[name]?.[String(index + 1)];
          if (printed !== undefined) output.keep(name, index, printed, []);
          // How often and how long is as it is asked for now; that it has passed is as it was.
          return { ...passed, ...timesOf(check) };
        }
        const { output: printed, ...outcome } = await runCheck(clock, check, world.tryOf(check));
        if (printed !== undefined) output.keep(name, index, printed, world.secretsOf(check));
        return { ...notRun(check), ...outcome };
      }),
    );
    const isGood = checks.every(({ result }) => result === "passed");
    enter(name, isGood ? "good" : "bad");
    const reason = isGood ? undefined : checksFailed(asked, record, checks);
    return { record, noticed, checks, ...(reason !== undefined && { reason, told: reason }) };
  };

  said.changed();
  const finished = await Promise.all(
    wave.restores.map(async (asked): Promise<Finished> => ({ asked, ...(await oneStep(asked)) })),
  );
  said.end();

  const firstRequestedAt = firstOf(finished.map(({ record }) => record.requestedAt));
  const incidentAt = wave.incidentAt ?? wave.firstRequestedAt ?? firstRequestedAt;
  const restores = Object.fromEntries(
    finished.map(({ asked, record, noticed, checks, reason }) => [
      asked.name,
      stepOf(asked, record, noticed, checks, incidentAt, reason),
    ]),
  );
  const own = finished.flatMap(({ reason }) => (reason === undefined ? [] : [reason]));
  const reasons = [...wave.earlierReasons, ...own];
  const told = [...wave.earlierReasons, ...finished.flatMap((one) => one.told ?? [])];
  const isTold = wave.onFailure === "stop" && wave.isLastRound && reasons.length > 0;
  if (!isTold) for (const reason of own) world.warn(reason);
  return {
    stored: {
      formatVersion: 1,
      plan: wave.plan,
      run: wave.run,
      index: wave.index,
      name: wave.name,
      round: wave.round,
      restores,
      startedAt: new Date(began).toISOString(),
      endedAt: new Date(clock.now()).toISOString(),
      ...(firstRequestedAt !== undefined && { firstRequestedAt }),
      reasons,
    },
    checkOutput: output.all,
    logOutput: logs.all,
    errors: isTold ? [...told, ...[notStarted(wave.later) ?? []].flat()] : [],
  };
}

interface Finished {
  readonly asked: AskedRestore;
  readonly record: RestoreRecord;
  readonly noticed: Noticed | undefined;
  readonly checks: readonly StoredCheck[];
  readonly reason?: string;
  /** The same for the terminal, with the end of its log. */
  readonly told?: string;
}

/** Until the restore has ended, or a limit of it has passed. */
async function ending(
  asked: AskedRestore,
  kept: Kept,
  world: WaveWorld,
  panelAhead: Promise<number | undefined>,
): Promise<Followed & { readonly noticed: Noticed | undefined }> {
  if (kept.how === "ended") return { record: kept.record, noticed: kept.noticed, reasons: [], tail: [] };
  const followed = await world.follow(asked, kept.record).catch(
    (error: unknown): Followed => ({
      record: kept.record,
      reasons: [`${asked.name}: it could not be waited for: ${messageOf(error)}. The next \`pulumi up\` goes on and posts nothing.`],
      tail: [],
    }),
  );
  if (!isFinished(followed.record.status)) return { ...followed, noticed: undefined };
  const now = world.clock.now();
  const ahead = await panelAhead;
  const late =
    ahead === undefined
      ? undefined
      : secondsFrom(followed.record.finishedAt, new Date(now + ahead).toISOString());
  return {
    ...followed,
    noticed: {
      noticedAt: new Date(now).toISOString(),
      ...(late !== undefined && { noticedAfterSeconds: late }),
    },
  };
}

function notRun(check: AskedCheck): StoredCheck {
  return { kind: check.kind, target: check.target, ...timesOf(check), result: "not run", tries: 0 };
}

function timesOf({ everySeconds, withinSeconds, afterSeconds }: AskedCheck): CheckTimes {
  return { everySeconds, withinSeconds, afterSeconds };
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
