import type * as pulumi from "@pulumi/pulumi";
import { resourceTypes, type ResourceName, type ResourceTypes } from "../names/resource-names";
import { providerText } from "./provider-text";

/** Which way restores and plans come into the provider: under which types they are registered, and what each carries for it. */
export interface WayIn {
  readonly types: ResourceTypes;
  /** What its restores have their order within. @default the run of the program */
  readonly run?: object;
  /** Under what else it may stand in the state: what is found there becomes this resource, and nothing is done anew. */
  readonly formerly?: (resource: ResourceName, name: string) => readonly pulumi.Alias[];
  /** Properties that are no inputs of the resource. */
  readonly carried: (resource: ResourceName) => Readonly<Record<string, unknown>>;
}

const handlers = {
  VmRestore: "vmRestore",
  FileRestore: "fileRestore",
  RestoreIntent: "restoreIntent",
  PlanRun: "planRun",
  PlanWave: "planWave",
  PlanVerdict: "planVerdict",
} as const satisfies Readonly<Record<ResourceName, string>>;

/** Dynamic resources: the engine finds their code in a property of theirs. */
export const dynamicWay: WayIn = {
  types: resourceTypes,
  carried: (resource) => ({ __provider: providerText(handlers[resource]) }),
};
