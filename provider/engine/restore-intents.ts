import { checkIntent } from "../inputs/check-restore";
import { isNewestFirst } from "../feed/newest-first";
import { readPointRule, ruleForIncident } from "../inputs/read-point-rule";
import { isGiven } from "../inputs/problems";
import { namedTransaction, readAdopt, readId } from "../inputs/read-values";
import type { MachineId } from "../panel/types";
import type { Mark, RestoreRequest } from "../inputs/intent";
import { nameInUrn, restoreUrnOf } from "../inputs/resource-names";
import { parseTarget, readPredecessor } from "../inputs/restore-inputs";
import { omit, type Properties } from "../plain/plain";
import { errorMessage } from "../plain/text";
import { choosePoint, PointRefusedError } from "../points/choose-from-panel";
import { notAllowedText } from "../restore/before-post-messages";
import { markOf } from "../rows/mark";
import { requireCheckpoints } from "./checkpoints";
import { diffIntent } from "./diff-restore";
import { flushingLog } from "./engine-log";
import { sanitized, type Operations } from "./sanitize";
import type { ProviderProcess } from "./process";
import { NotBehindComplete, waitBehind } from "./wait-behind";

/** Handed to its `create` alone, and no part of what it remembers. */
const waitInputs = ["predecessor", "row", "inPlan"] as const;

/**
 * The engine's side of a RestoreIntent. Creating it waits until the restore before it is complete, reads the newest page of the panel's list and
 * writes down where that stands, and chooses the recovery point where a rule is to. The engine saves it before the restore begins, so it is what
 * remembers when the engine is killed.
 */
export function intentOperations(providerProcess: ProviderProcess): Operations {
  return sanitized({
    check: checkIntent,
    diff: (_id, olds, news) => diffIntent(olds, news),

    async create(inputs) {
      const stored = omit(inputs, ...waitInputs);
      requireCheckpoints(`A restore of machine ${String(inputs["virtualMachineId"])}`);
      requireAllowed(providerProcess, inputs);
      try {
        await flushingLog(providerProcess.engineLog, () => waitForPredecessor(providerProcess, inputs));
        const chosen = await choosePointByRule(providerProcess, inputs);
        const outs = { ...stored, ...chosen, mark: await takeMark(providerProcess) };
        return { id: providerProcess.newIntentId(), outs };
      } catch (error) {
        if (error instanceof NotBehindComplete && inputs["inPlan"] === true) {
          return { id: providerProcess.newIntentId(), outs: { ...stored, mark: { heldBack: error.message } } };
        }
        throw withNothingSent(error, String(inputs["virtualMachineId"]));
      }
    },

    /** An update keeps mark and chosen point: a change of what is restored would replace the intent. */
    update(_id, olds, news) {
      const given = omit(news, ...waitInputs);
      const { mark, recoveryPointId, choice } = olds;
      const chosen = isGiven(news["recoveryPoint"]) ? { recoveryPointId, choice } : {};
      return Promise.resolve({ outs: { ...given, ...chosen, mark } });
    },

    read: (id, outputs) => Promise.resolve({ id, props: outputs }),
    delete: () => Promise.resolve(),
  });
}

/** The wait of a first attempt: behind anything but a complete restore no intent is made, so the next run tries for the first time. */
async function waitForPredecessor(providerProcess: ProviderProcess, inputs: Properties): Promise<void> {
  const predecessor = readPredecessor(inputs["predecessor"]);
  if (predecessor === undefined) return;
  await waitBehind(providerProcess, predecessor, restoreOf(providerProcess, inputs), rowIn(inputs));
}

/** The restore that an intent is made for, named as its errors name it. */
function restoreOf({ types }: ProviderProcess, inputs: Properties): Pick<RestoreRequest, "name" | "target"> {
  const kind = inputs["kind"] === "FileRestore" ? "FileRestore" : "VmRestore";
  const row = rowIn(inputs);
  const name = row === undefined ? "(without a name)" : nameInUrn(restoreUrnOf(row, kind, types));
  return { name, target: parseTarget(kind, inputs) };
}

function rowIn({ row }: Properties): string | undefined {
  return typeof row === "string" ? row : undefined;
}

/** Comes before any request. The restore's own `check` comes after this, so an id that the preview did not know is refused here. */
function requireAllowed(providerProcess: ProviderProcess, inputs: Properties): void {
  const machine = readId(inputs["virtualMachineId"]);
  // The restore's `check` reports an id that is none.
  if ("problem" in machine) return;
  const why = providerProcess.whyNotAllowed(machine.value);
  if (why !== undefined) throw new Error(notAllowedText(restoreOf(providerProcess, inputs), why));
}

async function takeMark(providerProcess: ProviderProcess): Promise<Mark> {
  const session = providerProcess.session(undefined);
  // This process outlives a killed engine, and would make an intent beside the next run.
  if (!(await session.isWatched())) throw new Error("The run that asked for it is gone.");
  const page = await session.feed.newestPage();
  if (!isNewestFirst(page.rows)) throw new Error(notNewestFirst);
  return markOf(page, session.client.address);
}

function withNothingSent(error: unknown, machine: string): unknown {
  if (error instanceof PointRefusedError || error instanceof NotBehindComplete) return error;
  const why = errorMessage(error);
  // Settings that are wrong come as a list.
  const joint = why.includes("\n") ? "\n" : " ";
  return new Error(`${why}${joint}No restore of machine ${machine} was sent.`, { cause: error });
}

/**
 * Chooses the point once, in the run that takes the mark. If `adopt` names a transaction, no point is chosen, and the
 * empty choice is stored: what is not stored would be unknown in every preview.
 */
export async function choosePointByRule(
  providerProcess: Pick<ProviderProcess, "listAccess">,
  inputs: Properties,
): Promise<Properties | undefined> {
  const { virtualMachineId, recoveryPointId, recoveryPoint, takes, incidentAt } = inputs;
  if (!isGiven(recoveryPoint)) return undefined;
  if (isGiven(recoveryPointId))
    throw new Error("recoveryPoint and recoveryPointId are both given: give one of the two.");
  const machine = readId(virtualMachineId);
  const rule = readPointRule(recoveryPoint);
  // The restore's `check` reports these problems.
  if ("problem" in machine || "problem" in rule) return undefined;
  const named = readAdopt(takes ?? "auto");
  if ("value" in named && namedTransaction(named.value) !== undefined) return { choice: {} };
  const { points, pointStates } = providerProcess.listAccess();
  const effectiveRule = ruleForIncident(rule.value, typeof incidentAt === "string" ? incidentAt : undefined);
  const wanted = { machine: machine.value as MachineId, rule: effectiveRule, stateWords: pointStates };
  const chosen = await choosePoint(wanted, points, Math.random);
  return { ...chosen, choice: { ...chosen.choice, ...(effectiveRule !== rule.value && { incidentAt }) } };
}

const notNewestFirst =
  "The panel's list of transactions is not sorted newest first, so it does not show what is made from now on. `npx pulumi-recovery check` shows " +
  "its order.";
