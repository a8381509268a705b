import { type Setting, settingDefinitions, settingNames } from "../../provider/inputs/settings-table";
import { configKey } from "../../provider/inputs/settings-sources";
import { markdownTable } from "./markdown";

/** The settings of a connection as a Markdown table. */
export function settingsTable(): string {
  const rows = settingNames.map((name) => {
    const one: Setting<unknown> = settingDefinitions[name];
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
