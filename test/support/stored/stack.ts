import type { Stored } from "../engine";

/** Makes an exported stack, as the engine writes it, from a short description. */

export interface StackResource {
  readonly type: string;
  readonly name: string;
  readonly id?: string;
  readonly outputs: object;
  readonly modified?: string;
  readonly created?: string;
  /** The plan whose component is the parent. Without a plan, the resource belongs to the program itself. */
  readonly of?: string;
  readonly delete?: boolean;
  readonly dependencies?: readonly string[];
}

export interface PendingOperation {
  readonly type: string;
  readonly name: string;
  readonly operation: "creating" | "updating" | "deleting";
  readonly inputs?: object;
  readonly of?: string;
}

const stack = "drill";
const project = "shop";
const origin = Date.parse("2026-11-21T10:00:00Z");

export function at(seconds: number): string {
  return new Date(origin + seconds * 1_000).toISOString().replace(".000Z", "Z");
}

function componentOf(plan: string): string {
  return `urn:pulumi:${stack}::${project}::recovery:index:RecoveryPlan::${plan}`;
}

export function urnOf({ type, name, of }: Pick<StackResource, "type" | "name" | "of">): string {
  const types = of === undefined ? token(type) : `recovery:index:RecoveryPlan$${token(type)}`;
  return `urn:pulumi:${stack}::${project}::${types}::${name}`;
}

function token(type: string): string {
  return type.includes(":") ? type : `pulumi-nodejs:recovery:${type}`;
}

const root = `urn:pulumi:${stack}::${project}::pulumi:pulumi:Stack::${project}-${stack}`;

/** The output of `pulumi stack export`. */
export interface Exported {
  readonly version?: number;
  readonly deployment: Readonly<Record<string, unknown>> & {
    readonly resources: readonly ({ readonly urn: string } & Readonly<Record<string, unknown>>)[];
  };
}

type Resources = readonly StackResource[];

export function exportedStack(resources: Resources, pending: readonly PendingOperation[] = []): Exported {
  const plans = [...new Set([...resources, ...pending].flatMap(({ of }) => of ?? []))];
  const common = (one: Pick<StackResource, "type" | "name" | "of">) => ({
    urn: urnOf(one),
    custom: true,
    type: token(one.type),
    parent: one.of === undefined ? root : componentOf(one.of),
    provider: `urn:pulumi:${stack}::${project}::pulumi:providers:pulumi-nodejs::default::1`,
  });
  return {
    version: 3,
    deployment: {
      manifest: { time: at(3_600), magic: "0", version: "v3.255.0" },
      secrets_providers: { type: "passphrase", state: { salt: "v1:x" } },
      resources: [
        { urn: root, custom: false, type: "pulumi:pulumi:Stack" },
        ...plans.map((plan) => {
          return { urn: componentOf(plan), custom: false, type: "recovery:index:RecoveryPlan", parent: root };
        }),
        ...resources.map((one, index) => ({
          ...common(one),
          id: one.id ?? `id-${String(index)}`,
          outputs: one.outputs,
          ...(one.delete === true && { delete: true }),
          ...(one.dependencies && { dependencies: one.dependencies }),
          ...(one.modified !== undefined && { created: one.created ?? one.modified, modified: one.modified }),
        })),
      ],
      ...(pending.length > 0 && {
        pending_operations: pending.map(({ inputs, operation, ...one }) => {
          return { resource: { ...common(one), inputs }, type: operation };
        }),
      }),
    },
  };
}

/** The in-memory engine's resources, as an export shows them. */
export const exportedResources = (state: readonly Stored[]) =>
  state.map(({ urn, id, inputs, outputs, delete: isOld }) => {
    return { urn, type: typeIn(urn), id, inputs, outputs, delete: isOld, created: "2026-11-21T09:00:00Z" };
  });

export function typeIn(urn: string): string | undefined {
  return urn.split("::")[2]?.split("$").at(-1);
}

const secretMark = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

/** A secret as the engine exports it with `--show-secrets`. */
export function shown(value: unknown): object {
  return { ...secretMark, plaintext: JSON.stringify(value) };
}
