import { killers, type KillerName } from "../killing/killers";
import { killPlanAndGoOn, planMoments, type PlanMomentName } from "../killing/plan";
import { needsProcesses } from "../support/processes";
import { useScene } from "../support/scene";

describe("a plan killed at every moment, in every way", () => {
  const scene = useScene();

  needsProcesses();

  for (const moment of Object.keys(planMoments) as PlanMomentName[]) {
    for (const killer of Object.keys(killers) as KillerName[]) {
      it(`${killer}, ${moment}`, () => killPlanAndGoOn(scene, planMoments[moment], killer));
    }
    it(`kill -9 of the CLI, ${moment}, with points chosen by a rule while newer backups appear`, () =>
      killPlanAndGoOn(scene, planMoments[moment], "kill -9 of the CLI", "by a rule"));
  }
});
