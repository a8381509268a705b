import { clientOptions, readSettings, settingsWarnings, type Settings } from "../config";
import { processSources, type ProcessConfig } from "../config/provider-process";
import { createFeed } from "../feed/feed";
import { createPanelClient } from "../panel/client";
import { redactor } from "../panel/secrets/redact";
import { Claims } from "../restore/turn/claims";
import { elapsed } from "../time/elapsed";
import { createSite, type Site } from "../restore/site";
import { systemClock } from "../time/clock";
import { messageOf } from "../text/message-of";
import { engineIsGone } from "../engine/engine-alive";
import { createEngineVoice } from "../engine/engine-log";

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
let spokesman: string | undefined;
const unsaid: string[] = [];

/**
 * Only remembers. The engine's calls come in as soon as this is called and do not wait for a promise of it, and a
 * throw in here would leave every later call unconfigured, so settings are read and judged when a panel is first needed.
 */
export function configure(request: { readonly config: ProcessConfig } | undefined): void {
  config = request?.config;
}

/** The panel, connected on first use. Throws a `ConfigurationError` that lists everything missing or wrong. */
export function panelSite(urn: string | undefined): Site {
  site ??= connect(readSettings([...processSources(config, process.env)]));
  if (urn !== undefined) {
    spokesman ??= urn;
    unsaid.splice(0).forEach(warn);
  }
  return site;
}

/** What concerns no single restore is said once, on the row of the first one: an intent, which comes before it, has no row to speak on. */
function warn(text: string): void {
  if (spokesman === undefined) unsaid.push(text);
  else voice.warn(spokesman, text);
}

function connect(settings: Settings): Site {
  const client = createPanelClient(clientOptions(settings));
  settingsWarnings(settings).forEach(warn);
  const feed = createFeed({
    client,
    pageSize: settings.pageSize,
    clock: systemClock,
    random: Math.random,
    requestTimeoutMs: settings.requestTimeoutMs,
    // Each row has said so while it lasted; this stays to be read when everything is over.
    onRecovered: ({ lastedMs }) => {
      warn(`the panel's list could not be read for ${elapsed(lastedMs)}; what waits for it has gone on waiting`);
    },
    onWatchError: (error) => {
      warn(`an error in this provider was passed over while it waited: ${messageOf(error)}`);
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
    redact: redactor(settings.username, settings.password),
    ...(settings.maxConcurrent !== undefined && { maxConcurrent: settings.maxConcurrent }),
    isWatched: async () => !(await engineIsGone(engineAddress)),
  });
}
