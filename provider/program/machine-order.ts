import * as pulumi from "@pulumi/pulumi";
import type { RestoreKind } from "../inputs/restore-table";
import { isObject } from "../plain/plain";
import { firstFew } from "../plain/text";
import { isOutputOrPromise } from "./program-values";

/** The properties of a restore that decide its place in the order, or that the machine's later restores need. */
interface Ordered {
  readonly kind: RestoreKind;
  readonly name: string;
  readonly machineId: unknown;
  readonly wait: unknown;
}

/** A restore whose machine is known once the id is. */
interface Placed extends Ordered {
  machine?: string | undefined;
}

/** A restore that the program has constructed, on which later restores of its machine depend. */
interface EarlierRestore extends Placed {
  readonly restore: pulumi.Resource;
  readonly intent: Pick<pulumi.CustomResource, "id">;
}

/** A restore's place among its machine's restores in the program. */
export interface MachinePosition {
  readonly dependsOn: pulumi.Input<pulumi.Resource[]>;
  /** What the restore and its intent receive from the previous restores: see `MachineOrder` in `inputs/restore-inputs`. */
  readonly inputs: pulumi.Inputs;
  /** For the restore only: whether a later restore in the program has the same machine. */
  readonly followed: pulumi.Output<true | undefined>;
  /** Records the restore once it is constructed, because later restores depend on it. */
  recordConstructed(constructed: Pick<EarlierRestore, "restore" | "intent">): void;
}

/**
 * One order per program run and provider. Several programs may run in one process, even at the same time, each with its own root resource. A restore from
 * another run is never registered in this run, so nothing here may depend on it.
 */
const ordersByRun = new WeakMap<object, Map<pulumi.ProviderResource | undefined, EarlierRestore[]>>();

/**
 * Orders a restore after the previous restores of its machine, in the order in which the program constructs them. A restore's intent records the
 * current top of the panel's list, so the intent must not be made before the previous restore has ended.
 *
 * A restore depends only on restores constructed before it. If a restore depended on a later restore whose id was known sooner, this could form a cycle with
 * the program's own `dependsOn`, and the program would never end. If ids for the same machine become known in the wrong order, the provider process still runs
 * the machine's restores one at a time.
 */
export function takePosition(
  own: Ordered,
  provider: pulumi.ProviderResource | undefined,
  scope: object | undefined,
): MachinePosition {
  const order = orderOf(provider, scope ?? currentProgram());
  const before = [...order];
  const ordered: Placed = { ...own };
  const earlier = earlierOfMachine(ordered, before);
  return {
    dependsOn: fromEarlier(earlier, resourcesBefore),
    inputs: isList(earlier) && earlier.length === 0 ? {} : handedInputs(earlier),
    followed: isFollowed(ordered, order),
    recordConstructed: (constructed) => {
      order.push(Object.assign(ordered, constructed));
      if (own.kind === "VmRestore" && pulumi.runtime.isDryRun()) {
        void fromEarlier(earlier, (found) => {
          warnOfOverwrittenFiles(own, found, constructed.restore);
        });
      }
    },
  };
}

/** The previous restore and every earlier VmRestore, because replacing any of these replaces this restore. */
function resourcesBefore(earlier: readonly EarlierRestore[]): pulumi.Resource[] {
  const found = new Set([...earlier.slice(-1), ...vmRestoresIn(earlier)]);
  return [...found].map(({ restore }) => restore);
}

function warnOfOverwrittenFiles(own: Ordered, earlier: readonly EarlierRestore[], restore: pulumi.Resource): void {
  const lastVmRestore = earlier.findLastIndex(({ kind }) => kind === "VmRestore");
  const files = earlier.slice(lastVmRestore + 1).map(nameOf);
  if (files.length === 0) return;
  void pulumi.log.warn(
    `${nameOf(own)} restores the whole machine after ${firstFew(files)}, and overwrites the restored files. Construct ${nameOf(own)} first.`,
    restore,
  );
}

function nameOf({ kind, name }: Ordered): string {
  return `${kind} "${name}"`;
}

function vmRestoresIn(earlier: readonly EarlierRestore[]): readonly EarlierRestore[] {
  return earlier.filter(({ kind }) => kind === "VmRestore");
}

/** A list, or an output if the program passes any id as an output. The output is never awaited, because that would add a dependency on the ids' source. */
type Earlier = readonly EarlierRestore[] | pulumi.Output<readonly EarlierRestore[]>;

/**
 * The previous restore, as an object in which each field is a separate output. In the preview of an update, a restore's outputs are unknown, and a single
 * output for all fields would make the URN unknown as well.
 */
function previousInput(earlier: Earlier): pulumi.Inputs {
  const ofLast = (field: (one: EarlierRestore) => unknown): pulumi.Input<unknown> =>
    fromEarlier(earlier, (found) => found.slice(-1).map(field)[0]);
  return {
    urn: ofLast(({ restore }) => restore.urn),
    intentId: ofLast(({ intent }) => intent.id),
    madeUnder: ofLast(madeUnderOf),
    status: ofLast((one) => outputOf(one, "status")),
    // The next restore's `check` rejects `wait: false`.
    wait: ofLast(({ wait }) => wait),
  };
}

function handedInputs(earlier: Earlier): pulumi.Inputs {
  return {
    __behind: fromEarlier(earlier, (found) => presentList(vmRestoresIn(found).map(({ intent }) => intent.id))),
    __previous: previousInput(earlier),
    __known: fromEarlier(earlier, (found) =>
      pulumi.all(found.map(transactionIdsOf)).apply((ids) => presentList(ids.flat())),
    ),
  };
}

function isList(earlier: Earlier): earlier is readonly EarlierRestore[] {
  return Array.isArray(earlier);
}

function presentList<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

function fromEarlier<T>(
  earlier: Earlier,
  select: (found: readonly EarlierRestore[]) => pulumi.Input<T>,
): pulumi.Input<T> {
  return isList(earlier) ? select(earlier) : (earlier.apply(select) as pulumi.Output<T>);
}

/** An output of an earlier restore. If the engine leaves the earlier restore out of a run, this is the value in the state. */
function outputOf({ restore }: EarlierRestore, name: string): unknown {
  return (restore as unknown as Readonly<Record<string, unknown>>)[name];
}

function transactionIdsOf(one: EarlierRestore): pulumi.Output<readonly string[]> {
  const ids: pulumi.Output<unknown> = pulumi.output<unknown>(outputOf(one, "transactionIds"));
  return ids.apply((known) => (Array.isArray(known) ? (known as readonly string[]) : []));
}

/** The id is not a secret, even if a secret trigger makes the whole intent a secret. */
function madeUnderOf(one: EarlierRestore): pulumi.Output<string | undefined> {
  return pulumi.unsecret(pulumi.output<unknown>(outputOf(one, "__intent"))).apply((intent) => {
    const id = isObject(intent) ? intent["id"] : undefined;
    return typeof id === "string" ? id : undefined;
  });
}

function earlierOfMachine(own: Placed, before: readonly EarlierRestore[]): Earlier {
  const ofMachine = (): readonly EarlierRestore[] =>
    own.machine === undefined ? [] : before.filter(({ machine }) => machine === own.machine);
  const { machineId } = own;
  if (!isOutputOrPromise(machineId)) {
    own.machine = machineIdText(machineId);
    if (before.every(({ machine }) => machine !== undefined)) return ofMachine();
  }
  // In a preview with an unknown id, the callback does not run, and there is nothing to wait for.
  const known: pulumi.Output<unknown> = pulumi.output<unknown>(machineId);
  return known.apply((id) => {
    own.machine = machineIdText(id);
    return afterThisTurn(ofMachine);
  });
}

/** True if a later restore has the same machine. Considers the restores that the program has constructed by the next turn of the event loop. */
function isFollowed(own: Placed, order: readonly Placed[]): pulumi.Output<true | undefined> {
  const isBehind = (): boolean => order.slice(order.indexOf(own) + 1).some(({ machine }) => machine === own.machine);
  const known: pulumi.Output<unknown> = pulumi.output<unknown>(own.machineId);
  return known.apply(() => afterThisTurn(() => (own.machine !== undefined && isBehind() ? true : undefined)));
}

/** Waits one turn of the event loop, because even a known id takes longer to arrive through a promise, or through more steps from the same output. */
function afterThisTurn<T>(look: () => T): Promise<T> {
  return new Promise((resolve) => {
    setImmediate(() => {
      resolve(look());
    });
  });
}

function currentProgram(): object {
  return pulumi.runtime.getStackResource() ?? pulumi.runtime.getMonitor() ?? {};
}

function orderOf(provider: pulumi.ProviderResource | undefined, run: object): EarlierRestore[] {
  const orders = ordersByRun.get(run) ?? new Map<pulumi.ProviderResource | undefined, EarlierRestore[]>();
  ordersByRun.set(run, orders);
  const order = orders.get(provider) ?? [];
  orders.set(provider, order);
  return order;
}

/** An id in the form in which `check` stores it, because 42 and "42" mean the same machine. */
function machineIdText(id: unknown): string | undefined {
  return typeof id === "string" ? id : typeof id === "number" ? String(id) : undefined;
}
