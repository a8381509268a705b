import type { Stack } from "@pulumi/pulumi/automation";
import { configure, type StackConfig } from "../../../tools/engine/workspace";

/** Secrets that the CLI has already encrypted, by the stack's key and the plain text. */
const encrypted = new Map<string, unknown>();

/** Writes settings to the stack's file, because `pulumi config set` takes a process for each. The CLI only encrypts values that are new to this process. */
export async function writeConfig(stack: Stack, config: StackConfig): Promise<void> {
  const { workspace, name } = stack;
  const entries = Object.entries(config);
  const { encryptionSalt, encryptedKey } = await workspace.stackSettings(name);
  const memory = (secret: string): string => `${String(encryptionSalt ?? encryptedKey)} ${secret}`;
  await configure(
    stack,
    Object.fromEntries(
      entries.filter(([, value]) => typeof value !== "string" && !encrypted.has(memory(value.secret))),
    ),
  );
  const settings = await workspace.stackSettings(name);
  const written: Record<string, unknown> = { ...settings.config };
  for (const [key, value] of entries) {
    if (typeof value === "string") {
      written[key] = value;
    } else {
      written[key] = encrypted.get(memory(value.secret)) ?? written[key];
      encrypted.set(memory(value.secret), written[key]);
    }
  }
  await workspace.saveStackSettings(name, { ...settings, config: written });
}
