import { randomBytes } from "node:crypto";
import { createFeed } from "../feed/feed";
import { intentIdOf } from "../inputs/intent";
import type { ResourceTypes } from "../inputs/resource-names";
import { clientOptions, readSettings, type Settings, settingsWarnings } from "../inputs/settings";
import type { SettingsSource } from "../inputs/settings-sources";
import { createPanelClient } from "../panel/client";
import { connectionRedactor } from "../panel/secrets";
import type { PanelClient } from "../panel/types";
import { formatElapsed, systemClock } from "../plain/clock";
import { errorMessage } from "../plain/text";
import { PointLists } from "../points/choose-from-panel";
import { Claims, createPanelSession, type PanelSession, type PanelSessionOptions } from "../restore/panel-session";
import { createWatchdog, engineIsGone } from "./engine-alive";
import { createEngineVoice, type EngineVoice } from "./engine-log";

/**
 * What a provider process is, whichever way restores come into it: the engine it belongs to, and the panel it restores on. One
 * process serves one explicit provider, or the stack's configuration, so there is one panel, and all resources of the
 * process share its feed, its lanes and its places.
 */
export interface ProviderProcess {
  /** Names this process. An intent that it made was made a moment ago, by this very run. */
  readonly id: string;
  /** The id of a new intent. */
  newIntentId(): string;
  /** The types under which its resources stand in the state. */
  readonly types: ResourceTypes;
  readonly voice: EngineVoice;
  readonly claims: Claims;
  /**
   * Only remembers where settings are to be found. The engine's other calls do not wait until this has ended, and where it
   * throws, they come all the same and find nothing: so settings are read and judged when a panel is first needed.
   */
  configure(sources: readonly SettingsSource[]): void;
  /** The panel, connected on first use by the restore of this URN. Throws a `ConfigurationError` that lists everything missing or wrong. */
  site(urn: string | undefined): PanelSession;
  /** What the panel's lists are read with. */
  reading(): ListAccess;
  /** From now on the process ends when its engine is gone. */
  endWithTheEngine(): void;
}

export interface ListAccess extends Pick<Settings, "pageSize" | "pointStates"> {
  readonly client: PanelClient;
  /** The lists of recovery points that this run chooses from. */
  readonly points: PointLists;
}

export interface ProcessOptions {
  readonly types: ResourceTypes;
  /** Undefined where there is no engine: nothing is told to it, and nothing ends with it. */
  readonly engineAddress: string | undefined;
  /** Where settings are found before, or without, a call of `configure`. */
  readonly sources: readonly SettingsSource[];
}

export function createProviderProcess({ types, engineAddress, ...options }: ProcessOptions): ProviderProcess {
  const voice = createEngineVoice(engineAddress);
  const claims = new Claims();
  const firstRow = new FirstRow((urn, text) => {
    voice.warn(urn, text);
  });
  const isGone = (): Promise<boolean> => engineIsGone(engineAddress);
  let { sources } = options;
  let panel: (ListAccess & { readonly site: PanelSession }) | undefined;

  const connected = (): NonNullable<typeof panel> => {
    const settings = readSettings(sources);
    const warn = (text: string): void => {
      firstRow.say(text);
    };
    settingsWarnings(settings).forEach(warn);
    const isWatched = async (): Promise<boolean> => !(await isGone());
    const site = connect(settings, { claims, clock: systemClock, isWatched, warn });
    const { pageSize, pointStates } = settings;
    return { site, client: site.client, points: new PointLists(site.client), pageSize, pointStates };
  };

  const id = uniqueId();
  let intents = 0;
  return {
    id,
    newIntentId: () => intentIdOf(id, ++intents),
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
    reading: () => (panel ??= connected()),
    endWithTheEngine: createWatchdog({ isGone, exit: () => process.exit(1) }),
  };
}

/** Never made twice, and short: it stands several times in a stack's state. */
function uniqueId(): string {
  return randomBytes(6).toString("base64url");
}

/** What a panel is connected to for, beside its settings. */
export interface Around extends Required<Pick<PanelSessionOptions, "claims" | "clock" | "isWatched">> {
  /** What concerns no single restore. */
  readonly warn: (text: string) => void;
}

/** The panel of the settings, with what all restores on it share. Of the settings each part gets what it works with. */
function connect(settings: Settings, { warn, ...around }: Around): PanelSession {
  const { pageSize, requestTimeoutMs, adoptWindowMs, maxConcurrent } = settings;
  const { restoreActions, completeStatuses, failedStatuses } = settings;
  const client = createPanelClient(clientOptions(settings));
  const feed = createFeed({
    client,
    pageSize,
    clock: around.clock,
    random: Math.random,
    requestTimeoutMs,
    // Each row has said so while it lasted; this stays to be read when everything is over.
    onRecovered: ({ lastedMs }) => {
      warn(`the panel's list could not be read for ${formatElapsed(lastedMs)}; what waits for it has gone on waiting`);
    },
    onSubscriberError: (error) => {
      warn(`an error in this provider was passed over while it waited: ${errorMessage(error)}`);
    },
  });
  return createPanelSession({
    ...around,
    client,
    feed,
    words: { restoreActions, completeStatuses, failedStatuses },
    adoptWindowMs,
    requestTimeoutMs,
    redact: connectionRedactor(settings.username, settings.password),
    ...(maxConcurrent !== undefined && { maxConcurrent }),
  });
}

/**
 * What concerns no single restore is said once, on the row of the first one: an intent, which comes before it, has no row to
 * speak on. Until then it is kept.
 */
export class FirstRow {
  readonly #say: (urn: string, text: string) => void;
  readonly #unsaid: string[] = [];
  #urn: string | undefined;

  constructor(say: (urn: string, text: string) => void) {
    this.#say = say;
  }

  /** A restore has a row. Only the first one counts. */
  is(urn: string): void {
    this.#urn ??= urn;
    for (const text of this.#unsaid.splice(0)) this.#say(this.#urn, text);
  }

  say(text: string): void {
    if (this.#urn === undefined) this.#unsaid.push(text);
    else this.#say(this.#urn, text);
  }
}
