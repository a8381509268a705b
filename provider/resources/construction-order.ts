import * as pulumi from "@pulumi/pulumi";
import { isOpen } from "./shown";

/** A restore's position in the order in which the program constructs its restores. */
export interface Position {
  /** The restore of the same machine that comes before, for the `dependsOn` of the later one's intent. */
  readonly before: pulumi.Input<pulumi.Resource[]>;
  /** To be told the restore once it is constructed: later ones depend on it. */
  constructed(restore: pulumi.Resource): void;
}

interface Ordered {
  machine?: string | undefined;
  restore?: pulumi.Resource;
}

/**
 * One order per program run and provider. Several programs may run in one process, one after the other or at the same
 * time, and each has its own root resource; a restore left over from another run would never be registered in this one.
 */
const runs = new WeakMap<object, Map<pulumi.ProviderResource | undefined, Ordered[]>>();

/**
 * Restores of one machine run in the order they are written: the later one's intent, which records where the panel's list
 * stood, must not be made before the earlier restore has ended.
 *
 * A restore only ever comes after restores constructed before it, as everything else in a program does. Depending on a
 * later one, because its machine's id was known sooner, could close a circle with the program's own `dependsOn`, and the
 * program would never end. Two ids of one machine that become known in the wrong order are left to the provider process,
 * which restores a machine once at a time in any case.
 */
export function nextInOrder(
  machineId: pulumi.Input<unknown>,
  provider: pulumi.ProviderResource | undefined,
  { run }: { readonly run?: object } = {},
): Position {
  const order = orderOf(provider, run ?? ofThisProgram());
  const own: Ordered = {};
  const index = order.push(own) - 1;
  return {
    before: previousOf(machineId, own, () => order.slice(0, index)),
    constructed: (restore) => {
      own.restore = restore;
    },
  };
}

function previousOf(
  machineId: pulumi.Input<unknown>,
  own: Ordered,
  earlier: () => readonly Ordered[],
): pulumi.Input<pulumi.Resource[]> {
  const previous = (id: unknown): pulumi.Resource[] => {
    own.machine = machineText(id);
    if (own.machine === undefined) return [];
    const last = earlier().findLast((other) => other.machine === own.machine && other.restore !== undefined);
    return last?.restore === undefined ? [] : [last.restore];
  };
  if (!isOpen(machineId)) return previous(machineId);
  // Not run while the id is unknown, in a preview: there is nothing to wait for then.
  const known: pulumi.Output<unknown> = pulumi.output<unknown>(machineId);
  return known.apply((id) => {
    own.machine = machineText(id);
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

function orderOf(provider: pulumi.ProviderResource | undefined, run: object): Ordered[] {
  const orders = runs.get(run) ?? new Map<pulumi.ProviderResource | undefined, Ordered[]>();
  runs.set(run, orders);
  const order = orders.get(provider) ?? [];
  orders.set(provider, order);
  return order;
}

/** The spelling under which `check` stores an id: 42 and "42" are one machine. */
function machineText(id: unknown): string | undefined {
  return typeof id === "string" ? id : typeof id === "number" ? String(id) : undefined;
}
