import assert from "node:assert/strict";
import * as fc from "fast-check";
import { type CheckResult } from "../../provider/inputs/check-restore";
import { freshProcess } from "./support/fresh-process";
import { restoreMachine } from "../../provider/panel/requests";
import type { MachineId, RecoveryPointId } from "../../provider/panel/types";
import { thorough } from "../support/thorough";

const kinds = ["VmRestore", "FileRestore"] as const;
type Kind = (typeof kinds)[number];

const { vmRestore, fileRestore } = freshProcess();
const check = (kind: Kind, news: unknown): CheckResult =>
  (kind === "VmRestore" ? vmRestore : fileRestore).check({}, news) as CheckResult;

const right: Record<string, unknown> = {
  virtualMachineId: "42",
  recoveryPointId: "1007",
  triggers: ["drill"],
  timeouts: { run: 60 },
  wait: true,
  adopt: "5015",
  retryFailed: true,
  captureLog: "never",
};
const inputsOf = (kind: Kind): Record<string, unknown> =>
  kind === "VmRestore" ? right : { ...right, paths: ["/etc/hosts"] };

describe("an id with other characters", () => {
  const wayward = [
    ...["42/../43", "42%2f43", "42?x=1", "42.json", "42\\43", "42\n", "42\r\nHost: elsewhere"],
    ...["//elsewhere.example", "@elsewhere.example", "..", "４２", "1".repeat(129)],
  ];
  for (const id of wayward) {
    for (const name of ["virtualMachineId", "recoveryPointId"] as const) {
      it(`${JSON.stringify(id).slice(0, 40)} is refused as ${name}`, () => {
        for (const kind of kinds) {
          const { failures } = check(kind, { ...inputsOf(kind), [name]: id });
          assert.deepEqual(
            failures.map(({ property }) => property),
            [name],
          );
        }
      });
    }
  }

  it("never gets into a path: a valid id is one unchanged segment", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...Array.from("aZ09-_./%\\?#: ")) })),
        (id) => {
          const { failures, inputs } = check("VmRestore", { ...right, virtualMachineId: id });
          if (failures.length > 0) return;
          const machine = inputs["virtualMachineId"] as MachineId;
          const { path } = restoreMachine(machine, "7" as RecoveryPointId, "json", undefined);
          assert.equal(path, `/virtual_machines/${id}/backups/recovery_points/7/restore.json`);
          assert.equal(new URL(path, "https://panel.example").pathname, path);
        },
      ),
      { numRuns: thorough(500, 2_000) },
    );
  });
});
