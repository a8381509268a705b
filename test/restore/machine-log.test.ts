import assert from "node:assert/strict";
import { omit } from "../../provider/plain/plain";
import type { LogItem } from "../../provider/panel/types";
import { machineLogReader, readMachineLog, findingsOf, namedTransactions } from "../../provider/restore/machine-log";
import type { MachineLog } from "../../provider/restore/poller";
import { VirtualClock } from "../support/virtual-clock";
import { LogClient, sessionOn, FakeFeed } from "./support/fake-feed";
import { row } from "./support/rows";

const everything = "everything";
const noon = { at: Date.parse("2026-11-21T12:00:00Z"), namesZone: true };
const localNoon = { ...noon, namesZone: false };
const log = (transactionIds: readonly string[], changes: Partial<MachineLog> = {}): MachineLog => ({
  transactionIds,
  askedAt: 10,
  since: everything,
  ...changes,
});

describe("how far down a read of a machine's log reaches", () => {
  const made = (stamp?: string) => row(5001, stamp === undefined ? {} : { createdAt: stamp });
  const table: readonly [name: string, read: MachineLog, of: ReturnType<typeof row>, reaches: boolean][] = [
    ["all of a short log, to everything", log([]), made(), true],
    ["to what was made after its oldest item", log([], { since: noon }), made("2026-11-21T12:00:00Z"), true],
    ["not to what was made before that", log([], { since: noon }), made("2026-11-21T11:59:59Z"), false],
    ["not to what does not say when it was made", log([], { since: noon }), made(), false],
    ["not to what has a higher id than one it names", log(["5009", "4990"], { since: noon }), made(), false],
    ["not to what names no zone where it does", log([], { since: noon }), made("2026-11-21T18:00:00"), false],
    ["to what names none either", log([], { since: localNoon }), made("2026-11-21T18:00:00"), true],
    ["not where it names higher ones only", log(["5009"], { since: noon }), made(), false],
    ["by letters to nothing", log(["ta"], { since: noon }), made(), false],
    [
      "to nothing where its items tell no time and name nothing",
      { transactionIds: [], askedAt: 10 },
      made("2026-11-21T12:00:00Z"),
      false,
    ],
  ];
  for (const [name, read, of, reaches] of table) {
    it(name, () => {
      assert.deepEqual([...findingsOf(read, [of]).excluded], reaches ? [of.id] : []);
    });
  }
});

describe("what a read of a machine's log says of rows", () => {
  it("names transactions, and excludes those that it would have named", () => {
    assert.deepEqual(findingsOf(log(["5002"]), [row(5001), row(5002)]), {
      named: new Set(["5002"]),
      excluded: new Set(["5001"]),
    });
  });
  it("excludes nothing that it does not reach down to", () => {
    assert.deepEqual(findingsOf(log(["5009"], { since: noon }), [row(5001)]).excluded, new Set());
  });
});

describe("a read of a machine's log", () => {
  const item = (id: number, changes: Partial<LogItem> = {}): Partial<LogItem> => ({
    id: String(id),
    targetType: "Transaction",
    targetId: String(5000 + id),
    createdAt: new Date(noon.at + id * 1000).toISOString(),
    ...changes,
  });
  const read = (items: readonly Partial<LogItem>[]) => {
    const clock = new VirtualClock();
    const client = new LogClient();
    client.answer = () => Promise.resolve(items);
    return readMachineLog(sessionOn(clock, new FakeFeed(clock), client), "42", []);
  };
  const items = (count: number) => Array.from({ length: count }, (_, index) => item(count - index));

  it("names transactions and nothing else", () => {
    const others = [
      item(1, { targetType: "Alert" }),
      item(2, { targetType: "transaction" }),
      { id: "3", targetType: "Transaction" },
    ];
    assert.deepEqual(namedTransactions(others as LogItem[]), ["5002"]);
  });
  it("reaches everywhere with fewer items than any panel gives, else back to its oldest", async () => {
    assert.equal((await read(items(9))).since, everything);
    assert.deepEqual((await read(items(10))).since, { at: noon.at + 1000, namesZone: true });
  });
  it("does not tell how far back it goes where no item says when it was made", async () => {
    assert.equal("since" in (await read(items(10).map((each) => omit(each, "createdAt")))), false);
  });
});

it("counts among the reads that failed in a row none that only took too long", async () => {
  const clock = new VirtualClock();
  const client = new LogClient();
  const slow = Object.assign(new Error("no answer in time"), { kind: "timeout" });
  const failures = [slow, slow, slow, new Error("503"), slow, new Error("503")];
  client.answer = () => Promise.reject(failures.shift() ?? slow);
  const failuresInARow: number[] = [];
  const { signal } = new AbortController();
  const readLog = machineLogReader(sessionOn(clock, new FakeFeed(clock), client), "42", signal, (read) => {
    if (read.type === "machine-log-trouble") failuresInARow.push(read.failuresInARow);
  });
  while (failures.length > 0) {
    readLog([row(1)]);
    await clock.advance(30_000);
  }
  assert.deepEqual(failuresInARow, [0, 0, 0, 1, 1, 2]);
});
