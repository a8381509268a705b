import * as pulumi from "@pulumi/pulumi";
import { operationsIn } from "../operations";
import { createProviderProcess } from "../process/provider-process";
import { constructRestore } from "./component";
import { customResources } from "./custom-resources";
import { hearConfigure } from "./hear-configure";
import { invoke } from "./invoke";
import { notTold, pluginSources } from "./settings";
import { childTypes, componentTypes } from "./tokens";

export interface PluginOptions {
  /** The package's schema, as an object. */
  readonly schema: object;
  readonly version: string;
}

/** Serves restores to programs in every language, until the engine ends this process. */
export async function servePlugin({ schema, version }: PluginOptions): Promise<void> {
  // The engine gives its address as the first argument.
  const here = createProviderProcess({ types: childTypes, engineAddress: process.argv[2], sources: notTold });
  hearConfigure((given) => {
    here.configure(pluginSources(given, process.env));
  });
  const { VmRestore, FileRestore, RestoreIntent } = operationsIn(here);
  const provider: pulumi.provider.Provider = {
    version,
    schema: JSON.stringify({ ...schema, version }),
    ...customResources(
      new Map([
        [childTypes.VmRestore, VmRestore],
        [childTypes.FileRestore, FileRestore],
        [childTypes.RestoreIntent, RestoreIntent],
      ]),
    ),
    construct: (name, type, inputs, options) => {
      if (type === componentTypes.VmRestore) return constructRestore("VmRestore", name, inputs, options);
      if (type === componentTypes.FileRestore) return constructRestore("FileRestore", name, inputs, options);
      return Promise.reject(new Error(`pulumi-recovery has no component of the type ${type}`));
    },
    invoke: (token, inputs) => invoke(here, token, inputs),
    cancel: () => Promise.resolve(),
  };
  await pulumi.provider.main(provider, process.argv.slice(2));
}
