import type * as pulumi from "@pulumi/pulumi";

/** Resources, Outputs and promises of them, and lists of these. */
export type DependsOn = pulumi.Input<pulumi.Input<pulumi.Resource>[]> | pulumi.Input<pulumi.Resource>;

/**
 * Options of the Output forms: what `pulumi.InvokeOutputOptions` is, spelled out because the oldest SDK this
 * package works with does not have that name yet.
 */
export interface OutputFunctionOptions extends pulumi.InvokeOptions {
  /** Read the panel only after these resources were created or updated; unknown in a preview that would create one. */
  dependsOn?: DependsOn;
}
