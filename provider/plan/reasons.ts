import { formatDuration } from "../inputs/duration";
import { checkLabel, type StoredCheck } from "../inputs/read-check";
import type { RestoreRecord } from "../inputs/record";
import { formatElapsed } from "../plain/clock";
import { subject, describeTransaction } from "../restore/messages";
import type { WaveRestore } from "./wave-input";

/** For a restore that failed or was cancelled. The next run does not try it again by itself, as it does outside of plans. */
export function failedRestoreText({ request }: WaveRestore, record: RestoreRecord): string {
  const took = record.durationSeconds === undefined ? "" : ` after ${formatElapsed(record.durationSeconds * 1_000)}`;
  const verb = record.status === "cancelled" ? "was cancelled" : "failed";
  const again =
    record.status === "cancelled" || !request.retryFailed
      ? "To restore it again, change its triggers."
      : record.transactionIds.includes(request.adopt)
        ? "As long as adopt names it, `pulumi up --refresh` takes it again. To restore again, take adopt out, and run `pulumi up --refresh`."
        : "To try it again, change its triggers, or run `pulumi up --refresh`.";
  return (
    `${subject(request)} ${verb}: ${describeTransaction(record)} ended as ${record.status}${took}. The machine may be in any state. ` +
    `\`pulumi up\` alone sends nothing more for it. ${again}`
  );
}

/** For the terminal only: the stored reason is not a secret, so it holds no log. */
export function withLogTail(reason: string, tail: readonly string[]): string {
  if (tail.length === 0) return reason;
  return `${reason}\nThe end of its log, secrets masked:\n${tail.map((line) => `  ${line}`).join("\n")}`;
}

export function failedChecksText(
  { request }: WaveRestore,
  record: RestoreRecord,
  checks: readonly StoredCheck[],
): string {
  const failed = checks.flatMap((check, index) =>
    check.result === "failed"
      ? [
          `check ${String(index + 1)} of ${String(checks.length)}, ${checkLabel(check)}, did not pass within ` +
            `${formatDuration(check.withinSeconds)}: ${check.reason ?? "no reason given"}`,
        ]
      : [],
  );
  return (
    `${subject(request)} is complete (${describeTransaction(record)}), but ${failed.join("; ")}. The next \`pulumi up\` checks again and ` +
    "posts nothing."
  );
}

/** A later wave may be complete since an earlier `up` of the same run. */
export function stopsHereText(laterWaves: readonly string[]): readonly string[] {
  if (laterWaves.length === 0) return [];
  const shown =
    laterWaves.length > 5 ? [...laterWaves.slice(0, 5), `${String(laterWaves.length - 5)} more`] : laterWaves;
  return [
    `This \`pulumi up\` stops here (onFailure: "stop"), before ${laterWaves.length === 1 ? "wave" : "waves"} ${shown.join(", ")}.`,
  ];
}
