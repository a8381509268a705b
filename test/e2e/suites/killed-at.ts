import { killAndGoOn, nameOf, type Case } from "../killing/case";
import { killers, type KillerName } from "../killing/killers";
import type { MomentName } from "../killing/moments";
import { needsProcesses } from "../support/processes";
import { useScene } from "../support/scene";

const ways = [...(Object.keys(killers) as KillerName[]), "power loss of the panel" as const];

/** A run is killed at one moment of a restore's life, in every way, with restores of both kinds, alone and ten at a time. */
export function killedAt(moment: MomentName): void {
  describe(`killed ${moment}`, () => {
    const scene = useScene();

    needsProcesses();

    for (const killer of ways) {
      for (const kind of ["VmRestore", "FileRestore"] as const) {
        for (const restores of [1, 10] as const) {
          const one: Case = { kind, restores, moment, killer };
          it(nameOf(one), () => killAndGoOn(scene, one));
        }
      }
    }
  });
}
