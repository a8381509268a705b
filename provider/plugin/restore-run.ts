import * as pulumi from "@pulumi/pulumi";
import { pluginTypes } from "../inputs/resource-names";
import type { RestoreKind } from "../inputs/restore-table";
import { prepareRestore } from "../program/prepare-restore";
import type { Backend } from "../program/backend";

/** Orders the restores of this process. The SDK's own run cannot, because each call of the engine has a run of its own. */
const run = {};

/**
 * The backend of the plugin's custom resources. `aliasesFor` names them as they are in the state of a program in
 * TypeScript.
 */
export const pluginBackend = (aliasesFor: NonNullable<Backend["aliasesFor"]>): Backend => ({
  types: pluginTypes,
  extraProperties: () => ({}),
  orderScope: run,
  aliasesFor,
});

/** The restore below its component or its plan. */
export class RestoreRun extends pulumi.CustomResource {
  constructor(
    kind: RestoreKind,
    name: string,
    inputs: pulumi.Inputs,
    { opts, backend }: { readonly opts: pulumi.CustomResourceOptions; readonly backend: Backend },
  ) {
    const restore = prepareRestore(kind, name, inputs, opts, backend);
    super(pluginTypes[kind], name, restore.props, restore.opts);
    restore.onRegistered(this);
  }

  /** Every output is a field of the resource, as in a VmRestore. */
  get outputs(): Readonly<Record<string, pulumi.Input<unknown>>> {
    return this as unknown as Readonly<Record<string, pulumi.Input<unknown>>>;
  }
}
