import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import {
  LocalWorkspace,
  type DestroyOptions,
  type OutputMap,
  type PreviewOptions,
  type PulumiFn,
  type RefreshOptions,
  type Stack,
  type UpOptions,
} from "@pulumi/pulumi/automation";
import { pulumiCommand } from "./cli";
import { engineEnvironment } from "./environment";
import type { Ending, Listener } from "./run";

/** Where a stack lives. Plain data, so that another process can open the same stack. */
export interface StackPlace {
  readonly project: string;
  readonly stack: string;
  /** Holds the engine's home, the backend and the project's own folder. */
  readonly folder: string;
  /** The program's working folder; `require` in the provider process starts here. */
  readonly cwd: string;
  /** On top of what every run gets. */
  readonly env: Readonly<Record<string, string>>;
}

/** What may be asked of a stack, with the options of the Automation API that are plain data. */
export interface Operations {
  up: Omit<UpOptions, keyof Callbacks>;
  preview: Omit<PreviewOptions, keyof Callbacks>;
  refresh: Omit<RefreshOptions, keyof Callbacks>;
  destroy: Omit<DestroyOptions, keyof Callbacks>;
}

export type Operation = keyof Operations;

interface Callbacks {
  onOutput: unknown;
  onError: unknown;
  onEvent: unknown;
  signal: unknown;
  program: unknown;
}

/** Opens the stack in a place, and makes it the first time. */
export async function openStack(
  place: StackPlace,
  program: PulumiFn,
  first: "create" | "select" = "create",
): Promise<Stack> {
  const workDir = join(place.folder, place.project);
  await Promise.all(
    [workDir, join(place.folder, "backend"), join(place.folder, "home")].map((path) =>
      mkdir(path, { recursive: true }),
    ),
  );
  const open = first === "create" ? LocalWorkspace.createStack : LocalWorkspace.selectStack;
  return open.call(
    LocalWorkspace,
    { stackName: place.stack, projectName: place.project, program },
    {
      workDir,
      pulumiCommand: await pulumiCommand(),
      projectSettings: { name: place.project, runtime: "nodejs", main: place.cwd },
      envVars: { ...engineEnvironment(place.folder), ...place.env },
    },
  );
}

/** Runs one operation to its end. A failed one does not throw: what it says on the way is worth as much as the error. */
export async function operate<O extends Operation>(
  stack: Stack,
  operation: O,
  options: Operations[O],
  listener: Listener,
): Promise<Ending> {
  try {
    return { outputs: await run(stack, operation, { color: "never", ...options, ...listener }) };
  } catch (error) {
    return { outputs: {}, error: error instanceof Error ? error.message : String(error) };
  }
}

async function run(stack: Stack, operation: Operation, options: UpOptions): Promise<OutputMap> {
  switch (operation) {
    case "up":
      return (await stack.up(options)).outputs;
    case "preview":
      await stack.preview(options);
      return {};
    case "refresh":
      await stack.refresh(options);
      return {};
    case "destroy":
      await stack.destroy(options);
      return {};
  }
}
