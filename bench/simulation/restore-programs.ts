import { takeMark } from "../../provider/engine/intents";
import type { IntendedRequest, Intent } from "../../provider/inputs/intent";
import type { RestoreKind } from "../../provider/inputs/restore-table";
import * as attempts from "../../provider/restore/begin";
import type { Reporter, RestoreResult } from "../../provider/restore/result";
import { beginRun, type Session } from "../../provider/restore/session";

let made = 0;

/** Builds a restore's intent as the provider does, reading the list once. */
export async function makeIntent(
  session: Session,
  machine = "42",
  options: { readonly kind?: RestoreKind; readonly point?: string; readonly paths?: readonly string[] } = {},
): Promise<Intent> {
  const kind = options.kind ?? "VmRestore";
  const paths = options.paths ?? (kind === "FileRestore" ? ["/etc/hosts"] : undefined);
  return {
    id: `intent-${String(++made)}`,
    urn: `urn:pulumi:dev::drill::pulumi-nodejs:recovery:Intent::web-vm-intent`,
    mark: await takeMark(session),
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

/** Makes one attempt and returns its result so far, which is final unless the restore has `wait: false`. */
export async function attempt(
  session: Session,
  request: IntendedRequest,
  reporter: Reporter = recordingReporter(),
): Promise<RestoreResult> {
  return (await attempts.attempt(beginRun({ session, request, owner: request.intent.id, reporter }), undefined)).result;
}

/** A reporter that records progress and warnings. */
export function recordingReporter(): Reporter & { readonly said: string[]; readonly warned: string[] } {
  const said: string[] = [];
  const warned: string[] = [];
  return { said, warned, progress: (text) => void said.push(text), warn: (text) => void warned.push(text) };
}
