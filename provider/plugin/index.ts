import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type * as Grpc from "@grpc/grpc-js";
import * as pulumi from "@pulumi/pulumi";
import { constructRecoveryPlan } from "../../drills/plugin/plan";
import { planOperations } from "../../drills/engine";
import { createOperations } from "../engine";
import { createProviderProcess } from "../engine/process";
import { componentTypes, pluginTypes, resourceNames } from "../inputs/resource-names";
import { constructRestore } from "./component";
import { customResources } from "./custom-resources";
import { invoke } from "./invoke";
import { settingsNotPassed, pluginSources } from "./plugin-sources";

export interface PluginOptions {
  /** The package's folder `plugin/`. */
  readonly folder: string;
}

/** Serves the package's resources and functions to programs in any language until the engine ends this process. */
export async function servePlugin({ folder }: PluginOptions): Promise<void> {
  const { version } = readJson(join(folder, "..", "package.json")) as { readonly version: string };
  const schema = readJson(join(folder, "schema.json")) as object;
  // The engine passes its address as the first argument.
  const providerProcess = createProviderProcess({
    types: pluginTypes,
    engineAddress: process.argv[2],
    sources: settingsNotPassed,
  });
  interceptConfigure((given) => {
    providerProcess.configure(pluginSources(given, process.env));
  });
  const operations = createOperations(providerProcess, planOperations(providerProcess));
  const provider: pulumi.provider.Provider = {
    version,
    schema: JSON.stringify({ ...schema, version }),
    ...customResources(new Map(resourceNames.map((name) => [pluginTypes[name], operations[name]]))),
    construct: (name, type, inputs, options) => {
      if (type === componentTypes.VmRestore) return constructRestore("VmRestore", name, inputs, options);
      if (type === componentTypes.FileRestore) return constructRestore("FileRestore", name, inputs, options);
      if (type === componentTypes.RecoveryPlan) return constructRecoveryPlan(name, inputs, options);
      return Promise.reject(new Error(`pulumi-recovery has no component type ${type}`));
    },
    invoke: (token, inputs) => invoke(providerProcess, token, inputs),
    cancel: () => Promise.resolve(),
  };
  await pulumi.provider.main(provider, process.argv.slice(2));
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}

type Service = Parameters<Grpc.Server["addService"]>;

/**
 * Calls `onConfigure` with the properties in the engine's `Configure` call. The SDK's server for plugins answers that call and drops its arguments, but only
 * these arguments identify an explicit provider's panel, because the process's environment has only the stack's configuration. So the implementation is wrapped
 * when it is passed to gRPC. If a later SDK does this differently, `onConfigure` is never called, and `plugin-sources.ts` refuses to guess.
 */
function interceptConfigure(onConfigure: (properties: Readonly<Record<string, unknown>>) => void): void {
  const sdk = createRequire(createRequire(__filename).resolve("@pulumi/pulumi/package.json"));
  const { prototype } = (sdk("@grpc/grpc-js") as typeof Grpc).Server;
  // oxlint-disable-next-line typescript/unbound-method -- called below with the server as `this`
  const { addService } = prototype;
  prototype.addService = function (this: Grpc.Server, ...[service, implementation]: Service) {
    prototype.addService = addService;
    const { configure } = implementation;
    if (typeof configure === "function") {
      const answer = configure.bind(implementation) as (call: ConfigureCall, callback: unknown) => void;
      implementation["configure"] = (call: ConfigureCall, callback: unknown) => {
        onConfigure(argumentsOf(call));
        answer(call, callback);
      };
    }
    addService.call(this, service, implementation);
  };
}

/** The part of the SDK's message that is used. */
interface ConfigureCall {
  readonly request: { getArgs(): { toJavaScript(): Record<string, unknown> } | undefined };
}

function argumentsOf({ request }: ConfigureCall): Readonly<Record<string, unknown>> {
  return request.getArgs()?.toJavaScript() ?? {};
}
