import assert from "node:assert/strict";
import { type Operations, startProvider } from "../../provider/start";

const calls: Readonly<Record<keyof Operations, (operations: Operations) => unknown>> = {
  check: (operations) => operations.check({}, {}),
  diff: (operations) => operations.diff("id", {}, {}),
  create: (operations) => operations.create({}),
  update: (operations) => operations.update("id", {}, {}),
  read: (operations) => operations.read("id", {}),
  delete: (operations) => operations.delete("id", {}),
};

const silent = (): void => undefined;
const log = { progress: silent, info: silent, warn: silent, flushed: () => Promise.resolve() };

describe("a provider process", () => {
  for (const resource of ["vmRestore", "fileRestore", "intent", "planRun", "waveIntent", "wave", "verdict"] as const) {
    it(`ends together with its engine, whichever ${resource} operation is called first`, async () => {
      for (const [operation, call] of Object.entries(calls)) {
        let ends = false;
        const engine = { log, isGone: () => Promise.resolve(false), exitWithEngine: () => void (ends = true) };
        const { handlers } = startProvider({ environment: {}, engine });
        // Most of these calls fail, because they have no inputs and no panel is configured.
        await Promise.resolve()
          .then(() => call(handlers[resource]))
          .catch(() => undefined);
        assert.equal(ends, true, operation);
      }
    });
  }
});
