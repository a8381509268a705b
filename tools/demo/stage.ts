import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Stack } from "@pulumi/pulumi/automation";
import { startSandbox, type Sandbox } from "../../sandbox";
import { repositoryRoot } from "../engine/cli";
import { programFile } from "../engine/program";
import { configure, connectionTo, createStack, type StackPlace } from "../engine/workspace";
import { say } from "./say";

/** What the chapters of the demo play on: a panel, and a stack of the quickstart example that is connected to it. */
export interface Stage {
  readonly panel: Sandbox;
  readonly stack: Stack;
  readonly place: StackPlace;
  /** Where the panel keeps its machines and transactions. */
  readonly panelState: string;
  /** Whether somebody pressed Ctrl-C. */
  interrupted(): boolean;
  /** Removes everything. */
  clear(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), "recovery-demo-"));
  const panelState = join(folder, "panel.json");
  const panel = await startSandbox({ stateFile: panelState });
  const clear = async (): Promise<void> => {
    await panel.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  say(`a simulated panel listens on ${panel.url}`);

  const example = join(repositoryRoot, "examples", "quickstart");
  const place: StackPlace = { project: "recovery-quickstart", stack: "demo", folder, cwd: example, env: {} };
  try {
    const stack = await createStack(place, programFile(join(example, "index.ts")));
    await configure(stack, connectionTo(panel));
    return { panel, stack, place, panelState, interrupted: countInterrupts(), clear };
  } catch (error) {
    await clear();
    throw error;
  }
}

/** Ctrl-C reaches the engine too: the first one makes it stop after what it is doing, the second one at once. */
function countInterrupts(): () => boolean {
  let interrupts = 0;
  process.on("SIGINT", () => {
    interrupts++;
    if (interrupts === 1) say("stopping when the engine has ended; Ctrl-C again ends it now");
  });
  return () => interrupts > 0;
}
