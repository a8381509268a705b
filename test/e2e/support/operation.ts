import type {
  DestroyOptions,
  OutputMap,
  PreviewOptions,
  RefreshOptions,
  Stack,
  UpOptions,
} from "@pulumi/pulumi/automation";
import type { Ending } from "./run";

/** The options of the Automation API that are plain data. */
type Plain<Options> = Omit<Options, "onOutput" | "onError" | "onEvent" | "signal" | "program">;

export interface Operations {
  up: Plain<UpOptions>;
  preview: Plain<PreviewOptions>;
  refresh: Plain<RefreshOptions>;
  destroy: Plain<DestroyOptions>;
}

export type Operation = keyof Operations;

/** Runs one operation to its end. A failed operation does not throw, because its messages matter as much as the error. */
export async function operate<O extends Operation>(
  stack: Stack,
  operation: O,
  options: Operations[O],
  listener: Pick<UpOptions, "onOutput" | "onError" | "onEvent">,
): Promise<Ending> {
  try {
    return { outputs: await run(stack, operation, { color: "never", ...options, ...listener }) };
  } catch (error) {
    return { outputs: {}, error: error instanceof Error ? error.message : String(error) };
  }
}

async function run(stack: Stack, operation: Operation, options: UpOptions): Promise<OutputMap> {
  if (operation === "up") return (await stack.up(options)).outputs;
  await stack[operation](options);
  return {};
}
