import * as recovery from "pulumi-recovery";

/**
 * Restores of one machine, one behind the other, in the middle: one that has failed since it was left to itself, one that is unconfirmed, and one
 * that is under way and has kept the next one waiting until the run was killed. Never changed, only added to.
 */
const left = { timeouts: { listed: "2s" }, wait: false };

const web = { virtualMachineId: 42, recoveryPointId: 1007, ...left };
new recovery.VmRestore("web", web);
new recovery.FileRestore("web-etc", { ...web, paths: ["/etc"] });
new recovery.FileRestore("web-srv", { ...web, paths: ["/srv"] });

const db = { virtualMachineId: 43, recoveryPointId: 1008, ...left };
new recovery.VmRestore("db", db);
new recovery.FileRestore("db-etc", { ...db, paths: ["/etc"] });

const app = { virtualMachineId: 44, recoveryPointId: 1009, ...left };
new recovery.VmRestore("app", app);
new recovery.FileRestore("app-etc", { ...app, paths: ["/etc"] });
