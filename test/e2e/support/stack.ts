import { spawn } from "node:child_process";
import { join } from "node:path";
import type { Deployment, EngineEvent, Stack } from "@pulumi/pulumi/automation";
import { cliPath, repositoryRoot } from "../../../tools/engine/cli";
import type { StackConfig, StackPlace } from "../../../tools/engine/workspace";
import { Killable } from "./killable";
import { newStack } from "./new-stack";
import { operate, type Operation, type Operations } from "./operation";
import { asFunction, type Program } from "./program";
import { runOf, type Run } from "./run";
import { writeConfig } from "./written-config";
import { sparing } from "./sparing";
import { removeHalfWritten, storedResources, type StoredResource } from "./stored";
import type { Job } from "./up-host";

type Events = "recorded" | "ignored";

/** A test's stack. Operations that should succeed throw if they fail, and operations that should fail throw if they succeed. */
export class TestStack {
  /** All runs in this process so far, for the report on a failed test. */
  readonly runs: Run[] = [];

  private constructor(
    readonly place: StackPlace,
    private program: Program,
    private readonly automation: Stack,
  ) {}

  static async open(place: StackPlace, program: Program, config: StackConfig): Promise<TestStack> {
    const automation = sparing(await newStack(place, asFunction(program)), place);
    await writeConfig(automation, config);
    return new TestStack(place, program, automation);
  }

  up(options: Operations["up"] = {}): Promise<Run> {
    return this.#succeed("up", options);
  }

  /** Runs `up` as users do, without recording the engine's events. With many resources, the events take as long as the run itself. */
  upWithoutEvents(options: Operations["up"] = {}): Promise<Run> {
    return this.#succeed("up", options, "ignored");
  }

  upFails(options: Operations["up"] = {}): Promise<Run> {
    return this.#fail("up", options);
  }

  preview(options: Operations["preview"] = {}): Promise<Run> {
    return this.#succeed("preview", options);
  }

  previewFails(options: Operations["preview"] = {}): Promise<Run> {
    return this.#fail("preview", options);
  }

  refresh(options: Operations["refresh"] = {}): Promise<Run> {
    return this.#succeed("refresh", options);
  }

  destroy(options: Operations["destroy"] = {}): Promise<Run> {
    return this.#succeed("destroy", options);
  }

  /** Starts `up` in a process of its own, for tests that kill or interrupt it. The program must be a file. */
  start(options: Operations["up"] = {}): Killable {
    if (typeof this.program === "function") {
      throw new Error("a program that is a function cannot run in a process of its own: use example() or fixture()");
    }
    const { place } = this;
    const job: Job = { place, programFile: this.program.file, options };
    const args = ["-r", "ts-node/register/transpile-only", join(__dirname, "up-host.ts"), JSON.stringify(job)];
    const env = { ...process.env, PULUMI_RECOVERY_CLI: cliPath(), ...place.env };
    const stdio = ["ignore", "pipe", "pipe"] as const;
    return new Killable(
      spawn(process.execPath, args, { cwd: repositoryRoot, env, stdio: [...stdio] }),
      join(place.folder, "home"),
    );
  }

  /** Uses another program from now on, as the next version of the same project. */
  use(program: Program): void {
    this.program = program;
    this.automation.workspace.program = asFunction(program);
  }

  configure(config: StackConfig): Promise<void> {
    return writeConfig(this.automation, config);
  }

  /** Removes whatever a killed run left behind, and then the run's lock with `pulumi cancel`. */
  async cancel(): Promise<void> {
    await removeHalfWritten(this.place);
    await this.automation.cancel();
  }

  exportState(): Promise<Deployment> {
    return this.automation.exportStack();
  }

  importState(state: Deployment): Promise<void> {
    return this.automation.importStack(state);
  }

  async outputs(): Promise<Readonly<Record<string, unknown>>> {
    return (await this.resource("e2e-test", "pulumi:pulumi:Stack")).outputs ?? {};
  }

  resources(): Promise<readonly StoredResource[]> {
    return storedResources(this.place);
  }

  /** The only resource in the program with this name and a type that ends with `type`. */
  async resource(name: string, type = ""): Promise<StoredResource> {
    const all = await this.resources();
    const found = all.filter((one) => one.urn.endsWith(`::${name}`) && one.type.endsWith(type));
    if (found.length !== 1 || !found[0]) {
      throw new Error(
        `${String(found.length)} resources named ${name}; there are ${all.map((one) => one.urn).join(", ")}`,
      );
    }
    return found[0];
  }

  async #succeed<O extends Operation>(operation: O, options: Operations[O], events?: Events): Promise<Run> {
    const run = await this.#run(operation, options, events);
    if (run.error !== undefined) throw new Error(`${operation} failed:\n${run.stdout}\n${run.stderr}\n${run.error}`);
    return run;
  }

  async #fail<O extends Operation>(operation: O, options: Operations[O]): Promise<Run> {
    const run = await this.#run(operation, options);
    if (run.error === undefined) throw new Error(`${operation} should have failed:\n${run.stdout}`);
    return run;
  }

  async #run<O extends Operation>(operation: O, options: Operations[O], events: Events = "recorded"): Promise<Run> {
    const printed = { stdout: "", stderr: "", events: [] as EngineEvent[] };
    const ending = await operate(this.automation, operation, options, {
      onOutput: (text) => (printed.stdout += text),
      onError: (text) => (printed.stderr += text),
      ...(events === "recorded" && { onEvent: (event) => printed.events.push(event) }),
    });
    const run = runOf(ending, printed);
    this.runs.push(run);
    return run;
  }
}
