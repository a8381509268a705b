import type { StackConfig } from "../../../tools/engine/workspace";
import type { Spec } from "../programs/restores";
import { fixture } from "./program";
import type { Scene, StackOptions } from "./scene";
import type { TestStack } from "./stack";

export type { Spec };

/** A stack with restores. A test declares them as data, and declares them again to change the program. */
export function restores(
  scene: Pick<Scene, "stack">,
  specs: readonly Spec[],
  options: StackOptions = {},
): Promise<TestStack> {
  return scene.stack(fixture("restores"), { ...options, config: { ...options.config, ...declare(specs) } });
}

export function declare(specs: readonly Spec[]): StackConfig {
  return { "e2e:restores": JSON.stringify(specs) };
}

/** Short limits, for tests that wait for something that never happens. */
export const impatient = { busy: "20s", listed: "2s", run: "20s", settle: 0 } as const;
