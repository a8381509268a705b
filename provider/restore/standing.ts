import type { Chain } from "./chain";
import { hasEnded, standingOf, type Standing, type Words } from "./words";

/** How a whole chain stands. */
export type ChainStanding = Exclude<Standing, "unheard-of">;

/**
 * A chain counts whole. It has ended when every row has; a row that did not complete decides how, and the oldest
 * such row is the cause: what follows it only fell with it.
 */
export function chainStanding(chain: Chain, words: Words): ChainStanding {
  const standings = chain.map((row) => standingOf(row.status, words));
  if (standings.every(hasEnded)) {
    return standings.find((standing) => standing !== "complete") ?? "complete";
  }
  const begun = chain.some(
    (row, index) =>
      standings[index] !== "pending" && !(standings[index] === "unheard-of" && row.startedAt === undefined),
  );
  return begun ? "running" : "pending";
}

/** Words of a chain that no setting classifies. */
export function unheardOf(chain: Chain, words: Words): readonly string[] {
  return chain.flatMap((row) =>
    row.status !== undefined && standingOf(row.status, words) === "unheard-of" ? [row.status] : [],
  );
}

export type Verdict =
  | { readonly ended: false; readonly standing: "pending" | "running" }
  | { readonly ended: true; readonly standing: "complete" | "failed" | "cancelled" }
  | { readonly ended: true; readonly standing: "differs" };

/** Several chains that nothing tells apart are all waited for; when they end differently, nobody knows which was ours. */
export function verdictOf(chains: readonly Chain[], words: Words): Verdict {
  const standings = chains.map((chain) => chainStanding(chain, words));
  const [first] = standings;
  if (first === undefined || standings.includes("running")) {
    return { ended: false, standing: first === undefined ? "pending" : "running" };
  }
  if (standings.includes("pending")) {
    return { ended: false, standing: standings.every((standing) => standing === "pending") ? "pending" : "running" };
  }
  if (standings.some((standing) => standing !== first)) return { ended: true, standing: "differs" };
  return { ended: true, standing: first as "complete" | "failed" | "cancelled" };
}
