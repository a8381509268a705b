/**
 * Measures the decoding of a list of 1,000 detailed rows in each format, beside JSON.parse alone for the same bytes. Run it with
 * `npx ts-node bench/decode.ts`.
 */
import { performance } from "node:perf_hooks";
import { decodeTransactions } from "../provider/panel/decode";
import { encodeList, transactionNames, type Fields } from "../test/panel/support/wire";

const rowCount = 1_000;
const rounds = 30;

function detailedRow(index: number, firstId: bigint | number): Fields {
  const at = new Date(Date.UTC(2026, 10, 21, 10, 0, index % 60)).toISOString();
  return {
    id: typeof firstId === "bigint" ? String(firstId + BigInt(index)) : firstId + index,
    identifier: `vm${String(index)}`,
    action: "restore_backup",
    status: index % 7 === 0 ? "failed" : "complete",
    parent_id: 77,
    parent_type: "Backup",
    associated_object_id: 42,
    associated_object_type: "VirtualMachine",
    dependent_transaction_id: index % 2 === 0 ? null : 5_000 + index,
    chain_id: 900 + index,
    lock_version: 2,
    params: { shutdown_type: "soft", destroy_msg: null },
    log_output: `Executing rollback <${String(index)}>\n`.repeat(40),
    user_id: 3,
    actor: null,
    pid: 4_321,
    priority: 10,
    allowed_cancel: true,
    scheduled: false,
    created_at: at,
    updated_at: at,
    started_at: at,
  };
}

function medianMs(run: () => unknown): number {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now();
    run();
    times.push(performance.now() - startedAt);
  }
  return times.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? NaN;
}

const rows = Array.from({ length: rowCount }, (_, index) => detailedRow(index, 5_000));
const json = encodeList(rows, transactionNames, "json");
const bigIds = encodeList(
  rows.map((_, index) => detailedRow(index, 2n ** 60n)),
  transactionNames,
  "json",
).replace(/"id":"(\d+)"/g, '"id":$1');
const xml = encodeList(rows, transactionNames, "xml");

const cases = [
  { what: "JSON.parse alone", body: json, run: () => JSON.parse(json) as unknown },
  { what: "json", body: json, run: () => decodeTransactions(json, "json") },
  { what: "json, ids above 2^53", body: bigIds, run: () => decodeTransactions(bigIds, "json") },
  { what: "xml", body: xml, run: () => decodeTransactions(xml, "xml") },
];
for (const { run } of cases) run();
console.table(
  cases.map(({ what, body, run }) => {
    const ms = medianMs(run);
    const mebibytes = Buffer.byteLength(body) / 2 ** 20;
    return {
      what,
      rows: rowCount,
      MiB: mebibytes.toFixed(2),
      ms: ms.toFixed(1),
      "MiB/s": ((mebibytes / ms) * 1_000).toFixed(0),
    };
  }),
);
