import type { ChildProcess } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { ended, type Ended } from "./ended";
import { processesOf, signal, type EngineProcess } from "./processes";
import { waitUntil } from "./wait-until";

interface EndedRun extends Ended {
  readonly error?: string;
}

/** A run of the engine outside this process, so that the CLI or the provider can be killed midway. */
export class Killable {
  /** Resolves when the run has ended in any way. A failed run has an `error`. */
  readonly ended: Promise<EndedRun>;
  readonly #home: string;
  #stdout = "";

  constructor(child: ChildProcess, home: string) {
    this.#home = home;
    child.stdout?.setEncoding("utf8").on("data", (text: string) => (this.#stdout += text));
    this.ended = ended(child).then((end) => {
      const error = end.code === 0 ? {} : { error: end.text === "" ? `ended with ${String(end.code)}` : end.text };
      return { ...end, stdout: this.stdout, ...error };
    });
  }

  get stdout(): string {
    return stripVTControlCharacters(this.#stdout);
  }

  /** Everything that was printed. Throws if the run failed. */
  async succeeded(): Promise<string> {
    const { error, text } = await this.ended;
    if (error !== undefined) throw new Error(error);
    return text;
  }

  /** Resolves when the engine's output matches. Rejects if the run ends first or too much time passes. */
  async output(pattern: RegExp, limitMs = 60_000): Promise<void> {
    let over = false;
    void this.ended.finally(() => {
      over = true;
    });
    await waitUntil(() => pattern.test(this.stdout) || over, limitMs, `output ${String(pattern)}`);
    if (!pattern.test(this.stdout)) throw new Error(`the run ended without ${String(pattern)}:\n${this.stdout}`);
  }

  processes(): EngineProcess[] {
    return processesOf(this.#home);
  }

  /** Kills the CLI with SIGKILL, as if the pipeline's machine had gone away. Returns the provider processes that outlive the CLI. */
  killCli(): readonly number[] {
    const providers = this.processes().flatMap((found) => (found.kind === "provider" ? [found.pid] : []));
    signal(this.#cliPid(), "SIGKILL");
    return providers;
  }

  /** Kills the provider process with SIGKILL. A plugin has several processes, one of which only returns the schema, so this kills all of them. */
  killProvider(): void {
    const providers = this.processes().filter(({ kind }) => kind === "provider");
    if (providers.length === 0) throw new Error(`no provider process of this test was found:\n${this.stdout}`);
    for (const { pid } of providers) signal(pid, "SIGKILL");
  }

  interrupt(): void {
    signal(this.#cliPid(), "SIGINT");
  }

  #cliPid(): number {
    const all = this.processes();
    const [cli, ...more] = all.filter(({ kind }) => kind === "cli");
    if (!cli || more.length > 0) throw new Error(`not one CLI of this test: ${JSON.stringify(all)}\n${this.stdout}`);
    return cli.pid;
  }
}
