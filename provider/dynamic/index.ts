/**
 * What the text stored in every stack's state requires: `require("pulumi-recovery/dynamic").<name>`. These names
 * and this path are kept across major versions, because a refresh or a destroy runs from the state alone.
 */
import { intentProvider } from "../operations/intent-provider";
import { planRunProvider } from "../operations/plan-run";
import { planVerdictProvider } from "../operations/plan-verdict";
import { planWaveProvider } from "../operations/plan-wave";
import { restoreProvider } from "../operations/restore-provider";

export const vmRestore = restoreProvider("VmRestore");
export const fileRestore = restoreProvider("FileRestore");
export const restoreIntent = intentProvider;
export const planRun = planRunProvider;
export const planWave = planWaveProvider;
export const planVerdict = planVerdictProvider;
