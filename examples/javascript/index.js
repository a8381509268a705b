"use strict";
/* oxlint-disable typescript/no-require-imports -- plain JavaScript, as Node runs it without a build */
const pulumi = require("@pulumi/pulumi");
const recovery = require("pulumi-recovery");

// The defaults refer to a machine on the panel that `npx pulumi-recovery sandbox` starts.
const config = new pulumi.Config();

const mail = new recovery.VmRestore("mail", {
  virtualMachineId: config.get("virtualMachineId") ?? "44",
  recoveryPointId: config.get("recoveryPointId") ?? "1009",
  triggers: [config.get("run") ?? "first"], // a new value restores again
});

exports.status = mail.status;
exports.transaction = mail.transactionId;
exports.seconds = mail.durationSeconds;
