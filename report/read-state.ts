import { parsedText } from "../drills/judge/read";
import { readDeployment } from "../drills/judge/resources";
import { nameInUrn, planType, pluginTypes, resourceTypes, type ResourceName } from "../provider/inputs/resource-names";
import { asList, isObject, omitUndefined, type Properties } from "../provider/plain/plain";
import { readText } from "../provider/plain/stored-fields";
import { maxLengths, reportStamp, safeText } from "./model/format";

/** Facts about an exported stack as a whole. Its restores and plans are read only by `drills/judge`. */
export interface ExportedStack {
  readonly deployment: Properties;
  readonly stack?: string;
  readonly project?: string;
  readonly writtenAt?: string;
  readonly engine?: string;
  /** Operations that had not ended when the state was written. */
  readonly pending: readonly PendingOperation[];
  /** Plans without a stored run: an `up` that rejects a plan does not store its run. */
  readonly unbegunPlans: readonly string[];
}

interface PendingOperation {
  readonly name: string;
  /** True if the operation is on one of a plan's own resources. */
  readonly isOfPlan: boolean;
}

/** Thrown if no report can be made from the given value. The message says why, and what to pass instead. */
export class ReportError extends Error {
  override readonly name = "ReportError";
}

/** Reads the output of `pulumi stack export`, a state file from a self-managed backend, or the deployment in either. */
export function readState(exported: unknown): ExportedStack {
  const deployment = deploymentFrom(exported);
  const manifest = fieldsOf(deployment["manifest"]);
  const { current, pending } = readDeployment(deployment);
  return omitUndefined<ExportedStack>({
    deployment,
    ...stackAndProject(
      [...current.keys(), ...pending.map(({ urn }) => urn)].find((urn) => urn.startsWith("urn:pulumi:")),
    ),
    writtenAt: reportStamp(readText(manifest["time"])),
    engine: nameOf(manifest["version"]),
    unbegunPlans: [...current.values()].flatMap(({ urn, type }) => {
      const isBegun = [...current.keys()].some(
        (key) => key.includes(`${planType}$`) && nameInUrn(key) === `${nameInUrn(urn)}-run`,
      );
      return type === planType && !isBegun ? [nameOf(nameInUrn(urn)) ?? "unnamed"] : [];
    }),
    pending: pending.map(({ urn, type }) => ({
      name: nameOf(urn.split("::").slice(3).join("::")) ?? "unnamed",
      isOfPlan: isPlanType(type),
    })),
  });
}

export function deploymentFrom(exported: unknown): Properties {
  if (isObject(exported)) {
    // A stack without any update exports no deployment, or an empty one.
    if ("deployment" in exported) return fieldsOf(exported["deployment"]);
    if ("checkpoint" in exported) return fieldsOf(fieldsOf(exported["checkpoint"])["latest"]);
    if ("manifest" in exported || "resources" in exported) return exported;
  }
  throw new ReportError("this is not a stack's state: pass the output of `pulumi stack export`");
}

const planResources: readonly ResourceName[] = ["PlanRun", "WaveIntent", "Wave", "Verdict"];

function isPlanType(type: string): boolean {
  return planResources.some((name) => type === resourceTypes[name] || type === pluginTypes[name]);
}

function stackAndProject(urn: string | undefined): Pick<ExportedStack, "stack" | "project"> {
  const [head = "", project] = urn?.split("::") ?? [];
  return omitUndefined<Pick<ExportedStack, "stack" | "project">>({
    stack: nameOf(head.replace(/^urn:pulumi:/, "")),
    project: nameOf(project),
  });
}

export function fieldsOf(value: unknown): Properties {
  return isObject(value) ? value : {};
}

/** A string as one short line. */
export function nameOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? safeText(value, maxLengths.name) : undefined;
}

/** A finite amount that is not negative. */
export function amountOf(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 && value < 1e11 ? value : undefined;
}

/** The key in the object that takes the place of a secret value in a state. */
export const secretKey = "4dabf18193072939515e22adb298388d";
const secretMark = "1b47061264138c4ac30d75fd1eb44270";

/** The deployment with its logs in plain text, if the export shows secrets (`--show-secrets`). Every other secret stays hidden. */
export function withPlainLogs({ resources, ...deployment }: Properties): Properties {
  const shown = asList(resources).map((resource) => {
    if (!isObject(resource) || !isObject(resource["outputs"])) return resource;
    const { logs, logOutput } = resource["outputs"];
    const outputs = omitUndefined({ logs: plainText(logs), logOutput: plainText(logOutput) });
    return { ...resource, outputs: { ...resource["outputs"], ...outputs } };
  });
  return { ...deployment, resources: shown };
}

/** A secret's value, if the export shows it; otherwise the given value. */
export function plainText(value: unknown): unknown {
  return isObject(value) && value[secretKey] === secretMark ? (parsedText(value["plaintext"]) ?? value) : value;
}
