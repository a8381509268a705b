import type { StoredStep, StoredTry } from "../terms/stored";
import type { AskedRestore } from "./asked";

const mostTries = 20;

/**
 * The tries of a restore before the one that is waited for now, by what the wave has stored of it in the same run. A machine that was
 * restored at the second try was down during the first one, too.
 */
export function earlierTriesOf({ posting }: AskedRestore, stored: StoredStep | undefined): readonly StoredTry[] {
  if (stored === undefined) return [];
  const { earlierTries = [] } = stored;
  if (isSameTry(posting, stored)) return earlierTries;
  const { status, transactionIds, requestedAt, finishedAt } = stored;
  const last: StoredTry = {
    status,
    transactionIds,
    ...(requestedAt !== undefined && { requestedAt }),
    ...(finishedAt !== undefined && { finishedAt }),
  };
  const all = [...earlierTries, last];
  return all.length <= mostTries ? all : [...all.slice(0, 1), ...all.slice(1 - mostTries)];
}

/** Another intent, or a transaction that `adopt` names, may stand for the same try. */
function isSameTry(posting: string, stored: StoredStep): boolean {
  const [id = "", adopted = ""] = posting.split("/").slice(1);
  const [storedId] = stored.posting.split("/").slice(1);
  return id === storedId || [id, adopted].some((one) => stored.transactionIds.includes(one));
}
