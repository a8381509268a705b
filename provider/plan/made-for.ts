import { createHmac, randomBytes } from "node:crypto";
import { isObject, asList, type Properties, omit } from "../plain/plain";
import { engineSafeData } from "../plain/text";
import { parseTarget } from "../inputs/restore-inputs";
import { decidingInputs, canonicalValue, type RestoreKind } from "../inputs/restore-table";
import { canonical } from "./digest";
import type { StoredDefinition, StoredHashes } from "./stored";

/*
 * Keyed hashes of the inputs of a plan's restores and checks. They show a change of a secret or of a long value and never the value itself.
 * The first run makes the key, which is stored as a secret.
 */

export function newKey(): string {
  return randomBytes(32).toString("hex");
}

export function keyIn(outputs: Readonly<Record<string, unknown>>): string | undefined {
  const { key } = outputs;
  return typeof key === "string" && /^[0-9a-f]{64}$/.test(key) ? key : undefined;
}

function hashOf(key: string, value: unknown): string {
  return createHmac("sha256", key)
    .update(JSON.stringify(canonical(value)))
    .digest("hex")
    .slice(0, 32);
}

/** The inputs hashed for every restore. A rule is appended, so a restore without one keeps the hash of earlier releases. */
const hashedInputs = decidingInputs.filter((name) => name !== "recoveryPoint");

/** The hash of the inputs that an intent is made for, in any spelling; undefined where they are invalid. */
export function madeForHash(
  key: string,
  kind: RestoreKind,
  inputs: Readonly<Record<string, unknown>>,
  names: readonly (typeof decidingInputs)[number][] = hashedInputs,
): string | undefined {
  try {
    // The intent stores its inputs without markup, too.
    const target: Properties = { ...parseTarget(kind, engineSafeData(inputs)) };
    const { recoveryPoint } = target;
    // The rule determines the point, which is known only later.
    const given = recoveryPoint === undefined ? target : omit(target, "recoveryPointId");
    return hashOf(key, [
      kind,
      ...names.map((name) => canonicalValue(name, given[name]) ?? null),
      ...(recoveryPoint === undefined ? [] : [{ recoveryPoint }]),
    ]);
  } catch {
    // The restore's own check reports the problem.
    return undefined;
  }
}

/** The hashes of what is restored, and of what its checks send and expect. Triggers say when, not what. */
export function definitionOf(
  key: string,
  kind: RestoreKind,
  inputs: Readonly<Record<string, unknown>>,
  probes: unknown,
): StoredDefinition | undefined {
  const restores = madeForHash(key, kind, inputs, ["virtualMachineId", "recoveryPointId", "paths"]);
  return restores === undefined ? undefined : { restores, checks: asList(probes).map((probe) => hashOf(key, probe)) };
}

/** The hashes of a run by restore. `expected` holds the inputs and probes of each restore. */
export function hashesOf(key: string, expected: unknown): StoredHashes {
  const entries = Object.entries(isObject(expected) ? expected : {}).flatMap(([name, value]) => {
    if (!isObject(value) || !isObject(value["target"])) return [];
    const { kind, ...inputs } = value["target"];
    if (kind !== "VmRestore" && kind !== "FileRestore") return [];
    const madeFor = madeForHash(key, kind, inputs);
    const definition = definitionOf(key, kind, inputs, value["probes"]);
    return madeFor === undefined || definition === undefined ? [] : [[name, { madeFor, ...definition }] as const];
  });
  return Object.fromEntries(entries);
}
