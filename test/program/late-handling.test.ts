import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { inspect, promisify } from "node:util";
import { built } from "../support/built";
import { programError } from "../../provider/program/stack-traces";

const run = promisify(execFile);

/** The output of a program that handles an error a little later than it was thrown, as the SDK does with exports. */
async function printedBy(error: string): Promise<string> {
  const program = `
    const { programError } = require("./provider/program/stack-traces");
    process.on("unhandledRejection", () => undefined);
    const ours = programError("ours");
    const failed = Promise.reject(${error});
    setTimeout(() => failed.catch(() => undefined), 20);
  `;
  const { stderr } = await run(process.execPath, ["-e", program], { cwd: built });
  return stderr;
}

describe("an error for a program", () => {
  it("draws no warning when it is handled late, and other errors go on drawing theirs", async function () {
    this.timeout(60_000);
    assert.equal(await printedBy("ours"), "");
    assert.match(await printedBy('new Error("another")'), /PromiseRejectionHandledWarning/);
  });

  it("has its message and its cause, and no stack that printing would spend its time on", () => {
    const cause = new TypeError("why");
    cause.stack = `TypeError: why\n${"    at apply (/x/node_modules/@pulumi/output.ts:1:2)\n".repeat(10)}`;
    const error = programError("what", cause);
    assert.equal(error.stack, "");
    assert.equal(error.cause, cause);
    // In colour, as the SDK prints for its own tracing.
    const shown = inspect(error, { colors: true });
    assert.match(shown, /what[^]*TypeError: why/);
    assert.doesNotMatch(shown, /node_modules/);
  });
});
