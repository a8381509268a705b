import { join } from "node:path";
import { repositoryRoot } from "../../../tools/engine/cli";

/**
 * Switches off what the engine's processes do not need in tests, where most of them live for only a second. The CLI collects no garbage
 * until it uses half a gigabyte. A provider process neither loads unused code nor waits a minute for rows that a test's panel lists at once.
 * Tests of installed packages, of other versions and of the demo run without these settings.
 */
export const sparingEnvironment: Readonly<Record<string, string>> = {
  GOGC: "off",
  GOMEMLIMIT: "512MiB",
  NODE_OPTIONS: [join("tools", "test", "lazy.cjs"), join("test", "support", "short-quiet.cjs")]
    .map((file) => `--require=${join(repositoryRoot, file)}`)
    .join(" "),
};
