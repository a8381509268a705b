import { Problems } from "../../provider/inputs/problems";
import { isOutputOrPromise } from "../../provider/program/program-values";
import { programError } from "../../provider/program/stack-traces";
import { nameProblem, readPlan, type ReadPlan } from "../inputs/read-plan";
import { checkDependsOn } from "./between-waves";
import { throwProblems } from "./plan-texts";

export { dynamicBackend } from "../../provider/program/backend";
export { callDependsOn } from "./between-waves";
export { constructPlan, preparePlan } from "./construct-plan";

/** Reads a plan. If it has mistakes, throws all of them at once, each with the path of its property, before anything is registered. */
export function readPlanOrThrow(name: unknown, args: unknown): ReadPlan {
  const problems = new Problems();
  const wrongName = nameProblem(name);
  if (wrongName !== undefined) throw programError(`the name of a RecoveryPlan${wrongName}`);
  const plan = readPlan(args, { isUnknown: isOutputOrPromise, problems, checkDependsOn });
  throwProblems(String(name), problems.all);
  return plan as ReadPlan;
}
