import assert from "node:assert/strict";
import { useScene } from "./support/scene";
import { Project } from "./support/project";
import { long } from "../support/thorough";

const turnedAway = { faults: { get: { unauthorized: true } } } as const;
const fromThePanel = /getTransactions: could not read the transaction list on .*did not accept the user name/;
const atOnce = /getTransactions: no request was made: limit is 0/;

/** The error lines that the engine prints at the end of a run. Fails if the output contains any part of a stack trace. */
function errorsIn(output: string): string[] {
  assert.doesNotMatch(output, /PromiseRejectionHandledWarning|^\s+at |\[cause\]|CredentialsError|RunError/m);
  return output
    .slice(output.indexOf("Diagnostics:"))
    .split("\n")
    .filter((line) => /^ +error: /.test(line));
}

long.describe("an uncaught error from a function in a project's program", () => {
  const scene = useScene();

  const programs: readonly (readonly [name: string, message: RegExp, code: string])[] = [
    ["an Output", fromThePanel, "exports.rows = recovery.getTransactionsOutput({ limit: 3 }).transactions;"],
    [
      "a promise",
      fromThePanel,
      "module.exports = async () => ({ rows: await recovery.getTransactions({ limit: 3 }) });",
    ],
    ["a promise that rejects at once", atOnce, "exports.rows = recovery.getTransactions({ limit: 0 });"],
    ["a promise that nobody awaits", fromThePanel, "void recovery.getTransactions({ limit: 3 });"],
  ];

  it("ends the run within seconds and shows only the error's message", async function () {
    this.timeout(400_000);
    const checkout = Project.ofExample(scene.folder, "javascript", await scene.panel(turnedAway));
    await checkout.run("pulumi stack init test");
    for (const [name, message, code] of programs) {
      checkout.write("index.js", `const recovery = require("pulumi-recovery");\n${code}\n`);
      const began = Date.now();
      const output = await checkout.fails("pulumi up --yes --skip-preview --non-interactive");
      const took = Date.now() - began;
      const errors = errorsIn(output);
      assert.equal(errors.length, 1, `${name}:\n${output}`);
      assert.match(errors[0] ?? "", message, name);
      assert.ok(took < 25_000, `${name} took ${String(took)} ms`);
    }
  });
});
