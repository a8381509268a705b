import type { PulumiFn } from "@pulumi/pulumi/automation";

/**
 * A program's file as an inline program; its exports are the outputs, as with a real project. Only the file
 * itself is loaded anew on every run: the package keeps its module state between two programs of one process, as
 * in any program that uses the Automation API.
 */
export function programFile(path: string): PulumiFn {
  return () => {
    Reflect.deleteProperty(require.cache, require.resolve(path));
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- the file is known only now, and has to run now
    const exported: unknown = require(path);
    return Promise.resolve({ ...(exported as Record<string, unknown>) });
  };
}
