import { PlanStack, type ProcessOf } from "../../drills/engine/support/plan-lab";
import { Process } from "../../support/process";
import type { MakePanel } from "../panel";
import { OnStage } from "../stage";

export class PlanOnStage extends PlanStack {
  readonly stage: OnStage;

  constructor(make: MakePanel, restoreSeconds = 20) {
    const stage = new OnStage(make, "json", { declared: [], restoreSeconds });
    super(stage.time);
    this.stage = stage;
  }

  protected newProcess(...[id, connection, station]: ProcessOf): Process {
    this.stage.onPosted = () => void setImmediate(station, "after a POST");
    return new Process(id, this.stage.on, connection);
  }

  /** The seconds between POSTs. */
  get gaps(): readonly number[] {
    return this.stage.gaps;
  }

  /** A run in which machine 42's restores fail. They succeed in later runs. */
  async upFailing(plan: object): Promise<string> {
    this.stage.failing.add("42");
    const said = await this.up(plan);
    this.stage.failing.clear();
    return said?.join("\n") ?? "";
  }
}
