import type { PulumiFn } from "@pulumi/pulumi/automation";

/** A program written inside the test; it returns the stack's outputs. */
export function inline(program: () => Record<string, unknown>): PulumiFn {
  return () => Promise.resolve(program());
}
