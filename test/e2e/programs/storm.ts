/** Restores without a plan, and a plan, in one program: `e2e:restores` and `e2e:plan` of the stack's configuration. */
export { statuses } from "./restores";
export { verdict } from "./plans";
