import type { RestoreKind } from "./restore-table";

/** The resources of this package in a stack's state. */
export type ResourceName = RestoreKind | "Intent" | "PlanRun" | "WaveIntent" | "Wave" | "Verdict";

/** The name under which `pulumi-recovery/dynamic` exports a resource's handler. */
export function handlerName(resource: ResourceName): Uncapitalize<ResourceName> {
  return `${resource.slice(0, 1).toLowerCase()}${resource.slice(1)}` as Uncapitalize<ResourceName>;
}

/** The types of these resources in a state. They differ between backends. */
export type ResourceTypes = Readonly<Record<ResourceName, string>>;

/**
 * The types of dynamic resources, which the program registers and the provider reads from URNs. They must never change, because changing a type replaces
 * resources, which would restore machines.
 */
export const resourceTypes = {
  VmRestore: "pulumi-nodejs:recovery:VmRestore",
  FileRestore: "pulumi-nodejs:recovery:FileRestore",
  Intent: "pulumi-nodejs:recovery:Intent",
  PlanRun: "pulumi-nodejs:recovery:PlanRun",
  WaveIntent: "pulumi-nodejs:recovery:WaveIntent",
  Wave: "pulumi-nodejs:recovery:Wave",
  Verdict: "pulumi-nodejs:recovery:Verdict",
} as const satisfies ResourceTypes;

export const resourceNames = Object.keys(resourceTypes) as readonly ResourceName[];

/** The types of the same resources in the plugin, which must never change for the same reason. */
export const pluginTypes = {
  VmRestore: "recovery:index:VmRestoreRun",
  FileRestore: "recovery:index:FileRestoreRun",
  Intent: "recovery:index:Intent",
  PlanRun: "recovery:index:PlanRun",
  WaveIntent: "recovery:index:WaveIntent",
  Wave: "recovery:index:Wave",
  Verdict: "recovery:index:Verdict",
} as const satisfies ResourceTypes;

/** The type of a plan's component, the same in every language. */
export const planType = "recovery:index:RecoveryPlan";

const intentSuffixes: Readonly<Record<RestoreKind, string>> = {
  VmRestore: "-vm-intent",
  FileRestore: "-file-intent",
};

/**
 * The name of a restore's intent. It starts with the restore's name, because when a parent is renamed, the engine finds only children whose names start with
 * the parent's name. It ends with the kind, because a VmRestore and a FileRestore may have the same name.
 */
export function intentName(restoreName: string, kind: RestoreKind): string {
  return restoreName + intentSuffixes[kind];
}

/** The URN of an intent's restore. Both have the same parents, so their URNs differ only in type and name. */
export function restoreUrnOf(intentUrn: string, kind: RestoreKind, types: ResourceTypes): string {
  const suffix = intentSuffixes[kind];
  return renamedUrn(intentUrn, types[kind], (name) => (name.endsWith(suffix) ? name.slice(0, -suffix.length) : name));
}

/** The URN of a restore's intent. Anything that is not a URN is returned unchanged, and the engine reports it. */
export function intentUrnOf(restoreUrn: string, kind: RestoreKind, types: ResourceTypes): string {
  return renamedUrn(restoreUrn, types.Intent, (name) => intentName(name, kind));
}

/** The URN of another resource with the same parents. */
export function siblingUrn(urn: string, type: string, name: string): string {
  return renamedUrn(urn, type, () => name);
}

/** The name at the end of a URN. */
export function nameInUrn(urn: string): string {
  return splitUrn(urn)?.name ?? urn;
}

/** The URN with another type and another name but the same parents. Anything that is not a URN is returned unchanged. */
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

/** The components that a program in another language can use. */
export const componentTypes: Readonly<Record<RestoreKind | "RecoveryPlan", string>> = {
  VmRestore: "recovery:index:VmRestore",
  FileRestore: "recovery:index:FileRestore",
  RecoveryPlan: planType,
};

const ownTypes = new Set([resourceTypes, pluginTypes, componentTypes].flatMap((types) => Object.values<string>(types)));
/** Whether this package registers resources of the type, in any language. */
export const isOwnResource = (type: string): boolean => ownTypes.has(type);

export const functionTokens = {
  getTransactions: "recovery:index:getTransactions",
  getVmLogs: "recovery:index:getVmLogs",
  getRecoveryPoints: "recovery:index:getRecoveryPoints",
} as const;
