import type * as pulumi from "@pulumi/pulumi";
import type { Operations } from "../engine";
import type { CheckFailure, CheckResult } from "../inputs/check-restore";
import type { Properties } from "../plain/plain";
import { unwrapSecrets, wrapSecrets } from "./secrets";

type Crud = Required<Pick<pulumi.provider.Provider, "check" | "diff" | "create" | "read" | "update" | "delete">>;

/**
 * The methods of the plugin's custom resources, by type. Secrets are unwrapped on the way in and wrapped again on the
 * way out.
 */
export function customResources(byType: ReadonlyMap<string, Operations>): Crud {
  const operationsFor = (urn: string): Operations => {
    const found = byType.get(typeIn(urn));
    if (found === undefined) throw new Error(`pulumi-recovery has no resource type ${typeIn(urn)}`);
    return found;
  };
  return {
    async check(urn, olds: unknown, news: unknown) {
      const [old, given] = [unwrapSecrets(olds), unwrapSecrets(news)];
      const { inputs, failures }: CheckResult = await operationsFor(urn).check(
        old.properties,
        withStoredProvider(old.properties, given.properties),
      );
      return {
        inputs: wrapSecrets(inputs, given.secret),
        failures: failures.map((failure) => withoutSecret(failure, given.secret)),
      };
    },
    diff: (id, urn, olds: unknown, news: unknown) =>
      Promise.resolve().then(() =>
        operationsFor(urn).diff(id, unwrapSecrets(olds).properties, unwrapSecrets(news).properties),
      ),
    async create(urn, inputs: unknown) {
      const { properties, secret } = unwrapSecrets(inputs);
      const { id, outs } = await wrappingFailure(secret, () => operationsFor(urn).create(properties));
      return { id, outs: wrapOutputs(outs, secret) };
    },
    async update(id, urn, olds: unknown, news: unknown) {
      const { properties, secret } = unwrapSecrets(news);
      const { outs } = await wrappingFailure(secret, () =>
        operationsFor(urn).update(id, unwrapSecrets(olds).properties, properties),
      );
      return { outs: wrapOutputs(outs, secret) };
    },
    async read(id, urn, props: unknown) {
      const { properties, secret } = unwrapSecrets(props);
      const found = await operationsFor(urn).read(id, properties);
      return { id: found.id, props: wrapOutputs(found.props, secret) };
    },
    delete: async (id, urn, props: unknown) => operationsFor(urn).delete(id, unwrapSecrets(props).properties),
  };
}

/** `urn:pulumi:<stack>::<project>::<parent types>$<type>::<name>` */
function typeIn(urn: string): string {
  return urn.split("::")[2]?.split("$").at(-1) ?? "";
}

/** A resource that comes from the state of a TypeScript program keeps its `__provider`, because every run would otherwise show a change. */
function withStoredProvider(
  olds: Readonly<Record<string, unknown>>,
  news: Record<string, unknown>,
): Record<string, unknown> {
  const { __provider } = olds;
  return __provider === undefined ? news : { __provider, ...news };
}

/** Properties that are always secret: logs and, in a plan, what checks send, a wave's options and its logs. */
const alwaysSecret = ["logOutput", "__secrets", "__options", "logs"] as const;

const wrapOutputs = (outputs: Properties, secret: ReadonlySet<string>): Record<string, unknown> =>
  wrapSecrets(outputs, new Set([...secret, ...alwaysSecret]));

/** Hides the reason for a problem with a secret, because the reason quotes the value. */
export function withoutSecret(failure: CheckFailure, secret: ReadonlySet<string>): CheckFailure {
  if (!secret.has(failure.property)) return failure;
  return {
    property: failure.property,
    reason: `${failure.property} is a secret with an invalid value; the reason is hidden, because it may show the value`,
  };
}

/** Wraps the secrets in the properties of a failure that stores the resource. */
async function wrappingFailure<T>(secret: ReadonlySet<string>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && "properties" in error) {
      Object.assign(error, {
        properties: wrapOutputs(error.properties as Record<string, unknown>, secret),
      });
    }
    throw error;
  }
}
