import { formatDuration } from "../inputs/duration";
import type { StoredCheck } from "../inputs/read-check";
import type { RestoreRecord } from "../inputs/record";
import { formatElapsed } from "../plain/clock";
import { subject, describeTransaction } from "../restore/messages";
import type { AskedRestore } from "./asked";

/** A restore of a wave that failed or was cancelled. Unlike a restore of its own, the next run does not try it again by itself. */
export function endedBadlyInWave({ plan }: AskedRestore, record: RestoreRecord): string {
  const took = record.durationSeconds === undefined ? "" : ` after ${formatElapsed(record.durationSeconds * 1_000)}`;
  const verb = record.status === "cancelled" ? "was cancelled" : "failed";
  const again =
    record.status === "cancelled" || !plan.retryFailed
      ? "To restore it again, change its triggers."
      : "To try it again, change its triggers, or run `pulumi up --refresh`.";
  return (
    `${subject(plan)} ${verb}: ${describeTransaction(record)} ended as ${record.status}${took}. The machine may be in any state. ` +
    `\`pulumi up\` alone sends nothing more for it. ${again}`
  );
}

/** For the terminal only: what is stored in the open holds no log. */
export function withTail(reason: string, tail: readonly string[]): string {
  if (tail.length === 0) return reason;
  return `${reason}\nThe end of its log, secrets masked:\n${tail.map((line) => `  ${line}`).join("\n")}`;
}

export function checksFailed({ plan }: AskedRestore, record: RestoreRecord, checks: readonly StoredCheck[]): string {
  const failed = checks.flatMap((check, index) =>
    check.result === "failed"
      ? [
          `check ${String(index + 1)} of ${String(checks.length)}, ${check.kind} ${check.target}, has not passed within ` +
            `${formatDuration(check.withinSeconds)}: ${check.reason ?? "no reason given"}`,
        ]
      : [],
  );
  return (
    `${subject(plan)} is complete (${describeTransaction(record)}), but ${failed.join("; ")}. The next \`pulumi up\` checks again and ` +
    "posts nothing."
  );
}

/** What it means for the waves that come after. */
export function notStarted(later: readonly string[]): readonly string[] {
  if (later.length === 0) return [];
  const shown = later.length > 5 ? [...later.slice(0, 5), `${String(later.length - 5)} more`] : later;
  return [
    `Not started because of this (onFailure: "stop"): ${later.length === 1 ? "wave" : "waves"} ${shown.join(", ")}.`,
  ];
}
