import { elapsed } from "../../time/elapsed";
import type { Voice } from "../terms/result";
import type { Warning } from "../terms/warning";
import { firstFew } from "./first-few";
import { withoutStop } from "./messages";

/** A warning as it is said on the restore's row, and as it is stored among its outputs. */
export function warningText(warning: Warning): string {
  switch (warning.kind) {
    case "not waited for":
      return (
        `transaction ${firstFew(warning.transactionIds)} does not say which machine it is of, and the machine's log, which would tell, ` +
        `cannot be read (${withoutStop(warning.trouble)}); it was not waited for`
      );
    case "adopted": {
      const actions = [...new Set(warning.rows.map((row) => row.action ?? "no action given"))];
      const ids = warning.rows.map((row) => row.id).join(", ");
      return (
        `adopted transaction ${ids} (${actions.join(", ")}, ${elapsed(warning.ageMs)} ago) as this restore: an earlier run was ` +
        "interrupted after posting it, and nothing was posted again"
      );
    }
    case "taken":
      return `took transaction ${warning.transactionId} as this restore, because adopt names it, and posted nothing`;
    case "no restore by name":
      return `transaction ${warning.transactionId}, which adopt names, is a ${warning.action}, which is no restore by its name`;
    case "appeared later": {
      const rows = warning.rows.map(
        (row) => `${row.id} (${row.action ?? "no action given"}, made ${row.createdAt ?? "at a time not told"})`,
      );
      return (
        `a run before this one posted the restore and did not see it listed; transaction ${rows.join(", ")} has appeared since ` +
        "and is taken for it"
      );
    }
    case "alike":
      return (
        `nothing tells these transactions apart: ${warning.transactionIds.join(", ")} may each be this restore, so all of them ` +
        "are waited for"
      );
    case "unheard of":
      return (
        `the panel's status "${warning.status}" is neither a success nor a failure known here, so the restore counts as ` +
        "unfinished; classify the word with recovery:completeStatuses or recovery:failedStatuses"
      );
    case "kept":
      return warning.text;
  }
}

/** What is stored of warnings. One that an earlier run has stored, and this one has reason for as well, stands there once. */
export function warningTexts(warnings: readonly Warning[]): readonly string[] {
  return [...new Set(warnings.map(warningText))];
}

/** Says each warning once, when it first comes. Those known from the beginning have been said, by this run or by the one that stored them. */
export function sayingNew(
  voice: Pick<Voice, "warn">,
  known: readonly Warning[],
): (warnings: readonly Warning[]) => void {
  const said = new Set(warningTexts(known));
  return (warnings) => {
    for (const text of warningTexts(warnings)) {
      if (said.has(text)) continue;
      said.add(text);
      voice.warn(text);
    }
  };
}
