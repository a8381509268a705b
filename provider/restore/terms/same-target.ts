import { writtenByPanel } from "../../panel/terms/ids";
import { same } from "../../plain/same";

/** What decides which restore it is, beside its kind. A change of one of these is another restore. */
export const decidingInputs = ["virtualMachineId", "recoveryPointId", "paths", "triggers"] as const;

/**
 * Whether one input means the same restore in two spellings. Values may come from a program or from a state that somebody has
 * edited, so they may be anything.
 */
export function meansSame(input: string, a: unknown, b: unknown): boolean {
  return same(plainest(input, a), plainest(input, b));
}

/** The one spelling for all that mean the same. */
function plainest(input: string, value: unknown): unknown {
  switch (input) {
    case "virtualMachineId":
    case "recoveryPointId":
      // A state of 1.0.0 may hold `042`, which was machine 42 to the panel: whoever corrects it must not restore that machine again.
      return typeof value === "string" ? (writtenByPanel(value) ?? value) : (value ?? undefined);
    case "paths":
      // In another order they restore the same files, and a glob or a directory listing has no order to rely on.
      return Array.isArray(value) ? [...(value as readonly unknown[])].sort() : (value ?? undefined);
    case "triggers":
      return value ?? [];
    default:
      return value ?? undefined;
  }
}
