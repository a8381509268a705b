export { clientOptions } from "./client-options";
export { ConfigurationError } from "./error";
export { type CheckFile, readSettings } from "./read";
export type { Settings } from "./settings";
export { environmentSource, keyedSource, type Source } from "./source";
export { settingsWarnings } from "./warnings";
