import type * as pulumi from "@pulumi/pulumi";
import { Problems } from "../inputs/problems";
import { nameProblem, readPlan, type ParsedPlan } from "../inputs/read-plan";
import { checkDependsOn } from "./between-waves";
import { constructPlan, type PlanContext } from "./construct-plan";
import { dynamicPlanBackend } from "./plan-backend";
import { isOutputOrPromise } from "./program-values";
import { programError } from "./stack-traces";

export { callDependsOn } from "./between-waves";

/** Reads a plan. If it has mistakes, throws all of them at once, each with the path of its property, before anything is registered. */
export function readPlanOrThrow(name: unknown, args: unknown): ParsedPlan {
  const problems = new Problems();
  const wrongName = nameProblem(name);
  if (wrongName !== undefined) throw programError(`the name of a RecoveryPlan${wrongName}`);
  const plan = readPlan(args, { isUnknown: isOutputOrPromise, problems, checkDependsOn });
  if (plan !== undefined && problems.all.length === 0) return plan;
  const list = problems.all.map(({ reason }) => `  ${reason.trim()}`).join("\n");
  throw programError(`RecoveryPlan "${String(name)}" cannot be carried out, and nothing was sent:\n${list}`);
}

/** Constructs a plan out of dynamic resources, for a program in TypeScript or JavaScript. */
export function constructDynamicPlan(
  name: string,
  plan: ParsedPlan,
  context: Omit<PlanContext, "backend">,
): pulumi.Inputs {
  return constructPlan(name, plan, { ...context, backend: dynamicPlanBackend });
}
