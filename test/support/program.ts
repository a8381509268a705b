import type { ResourceName } from "../../provider/start";

export interface Declared {
  readonly kind: "VmRestore" | "FileRestore";
  readonly machine: string;
  readonly point: string;
  readonly paths?: readonly string[];
  readonly wait: boolean;
  readonly adopt?: string;
  readonly retryFailed: boolean;
  /** The number in the restore's `triggers`: a different number requests another restore. */
  readonly generation: number;
  readonly timeouts: Readonly<Record<string, number>>;
}

export type Properties = Record<string, unknown>;

export interface Registration {
  readonly urn: string;
  readonly operations: ResourceName;
  /** The restore's position in the program. An intent has its restore's position. */
  readonly restore: number;
  /** The indexes of its dependencies among the registrations. */
  readonly dependsOn: readonly number[];
  /** A replacement deletes the resource before creating it again. @default false: deleted at the end of the run */
  readonly isDeletedFirst?: boolean;
  /** Its inputs, once its dependencies exist. */
  inputs(outputs: (place: number) => Properties): Properties;
}

export const calm: Declared = {
  kind: "VmRestore",
  machine: "42",
  point: "1001",
  wait: true,
  retryFailed: true,
  generation: 0,
  timeouts: {},
};

/** Mirrors `provider/program`, because running the SDK would take longer than the rest of a history. `program.test.ts` compares the two. */
export function registrations(declared: readonly Declared[]): readonly Registration[] {
  const all: Registration[] = [];
  /** The indexes of each machine's restores so far. Each restore comes right after its intent. */
  const placesOf = new Map<string, readonly number[]>();
  declared.forEach((restore, index) => {
    const { kind, machine, point, paths, generation, timeouts, wait, adopt, retryFailed } = restore;
    const name = nameOf(index);
    const earlier = placesOf.get(machine) ?? [];
    const target = {
      virtualMachineId: Number(machine) || machine,
      recoveryPointId: Number(point) || point,
      ...(paths && { paths }),
    };
    const triggers = [`generation ${String(generation)}`];
    const handed = (outputs: Outputs): Properties => handedOf(earlier, all, outputs);
    const before = earlier.flatMap((place) => [place, place - 1]);
    const isFollowed = declared.slice(index + 1).some((later) => later.machine === machine);
    const intent = all.length;
    const intentUrn = urnOf("Intent", `${name}${kind === "VmRestore" ? "-vm" : "-file"}-intent`);
    all.push({
      urn: intentUrn,
      operations: "Intent",
      restore: index,
      dependsOn: before,
      inputs: (outputs) => ({
        __kind: kind,
        ...target,
        triggers,
        __row: intentUrn,
        ...handed(outputs),
        __provider: providerText("intent"),
      }),
    });
    placesOf.set(machine, [...earlier, all.length]);
    all.push({
      urn: urnOf(kind, name),
      operations: kind,
      restore: index,
      dependsOn: [intent, ...before],
      inputs: (outputs) => ({
        ...target,
        triggers,
        ...(Object.keys(timeouts).length > 0 && { timeouts }),
        ...(!wait && { wait }),
        ...(adopt !== undefined && { adopt }),
        ...(!retryFailed && { retryFailed }),
        __intent: intentInput(outputs(intent)),
        ...handed(outputs),
        ...(isFollowed && { __followed: true }),
        __provider: providerText(kind === "VmRestore" ? "vmRestore" : "fileRestore"),
      }),
    });
  });
  return all;
}

function providerText(handler: string): string {
  return `exports.handler = () => require("pulumi-recovery/dynamic").${handler};`;
}

type Outputs = (place: number) => Properties;

/** What a restore learns about the earlier restores of its machine; see `MachineOrder`. */
function handedOf(earlier: readonly number[], all: readonly Registration[], outputs: Outputs): Properties {
  const last = earlier.at(-1);
  if (last === undefined) return {};
  const vms = earlier.filter((place) => all[place]?.operations === "VmRestore");
  const { urn, status, __intent: intent } = outputs(last);
  const madeUnder = (intent as { readonly id?: string } | undefined)?.id;
  return {
    ...(vms.length > 0 && { __behind: vms.map((place) => outputs(place - 1)["id"]) }),
    __previous: { urn, intentId: outputs(last - 1)["id"], madeUnder, status },
    __known: earlier.flatMap((place) => outputs(place)["transactionIds"] ?? []),
  };
}

function intentInput(outputs: Properties): Properties {
  const { id, urn, mark, __kind: kind, virtualMachineId, recoveryPointId, paths, triggers } = outputs;
  return { id, urn, mark, madeFor: { kind, virtualMachineId, recoveryPointId, paths, triggers } };
}

export function nameOf(index: number): string {
  return `r${String(index)}`;
}

function urnOf(type: ResourceName, name: string): string {
  return `urn:pulumi:dev::drill::pulumi-nodejs:recovery:${type}::${name}`;
}
