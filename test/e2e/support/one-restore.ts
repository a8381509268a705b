import * as pulumi from "@pulumi/pulumi";
import { VmRestore, type VmRestoreArgs } from "pulumi-recovery";

export class Group extends pulumi.ComponentResource {
  constructor(name: string, make: (parent: Group) => void, opts?: pulumi.ComponentResourceOptions) {
    super("test:index:Group", name, {}, opts);
    make(this);
  }
}

export function vm(name: string, args: Partial<VmRestoreArgs> = {}, opts?: pulumi.CustomResourceOptions): VmRestore {
  return new VmRestore(name, { virtualMachineId: 42, recoveryPointId: 1007, ...args }, opts);
}

/** What a program leaves behind, as far as a test looks at it. */
export function programOf(program: () => unknown): () => Promise<Record<string, unknown>> {
  return () => {
    const made = program();
    return Promise.resolve(VmRestore.isInstance(made) ? { status: made.status, adopted: made.adopted } : {});
  };
}
