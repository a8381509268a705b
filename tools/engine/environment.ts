import { join } from "node:path";

const fromOutside = /^(RECOVERY_|PULUMI_(?!RECOVERY_(CLI|FOUND)$))/;

/**
 * Takes every connection and engine setting of the developer's shell out of this process. The Automation API
 * hands its own environment on to the CLI, and the functions of a program read it in this very process.
 */
export function forgetOuterSettings(): void {
  for (const name of Object.keys(process.env)) {
    if (fromOutside.test(name)) Reflect.deleteProperty(process.env, name);
  }
}

/** What the CLI needs to know: its own home and backend in `folder`, no questions, no network. */
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
