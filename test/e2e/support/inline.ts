import type { PulumiFn } from "@pulumi/pulumi/automation";

/** A program written inside the test. What it returns, if anything, becomes the stack's outputs. */
export function inline(program: () => unknown): PulumiFn {
  return () => Promise.resolve((program() ?? {}) as Record<string, unknown>);
}
