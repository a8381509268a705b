import type { IntendedRequest, Intent, RestoreRequest } from "../../provider/inputs/intent";
import type { RestoreRecord } from "../../provider/inputs/record";
import type { RestoreKind } from "../../provider/inputs/restore-table";
import * as attempts from "../../provider/restore/attempt";
import * as following from "../../provider/restore/follow";
import type { Reporter, RestoreResult } from "../../provider/restore/result";
import { beginRun, type Run, type Session } from "../../provider/restore/session";
import { markOf } from "../../provider/rows/order";

let made = 0;

/** Makes a restore's intent as the engine does: with one read of the list. */
export async function makeIntent(
  { feed, client }: Session,
  machine = "42",
  options: { readonly kind?: RestoreKind; readonly point?: string; readonly paths?: readonly string[] } = {},
): Promise<Intent> {
  const { page, order, panelTime } = await feed.read({}, 0);
  const kind = options.kind ?? "VmRestore";
  const paths = options.paths ?? (kind === "FileRestore" ? ["/etc/hosts"] : undefined);
  return {
    id: `intent-${String(++made)}`,
    urn: `urn:pulumi:dev::drill::pulumi-nodejs:recovery:Intent::web-vm-intent`,
    mark: markOf(page, order, client.address, panelTime),
    madeFor: { kind, virtualMachineId: machine, recoveryPointId: options.point ?? "1007", ...(paths && { paths }) },
  };
}

const minute = 60_000;

export function requestFor(intent: Intent, changes: Partial<IntendedRequest> = {}): IntendedRequest {
  return {
    name: "web",
    intent,
    target: intent.madeFor,
    wait: true,
    retryFailed: true,
    captureLog: "onFailure",
    ...changes,
    timeouts: { busyMs: 30 * minute, listedMs: 2 * minute, runMs: 240 * minute, settleMs: 15_000, ...changes.timeouts },
  };
}

/** `later`: an earlier process has made the intent, and may have posted. */
export type Attempt = "first" | "later";

/** The result of one attempt, without the part for restores that nobody waits for. */
export async function attempt(
  session: Session,
  request: IntendedRequest,
  which: Attempt = "first",
  reporter: Reporter = recordingReporter(),
): Promise<RestoreResult> {
  const { id, mark } = request.intent;
  const past = which === "later" ? { mark, failedIds: [] } : undefined;
  return (await attempts.attempt(beginRun(session, request, id, reporter), past)).result;
}

/** A run of a restore that is stored. */
function runOf(session: Session, request: IntendedRequest, reporter: Reporter = recordingReporter()): Run {
  return beginRun<RestoreRequest>(session, request, request.intent.id, reporter);
}

/** The result of resuming a restore that is stored as unfinished. */
export async function resume(
  session: Session,
  request: IntendedRequest,
  record: RestoreRecord,
  reporter?: Reporter,
): Promise<RestoreResult> {
  return (await following.resume(runOf(session, request, reporter), record)).result;
}

/** The result of taking a transaction that `adopt` names. */
export async function take(session: Session, request: IntendedRequest, id: string): Promise<RestoreResult> {
  return (await following.take(runOf(session, request), id)).result;
}

export function refresh(session: Session, request: IntendedRequest, record: RestoreRecord): Promise<RestoreRecord> {
  return following.refresh(runOf(session, request), record);
}

/** A reporter that remembers progress and warnings. */
export function recordingReporter(): Reporter & { readonly said: string[]; readonly warned: string[] } {
  const said: string[] = [];
  const warned: string[] = [];
  return { said, warned, progress: (text) => void said.push(text), warn: (text) => void warned.push(text) };
}
