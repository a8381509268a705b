import type { PulumiFn } from "@pulumi/pulumi/automation";

/**
 * Turns a program's file into an inline program whose exports are the outputs. Each run reloads only this file: the package keeps its module state between two
 * programs in one process, as in any program that uses the Automation API.
 */
export function programFile(path: string): PulumiFn {
  return () => {
    Reflect.deleteProperty(require.cache, require.resolve(path));
    // oxlint-disable-next-line typescript/no-require-imports -- the file is known only now, and must run now
    const exported: unknown = require(path);
    return Promise.resolve({ ...(exported as Record<string, unknown>) });
  };
}
