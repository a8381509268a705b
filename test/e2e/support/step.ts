import { get } from "node:http";
import * as pulumi from "@pulumi/pulumi";

/** Stands in for another package's resource. Creating and deleting it sends requests to the test's service. */
export class Step extends pulumi.dynamic.Resource {
  constructor(name: string, address: string, run: string, opts?: pulumi.CustomResourceOptions) {
    const ask = (path: string): Promise<void> =>
      new Promise((resolve, reject) => {
        get(path, (response) => {
          response.resume();
          if (response.statusCode === 200) resolve();
          else reject(new Error("the zone is locked"));
        }).on("error", reject);
      });
    const provider: pulumi.dynamic.ResourceProvider<{ address: string; run: string }> = {
      diff: (_id, { run: before }: { run: string }, { run: now }) =>
        Promise.resolve(before === now ? { changes: false } : { changes: true, replaces: ["run"] }),
      async create(inputs) {
        await ask(`${inputs.address}/create`);
        return { id: "step", outs: inputs };
      },
      async delete(_id, { address: of }) {
        await ask(`${of}/delete`);
      },
    };
    super(provider, name, { address, run }, opts);
  }
}
