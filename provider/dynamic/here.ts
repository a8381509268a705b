import { clientOptions, readSettings, settingsWarnings, type Settings } from "../config";
import { processSources, type ProcessConfig } from "../config/provider-process";
import { createFeed } from "../feed/feed";
import { createPanelClient } from "../panel/client";
import { Claims } from "../restore/claims";
import { createSite, type Site } from "../restore/site";
import { systemClock } from "../time/clock";
import { engineIsGone } from "./engine-alive";
import { createEngineVoice } from "./engine-log";

/**
 * What this provider process is: the configuration it was handed, the engine it belongs to, and the panel it restores on. One
 * process serves one explicit provider, or the stack's configuration, so there is one panel. All three resource types
 * come through this module and so share the feed, the lanes and the places.
 */

/** The engine gives its address as the first argument. */
export const engineAddress: string | undefined = process.argv[2];

export const voice = createEngineVoice(engineAddress);

export const claims = new Claims();

let config: ProcessConfig | undefined;
let site: Site | undefined;
let saidWarnings = false;

/**
 * Only remembers. The engine's calls come in as soon as this is called and do not wait for a promise of it, and a
 * throw in here would leave every later call unconfigured, so settings are read and judged when a panel is first needed.
 */
export function configure(request: { readonly config: ProcessConfig } | undefined): void {
  config = request?.config;
}

/** The panel, connected on first use. Throws a `ConfigurationError` that lists everything missing or wrong. */
export function panelSite(urn: string | undefined): Site {
  site ??= connect(readSettings([...processSources(config, process.env)]), urn);
  return site;
}

function connect(settings: Settings, urn: string | undefined): Site {
  const client = createPanelClient(clientOptions(settings));
  const warn = (text: string): void => {
    if (urn !== undefined) voice.warn(urn, text);
  };
  if (!saidWarnings) settingsWarnings(settings).forEach(warn);
  saidWarnings = true;
  const feed = createFeed({
    client,
    pageSize: settings.pageSize,
    clock: systemClock,
    random: Math.random,
    requestTimeoutMs: settings.requestTimeoutMs,
    onWatchError: (error) => {
      warn(
        `an error in this provider was passed over while it waited: ${error instanceof Error ? error.message : String(error)}`,
      );
    },
  });
  return createSite({
    client,
    feed,
    claims,
    clock: systemClock,
    words: settings,
    adoptWindowMs: settings.adoptWindowMs,
    requestTimeoutMs: settings.requestTimeoutMs,
    knownSecrets: spellingsOf(settings),
    ...(settings.maxConcurrent !== undefined && { maxConcurrent: settings.maxConcurrent }),
    isWatched: async () => !(await engineIsGone(engineAddress)),
  });
}

/** The password as it is, in a request's header and in an address. */
function spellingsOf({ username, password }: Settings): readonly string[] {
  const secret = password.reveal();
  return [secret, encodeURIComponent(secret), Buffer.from(`${username}:${secret}`).toString("base64")];
}
