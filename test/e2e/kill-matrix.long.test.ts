import { killAndGoOn, nameOf, type Case } from "./killing/case";
import { killers, type KillerName } from "./killing/killers";
import { moments, type MomentName } from "./killing/moments";
import { canFindProcesses } from "./support/processes";
import { useScene } from "./support/scene";

const ways = [...(Object.keys(killers) as KillerName[]), "power loss of the panel" as const];

for (const moment of Object.keys(moments) as MomentName[]) {
  describe(`killed ${moment}`, () => {
    const scene = useScene();

    before(function () {
      if (!canFindProcesses) this.skip();
    });

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
