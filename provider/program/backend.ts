import type * as pulumi from "@pulumi/pulumi";
import { type ResourceName, resourceTypes, type ResourceTypes } from "../inputs/resource-names";

/** Which way restores and plans come into the provider: under which types they are registered, and what each carries for it. */
export interface Backend {
  readonly types: ResourceTypes;
  /** What its restores have their order within. @default the run of the program */
  readonly orderScope?: object;
  /** Under what else it may stand in the state: what is found there becomes this resource, and nothing is done anew. */
  readonly aliasesFor?: (resource: ResourceName, name: string) => readonly pulumi.Alias[];
  /** Properties that are no inputs of the resource. */
  readonly extraProperties: (resource: ResourceName) => Readonly<Record<string, unknown>>;
}

const handlerNames = {
  VmRestore: "vmRestore",
  FileRestore: "fileRestore",
  RestoreIntent: "restoreIntent",
  PlanRun: "planRun",
  PlanWave: "planWave",
  PlanVerdict: "planVerdict",
} as const satisfies Readonly<Record<ResourceName, string>>;

/** Dynamic resources: the engine finds their code in a property of theirs. */
export const dynamicBackend: Backend = {
  types: resourceTypes,
  extraProperties: (resource) => ({ __provider: providerText(handlerNames[resource]) }),
};

/**
 * The property `__provider` of a dynamic resource is the code that the provider process runs for it. Left to the SDK,
 * it would be this package's code, copied out of memory into every resource's state: refresh and destroy
 * would run the old copy for ever after, and newer TypeScript compilers and other runtimes cannot make the copy at
 * all. Written by hand it is one line that says where the code is, so the state holds none.
 *
 * The line is part of every stack's state and may never change: a different text is an update of every resource, and
 * an older text must still find its code. `pulumi-recovery/dynamic` is therefore a promise of this package, kept across
 * major versions. It is found from the folder of `Pulumi.yaml` upwards, so a program depends on this package directly.
 */
export function providerText(handler: Handler): string {
  return `exports.handler = () => require("pulumi-recovery/dynamic").${handler};`;
}

type Handler = "vmRestore" | "fileRestore" | "restoreIntent" | "planRun" | "planWave" | "planVerdict";
