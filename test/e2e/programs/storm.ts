/** Restores without a plan, and a plan, in one program, from `e2e:restores` and `e2e:plan` in the stack's configuration. */
export { statuses } from "./restores";
export { verdict } from "./plans";
