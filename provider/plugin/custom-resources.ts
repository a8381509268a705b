import type * as pulumi from "@pulumi/pulumi";
import type { Operations } from "../engine";
import type { CheckFailure } from "../inputs/check-restore";
import { opened, sealed } from "./secrets";

type Crud = Required<Pick<pulumi.provider.Provider, "check" | "diff" | "create" | "read" | "update" | "delete">>;

/** What the engine asks of the plugin's custom resources, by their types. Secrets are taken out on the way in and put back on the way out. */
export function customResources(byType: ReadonlyMap<string, Operations>): Crud {
  const of = (urn: string): Operations => {
    const found = byType.get(typeIn(urn));
    if (found === undefined) throw new Error(`pulumi-recovery has no resource of the type ${typeIn(urn)}`);
    return found;
  };
  return {
    async check(urn, olds: unknown, news: unknown) {
      const [old, given] = [opened(olds), opened(news)];
      const { inputs, failures } = await Promise.resolve(
        of(urn).check(old.properties, withCode(old.properties, given.properties)),
      );
      return {
        inputs: sealed(inputs, given.secret),
        failures: failures.map((failure) => withoutSecret(failure, given.secret)),
      };
    },
    diff: (id, urn, olds: unknown, news: unknown) =>
      Promise.resolve().then(() => of(urn).diff(id, opened(olds).properties, opened(news).properties)),
    async create(urn, inputs: unknown) {
      const { properties, secret } = opened(inputs);
      const { id, outs } = await stored(secret, () => of(urn).create(properties));
      return { id, outs: sealed(outs, always(secret)) };
    },
    async update(id, urn, olds: unknown, news: unknown) {
      const { properties, secret } = opened(news);
      const { outs } = await stored(secret, () => of(urn).update(id, opened(olds).properties, properties));
      return { outs: sealed(outs, always(secret)) };
    },
    async read(id, urn, props: unknown) {
      const { properties, secret } = opened(props);
      const found = await of(urn).read(id, properties);
      return { id: found.id, props: sealed(found.props, always(secret)) };
    },
    delete: (id, urn, props: unknown) => of(urn).delete(id, opened(props).properties),
  };
}

/** `urn:pulumi:<stack>::<project>::<parent types>$<type>::<name>` */
function typeIn(urn: string): string {
  return urn.split("::")[2]?.split("$").at(-1) ?? "";
}

/**
 * A resource taken over from a program in TypeScript keeps the property that named its code there. Without it, every run would show a
 * change.
 */
function withCode(olds: Readonly<Record<string, unknown>>, news: Record<string, unknown>): Record<string, unknown> {
  const { __provider } = olds;
  return __provider === undefined ? news : { __provider, ...news };
}

/** Logs, what checks print and what they send are secrets whatever the program says. */
const secretAlways = ["logOutput", "checkOutput", "probes", "expected", "key", "madeFor"] as const;

function always(secret: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...secret, ...secretAlways]);
}

/** A reason quotes what was given. */
export function withoutSecret(failure: CheckFailure, secret: ReadonlySet<string>): CheckFailure {
  if (!secret.has(failure.property)) return failure;
  return {
    property: failure.property,
    reason: `${failure.property} is a secret that cannot be right; what is wrong with it is not shown`,
  };
}

/** A failure is stored together with all that is known of the resource. */
async function stored<T>(secret: ReadonlySet<string>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && "properties" in error) {
      Object.assign(error, { properties: sealed(error.properties as Record<string, unknown>, always(secret)) });
    }
    throw error;
  }
}
