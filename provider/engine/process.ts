import { createEngineLog, type EngineLog } from "./engine-log";
import { randomBytes } from "node:crypto";
import { Feed } from "../feed/feed";
import { WatchedClock } from "../plain/watched-clock";
import { intentIdOf, type ReplacedIntent } from "../inputs/intent";
import type { ResourceTypes } from "../inputs/resource-names";
import {
  clientOptions,
  readAllowedMachines,
  readEndpoint,
  readSettings,
  type Settings,
  settingsWarnings,
  whyNotAllowed,
} from "../inputs/settings";
import type { SettingsSource } from "../inputs/settings-sources";
import { createPanelClient } from "../panel/client";
import { adviceWhereSet, type SetElsewhere } from "../panel/errors";
import { connectionRedactor } from "../panel/secrets";
import type { Transport } from "../panel/transport";
import type { PanelClient } from "../panel/types";
import { type Clock, type Random, systemClock } from "../plain/clock";
import { Semaphore } from "../plain/semaphore";
import { type PointAccess, PointLists } from "../points/choose-point";
import { Claims, type Session, shortestListedMs, Unlisted } from "../restore/session";
import { traceTo } from "../restore/trace";
import { createWatchdog, engineIsGone, watchForCancel } from "./engine-alive";
import { panelText } from "./messages";

/**
 * State shared by all resources of a provider process: its engine and its panel. A process serves one explicit provider or the stack's configuration, so it
 * has one panel, one feed and one limit on concurrent restores.
 */
export interface ProviderProcess {
  /** Identifies this process, and thus the intents made in this run. Short, because it occurs many times in a stack's state. */
  readonly id: string;
  newIntentId(): string;
  /** Keyed by an intent's URN: the intent that this run replaces and the intents before it, newest first. */
  readonly replacedIntents: Map<string, readonly ReplacedIntent[]>;
  /** The ids of intents that a restore's record refers to or that this run replaces. */
  readonly settledIntents: Set<string>;
  /** The resource types as they appear in the state. */
  readonly types: ResourceTypes;
  readonly engineLog: EngineLog;
  /**
   * Stores the settings sources, which are read only when the panel is first needed. The engine makes its other calls without waiting for `configure`, and
   * even if `configure` throws.
   */
  configure(sources: readonly SettingsSource[]): void;
  /**
   * The session with the panel, connected on first use. Throws a `ConfigurationError` that lists every missing or invalid setting.
   */
  session(): Session;
  /** The client and the settings for reading the panel's lists. */
  listAccess(): ListAccess;
  /**
   * Why a machine may not be restored, or undefined if it may. Sends nothing and needs no other setting. Throws a `ConfigurationError` if a list cannot be
   * read.
   */
  whyNotAllowed(machine: string): string | undefined;
  /** Shows the panel's address on the stack's row, once, before the first line about what is overwritten there. */
  namePanel(): void;
  /** Rewrites a message so that it says where to change each setting that it names. */
  nameSettings(text: string): string;
  /** Makes the process exit once its engine is gone. */
  exitWithEngine(): void;
}

interface ListAccess extends Pick<Settings, "pageSize">, PointAccess {
  readonly client: PanelClient;
}

/** The external dependencies of a provider process. */
export interface Edge {
  /** Undefined if there is no engine. Log messages are then printed, and nothing makes the process exit. */
  readonly engineAddress?: string | undefined;
  /** @default the engine at `engineAddress` */
  readonly engine?: EngineLink;
  readonly clock?: Clock;
  readonly random?: Random;
  /** @default HTTP */
  readonly transport?: Transport;
  /** Receives each line of the trace. @default appends to the file named by `RECOVERY_TRACE` */
  readonly trace?: (line: string) => void;
}

interface EngineLink {
  readonly log: EngineLog;
  /** Whether the engine was killed. */
  readonly isGone: () => Promise<boolean>;
  readonly exitWithEngine: () => void;
}

function linkTo(engineAddress: string | undefined): EngineLink {
  const isGone = (): Promise<boolean> => engineIsGone(engineAddress);
  const exitWithEngine = createWatchdog(isGone, () => process.exit(1));
  return { log: createEngineLog(engineAddress), isGone, exitWithEngine };
}

interface ProcessOptions extends Edge {
  readonly types: ResourceTypes;
  /** The sources of settings until `configure` is called. */
  readonly sources: readonly SettingsSource[];
}

export function createProviderProcess({ types, engineAddress, ...options }: ProcessOptions): ProviderProcess {
  let { sources } = options;
  const { log, isGone, exitWithEngine } = options.engine ?? linkTo(engineAddress);
  let panel: (ListAccess & { readonly session: Session; readonly setElsewhere: SetElsewhere | undefined }) | undefined;
  const nameSettings = (text: string): string => adviceWhereSet(text, panel?.setElsewhere);
  const engineLog: EngineLog = {
    ...log,
    info: (urn, text) => {
      log.info(urn, nameSettings(text));
    },
    warn: (urn, text) => {
      log.warn(urn, nameSettings(text));
    },
  };
  const isCancelled = watchForCancel();

  const connectPanel = (): NonNullable<typeof panel> => {
    const settings = readSettings(sources);
    // These warnings are not about a single restore, so they appear on the stack's row.
    const warn = (text: string): void => {
      engineLog.warn("", text);
    };
    settingsWarnings(settings).forEach(warn);
    const isWatched = async (): Promise<boolean> => !isCancelled() && !(await isGone());
    const session = openSession(settings, { ...options, isWatched, warn });
    const { pageSize, pointStates, setElsewhere } = settings;
    const { client } = session;
    return { session, client, points: new PointLists(client), pageSize, pointStates, setElsewhere };
  };

  const connected = (): NonNullable<typeof panel> => (panel ??= connectPanel());
  const id = randomBytes(6).toString("base64url");
  let intents = 0;
  let isPanelNamed = false;
  return {
    id,
    newIntentId: () => intentIdOf(id, ++intents),
    replacedIntents: new Map(),
    settledIntents: new Set(),
    types,
    engineLog,
    configure: (found) => {
      sources = found;
    },
    session: () => connected().session,
    listAccess: connected,
    whyNotAllowed: (machine) => whyNotAllowed(machine, readAllowedMachines(sources)),
    namePanel: () => {
      const endpoint = isPanelNamed ? undefined : readEndpoint(sources);
      isPanelNamed = true;
      if (endpoint !== undefined) engineLog.info("", panelText(endpoint));
      if (endpoint !== undefined) warnOfSettings(connected);
    },
    nameSettings,
    exitWithEngine,
  };
}

/** Connecting shows the settings' warnings. A preview needs no panel, so invalid settings are reported by the first call that needs them. */
function warnOfSettings(connect: () => unknown): void {
  try {
    connect();
  } catch {
    // The panel's address is shown anyway.
  }
}

/** Connects to the panel. Each part gets only the settings that it needs. `warn` shows a warning that is not about any single restore. */
function openSession(
  settings: Settings,
  context: Edge & Pick<Session, "isWatched"> & { readonly warn: (text: string) => void },
): Session {
  const { pageSize, requestTimeoutMs, maxConcurrent, allowedMachines } = settings;
  const { clock: time = systemClock, random = Math.random, transport, isWatched, warn } = context;
  const clock = new WatchedClock(time);
  const client = createPanelClient({
    ...clientOptions(settings),
    clock: time,
    random,
    ...(transport && { transport }),
  });
  const feed = new Feed({ client, pageSize, clock, random, requestTimeoutMs });
  return {
    clock,
    isWatched,
    trace: context.trace ?? traceTo(process.env["RECOVERY_TRACE"], warn),
    client,
    feed,
    words: settings,
    requestTimeoutMs,
    allowedMachines,
    redact: connectionRedactor(settings.username, settings.password),
    claims: new Claims(),
    queues: new Map(),
    places: new Semaphore(maxConcurrent),
    unlisted: new Unlisted(),
    shortestListedMs,
  };
}
