import { killAndGoOn, nameOf, type Case } from "./killing/case";
import { killers, type KillerName } from "./killing/killers";
import { moments, type MomentName } from "./killing/moments";
import { canFindProcesses } from "./support/processes";
import { useScene } from "./support/scene";

/** Every moment with the worst way to be killed, and every way to be killed at the worst moment. The long run has all pairs. */
const cases: readonly Case[] = [
  ...(Object.keys(moments) as MomentName[]).map(
    (moment): Case => ({ kind: "VmRestore", restores: 1, moment, killer: "kill -9 of the CLI" }),
  ),
  ...[...(Object.keys(killers) as KillerName[]).slice(1), "power loss of the panel" as const].map(
    (killer): Case => ({ kind: "FileRestore", restores: 1, moment: "after the POST was sent", killer }),
  ),
  { kind: "VmRestore", restores: 10, moment: "while running", killer: "kill -9 of the CLI" },
  { kind: "FileRestore", restores: 10, moment: "between mark and POST", killer: "kill -9 of the provider process" },
];

describe("a run that is killed leaves exactly one restore behind", () => {
  const scene = useScene();

  before(function () {
    if (!canFindProcesses) this.skip();
  });

  for (const one of cases) {
    it(nameOf(one), () => killAndGoOn(scene, one));
  }
});
