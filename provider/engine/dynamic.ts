import { startProvider } from "../start";

/**
 * The module that every stack's state loads: `require("pulumi-recovery/dynamic").<name>`. The path and the exported names stay the same across major versions,
 * because a refresh or a destroy uses only what the state contains.
 */

// The engine passes its address as the first argument.
const { handlers } = startProvider({ engineAddress: process.argv[2], environment: process.env });

export const { vmRestore, fileRestore, intent, planRun, waveIntent, wave, verdict } = handlers;
