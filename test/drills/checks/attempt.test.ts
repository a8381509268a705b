import assert from "node:assert/strict";
import { codeOf } from "../../../drills/checks/kind";

const refused = Object.assign(new Error("connect ECONNREFUSED 10.0.0.43:5432"), { code: "ECONNREFUSED" });

describe("the error code of a failed attempt", () => {
  for (const [what, error, said] of [
    ["the system's code", refused, "ECONNREFUSED"],
    ["the first code, of several addresses", new AggregateError([refused, new Error("no")]), "ECONNREFUSED"],
    ["its kind, where it has no code", new TypeError("Invalid URL: https://user:pass@host"), "TypeError"],
    ["its kind, where the code is not the system's", Object.assign(new RangeError("no"), { code: 7 }), "RangeError"],
    ["nothing of what was thrown, where that is no error", "https://user:pass@host", "unknown"],
    ["nothing of nothing", undefined, "unknown"],
  ] as const) {
    it(`is ${what}`, () => {
      assert.equal(codeOf(error), said);
    });
  }
});
