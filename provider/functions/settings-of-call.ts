import * as pulumi from "@pulumi/pulumi";
import { readSettings, settingsWarnings, type Settings } from "../config";
import { explicitSource, type ExplicitTexts } from "../config/explicit";
import { environmentSource } from "../config/source";
import { stackSource } from "../config/stack";

/** What a call connects by: its provider's settings before the stack's configuration, and that before the environment. */
export function connectionSettings(explicit: ExplicitTexts | undefined): Settings {
  const own = explicit === undefined ? [] : [explicitSource(explicit)];
  const settings = readSettings([...own, stackSource(), environmentSource(process.env)]);
  for (const warning of settingsWarnings(settings)) warnOnce(warning);
  return settings;
}

const warned = new Set<string>();

function warnOnce(warning: string): void {
  if (warned.has(warning)) return;
  warned.add(warning);
  void pulumi.log.warn(warning);
}
