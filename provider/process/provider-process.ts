import { randomUUID } from "node:crypto";
import { readSettings, settingsWarnings, type Settings } from "../config";
import type { Source } from "../config/source";
import { engineIsGone } from "../engine/engine-alive";
import { createEngineVoice, type EngineVoice } from "../engine/engine-log";
import { createWatchdog } from "../engine/watchdog";
import type { ResourceTypes } from "../names/resource-names";
import type { PanelClient } from "../panel/terms/types";
import type { Site } from "../restore/site";
import { Claims } from "../restore/turn/claims";
import { systemClock } from "../time/clock";
import { connect } from "./connect";
import { FirstRow } from "./first-row";

/**
 * What a provider process is, whichever way restores come into it: the engine it belongs to, and the panel it restores on. One
 * process serves one explicit provider, or the stack's configuration, so there is one panel, and all resources of the
 * process share its feed, its lanes and its places.
 */
export interface ProviderProcess {
  /** Names this process. An intent that carries it was made a moment ago by this very run. */
  readonly id: string;
  /** The types under which its resources stand in the state. */
  readonly types: ResourceTypes;
  readonly voice: EngineVoice;
  readonly claims: Claims;
  /**
   * Only remembers where settings are to be found. The engine's other calls do not wait until this has ended, and where it
   * throws, they come all the same and find nothing: so settings are read and judged when a panel is first needed.
   */
  configure(sources: readonly Source[]): void;
  /** The panel, connected on first use by the restore of this URN. Throws a `ConfigurationError` that lists everything missing or wrong. */
  site(urn: string | undefined): Site;
  /** What the panel's lists are read with. */
  reading(): Reading;
  /** From now on the process ends when its engine is gone. */
  endWithTheEngine(): void;
}

export interface Reading {
  readonly client: PanelClient;
  readonly pageSize: number;
}

export interface ProcessOptions {
  readonly types: ResourceTypes;
  /** Undefined where there is no engine: nothing is told to it, and nothing ends with it. */
  readonly engineAddress: string | undefined;
  /** Where settings are found before, or without, a call of `configure`. */
  readonly sources: readonly Source[];
}

export function createProviderProcess({ types, engineAddress, ...options }: ProcessOptions): ProviderProcess {
  const voice = createEngineVoice(engineAddress);
  const claims = new Claims();
  const firstRow = new FirstRow((urn, text) => {
    voice.warn(urn, text);
  });
  const isGone = (): Promise<boolean> => engineIsGone(engineAddress);
  let { sources } = options;
  let panel: (Pick<Settings, "pageSize"> & { readonly site: Site }) | undefined;

  const connected = (): NonNullable<typeof panel> => {
    const settings = readSettings(sources);
    const warn = (text: string): void => {
      firstRow.say(text);
    };
    settingsWarnings(settings).forEach(warn);
    const isWatched = async (): Promise<boolean> => !(await isGone());
    return {
      pageSize: settings.pageSize,
      site: connect(settings, { claims, clock: systemClock, isWatched, warn }),
    };
  };

  return {
    id: randomUUID(),
    types,
    voice,
    claims,
    configure: (found) => {
      sources = found;
    },
    site: (urn) => {
      panel ??= connected();
      if (urn !== undefined) firstRow.is(urn);
      return panel.site;
    },
    reading: () => {
      panel ??= connected();
      return { client: panel.site.client, pageSize: panel.pageSize };
    },
    endWithTheEngine: createWatchdog({ isGone, exit: () => process.exit(1) }),
  };
}
