import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import * as state from "@pulumi/pulumi/runtime/state";
import type { Alias } from "@pulumi/pulumi/proto/alias_pb";
import type { RegisterResourceRequest } from "@pulumi/pulumi/proto/resource_pb";

/** Two functions that the SDK's types leave out: the Automation API isolates a program with the first, and waits for the program with the second. */
const { withLocalStorage } = state as unknown as { withLocalStorage: <T>(run: () => Promise<T>) => Promise<T> };
const { waitForRPCs } = pulumi.runtime as unknown as { waitForRPCs: () => Promise<void> };

/** A request to the engine to register a resource, as sent over the wire. */
interface Registration {
  readonly type: string;
  readonly name: string;
  readonly urn: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly dependencies: readonly string[];
  readonly aliases: readonly unknown[];
  readonly request: RegisterResourceRequest;
}

export interface ProgramRun<Result> {
  readonly result: Result;
  readonly registrations: readonly Registration[];
  /** The only registration with this name whose type ends in `type`. */
  find(type: string, name: string): Registration;
}

/** Runs a program against a fake engine, isolated so that several can run at once. `storedOf` returns the stored outputs of an unchanged resource. */
export function runProgram<Result>(
  program: () => Result | Promise<Result>,
  mode: "preview" | "up" = "up",
  storedOf: (type: string, name: string) => Readonly<Record<string, unknown>> = () => ({}),
): Promise<ProgramRun<Result>> {
  return withLocalStorage(async () => {
    const registrations: Registration[] = [];
    await pulumi.runtime.setMocks(
      {
        call: () => ({}),
        newResource: ({ type, name, inputs }) => ({
          // In a preview, ids are not known yet.
          id: mode === "up" || type.startsWith("pulumi:") ? `id-of-${name}` : undefined,
          state: { ...(inputs as object), ...(mode === "up" ? outputsOf(type) : {}), ...storedOf(type, name) },
        }),
      },
      "project",
      "stack",
      mode === "preview",
    );
    listen(pulumi.runtime.getMonitor(), registrations);
    let result: { readonly value: Result } | undefined;
    await pulumi.runtime.runInPulumiStack(async () => {
      result = { value: await program() };
      return {};
    });
    await waitForRPCs();
    if (result === undefined) throw new Error("the program was not run");
    return {
      result: result.value,
      registrations,
      find: (type, name) => {
        const [first, ...more] = registrations.filter((one) => one.type.endsWith(`:${type}`) && one.name === name);
        return first && more.length === 0 ? first : assert.fail(`not one registration of ${name}`);
      },
    };
  });
}

function outputsOf(type: string): Record<string, unknown> {
  if (type.endsWith(":Intent")) {
    return { mark: { panel: "panel", ended: [] } };
  }
  return /Restore(Run)?$/.test(type) ? { status: "complete", transactionId: "5010", logOutput: "log" } : {};
}

type Register = (request: RegisterResourceRequest, answer: unknown) => Promise<void>;

function listen(monitor: unknown, registrations: Registration[]): void {
  const mock = monitor as { registerResource: Register };
  const register: Register = mock.registerResource.bind(mock);
  mock.registerResource = (request, answer) => {
    // As with the SDK's mocks, a URN's parent types include the stack's type.
    const parentTypes = /^urn:pulumi:[^:]*::[^:]*::(.*)::/.exec(request.getParent())?.[1];
    const prefix = parentTypes === undefined ? "" : `${parentTypes}$`;
    registrations.push({
      type: request.getType(),
      name: request.getName(),
      urn: `urn:pulumi:stack::project::${prefix}${request.getType()}::${request.getName()}`,
      inputs: request.getObject()?.toJavaScript() ?? {},
      dependencies: request.getDependenciesList().map((urn) => urn.split("::").at(-1) ?? ""),
      aliases: request.getAliasesList().map(aliasOf),
      request,
    });
    return register(request, answer);
  };
}

function aliasOf(alias: Alias): unknown {
  const spec = alias.getSpec();
  if (!spec) return alias.getUrn();
  return Object.fromEntries(Object.entries(spec.toObject()).filter(([, value]) => value));
}
