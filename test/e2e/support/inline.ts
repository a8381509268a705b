import type { PulumiFn } from "@pulumi/pulumi/automation";

/** A program that a test writes out on the spot; what it returns are the stack's outputs. */
export function inline(program: () => Record<string, unknown>): PulumiFn {
  return () => Promise.resolve(program());
}
