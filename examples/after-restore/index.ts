import * as pulumi from "@pulumi/pulumi";
import * as recovery from "pulumi-recovery";
import { untilItAnswers } from "./answers";

// The defaults refer to a machine on the panel that `npx pulumi-recovery sandbox` starts.
const config = new pulumi.Config();
const virtualMachineId = config.get("virtualMachineId") ?? "42";
const healthUrl = config.require("healthUrl");
const limitSeconds = config.getNumber("limitSeconds") ?? 300;
const triggers = [config.get("run") ?? "first"]; // a new value restores again

const onlyWarn = config.getBoolean("onlyWarn") ?? false;

// A hook runs right after the restore, in the same update. A failed hook fails the update, or only warns if `ignoreErrors` is set.
// Either way, the restore stays complete, and later updates do not run the hook for it again.
const answers = new pulumi.ResourceHook(
  "answers",
  async ({ name }) => {
    const seconds = await untilItAnswers(healthUrl, limitSeconds);
    await pulumi.log.info(`${name} answered ${String(seconds)} s after its restore`);
  },
  { ignoreErrors: onlyWarn },
);

const web = new recovery.VmRestore(
  "web",
  { virtualMachineId, recoveryPointId: "1007", triggers },
  // If an earlier run ended before the restore did, the next run updates the resource instead of creating it.
  { hooks: { afterCreate: [answers], afterUpdate: [answers] } },
);

// The file restore needs a responding machine, so it takes the machine's id from the check's result. If the check fails, the
// update ends here, and the file restore is not sent.
const checkedMachine = web.finishedAt.apply(async () => {
  if (!pulumi.runtime.isDryRun()) await untilItAnswers(healthUrl, limitSeconds);
  return virtualMachineId;
});

const content = new recovery.FileRestore("content", {
  virtualMachineId: checkedMachine,
  recoveryPointId: "1009",
  paths: ["/var/www"],
  triggers,
});

export const machine = web.status;
export const files = content.status;
