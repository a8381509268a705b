import type {
  DestroyOptions,
  OutputMap,
  PreviewOptions,
  RefreshOptions,
  Stack,
  UpOptions,
} from "@pulumi/pulumi/automation";
import type { Ending, Listener } from "./run";

/** An operation on a stack, with the options of the Automation API that are plain data. */
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

/** Runs one operation to its end. A failed operation does not throw, because its messages are worth as much as the error. */
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
