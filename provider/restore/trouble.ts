import type { WaitEvent } from "./wait";

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

function statusOf(error: Error): number | undefined {
  const status: unknown = "status" in error ? error.status : undefined;
  return typeof status === "number" ? status : undefined;
}
