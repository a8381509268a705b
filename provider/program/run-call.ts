import * as pulumi from "@pulumi/pulumi";
import { clientOptions, readSettings, type Settings, settingsWarnings } from "../inputs/settings";
import { environmentSource } from "../inputs/settings-sources";
import { explicitSource, type ExplicitTexts, stackSource } from "./program-settings";
import { createPanelClient } from "../panel/client";
import type { PanelClient } from "../panel/types";
import { messageText, partsOf } from "../plain/message";
import { engineSafeData, errorMessage } from "../plain/text";
import { mockedPanel } from "./mocked-panel";
import { functionError, type PanelFunction, readCallArgs, type ReadingSettings } from "./function-args";

/** Runs a function call once its arguments and its provider's settings are known. */
export async function runCall<Args extends object, Result extends object>(
  panelFunction: PanelFunction<Args, Result>,
  given: object,
  explicit: ExplicitTexts | undefined,
): Promise<Result> {
  const { args, problems } = readCallArgs(panelFunction, given);
  if (problems.length > 0) throw functionError(panelFunction, `no request was made: ${problems.join("; ")}`);
  const panel = Promise.resolve(explicit).then(readablePanel);
  const { client, settings } = await panel.catch((error: unknown) => {
    throw functionError(panelFunction, errorMessage(error), error);
  });
  return readFromPanel(panelFunction, args, client, settings);
}

/** Reads from the panel, and returns only text that the engine can carry. */
export async function readFromPanel<Args extends object, Result extends object>(
  panelFunction: PanelFunction<Args, Result>,
  args: Args,
  client: PanelClient,
  settings: ReadingSettings,
): Promise<Result> {
  const rows = await panelFunction.read(client, args, settings).catch((error: unknown) => {
    throw functionError(
      panelFunction,
      messageText(partsOf(error, `could not read ${panelFunction.subject(args)} on ${client.address}`)),
      error,
    );
  });
  return engineSafeData({ ...args, ...rows } as unknown as Result);
}

/** The panel of a call, by the settings of its provider, the stack's configuration or the environment, in that order of precedence. */
function readablePanel(explicit: ExplicitTexts | undefined): {
  readonly client: PanelClient;
  readonly settings: ReadingSettings;
} {
  const mocked = mockedPanel();
  if (mocked !== undefined) return { client: mocked, settings: { pageSize: 100, pointStates: [] } };
  const own = explicit === undefined ? [] : [explicitSource(explicit)];
  const settings = readSettings([...own, stackSource(), environmentSource(process.env)]);
  settingsWarnings(settings).forEach(warnOnce);
  return { client: clientFor(settings), settings };
}

/** One client per connection and process, so that calls share their connections to the panel. */
const clients = new Map<string, PanelClient>();

function clientFor(settings: Settings): PanelClient {
  // The key contains the password's value, because a long-lived process must not use an old password after a rotation.
  const key = JSON.stringify({ ...settings, password: settings.password.reveal() });
  const client = clients.get(key) ?? createPanelClient(clientOptions(settings));
  clients.set(key, client);
  return client;
}

const warned = new Set<string>();

function warnOnce(warning: string): void {
  if (warned.has(warning)) return;
  warned.add(warning);
  void pulumi.log.warn(warning);
}
