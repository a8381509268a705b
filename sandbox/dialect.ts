import { SandboxError } from "./sandbox-error";

/**
 * What the interface's description leaves open, one switch per question. A client that works against all values of
 * all switches does not depend on anything a real panel may do differently.
 */
const switches = {
  /** What answers an accepted POST. None of them names a transaction. */
  postBody: ["resource", "recoveryPoint", "notice", "empty", "blank", "html"],
  /**
   * Which fields of a row name its machine; with `none` only the machine's own log ties a row to it. With `target` a row names what
   * is worked on and nothing else, and the identifier is that one's: a restore names its recovery point, other work its machine.
   */
  machineTie: ["all", "associated", "parent", "identifier", "target", "none"],
  /** What a restore is called; `other` is a panel whose names do not contain "restore". */
  actionNames: ["backup", "recoveryPoint", "camel", "other"],
  /** One row per restore, or stop, restore and start: tied by a chain id and `dependent_transaction_id`, or by one of them alone. */
  chain: ["single", "chain", "dependentOnly", "chainOnly"],
  chainIdType: ["integer", "string"],
  /** What becomes of a chain's rows behind one that did not complete: cancelled with it, or left pending for ever. */
  restOfChain: ["cancelled", "pending"],
  /** What the transaction list is sorted by, newest first. */
  sortedBy: ["created", "updated"],
  /** A page past the last one. */
  pastEnd: ["empty", "repeatLast"],
  /** `/page/` and `/per_page/` in one path. */
  combinedPaging: ["both", "ignorePage", "ignorePerPage", "notFound"],
  /** `?page=…&per_page=…`. */
  queryPaging: ["both", "ignored"],
  /** `paging`: X-Page, X-Limit, X-Total. `tracing`: X-Request-Id and a session cookie. */
  headers: ["none", "paging", "tracing", "all"],
  statusSpelling: ["cancelled", "canceled"],
  statusCase: ["lower", "capitalized", "upper"],
  /** JSON lists: `[{"transaction":{}}]`, `[{}]` or `{"transactions":[{}]}`. */
  wrapping: ["items", "bare", "whole"],
  xmlNames: ["underscore", "hyphen"],
  xmlDatetimeType: ["datetime", "dateTime"],
  emptyListXml: ["array", "nilClasses"],
  timestampPrecision: ["seconds", "milliseconds"],
  finishedAt: ["absent", "sent"],
  idStyle: ["integer", "big", "alphanumeric"],
  nulls: ["null", "absent"],
  /** A restore's `params`; `secret` holds a password, and so does its log. */
  params: ["point", "empty", "secret"],
  /** `log_output` of a list without `?detailed`. */
  undetailedLog: ["absent", "empty"],
  /** Whether a machine's log holds alerts between its transactions. */
  logAlerts: ["none", "some"],
  errorBody: ["list", "single", "fields", "html"],
  /** Under which of the two paths a whole machine is restored. */
  restorePath: ["machines", "servers", "both"],
  /** A restore of a machine that is locked: put behind the work that locks it, or refused with 422. */
  whenLocked: ["queue", "refuse"],
} as const;

type Choices = { readonly [Name in keyof typeof switches]: (typeof switches)[Name][number] };

export interface Dialect extends Choices {
  /** The most rows a page holds, whatever is asked for; null for as many as asked. */
  readonly pageCap: number | null;
  /** Time zone of the panel's time stamps; 0 is written as `Z`. */
  readonly utcOffsetMinutes: number;
  /** How far the panel's clock is ahead of the true one. */
  readonly clockSkewSeconds: number;
  /** How long after its POST a restore's rows appear in the list, below rows that came meanwhile. */
  readonly listingDelaySeconds: number;
}

export type DialectPreset = "plain" | "modern" | "awkward";

const plain: Dialect = {
  postBody: "resource",
  machineTie: "all",
  actionNames: "backup",
  chain: "single",
  chainIdType: "integer",
  restOfChain: "cancelled",
  sortedBy: "created",
  pageCap: null,
  pastEnd: "empty",
  combinedPaging: "both",
  queryPaging: "both",
  headers: "none",
  statusSpelling: "cancelled",
  statusCase: "lower",
  wrapping: "items",
  xmlNames: "underscore",
  xmlDatetimeType: "datetime",
  emptyListXml: "array",
  utcOffsetMinutes: 0,
  timestampPrecision: "seconds",
  clockSkewSeconds: 0,
  finishedAt: "absent",
  idStyle: "integer",
  listingDelaySeconds: 0,
  nulls: "null",
  params: "point",
  undetailedLog: "absent",
  logAlerts: "none",
  errorBody: "list",
  restorePath: "machines",
  whenLocked: "queue",
};

const modern: Dialect = {
  ...plain,
  postBody: "recoveryPoint",
  machineTie: "associated",
  actionNames: "recoveryPoint",
  chain: "chain",
  pageCap: 100,
  headers: "all",
  utcOffsetMinutes: 180,
  listingDelaySeconds: 1,
  logAlerts: "some",
  errorBody: "fields",
};

const awkward: Dialect = {
  postBody: "empty",
  machineTie: "none",
  actionNames: "camel",
  chain: "dependentOnly",
  chainIdType: "string",
  restOfChain: "cancelled",
  sortedBy: "created",
  pageCap: 25,
  pastEnd: "repeatLast",
  combinedPaging: "ignorePage",
  queryPaging: "ignored",
  headers: "tracing",
  statusSpelling: "canceled",
  statusCase: "capitalized",
  wrapping: "whole",
  xmlNames: "hyphen",
  xmlDatetimeType: "dateTime",
  emptyListXml: "nilClasses",
  utcOffsetMinutes: -210,
  timestampPrecision: "milliseconds",
  clockSkewSeconds: -340,
  finishedAt: "sent",
  idStyle: "big",
  listingDelaySeconds: 3,
  nulls: "absent",
  params: "secret",
  undetailedLog: "empty",
  logAlerts: "some",
  errorBody: "single",
  restorePath: "both",
  whenLocked: "queue",
};

export const dialects: Readonly<Record<DialectPreset, Dialect>> = { plain, modern, awkward };

export type DialectOption = DialectPreset | (Partial<Dialect> & { readonly preset?: DialectPreset });

/** Takes a preset's name, or switches on top of one (of `plain`, when none is named). */
export function resolveDialect(option: DialectOption = "plain"): Dialect {
  if (typeof option === "string") return preset(option);
  const { preset: base, ...changes } = option;
  return changeDialect(preset(base ?? "plain"), changes);
}

export function changeDialect(dialect: Dialect, changes: Partial<Dialect>): Dialect {
  return { ...dialect, ...readSwitches(changes, "dialect") };
}

/** Switches as data from outside: every one known, every value one it has. */
export function readSwitches(value: unknown, key: string): Partial<Dialect> {
  if (typeof value !== "object" || value === null) throw new SandboxError(`${key}: must be an object of switches`);
  for (const [name, chosen] of Object.entries(value)) checkSwitch(`${key}.${name}`, name, chosen);
  return value;
}

function preset(name: string): Dialect {
  const found = Object.entries(dialects).find(([key]) => key === name);
  if (found === undefined) {
    throw new SandboxError(`dialect: there is no preset "${name}"; take one of ${Object.keys(dialects).join(", ")}`);
  }
  return found[1];
}

function checkSwitch(key: string, name: string, value: unknown): void {
  const choices = Object.entries(switches).find(([known]) => known === name)?.[1];
  if (choices !== undefined) {
    if (!choices.some((choice) => choice === value)) {
      throw new SandboxError(`${key}: must be one of ${choices.join(", ")}, not ${JSON.stringify(value)}`);
    }
  } else if (name === "pageCap") {
    if (value !== null && !(Number.isInteger(value) && Number(value) > 0)) {
      throw new SandboxError(`${key}: must be a whole number above 0, or null for no cap`);
    }
  } else if (!Object.hasOwn(plain, name)) {
    throw new SandboxError(`${key}: there is no such switch; there are ${Object.keys(plain).join(", ")}`);
  } else if (typeof value !== "number" || !Number.isFinite(value)) {
    throw new SandboxError(`${key}: must be a number`);
  }
}
