import type * as pulumi from "@pulumi/pulumi";
import type { RestoreKind } from "../inputs/restore-table";
import { FileRestore, type FileRestoreArgs, type Restore, VmRestore, type VmRestoreArgs } from "./restores";
import { dynamicBackend, type Backend } from "./backend";

/** The backend of a plan: that of its restores, and their constructor. */
export interface PlanBackend extends Backend {
  readonly constructRestore: (
    kind: RestoreKind,
    name: string,
    inputs: pulumi.Inputs,
    opts: pulumi.CustomResourceOptions,
  ) => Restore;
}

/** For programs in TypeScript and JavaScript: a plan's restores are a VmRestore or FileRestore like any other. */
export const dynamicPlanBackend: PlanBackend = {
  ...dynamicBackend,
  constructRestore: (kind, name, inputs, opts) =>
    kind === "VmRestore"
      ? new VmRestore(name, inputs as unknown as VmRestoreArgs, opts)
      : new FileRestore(name, inputs as unknown as FileRestoreArgs, opts),
};
