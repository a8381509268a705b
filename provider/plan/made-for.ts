import { createHmac, randomBytes } from "node:crypto";
import { isObject, asList, type Properties, omit } from "../plain/plain";
import { engineSafeData } from "../plain/text";
import { parseTarget } from "../inputs/restore-inputs";
import { decidingInputs, canonicalValue, type RestoreKind } from "../inputs/restore-table";
import { canonical } from "./digest";
import type { StoredHashes } from "./stored";

/**
 * What a plan asks of its restores and of their checks, as keyed hashes: a change of anything shows, also of what is a secret or too long to
 * be stored in the open, and the value never does. The key is made with the first run and stored as a secret.
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

/** What is hashed of every restore. A rule comes behind it, so that a hash of a restore that has none is what earlier releases made. */
const hashedInputs = decidingInputs.filter((name) => name !== "recoveryPoint");

/** What a restore's intent is made for, whichever of its spellings is given; undefined where that cannot be right. */
export function madeForHash(
  key: string,
  kind: RestoreKind,
  inputs: Readonly<Record<string, unknown>>,
  names: readonly (typeof decidingInputs)[number][] = hashedInputs,
): string | undefined {
  try {
    // As a restore has stored it: what the engine cannot print was taken out at its door.
    const target: Properties = { ...parseTarget(kind, engineSafeData(inputs)) };
    const { recoveryPoint } = target;
    // What a rule has chosen follows from the restore, and is known only when it was chosen.
    const given = recoveryPoint === undefined ? target : omit(target, "recoveryPointId");
    return hashOf(key, [
      kind,
      ...names.map((name) => canonicalValue(name, given[name]) ?? null),
      ...(recoveryPoint === undefined ? [] : [{ recoveryPoint }]),
    ]);
  } catch {
    // Told by the restore's own check, in a sentence.
    return undefined;
  }
}

/** The hashes of a run, by restore; `expected` is what the program hands the run to be told of each. */
export function hashesOf(key: string, expected: unknown): StoredHashes {
  const entries = Object.entries(isObject(expected) ? expected : {}).flatMap(([name, value]) => {
    if (!isObject(value) || !isObject(value["target"])) return [];
    const { kind, ...inputs } = value["target"];
    if (kind !== "VmRestore" && kind !== "FileRestore") return [];
    const madeFor = madeForHash(key, kind, inputs);
    // Triggers say when a restore runs again, not what the plan does.
    const restores = madeForHash(key, kind, inputs, ["virtualMachineId", "recoveryPointId", "paths"]);
    if (madeFor === undefined || restores === undefined) return [];
    const probes = asList(value["probes"]);
    return [[name, { madeFor, restores, checks: probes.map((probe) => hashOf(key, probe)) }] as const];
  });
  return Object.fromEntries(entries);
}
