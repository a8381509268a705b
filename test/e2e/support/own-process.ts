import { spawn, type ChildProcess } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { EngineEvent } from "@pulumi/pulumi/automation";
import { cliPath, repositoryRoot } from "../../../tools/engine/cli";
import type { StackPlace } from "../../../tools/engine/workspace";
import type { Operation, Operations } from "./operation";
import { Killable } from "./killable";
import type { Ending, Run } from "./run";

/** The input of the process, as a file. */
export interface Job {
  readonly place: StackPlace;
  readonly programFile: string;
  readonly operation: Operation;
  readonly options: Operations[Operation];
  readonly events: "recorded" | "ignored";
  readonly answerFile: string;
}

/** The answer from the process, unless it was killed itself. */
export interface Answer extends Ending {
  readonly events: readonly EngineEvent[];
}

let jobs = 0;

/** A run of a TypeScript program in a separate process. */
export class OwnProcess extends Killable {
  readonly #child: ChildProcess;
  readonly ended: Promise<Run>;

  private constructor(child: ChildProcess, home: string, answerFile: string) {
    super(child, home);
    this.#child = child;
    this.ended = new Promise<void>((resolve) => child.once("close", () => resolve())).then(() =>
      this.#collect(answerFile),
    );
  }

  static async start(job: Omit<Job, "answerFile">): Promise<OwnProcess> {
    const number = String(++jobs);
    const jobFile = join(job.place.folder, `job-${number}.json`);
    const answerFile = join(job.place.folder, `answer-${number}.json`);
    await writeFile(jobFile, JSON.stringify({ ...job, answerFile } satisfies Job));
    const child = spawn(
      process.execPath,
      ["-r", "ts-node/register/transpile-only", join(__dirname, "own-process-host.ts"), jobFile],
      {
        cwd: repositoryRoot,
        env: { ...process.env, PULUMI_RECOVERY_CLI: cliPath(), ...job.place.env },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    return new OwnProcess(child, join(job.place.folder, "home"), answerFile);
  }

  async #collect(answerFile: string): Promise<Run> {
    const how = this.#child.signalCode ?? `exit code ${String(this.#child.exitCode)}`;
    const answer = await readFile(answerFile, "utf8").then(
      (text) => JSON.parse(text) as Answer,
      (): Answer => ({ events: [], outputs: {}, error: `the process of the run ended early (${how})` }),
    );
    const { events, ...ending } = answer;
    return this.recorder.finish(ending, events);
  }
}
