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
import { createEngineLog, type EngineLog } from "./engine-log";

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
  readonly engineLog: EngineLog;
  readonly claims: Claims;
  /**
   * Only remembers where settings are to be found. The engine's other calls do not wait until this has ended, and where it
   * throws, they come all the same and find nothing: so settings are read and judged when a panel is first needed.
   */
  configure(sources: readonly SettingsSource[]): void;
  /** The panel, connected on first use by the restore of this URN. Throws a `ConfigurationError` that lists everything missing or wrong. */
  session(urn: string | undefined): PanelSession;
  /** What the panel's lists are read with. */
  listAccess(): ListAccess;
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
  const engineLog = createEngineLog(engineAddress);
  const claims = new Claims();
  const warnings = new FirstRowWarnings((urn, text) => {
    engineLog.warn(urn, text);
  });
  const isGone = (): Promise<boolean> => engineIsGone(engineAddress);
  let { sources } = options;
  let panel: (ListAccess & { readonly session: PanelSession }) | undefined;

  const connectPanel = (): NonNullable<typeof panel> => {
    const settings = readSettings(sources);
    const warn = (text: string): void => {
      warnings.warn(text);
    };
    settingsWarnings(settings).forEach(warn);
    const isWatched = async (): Promise<boolean> => !(await isGone());
    const session = openSession(settings, { claims, clock: systemClock, isWatched, warn });
    const { pageSize, pointStates } = settings;
    return { session, client: session.client, points: new PointLists(session.client), pageSize, pointStates };
  };

  const id = uniqueId();
  let intents = 0;
  return {
    id,
    newIntentId: () => intentIdOf(id, ++intents),
    types,
    engineLog,
    claims,
    configure: (found) => {
      sources = found;
    },
    session: (urn) => {
      panel ??= connectPanel();
      if (urn !== undefined) warnings.setRow(urn);
      return panel.session;
    },
    listAccess: () => (panel ??= connectPanel()),
    endWithTheEngine: createWatchdog({ isGone, exit: () => process.exit(1) }),
  };
}

/** Never made twice, and short: it stands several times in a stack's state. */
function uniqueId(): string {
  return randomBytes(6).toString("base64url");
}

/** What a panel is connected to for, beside its settings. */
export interface SessionContext extends Required<Pick<PanelSessionOptions, "claims" | "clock" | "isWatched">> {
  /** What concerns no single restore. */
  readonly warn: (text: string) => void;
}

/** The panel of the settings, with what all restores on it share. Of the settings each part gets what it works with. */
function openSession(settings: Settings, { warn, ...context }: SessionContext): PanelSession {
  const { pageSize, requestTimeoutMs, adoptWindowMs, maxConcurrent } = settings;
  const { restoreActions, completeStatuses, failedStatuses } = settings;
  const client = createPanelClient(clientOptions(settings));
  const feed = createFeed({
    client,
    pageSize,
    clock: context.clock,
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
    ...context,
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
export class FirstRowWarnings {
  readonly #warn: (urn: string, text: string) => void;
  readonly #pending: string[] = [];
  #urn: string | undefined;

  constructor(say: (urn: string, text: string) => void) {
    this.#warn = say;
  }

  /** A restore has a row. Only the first one counts. */
  setRow(urn: string): void {
    this.#urn ??= urn;
    for (const text of this.#pending.splice(0)) this.#warn(this.#urn, text);
  }

  warn(text: string): void {
    if (this.#urn === undefined) this.#pending.push(text);
    else this.#warn(this.#urn, text);
  }
}
