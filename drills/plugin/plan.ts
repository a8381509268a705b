import * as pulumi from "@pulumi/pulumi";
import { isUnknown } from "@pulumi/pulumi/output";
import { Problems } from "../../provider/inputs/problems";
import { planType, resourceTypes } from "../../provider/inputs/resource-names";
import { inputsError, pluginBackend } from "../../provider/plugin/component";
import { isOutputOrPromise, whenKnown } from "../../provider/program/program-values";
import { nameProblem, readPlan } from "../inputs/read-plan";
import { constructPlan, type PreparedPlan, preparePlan } from "../program/construct-plan";
import { storedOutputs } from "../program/recovery-plan";

/** In a TypeScript program's state, the plan has the same type, but its children have different types, which become aliases here. */
const backend = pluginBackend((resource, name) => [{ type: resourceTypes[resource], name }]);

class PlanComponent extends pulumi.ComponentResource {
  readonly state: pulumi.Inputs;

  constructor(prepared: PreparedPlan, options: pulumi.ComponentResourceOptions) {
    super(planType, prepared.name, {}, options);
    this.state = constructPlan(prepared, { parent: this, dependsOn: options.dependsOn, backend });
    this.registerOutputs(storedOutputs(this.state));
  }
}

/** Makes a plan for a program in another language. If there are problems, they are all reported at once and nothing is created. */
export async function constructRecoveryPlan(
  name: string,
  inputs: pulumi.Inputs,
  options: pulumi.ComponentResourceOptions,
): Promise<pulumi.provider.ConstructResult> {
  const problems = new Problems();
  const wrongName = nameProblem(name);
  if (wrongName !== undefined) problems.add("", `the name of a RecoveryPlan${wrongName}`);
  const plan = readPlan(await resolveKnown(inputs), { isUnknown: isOutputOrPromise, problems });
  if (plan === undefined) throw inputsError("RecoveryPlan", name, problems.all);
  const { urn, state } = new PlanComponent(preparePlan(name, plan), options);
  return { urn, state };
}

/** Unwraps inputs into the form that a TypeScript program would write: other SDKs send known values as outputs, and dependencies in the options. */
async function resolveKnown(value: unknown): Promise<unknown> {
  // The SDK does not wrap an unknown value in an output if the value has no dependencies.
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
