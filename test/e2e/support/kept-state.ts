import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Deployment } from "@pulumi/pulumi/automation";
import { repositoryRoot } from "../../../tools/engine/cli";
import { type Program, fixture } from "./program";
import type { Sandbox, SandboxOptions, Scene } from "./scene";
import type { TestStack } from "./stack";

/** States as releases wrote them, secrets encrypted. In place of the panel's address stands one where nobody listens. */
export interface KeptState {
  readonly finished: Deployment;
  readonly unfinished: Deployment;
  /** A plan in the middle: 1.0.0 has none. */
  readonly plan?: Deployment;
  /** Several restores of one machine. */
  readonly pairs?: Deployment;
}

export const keptFolder = join(repositoryRoot, "test", "e2e", "fixtures");
export const nowhere = "http://127.0.0.1:9";

const keptPrograms: Readonly<Record<keyof KeptState, Program>> = {
  finished: fixture("kept-finished"),
  unfinished: fixture("kept-unfinished"),
  plan: fixture("kept-plan"),
  pairs: fixture("kept-pairs"),
};

/** By the release that wrote them. */
export function keptStates(): readonly (readonly [string, KeptState])[] {
  return readdirSync(keptFolder).flatMap((name) => {
    const [, release] = /^state-(.*)\.json$/.exec(name) ?? [];
    if (release === undefined) return [];
    return [[release, JSON.parse(readFileSync(join(keptFolder, name), "utf8")) as KeptState]];
  });
}

/** The panel of what was not finished: one takes longer than it is waited for, and of the restores outside of a plan one fails. */
export async function keptPanel(
  scene: Pick<Scene, "panel">,
  which: "unfinished" | "plan" | "pairs",
  options: SandboxOptions,
): Promise<Sandbox> {
  const panel = await scene.panel({ password: "at the site", ...options });
  if (which !== "plan") panel.failNext(42, { outcome: "failed", seconds: 1 });
  panel.failNext(43, { seconds: 8 });
  return panel;
}

export function keptStack(
  scene: Pick<Scene, "stack">,
  which: keyof KeptState,
  config: Readonly<Record<string, string>> = {},
): Promise<TestStack> {
  return scene.stack(keptPrograms[which], { config, keptBy: "passphrase" });
}
