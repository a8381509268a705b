import { runCheck, stampsOf, type WriteStamp } from "../checks/run-check";
import type { Try } from "../checks/try";
import type { StoredCheck } from "../inputs/read-check";
import { isFinished, type RestoreRecord } from "../inputs/record";
import { type Clock, secondsBetween } from "../plain/clock";
import { omit } from "../plain/plain";
import { errorMessage } from "../plain/text";
import type { AskedCheck, AskedRestore } from "./asked";
import { checksFailed, endedBadlyInWave, withTail } from "./reasons";
import type { Kept, Noticed } from "./step";

/** How waiting for one restore came out. */
export interface WaitEnd {
  readonly record: RestoreRecord;
  /** Why it has not ended, where it has not. */
  readonly reasons: readonly string[];
  /** The last lines of its log, masked, for the terminal. */
  readonly tail: readonly string[];
}

/** What one restore of a wave does to the world outside. */
export interface StepWorld {
  readonly clock: Clock;
  /** Waits until a restore has ended, or one of its limits passes. Posts nothing. */
  readonly follow: (restore: AskedRestore, record: RestoreRecord) => Promise<WaitEnd>;
  /** How far the panel's clock is ahead of the one that waits go by; undefined where it does not tell. */
  readonly panelAheadMs: () => Promise<number | undefined>;
  readonly tryOf: (check: AskedCheck) => Try;
}

/** One restore, waited for and checked. */
export interface FinishedStep {
  readonly record: RestoreRecord;
  readonly noticed: Noticed | undefined;
  readonly checks: readonly StoredCheck[];
  /** What each check has printed, by its place. */
  readonly printed: Readonly<Record<number, string>>;
  /** Why it is not good; and the same for the terminal, with the end of its log. */
  readonly reason?: string;
  readonly told?: string;
}

/** Waits for a restore and checks its machine as soon as it has ended. */
export async function carryOutStep(
  asked: AskedRestore,
  kept: Kept,
  world: StepWorld,
  onEnded: () => void = () => undefined,
): Promise<FinishedStep> {
  const { record, noticed, reasons, tail, stamp = stampsOf(world.clock) } = await ending(asked, kept, world);
  if (record.status !== "complete") {
    const reason = isFinished(record.status) ? endedBadlyInWave(asked, record) : reasons.join(" ");
    return { record, noticed, reason, told: withTail(reason, tail), checks: asked.checks.map(notRun), printed: {} };
  }
  onEnded();
  const printed: Record<number, string> = {};
  const checks = await Promise.all(
    asked.checks.map(async (check, index) => {
      const before = kept.how === "ended" ? kept.checks[index] : undefined;
      // What is asked and how often is as it is asked for now; that it has passed is as it was.
      if (before?.result === "passed") return { ...before, ...omit(check, "probe") };
      const isAdded = kept.how === "ended" && (before === undefined || before.addedLater === true);
      const { output, ...outcome } = await runCheck(world.clock, check, world.tryOf(check), stamp);
      if (output !== undefined) printed[index] = output;
      return { ...notRun(check), ...outcome, ...(isAdded && { addedLater: true }) };
    }),
  );
  const isGood = checks.every(({ result }) => result === "passed");
  const reason = isGood ? undefined : checksFailed(asked, record, checks);
  return { record, noticed, checks, printed, ...(reason !== undefined && { reason, told: reason }) };
}

/** Until the restore has ended, or a limit of it has passed. */
async function ending(
  asked: AskedRestore,
  kept: Kept,
  world: StepWorld,
): Promise<WaitEnd & { readonly noticed: Noticed | undefined; readonly stamp?: WriteStamp }> {
  if (kept.how === "ended") return { record: kept.record, noticed: kept.noticed, reasons: [], tail: [] };
  const followed = await world.follow(asked, kept.record).catch((error: unknown): WaitEnd => ({
    record: kept.record,
    reasons: [
      `${asked.name}: it could not be waited for: ${errorMessage(error)}. The next \`pulumi up\` goes on and posts nothing.`,
    ],
    tail: [],
  }));
  if (!isFinished(followed.record.status)) return { ...followed, noticed: undefined };
  const now = world.clock.now();
  const stamp = stampsOf(world.clock);
  const ahead = await world.panelAheadMs();
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

function notRun(check: AskedCheck): StoredCheck {
  return { ...omit(check, "probe"), result: "not run", tries: 0 };
}
