import { readFileSync, writeFileSync } from "node:fs";
import type { EngineEvent } from "@pulumi/pulumi/automation";
import { forgetOuterSettings } from "../../../tools/engine/environment";
import { openStack } from "../../../tools/engine/workspace";
import { operate } from "./operation";
import type { Answer, Job } from "./own-process";
import { asFunction } from "./program";
import { sparing } from "./sparing";

/**
 * The process behind `OwnProcess`: hosts a program, runs one operation, prints the engine's output as it arrives and writes the
 * rest to the answer file.
 */
async function main(jobFile: string): Promise<void> {
  const job = JSON.parse(readFileSync(jobFile, "utf8")) as Job;
  forgetOuterSettings();
  Object.assign(process.env, job.place.env);
  const events: EngineEvent[] = [];
  const stack = sparing(await openStack(job.place, asFunction({ file: job.programFile })), job.place);
  const ending = await operate(stack, job.operation, job.options, {
    onOutput: (text) => process.stdout.write(text),
    onError: (text) => process.stderr.write(text),
    ...(job.events === "recorded" && { onEvent: (event: EngineEvent) => events.push(event) }),
  });
  writeFileSync(job.answerFile, JSON.stringify({ ...ending, events } satisfies Answer));
}

void main(process.argv[2] ?? "");
