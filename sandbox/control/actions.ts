import type { SandboxPanel } from "../panel/sandbox-panel";
import * as shapes from "../panel/shapes";
import { type ControlAnswer, notFoundAnswer } from "./queries";

/** Runs an action on the panel and its cloud. A body of the wrong shape throws and names the key. */
export function runAction(path: string, body: unknown, panel: SandboxPanel): ControlAnswer {
  const done = (result: object = {}): ControlAnswer => ({ status: 200, json: result });
  const ended = /^\/transactions\/([^/]+)\/end$/.exec(path)?.[1];
  if (ended !== undefined) {
    panel.endTransaction(ended, shapes.ending(body, "").outcome);
    return done();
  }
  switch (path) {
    case "/machines":
      panel.addMachine(shapes.machine(body, ""));
      return done();
    case "/recovery-points": {
      const { machineId, ...point } = shapes.newPoint(body, "");
      return done({ id: panel.addRecoveryPoint(machineId, point) });
    }
    case "/transactions":
      return done({ id: panel.addTransaction(shapes.transaction(body, "")) });
    case "/restores": {
      const { machineId, recoveryPointId, ...options } = shapes.foreignRestore(body, "");
      return done({ id: panel.postRestoreAsSomebodyElse(machineId, recoveryPointId, options) });
    }
    case "/next-restore": {
      const { machineId, ...next } = shapes.nextRestore(body, "");
      panel.failNext(machineId, next);
      return done();
    }
    case "/background":
      panel.setBackground(shapes.background(body, "").perSecond);
      return done();
    case "/faults":
      panel.setFaults(shapes.faults(body, "faults"));
      return done(panel.faults());
    case "/dialect":
      panel.setDialect(shapes.switches(body, "dialect"));
      return done(panel.dialect());
    default:
      return notFoundAnswer(path);
  }
}
