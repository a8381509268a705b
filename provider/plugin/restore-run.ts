import * as pulumi from "@pulumi/pulumi";
import type { RestoreKind } from "../inputs/restore-table";
import { prepareRestore } from "../program/prepare-restore";
import type { Backend } from "../program/backend";
import { childTypes } from "./tokens";

/** The restores of this process have their order among themselves: each call of the engine's has a run of its own for the SDK. */
const run = {};

/** Custom resources of the plugin. `formerly` tells what they are in the state of a program in TypeScript. */
export const pluginBackend = (formerly: NonNullable<Backend["aliasesFor"]>): Backend => ({
  types: childTypes,
  extraProperties: () => ({}),
  orderScope: run,
  aliasesFor: formerly,
});

/** A restore itself, below its component or its plan. */
export class RestoreRun extends pulumi.CustomResource {
  constructor(
    kind: RestoreKind,
    name: string,
    inputs: pulumi.Inputs,
    { opts, way: backend }: { readonly opts: pulumi.CustomResourceOptions; readonly way: Backend },
  ) {
    const restore = prepareRestore(kind, name, inputs, opts, backend);
    super(childTypes[kind], name, restore.props, restore.opts);
    restore.onRegistered(this);
  }

  /** Every output is a field of the resource, as it is of a VmRestore. */
  get outputs(): Readonly<Record<string, pulumi.Input<unknown>>> {
    return this as unknown as Readonly<Record<string, pulumi.Input<unknown>>>;
  }
}
