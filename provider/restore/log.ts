import type { LogItem, MachineId } from "../panel/types";
import type { Session } from "./session";

/**
 * The transactions that a machine's own log names. Undefined where the log says nothing: it cannot be read, is empty, or names none. One page is
 * enough, because the rows in question are a few minutes old.
 */
export async function namedInLog(
  { client }: Pick<Session, "client">,
  machine: string,
): Promise<ReadonlySet<string> | undefined> {
  try {
    const { items } = await client.listLogItems(machine as MachineId, { perPage: 50 });
    const named = items.flatMap((item) => transactionIn(item) ?? []);
    return named.length === 0 ? undefined : new Set(named);
  } catch {
    return undefined;
  }
}

function transactionIn({ transactionId, targetId, targetType = "" }: LogItem): string | undefined {
  return transactionId ?? (/^transaction$/i.test(targetType) ? targetId : undefined);
}
