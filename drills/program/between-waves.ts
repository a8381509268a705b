import * as pulumi from "@pulumi/pulumi";
import { childPath, isGiven, type Problems } from "../../provider/inputs/problems";
import { errorMessage, showValue } from "../../provider/plain/text";
import { isOutputOrPromise } from "../../provider/program/program-values";
import { programError } from "../../provider/program/stack-traces";
import type { GivenWave, ReadPlan } from "../inputs/read-plan";
import type { EarlierWaves } from "./args";

export interface BetweenWaves {
  /** The resources that each wave's intent depends on, besides the previous wave. */
  readonly dependencies: readonly (readonly pulumi.Input<pulumi.Resource>[])[];
  /** Resolves the promises that were passed to the functions. */
  readonly recordConstructed: (waves: readonly pulumi.Resource[]) => void;
}

/** Reports each part of a wave's `dependsOn` that is not a resource. The SDK checks promises and outputs once they are known. */
export function checkDependsOn(value: unknown, path: string, problems: Problems): void {
  if (typeof value === "function") return;
  for (const [at, part] of partsOf(value, path)) {
    if (isOutputOrPromise(part) || pulumi.Resource.isInstance(part)) continue;
    problems.add(at, ` is ${showValue(part)}: use a resource, a list of resources, or a function that returns them`);
  }
}

/** Calls all functions before anything in the plan is registered, because a later call might throw after the first waves have been restored. */
export function callDependsOn(name: string, { waves }: ReadPlan): BetweenWaves {
  let recordConstructed: BetweenWaves["recordConstructed"] = () => undefined;
  const constructed = new Promise<readonly pulumi.Resource[]>((resolve) => {
    recordConstructed = resolve;
  });
  const waveAt = (index: number): Promise<pulumi.Resource> => constructed.then((all) => all[index] as pulumi.Resource);
  try {
    const dependencies = waves.map((wave, index) => {
      const path = childPath(childPath("waves", index), "dependsOn");
      const earlier = waves.slice(0, index).map((before, place) => [before.name, waveAt(place)] as const);
      return typeof wave.dependsOn === "function"
        ? returnedResources(wave, path, Object.fromEntries(earlier))
        : partsOf(wave.dependsOn, path).map(([, part]) => part as pulumi.Input<pulumi.Resource>);
    });
    return { dependencies, recordConstructed };
  } catch (error) {
    throw programError(
      `RecoveryPlan "${name}" cannot be carried out, and none of its restores was sent:\n  ${errorMessage(error)}`,
      error instanceof Error ? error.cause : undefined,
    );
  }
}

function returnedResources(
  { name, dependsOn }: GivenWave,
  path: string,
  earlier: EarlierWaves,
): readonly pulumi.Resource[] {
  const call = dependsOn as (waves: EarlierWaves) => unknown;
  const ofWave = `${path}, the function of wave "${name}",`;
  let returned: unknown;
  try {
    returned = call(withKnownNames(earlier));
  } catch (error) {
    throw new Error(`${ofWave} threw: ${errorMessage(error)}`, { cause: error });
  }
  const resources: readonly unknown[] = Array.isArray(returned) ? returned : [returned];
  if (resources.every((one) => pulumi.Resource.isInstance(one))) return resources;
  throw new Error(`${ofWave} must return a resource or a list of resources, not a promise or an output`);
}

/** A misspelled name would be undefined, and a resource that "depends on" it would be created at once. */
function withKnownNames(earlier: EarlierWaves): EarlierWaves {
  return new Proxy(earlier, {
    get: (target, name) => {
      if (typeof name === "symbol" || name in target) return Reflect.get(target, name) as unknown;
      const names = Object.keys(target).map((one) => JSON.stringify(one));
      throw new Error(`no earlier wave is called "${name}"; earlier waves: ${names.join(", ") || "none"}`);
    },
  });
}

function partsOf(value: unknown, path: string): readonly (readonly [path: string, part: unknown])[] {
  if (Array.isArray(value)) return value.map((one: unknown, index) => [childPath(path, index), one] as const);
  return isGiven(value) ? [[path, value]] : [];
}
