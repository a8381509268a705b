import assert from "node:assert/strict";
import { intentIdOf, makingProcessOf } from "../../provider/inputs/intent";
import { isOverwritten } from "../../provider/inputs/record";
import { readMachineBefore, readPredecessor } from "../../provider/inputs/restore-inputs";

const vmUrn = "urn:pulumi:dev::drill::pulumi-nodejs:dynamic/recovery:VmRestore::web";
const fileUrn = "urn:pulumi:dev::drill::shop:Site$pulumi-nodejs:dynamic/recovery:FileRestore::recovery:VmRestore::x";

describe("what a restore is handed of the ones before it", () => {
  it("is the one right before it, with its own limits in milliseconds", () => {
    const given = { urn: vmUrn, intentId: "p-1", madeUnder: "p-1", status: "running", transactionIds: ["5001"] };
    const read = readPredecessor({ ...given, timeouts: { run: 5400 } });
    assert.deepEqual({ ...read, timeouts: read?.timeouts.runMs }, { ...given, timeouts: 5_400_000 });
  });

  it("lacks what is not known, and is none without a URN", () => {
    const { timeouts, ...read } = readPredecessor({ urn: vmUrn, transactionIds: null, status: "" })!;
    const none = { intentId: undefined, madeUnder: undefined, status: undefined, transactionIds: [] };
    assert.deepEqual(read, { urn: vmUrn, ...none });
    assert.equal(timeouts.busyMs, 30 * 60_000);
    for (const nothing of [undefined, null, {}, { status: "complete" }, "web"])
      assert.equal(readPredecessor(nothing), undefined);
  });

  it("is the last whole machine: the one right before it, or another one further back", () => {
    const vm = { urn: vmUrn, transactionIds: ["1"] };
    const file = { urn: fileUrn, transactionIds: ["2"] };
    assert.deepEqual(readMachineBefore({ predecessor: vm }), vm);
    assert.deepEqual(readMachineBefore({ predecessor: file, machineBefore: vm }), vm);
    assert.equal(readMachineBefore({ predecessor: file }), undefined);
    assert.equal(readMachineBefore({}), undefined);
  });
});

describe("a restore behind a machine's restore", () => {
  const table: readonly [name: string, stored: string[] | undefined, now: string[] | undefined, is: boolean][] = [
    ["is not overwritten while that one is the same", ["1", "2"], ["1", "2"], false],
    ["nor where more of its chain is known by now", ["2"], ["1", "2"], false],
    ["is overwritten where that one has others now", ["1", "2"], ["7"], true],
    ["is overwritten where it had none that was known", [], ["7"], true],
    ["is not known to be where none is known now", ["1"], [], false],
    ["nor where it stands behind none any more", ["1"], undefined, false],
    ["nor where nothing is stored and the ids say that it was made later", undefined, ["4"], false],
    ["nor where they do not tell", undefined, ["x7"], false],
    ["is overwritten where they say that all of that one was made later", undefined, ["6", "10"], true],
    ["and not where only a part of that one was", undefined, ["4", "7"], false],
  ];
  for (const [name, stored, now, is] of table) {
    it(name, () => {
      const record = { transactionIds: ["5"], ...(stored && { machineTransactionIds: stored }) };
      assert.equal(isOverwritten(record, now && { transactionIds: now }), is);
    });
  }
});

describe("the id of an intent", () => {
  it("tells the process that made it, and is another for each of them", () => {
    const [first, second] = [intentIdOf("0b3ec8567291", 1), intentIdOf("0b3ec8567291", 12)];
    assert.notEqual(first, second);
    assert.deepEqual([first, second].map(makingProcessOf), ["0b3ec8567291", "0b3ec8567291"]);
    assert.notEqual(makingProcessOf(intentIdOf("0b3ec856729", 11)), "0b3ec8567291");
  });

  it("tells none where an earlier release made it, whatever it looks like", () => {
    const uuids = ["intent-0e06bd84-f04a-4d83-89b4-36d4b31ed48e", "intent-0e06bd84-f04a-4d83-89b4-364943194841"];
    for (const id of [...uuids, "intent-0b3ec85672912d9d", "intent-1", "", "-1", "x"])
      assert.equal(makingProcessOf(id), undefined, id);
  });
});
