import { intentName, resourceTypes } from "../../../provider/inputs/resource-names";
import { dynamicBackend } from "../../../provider/program/backend";

/** A restore as a program declares it. */
export interface Declared {
  readonly kind: "VmRestore" | "FileRestore";
  readonly machine: string;
  readonly point: string;
  readonly paths?: readonly string[];
  readonly wait: boolean;
  readonly adopt: string;
  readonly retryFailed: boolean;
  /** The value of its `triggers`: another one is another restore. */
  readonly generation: number;
  readonly timeouts: Readonly<Record<string, number>>;
  /** It is one of a plan, which waits for it elsewhere. */
  readonly planned?: true;
}

export type Properties = Record<string, unknown>;

/** One resource as a program registers it. */
export interface Registration {
  readonly urn: string;
  readonly operations: "VmRestore" | "FileRestore" | "RestoreIntent";
  /** Which restore of the program it is, or is the intent of. */
  readonly restore: number;
  /** What it depends on, by place in the program. */
  readonly dependsOn: readonly number[];
  /** Its inputs, once what it depends on is there. */
  inputs(outputs: (place: number) => Properties): Properties;
}

/**
 * What the program's side registers (`provider/resources`), in its order. Written out here because the SDK takes longer for it than the
 * whole rest of a history; `program.test.ts` holds it against the real classes.
 */
export function registrations(declared: readonly Declared[]): readonly Registration[] {
  const all: Registration[] = [];
  const placesOf = new Map<string, readonly number[]>();
  declared.forEach((restore, index) => {
    const { kind, machine, point, paths, generation, timeouts, wait, adopt, retryFailed, planned } = restore;
    const name = nameOf(index);
    const earlier = placesOf.get(machine) ?? [];
    const [before] = earlier;
    const lastVm = earlier.find((place) => all[place]?.operations === "VmRestore");
    const predecessor = (outputs: (place: number) => Properties): Properties | undefined =>
      before === undefined ? undefined : handedOf(before, outputs, declared[all[before]?.restore ?? -1]);
    const target = {
      virtualMachineId: Number(machine),
      recoveryPointId: Number(point) || point,
      ...(paths && { paths }),
    };
    const triggers = [`generation ${String(generation)}`];
    // Each restore stands right behind its intent.
    const behind = before === undefined ? [] : [before, before - 1];
    const machineBefore = lastVm === before ? undefined : lastVm;
    const intent = all.length;
    all.push({
      urn: urnOf("RestoreIntent", intentName(name, kind)),
      operations: "RestoreIntent",
      restore: index,
      dependsOn: behind,
      inputs: (outputs) => ({
        kind,
        ...target,
        triggers,
        row: urnOf("RestoreIntent", intentName(name, kind)),
        ...(before !== undefined && { predecessor: predecessor(outputs), ...(planned && { inPlan: true }) }),
        ...dynamicBackend.extraProperties("RestoreIntent"),
      }),
    });
    placesOf.set(machine, [all.length, ...earlier]);
    all.push({
      urn: urnOf(kind, name),
      operations: kind,
      restore: index,
      dependsOn: [intent, ...behind, ...(machineBefore === undefined ? [] : [machineBefore])],
      inputs: (outputs) => ({
        ...target,
        triggers,
        ...(Object.keys(timeouts).length > 0 && { timeouts }),
        ...((!wait || planned) && { wait: false }),
        ...(adopt !== "auto" && { adopt }),
        ...(!retryFailed && { retryFailed }),
        ...(planned && { ofPlan: { name, checks: [] } }),
        intent: intentInput(outputs(intent)),
        ...(before !== undefined && { predecessor: predecessor(outputs) }),
        ...(machineBefore !== undefined && { machineBefore: machineHandedOf(machineBefore, outputs) }),
        ...dynamicBackend.extraProperties(kind),
      }),
    });
  });
  return all;
}

function intentInput(outputs: Properties): Properties {
  const { id, urn, mark, kind, virtualMachineId, recoveryPointId, paths, triggers } = outputs;
  return { id, urn, mark, madeFor: { kind, virtualMachineId, recoveryPointId, paths, triggers } };
}

/** What is handed of the restore right before, which stands behind its intent. */
function handedOf(
  place: number,
  outputs: (place: number) => Properties,
  { timeouts = {} }: Partial<Pick<Declared, "timeouts">> = {},
): Properties {
  const { urn, status, transactionIds, ...restore } = outputs(place);
  const limits = Object.keys(timeouts).length > 0 ? { timeouts } : {};
  return { urn, intentId: outputs(place - 1)["id"], madeUnder: madeUnder(restore), status, transactionIds, ...limits };
}

function machineHandedOf(place: number, outputs: (place: number) => Properties): Properties {
  const { urn, transactionIds } = outputs(place);
  return { urn, transactionIds };
}

function madeUnder({ intent }: Properties): unknown {
  return typeof intent === "object" && intent !== null && "id" in intent ? intent.id : undefined;
}

export function nameOf(index: number): string {
  return `r${String(index)}`;
}

function urnOf(type: keyof typeof resourceTypes, name: string): string {
  return `urn:pulumi:dev::drill::${resourceTypes[type]}::${name}`;
}
