import type { RestoreKind } from "./restore-table";

/** The resources of this package in a stack's state. */
export type ResourceName = RestoreKind | "RestoreIntent" | "PlanRun" | "PlanWave" | "PlanVerdict";

/** Their types in a state: each backend has its own. */
export type ResourceTypes = Readonly<Record<ResourceName, string>>;

/**
 * The types of dynamic resources. The program registers them, and the provider reads them from URNs. Changing one
 * replaces resources, which would restore machines: they are fixed.
 */
export const resourceTypes = {
  VmRestore: "pulumi-nodejs:dynamic/recovery:VmRestore",
  FileRestore: "pulumi-nodejs:dynamic/recovery:FileRestore",
  RestoreIntent: "pulumi-nodejs:dynamic/recovery:RestoreIntent",
  PlanRun: "pulumi-nodejs:dynamic/recovery:PlanRun",
  PlanWave: "pulumi-nodejs:dynamic/recovery:PlanWave",
  PlanVerdict: "pulumi-nodejs:dynamic/recovery:PlanVerdict",
} as const satisfies ResourceTypes;

/** The types of the same resources as the plugin makes them. They are fixed for the same reason. */
export const pluginTypes = {
  VmRestore: "recovery:index:VmRestoreRun",
  FileRestore: "recovery:index:FileRestoreRun",
  RestoreIntent: "recovery:index:RestoreIntent",
  PlanRun: "recovery:index:PlanRun",
  PlanWave: "recovery:index:PlanWave",
  PlanVerdict: "recovery:index:PlanVerdict",
} as const satisfies ResourceTypes;

/** The component of a plan. It is the same in every language. */
export const planType = "recovery:index:RecoveryPlan";

const intentSuffixes: Readonly<Record<RestoreKind, string>> = {
  VmRestore: "-vm-intent",
  FileRestore: "-file-intent",
};

/**
 * The name of a restore's intent. It starts with the restore's name, because the engine follows a renamed parent only
 * through children whose names start with its own. It ends with the kind, because a VmRestore and a FileRestore may
 * share a name.
 */
export function intentName(restoreName: string, kind: RestoreKind): string {
  return restoreName + intentSuffixes[kind];
}

/** The URN of an intent's restore. Both have the same parents, so only type and name differ. */
export function restoreUrnOf(intentUrn: string, kind: RestoreKind, types: ResourceTypes): string {
  return renamedUrn(intentUrn, types[kind], (name) => withoutSuffix(name, intentSuffixes[kind]));
}

/** The URN of a restore's intent. Anything that is no URN is returned as it is: the engine reports it. */
export function intentUrnOf(restoreUrn: string, kind: RestoreKind, types: ResourceTypes): string {
  return renamedUrn(restoreUrn, types.RestoreIntent, (name) => intentName(name, kind));
}

function withoutSuffix(name: string, suffix: string): string {
  return name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
}

/** The URN of another resource with the same parents. */
export function siblingUrn(urn: string, type: string, name: string): string {
  return renamedUrn(urn, type, () => name);
}

/** The name at the end of a URN. */
export function nameInUrn(urn: string): string {
  return splitUrn(urn)?.name ?? urn;
}

/** True for the URN of a VmRestore, whichever backend registered it. */
export function isVmRestoreUrn(urn: string): boolean {
  const type = urn.split("::")[2]?.split("$").at(-1);
  return type === resourceTypes.VmRestore || type === pluginTypes.VmRestore;
}

/** The same place with another type and another name. Anything that is no URN is returned as it is. */
function renamedUrn(urn: string, type: string, rename: (name: string) => string): string {
  const parts = splitUrn(urn);
  if (parts === undefined) return urn;
  return `${parts.stackAndProject}::${[...parts.parentTypes, type].join("$")}::${rename(parts.name)}`;
}

/** `urn:pulumi:<stack>::<project>::<parent type>$<type>::<name>`; the name may contain `::`. */
function splitUrn(urn: string): { stackAndProject: string; parentTypes: readonly string[]; name: string } | undefined {
  const [stack, project, types, ...name] = urn.split("::");
  if (project === undefined || types === undefined || name.length === 0) return undefined;
  return {
    stackAndProject: `${String(stack)}::${project}`,
    parentTypes: types.split("$").slice(0, -1),
    name: name.join("::"),
  };
}
