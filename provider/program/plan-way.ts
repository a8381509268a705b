import type * as pulumi from "@pulumi/pulumi";
import type { RestoreKind } from "../inputs/restore-table";
import { FileRestore, type FileRestoreArgs, type Restore, VmRestore, type VmRestoreArgs } from "./restores";
import { dynamicWay, type WayIn } from "./way-in";

/** Which way a plan comes into the provider: as for its restores, and what these are constructed as. */
export interface PlanWay extends WayIn {
  readonly restore: (
    kind: RestoreKind,
    name: string,
    inputs: pulumi.Inputs,
    opts: pulumi.CustomResourceOptions,
  ) => Restore;
}

/** In a program in TypeScript the restores of a plan are what they are without one. */
export const dynamicPlanWay: PlanWay = {
  ...dynamicWay,
  restore: (kind, name, inputs, opts) =>
    kind === "VmRestore"
      ? new VmRestore(name, inputs as unknown as VmRestoreArgs, opts)
      : new FileRestore(name, inputs as unknown as FileRestoreArgs, opts),
};
