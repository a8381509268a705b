import { runCheck, stampWriter, type WriteStamp } from "../checks/run-check";
import type { Attempt } from "../checks/attempt";
import type { StoredCheck } from "../inputs/read-check";
import { isFinished, type RestoreRecord } from "../inputs/record";
import { type Clock, secondsBetween } from "../plain/clock";
import { omit } from "../plain/plain";
import { errorMessage } from "../plain/text";
import type { WaveCheck, WaveRestore } from "./wave-input";
import { failedChecksText, failedRestoreText, withLogTail } from "./reasons";
import type { Reusable, NoticedEnd } from "./step";

/** How waiting for one restore came out. */
export interface WaitResult {
  readonly record: RestoreRecord;
  /** Why it has not ended, where it has not. */
  readonly reasons: readonly string[];
  /** The last lines of its log, masked, for the terminal. */
  readonly tail: readonly string[];
}

/** What one restore of a wave does to the world outside. */
export interface StepEffects {
  readonly clock: Clock;
  /** Waits until a restore has ended, or one of its limits passes. Posts nothing. */
  readonly follow: (restore: WaveRestore, record: RestoreRecord) => Promise<WaitResult>;
  /** How far the panel's clock is ahead of the one that waits go by; undefined where it does not tell. */
  readonly panelAheadMs: () => Promise<number | undefined>;
  readonly attemptFor: (check: WaveCheck) => Attempt;
}

/** One restore, waited for and checked. */
export interface StepResult {
  readonly record: RestoreRecord;
  readonly noticedEnd: NoticedEnd | undefined;
  readonly checks: readonly StoredCheck[];
  /** What each check has printed, by its place. */
  readonly printed: Readonly<Record<number, string>>;
  /** Why it is not good; and the same for the terminal, with the end of its log. */
  readonly reason?: string;
  readonly reasonWithLog?: string;
}

/** Waits for a restore and checks its machine as soon as it has ended. */
export async function waitAndCheck(
  asked: WaveRestore,
  reusable: Reusable,
  effects: StepEffects,
  onEnded: () => void = () => undefined,
): Promise<StepResult> {
  const {
    record,
    noticed: noticedEnd,
    reasons,
    tail,
    stamp = stampWriter(effects.clock),
  } = await waitForEnd(asked, reusable, effects);
  if (record.status !== "complete") {
    const reason = isFinished(record.status) ? failedRestoreText(asked, record) : reasons.join(" ");
    return {
      record,
      noticedEnd,
      reason,
      reasonWithLog: withLogTail(reason, tail),
      checks: asked.checks.map(notRun),
      printed: {},
    };
  }
  onEnded();
  const printed: Record<number, string> = {};
  const checks = await Promise.all(
    asked.checks.map(async (check, index) => {
      const before = reusable.how === "ended" ? reusable.checks[index] : undefined;
      // What is asked and how often is as it is asked for now; that it has passed is as it was.
      if (before?.result === "passed") return { ...before, ...omit(check, "probe") };
      const isAdded = reusable.how === "ended" && (before === undefined || before.addedLater === true);
      const { output, ...outcome } = await runCheck(effects.clock, check, effects.attemptFor(check), stamp);
      if (output !== undefined) printed[index] = output;
      return { ...notRun(check), ...outcome, ...(isAdded && { addedLater: true }) };
    }),
  );
  const isGood = checks.every(({ result }) => result === "passed");
  const reason = isGood ? undefined : failedChecksText(asked, record, checks);
  return { record, noticedEnd, checks, printed, ...(reason !== undefined && { reason, reasonWithLog: reason }) };
}

/** Until the restore has ended, or a limit of it has passed. */
async function waitForEnd(
  asked: WaveRestore,
  reusable: Reusable,
  effects: StepEffects,
): Promise<WaitResult & { readonly noticed: NoticedEnd | undefined; readonly stamp?: WriteStamp }> {
  if (reusable.how === "ended") return { record: reusable.record, noticed: reusable.noticedEnd, reasons: [], tail: [] };
  // The wave tells why, and the next run tries.
  const { warnings } = reusable.record;
  if (reusable.record.status === "not sent")
    return { record: { ...reusable.record, warnings: [] }, noticed: undefined, reasons: warnings, tail: [] };
  const followed = await effects.follow(asked, reusable.record).catch((error: unknown): WaitResult => ({
    record: reusable.record,
    reasons: [
      `${asked.name}: it could not be waited for: ${errorMessage(error)}. The next \`pulumi up\` goes on and posts nothing.`,
    ],
    tail: [],
  }));
  if (!isFinished(followed.record.status)) return { ...followed, noticed: undefined };
  const now = effects.clock.now();
  const stamp = stampWriter(effects.clock);
  const ahead = await effects.panelAheadMs();
  const late =
    ahead === undefined ? undefined : secondsBetween(followed.record.finishedAt, new Date(now + ahead).toISOString());
  return {
    ...followed,
    stamp,
    noticed: {
      noticedAt: stamp(now),
      ...(late !== undefined && { noticedAfterSeconds: late }),
    },
  };
}

function notRun(check: WaveCheck): StoredCheck {
  return { ...omit(check, "probe"), result: "not run", tries: 0 };
}
