import assert from "node:assert/strict";
import * as fc from "fast-check";
import { type CheckResult } from "../../provider/inputs/check-restore";
import { freshProcess } from "./support/fresh-process";
import { restoreMachine } from "../../provider/panel/requests";
import type { MachineId, RecoveryPointId } from "../../provider/panel/types";
import { thorough } from "../support/thorough";

describe("an id with other characters", () => {
  it("never gets into a path, since a valid id is one unchanged segment", () => {
    const { vmRestore, fileRestore } = freshProcess();
    const wayward = fc.constantFrom("42\r\nHost: elsewhere", "42\n", "..", "//a.example", "４２", "1".repeat(129));
    const segment = fc.string({ unit: fc.constantFrom(...Array.from("aZ09-_./%\\?#: @")) });
    fc.assert(
      fc.property(fc.oneof(fc.string(), segment, wayward), fc.boolean(), (id, isMachine) => {
        const given = isMachine ? { virtualMachineId: id, recoveryPointId: "7" } : { virtualMachineId: "7", recoveryPointId: id }; // prettier-ignore
        const checks = [
          vmRestore.check({}, given),
          fileRestore.check({}, { ...given, paths: ["/a"] }),
        ] as CheckResult[];
        const [machine, point] = [given.virtualMachineId as MachineId, given.recoveryPointId as RecoveryPointId];
        const path = `/virtual_machines/${machine}/backups/recovery_points/${point}/restore.json`;
        const isRight = /^(?!0\d+$)[\w-]{1,128}$/.test(id);
        for (const { failures } of checks)
          assert.deepEqual(failures.map(({ property }) => property), isRight ? [] : [isMachine ? "virtualMachineId" : "recoveryPointId"]); // prettier-ignore
        if (isRight) assert.equal(restoreMachine(machine, point, "json", undefined).path, path);
      }),
      { numRuns: thorough(500, 2_000) },
    );
  });
});
