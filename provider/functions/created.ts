import * as pulumi from "@pulumi/pulumi";
import { programError } from "../program/program-error";
import type { DependsOn } from "./options";

/** Parts of the SDK's resources that its own `dependsOn` relies on and that its declarations leave out. */
interface ComponentInside {
  readonly __data?: Promise<unknown>;
  readonly __childResources?: ReadonlySet<pulumi.Resource>;
}

/**
 * Known once every resource in `dependsOn` exists. In a preview the id of a resource that is still to be created
 * is unknown, and so is then the result; a component counts as what it holds, as it does for resources.
 */
export function created(dependsOn: DependsOn | undefined): pulumi.Output<unknown> {
  if (dependsOn === undefined) return pulumi.output(undefined);
  const given: pulumi.Output<unknown> = pulumi.output<unknown>(dependsOn);
  return given
    .apply(async (found) => {
      const reached = new Set<pulumi.Resource>();
      await reach(found, reached);
      return [...reached];
    })
    .apply((reached) => pulumi.all(reached.map(existence)));
}

async function reach(found: unknown, reached: Set<pulumi.Resource>): Promise<void> {
  if (Array.isArray(found)) {
    for (const one of found) await reach(one, reached);
    return;
  }
  if (found === undefined || found === null) return;
  if (!pulumi.Resource.isInstance(found)) throw programError("dependsOn holds something that is not a resource");
  if (reached.has(found)) return;
  reached.add(found);
  if (!pulumi.ComponentResource.isInstance(found)) return;
  const inside = found as ComponentInside;
  await inside.__data;
  await reach([...(inside.__childResources ?? [])], reached);
}

/** An id is never secret in itself, and must not make a list of transactions one. */
function existence(resource: pulumi.Resource): pulumi.Output<string> {
  const id = pulumi.CustomResource.isInstance(resource)
    ? (resource.id as pulumi.Output<string> | undefined)
    : undefined;
  return pulumi.unsecret(id ?? resource.urn);
}
