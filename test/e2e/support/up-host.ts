import { forgetOuterSettings } from "../../../tools/engine/environment";
import { openStack, type StackPlace } from "../../../tools/engine/workspace";
import { operate, type Operations } from "./operation";
import { asFunction } from "./program";
import { sparing } from "./sparing";

export interface Job {
  readonly place: StackPlace;
  readonly programFile: string;
  readonly options: Operations["up"];
}

/** The process behind `TestStack.start`: hosts a program, runs `up`, and prints the engine's output as it arrives. */
async function main({ place, programFile, options }: Job): Promise<void> {
  forgetOuterSettings();
  Object.assign(process.env, place.env);
  const stack = sparing(await openStack(place, asFunction({ file: programFile })), place);
  const { error } = await operate(stack, "up", options, {
    onOutput: (text) => process.stdout.write(text),
    onError: (text) => process.stderr.write(text),
  });
  if (error === undefined) return;
  process.stderr.write(error);
  process.exitCode = 1;
}

void main(JSON.parse(process.argv[2] ?? "") as Job);
