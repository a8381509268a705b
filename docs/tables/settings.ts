import { join } from "node:path";
import { configKey, settingNamed, settingNames, variableOf } from "../../provider/inputs/settings-table";
import { membersOf } from "./members";

const members = membersOf(join(__dirname, "..", "..", "provider", "program", "provider.ts"), "ProviderArgs");

/** What each setting means, and its type as text. */
export const describedSettings = settingNames.map((name) => {
  const member = members.find((one) => one.name === name);
  if (member === undefined) throw new Error(`ProviderArgs has no ${name}`);
  const type = member.type.endsWith("[]") ? "list" : member.type.replace(/^string \| (?:number|Read.*)/, "string");
  return { name, type: type === "number" ? "integer" : type, comment: member.comment, ...settingNamed(name) };
});

/** A connection's settings as a list, like a resource's inputs. */
export function settingsList(): string {
  const entries = describedSettings.map(({ name, type, comment, required, secret, ...one }) => {
    const kind = required ? "required" : one.default === undefined ? "optional" : `default: \`${one.default}\``;
    const types = `${type.replaceAll('"', "`").replaceAll(" | ", " or ")}${secret ? ", secret" : ""}`;
    const text = `${comment.first} ${comment.rest}`.trim().replaceAll("\n\n", " ");
    return `- **${configKey(name)}** (\`${variableOf(name)}\`, ${types}, ${kind}): ${text}`;
  });
  const trace =
    "A file for [the trace of decisions](troubleshooting.md#tracing-decisions); set only in the environment.";
  return [...entries, `- \`RECOVERY_TRACE\` (path, optional): ${trace}`].join("\n");
}
