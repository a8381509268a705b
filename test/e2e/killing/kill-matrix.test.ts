import { killAndGoOn, nameOf, type Case } from "./case";
import { killers, type KillerName } from "./killers";
import { moments, type MomentName } from "./moments";
import { needs } from "../support/needs";
import { needsProcesses } from "../support/processes";
import { useScene } from "../support/scene";
import { long } from "../../support/thorough";

const allMoments = Object.keys(moments) as MomentName[];
const ways = [...(Object.keys(killers) as KillerName[]), "power loss of the panel" as const];

/** The moments at which the quick run kills the CLI during one restore. */
const quick: readonly MomentName[] = ["between mark and POST", "while unlisted"];

/** Kills runs with one restore (of alternating kinds) and with ten, at every moment of a restore's life and in every way. */
describe("a run that is killed at any moment leaves exactly one POST for each restore:", () => {
  const scene = useScene();

  needsProcesses();

  allMoments.forEach((moment, row) =>
    ways.forEach((killer, column) => {
      const kind = (row + column) % 2 === 0 ? "VmRestore" : "FileRestore";
      const isQuick = quick.includes(moment) && killer === "kill -9 of the CLI";
      for (const [one, run] of [
        [{ kind, restores: 1, moment, killer }, isQuick ? it : long.it],
        [{ kind: "both", restores: 10, moment, killer }, long.it],
      ] as const)
        run(nameOf(one), () => killAndGoOn(scene, one));
    }),
  );
});

long.describe("a YAML program that is killed at any moment leaves exactly one POST for each restore:", () => {
  const scene = useScene();

  needs("yaml-host");
  needsProcesses();

  allMoments.forEach((moment, row) => {
    const killer = ways[row % ways.length]!;
    const kind = row % 2 === 0 ? "VmRestore" : "FileRestore";
    for (const restores of [1, 10] as const) {
      const one: Case = { kind, restores, moment, killer, language: "YAML" };
      it(nameOf(one), () => killAndGoOn(scene, one));
    }
  });
});
