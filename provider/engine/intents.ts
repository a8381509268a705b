import { checkIntent, whyRefused } from "../inputs/check-restore";
import { makingProcessOf, type Mark, type Previous, type ReplacedIntent } from "../inputs/intent";
import { isGiven } from "../inputs/problems";
import { nameInUrn, restoreUrnOf } from "../inputs/resource-names";
import { orderIn, parseTarget, readMark } from "../inputs/restore-inputs";
import { MessageError, messageText, partsOf } from "../plain/message";
import { omit, type Properties } from "../plain/plain";
import { choosePoint } from "../points/choose-point";
import { runIsGone, subject } from "../restore/messages";
import type { Session } from "../restore/session";
import { rowsForMark } from "../rows/order";
import { diffIntent } from "./diff-restore";
import { lostText, noCheckpointsText, previousText } from "./messages";
import type { ProviderProcess } from "./process";
import type { Operations } from "./sanitize";

/** Passed only to `create`, and not stored with the intent. */
const createInputs = ["__previous", "__known", "__row"] as const;

/**
 * The engine's side of an Intent. Creating an intent reads the newest page of the panel's list, records the mark, and chooses the recovery point if a rule is
 * given. The engine saves the intent before the restore begins, so the intent survives if the engine is killed.
 */
export function intentOperations(providerProcess: ProviderProcess): Operations {
  return {
    check: checkIntent,
    diff(id, olds, news) {
      const result = diffIntent(olds, news);
      // If the machine has changed, the next attempt does not search for what the old intent may have sent.
      const isSearched = result.replaces?.includes("virtualMachineId") === false;
      if (isSearched) providerProcess.settledIntents.add(id);
      // A failed `up` leaves the replaced intent in the state, to be deleted later.
      for (const former of readMark(olds["mark"])?.replaced ?? []) providerProcess.settledIntents.add(former.id);
      providerProcess.replacedIntents.set(String(news["__row"]), replacedIntents(id, olds, result.replaces ?? []));
      return result;
    },

    async create(inputs) {
      const who = restoreOf(providerProcess, inputs);
      requireCheckpoints(who);
      // The restore's own `check` runs later, so an id that was unknown in the preview must be rejected here, before any request.
      const why = whyRefused(providerProcess, inputs["virtualMachineId"], `${who} was not sent`);
      if (why !== undefined) throw new Error(why);
      requirePrevious(orderIn(inputs).previous, who);
      try {
        const chosen = await choosePoint(inputs, providerProcess.listAccess());
        const session = providerProcess.session();
        const mark = await takeMark(session);
        const replaced = providerProcess.replacedIntents.get(String(inputs["__row"])) ?? [];
        const own: Mark = { ...mark, ...(replaced.length > 0 && { replaced }) };
        return { id: providerProcess.newIntentId(), outs: { ...omit(inputs, ...createInputs), ...chosen, mark: own } };
      } catch (error) {
        throw new Error(messageText(partsOf(error, `${who} was not sent`)), { cause: error });
      }
    },

    /** An update keeps the mark and the chosen point, because a changed target would have replaced the intent. */
    update(_id, olds, news) {
      const { mark, recoveryPointId, choice } = olds;
      const chosen = isGiven(news["recoveryPoint"]) ? { recoveryPointId, choice } : {};
      return Promise.resolve({ outs: { ...omit(news, ...createInputs), ...chosen, mark } });
    },

    read: (id, outputs) => Promise.resolve({ id, props: outputs }),

    /** The engine passes no URN to `delete`, so the warning cannot appear on the intent's own row. */
    delete(id, outputs) {
      const isMadeNow = makingProcessOf(id) === providerProcess.id;
      if (!isMadeNow && !providerProcess.settledIntents.has(id)) providerProcess.engineLog.warn("", lostText(outputs));
    },
  };
}

/** Besides the oldest replaced intent, at most this many of the newest are kept, because each is stored with its mark. */
const mostNewest = 2;

/** What an intent passes on to its replacement. */
function replacedIntents(id: string, olds: Properties, replaces: readonly string[]): readonly ReplacedIntent[] {
  const mark = replaces.length === 0 ? undefined : readMark(olds["mark"]);
  if (mark === undefined) return [];
  const { replaced = [], ...own } = mark;
  const isAskedFor = ["triggers", "virtualMachineId", "__kind"].some((name) => replaces.includes(name));
  if (isAskedFor) return [{ id, mark: own, isEnded: true }];
  return [{ id, mark: own }, ...replaced].filter((_one, at, { length }) => at < mostNewest || at === length - 1);
}

/** Reads the mark at the top of the panel's list. Fails if the run was killed or cancelled, because the next run may already be under way. */
export async function takeMark(session: Session): Promise<Mark> {
  if (!(await session.isWatched())) throw new MessageError(runIsGone);
  const read = await session.feed.readSurely({ rows: rowsForMark }).catch((error: unknown) => {
    throw new MessageError(partsOf(error));
  });
  return read.mark;
}

/**
 * The engine starts nothing that depends on a failed restore, but `--target` may leave the previous restore out of this run. That restore must then be complete
 * under its current intent. Otherwise, it would run again later and overwrite what this run restores.
 */
export function requirePrevious(previous: Previous | undefined, who: string): void {
  if (previous === undefined) return;
  const { urn, status, intentId, madeUnder } = previous;
  if (status === "complete" && intentId === madeUnder) return;
  const how = status === "complete" ? "due to run again" : (status ?? "not in the state");
  throw new Error(previousText(who, urn, nameInUrn(urn), how));
}

/** Names the restore that an intent is made for, in the form that error messages use. */
function restoreOf({ types }: ProviderProcess, inputs: Properties): string {
  const kind = inputs["__kind"] === "FileRestore" ? "FileRestore" : "VmRestore";
  const name = nameInUrn(restoreUrnOf(String(inputs["__row"]), kind, types));
  return subject({ name, target: parseTarget(kind, inputs) });
}

/**
 * Without checkpoints, the engine does not save an intent before its restore starts, so nobody would know after a kill whether the restore was posted. The
 * engine respects PULUMI_SKIP_CHECKPOINTS only together with PULUMI_EXPERIMENTAL.
 */
export function requireCheckpoints(who: string, env: NodeJS.ProcessEnv = process.env): void {
  if (!isTruthy(env["PULUMI_SKIP_CHECKPOINTS"]) || !isTruthy(env["PULUMI_EXPERIMENTAL"])) return;
  throw new Error(noCheckpointsText(who));
}

/** Reads a switch as the engine does. */
function isTruthy(value: string | undefined): boolean {
  return value === "1" || value?.toLowerCase() === "true";
}
