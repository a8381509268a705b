import { durationWithin } from "../../provider/inputs/duration";
import {
  childPath,
  isGiven,
  readObject,
  readPlain,
  reportUnknown,
  textProblem,
  type ReadContext,
  type ValueReader,
} from "../../provider/inputs/problems";
import { omitUndefined, type Properties } from "../../provider/plain/plain";
import { showValue } from "../../provider/plain/text";
import { checkKind, checkKindNames, type CheckKindName, type Probe } from "../checks/kinds";
import type { CheckTimes } from "../checks/run-check";
import type { PlanCheck } from "../judge/stored";

export interface ReadCheck {
  readonly name?: string;
  /** Absent times have their default values, because a plan may have thousands of checks, and few of them set their own times. */
  readonly times: Partial<CheckTimes>;
  /** Absent while a part of the probe is unknown. */
  readonly probe?: Probe;
}

const ofKinds = checkKindNames.flatMap((kind) => Object.keys(checkKind(kind).properties));
const allProperties = ["name", ...ofKinds, "every", "within", "after"];
const maxChecks = 20;

export function readChecks(value: unknown, path: string, context: ReadContext): readonly ReadCheck[] {
  if (!isGiven(value)) return [];
  if (context.isUnknown(value)) {
    reportUnknown(path, context);
    return [];
  }
  // Addresses, headers and command arguments may all contain a token.
  context.problems.hide(value);
  if (!Array.isArray(value)) {
    context.problems.add(path, ` is ${showValue(value)}: use a list of checks`);
    return [];
  }
  if (value.length > maxChecks) {
    context.problems.add(path, ` has ${String(value.length)} checks, but at most ${String(maxChecks)} are allowed`);
    return [];
  }
  const names = new Set<string>();
  return (value as readonly unknown[]).flatMap((given, index) => {
    const own = childPath(path, index);
    const check = readCheck(given, own, context);
    // A check's stored results are found by its name.
    const { name } = check ?? {};
    const twice = ` is ${showValue(name)}, the name of another check of this restore`;
    if (name !== undefined && names.has(name)) context.problems.add(childPath(own, "name"), twice);
    if (name !== undefined) names.add(name);
    return check ?? [];
  });
}

function readCheck(value: unknown, path: string, context: ReadContext): ReadCheck | undefined {
  const given = readObject(value, path, allProperties, context);
  if (given === undefined) return undefined;
  const kind = kindIn(given);
  if (kind === undefined) {
    context.problems.add(path, ` needs one of ${checkKindNames.map((one) => `"${one}"`).join(", ")}`);
    return undefined;
  }
  const known = checkKind(kind).properties;
  const properties = ofKinds.filter((property) => isGiven(given[property]));
  for (const property of properties) {
    const at = childPath(path, property);
    if (known[property] === undefined) context.problems.add(at, ` does not apply to ${kind} checks`);
    else known[property](given[property], at, context);
  }
  const seconds = (name: string, minSeconds: number): number | undefined =>
    readPlain(given[name], childPath(path, name), durationWithin({ minSeconds }), context);
  const name = readPlain(given["name"], childPath(path, "name"), readName, context);
  const times = omitUndefined<Partial<CheckTimes>>({
    everySeconds: seconds("every", 1),
    withinSeconds: seconds("within", 1),
    afterSeconds: seconds("after", 0),
  });
  const isUnknown = (part: unknown): boolean =>
    context.isUnknown(part) || (typeof part === "object" && Object.values(part ?? {}).some(isUnknown));
  const parts = properties.map((property) => [property, given[property]] as const);
  const probe = parts.some(([, part]) => isUnknown(part)) ? undefined : { kind, ...Object.fromEntries(parts) };
  return omitUndefined<ReadCheck>({ name, times, probe });
}

function kindIn(given: Properties): CheckKindName | undefined {
  return checkKindNames.find((kind) => isGiven(given[kind]));
}

/** The name appears in sentences and tables, so it must be short, and known before anything is sent to the panel. */
const readName: ValueReader<string> = (value) => {
  const problem = textProblem(value, 100);
  return problem === undefined ? { value: value as string } : { problem };
};

/** How a check is shown and found: by its own name, or else by its kind and host, unless the host is secret. */
export type ShownCheck = Pick<PlanCheck, "name" | "kind" | "host">;

/** How valid checks are shown. `given` already has `[secret]` in place of their secrets. If a name is repeated, the later checks are numbered. */
export function shownChecks(given: readonly Properties[]): readonly ShownCheck[] {
  const taken = new Set(given.map(({ name }) => name));
  return given.map((check) => {
    const kind = kindIn(check) ?? "command";
    const host = checkKind(kind).host?.(check[kind]);
    const base = host === undefined ? kind : `${kind} ${host}`;
    let name = typeof check["name"] === "string" ? check["name"] : base;
    for (let nth = 2; name !== check["name"] && taken.has(name); nth++) name = `${base} (${String(nth)})`;
    taken.add(name);
    return omitUndefined<ShownCheck>({ name, kind, host });
  });
}
