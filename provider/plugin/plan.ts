import * as pulumi from "@pulumi/pulumi";
import { isUnknown } from "@pulumi/pulumi/output";
import { Problems } from "../inputs/problems";
import { nameProblem, readPlan, type ParsedPlan } from "../inputs/read-plan";
import { planType, resourceTypes } from "../inputs/resource-names";
import { constructPlan } from "../program/construct-plan";
import type { PlanBackend } from "../program/plan-backend";
import type { Restore } from "../program/restores";
import { isOutputOrPromise } from "../program/program-values";
import { inputsError, whenKnown } from "./component";
import { pluginBackend, RestoreRun } from "./restore-run";

/** A plan in the state of a program in TypeScript is the same component: what lies below it is found there under the types of that way. */
const backend = pluginBackend((resource, name) => [{ type: resourceTypes[resource], name }]);

const planBackend: PlanBackend = {
  ...backend,
  constructRestore: (kind, name, inputs, opts) =>
    new RestoreRun(kind, name, inputs, { opts, way: backend }) as unknown as Restore,
};

class PlanComponent extends pulumi.ComponentResource {
  readonly state: pulumi.Inputs;

  constructor(name: string, plan: ParsedPlan, options: pulumi.ComponentResourceOptions) {
    super(planType, name, {}, options);
    this.state = constructPlan(name, plan, { parent: this, dependsOn: options.dependsOn, backend: planBackend });
    this.registerOutputs(this.state);
  }
}

/** A plan that a program in another language asked for. What is wrong with it is told all at once, and nothing is made. */
export async function constructRecoveryPlan(
  name: string,
  inputs: pulumi.Inputs,
  options: pulumi.ComponentResourceOptions,
): Promise<pulumi.provider.ConstructResult> {
  const problems = new Problems();
  const wrongName = nameProblem(name);
  if (wrongName !== undefined) problems.add("", `the name of a RecoveryPlan${wrongName}`);
  const plan = readPlan(await resolveKnown(inputs), { isUnknown: isOutputOrPromise, problems });
  if (plan === undefined || problems.all.length > 0) throw inputsError("RecoveryPlan", name, problems.all);
  const { urn, state } = new PlanComponent(name, plan, options);
  return { urn, state };
}

/**
 * The inputs as a program in TypeScript would have written them. Other SDKs hand over much as an output that is known all the same. What it
 * depends on is not lost with that: the engine tells it with the component's options. What is secret, or not known yet, stays an output.
 */
async function resolveKnown(value: unknown): Promise<unknown> {
  // As the SDK reads what a language has sent without saying what it depends on.
  if (isUnknown(value)) return pulumi.output(value);
  if (pulumi.Output.isInstance(value)) {
    const { isKnown, isSecret, value: known } = await whenKnown(value);
    return isKnown && !isSecret ? resolveKnown(known) : value;
  }
  if (Array.isArray(value)) return Promise.all(value.map(resolveKnown));
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const entries = Object.entries(value).map(async ([key, inner]) => [key, await resolveKnown(inner)] as const);
  return Object.fromEntries(await Promise.all(entries));
}
