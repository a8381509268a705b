/** A program with both separate restores and a plan, from `e2e:restores` and `e2e:plan` in the stack's configuration. */
export { statuses } from "./restores";
export { verdict } from "./plans";
