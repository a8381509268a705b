import type * as pulumi from "@pulumi/pulumi";
import { handlerName, type ResourceName, resourceTypes, type ResourceTypes } from "../inputs/resource-names";

/** The kind of provider behind the resources: dynamic resources, or the plugin for other languages. */
export interface Backend {
  readonly types: ResourceTypes;
  /** The object that identifies the scope in which restores are ordered. @default the run of the program */
  readonly orderScope?: object;
  /** Returns aliases. A resource stored under any of them becomes this resource, and nothing is restored again. */
  readonly aliasesFor?: (resource: ResourceName, name: string) => readonly pulumi.Alias[];
  /** A resource's properties other than its inputs. */
  readonly extraProperties: (resource: ResourceName) => Readonly<Record<string, unknown>>;
}

/** The backend of dynamic resources. The engine finds their code in one of their properties. */
export const dynamicBackend: Backend = {
  types: resourceTypes,
  extraProperties: (resource) => ({ __provider: providerText(resource) }),
};

/**
 * The property `__provider` of a dynamic resource: the code that the provider process runs for it. By default, the SDK serializes this package's code from
 * memory into every resource's state. Refresh and destroy then always run the old copy, and newer TypeScript compilers and other runtimes cannot make the copy
 * at all. So the property is a single line, written by hand, that says where the code is.
 *
 * The line is part of every stack's state and must never change: a different line would update every resource, and an older line must still find its code.
 * `pulumi-recovery/dynamic` is therefore a promise of this package, kept across major versions. Node.js looks for it in the folder of `Pulumi.yaml` and above,
 * so a program must depend on this package directly.
 */
function providerText(resource: ResourceName): string {
  return `exports.handler = () => require("pulumi-recovery/dynamic").${handlerName(resource)};`;
}
