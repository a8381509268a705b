/** Which fields of a panel's rows contain the required facts, and what the words in them mean. Names and words are compared by `bareName`. */

/** Caches the results of `bareName`, because a list has thousands of rows with the same few names and words. Limited, because a panel may send any text. */
const bareNames = new Map<string, string>();

const list = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Within each list, the preferred names come first. Names of status fields are read only at the top level of a row, and in its second fields. */
export const names = {
  id: list("id transaction_id uuid tx_id task_id job_id event_id"),
  status: list("status state phase current_status current_state status_code provisioning_state operation_status"),
  result: list(`result outcome conclusion exit_status final_result final_status result_status job_result
    completion_status`),
  /** Further names for the outcome in a second field that is an object. */
  inResult: list("code name"),
  /** If one of these fields has a value, the row is not complete. */
  errors: list(`error errors error_message error_msg error_text error_reason error_details error_detail error_info
    error_description error_string last_error err err_msg err_text failure failures failure_message failure_reason
    failure_details failed_reason fail_reason fail_message failed is_failed exception exception_message`),
  /** If one of these fields is false, the row is not complete. */
  successes: list("success successful is_success is_successful succeeded ok"),
  /** If one of these fields is neither 0 nor 200 to 209, the row is not complete. They contain a process's exit code or an HTTP status. */
  codes: list("exit_code return_code result_code error_code err_code failure_code exit_status ret_code"),
  /** These may mean anything, so their value is treated as the action only if it names a restore, or something that is certainly not a restore. */
  perhapsAction: list("type operation op kind task job command function"),
  machine: list("virtual_machine virtual_machine_id virtual_server virtual_server_id vm vm_id vm_uuid"),
  /** Like an identifier, these can show that a row belongs to a machine, but cannot rule it out, because they may name a hypervisor or a node. */
  perhapsMachine: list("machine machine_id server server_id guest guest_id instance instance_id"),
  point: list("recovery_point recovery_point_id backup_recovery_point backup_recovery_point_id"),
  created: list(`created_at created requested_at queued_at creation_time create_time created_time created_on
    creation_date time_created enqueued_at submitted_at insert_time time`),
  started: list(`started_at start_time started_time start_date start_timestamp started_on begin_time time_started
    started`),
  finished: list(`finished_at completed_at ended_at end_time end_date end_timestamp completion_time completed_time
    complete_time completion_date completion_timestamp completed_on finish_time finished_on time_finished
    terminated_at date_done done_date finished`),
  updated: list("updated_at"),
  startAfter: list("start_after"),
  chain: list("chain_id"),
  parent: list("parent_id"),
  parentType: list("parent_type"),
  after: list("dependent_transaction_id"),
};

export const types = {
  machine: wordSet(...list("virtual_machine virtual_machines virtual_server virtual_servers vm vms machine machines")),
  point: (text: string): boolean => bareName(text).includes("recoverypoint"),
  transaction: (text: string): boolean => /transaction|task|job|operation/i.test(text),
};

/** The meanings of status words that mean the same on every panel. */
export type KnownStatus = "pending" | "running" | "complete" | "failed" | "cancelled";

const statusWords: Readonly<Record<KnownStatus, readonly string[]>> = {
  pending: list("pending queued scheduled waiting submitted new enqueued accepted not_started todo"),
  running:
    list(`running started processing in_progress in_process active executing working busy doing starting preparing
    restoring finalizing retrying paused suspended stopping cancelling canceling`),
  complete: list(`complete completed success succeeded successful done finished ok completed_successfully
    finished_successfully`),
  failed: list("failed failure fail error errored unsuccessful rejected fatal"),
  cancelled: list("cancelled canceled aborted"),
};

/** With these words, a job has ended, but they do not show whether the machine was restored. */
const unclearEnds = list(`completed_with_warnings completed_with_errors finished_with_warnings finished_with_errors
  partially_failed partially_completed timed_out timeout killed terminated crashed abandoned`);

export const words = {
  /** In a field other than the status, these words may be about the row or its machine, not about a job that is under way. */
  kept: wordSet(
    ...list("active new accepted starting stopping preparing restoring finalizing retrying paused suspended"),
  ),
  /** The status `ok` with `active` in another field: the job is under way, because `ok` may only describe health. */
  healthy: wordSet("ok active"),
  /** These words show only that a row has ended. A second field shows the outcome; without a second field, `done` and `finished` mean complete. */
  onlyEnd: wordSet(...list("done finished closed ended stopped"), ...unclearEnds),
  /** Somebody may have stopped such a job, so a flag that reports failure proves nothing. */
  stopped: wordSet("stopped", ...unclearEnds),
  /** Words in a second field, besides the status. A word that is neither good nor bad is usually human-readable text, and proves nothing. */
  goodResult: wordSet("true", "yes"),
  doubtfulResult: wordSet(
    ...unclearEnds,
    ...list(`partial incomplete skipped stale denied refused startup_failure interrupted expired revoked never_started
      critical exception unstable not_built action_required`),
  ),
  /** Perhaps only one of the job's steps was skipped. */
  skipped: wordSet("skipped"),
  /** In a second field, a single word with such a part (`completed_with_errors`) leaves the row's outcome unclear. But `no_errors` is a good sign. */
  badPart: wordSet(...list("fail failed failure failures error errors partial incomplete aborted")),
  nonePart: wordSet(...list("no without zero 0 free")),
  no: wordSet("false", "no", "0"),
  /** How databases and XML represent a missing value. */
  nothing: wordSet("", ...list("none null nil n/a na -")),
  noError: wordSet(
    ...list(`no_error no_error. no_errors no_errors. no_errors_found 0_errors 0x0 0x00000000 {} [] success.
      the_operation_completed_successfully the_operation_completed_successfully.`),
  ),
};

/** Actions that are certainly not restores, such as `cancel_restore`. An action that begins differently may be a panel's own word for a restore, such as `boot_from_backup`. */
export const otherWork =
  /^(cancel|abort|(?!.*(restor|recover|rollback|revert|apply|from))(take|create|make|backup|snapshot|start|startup|stop|shutdown|reboot|suspend|resize|delete|destroy|((hot|cold|live)[-_ ])?migrate|update|configure|format|convert|attach|detach|reset[-_ ](root[-_ ])?password|(tak|creat|mak|start|stopp|reboot|suspend|resiz|delet|destroy)ing)([-_ ]|$))/i;

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
