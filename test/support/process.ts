import { planOperations } from "../../drills/engine";
import { createOperations, type Operations } from "../../provider/engine";
import type { ProviderProcess } from "../../provider/engine/process";
import { intentIdOf } from "../../provider/inputs/intent";
import { type ResourceName, resourceTypes, type ResourceTypes } from "../../provider/inputs/resource-names";
import { keyedSource } from "../../provider/inputs/settings-sources";
import { clientOptions, readSettings, whyNotAllowed } from "../../provider/inputs/settings";
import { createPanelClient } from "../../provider/panel/client";
import { connectionRedactor } from "../../provider/panel/secrets";
import type { Transport } from "../../provider/panel/transport";
import { PointLists } from "../../provider/points/choose-from-panel";
import type { Session } from "../../provider/restore/session";
import { createSession, type SessionOptions } from "./session";
import type { VirtualClock } from "./virtual-clock";

/** What the engine may ask of these types. */
export type Asked = Readonly<Partial<Record<ResourceName, Operations>>>;

/** A panel in memory, as a process reaches it. */
export interface Reachable {
  readonly time: VirtualClock;
  transportOf(process: { readonly ended: boolean }): Transport;
}

export interface Connection extends Partial<SessionOptions> {
  readonly pageSize?: number;
  readonly types?: ResourceTypes;
  /** Further settings, with their keys. */
  readonly settings?: Readonly<Record<string, string>>;
}

const panelAddress = "https://panel.example";

const connected = {
  "recovery:endpoint": panelAddress,
  "recovery:username": "operator",
  "recovery:password": "password",
};

/** What a process has on a panel: the project's own client and reader, on virtual time. */
function sessionOn(
  panel: Reachable,
  process: { readonly ended: boolean } = { ended: false },
  { settings = {}, ...options }: Connection = {},
): Session {
  const clock = panel.time.clockOf(process);
  const random = seeded(1);
  const given: Readonly<Record<string, string>> = { ...connected, ...settings };
  const read = readSettings([keyedSource("the test", (key) => given[key])]);
  const { requestTimeoutMs = read.requestTimeoutMs, pageSize = read.pageSize } = options;
  const client = createPanelClient({
    ...clientOptions(read),
    requestTimeoutMs,
    transport: panel.transportOf(process),
    clock,
    random,
  });
  const { restoreActions, completeStatuses, failedStatuses } = read;
  const words = { restoreActions, completeStatuses, failedStatuses };
  const redact = connectionRedactor(read.username, read.password);
  return createSession({ client, clock, random, requestTimeoutMs, words, redact, ...options, pageSize });
}

/** One provider process: the project's own from the engine's calls down to the requests, on virtual time. */
export class Process {
  /** The engine that started it was killed: nobody listens to it any more. */
  orphaned = false;
  /** It does nothing any more. */
  ended = false;
  readonly warnings: string[] = [];
  /** What rows have shown. */
  readonly rows: string[] = [];
  readonly operations: Asked;
  readonly here: ProviderProcess;
  #intents = 0;

  constructor(
    readonly id: string,
    private readonly panel: Reachable,
    connection: Connection = {},
    operations?: (process: Process) => Asked,
  ) {
    this.here = this.#here(connection);
    this.operations = operations?.(this) ?? createOperations(this.here, planOperations(this.here));
  }

  end(): void {
    this.ended = true;
    this.panel.time.forget(this);
  }

  #here(connection: Connection): ProviderProcess {
    const isWatched = (): Promise<boolean> => Promise.resolve(!this.orphaned);
    const session = sessionOn(this.panel, this, { isWatched, ...connection });
    const points = new PointLists(session.client);
    return {
      id: this.id,
      newIntentId: () => intentIdOf(this.id, ++this.#intents),
      replacedIntents: new Map(),
      types: connection.types ?? resourceTypes,
      engineLog: {
        progress: (_urn, text) => void this.rows.push(text),
        info: () => undefined,
        warn: (_urn, text) => void this.warnings.push(text),
        flushed: () => Promise.resolve(),
      },
      configure: () => undefined,
      session: () => session,
      listAccess: () => ({ client: session.client, points, pointStates: [], pageSize: connection.pageSize ?? 10 }),
      whyNotAllowed: (machine) => whyNotAllowed(machine, connection.allowedMachines ?? []),
      nameSettings: (text) => text,
      exitWithEngine: () => undefined,
    };
  }
}

/** Numbers from 0 to 1 that are the same every time. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
