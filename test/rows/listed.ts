import { createPanelClient } from "../../provider/panel/client";
import { type ConfiguredWords, noWords } from "../../provider/panel/facts";
import { Secret } from "../../provider/panel/secrets";
import { systemClock } from "../../provider/plain/clock";
import type { Row } from "../../provider/rows/order";

/** Rows as a panel sends them, read through the client used for all lists. */
export const listed = (...rows: readonly object[]): Promise<readonly Row[]> => listedBy(noWords, ...rows);

export async function listedBy(words: ConfiguredWords, ...rows: readonly object[]): Promise<readonly Row[]> {
  const headers = { "content-type": "application/json" };
  const client = createPanelClient({
    endpoint: "https://panel.example",
    username: "operator",
    password: new Secret("password"),
    format: "json",
    words,
    insecure: false,
    requestTimeoutMs: 30_000,
    transport: () => Promise.resolve({ status: 200, headers, body: JSON.stringify(rows) }),
    clock: systemClock,
    random: () => 0.5,
  });
  return (await client.listTransactions({})).items.map(({ facts }) => facts);
}

/** Rows for tests in which only the ids matter. */
export function withIds(...ids: readonly string[]): readonly Row[] {
  return ids.map((id) => ({ id, machines: [], perhaps: [], points: [] }) as unknown as Row);
}
