import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import type { ResourceName, ResourceTypes } from "../names/resource-names";
import { operationsIn } from "../operations";
import { createProviderProcess } from "../process/provider-process";
import { constructRestore } from "./component";
import { customResources } from "./custom-resources";
import { hearConfigure } from "./hear-configure";
import { invoke } from "./invoke";
import { constructRecoveryPlan } from "./plan";
import { notTold, pluginSources } from "./plugin-sources";
import { childTypes, componentTypes } from "./tokens";

export interface PluginOptions {
  /** The folder `plugin/`, in that of the package. */
  readonly folder: string;
}

/** Serves restores to programs in every language, until the engine ends this process. */
export async function servePlugin({ folder }: PluginOptions): Promise<void> {
  const { version } = read(join(folder, "..", "package.json")) as { readonly version: string };
  const schema = read(join(folder, "schema.json")) as object;
  // The engine gives its address as the first argument.
  const here = createProviderProcess({ types: childTypes, engineAddress: process.argv[2], sources: notTold });
  hearConfigure((given) => {
    here.configure(pluginSources(given, process.env));
  });
  const operations = operationsIn(here);
  const provider: pulumi.provider.Provider = {
    version,
    schema: JSON.stringify({ ...schema, version }),
    ...customResources(new Map(entriesOf(childTypes).map(([name, type]) => [type, operations[name]]))),
    construct: (name, type, inputs, options) => {
      if (type === componentTypes.VmRestore) return constructRestore("VmRestore", name, inputs, options);
      if (type === componentTypes.FileRestore) return constructRestore("FileRestore", name, inputs, options);
      if (type === componentTypes.RecoveryPlan) return constructRecoveryPlan(name, inputs, options);
      return Promise.reject(new Error(`pulumi-recovery has no component of the type ${type}`));
    },
    invoke: (token, inputs) => invoke(here, token, inputs),
    cancel: () => Promise.resolve(),
  };
  await pulumi.provider.main(provider, process.argv.slice(2));
}

function entriesOf(types: ResourceTypes): readonly (readonly [ResourceName, string])[] {
  return Object.entries(types) as [ResourceName, string][];
}

function read(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}
