import { isObject, asList } from "../../provider/plain/plain";
import { isDeepStrictEqual } from "node:util";
import { fieldsOf, idOf, isSecret, nameOf, plainDataOf, utcOf, textOf, type Fields } from "./values";

/** An exported stack, reduced to the parts that a report needs. */
export interface State {
  readonly stack?: string;
  readonly project?: string;
  readonly writtenAt?: string;
  readonly engine?: string;
  readonly resources: readonly Resource[];
  /** Operations that the engine had not finished: the run broke off. */
  readonly pending: readonly PendingOperation[];
}

export interface Resource {
  readonly id?: string;
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  /** The name as in the URN; compared, never shown. */
  readonly rawName: string;
  readonly parent?: string;
  readonly provider?: string;
  readonly inputs: Fields;
  readonly outputs: Fields;
  readonly initErrors: readonly string[];
  /** The URNs of `dependsOn`: dependencies that no input brings. */
  readonly after: readonly string[];
  /** When it was last created or updated. */
  readonly modified?: string;
}

export interface PendingOperation {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly rawName: string;
  readonly parent?: string;
  readonly operation: string;
}

/** Reads the output of `pulumi stack export`, a file of a self-managed backend, or the deployment in either. */
export function readState(exported: unknown): State {
  const deployment = deploymentFrom(exported);
  const manifest = fieldsOf(deployment["manifest"]);
  // Leaves out replaced resources that are not deleted yet, which are earlier restores, and components, which hold no record.
  const resources = asList(deployment["resources"])
    .filter((entry) => fieldsOf(entry)["delete"] !== true && fieldsOf(entry)["custom"] !== false)
    .flatMap((entry) => resourceFrom(entry) ?? []);
  const operations = asList(deployment["pending_operations"]);
  const pending = operations
    .filter((entry) => !isSettled(fieldsOf(entry), resources))
    .flatMap((entry) => pendingFrom(entry) ?? []);
  const place = stackAndProject(
    asList(deployment["resources"])
      .map((entry) => fieldsOf(entry)["urn"])
      .find(isUrn) ?? pending[0]?.urn,
  );
  const writtenAt = utcOf(manifest["time"]);
  const engine = nameOf(manifest["version"]);
  return {
    ...place,
    ...(writtenAt !== undefined && { writtenAt }),
    ...(engine !== undefined && { engine }),
    resources,
    pending,
  };
}

function deploymentFrom(exported: unknown): Fields {
  if (isObject(exported)) {
    // A stack without any update exports no deployment, or an empty one.
    if ("deployment" in exported) return fieldsOf(exported["deployment"]);
    if ("checkpoint" in exported) return fieldsOf(fieldsOf(exported["checkpoint"])["latest"]);
    if ("manifest" in exported || "resources" in exported) return exported;
  }
  throw new ReportError("this is not the state of a stack: give what `pulumi stack export` prints");
}

function resourceFrom(entry: unknown): Resource | undefined {
  const common = commonFrom(entry);
  if (common === undefined) return undefined;
  const fields = fieldsOf(entry);
  const [id, provider] = [idOf(fields["id"]), idOf(fields["provider"])];
  const modified = utcOf(fields["modified"] ?? fields["created"]);
  return {
    ...common,
    ...(id !== undefined && { id }),
    ...(provider !== undefined && { provider }),
    inputs: fieldsOf(fields["inputs"]),
    outputs: fieldsOf(fields["outputs"]),
    initErrors: asList(fields["initErrors"]).flatMap((text) => textOf(withoutLog(text)) ?? []),
    after: dependsOnOf(fields),
    ...(modified !== undefined && { modified }),
  };
}

function dependsOnOf({ dependencies, propertyDependencies }: Fields): readonly string[] {
  const byInputs = new Set(Object.values(fieldsOf(propertyDependencies)).flatMap(asList));
  return asList(dependencies).filter((urn) => typeof urn === "string" && !byInputs.has(urn)) as readonly string[];
}

/**
 * True if a later run has finished an interrupted creation. The engine keeps it until a refresh. It is finished if its URN holds the resource
 * that it was to make: a restore of the same intent, an intent for the same. Of a plan's run, waves and verdict a creation is finished where
 * they exist, and any other operation never. Other packages' resources never count as finished.
 */
function isSettled({ type: operation, resource }: Fields, resources: readonly Resource[]): boolean {
  const { urn, type, inputs } = fieldsOf(resource);
  const stored = resources.find((resource) => resource.urn === urn);
  const kind = typeof type === "string" ? kindOf(type) : undefined;
  if (stored === undefined || kind === undefined) return false;
  const [asked, made] = [fieldsOf(inputs), stored.outputs];
  const agree = (...names: readonly string[]): boolean =>
    names.every((name) => isDeepStrictEqual(asked[name], made[name]));
  switch (kind) {
    case "vmRestore":
    case "fileRestore": {
      const intent = intentIdOf(asked["intent"]);
      return intent !== undefined && intent === intentIdOf(made["intent"]);
    }
    case "intent": {
      // A rule names no point; the intent has the one that was chosen.
      const point = asked["recoveryPointId"] === undefined ? "recoveryPoint" : "recoveryPointId";
      return agree("kind", "virtualMachineId", point, "paths", "triggers");
    }
    case "planRun":
    case "planWave":
    case "planVerdict":
      return operation === "creating";
  }
}

function intentIdOf(intent: unknown): string | undefined {
  return idOf(fieldsOf(plainDataOf(intent))["id"]);
}

function pendingFrom(entry: unknown): PendingOperation | undefined {
  const common = commonFrom(fieldsOf(entry)["resource"]);
  return common && { ...common, operation: nameOf(fieldsOf(entry)["type"]) ?? "unknown" };
}

function commonFrom(entry: unknown): Omit<PendingOperation, "operation"> | undefined {
  const { urn, type, parent } = fieldsOf(entry);
  if (typeof urn !== "string" || typeof type !== "string") return undefined;
  // urn:pulumi:<stack>::<project>::<types>::<name>; a name may hold "::" itself.
  const rawName = urn.split("::").slice(3).join("::");
  return { urn, type, name: nameOf(rawName) ?? "unnamed", rawName, ...(typeof parent === "string" && { parent }) };
}

function stackAndProject(urn: string | undefined): { readonly stack?: string; readonly project?: string } {
  const [head = "", project] = urn?.split("::") ?? [];
  const stack = nameOf(head.replace(/^urn:pulumi:/, ""));
  const projectName = nameOf(project);
  return { ...(stack !== undefined && { stack }), ...(projectName !== undefined && { project: projectName }) };
}

function isUrn(value: unknown): value is string {
  return typeof value === "string" && value.startsWith("urn:pulumi:");
}

/** Earlier releases stored the end of the log, masked, beside the reason. */
function withoutLog(text: unknown): unknown {
  return typeof text === "string" && !isSecret(text) ? text.split("\nThe end of its log")[0] : text;
}

/** The type names of this package's resources, in programs in JavaScript and in other languages. */
const typeNames = {
  vmRestore: ["VmRestore", "VmRestoreRun"],
  fileRestore: ["FileRestore", "FileRestoreRun"],
  intent: ["RestoreIntent"],
  planRun: ["PlanRun"],
  planWave: ["PlanWave"],
  planVerdict: ["PlanVerdict"],
} as const;

export type ResourceKind = keyof typeof typeNames;

const typePattern = /^(?:pulumi-nodejs:dynamic\/recovery|recovery:index):(\w+)$/;

/** The kind of one of this package's resources; undefined for any other type. */
export function kindOf(type: string): ResourceKind | undefined {
  const name = typePattern.exec(type)?.[1];
  return (Object.keys(typeNames) as ResourceKind[]).find((kind) =>
    (typeNames[kind] as readonly (string | undefined)[]).includes(name),
  );
}

export function restoreKindOf(type: string): "VmRestore" | "FileRestore" | undefined {
  const kind = kindOf(type);
  return kind === "vmRestore" ? "VmRestore" : kind === "fileRestore" ? "FileRestore" : undefined;
}

/**
 * True if the panel's times of requests name a zone. One without a zone is read as local time: good enough beside other times of the panel,
 * but hours off beside the time at which a recovery point was taken.
 */
export function requestsNameZone(resources: readonly Resource[]): boolean {
  return resources
    .flatMap(({ outputs }) => [outputs, ...Object.values(fieldsOf(outputs["restores"])).map(fieldsOf)])
    .every(
      ({ requestedAt }) => typeof requestedAt !== "string" || /(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})\s*$/i.test(requestedAt),
    );
}

/** No report can be made of the given value. The message says why and what to give instead. */
export class ReportError extends Error {
  override readonly name = "ReportError";
}
