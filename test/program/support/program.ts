import * as pulumi from "@pulumi/pulumi";
import type { Sandbox } from "../../../sandbox";

interface Registered {
  readonly type: string;
  readonly name: string;
  readonly inputs: Record<string, unknown>;
}

export interface Engine {
  readonly registered: Registered[];
}

interface EngineOptions {
  /** In a preview, no resource exists yet. @default "up" */
  readonly run?: "up" | "preview";
  readonly config?: Readonly<Record<string, string>>;
  readonly secretKeys?: readonly string[];
}

/** Replaces the engine. In a preview, a resource's id is unknown; otherwise, it is `<name>-id`. */
export async function startEngine(options: EngineOptions = {}): Promise<Engine> {
  const registered: Registered[] = [];
  const preview = options.run === "preview";
  await pulumi.runtime.setMocks(
    {
      newResource({ type, name, inputs }) {
        registered.push({ type, name, inputs: inputs as Record<string, unknown> });
        return { id: preview ? undefined : `${name}-id`, state: inputs as Record<string, unknown> };
      },
      call: () => ({}),
    },
    "project",
    "stack",
    preview,
  );
  pulumi.runtime.setAllConfig({ ...options.config }, [...(options.secretKeys ?? [])]);
  return { registered };
}

export function connectionTo(panel: Pick<Sandbox, "url" | "username" | "password">): Record<string, string> {
  return { "recovery:endpoint": panel.url, "recovery:username": panel.username, "recovery:password": panel.password };
}

interface Seen<T> {
  readonly isKnown: boolean;
  readonly isSecret: boolean;
  readonly value: T | undefined;
  /** Names of the resources that the value comes from. */
  readonly resources: readonly string[];
}

interface OutputInside<T> {
  readonly isKnown: Promise<boolean>;
  readonly isSecret: Promise<boolean>;
  promise(): Promise<T>;
  allResources(): Promise<Set<pulumi.Resource>>;
}

/** The value that an Output resolves to, and whether the value is known and secret. */
export async function seen<T>(output: pulumi.Output<T>): Promise<Seen<T>> {
  const inside = output as unknown as OutputInside<T>;
  const [isKnown, isSecret, value, resources] = await Promise.all([
    inside.isKnown,
    inside.isSecret,
    inside.promise(),
    inside.allResources(),
  ]);
  const urns = await Promise.all([...resources].map((one) => (one.urn as unknown as OutputInside<string>).promise()));
  return {
    isKnown,
    isSecret,
    value: isKnown ? value : undefined,
    resources: urns.map((urn) => urn.split("::").pop() ?? ""),
  };
}

export class Thing extends pulumi.CustomResource {
  declare readonly size: pulumi.Output<number>;
  declare readonly later: pulumi.Output<number>;

  constructor(name: string, opts?: pulumi.CustomResourceOptions) {
    super("test:index:Thing", name, { size: 3, later: undefined }, opts);
  }
}

export class Group extends pulumi.ComponentResource {
  constructor(name: string, fill: (group: Group) => unknown, opts?: pulumi.ComponentResourceOptions) {
    super("test:index:Group", name, {}, opts);
    fill(this);
    this.registerOutputs();
  }
}
