import type * as pulumi from "@pulumi/pulumi";
import type { RestoreKind } from "../inputs/restore-table";
import { FileRestore, type FileRestoreArgs, type Restore, VmRestore, type VmRestoreArgs } from "./restores";
import { dynamicBackend, type Backend } from "./backend";

/** Which way a plan comes into the provider: as for its restores, and what these are constructed as. */
export interface PlanBackend extends Backend {
  readonly constructRestore: (
    kind: RestoreKind,
    name: string,
    inputs: pulumi.Inputs,
    opts: pulumi.CustomResourceOptions,
  ) => Restore;
}

/** In a program in TypeScript the restores of a plan are what they are without one. */
export const dynamicPlanBackend: PlanBackend = {
  ...dynamicBackend,
  constructRestore: (kind, name, inputs, opts) =>
    kind === "VmRestore"
      ? new VmRestore(name, inputs as unknown as VmRestoreArgs, opts)
      : new FileRestore(name, inputs as unknown as FileRestoreArgs, opts),
};
