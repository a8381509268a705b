import { join } from "node:path";
import { repositoryRoot } from "../../../tools/engine/cli";

/**
 * Switches off what the engine's processes do not need in a test, where most of them live for only a second: the CLI collects no
 * garbage below half a gigabyte, and a provider process does not load unused code or wait a minute for rows that a test's panel
 * lists at once. Tests of installed packages, other versions and the demo run without this.
 */
export const sparingEnvironment: Readonly<Record<string, string>> = {
  GOGC: "off",
  GOMEMLIMIT: "512MiB",
  NODE_OPTIONS: [join("tools", "test", "lazy.cjs"), join("test", "support", "short-quiet.cjs")]
    .map((file) => `--require=${join(repositoryRoot, file)}`)
    .join(" "),
};
