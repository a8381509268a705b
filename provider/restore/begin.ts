import type { IntendedRequest } from "../inputs/intent";
import type { RestoreRecord } from "../inputs/record";
import { MessageError } from "../plain/message";
import { Semaphore } from "../plain/semaphore";
import type { Mark } from "../rows/order";
import { beginFollowing } from "./after";
import { beginLooking } from "./before";
import { Life } from "./carry-out";
import { limitName, lookAgain, notSentText } from "./messages";
import { recordOf, whyNotComplete } from "./record";
import type { ResultSoFar } from "./result";
import { type Run, tryRead } from "./session";
import type { Following, Past } from "./state";
import { withPlace } from "./turn";

/** The only path to a POST. Waits for the restore's turn on the machine, then for a slot, which it keeps until the restore ends or is no longer awaited. */
export function attempt(run: Run<IntendedRequest>, past?: Past, open?: readonly string[]): Promise<ResultSoFar> {
  const { queues, places, feed } = run.session;
  const { virtualMachineId: machine } = run.request.target;
  const queue = queues.get(machine) ?? new Semaphore(1);
  queues.set(machine, queue);
  if (queue.isFull) run.reporter.progress("waiting for its turn: another restore of this machine is under way");
  return withinTotal(run, (signal) =>
    withPlace(queue, signal, async () => {
      // If the list cannot be paged, too many restores at once would push each other's rows out of sight.
      if (feed.rowsShown === undefined) await tryRead(run, {}, 50);
      if (feed.rowsShown !== undefined) places.limitTo(Math.max(1, Math.floor(feed.rowsShown / 2)));
      if (places.isFull) run.reporter.progress("waiting for a free slot: the maximum number of restores is under way");
      const base = { mark: past?.mark ?? run.request.intent.mark };
      const extras = { failedBefore: past?.failedIds };
      return withPlace(places, signal, () =>
        new Life(run, { base, extras, signal, begin: (terms) => beginLooking(past, terms, open) }).soFar(),
      );
    }),
  );
}

/** Waits for a restore that an earlier run stored as unfinished, or searches for it if it was never listed. Posts nothing. */
export function resume(run: Run, record: RestoreRecord): Promise<ResultSoFar> {
  run.session.claims.claim(record.transactionIds, run.owner);
  return withPlace(run.session.places, "at once", () => ofRecord(run, record).soFar());
}

/** Adopts the transaction that `adopt` names. If that transaction has failed, the next attempt searches above `mark`. */
export function take(run: Run, id: string, mark: Mark | undefined): Promise<ResultSoFar> {
  const until = run.session.clock.now() + run.session.requestTimeoutMs;
  const begin = () => ({ is: "named", id, until }) as const;
  return withPlace(run.session.places, "at once", () =>
    new Life(run, { base: { around: [id] }, begin, extras: { mark } }).soFar(),
  );
}

/** Refreshes a record. If its restore is not listed, the record is returned unchanged: only `up` searches for a restore that was never listed. */
export async function refresh(run: Run, record: RestoreRecord): Promise<RestoreRecord> {
  const { request, reporter } = run;
  const silent = { progress: () => undefined, warn: () => undefined };
  const last = await ofRecord({ ...run, reporter: silent }, record, { isOnce: true }).toEnd();
  if (last.do !== "end") return record;
  if (last.trouble) throw new MessageError(last.trouble);
  const { own } = last.state;
  if (own.rows.length === 0) return record;
  if (own.end === "differs" || own.end === "unclear") {
    reporter.warn(whyNotComplete(run, record, last));
    return record;
  }
  return recordOf(request, last.state, record);
}

function ofRecord(run: Run, stored: RestoreRecord, how: Partial<Following> = {}): Life {
  const { transactionIds: ids, mark, isGuess = false } = stored;
  const { adopt } = run.request;
  const by = ids.length > 0 || mark === undefined ? "ids" : "mark";
  // The outcome of a transaction named by `adopt` is final, so nothing else is searched for.
  const isNamed = adopt !== undefined && ids.includes(adopt);
  const base = { ...(mark && !isNamed && { mark }), ...(by === "ids" && { around: ids }) };
  const begin = () => beginFollowing(by, run.session.clock.now(), { ids, isGuess, ...how });
  return new Life(run, { base, begin, stored, extras: stored });
}

/** Waits for the restore's turn, but not beyond `timeouts.total`. */
async function withinTotal(run: Run, wait: (signal: AbortSignal) => Promise<ResultSoFar>): Promise<ResultSoFar> {
  const { session, request, totalUntil } = run;
  const { clock } = session;
  const outOfTime = new AbortController();
  const stop = (): void => {
    outOfTime.abort();
  };
  const cancel = totalUntil === undefined ? undefined : clock.after(totalUntil - clock.now(), stop);
  try {
    return await wait(outOfTime.signal);
  } catch (error) {
    if (error !== outOfTime.signal.reason) throw error;
    const what = `${limitName(request, "total")} passed before its turn came`;
    const why = { what, next: `${lookAgain}; to wait longer, increase timeouts.total`, help: "limit" } as const;
    return { result: { kind: "not sent", reason: notSentText(request, why) } };
  } finally {
    cancel?.();
  }
}
