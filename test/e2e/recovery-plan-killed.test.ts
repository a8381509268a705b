import { killPlanAndGoOn, planMoments } from "./killing/plan";
import { needsProcesses } from "./support/processes";
import { useScene } from "./support/scene";

/** Of its first and its last moment; the long run has each of them, in every way to be killed. */
describe("a plan that is killed is finished by the next run, with one POST per machine", () => {
  const scene = useScene();

  needsProcesses();

  for (const moment of ["in the first wave", "before the verdict"] as const) {
    it(moment, () => killPlanAndGoOn(scene, planMoments[moment], "kill -9 of the CLI"));
  }
});
