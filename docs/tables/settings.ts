import { type Setting, settingDefinitions, settingNames } from "../../provider/inputs/settings-table";
import { configKey } from "../../provider/inputs/settings-sources";
import { markdownTable } from "./markdown";
import { split } from "./members";

/** The settings of a connection as a Markdown table, followed by the sentences that do not fit into a cell. */
export function settingsTable(): string {
  const rows = settingNames.map((name) => {
    const one: Setting<unknown> = settingDefinitions[name];
    const marks = one.secret ? ", secret" : "";
    return [
      `\`${configKey(name)}\``,
      `\`${one.variable}\``,
      `${one.type}${marks}`,
      one.required ? "required" : one.default === undefined ? "none" : `\`${one.default}\``,
      split(`${one.meaning}.`).first,
    ];
  });
  const meaning = "A file for [the trace of decisions](troubleshooting.md#why-did-it-decide-so)";
  rows.push(["none", "`RECOVERY_TRACE`", "path", "none", `${meaning}.`]);
  const notes = settingNames.flatMap((name) => {
    const { rest } = split(`${settingDefinitions[name].meaning}.`);
    return rest === "" ? [] : [`- \`${configKey(name)}\`: ${rest}`];
  });
  const table = markdownTable([["key", "environment", "type", "default", "meaning"], ...rows]);
  return notes.length === 0 ? table : `${table}\n\n${notes.join("\n")}`;
}
