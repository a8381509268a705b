import {
  type SettingParser,
  parseAddress,
  parseCertificateFile,
  parseChoice,
  parseFields,
  parseMilliseconds,
  parsePassword,
  parseBoolean,
  parseMachines,
  parseStatuses,
  parseUsername,
  parseVersion,
  parseWholeNumber,
  parseWords,
} from "./parse-setting";

/** How one setting is read. `ProviderArgs` in `program/provider.ts` says what each setting means. */
interface Setting {
  /** The default as a user would write it. A setting without a default may be absent. */
  readonly default?: string;
  readonly required?: true;
  readonly secret?: true;
  readonly parse: SettingParser<unknown>;
}

/** Every setting of a connection, in the order the documentation lists them. */
const settings = {
  endpoint: { required: true, parse: parseAddress },
  username: { required: true, parse: parseUsername },
  password: { required: true, secret: true, parse: parsePassword },
  format: { default: "json", parse: parseChoice("json", "xml") },
  apiVersion: { parse: parseVersion },
  caFile: { parse: parseCertificateFile },
  insecure: { default: "false", parse: parseBoolean },
  requestTimeout: { default: "30s", parse: parseMilliseconds({ minSeconds: 0.1, maxSeconds: 3_600 }) },
  pageSize: { default: "100", parse: parseWholeNumber(10_000) },
  maxConcurrent: { parse: parseWholeNumber(10_000) },
  restoreActions: { default: "[]", parse: parseWords },
  completeStatuses: { default: "[]", parse: parseStatuses("complete") },
  failedStatuses: { default: "[]", parse: parseStatuses("failed") },
  fields: { parse: parseFields },
  pointStates: { default: "[]", parse: parseWords },
  allowedMachines: { parse: parseMachines },
} as const satisfies Readonly<Record<string, Setting>>;

export type SettingName = keyof typeof settings;

/** The parsed value of each setting. */
export type SettingValues = {
  readonly [Name in SettingName]: (typeof settings)[Name]["parse"] extends SettingParser<infer Value> ? Value : never;
};

export const settingNames = Object.keys(settings) as readonly SettingName[];

export const settingNamed = (name: SettingName): Setting => settings[name];

/** The setting's key in stack configuration and in the properties of an explicit provider. */
export const configKey = (name: SettingName): string => `recovery:${name}`;

/** The environment variable of a setting: `RECOVERY_API_VERSION` for `apiVersion`. */
export const variableOf = (name: SettingName): string => `RECOVERY_${name.replaceAll(/[A-Z]/g, "_$&").toUpperCase()}`;
