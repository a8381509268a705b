import assert from "node:assert/strict";
import fc from "fast-check";
import { readSettings } from "../../provider/inputs/settings";
import { keyedSource } from "../../provider/inputs/settings-sources";
import { hasEnded, mayBeRestore, normalizeStatus, type ConfiguredWords } from "../../provider/rows/words";
import { plainWords } from "../restore/support/rows";

const taught: ConfiguredWords = {
  restoreActions: ["recover_vm"],
  completeStatuses: ["finished"],
  failedStatuses: ["warn"],
};

describe("what a status means", () => {
  const table: readonly [status: string | undefined, words: ConfiguredWords, expected: string][] = [
    ["pending", plainWords, "pending"],
    ["running", plainWords, "running"],
    ["complete", plainWords, "complete"],
    ["failed", plainWords, "failed"],
    ["cancelled", plainWords, "cancelled"],
    ["canceled", plainWords, "cancelled"],
    ["Complete", plainWords, "complete"],
    [" FAILED\n", plainWords, "failed"],
    ["completed", plainWords, "unrecognized"],
    ["warn", plainWords, "unrecognized"],
    ["", plainWords, "unrecognized"],
    [undefined, plainWords, "unrecognized"],
    ["Finished", taught, "complete"],
    ["warn", taught, "failed"],
    ["complete", taught, "complete"],
  ];
  for (const [status, words, meaning] of table) {
    it(`${JSON.stringify(status)} is ${meaning}${words === taught ? ", as this panel's settings teach" : ""}`, () => {
      assert.equal(normalizeStatus(status, words), meaning);
    });
  }

  it("is no setting's to change where every panel means the same", () => {
    for (const [status, words, meaning] of table) {
      const word = status?.trim().toLowerCase() ?? "";
      if (words !== plainWords || meaning === "unrecognized") continue;
      for (const setting of ["complete", "failed"]) {
        const settings: Readonly<Record<string, string>> = {
          "recovery:endpoint": "https://panel.example",
          "recovery:username": "ops",
          "recovery:password": "secret",
          [`recovery:${setting}Statuses`]: word,
        };
        const read = (): unknown => readSettings([keyedSource("the stack", (key) => settings[key])]);
        if (meaning === setting) assert.doesNotThrow(read);
        else assert.throws(read, new RegExp(`"${word}"`), `${setting}: ${word}`);
      }
    }
  });

  it("no word that is not known or taught ends anything", () => {
    fc.assert(
      fc.property(fc.string(), (status) => {
        const known = /^\s*(complete|failed|cancell?ed)\s*$/i.test(status);
        assert.equal(hasEnded(normalizeStatus(status, plainWords)), known);
      }),
    );
  });
});

describe("what may be a restore", () => {
  const table: readonly [action: string | undefined, words: ConfiguredWords, may: boolean][] = [
    ["restore_recovery_point", plainWords, true],
    ["Restore Backup", plainWords, true],
    ["take_backup", plainWords, false],
    ["update_firewall", plainWords, false],
    [undefined, plainWords, true],
    ["  ", plainWords, true],
    ["Recover_VM", taught, true],
    ["restore_backup", taught, false],
  ];
  for (const [action, words, may] of table) {
    it(`${JSON.stringify(action)}${words === taught ? " with taught names" : ""}: ${may ? "may" : "may not"}`, () => {
      assert.equal(mayBeRestore(action === undefined ? {} : { action }, words), may);
    });
  }
});
