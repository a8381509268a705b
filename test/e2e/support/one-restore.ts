import * as pulumi from "@pulumi/pulumi";
import { type RestoreTimeoutsArgs, VmRestore, type VmRestoreArgs } from "pulumi-recovery";

export class Group extends pulumi.ComponentResource {
  constructor(name: string, make: (parent: Group) => void, opts?: pulumi.ComponentResourceOptions) {
    super("test:index:Group", name, {}, opts);
    make(this);
  }
}

type Args = Omit<Partial<VmRestoreArgs>, "timeouts"> & { readonly timeouts?: RestoreTimeoutsArgs };

export function vm(name: string, args: Args = {}, opts?: pulumi.CustomResourceOptions): VmRestore {
  const timeouts = { settle: 0, ...args.timeouts };
  return new VmRestore(name, { virtualMachineId: 42, recoveryPointId: 1007, ...args, timeouts }, opts);
}
