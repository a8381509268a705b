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

/** One setting. The reader, its messages and the table in the documentation are derived from this row. */
export interface Setting<Value> {
  readonly variable: `RECOVERY_${string}`;
  /** The type in words: `URL`, `duration`, … */
  readonly type: string;
  /** The default as a user would write it. A setting without a default may be absent. */
  readonly default?: string;
  readonly required?: true;
  readonly secret?: true;
  /** One sentence in Markdown, without the final period. */
  readonly meaning: string;
  readonly parse: SettingParser<Value>;
}

function setting<Value>(one: Setting<Value>): Setting<Value> {
  return one;
}

/** Every setting of a connection, in the order the documentation lists them. The key is `recovery:<name>`. */
export const settingDefinitions = {
  endpoint: setting({
    variable: "RECOVERY_ENDPOINT",
    type: "URL",
    required: true,
    meaning: "The panel's base URL (`http` or `https`), including any path prefix",
    parse: parseAddress,
  }),
  username: setting({
    variable: "RECOVERY_USERNAME",
    type: "string",
    required: true,
    meaning: "User name for HTTP Basic; on many panels, the account's e-mail address",
    parse: parseUsername,
  }),
  password: setting({
    variable: "RECOVERY_PASSWORD",
    type: "string",
    required: true,
    secret: true,
    meaning: "Password for HTTP Basic, or the account's API key",
    parse: parsePassword,
  }),
  format: setting({
    variable: "RECOVERY_FORMAT",
    type: "`json` or `xml`",
    default: "json",
    meaning: "Format of requests and responses",
    parse: parseChoice("json", "xml"),
  }),
  apiVersion: setting({
    variable: "RECOVERY_API_VERSION",
    type: "version",
    meaning:
      "The panel's version; below `5.9`, whole-machine restores and recovery point lists use the `virtual_servers` path",
    parse: parseVersion,
  }),
  caFile: setting({
    variable: "RECOVERY_CA_FILE",
    type: "path",
    meaning: "PEM file with the certificate of the panel's private certificate authority",
    parse: parseCertificateFile,
  }),
  insecure: setting({
    variable: "RECOVERY_INSECURE",
    type: "boolean",
    default: "false",
    meaning: "Do not verify the panel's certificate; every run prints a warning",
    parse: parseBoolean,
  }),
  requestTimeout: setting({
    variable: "RECOVERY_REQUEST_TIMEOUT",
    type: "duration",
    default: "30s",
    meaning: "Time limit for each request",
    parse: parseMilliseconds({ minSeconds: 0.1, maxSeconds: 3_600 }),
  }),
  pageSize: setting({
    variable: "RECOVERY_PAGE_SIZE",
    type: "integer",
    default: "100",
    meaning:
      "Rows to request per page (up to 10000), while waiting and with `limit`. If the rows do not reach back far " +
      "enough, up to 1000 may be requested at once",
    parse: parseWholeNumber(10_000),
  }),
  maxConcurrent: setting({
    variable: "RECOVERY_MAX_CONCURRENT",
    type: "integer",
    meaning: "Maximum number of concurrent restores on this panel, first come, first served; unlimited if not set",
    parse: parseWholeNumber(10_000),
  }),
  restoreActions: setting({
    variable: "RECOVERY_RESTORE_ACTIONS",
    type: "list",
    default: "[]",
    meaning: "Action names that mean a restore, in addition to those that contain `restore`",
    parse: parseWords,
  }),
  completeStatuses: setting({
    variable: "RECOVERY_COMPLETE_STATUSES",
    type: "list",
    default: "[]",
    meaning: "Status words that mean success, in addition to `complete`",
    parse: parseStatuses("complete"),
  }),
  failedStatuses: setting({
    variable: "RECOVERY_FAILED_STATUSES",
    type: "list",
    default: "[]",
    meaning: "Status words that mean failure, in addition to `failed`",
    parse: parseStatuses("failed"),
  }),
  fields: setting({
    variable: "RECOVERY_FIELDS",
    type: "pairs or JSON",
    meaning:
      "This panel's names for row fields that are not recognized, such as `id=number status=state,result machine=target.id`",
    parse: parseFields,
  }),
  pointStates: setting({
    variable: "RECOVERY_POINT_STATES",
    type: "list",
    default: "[]",
    meaning: "States in which a recovery point may be restored, in addition to `built` and `available`",
    parse: parseWords,
  }),
  allowedMachines: setting({
    variable: "RECOVERY_ALLOWED_MACHINES",
    type: "list",
    meaning:
      "Ids of the machines that may be restored; by default, all. If several places set it (configuration, " +
      "environment, explicit provider), a machine must be in every list. `[]` allows none; an empty string is an error",
    parse: parseMachines,
  }),
} as const;

export type SettingName = keyof typeof settingDefinitions;

/** The parsed value of each setting. */
export type SettingValues = {
  readonly [Name in SettingName]: (typeof settingDefinitions)[Name] extends Setting<infer Value> ? Value : never;
};

export const settingNames = Object.keys(settingDefinitions) as readonly SettingName[];
