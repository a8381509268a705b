import type { PulumiFn } from "@pulumi/pulumi/automation";

/** A program written inside the test; what it returns, if anything, are the stack's outputs. */
export function inline(program: () => unknown): PulumiFn {
  return () => Promise.resolve((program() ?? {}) as Record<string, unknown>);
}
