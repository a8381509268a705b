import { createFeed } from "../../../provider/feed/feed";
import { resourceTypes } from "../../../provider/inputs/resource-names";
import { operationsIn } from "../../../provider/engine";
import type { ProviderProcess } from "../../../provider/engine/process";
import { createPanelClient } from "../../../provider/panel/client";
import { Secret } from "../../../provider/panel/secrets";
import { PointLists } from "../../../provider/points/choose-point";
import { Claims, createSite, type Site } from "../../../provider/restore/site";
import type { LifePanel } from "./panel";

/** What the engine may ask of these types. */
export type Asked = Pick<ReturnType<typeof operationsIn>, "VmRestore" | "FileRestore" | "RestoreIntent">;

/** `recovery:adoptWindow`, as it is by default. */
export const adoptWindowMs = 6 * 3_600_000;

/** One provider process: the project's own from the engine's calls down to the requests, on virtual time. */
export class Process {
  /** The engine that started it was killed: nobody listens to it any more. */
  orphaned = false;
  /** It does nothing any more. */
  ended = false;
  readonly operations: Asked;

  constructor(
    readonly id: string,
    private readonly panel: LifePanel,
    maxConcurrent?: number,
    operations?: (process: Process) => Asked,
  ) {
    this.operations = operations?.(this) ?? operationsIn(this.#here(maxConcurrent));
  }

  end(): void {
    this.ended = true;
    this.panel.time.forget(this);
  }

  #here(maxConcurrent: number | undefined): ProviderProcess {
    const claims = new Claims();
    const site = this.#connect(claims, maxConcurrent);
    const points = new PointLists(site.client);
    return {
      id: this.id,
      types: resourceTypes,
      voice: { progress: () => undefined, warn: () => undefined, settled: () => Promise.resolve() },
      claims,
      configure: () => undefined,
      site: () => site,
      reading: () => ({ client: site.client, points, pointStates: [], pageSize }),
      endWithTheEngine: () => undefined,
    };
  }

  #connect(claims: Claims, maxConcurrent: number | undefined): Site {
    const clock = this.panel.time.clockOf(this);
    const random = seeded(1);
    const client = createPanelClient({
      endpoint: "https://panel.example",
      username: "operator",
      password: new Secret("password"),
      format: "json",
      insecure: false,
      requestTimeoutMs,
      transport: this.panel.transportOf(this),
      clock,
      random,
    });
    return createSite({
      client,
      feed: createFeed({ client, pageSize, clock, random, requestTimeoutMs }),
      clock,
      words: { restoreActions: [], completeStatuses: [], failedStatuses: [] },
      adoptWindowMs,
      requestTimeoutMs,
      redact: (text) => text,
      isWatched: () => Promise.resolve(!this.orphaned),
      claims,
      ...(maxConcurrent !== undefined && { maxConcurrent }),
    });
  }
}

const requestTimeoutMs = 30_000;
const pageSize = 100;

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
