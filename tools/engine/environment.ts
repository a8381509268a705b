import { join } from "node:path";

const fromOutside = /^(RECOVERY_|PULUMI_(?!RECOVERY_(CLI|FOUND)$))/;

/**
 * Removes the developer's own connection and engine settings from this process. The Automation API would pass them on to the CLI, and a program's
 * functions would read them in this process.
 */
export function forgetOuterSettings(): void {
  for (const name of Object.keys(process.env)) {
    if (fromOutside.test(name)) Reflect.deleteProperty(process.env, name);
  }
}

/** The CLI's environment: its home and backend in `folder`, no prompts, no network. */
export function engineEnvironment(folder: string): Record<string, string> {
  return {
    PULUMI_HOME: join(folder, "home"),
    PULUMI_BACKEND_URL: `file://${join(folder, "backend")}`,
    PULUMI_CONFIG_PASSPHRASE: "passphrase",
    PULUMI_SKIP_UPDATE_CHECK: "1",
    PULUMI_AUTOMATION_API_SKIP_VERSION_CHECK: "1",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "1",
  };
}
