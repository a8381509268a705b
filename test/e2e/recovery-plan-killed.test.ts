import { long } from "../support/thorough";
import { killers } from "./killing/killers";
import { killPlan, stations, type PlanKiller, type StationName } from "./killing/plan";
import { needsProcesses } from "./support/processes";
import { useScene } from "./support/scene";

describe("a plan that is killed is finished by the next up, with one POST for each machine and attempt", () => {
  const scene = useScene();

  needsProcesses();

  it("kill -9 of the CLI, among the POSTs", () =>
    killPlan(scene, "among the POSTs", "kill -9 of the CLI", { recoveryPoint: "newest" }));

  for (const station of Object.keys(stations) as StationName[])
    for (const killer of [...Object.keys(killers), "power loss of the panel"] as PlanKiller[])
      long.it(`${killer}, ${station}`, () => killPlan(scene, station, killer));

  long.it("kill -9 of the CLI, between intent and wave, with points chosen by a rule", () =>
    killPlan(scene, "between intent and wave", "kill -9 of the CLI", { recoveryPoint: "newest" }),
  );
});
