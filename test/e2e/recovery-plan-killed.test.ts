import { killPlanAndGoOn, planMoments } from "./killing/plan";
import { needsProcesses } from "./support/processes";
import { useScene } from "./support/scene";

/** In one moment and one way; the long run has all of both. */
describe("a plan that is killed is finished by the next run, with one POST per machine", () => {
  const scene = useScene();

  needsProcesses();

  const moment = "in the first wave";
  it(moment, () => killPlanAndGoOn(scene, planMoments[moment], "kill -9 of the CLI"));
});
