import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSandbox } from "../../../sandbox";
import { cliPath, repositoryRoot } from "../../../tools/engine/cli";
import { forgetOuterSettings } from "../../../tools/engine/environment";
import { connectionTo, type StackConfig } from "../../../tools/engine/workspace";
import { keyService } from "./key-service";
import { processesOf, signal } from "./processes";
import type { Program } from "./program";
import { sparingEnvironment } from "./sparing-environment";
import { TestStack } from "./stack";

export type SandboxOptions = NonNullable<Parameters<typeof startSandbox>[0]>;
export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

export interface StackOptions {
  /** Stack configuration besides the connection to the test's panel. */
  readonly config?: StackConfig;
  /** `config` (default): the connection is in the stack's configuration. `none`: the program or `env` has its own connection. */
  readonly connection?: "config" | "none";
  /** The environment for the CLI and the provider process, and for the program only if it runs in a process of its own. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A test's own panel and folder, so that tests can run in parallel. Only a program from `example(name)` or `fixture(name)` can run in a process to kill. */
export class Scene {
  readonly #panels: Sandbox[] = [];
  readonly #stacks: TestStack[] = [];

  /** `folder` is temporary: it is deleted when the test ends. */
  private constructor(readonly folder: string) {}

  static async open(): Promise<Scene> {
    return new Scene(await mkdtemp(join(tmpdir(), "recovery-e2e-")));
  }

  /** Starts a panel. Stacks are connected to the first panel. If there is none, `stack` starts a panel with defaults. */
  async panel(options: SandboxOptions = {}): Promise<Sandbox> {
    const panel = await startSandbox(options);
    this.#panels.push(panel);
    return panel;
  }

  async stack(program: Program, options: StackOptions = {}): Promise<TestStack> {
    const place = {
      project: "e2e",
      stack: "test",
      folder: this.folder,
      cwd: repositoryRoot,
      env: { ...sparingEnvironment, RECOVERY_TRACE: this.traceFile, ...options.env },
      secretsProvider: await keyService(),
    };
    const connection = options.connection === "none" ? {} : connectionTo(this.#panels[0] ?? (await this.panel()));
    const stack = await TestStack.open(place, program, { ...connection, ...options.config });
    this.#stacks.push(stack);
    return stack;
  }

  /** The file with all decisions in this test's runs, and the reasons for them. */
  get traceFile(): string {
    return join(this.folder, "trace.jsonl");
  }

  /** The engine's output from all of this test's runs, followed by the trace of the runs' decisions. */
  transcript(): string {
    const said = this.#stacks.flatMap((stack) =>
      stack.runs.map((run) => `── ${stack.place.stack} ──\n${run.stdout}${run.stderr}`),
    );
    const trace = existsSync(this.traceFile) ? [`── trace ──\n${readFileSync(this.traceFile, "utf8")}`] : [];
    return [...said, ...trace].join("\n");
  }

  async close(): Promise<void> {
    for (const { pid } of processesOf(join(this.folder, "home"))) signal(pid, "SIGKILL");
    await Promise.all(this.#panels.map((panel) => panel.stop()));
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Opens a new scene for each test in the calling suite. The result always refers to the running test's scene. */
export function useScene(): Pick<Scene, "panel" | "stack" | "folder"> {
  let current: Scene | undefined;
  const scene = (): Scene => {
    if (!current) throw new Error("a scene exists only while a test runs");
    return current;
  };

  before(function () {
    this.timeout(0);
    forgetOuterSettings();
    cliPath();
  });

  beforeEach(async function () {
    this.currentTest?.timeout(300_000);
    current = await Scene.open();
  });

  afterEach(async function () {
    this.timeout(60_000);
    if (this.currentTest?.state === "failed") process.stderr.write(`${current?.transcript() ?? ""}\n`);
    await current?.close();
    current = undefined;
  });

  return {
    panel: (options) => scene().panel(options),
    stack: (program, options) => scene().stack(program, options),
    get folder() {
      return scene().folder;
    },
  };
}
