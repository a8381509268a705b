import { runCheck, stampWriter, type WriteStamp } from "../checks/run-check";
import type { Attempt } from "../checks/attempt";
import type { StoredCheck } from "../inputs/read-check";
import { isFinished, type RestoreRecord } from "../inputs/record";
import { type Clock, secondsBetween } from "../plain/clock";
import { omit } from "../plain/plain";
import { errorMessage } from "../plain/text";
import type { StoredStep } from "./stored";
import type { WaveCheck, WaveRestore } from "./wave-input";
import { failedChecksText, failedRestoreText, withLogTail } from "./reasons";
import type { Reusable, NoticedEnd } from "./step";

/** The result of waiting for one restore. */
export interface WaitResult {
  readonly record: RestoreRecord;
  /** Why the wait stopped before the end; empty when the restore has ended. */
  readonly reasons: readonly string[];
  /** The last lines of its log, masked, for the terminal. */
  readonly tail: readonly string[];
}

/** The effects that one restore of a wave needs. */
export interface StepEffects {
  readonly clock: Clock;
  /** Waits until a restore has ended, or one of its limits passes. Posts nothing. */
  readonly follow: (restore: WaveRestore, record: RestoreRecord) => Promise<WaitResult>;
  /** How far the panel's clock is ahead of `clock`; undefined where the panel does not say. */
  readonly panelAheadMs: () => Promise<number | undefined>;
  readonly attemptFor: (check: WaveCheck) => Attempt;
}

/** One restore, waited for and checked: what becomes its stored step. */
export interface StepResult extends Pick<StoredStep, "checks" | "reason"> {
  readonly record: RestoreRecord;
  readonly noticedEnd: NoticedEnd | undefined;
  /** The output of each check, by the check's index. */
  readonly printed: Readonly<Record<number, string>>;
  /** The same for the terminal, with the end of the log. */
  readonly reasonWithLog?: string;
}

/** Waits for a restore and checks its machine as soon as it has ended. */
export async function waitAndCheck(
  restore: WaveRestore,
  reusable: Reusable,
  effects: StepEffects,
  onEnded: () => void = () => undefined,
): Promise<StepResult> {
  const {
    record,
    noticedEnd,
    reasons,
    tail,
    stamp = stampWriter(effects.clock),
  } = unlessOverwritten(restore, await waitForEnd(restore, reusable, effects));
  if (record.status !== "complete") {
    const reason = isFinished(record.status) ? failedRestoreText(restore, record) : reasons.join(" ");
    return {
      record,
      noticedEnd,
      reason,
      reasonWithLog: withLogTail(reason, tail),
      checks: restore.checks.map(notRun),
      printed: {},
    };
  }
  onEnded();
  const printed: Record<number, string> = {};
  const checks = await Promise.all(
    restore.checks.map(async (check, index) => {
      const before = reusable.how === "ended" ? reusable.checks[index] : undefined;
      // The result stays; the check itself is shown as the program gives it now.
      if (before?.result === "passed") return { ...before, ...omit(check, "probe") };
      const isAdded = reusable.how === "ended" && (before === undefined || before.addedLater === true);
      const { output, ...outcome } = await runCheck(effects.clock, check, effects.attemptFor(check), stamp);
      if (output !== undefined) printed[index] = output;
      return { ...notRun(check), ...outcome, ...(isAdded && { addedLater: true }) };
    }),
  );
  const isGood = checks.every(({ result }) => result === "passed");
  const reason = isGood ? undefined : failedChecksText(restore, record, checks);
  return { record, noticedEnd, checks, printed, ...(reason !== undefined && { reason, reasonWithLog: reason }) };
}

/** A machine that was restored again is as that restore's backup has it, whatever stood behind it. */
function unlessOverwritten<End extends WaitResult>({ name, overwrittenBy }: WaveRestore, end: End): End {
  if (overwrittenBy === undefined || end.record.status !== "complete") return end;
  const reason =
    `${name}: overwritten, because "${overwrittenBy}" was restored again since. Change the triggers of ${name} to restore it again, or have it ` +
    `restored along with replaceWith.`;
  return { ...end, record: { ...end.record, status: "overwritten" }, reasons: [reason] };
}

async function waitForEnd(
  restore: WaveRestore,
  reusable: Reusable,
  effects: StepEffects,
): Promise<WaitResult & { readonly noticedEnd: NoticedEnd | undefined; readonly stamp?: WriteStamp }> {
  if (reusable.how === "ended")
    return { record: reusable.record, noticedEnd: reusable.noticedEnd, reasons: [], tail: [] };
  // The wave tells why, and the next run tries.
  const { warnings } = reusable.record;
  if (reusable.record.status === "not sent")
    return { record: { ...reusable.record, warnings: [] }, noticedEnd: undefined, reasons: warnings, tail: [] };
  const followed = await effects.follow(restore, reusable.record).catch((error: unknown): WaitResult => ({
    record: reusable.record,
    reasons: [
      `${restore.name}: the wait for it broke off: ${errorMessage(error)}. The next \`pulumi up\` waits for it again and posts nothing.`,
    ],
    tail: [],
  }));
  if (!isFinished(followed.record.status)) return { ...followed, noticedEnd: undefined };
  const now = effects.clock.now();
  const stamp = stampWriter(effects.clock);
  const ahead = await effects.panelAheadMs();
  const late =
    ahead === undefined ? undefined : secondsBetween(followed.record.finishedAt, new Date(now + ahead).toISOString());
  return {
    ...followed,
    stamp,
    noticedEnd: {
      noticedAt: stamp(now),
      ...(late !== undefined && { noticedAfterSeconds: late }),
    },
  };
}

function notRun(check: WaveCheck): StoredCheck {
  return { ...omit(check, "probe"), result: "not run", tries: 0 };
}
