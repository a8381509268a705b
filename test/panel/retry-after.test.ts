import assert from "node:assert/strict";
import { statusError } from "../../provider/panel/classify";

describe("Retry-After", () => {
  const cases: [header: string | undefined, ms: number | undefined, why: string][] = [
    [undefined, undefined, "not sent"],
    ["", undefined, "empty"],
    ["soon", undefined, "not readable"],
    ["-5", undefined, "a negative number is not readable"],
    ["3", 3_000, "seconds"],
    [" 3 ", 3_000, "seconds with spaces"],
    ["1.5", 1_500, "a fraction"],
    ["0", 250, "zero still means a pause"],
    ["604800", 10_000, "a week is too long"],
    ["9".repeat(400), 10_000, "more than any number"],
    ["Sat, 21 Nov 2026 10:00:04 GMT", undefined, "a date is not read"],
  ];
  for (const [header, ms, why] of cases) {
    it(`is ${String(ms)} ms for ${String(header).slice(0, 40)}: ${why}`, () => {
      const headers = { ...(header !== undefined && { "retry-after": header }) };
      for (const [status, kind] of [
        [429, "rateLimited"],
        [503, "serverError"],
      ] as const) {
        const sent = { address: "https://panel.example", method: "GET", path: "/" };
        const error = statusError(sent, { status, headers, body: "" }, (text) => text);
        assert.equal(error.kind, kind);
        assert.equal(error.retryAfterMs, ms);
      }
    });
  }
});
