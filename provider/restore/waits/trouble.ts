import type { WaitEvent } from "./waiting";

/**
 * A look that failed means nothing to a restore, with two exceptions: credentials that are refused will not be
 * accepted by asking again (and asking again may lock the account), and a permission that is missing is given a few
 * looks, since a panel that is being reconfigured refuses for a moment.
 */
export function endsTheWait(trouble: Extract<WaitEvent, { type: "trouble" }>): boolean {
  const status = statusOf(trouble.error);
  return status === 401 || (status === 403 && trouble.inARow >= looksWhileForbidden);
}

const looksWhileForbidden = 3;

/**
 * Whether a machine's log counts as one that cannot be read: the panel refuses it or does not have it, or reads of it have failed
 * several times in a row. One that is slow is none of these, however long that lasts: it may still say that the machine is busy.
 */
export function isUnreadable({ error, inARow }: { readonly error: Error; readonly inARow: number }): boolean {
  if (isSlow(error)) return false;
  return ("transient" in error && error.transient === false) || inARow >= readsOfALog;
}

/** The panel has not answered in time, which says nothing about what it would have answered. */
export function isSlow(error: Error): boolean {
  return "kind" in error && error.kind === "timeout";
}

const readsOfALog = 3;

/** The kinds of trouble since the panel could last be read, for telling news from more of the same. */
export class KindsOfTrouble {
  readonly #kinds = new Set<string>();

  hear(event: WaitEvent): void {
    if (event.type === "tick" || event.type === "head") this.#kinds.clear();
    else if (event.type === "trouble") this.#kinds.add(kindOf(event.error));
  }

  /** Undefined while the panel can be read. Changes with each new kind, and with no failure that is like one before it. */
  get kinds(): string | undefined {
    return this.#kinds.size === 0 ? undefined : [...this.#kinds].join(", ");
  }
}

/** By its class and status: the text may hold a request's number, and would differ each time. */
function kindOf(error: Error): string {
  const kind: unknown = "kind" in error ? error.kind : undefined;
  return `${typeof kind === "string" ? kind : error.name} ${String(statusOf(error) ?? "")}`;
}

function statusOf(error: Error): number | undefined {
  const status: unknown = "status" in error ? error.status : undefined;
  return typeof status === "number" ? status : undefined;
}
