import type { Floor } from "../../feed/watching";
import type { Transaction } from "../../panel/terms/types";
import { floorAbove, floorLongAbove, isAbove } from "../rows/mark";
import { tieOf } from "../rows/tie";
import type { Follow, FollowRules } from "./follow-state";

/** How far down the list a restore that is followed has to be looked for. */
export function floorOf({ search, ids, waitsFor }: Follow): Floor {
  if (search.kind === "looking") {
    const { mark, postedBy } = search;
    const above = postedBy === "this run" ? floorAbove(mark) : floorLongAbove(mark);
    return { ...above, ...(ids.length > 0 && { ids: ids as readonly Transaction["id"][] }) };
  }
  if (search.extent === "whole") return { ids: ids as readonly Transaction["id"][] };
  // The panel makes the rows of a chain at once, so those that nothing names lie close to a known one.
  return { ids: [...ids, ...waitsFor] as readonly string[] as readonly Transaction["id"][], around: true };
}

/** Which rows it hears of. */
export function wants(state: Follow, row: Transaction, { target, identifiers }: FollowRules): boolean {
  const { search } = state;
  if (state.ids.includes(row.id) || state.waitsFor.includes(row.id)) return true;
  if (row.dependentTransactionId !== undefined && state.ids.includes(row.dependentTransactionId)) return true;
  if (row.chainId !== undefined && state.chainIds.includes(row.chainId)) return true;
  if (search.kind === "known") {
    // A list sorted by change may show a part before the one that links it to a known row, and no later look comes by it again.
    return search.extent === "to be seen" && (row.chainId ?? row.dependentTransactionId) !== undefined;
  }
  return isAbove(row, search.mark) && tieOf(row, target.virtualMachineId, identifiers) !== "another's";
}

/** Rows may be it, and only the machine's log can tell. */
export function asksMachineLog({ search }: Follow): boolean {
  return search.kind === "looking" && (search.sighting?.untold.length ?? 0) > 0;
}

/** Above a mark every row of the machine is looked at; of known transactions the other parts may still have to be asked for. */
export function hasWholeExtent({ search }: Follow): boolean {
  return search.kind === "looking" || search.extent === "whole";
}
