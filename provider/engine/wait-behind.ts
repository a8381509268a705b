import type { Predecessor, RestoreRequest } from "../inputs/intent";
import type { RestoreRecord } from "../inputs/record";
import { nameInUrn } from "../inputs/resource-names";
import { formatElapsed } from "../plain/clock";
import { subject } from "../restore/messages";
import { Ticker } from "../restore/ticker";
import { beginRun } from "../restore/panel-session";
import { type AwaitedRestore, awaitRestore } from "../restore/resume-restore";
import type { Reporter } from "../restore/result";
import { rowReporter } from "./engine-log";
import type { ProviderProcess } from "./process";

/** Nothing is sent behind a restore of the same machine that is not complete. The message says behind what, and the way on. */
export class NotBehindComplete extends Error {}

/**
 * Waits until the restore of the machine right before this one is complete, for as long as that one's own limits let it. Throws behind anything
 * else: a later try of the one before would overwrite what was sent behind it.
 */
export async function waitBehind(
  providerProcess: ProviderProcess,
  predecessor: Predecessor,
  waiting: Pick<RestoreRequest, "name" | "target">,
  row: string | undefined,
): Promise<void> {
  const notSent = `${subject(waiting)} was not sent`;
  const leftOut = whyLeftOut(providerProcess, predecessor, notSent);
  if (leftOut !== undefined) throw new NotBehindComplete(leftOut);
  const end = await endOfPredecessor(providerProcess, predecessor, waiting.target.virtualMachineId, row);
  if (end.record.status === "complete") return;
  throw new NotBehindComplete(`${notSent}: ${wayOn(nameInUrn(predecessor.urn), end)}`);
}

/**
 * Why nothing may be sent or taken behind a restore that this run leaves out (`--target`): it has to be complete under the intent that it has
 * now. A restore that this run has asked for has been brought up to date, or the engine would not have begun the one behind it.
 */
export function whyLeftOut(
  providerProcess: ProviderProcess,
  { urn, intentId, madeUnder, status, transactionIds }: Predecessor,
  what: string,
): string | undefined {
  if (madeUnder !== undefined && providerProcess.memory.of(madeUnder).isInThisRun) return undefined;
  if (status === "complete" && madeUnder !== undefined && intentId === madeUnder) {
    providerProcess.claims.claim(transactionIds, madeUnder);
    return undefined;
  }
  const how = madeUnder === intentId ? (status ?? "not stored") : "still to be made anew";
  return (
    `${what}: "${nameInUrn(urn)}", the restore of the same machine before it, is ${how}, and this run leaves it out. ` +
    `Include it in --target as well ('${urn}' and its intent), or run \`pulumi up\` without --target.`
  );
}

type PredecessorEnd = Omit<AwaitedRestore, "tail">;

async function endOfPredecessor(
  providerProcess: ProviderProcess,
  { urn, madeUnder = "", status, transactionIds, timeouts }: Predecessor,
  virtualMachineId: string,
  row: string | undefined,
): Promise<PredecessorEnd> {
  const name = nameInUrn(urn);
  const reporter = rowReporter(providerProcess.engineLog, row);
  const stored = {
    status: (status ?? "unknown") as RestoreRecord["status"],
    transactionIds,
    adopted: false,
    warnings: [],
  };
  const outcome = await providerProcess.memory.of(madeUnder).outcome;
  if (outcome === undefined && transactionIds.length === 0) return { record: stored, reasons: [] };
  const session = providerProcess.session(undefined);
  const since = session.clock.now();
  const ticker = new Ticker(session.clock, reporter.progress);
  // One that an earlier run has left under way tells itself how it is getting on.
  if (outcome?.ended)
    ticker.report("behind", () => `waiting behind "${name}" (${formatElapsed(session.clock.now() - since)})`);
  const behind: Reporter = {
    progress: (text) => {
      reporter.progress(`waiting behind "${name}": ${text}`);
    },
    warn: () => undefined,
  };
  const request: RestoreRequest = {
    name,
    target: { kind: "VmRestore", virtualMachineId },
    timeouts,
    wait: true,
    adopt: "auto",
    retryFailed: true,
    captureLog: "never",
  };
  try {
    const record: RestoreRecord = outcome ? { ...stored, status: "not sent" } : stored;
    const ended = outcome && (outcome.ended ?? Promise.resolve(outcome.result));
    return await awaitRestore(beginRun(session, request, madeUnder, behind), record, ended);
  } finally {
    ticker.stop();
  }
}

/** How the restore before it stands, and what lets this one go on. */
function wayOn(name: string, { record: { status, transactionIds }, reasons }: PredecessorEnd): string {
  const which = transactionIds.length === 0 ? "" : ` (transaction ${transactionIds.join(", ")})`;
  const it = `"${name}", the restore of the same machine before it,`;
  switch (status) {
    case "complete":
    case "overwritten":
      return `${it} is complete.`;
    case "failed":
      return (
        `${it} failed${which}. \`pulumi up --refresh\` restores "${name}" again, and then this one. Where "${name}" has retryFailed: false, ` +
        "change its triggers."
      );
    case "cancelled":
      return (
        `${it} was cancelled${which}. A person stopped it, so it is not sent again by itself. Change its triggers, set adopt on it to the transaction ` +
        `that a person has restored instead, or take it out of the program; then run \`pulumi up\`.`
      );
    case "not sent":
      return `${it} was not sent either. The next \`pulumi up\` tries both, one behind the other.`;
    case "accepted":
    case "unknown":
    case "pending":
    case "running":
      return transactionIds.length === 0
        ? `${it} is unconfirmed: it was sent, and the panel has not listed it. ${reasons.join(" ")}`.trimEnd()
        : `${it} has not been seen to end${which}. ${reasons.join(" ")} The next \`pulumi up\` goes on waiting for it.`;
  }
}
