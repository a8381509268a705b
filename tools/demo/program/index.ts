import * as pulumi from "@pulumi/pulumi";
import * as recovery from "pulumi-recovery";

const triggers = [new pulumi.Config().get("run") ?? "first"]; // a new value restores again
const timeouts = { listed: "2s", settle: "1s" }; // keeps the demo short: see "A killed run" in docs/running-again.md

const opts = { hideDiffs: ["triggers"] }; // leaves room for progress in the row of a replaced restore

const web = new recovery.VmRestore("web", { virtualMachineId: 42, recoveryPointId: 1007, triggers, timeouts }, opts);
const db = new recovery.VmRestore("db", { virtualMachineId: 43, recoveryPointId: 1008, triggers, timeouts }, opts);

const summaryOf = ({ status, transactionId, queuedSeconds, durationSeconds, adopted }: recovery.VmRestore) =>
  pulumi.output({ status, transactionId, queuedSeconds, durationSeconds, adopted });

export const machines = { web: summaryOf(web), db: summaryOf(db) };
