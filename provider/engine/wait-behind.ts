import type { Predecessor, RestoreTarget } from "../inputs/intent";
import { isFinished, type RestoreRecord } from "../inputs/record";
import { nameInUrn } from "../inputs/resource-names";
import { formatElapsed } from "../plain/clock";
import { Ticker } from "../restore/ticker";
import { followById } from "../restore/resume-restore";
import type { Reporter, RestoreResult } from "../restore/result";
import type { Memory } from "./memory";
import type { ProviderProcess } from "./process";

/** Nothing is sent behind a restore of the same machine that is not complete. The message says behind what, and the way on. */
export class NotBehindComplete extends Error {}

/** The restore that waits: how messages call it, and where it says how it is getting on. */
export interface WaitingRestore {
  readonly who: string;
  readonly target: Pick<RestoreTarget, "virtualMachineId">;
  readonly reporter: Reporter;
}

/**
 * Waits until the restore of the machine right before this one is complete, for as long as that one's own limits let it. Throws behind anything
 * else: a later try of the one before would overwrite what was sent behind it.
 */
export async function waitBehind(
  providerProcess: ProviderProcess,
  memory: Memory,
  predecessor: Predecessor,
  waiting: WaitingRestore,
): Promise<void> {
  const leftOut = whyLeftOut(providerProcess, memory, predecessor, `${waiting.who} was not sent`);
  if (leftOut !== undefined) throw new NotBehindComplete(leftOut);
  const end = await endOfPredecessor(providerProcess, memory, predecessor, waiting);
  if (end.status === "complete") return;
  throw new NotBehindComplete(`${waiting.who} was not sent: ${wayOn(nameInUrn(predecessor.urn), end)}`);
}

/**
 * Why nothing may be sent or taken behind a restore that this run leaves out (`--target`): it has to be complete under the intent that it has
 * now. A restore that this run has asked for has been brought up to date, or the engine would not have begun the one behind it.
 */
export function whyLeftOut(
  providerProcess: ProviderProcess,
  memory: Memory,
  { urn, intentId, madeUnder, status, transactionIds }: Predecessor,
  what: string,
): string | undefined {
  if (madeUnder !== undefined && memory.of(madeUnder).isInThisRun) return undefined;
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

interface PredecessorEnd extends Pick<RestoreRecord, "status" | "transactionIds"> {
  /** Why it has not been seen to end. Empty when it has, however it ended. */
  readonly reasons: readonly string[];
}

async function endOfPredecessor(
  providerProcess: ProviderProcess,
  memory: Memory,
  predecessor: Predecessor,
  { target, reporter }: WaitingRestore,
): Promise<PredecessorEnd> {
  const { urn, madeUnder = "", transactionIds, timeouts } = predecessor;
  const name = nameInUrn(urn);
  const status = recordStatus(predecessor.status);
  const outcome = memory.of(madeUnder).outcome;
  if (outcome) return endOfResult(await inProcess(providerProcess, name, outcome, reporter), predecessor);
  if (isFinished(status) || transactionIds.length === 0) return { status, transactionIds, reasons: [] };
  // An earlier run has left it under way.
  const request = { name, target: { kind: "VmRestore", virtualMachineId: target.virtualMachineId }, timeouts } as const;
  const behind: Reporter = {
    progress: (text) => {
      reporter.progress(`waiting behind "${name}": ${text}`);
    },
    warn: () => undefined,
  };
  const end = await followById(providerProcess.session(undefined), request, transactionIds, madeUnder, behind);
  return "status" in end
    ? { status: end.status, transactionIds, reasons: [] }
    : { status, transactionIds, reasons: [end.reason] };
}

/** Follows a restore of this process to its end, also if nobody else waits for it. */
async function inProcess(
  providerProcess: ProviderProcess,
  name: string,
  outcome: NonNullable<ReturnType<Memory["of"]>["outcome"]>,
  reporter: Reporter,
): Promise<RestoreResult> {
  const { result, ended } = await outcome;
  if (ended === undefined) return result;
  const { clock } = providerProcess.session(undefined);
  const since = clock.now();
  const ticker = new Ticker(clock, (text) => {
    reporter.progress(text);
  });
  ticker.report("behind", () => `waiting behind "${name}" (${formatElapsed(clock.now() - since)})`);
  try {
    return await ended;
  } finally {
    ticker.stop();
  }
}

function endOfResult(result: RestoreResult, predecessor: Predecessor): PredecessorEnd {
  if (result.kind === "not-posted") {
    return { status: "not sent", transactionIds: predecessor.transactionIds, reasons: [result.reason] };
  }
  const { status, transactionIds } = result.record;
  return { status, transactionIds, reasons: result.kind === "stored" && !isFinished(status) ? result.reasons : [] };
}

function recordStatus(status: string | undefined): RestoreRecord["status"] {
  return (status ?? "unknown") as RestoreRecord["status"];
}

/** How the restore before it stands, and what lets this one go on. */
function wayOn(name: string, { status, transactionIds, reasons }: PredecessorEnd): string {
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
