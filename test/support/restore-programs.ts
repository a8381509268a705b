import type { IntendedRequest, Intent, RestoreRequest } from "../../provider/inputs/intent";
import type { RestoreKind } from "../../provider/inputs/restore-table";
import type { RestoreRecord } from "../../provider/inputs/record";
import { markOf } from "../../provider/rows/mark";
import { resumeRestore } from "../../provider/restore/resume-restore";
import { takeTransaction } from "../../provider/restore/take-transaction";
import type { RestoreResult, Reporter } from "../../provider/restore/result";
import { postRestore } from "../../provider/restore/post-restore";
import { beginRun, type PanelSession, type RestoreRun } from "../../provider/restore/panel-session";
import type { TransactionId } from "../../provider/panel/types";

let made = 0;

/** Makes a restore's intent as the engine does: with one read of the list. */
export async function makeIntent(
  session: PanelSession,
  machine = "42",
  options: { readonly kind?: RestoreKind; readonly point?: string; readonly paths?: readonly string[] } = {},
): Promise<Intent> {
  const newestPage = await session.feed.newestPage();
  const kind = options.kind ?? "VmRestore";
  const paths = options.paths ?? (kind === "FileRestore" ? ["/etc/hosts"] : undefined);
  return {
    id: `intent-${String(++made)}`,
    urn: `urn:pulumi:dev::drill::pulumi-nodejs:dynamic/recovery:RestoreIntent::web-vm-intent`,
    mark: markOf(newestPage, session.client.address),
    madeFor: { kind, virtualMachineId: machine, recoveryPointId: options.point ?? "1007", ...(paths && { paths }) },
  };
}

export function requestFor(intent: Intent, changes: Partial<IntendedRequest> = {}): IntendedRequest {
  return {
    name: "web",
    intent,
    target: intent.madeFor,
    timeouts: {
      busyMs: 30 * 60_000,
      listedMs: 2 * 60_000,
      queueMs: 3_600_000,
      runMs: 4 * 3_600_000,
      ...changes.timeouts,
    },
    wait: true,
    adopt: "auto",
    retryFailed: true,
    captureLog: "onFailure",
    ...changes,
  };
}

/** A run that nobody listens to. */
export function runOf<Request extends RestoreRequest>(
  session: PanelSession,
  request: Request & Pick<IntendedRequest, "intent">,
  owner = request.intent.id,
): RestoreRun<Request> {
  return beginRun(session, request, owner, recordingReporter());
}

export type Attempt = "first" | "later";

/** The result of one attempt, without the part for restores that nobody waits for. */
export async function attempt(
  session: PanelSession,
  request: IntendedRequest,
  which: Attempt,
  reporter: Reporter,
): Promise<RestoreResult> {
  const attempt = which === "later" ? { kind: which, predecessorIds: [] } : { kind: which };
  return (await postRestore(beginRun(session, request, request.intent.id, reporter), attempt)).result;
}

/** The result of resuming a restore that is stored as unfinished. */
export async function resume(
  session: PanelSession,
  request: RestoreRequest,
  record: RestoreRecord,
  owner: string,
  reporter: Reporter,
): Promise<RestoreResult> {
  return (await resumeRestore(beginRun(session, request, owner, reporter), record, [])).result;
}

/** The result of taking a transaction that `adopt` names. */
export async function take(
  session: PanelSession,
  request: RestoreRequest,
  id: string,
  owner: string,
  reporter: Reporter,
): Promise<RestoreResult> {
  return (await takeTransaction(beginRun(session, request, owner, reporter), id as TransactionId)).result;
}

/** A reporter that remembers progress and warnings. */
export function recordingReporter(): Reporter & { readonly said: string[]; readonly warned: string[] } {
  const said: string[] = [];
  const warned: string[] = [];
  return {
    said,
    warned,
    progress: (text) => {
      said.push(text);
    },
    warn: (text) => {
      warned.push(text);
    },
  };
}
