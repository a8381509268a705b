import * as pulumi from "@pulumi/pulumi";
import * as recovery from "pulumi-recovery";
import { untilItAnswers } from "./answers";

// The defaults are a machine of the panel that `npx pulumi-recovery sandbox` starts.
const config = new pulumi.Config();
const virtualMachineId = config.get("virtualMachineId") ?? "42";
const healthUrl = config.require("healthUrl");
const limitSeconds = config.getNumber("limitSeconds") ?? 300;
const triggers = [config.get("run") ?? "first"]; // a change restores again

const onlyWarn = config.getBoolean("onlyWarn") ?? false;

// A hook runs in the same update as the restore, right after it. A failed hook fails the update, or only warns with `ignoreErrors`.
// Either way the restore stays complete, and no later update runs the hook for it again.
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
  // A restore that an earlier run stored unfinished is completed by an update.
  { hooks: { afterCreate: [answers], afterUpdate: [answers] } },
);

// A resource that needs a responding machine takes an input from the check. A check that fails ends the update here,
// and nothing is posted for the files.
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
