import { Engine, Run, type RunOptions, type Stored } from "./engine";
import { type Declared, type Properties, type Registration, registrations } from "./program";
import { type Connection, Process, type Reachable } from "./process";
import { assertReadable } from "./readable";

export interface RunEnd {
  /** Keyed by the restore's place in the program. */
  readonly errors: ReadonlyMap<number, string>;
  readonly warnings: readonly string[];
  /** All text that the terminal's rows have shown. */
  readonly progress: readonly string[];
}

interface UpOptions {
  /** The engine and its provider are killed when this promise resolves. */
  readonly kill?: Promise<unknown>;
  /** The restores passed with `--target`, along with their intents. */
  readonly target?: readonly number[];
  /** Restores that are tainted, and therefore replaced without their intents. */
  readonly tainted?: readonly number[];
  /** Called with the process before it does anything. */
  readonly during?: (process: Process) => void;
}

/** The number of provider processes so far, so that no two of them have the same id. */
let processes = 0;

/** A stack of restores on an in-memory panel: everything between the engine's calls and the panel's responses is the product's own code. */
export class Stack {
  readonly engine = new Engine();

  constructor(
    readonly on: Reachable,
    public declared: readonly Declared[],
    private connection: Connection = {},
  ) {}

  async up({ kill, target, tainted, during }: UpOptions = {}): Promise<RunEnd> {
    const process = this.#newProcess();
    during?.(process);
    const run = new Run(process);
    const killed = kill?.then(() => {
      run.killed = true;
      process.end();
    });
    const program = registrations(this.declared);
    const options: RunOptions = {
      ...(target && { targets: urnsOf(program, target, true) }),
      ...(tainted && { tainted: urnsOf(program, tainted, false) }),
    };
    await this.on.time.run(Promise.race([this.engine.up(run, program, options), ...(killed ? [killed] : [])]));
    return endOf(run, process);
  }

  async refresh(): Promise<RunEnd> {
    const process = this.#newProcess();
    const run = new Run(process);
    await this.on.time.run(this.engine.refresh(run));
    return endOf(run, process);
  }

  set(settings: Readonly<Record<string, string>>): void {
    this.connection = { ...this.connection, settings: { ...this.connection.settings, ...settings } };
  }

  change(restore: number, change: Partial<Declared>): void {
    this.declared = this.declared.map((one, index) => (index === restore ? { ...one, ...change } : one));
  }

  newTriggers(restore: number): void {
    this.change(restore, { generation: (this.declared[restore]?.generation ?? 0) + 1 });
  }

  /** The stored resource of a restore or, if `what` is `intent`, of its intent. */
  stored(restore: number, what: "restore" | "intent" = "restore"): Stored | undefined {
    const isIt = ({ operations }: Stored): boolean => (operations === "Intent") === (what === "intent");
    return this.engine.state.find((one) => one.restore === restore && !one.delete && isIt(one));
  }

  outputsOf(restore: number): Properties {
    return this.stored(restore)?.outputs ?? {};
  }

  idsOf(restore: number): readonly string[] {
    return (this.outputsOf(restore)["transactionIds"] ?? []) as readonly string[];
  }

  statuses(): readonly unknown[] {
    return this.declared.map((_one, restore) => this.outputsOf(restore)["status"]);
  }

  #newProcess(): Process {
    return new Process(`process-${String(++processes)}`, this.on, this.connection);
  }
}

/** The URNs of these restores, with or without their intents. */
export function urnsOf(program: readonly Registration[], restores: readonly number[], hasIntents: boolean) {
  const isIt = ({ restore, operations }: Registration): boolean =>
    restores.includes(restore) && (hasIntents || operations !== "Intent");
  return new Set(program.filter(isIt).map(({ urn }) => urn));
}

function endOf({ errors }: Run, process: Process): RunEnd {
  process.end();
  for (const { text } of errors) assertReadable(text);
  const { warnings, rows: progress } = process;
  return { errors: new Map(errors.map(({ restore, text }) => [restore, text])), warnings, progress };
}
