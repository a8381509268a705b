import { killAndGoOn, nameOf, type Case } from "../killing/case";
import { killers, type KillerName } from "../killing/killers";
import { moments, type MomentName } from "../killing/moments";
import { needs } from "../support/needs";
import { needsProcesses } from "../support/processes";
import { useScene } from "../support/scene";

describe("a program in YAML killed at every moment, in every way", () => {
  const scene = useScene();

  needs("yaml-host");
  needsProcesses();

  for (const moment of Object.keys(moments) as MomentName[]) {
    for (const killer of [...(Object.keys(killers) as KillerName[]), "power loss of the panel" as const]) {
      const one: Case = { kind: "VmRestore", restores: 1, moment, killer, language: "YAML" };
      it(nameOf(one), () => killAndGoOn(scene, one));
    }
    const ten: Case = { kind: "FileRestore", restores: 10, moment, killer: "kill -9 of the CLI", language: "YAML" };
    it(nameOf(ten), () => killAndGoOn(scene, ten));
  }
});
