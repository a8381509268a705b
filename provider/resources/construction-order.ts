import * as pulumi from "@pulumi/pulumi";

/** A restore's place in the order in which the program constructed its restores. */
export interface Place {
  /** The restore of the same machine that comes before, for the `dependsOn` of the later one's intent. */
  readonly before: pulumi.Input<pulumi.Resource[]>;
  /** Fills the place, once there is a resource to depend on. */
  take(restore: pulumi.Resource): void;
}

interface Link {
  machine?: string | undefined;
  restore?: pulumi.Resource;
}

/**
 * One chain per program run and provider. Several programs may run in one process, one after the other or at the same
 * time, and each has its own root resource; a restore left over from another run would never be registered in this one.
 */
const runs = new WeakMap<object, Map<pulumi.ProviderResource | undefined, Link[]>>();

/**
 * Restores of one machine run in the order they are written: the later one's intent, which records where the panel's list
 * stood, must not be made before the earlier restore has ended.
 *
 * A place only ever comes after places constructed before it, as everything else in a program does. Depending on a
 * later one, because its machine's id was known sooner, could close a circle with the program's own `dependsOn`, and the
 * program would never end. Two ids of one machine that become known in the wrong order are left to the provider process,
 * which restores a machine once at a time in any case.
 */
export function placeInChain(
  machineId: pulumi.Input<unknown>,
  provider: pulumi.ProviderResource | undefined,
  { run }: { readonly run?: object } = {},
): Place {
  const chain = chainOf(provider, run ?? ofThisProgram());
  const link: Link = {};
  const position = chain.push(link) - 1;
  return {
    before: previousOf(machineId, link, () => chain.slice(0, position)),
    take: (restore) => {
      link.restore = restore;
    },
  };
}

function previousOf(
  machineId: pulumi.Input<unknown>,
  link: Link,
  earlier: () => readonly Link[],
): pulumi.Input<pulumi.Resource[]> {
  const previous = (id: unknown): pulumi.Resource[] => {
    link.machine = machineText(id);
    if (link.machine === undefined) return [];
    const last = earlier().findLast((other) => other.machine === link.machine && other.restore !== undefined);
    return last?.restore === undefined ? [] : [last.restore];
  };
  if (!pulumi.Output.isInstance(machineId) && !(machineId instanceof Promise)) return previous(machineId);
  // Not run while the id is unknown, in a preview: there is nothing to wait for then.
  return pulumi.output(machineId).apply((id: unknown) => {
    link.machine = machineText(id);
    // An earlier restore may have its id from the same output by a longer way: let all that is known by now arrive.
    return new Promise<pulumi.Resource[]>((resolve) => {
      setImmediate(() => {
        resolve(previous(id));
      });
    });
  });
}

function ofThisProgram(): object {
  return pulumi.runtime.getStackResource() ?? pulumi.runtime.getMonitor() ?? {};
}

function chainOf(provider: pulumi.ProviderResource | undefined, run: object): Link[] {
  const chains = runs.get(run) ?? new Map<pulumi.ProviderResource | undefined, Link[]>();
  runs.set(run, chains);
  const chain = chains.get(provider) ?? [];
  chains.set(provider, chain);
  return chain;
}

/** The spelling under which `check` stores an id: 42 and "42" are one machine. */
function machineText(id: unknown): string | undefined {
  return typeof id === "string" ? id : typeof id === "number" ? String(id) : undefined;
}
