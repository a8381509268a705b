import { CommandError } from "./command";
import type { StackRestore, StackState } from "./stack-state";

/** The restores of a stack, or of one of its plans. Throws if the state holds no such plan. */
export function restoresOfPlan({ restores, plans }: StackState, plan: string | undefined): readonly StackRestore[] {
  if (plan === undefined) return restores;
  const names = plans.map(({ name }) => name);
  if (!names.includes(plan))
    throw new CommandError(`the state holds no plan ${plan}; it holds ${names.join(", ") || "none"}`);
  return restores.filter((one) => one.plan === plan);
}

export const noRestore = "the state holds no restore: `pulumi up` stores them";
