import type { Chain, Row } from "./row-chains";
import { hasEnded, standingOf, type Standing, type Words } from "./row-words";

/** How a whole chain stands. */
export type ChainStanding = Exclude<Standing, "unheard-of">;

/**
 * A chain counts whole. It has ended when every row has; a row that did not complete decides how, and the oldest
 * such row is the cause: what follows it only fell with it.
 */
export function chainStanding(chain: Chain, words: Words): ChainStanding {
  const standings = chain.map((row) => standingOf(row.status, words));
  if (standings.every(hasEnded)) return standings.find(isNotGood) ?? "complete";
  return chain.some((row) => !awaitsItsTurn(row, words)) ? "running" : "pending";
}

/**
 * How a chain ends if what has not begun behind the row that did not complete never does: not every panel cancels the rest of a
 * chain. Undefined while no row went wrong, or one is still under way.
 */
export function brokenStanding(chain: Chain, words: Words): "failed" | "cancelled" | undefined {
  const standings = chain.map((row) => standingOf(row.status, words));
  const cause = standings.findIndex(isNotGood);
  const isSettled = chain.every(
    (row, index) => hasEnded(standings[index] ?? "pending") || (index > cause && awaitsItsTurn(row, words)),
  );
  return isSettled ? standings.find(isNotGood) : undefined;
}

/** Rows that nobody has begun to work on. */
export function notBegun(chain: Chain, words: Words): readonly Row[] {
  return chain.filter((row) => awaitsItsTurn(row, words));
}

function awaitsItsTurn(row: Row, words: Words): boolean {
  const standing = standingOf(row.status, words);
  return standing === "pending" || (standing === "unheard-of" && row.startedAt === undefined);
}

function isNotGood(standing: Standing): standing is "failed" | "cancelled" {
  return standing === "failed" || standing === "cancelled";
}

/** Words of a chain that no setting classifies. */
export function unheardOf(chain: Chain, words: Words): readonly string[] {
  return chain.flatMap((row) =>
    row.status !== undefined && standingOf(row.status, words) === "unheard-of" ? [row.status] : [],
  );
}

export type Verdict =
  | {
      readonly ended: false;
      readonly standing: "pending" | "running";
      /** What it comes to when the rest of chains that broke off never begins. */
      readonly broken?: Outcome;
    }
  | ({ readonly ended: true } & Outcome);

export interface Outcome {
  /** `differs`: of several chains that nothing tells apart. */
  readonly standing: "complete" | "failed" | "cancelled" | "differs";
}

/** Several chains that nothing tells apart are all waited for; when they end differently, nobody knows which was ours. */
export function verdictOf(chains: readonly Chain[], words: Words): Verdict {
  const standings = chains.map((chain) => chainStanding(chain, words));
  const outcome = outcomeOf(standings);
  if (outcome) return { ended: true, ...outcome };
  const broken = outcomeOf(chains.map((chain) => brokenStanding(chain, words) ?? chainStanding(chain, words)));
  const standing = standings.every((each) => each === "pending") ? "pending" : "running";
  return { ended: false, standing, ...(broken && { broken }) };
}

/** Undefined while one has not ended, or there is none. */
function outcomeOf(standings: readonly ChainStanding[]): Outcome | undefined {
  const [first] = standings;
  if (first === undefined || !standings.every(hasEnded)) return undefined;
  return { standing: standings.every((standing) => standing === first) && hasEnded(first) ? first : "differs" };
}
