import { spawn, type ChildProcess } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { EngineEvent } from "@pulumi/pulumi/automation";
import { cliPath, repositoryRoot } from "../../../tools/engine/cli";
import type { StackPlace } from "../../../tools/engine/workspace";
import type { Operation, Operations } from "./operation";
import { processesOf, signal, type EngineProcess } from "./processes";
import { Recorder, type Ending, type Run } from "./run";
import { waitUntil } from "./wait-until";

/** What the process receives, as a file. */
export interface Job {
  readonly place: StackPlace;
  readonly programFile: string;
  readonly operation: Operation;
  readonly options: Operations[Operation];
  readonly events: "recorded" | "ignored";
  readonly answerFile: string;
}

/** What it leaves behind, unless it was killed itself. */
export interface Answer extends Ending {
  readonly events: readonly EngineEvent[];
}

let jobs = 0;

/** A run with a program in TypeScript, which a process of its own hosts, so that the CLI or the provider can be killed in the middle. */
export class OwnProcess {
  readonly #child: ChildProcess;
  readonly #home: string;
  readonly #recorder = new Recorder();
  /** Resolves when the run is over, however it ended; a failed run carries `error`. */
  readonly ended: Promise<Run>;

  private constructor(child: ChildProcess, home: string, answerFile: string) {
    this.#child = child;
    this.#home = home;
    child.stdout?.setEncoding("utf8").on("data", this.#recorder.listener.onOutput);
    child.stderr?.setEncoding("utf8").on("data", this.#recorder.listener.onError);
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

  /** Everything the engine printed so far. */
  get stdout(): string {
    return this.#recorder.stdout;
  }

  /** Resolves when the engine's output matches; rejects when the run ends, or too much time passes, without. */
  async output(pattern: RegExp, limitMs = 60_000): Promise<void> {
    let over = false;
    void this.ended.finally(() => {
      over = true;
    });
    await waitUntil(() => pattern.test(this.stdout) || over, limitMs, `output ${String(pattern)}`);
    if (!pattern.test(this.stdout)) throw new Error(`the run ended without ${String(pattern)}:\n${this.stdout}`);
  }

  /** The engine's living processes of this test. */
  processes(): EngineProcess[] {
    return processesOf(this.#home);
  }

  /** `kill -9` of the CLI, as when a pipeline's machine goes away. Returns the provider processes that outlive it. */
  killCli(): readonly number[] {
    const providers = this.processes().flatMap((found) => (found.kind === "provider" ? [found.pid] : []));
    signal(this.#cliPid(), "SIGKILL");
    return providers;
  }

  /** `kill -9` of the provider process; of a plugin all, because one of them is there for its schema alone. */
  killProvider(): void {
    const providers = this.processes().filter(({ kind }) => kind === "provider");
    if (providers.length === 0) throw new Error(`no provider process of this test was found:\n${this.stdout}`);
    for (const { pid } of providers) signal(pid, "SIGKILL");
  }

  /** Ctrl-C, once. */
  interrupt(): void {
    signal(this.#cliPid(), "SIGINT");
  }

  #cliPid(): number {
    const all = this.processes();
    const [first, ...more] = all.filter(({ kind }) => kind === "cli");
    if (!first || more.length > 0)
      throw new Error(`expected one CLI of this test, found: ${JSON.stringify(all)}\n${this.stdout}`);
    return first.pid;
  }

  async #collect(answerFile: string): Promise<Run> {
    const answer = await readFile(answerFile, "utf8").then(
      (text) => JSON.parse(text) as Answer,
      (): Answer => ({ events: [], outputs: {}, error: `the process of the run ended early (${this.#how()})` }),
    );
    const { events, ...ending } = answer;
    return this.#recorder.finish(ending, events);
  }

  #how(): string {
    return this.#child.signalCode ?? `exit code ${String(this.#child.exitCode)}`;
  }
}
