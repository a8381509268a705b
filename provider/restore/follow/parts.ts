import type { Chain } from "../rows/row-chains";
import type { Words } from "../rows/row-words";
import { unheardOf } from "../rows/standing";
import type { Warning } from "../terms/warning";
import type { FollowRules, Underway } from "./follow-state";

/** What was taken with all that is known to belong to it, and whether the look that showed it had asked for all of that. */
export function withParts(found: Underway, chains: readonly Chain[], before: Underway, rules: FollowRules): Underway {
  const rows = chains.flat();
  const ids = rows.map((row) => row.id);
  const chainIds = [...new Set(rows.flatMap((row) => row.chainId ?? []))];
  const waitsFor = [...new Set(rows.flatMap((row) => row.dependentTransactionId ?? []))].filter(
    (id) => !ids.includes(id),
  );
  const parts: Underway = {
    ...found,
    ids: sameIds(ids, found.ids) ? found.ids : ids,
    chainIds,
    waitsFor,
    warnings: withUnheardOf(found.warnings, chains, rules.words),
  };
  if (before.search.kind === "looking") return parts;
  const asked = [...before.ids, ...before.waitsFor];
  const hasAskedForAll = sameIds(chainIds, before.chainIds) && [...ids, ...waitsFor].every((id) => asked.includes(id));
  return { ...parts, search: { kind: "known", extent: hasAskedForAll ? "whole" : "to be seen" } };
}

/** A look that shows none of them shows nothing further to ask for. */
export function withoutFurtherParts(state: Underway): Underway {
  return state.search.kind === "looking" ? state : { ...state, search: { kind: "known", extent: "whole" } };
}

function withUnheardOf(warnings: readonly Warning[], chains: readonly Chain[], words: Words): readonly Warning[] {
  const known = warnings.flatMap((warning) => (warning.kind === "unheard of" ? warning.status : []));
  const statuses = new Set(chains.flatMap((chain) => unheardOf(chain, words)));
  const news = [...statuses].filter((status) => !known.includes(status));
  return news.length === 0
    ? warnings
    : [...warnings, ...news.map((status): Warning => ({ kind: "unheard of", status }))];
}

function sameIds(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id) => b.includes(id));
}
