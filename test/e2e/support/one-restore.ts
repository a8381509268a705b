import * as pulumi from "@pulumi/pulumi";
import { type RestoreTimeoutsArgs, VmRestore, type VmRestoreArgs } from "pulumi-recovery";
import { useScene } from "./scene";
import type { TestStack } from "./stack";

export class Group extends pulumi.ComponentResource {
  constructor(name: string, make: (parent: Group) => void, opts?: pulumi.ComponentResourceOptions) {
    super("test:index:Group", name, {}, opts);
    make(this);
  }
}

type Args = Omit<Partial<VmRestoreArgs>, "timeouts"> & { readonly timeouts?: RestoreTimeoutsArgs };

export function vm(name: string, args: Args = {}, opts?: pulumi.CustomResourceOptions): VmRestore {
  // The tests' panels list all parts of a restore at once.
  const timeouts = { settle: 0, ...args.timeouts };
  return new VmRestore(name, { virtualMachineId: 42, recoveryPointId: 1007, ...args, timeouts }, opts);
}

const config = { "recovery:requestTimeout": "4s" };

/** A panel with short times. */
export const fast = { speed: 50 };

/** A new scene for each test in the calling suite, with stacks for programs that `programOf` accepts. */
export function useStacks() {
  const scene = useScene();
  const stackOf = (program: () => unknown): Promise<TestStack> => scene.stack(programOf(program), { config });
  return { scene, stackOf };
}

/** The results of a program that a test looks at. */
export function programOf(program: () => unknown): () => Promise<Record<string, unknown>> {
  return () => {
    const made = program();
    return Promise.resolve(VmRestore.isInstance(made) ? { status: made.status, adopted: made.adopted } : {});
  };
}
