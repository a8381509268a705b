import { killAndGoOn, nameOf, type Case } from "../killing/case";
import { killers, type KillerName } from "../killing/killers";
import type { MomentName } from "../killing/moments";
import { needsProcesses } from "../support/processes";
import { useScene } from "../support/scene";

const ways = [...(Object.keys(killers) as KillerName[]), "power loss of the panel" as const];

const flights: readonly Pick<Case, "kind" | "restores">[] = [
  { kind: "VmRestore", restores: 1 },
  { kind: "FileRestore", restores: 1 },
  { kind: "both", restores: 10 },
];

/** A run is killed at one moment of a restore's life, in every way, with restores of both kinds, alone and ten in flight. */
export function killedAt(moment: MomentName): void {
  describe(`killed ${moment}`, () => {
    const scene = useScene();

    needsProcesses();

    for (const killer of ways) {
      for (const { kind, restores } of flights) {
        const one: Case = { kind, restores, moment, killer };
        it(nameOf(one), () => killAndGoOn(scene, one));
      }
    }
  });
}
