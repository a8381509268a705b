import assert from "node:assert/strict";
import * as recovery from "pulumi-recovery";
import { inline } from "./support/inline";
import { useScene } from "./support/scene";
import { atOnce, errorsIn, fromThePanel, turnedAway } from "./support/function-errors";

describe("a function's error that a program does not catch", () => {
  const scene = useScene();

  it("ends a program of the Automation API the same way", async () => {
    await scene.panel(turnedAway);
    const stack = await scene.stack(() => Promise.resolve({}));
    const warnings: Error[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning);
    process.on("warning", onWarning);
    for (const [message, program] of [
      [fromThePanel, () => ({ rows: recovery.getTransactionsOutput({ limit: 3 }).transactions })],
      [fromThePanel, () => ({ rows: recovery.getTransactions({ limit: 3 }) })],
      [atOnce, () => ({ rows: recovery.getTransactionsOutput({ limit: 0 }).transactions })],
      [atOnce, () => ({ rows: recovery.getTransactions({ limit: 0 }) })],
    ] as const) {
      stack.use(inline(program));
      const run = await stack.upFails();
      for (const error of errorsIn(run.stdout)) assert.match(error, message);
    }
    process.off("warning", onWarning);
    assert.deepEqual(warnings, []);
  });
});
