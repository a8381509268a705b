import { type Setting, settingDefinitions, settingNames } from "../../provider/inputs/settings-table";
import { configKey } from "../../provider/inputs/settings-sources";

/** A connection's settings as a list, like a resource's inputs. */
export function settingsList(): string {
  const entries = settingNames.map((name) => {
    const one: Setting<unknown> = settingDefinitions[name];
    const kind = one.required ? "required" : one.default === undefined ? "optional" : `default: \`${one.default}\``;
    const type = one.secret ? `${one.type}, secret` : one.type;
    return `- **${configKey(name)}** (\`${one.variable}\`, ${type}, ${kind}): ${one.meaning}.`;
  });
  const trace =
    "A file for [the trace of decisions](troubleshooting.md#tracing-decisions); set only in the environment.";
  return [...entries, `- \`RECOVERY_TRACE\` (path, optional): ${trace}`].join("\n");
}
