/**
 * What the text stored in every stack's state requires: `require("pulumi-recovery/dynamic").<name>`. These three names
 * and this path are kept across major versions, because a refresh or a destroy runs from the state alone.
 */
import { intentProvider } from "./intent-provider";
import { restoreProvider } from "./restore-provider";

export const vmRestore = restoreProvider("VmRestore");
export const fileRestore = restoreProvider("FileRestore");
export const restoreIntent = intentProvider;
