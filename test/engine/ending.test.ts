import assert from "node:assert/strict";
import { planOperations } from "../../drills/engine";
import { type ResourceName, resourceTypes } from "../../provider/inputs/resource-names";
import { createOperations, type Operations } from "../../provider/engine";
import { createProviderProcess } from "../../provider/engine/process";

const calls: Readonly<Record<keyof Operations, (operations: Operations) => unknown>> = {
  check: (operations) => operations.check({}, {}),
  diff: (operations) => operations.diff("id", {}, {}),
  create: (operations) => operations.create({}),
  update: (operations) => operations.update("id", {}, {}),
  read: (operations) => operations.read("id", {}),
  delete: (operations) => operations.delete("id", {}),
};

describe("a provider process", () => {
  for (const resource of Object.keys(resourceTypes) as ResourceName[]) {
    it(`ends with its engine when it was first asked about a ${resource}`, async () => {
      for (const [operation, call] of Object.entries(calls)) {
        let ends = false;
        const providerProcess = createProviderProcess({ types: resourceTypes, engineAddress: undefined, sources: [] });
        const ending = { ...providerProcess, exitWithEngine: () => (ends = true) };
        const operations = createOperations(ending, planOperations(ending));
        // Most of these calls end in an error, because nothing is given and no panel is configured.
        await Promise.resolve()
          .then(() => call(operations[resource]))
          .catch(() => undefined);
        assert.equal(ends, true, operation);
      }
    });
  }
});
