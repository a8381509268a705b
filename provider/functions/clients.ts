import { isDeepStrictEqual } from "node:util";
import { clientOptions } from "../config";
import type { Settings } from "../config/settings";
import { createPanelClient } from "../panel/client";
import type { PanelClient } from "../panel/terms/types";

interface Kept {
  readonly settings: Settings;
  readonly client: PanelClient;
}

/** One client per connection and process, so that calls share their connections to the panel. */
const kept: Kept[] = [];

export function clientFor(settings: Settings): PanelClient {
  const known = kept.find((one) => sameConnection(one.settings, settings));
  if (known !== undefined) return known.client;
  const client = createPanelClient(clientOptions(settings));
  kept.push({ settings, client });
  return client;
}

/** Every setting counts, and the password by its value: after a rotation in one long-lived process nothing may use the old one. */
function sameConnection(one: Settings, other: Settings): boolean {
  return (
    one.password.reveal() === other.password.reveal() &&
    isDeepStrictEqual({ ...one, password: undefined }, { ...other, password: undefined })
  );
}
