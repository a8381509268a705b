import assert from "node:assert/strict";
import { codeOf } from "../../../drills/checks/kind";

describe("the error code of a failed attempt", () => {
  it("is the system's, else the error's kind, and quotes nothing of what was asked", () => {
    const refused = Object.assign(new Error("connect ECONNREFUSED 10.0.0.43:5432"), { code: "ECONNREFUSED" });
    const secret = "https://user:pass@host";
    const errors = [refused, new AggregateError([refused, new Error("no")]), new TypeError(secret), secret, undefined];
    assert.deepEqual(errors.map(codeOf), ["ECONNREFUSED", "ECONNREFUSED", "TypeError", "unknown", "unknown"]);
  });
});
