import { type ConfiguredWords, noWords } from "../../provider/panel/facts";
import type { Row } from "../../provider/rows/order";
import { inProcess } from "../panel/support/clients";

/** Reads rows, as a panel would send them, with the client that reads all lists. */
export const listed = (...rows: readonly object[]): Promise<readonly Row[]> => listedBy(noWords, ...rows);

export async function listedBy(words: ConfiguredWords, ...rows: readonly object[]): Promise<readonly Row[]> {
  const headers = { "content-type": "application/json" };
  const { client } = inProcess(() => ({ status: 200, headers, body: JSON.stringify(rows) }), { words });
  return (await client.listTransactions({})).items.map(({ facts }) => facts);
}

/** Rows for tests in which only the ids matter. */
export function withIds(...ids: readonly string[]): readonly Row[] {
  return ids.map((id) => ({ id, machines: [], perhaps: [], points: [] }) as unknown as Row);
}
