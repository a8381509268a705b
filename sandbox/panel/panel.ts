import { changeDialect } from "../dialect/presets";
import { SandboxError } from "../plain/input";
import { HttpPanel } from "./http-panel";
import { machineRecord, restoreRecord, transactionRecord } from "./records";
import type { PanelOptions, SandboxPanel } from "./sandbox-panel";

/** What else the servers need. */
export type ControlledPanel = SandboxPanel & Pick<HttpPanel, "clock" | "speed" | "receive">;

/** Makes a panel with its records and the actions of a test or the page. */
export function makePanel(options: PanelOptions): ControlledPanel {
  const panel = new HttpPanel(options);
  const { cloud, picker, username, password, clock, speed } = panel;
  const saved = <T>(result: T): T => {
    panel.save();
    return result;
  };
  return {
    ...{ username, password, clock, speed },
    receive: (request) => panel.receive(request),
    handle: (request) => panel.handle(request),
    requests: () => panel.requests,
    acceptedPosts(machineId) {
      const machine = cloud.machines.get(String(machineId))?.id;
      return cloud.restores.filter(
        (restore) => restore.by === "post" && (machineId === undefined || restore.machineId === machine),
      ).length;
    },
    restores() {
      saved(cloud.advance());
      return cloud.restores.map((restore) => restoreRecord(cloud, restore));
    },
    transactions() {
      const now = saved(cloud.advance());
      return [...cloud.ledger.jobs()].map((job) => transactionRecord(cloud, job, now));
    },
    machines() {
      saved(cloud.advance());
      return cloud.allMachines().map((machine) => machineRecord(cloud, machine));
    },
    endTransaction(id, outcome) {
      cloud.endTransaction(String(id), outcome);
      panel.save();
    },
    addMachine(machine) {
      saved(cloud.addMachine(machine));
    },
    addRecoveryPoint: (machineId, point = {}) => saved(cloud.addRecoveryPoint(String(machineId), point)).id,
    addTransaction: (transaction) => cloud.idOf(saved(cloud.addTransaction(transaction)).ordinal),
    postRestoreAsSomebodyElse(machineId, recoveryPointId, restore = {}) {
      const machine = cloud.machines.get(String(machineId));
      const point = machine?.points.find((candidate) => candidate.id === String(recoveryPointId));
      if (machine === undefined || point === undefined) {
        throw new SandboxError(
          `there is no recovery point ${String(recoveryPointId)} of a machine ${String(machineId)}`,
        );
      }
      const kind = restore.paths === undefined ? "machine" : "files";
      const job = saved(cloud.addRestore({ ...restore, kind, machine, pointId: point.id, by: "somebody" }));
      return cloud.idOf(job.ordinal);
    },
    failNext(machineId, next) {
      cloud.setNextRestore(String(machineId), typeof next === "string" ? { outcome: next } : next);
    },
    setBackground(perSecond) {
      cloud.setBackground(perSecond);
    },
    setFaults(faults) {
      picker.set(faults);
    },
    faults: () => picker.faults,
    setDialect(changes) {
      if (changes.idStyle !== undefined && changes.idStyle !== panel.dialect.idStyle) {
        throw new SandboxError("dialect.idStyle: a running panel cannot change its ids; choose it at the start");
      }
      panel.dialect = changeDialect(panel.dialect, changes);
    },
    dialect: () => panel.dialect,
  };
}
