import { anyNumber, isNumber, objectOf, oneChoiceOf, type Reader, valueThat } from "../plain/input";
import { type Choices, type Dialect, switches } from "./dialect";

const presets = ["plain", "modern", "awkward", "bare"] as const;

export type DialectPreset = (typeof presets)[number];

export type DialectOption = DialectPreset | (Partial<Dialect> & { readonly preset?: DialectPreset });

/** The first value of each switch, and no cap, skew or delay. */
const plain: Dialect = {
  ...(Object.fromEntries(Object.entries(switches).map(([name, [first]]) => [name, first])) as unknown as Choices),
  pageCap: null,
  pointCap: null,
  pointPageSize: 10,
  utcOffsetMinutes: 0,
  clockSkewSeconds: 0,
  listingDelaySeconds: 0,
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
  errorBody: "fields",
  pointOrder: "oldest",
  pointPaging: "whole",
};

const awkward: Dialect = {
  ...plain,
  postBody: "empty",
  machineTie: "none",
  actionNames: "camel",
  chain: "dependentOnly",
  pageCap: 25,
  pastEnd: "repeatLast",
  combinedPaging: "ignorePage",
  queryPaging: "ignored",
  headers: "tracing",
  wrapping: "whole",
  xmlNames: "hyphen",
  utcOffsetMinutes: -210,
  clockSkewSeconds: -340,
  idStyle: "big",
  listingDelaySeconds: 3,
  params: "secret",
  undetailedLog: "empty",
  errorBody: "single",
  restorePath: "both",
  pointOrder: "shuffled",
  pointPaging: "notFound",
  pointPageSize: 50,
  pointCap: 20,
  pointTotal: "sent",
  pointState: "available",
};

/** The minimum that the API's description allows. */
const bare: Dialect = {
  ...plain,
  postBody: "blank",
  rows: "bare",
  machineTie: "none",
  logTie: "none",
  wrapping: "bare",
  pointList: "missing",
};

export const dialects: Readonly<Record<DialectPreset, Dialect>> = { plain, modern, awkward, bare };

const isCount = (value: unknown): boolean => isNumber(value) && Number.isInteger(value) && value > 0;

const cap = valueThat<number | null>(
  "must be a whole number above 0, or null for no maximum",
  (value) => value === null || isCount(value),
);

const switchReaders = {
  ...(Object.fromEntries(Object.entries(switches).map(([name, choices]) => [name, oneChoiceOf(...choices)])) as {
    [Name in keyof typeof switches]: Reader<Dialect[Name]>;
  }),
  pageCap: cap,
  pointCap: cap,
  pointPageSize: valueThat<number>("must be a whole number above 0", isCount),
  utcOffsetMinutes: anyNumber,
  clockSkewSeconds: anyNumber,
  listingDelaySeconds: anyNumber,
};

/** Reads switches. Rejects unknown names and values. */
export const readSwitches = objectOf<Partial<Dialect>>(switchReaders);

export const readPreset = oneChoiceOf(...presets);

const readChanges = objectOf<Partial<Dialect> & { readonly preset?: DialectPreset }>({
  preset: readPreset,
  ...switchReaders,
});

/** Reads a preset's name, or switches that change a preset. */
export const readDialect: Reader<DialectOption> = (value, key) =>
  typeof value === "object" ? readChanges(value, key) : readPreset(value, key);

/** Resolves a preset's name, or switches that change a preset (`plain` by default). */
export function resolveDialect(option: DialectOption = "plain"): Dialect {
  const read = readDialect(option, "dialect");
  const { preset = "plain", ...changes } = typeof read === "string" ? { preset: read } : read;
  return { ...dialects[preset], ...changes };
}
