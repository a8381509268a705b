import * as pulumi from "@pulumi/pulumi";
import { allowedByProviderKey, asText, ownSettingsKey } from "../inputs/settings-sources";
import { type ExplicitSettings, rememberSettings, stackInput } from "./program-settings";
import { configKey, settingNamed, type SettingName, settingNames } from "../inputs/settings-table";

/**
 * A connection to one panel. A setting that is left out comes from the stack's configuration (`recovery:…`), then from the
 * environment (`RECOVERY_…`) of the process that needs it.
 */
export interface ProviderArgs {
  /**
   * The panel's base URL (`http` or `https`), including any path prefix.
   * @default the stack's `recovery:endpoint`, then `RECOVERY_ENDPOINT`
   */
  endpoint?: pulumi.Input<string>;
  /**
   * User name for HTTP Basic; on many panels, the account's e-mail address.
   * @default the stack's `recovery:username`, then `RECOVERY_USERNAME`
   */
  username?: pulumi.Input<string>;
  /**
   * Password for HTTP Basic, or the account's API key; set it with `--secret`.
   * @default the stack's `recovery:password`, then `RECOVERY_PASSWORD`
   */
  password?: pulumi.Input<string>;
  /**
   * Format of requests and responses.
   * @default "json"
   */
  format?: pulumi.Input<"json" | "xml">;
  /**
   * The panel's version; below `5.9`, whole-machine restores and recovery point lists use the `virtual_servers` path.
   * @default none: a current panel
   */
  apiVersion?: pulumi.Input<string>;
  /**
   * PEM file with the certificate of the panel's private certificate authority.
   * @default none: the authorities Node.js trusts
   */
  caFile?: pulumi.Input<string>;
  /**
   * Do not verify the panel's certificate; every run prints a warning.
   * @default false
   */
  insecure?: pulumi.Input<boolean>;
  /**
   * Time limit for each request: `"90s"`, or a number of seconds.
   * @default "30s"
   */
  requestTimeout?: pulumi.Input<string | number>;
  /**
   * Rows to request per page, while waiting and for `limit`; up to 10000.
   *
   * If they do not reach back far enough, up to 1000 may be requested at once.
   * @default 100
   */
  pageSize?: pulumi.Input<number>;
  /**
   * Maximum number of concurrent restores on this panel, first come, first served.
   * @default none: no limit
   */
  maxConcurrent?: pulumi.Input<number>;
  /**
   * Action names that mean a restore, in addition to those that contain `restore`.
   * @default []
   */
  restoreActions?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Status words that mean success, in addition to `complete`.
   * @default []
   */
  completeStatuses?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Status words that mean failure, in addition to `failed`.
   * @default []
   */
  failedStatuses?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * This panel's names for unrecognized row fields.
   *
   * Text such as `id=number status=state,result machine=target.id`, or an object: `{ status: ["state", "result"] }`.
   *
   * @default none: the usual names
   */
  fields?: pulumi.Input<string | Readonly<Record<string, string | readonly string[]>>>;
  /**
   * States in which a recovery point may be restored, in addition to `built` and `available`.
   * @default []
   */
  pointStates?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Ids of the machines that may be restored; `[]` allows none, and an empty string is an error.
   *
   * Every list that is set (configuration, environment, provider) applies.
   * @default every machine
   */
  allowedMachines?: pulumi.Input<pulumi.Input<number | string>[]>;
}

/**
 * A connection for resources and functions that use a panel other than the stack's.
 *
 * ```ts
 * const site = new recovery.Provider("dr-site", { endpoint, username, password });
 * const web = new recovery.VmRestore("web", { virtualMachineId: 42, recoveryPointId: 7 }, { provider: site });
 * const recent = recovery.getTransactionsOutput({ limit: 5 }, { provider: site });
 * ```
 *
 * Components pass it on to their children, through `provider` or `providers`. Changing a setting updates the provider and posts nothing.
 */
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    const given = settingTexts(args);
    // The engine passes only the provider's properties to the process of an explicit provider, not the stack's configuration. The process reads the environment
    // itself for every command, so that none of the environment enters the state.
    super("pulumi-nodejs", name, withStackConfiguration(name, given), opts);
    rememberSettings(this, name, given);
  }
}

function settingTexts(args: ProviderArgs): ExplicitSettings {
  const texts: Partial<Record<SettingName, pulumi.Input<string>>> = {};
  for (const name of settingNames) {
    const value: pulumi.Input<unknown> = args[name];
    if (value === undefined) continue;
    const text = pulumi.output(value).apply((known) => asText(known) ?? "");
    texts[name] = settingNamed(name).secret ? pulumi.secret(text) : text;
  }
  return texts;
}

function withStackConfiguration(name: string, given: ExplicitSettings): pulumi.Inputs {
  // With these names, messages from the process can say where to change each setting.
  const inputs: pulumi.Inputs = { [ownSettingsKey]: [name, ...Object.keys(given)].join(" ") };
  // Both lists are passed on, because the process checks both and names the list that lacks a machine.
  const { allowedMachines, ...replacing }: ExplicitSettings = given;
  if (allowedMachines !== undefined) inputs[allowedByProviderKey] = allowedMachines;
  for (const setting of settingNames) {
    const value = firstSet((replacing as ExplicitSettings)[setting], stackInput(setting));
    if (value === undefined) continue;
    inputs[configKey(setting)] = settingNamed(setting).secret ? pulumi.secret(value) : value;
  }
  return inputs;
}

/** Falls back to the stack's value, even if the argument is an Output that resolves to an empty string, which means "not set". */
function firstSet(
  own: pulumi.Input<string> | undefined,
  stack: pulumi.Input<string> | undefined,
): pulumi.Input<string> | undefined {
  if (own === undefined || stack === undefined) return own ?? stack;
  return pulumi.output(own).apply((text) => (text.trim() === "" ? pulumi.output(stack) : pulumi.output(text)));
}
