/** Which fields of a panel's rows contain the required facts, and what the words in them mean. Names and words are compared by `bareName`. */

/** Caches the results of `bareName`, because a list has thousands of rows with the same few names and words. Limited, because a panel may send any text. */
const bareNames = new Map<string, string>();

/** Within each list, the preferred names come first. Names of status fields are read only at the top level of a row, and in its second fields. */
export const names = {
  id: ["id", "transaction_id", "uuid", "tx_id", "task_id", "job_id", "event_id"],
  status: [
    ...["status", "state", "phase", "current_status", "current_state", "status_code"],
    ...["provisioning_state", "operation_status"],
  ],
  result: [
    ...["result", "outcome", "conclusion", "exit_status", "final_result", "final_status"],
    ...["result_status", "job_result", "completion_status"],
  ],
  /** Further names for the outcome in a second field that is an object. */
  inResult: ["code", "name"],
  /** If one of these fields has a value, the row is not complete. */
  errors: [
    ...["error", "errors", "error_message", "error_msg", "error_text", "error_reason", "error_details", "last_error"],
    ...["failure", "failures", "failure_message", "failure_reason", "failure_details", "failed", "is_failed"],
    ...["exception", "exception_message"],
  ],
  /** If one of these fields is false, the row is not complete. */
  successes: ["success", "successful", "is_success", "is_successful", "succeeded", "ok"],
  /** If one of these fields is neither 0 nor 2xx, the row is not complete. They contain a process's exit code or an HTTP status. */
  codes: ["exit_code", "return_code", "result_code", "error_code", "exit_status"],
  /** These may mean anything, so their value is treated as the action only if it names a restore, or something that is certainly not a restore. */
  perhapsAction: ["type", "operation", "op", "kind", "task", "job"],
  machine: ["virtual_machine", "virtual_machine_id", "virtual_server", "virtual_server_id", "vm", "vm_id"],
  /** Like an identifier, these can show that a row belongs to a machine, but cannot rule it out, because they may name a hypervisor or a node. */
  perhapsMachine: [...["machine", "machine_id", "server", "server_id", "guest", "guest_id", "instance", "instance_id"]],
  point: ["recovery_point", "recovery_point_id", "backup_recovery_point", "backup_recovery_point_id"],
  created: ["created_at", "created", "requested_at", "queued_at", "time"],
  started: ["started_at", "start_time"],
  finished: ["finished_at", "completed_at", "ended_at", "end_time"],
  updated: ["updated_at"],
  startAfter: ["start_after"],
  chain: ["chain_id"],
  parent: ["parent_id"],
  parentType: ["parent_type"],
  after: ["dependent_transaction_id"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export const types = {
  machine: wordSet(
    ...["virtual_machine", "virtual_machines", "virtual_server", "virtual_servers"],
    ...["vm", "vms", "machine", "machines"],
  ),
  point: (text: string): boolean => bareName(text).includes("recoverypoint"),
  transaction: (text: string): boolean => /transaction|task|job|operation/i.test(text),
};

/** The meanings of status words that mean the same on every panel. */
export type KnownStatus = "pending" | "running" | "complete" | "failed" | "cancelled";

const statusWords: Readonly<Record<KnownStatus, readonly string[]>> = {
  pending: ["pending", "queued", "scheduled", "waiting", "submitted", "new"],
  running: ["running", "started", "processing", "in progress", "active", "executing", "working", "busy"],
  complete: ["complete", "completed", "success", "succeeded", "successful", "done", "finished", "ok"],
  failed: ["failed", "failure", "fail", "error", "errored", "unsuccessful", "rejected"],
  cancelled: ["cancelled", "canceled", "aborted"],
};

export const words = {
  /** In a field other than the status, these words may mean that a row is still stored, not that its job is under way. */
  kept: wordSet("active", "new"),
  /** These words show only that a row has ended. A second field shows the outcome; without a second field, `done` and `finished` mean complete. */
  onlyEnd: wordSet("done", "finished", "closed", "ended", "stopped"),
  /** Perhaps by somebody. */
  stopped: wordSet("stopped"),
  /** Words in a second field, besides the status. A word that is neither good nor bad is usually human-readable text, and proves nothing. */
  goodResult: wordSet("true", "yes"),
  doubtfulResult: wordSet(
    ...["partial", "incomplete", "skipped", "stale", "denied", "refused", "timeout", "timed out", "startup failure"],
  ),
  /** In a second field, a single word with such a part (`completed_with_errors`) leaves the row's outcome unclear. But `no_errors` is a good sign. */
  badPart: wordSet(...["fail", "failed", "failure", "failures", "error", "errors", "partial", "incomplete", "aborted"]),
  nonePart: wordSet("no", "without", "zero", "0", "free"),
  no: wordSet("false", "no", "0"),
  /** How databases and XML represent a missing value. */
  nothing: wordSet("", "none", "null", "nil", "n/a", "na", "-"),
  noError: wordSet(
    ...["no error", "no errors", "no errors found", "0 errors", "0x0", "0x00000000", "{}", "[]"],
    ...["success.", "the operation completed successfully", "the operation completed successfully."],
  ),
};

/** Actions that are certainly not restores. An action that begins differently may be a panel's own word for a restore, such as `boot_from_backup`. */
export const otherWork =
  /^(?!.*(restor|recover|rollback|revert|apply|from))(take|create|make|backup|snapshot|start|startup|stop|shutdown|reboot|suspend|resize|delete|destroy|((hot|cold|live)[-_ ])?migrate|update|configure|format|convert|attach|detach|reset[-_ ](root[-_ ])?password|(tak|creat|mak|start|stopp|reboot|suspend|resiz|delet|destroy)ing)([-_ ]|$)/i;

const meanings: ReadonlyMap<string, KnownStatus> = new Map(
  (Object.keys(statusWords) as KnownStatus[]).flatMap((meaning) =>
    statusWords[meaning].map((word) => [bareName(word), meaning] as const),
  ),
);

/** The fixed meaning of a status word. Undefined for any other word, which a setting may classify. */
export function knownStatus(word: string): KnownStatus | undefined {
  return meanings.get(bareName(word));
}

/** The form in which names and words are compared. It is the same for `created_at`, `created-at`, `createdAt` and `CREATED AT`. */
export function bareName(text: string): string {
  const known = bareNames.get(text);
  if (known !== undefined) return known;
  const bare = text.replace(/[-_\s]/g, "").toLowerCase();
  if (text.length <= 64 && bareNames.size < 2_000) bareNames.set(text, bare);
  return bare;
}

type WordSet = (text: string) => boolean;

export function wordSet(...all: readonly string[]): WordSet {
  const known = new Set(all.map(bareName));
  return (text) => known.has(bareName(text));
}
