import assert from "node:assert/strict";
import { inspect } from "node:util";
import { programError } from "../../provider/program/stack-traces";

describe("an error for a program", () => {
  it("has a message and a cause, but no stack trace that would take time to print", () => {
    const cause = new TypeError("why");
    cause.stack = `TypeError: why\n${"    at apply (/x/node_modules/@pulumi/output.ts:1:2)\n".repeat(10)}`;
    const error = programError("what", cause);
    assert.equal(error.stack, "");
    assert.equal(error.cause, cause);
    // In color, as the SDK prints errors for its own tracing.
    const shown = inspect(error, { colors: true });
    assert.match(shown, /what[^]*TypeError: why/);
    assert.doesNotMatch(shown, /node_modules/);
  });
});
