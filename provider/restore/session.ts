import { type Feed, isLasting, type Read } from "../feed/feed";
import type { WatchedClock } from "../plain/watched-clock";
import type { RestoreRequest, RestoreTarget } from "../inputs/intent";
import type { AllowedMachines } from "../inputs/settings";
import { type ConfiguredWords, isKnownEnd, statusText } from "../panel/facts";
import type { Redact } from "../panel/secrets";
import { isDecimalId, type PanelClient } from "../panel/types";
import { type Message, partsOf } from "../plain/message";
import { Semaphore } from "../plain/semaphore";
import { keysOf, saysRestore } from "../rows/jobs";
import type { Depth, Row } from "../rows/order";
import { Listed, namesMachine, whoseRow } from "../rows/whose";
import type { Reporter } from "./result";

/** Everything that the restores on one panel share within a process. */
export interface Session {
  readonly client: PanelClient;
  readonly feed: Feed;
  readonly clock: WatchedClock;
  readonly words: ConfiguredWords;
  readonly requestTimeoutMs: number;
  /** A machine must be in all of these lists. This is checked again right before every POST. */
  readonly allowedMachines: readonly AllowedMachines[];
  readonly claims: Claims;
  /** By machine. A restore is posted only after the previous restore has ended, even if that restore has `wait: false`. A restore that gives up leaves the queue. */
  readonly queues: Map<string, Semaphore>;
  /** The slots allowed by `recovery:maxConcurrent`. */
  readonly places: Semaphore;
  readonly unlisted: Unlisted;
  /** Removes the connection's secrets from text that was not decoded from an answer: check output, or a log whose control characters have been removed. */
  readonly redact: Redact;
  /** The minimum time that a later attempt waits for a row that is listed late, however short `listed` is. */
  readonly shortestListedMs: number;
  readonly trace?: ((line: string) => void) | undefined;
  /** Resolves to false once the run that requested the restores has been killed or cancelled. Called right before every POST. */
  readonly isWatched: () => Promise<boolean>;
}

export const shortestListedMs = 60_000;

export interface Run<Request extends RestoreRequest = RestoreRequest> {
  readonly session: Session;
  readonly request: Request;
  /** The id of the intent, or of the wave's entry, that the transactions belong to. */
  readonly owner: string;
  readonly reporter: Reporter;
  /** The time by which the whole run must end, if it has a limit. */
  readonly totalUntil: number | undefined;
}

export function beginRun<Request extends RestoreRequest>(run: Omit<Run<Request>, "totalUntil">): Run<Request> {
  const { totalMs } = run.request.timeouts;
  return { ...run, totalUntil: totalMs === undefined ? undefined : run.session.clock.now() + totalMs };
}

/** Keeps two restores from claiming the same transaction. Each panel has its own registry, because the ids of two panels are unrelated. */
export class Claims {
  readonly #claims = new Map<string, { readonly owner: string; readonly ids: readonly string[] }>();
  readonly #machines = new Map<string, string>();

  /** `machine`: set for a stored record, whose rows may name no machine. */
  claim(ids: readonly string[], owner: string, { machine }: { readonly machine?: string | undefined } = {}): void {
    for (const id of ids) {
      if (!this.isClaimedByAnother(id, owner)) this.#claims.set(id, { owner, ids });
      if (machine !== undefined) this.#machines.set(id, machine);
    }
  }

  get size(): number {
    return this.#claims.size;
  }

  machineOf(id: string): string | undefined {
    return this.#machines.get(id);
  }

  isClaimedByAnother(id: string, owner: string): boolean {
    return (this.ownerOf(id) ?? owner) !== owner;
  }

  ownerOf(id: string): string | undefined {
    return this.#claims.get(id)?.owner;
  }

  /** The transactions that were last claimed together with this one: one restore's, or those among which it must be. */
  claimedWith(id: string): readonly string[] {
    return this.#claims.get(id)?.ids ?? [];
  }
}

/** Whether the action is just `restore`, which restores a machine. Other words that show no kind, such as `restore_settings`, may mean anything. */
const isPlainWord = ({ action = "" }: Row): boolean => /^restore$/i.test(action.trim());

/** On a panel whose rows name no machine, only one restore at a time may be without a candidate, so that a new row can belong only to that restore. */
export class Unlisted {
  /** The name of a restore that was never listed. A row that names no machine may belong to it. */
  lost: string | undefined;
  /** True once any row on this panel has had a status that is known to be final. */
  saysEnd = false;
  /** The number of POSTs so far. A restore's candidates are the rows that appear before the next POST. */
  posts = 0;
  readonly listed = new Listed(keysOf);
  readonly #kindsNamed = new Set<boolean>();
  readonly #kindsRestored = new Set<"files" | "machine" | undefined>();
  readonly #noted = new WeakSet<readonly Row[]>();
  #showsNames = false;
  readonly #place = new Semaphore(1);

  /** Records whether rows name machines in the same form (digits or letters) as this machine's name, and which actions and statuses the rows have. */
  note(rows: readonly Row[], machine: string): void {
    if (!this.rowsName(machine) && rows.some((row) => namesMachine(row, machine)))
      this.#kindsNamed.add(isDecimalId(machine));
    this.#showsNames ||= this.listed.of(rows, machine).some((row) => whoseRow(row, machine) === "this machine");
    this.saysEnd ||= rows.some((row) => isKnownEnd(row.state));
    if (this.#noted.has(rows)) return;
    this.#noted.add(rows);
    for (const row of rows)
      if (saysRestore(row)) this.#kindsRestored.add(row.kind ?? (isPlainWord(row) ? "machine" : undefined));
  }

  /** What is known about this panel's rows, from one restore's point of view. Until some action has named a restore, actions prove nothing. */
  shownTo({ virtualMachineId: machine, kind }: RestoreTarget) {
    const restored = this.#kindsRestored;
    return {
      namesMachines: this.rowsName(machine),
      showsNames: this.showsNames(machine),
      saysRestore: restored.has(kind === "VmRestore" ? "machine" : "files"),
      saysFiles: restored.has("files"),
      isForeign: (link: string) => this.listed.isForeign(link, machine),
    };
  }

  /** Whether a different name means a different machine. Different numbers always do; letters may be a label until a row names this machine as the program does. */
  showsNames(machine: string): boolean {
    return isDecimalId(machine) || this.#showsNames;
  }

  rowsName(machine: string): boolean {
    return this.#kindsNamed.has(isDecimalId(machine));
  }

  /** True while a POST is about to be sent or has no candidate yet, on a panel whose rows name no machine. A new row may then belong to that POST. */
  get isTaken(): boolean {
    return this.#place.isFull;
  }

  /** Resolves once a POST may be sent. The caller must call the returned function once: when the restore has a candidate, or when it won't be sent. */
  async enter(machine: string, signal?: AbortSignal): Promise<() => void> {
    if (this.rowsName(machine)) return () => undefined;
    await this.#place.take(signal);
    if (!this.rowsName(machine)) return this.#place.release;
    // While this restore was waiting, rows turned out to name machines, so the restore needs no slot.
    this.#place.release();
    return () => undefined;
  }
}

/** `ends`: later reads would fail too. Otherwise, a failed read has no effect. */
export async function tryRead(
  { session: { feed } }: Pick<Run, "session">,
  depth: Depth,
  withinMs: number,
): Promise<Read | { readonly trouble: Message; readonly ends: boolean }> {
  try {
    return await feed.read(depth, withinMs);
  } catch (error) {
    return { trouble: partsOf(error), ends: isLasting(error) };
  }
}

/** The list's status words if none is known to be final, so that no restore would ever seem to end. Leaves out this program's restores, which may still be running. */
export function unknownWords(rows: readonly Row[], { unlisted, claims }: Session): readonly string[] {
  if (unlisted.saysEnd) return [];
  const isUnknown = (row: Row): boolean => ["unknown", "unclear"].includes(row.state);
  const unknown = rows.filter((row) => isUnknown(row) && claims.ownerOf(row.id) === undefined);
  return [...new Set(unknown.map((row) => statusText(row) ?? ""))];
}
