import { readFileSync } from "node:fs";
import { reason } from "../input/reason";
import { SandboxError } from "../input/sandbox-error";
import type { Scenario } from "./scenario";
import { scenario } from "./shapes";

/** A scenario from a JSON file; what is wrong with it is said in one line that names the file and the key. */
export function readScenarioFile(path: string): Scenario {
  try {
    const content: unknown = JSON.parse(readFileSync(path, "utf8"));
    return scenario(content, "");
  } catch (error) {
    throw new SandboxError(`scenario file ${path}: ${reason(error)}`);
  }
}
