import * as pulumi from "@pulumi/pulumi";
import { maxDurationSeconds } from "../inputs/duration";
import { recordNames } from "../inputs/record";
import { inputNamed, type RestoreKind, writtenInputs } from "../inputs/restore-table";
import { isObject } from "../plain/plain";
import { expandIgnoreChanges, expandReplaceOnChanges } from "./replace-on-changes";
import {
  type PreviousRestore,
  type GivenInputs,
  hasPointRule,
  intentInput,
  constructIntent,
  rememberChoice,
} from "./restore-intent";
import { isOutputOrPromise, withDatesAsText } from "./program-values";
import { programError } from "./stack-traces";
import { dynamicBackend, type Backend } from "./backend";

/** Properties without a value: the SDK makes an output of every property it is given, and of no other. */
const unsetOutputs: Readonly<Record<string, undefined>> = Object.fromEntries(
  [...writtenInputs.filter((name) => !inputNamed(name).required), ...recordNames].map((name) => [name, undefined]),
);

/** The arguments with which a restore's constructor registers the resource, and a callback for afterwards. */
interface PreparedRestore {
  readonly props: pulumi.Inputs;
  readonly opts: pulumi.CustomResourceOptions;
  readonly onRegistered: (restore: pulumi.Resource) => void;
}

/**
 * Does everything of a restore's constructor but the registration. That has to stay in the constructor itself: the SDK counts the calls
 * between its own constructor and the program to find the program's line.
 *
 * It checks no values: `check` does that in the preview, where they are known.
 */
export function prepareRestore(
  kind: RestoreKind,
  name: unknown,
  args: object | null | undefined,
  opts: pulumi.CustomResourceOptions = {},
  backend: Backend = dynamicBackend,
): PreparedRestore {
  // The intent changes with every restore and means nothing to a reader; its diff would push the progress off the terminal's row.
  const merged = {
    ...pulumi.mergeOptions(opts, { additionalSecretOutputs: ["logOutput"], hideDiffs: ["intent"] }),
    ...(backend.aliasesFor && { aliases: [...(opts.aliases ?? []), ...backend.aliasesFor(kind, String(name))] }),
    ...(opts.replaceOnChanges && { replaceOnChanges: expandReplaceOnChanges(opts.replaceOnChanges) }),
    ...(opts.ignoreChanges && { ignoreChanges: expandIgnoreChanges(opts.ignoreChanges) }),
    // Deleting sends nothing anyway, and only that call notices a replaced restore that was found again instead of restored.
    ...(opts.retainOnDelete && { retainOnDelete: false }),
  };
  if (opts.urn !== undefined) {
    return { props: { ...unsetOutputs, recoveryPointTakenAt: undefined }, opts: merged, onRegistered: () => undefined };
  }
  if (typeof name !== "string" || name === "") throw programError(`a ${kind} needs a name as its first argument`);
  if (typeof args !== "object" || args === null) {
    throw programError(
      `${kind} "${name}" needs its inputs: virtualMachineId, recoveryPointId or recoveryPoint, and so on`,
    );
  }
  if (opts.import !== undefined || opts.id !== undefined) {
    throw programError(
      `${kind} "${name}" cannot be imported or read by its id: to take a restore that was started elsewhere into the ` +
        `stack, leave the option out and give its transaction's id in the input adopt`,
    );
  }
  const given: GivenInputs = { ...args };
  const inputs: GivenInputs = { ...given, triggers: withDatesAsText(given["triggers"]) };
  const customTimeouts = operationLimits(opts.customTimeouts);
  const position = takePosition(
    { kind, timeouts: inputs["timeouts"], ...(customTimeouts && { customTimeouts }) },
    inputs["virtualMachineId"],
    backend.orderScope ? undefined : providerOfResource(backend.types[kind], opts),
    backend,
  );
  const intent = constructIntent(kind, name, inputs, opts, position, backend);
  return {
    props: {
      ...unsetOutputs,
      ...(hasPointRule(inputs) && { recoveryPointTakenAt: undefined }),
      ...inputs,
      ...(customTimeouts && { customTimeouts }),
      intent: intentInput(intent, inputs),
      predecessor: position.predecessor,
      machineBefore: position.machineBefore,
      ...backend.extraProperties(kind),
    },
    opts: merged,
    onRegistered: (restore) => {
      // An output of the resource would be unknown in every preview, because no state has it.
      if (!hasPointRule(inputs)) Object.assign(restore, { recoveryPointTakenAt: pulumi.output(undefined) });
      else rememberChoice(restore, intent);
      position.recordConstructed({ restore, intent });
      if (position.predecessor) earlierByRestore.set(restore, position);
    },
  };
}

const earlierByRestore = new WeakMap<object, Position>();

/** The ids that a restore was handed of the ones before it. The wave of its plan tells by them if it was overwritten. */
export function handedTo(restore: object): pulumi.Inputs | undefined {
  const { predecessor, machineBefore } = earlierByRestore.get(restore) ?? {};
  return predecessor && { predecessor: idsOf(predecessor), machineBefore: machineBefore && idsOf(machineBefore) };
}

function idsOf({ urn, transactionIds }: pulumi.Inputs): pulumi.Inputs {
  return { urn: urn as unknown, transactionIds: transactionIds as unknown };
}

/** The explicit provider that the SDK is going to choose: the option's, else the one handed down by the parent. */
function providerOfResource(type: string, opts: pulumi.CustomResourceOptions): pulumi.ProviderResource | undefined {
  if (opts.provider !== undefined) return opts.provider;
  const parent = pulumi.Resource.isInstance(opts.parent) ? opts.parent : pulumi.runtime.getStackResource();
  return parent?.getProvider(type);
}

/** A restore's position in the order in which the program constructs its restores. */
interface Position extends PreviousRestore {
  /** Records the restore once it is constructed, because later ones depend on it. */
  recordConstructed(constructed: ConstructedRestore): void;
}

/** The part of a restore that the restores behind it need. */
interface Ordered {
  readonly kind: RestoreKind;
  readonly timeouts?: unknown;
  readonly customTimeouts?: OperationLimits;
}

interface OrderedRestore extends Ordered {
  machine?: string | undefined;
  constructed?: ConstructedRestore;
}

interface ConstructedRestore {
  readonly restore: pulumi.Resource;
  readonly intent: Pick<pulumi.CustomResource, "id">;
}

/**
 * One order per program run and provider. Several programs may run in one process, even at the same time, each with its own root
 * resource. A restore of another run is never registered in this one, so nothing may depend on it.
 */
const ordersByRun = new WeakMap<object, Map<pulumi.ProviderResource | undefined, OrderedRestore[]>>();

/**
 * Puts a restore behind the last one of its machine. Restores of one machine run in the order in which the program constructs them. The later
 * one's intent records where the panel's list stood, so it must not be made before the earlier restore has ended.
 *
 * A restore only depends on restores constructed before it. Depending on a later one, because its machine's id was known sooner, could close a
 * circle with the program's own `dependsOn`, and the program would never end. If two ids of one machine become known in the wrong order, the
 * provider process still restores the machine once at a time.
 */
function takePosition(
  own: Ordered,
  machineId: pulumi.Input<unknown>,
  provider: pulumi.ProviderResource | undefined,
  { orderScope }: { readonly orderScope?: object } = {},
): Position {
  const order = orderOf(provider, orderScope ?? currentProgram());
  const ordered: OrderedRestore = { ...own };
  const isPlacedLater = placedLater !== undefined;
  nowOrLater(() => order.push(ordered));
  const earlier = earlierRestoresOf(machineId, ordered, () => order.slice(0, order.indexOf(ordered)), isPlacedLater);
  return {
    dependsOn: fromEarlier(earlier, ([last]) => (last?.constructed === undefined ? [] : [last.constructed.restore])),
    predecessor: handedOver(earlier, ([last]) => last, {
      intentId: ({ constructed }) => constructed?.intent.id,
      madeUnder: (one) => madeUnderOf(one),
      status: (one) => outputOf(one, "status"),
      transactionIds: (one) => outputOf(one, "transactionIds"),
      timeouts: ({ timeouts }) => timeouts,
      customTimeouts: ({ customTimeouts }) => customTimeouts,
    }),
    machineBefore: handedOver(earlier, ([last, machine]) => (machine === last ? undefined : machine), {
      transactionIds: (one) => outputOf(one, "transactionIds"),
    }),
    recordConstructed: (constructed) => {
      ordered.constructed = constructed;
    },
  };
}

type TakePlace = () => unknown;
let placedLater: TakePlace[] | undefined;

function nowOrLater(take: TakePlace): void {
  if (placedLater) placedLater.push(take);
  else take();
}

/**
 * Calls a function that is handed resources which the program constructs after the call. Until `takePlaces`, in the same tick, what it constructs
 * stands nowhere in the order of restores: in front of restores that it comes after it would wait for them, and they for it.
 */
export function withPlacesLater<T>(construct: () => T): { readonly made: T; readonly takePlaces: () => void } {
  const [outer, own] = [placedLater, [] as TakePlace[]];
  const takePlaces = (): void => {
    own.splice(0).forEach(nowOrLater);
  };
  placedLater = own;
  try {
    return { made: construct(), takePlaces };
  } finally {
    placedLater = outer;
  }
}

/** The restore of the machine right before it, and the last VmRestore of the machine before it, which may be the same. */
type Earlier = readonly [] | readonly [OrderedRestore, OrderedRestore | undefined];

/**
 * Hands over an earlier restore as an object whose fields are outputs of their own. In the preview of an update a restore's outputs are
 * unknown, and in one output for all of them its URN would be unknown as well.
 */
function handedOver(
  earlier: pulumi.Input<Earlier>,
  choose: (found: Earlier) => OrderedRestore | undefined,
  fields: Readonly<Record<string, (one: OrderedRestore) => unknown>>,
): pulumi.Inputs | undefined {
  if (!isOutputOrPromise(earlier) && choose(earlier) === undefined) return undefined;
  const all = { urn: ({ constructed }: OrderedRestore) => constructed?.restore.urn, ...fields };
  return Object.fromEntries(
    Object.entries(all).map(([name, field]) => [
      name,
      fromEarlier(earlier, (found) => {
        const one = choose(found);
        return one && field(one);
      }),
    ]),
  );
}

function fromEarlier<T>(earlier: pulumi.Input<Earlier>, select: (found: Earlier) => pulumi.Input<T>): pulumi.Input<T> {
  if (!isOutputOrPromise(earlier)) return select(earlier);
  return pulumi.output(earlier).apply((found) => select(found as Earlier)) as pulumi.Output<T>;
}

/** If the engine leaves a restore out of a run, these are the values of its state. */
function outputOf({ constructed }: OrderedRestore, name: string): unknown {
  return (constructed?.restore as unknown as Readonly<Record<string, unknown>> | undefined)?.[name];
}

/** Ids are no secrets, also where a secret among the triggers seals the whole intent. */
function madeUnderOf(one: OrderedRestore): pulumi.Output<string | undefined> {
  return pulumi.unsecret(pulumi.output(outputOf(one, "intent"))).apply((intent) => textIn(intent, "id"));
}

function textIn(value: unknown, name: string): string | undefined {
  const text: unknown = isObject(value) ? value[name] : undefined;
  return typeof text === "string" ? text : undefined;
}

/** In a list: the SDK takes a resource in an output for one that is depended on. */
function earlierRestoresOf(
  machineId: pulumi.Input<unknown>,
  own: OrderedRestore,
  earlier: () => readonly OrderedRestore[],
  isPlacedLater: boolean,
): pulumi.Input<Earlier> {
  const previous = (id: unknown): Earlier => {
    own.machine = machineIdText(id);
    if (own.machine === undefined) return [];
    const ofMachine = earlier().filter(
      ({ machine, constructed }) => machine === own.machine && constructed !== undefined,
    );
    const last = ofMachine.at(-1);
    return last === undefined ? [] : [last, ofMachine.findLast(({ kind }) => kind === "VmRestore")];
  };
  if (!isOutputOrPromise(machineId)) {
    own.machine = machineIdText(machineId);
    if (!isPlacedLater && earlier().every(({ machine }) => machine !== undefined)) return previous(machineId);
  }
  // In a preview with an unknown id the callback does not run: there is nothing to wait for then.
  const known: pulumi.Output<unknown> = pulumi.output<unknown>(machineId);
  return known.apply((id) => {
    own.machine = machineIdText(id);
    // An earlier restore may have its id from a promise, or from the same output by a longer way: let all that is known by now arrive.
    return new Promise<Earlier>((resolve) => {
      setImmediate(() => {
        resolve(previous(id));
      });
    });
  });
}

function currentProgram(): object {
  return pulumi.runtime.getStackResource() ?? pulumi.runtime.getMonitor() ?? {};
}

function orderOf(provider: pulumi.ProviderResource | undefined, run: object): OrderedRestore[] {
  const orders = ordersByRun.get(run) ?? new Map<pulumi.ProviderResource | undefined, OrderedRestore[]>();
  ordersByRun.set(run, orders);
  const order = orders.get(provider) ?? [];
  orders.set(provider, order);
  return order;
}

/** The spelling under which `check` stores an id: 42 and "42" are one machine. */
function machineIdText(id: unknown): string | undefined {
  return typeof id === "string" ? id : typeof id === "number" ? String(id) : undefined;
}

/** The longest time of the operations of a restore that take time, in seconds. */
interface OperationLimits {
  readonly create?: number;
  readonly update?: number;
}

/**
 * The option `customTimeouts` as an input: the engine's request has the time-out, but the SDK's server of dynamic providers hands on the properties
 * alone. Transformations run after the constructor's own code, so their changes of the option are not seen. The limit of a deletion is left out,
 * because a deletion takes no time. A duration that cannot be read is left to the engine, which refuses it.
 */
function operationLimits({ create, update }: pulumi.CustomTimeouts = {}): OperationLimits | undefined {
  const limits = { create: secondsIn(create), update: secondsIn(update) };
  const given = Object.entries(limits).filter(([, seconds]) => seconds !== undefined);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

/** The seconds in each unit of the engine's durations. */
const secondsPerUnit: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3_600,
};
const durationPart = /(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g;

/** Reads a duration in the engine's spelling, like `1.5h` or `90m`. As for the engine, 0 is no limit. */
function secondsIn(duration: unknown): number | undefined {
  if (typeof duration !== "string" || duration.replaceAll(durationPart, "").replace(/^\+/, "") !== "") return undefined;
  const seconds = [...duration.matchAll(durationPart)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (secondsPerUnit[unit ?? ""] ?? 0),
    0,
  );
  if (seconds === 0) return undefined;
  return Math.min(Math.max(1, Math.ceil(seconds)), maxDurationSeconds);
}
