import { type Operations, type ResourceName, startProvider, type Transport } from "../../provider/start";
import { assertComplete } from "./readable";
import type { VirtualClock } from "./virtual-clock";

export type Asked = Readonly<Partial<Record<ResourceName, Operations>>>;

export interface Reachable {
  readonly time: VirtualClock;
  transportOf(process: { readonly ended: boolean }): Transport;
}

export interface Connection {
  readonly settings?: Readonly<Record<string, string>>;
  readonly allowedMachines?: readonly { readonly where?: string; readonly ids: readonly string[] }[];
  /** Receives the lines of `RECOVERY_TRACE`. */
  readonly trace?: ((line: string) => void) | undefined;
}

const connected = {
  "recovery:endpoint": "https://panel.example",
  "recovery:username": "operator",
  "recovery:password": "password",
};

/** One provider process, as the package starts it for an engine, but in virtual time and with an in-memory panel. */
export class Process {
  /** The engine that started this process was killed, so nobody receives the process's responses anymore. */
  orphaned = false;
  /** The process has stopped for good. */
  ended = false;
  readonly warnings: string[] = [];
  /** All text that the terminal's rows have shown. */
  readonly rows: string[] = [];
  /** All of it, in the order in which it appeared. */
  readonly said: string[] = [];
  readonly operations: Asked;
  readonly here: ReturnType<typeof startProvider>["providerProcess"];

  constructor(
    readonly id: string,
    private readonly panel: Reachable,
    { settings = {}, allowedMachines: [allowed] = [], trace }: Connection = {},
    operations?: (process: Process) => Asked,
  ) {
    const { providerProcess, handlers } = startProvider({
      environment: {},
      clock: panel.time.clockOf(this),
      random: seeded(1),
      transport: panel.transportOf(this),
      engine: {
        log: {
          progress: (_urn, text) => this.#show(this.rows, text),
          info: (_urn, text) => this.#show(this.rows, text),
          warn: (_urn, text) => this.#show(this.warnings, text, "warning: "),
          flushed: () => Promise.resolve(),
        },
        isGone: () => Promise.resolve(this.orphaned),
        exitWithEngine: () => undefined,
      },
      ...(trace && { trace }),
    });
    const only = allowed && { "recovery:allowedMachines": JSON.stringify(allowed.ids) };
    const given: Readonly<Record<string, string>> = { ...connected, ...only, ...settings };
    handlers.intent.configure({ config: { get: (key) => given[key] } });
    this.here = providerProcess;
    this.operations = operations?.(this) ?? {
      VmRestore: handlers.vmRestore,
      FileRestore: handlers.fileRestore,
      Intent: handlers.intent,
      PlanRun: handlers.planRun,
      WaveIntent: handlers.waveIntent,
      Wave: handlers.wave,
      Verdict: handlers.verdict,
    };
  }

  #show(where: string[], text: string, before = ""): void {
    assertComplete(text);
    where.push(text);
    this.said.push(`${before}${text}`);
  }

  end(): void {
    this.ended = true;
    this.panel.time.forget(this);
  }
}

export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
