import { Memory } from "../../../provider/engine/memory";
import { whyNotAllowed } from "../../../provider/inputs/allowed-machines";
import { createFeed } from "../../../provider/feed/feed";
import { intentIdOf } from "../../../provider/inputs/intent";
import { resourceTypes, type ResourceTypes } from "../../../provider/inputs/resource-names";
import { createOperations } from "../../../provider/engine";
import type { ProviderProcess } from "../../../provider/engine/process";
import { createPanelClient } from "../../../provider/panel/client";
import { Secret } from "../../../provider/panel/secrets";
import { PointLists } from "../../../provider/points/choose-from-panel";
import { Claims, type PanelSession } from "../../../provider/restore/panel-session";
import { createPanelSession, type PanelSessionOptions } from "../../support/panel-session";
import type { PanelAtWork } from "./panel-at-work";
import { panelAddress, plainWords } from "./rows";

/** What the engine may ask of these types. */
export type Asked = Pick<
  ReturnType<typeof createOperations>,
  "VmRestore" | "FileRestore" | "RestoreIntent" | "PlanRun"
>;

/** `recovery:adoptWindow`, as it is by default. */
export const adoptWindowMs = 6 * 3_600_000;

interface Connection extends Partial<PanelSessionOptions> {
  readonly pageSize?: number;
  readonly types?: ResourceTypes;
}

/** What a process has on a panel: the project's own client on virtual time, and a feed of its own. */
export function sessionOn(
  panel: PanelAtWork,
  process: { readonly ended: boolean } = { ended: false },
  { requestTimeoutMs = 10_000, pageSize = 10, ...options }: Connection = {},
): PanelSession {
  const clock = panel.time.clockOf(process);
  const random = seeded(1);
  const client = createPanelClient({
    endpoint: panelAddress,
    username: "operator",
    password: new Secret("password"),
    format: "json",
    insecure: false,
    requestTimeoutMs,
    transport: panel.transportOf(process),
    clock,
    random,
  });
  return createPanelSession({
    client,
    feed: createFeed({ client, pageSize, clock, random, requestTimeoutMs }),
    clock,
    words: plainWords,
    adoptWindowMs,
    requestTimeoutMs,
    redact: (text) => text,
    isWatched: () => Promise.resolve(true),
    ...options,
  });
}

/** One provider process: the project's own from the engine's calls down to the requests, on virtual time. */
export class Process {
  /** The engine that started it was killed: nobody listens to it any more. */
  orphaned = false;
  /** It does nothing any more. */
  ended = false;
  readonly warnings: string[] = [];
  readonly operations: Asked;
  #intents = 0;

  constructor(
    readonly id: string,
    private readonly panel: PanelAtWork,
    connection: Connection = {},
    operations?: (process: Process) => Asked,
  ) {
    this.operations = operations?.(this) ?? createOperations(this.#here(connection));
  }

  end(): void {
    this.ended = true;
    this.panel.time.forget(this);
  }

  #here(connection: Connection): ProviderProcess {
    const claims = new Claims();
    const isWatched = (): Promise<boolean> => Promise.resolve(!this.orphaned);
    const session = sessionOn(this.panel, this, { ...connection, claims, isWatched });
    const points = new PointLists(session.client);
    return {
      id: this.id,
      memory: new Memory(),
      newIntentId: () => intentIdOf(this.id, ++this.#intents),
      types: connection.types ?? resourceTypes,
      engineLog: {
        progress: () => undefined,
        warn: (_urn, text) => void this.warnings.push(text),
        flushed: () => Promise.resolve(),
      },
      claims,
      configure: () => undefined,
      session: () => session,
      listAccess: () => ({ client: session.client, points, pointStates: [], pageSize: connection.pageSize ?? 10 }),
      whyNotAllowed: (machine) => whyNotAllowed(machine, connection.allowedMachines ?? []),
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
