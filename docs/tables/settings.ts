import type { Setting } from "../../provider/config/definition";
import { definition, settingNames } from "../../provider/config/definition";
import { configKey } from "../../provider/config/source";
import { markdownTable } from "./markdown";

/** The settings of a connection as a Markdown table. */
export function settingsTable(): string {
  const rows = settingNames.map((name) => {
    const one: Setting<unknown> = definition[name];
    const marks = one.secret ? ", secret" : "";
    return [
      `\`${configKey(name)}\``,
      `\`${one.variable}\``,
      `${one.type}${marks}`,
      one.required ? "required" : one.default === undefined ? "none" : `\`${one.default}\``,
      one.meaning,
    ];
  });
  return markdownTable([["key", "environment", "type", "default", "meaning"], ...rows]);
}
