import assert from "node:assert/strict";
import { statusError } from "../../provider/panel/classify";

describe("Retry-After", () => {
  const now = Date.parse("2026-11-21T10:00:00Z");
  const panelDate = "Sat, 21 Nov 2026 12:00:00 GMT";
  const cases: [header: string | undefined, date: string | undefined, ms: number | undefined, why: string][] = [
    [undefined, undefined, undefined, "not sent"],
    ["", undefined, undefined, "empty"],
    ["soon", undefined, undefined, "not readable"],
    ["3", undefined, 3_000, "seconds"],
    [" 3 ", undefined, 3_000, "seconds with spaces"],
    ["1.5", undefined, 1_500, "a fraction"],
    ["0", undefined, 250, "zero is not at once"],
    ["-5", undefined, 250, "a negative is not at once"],
    ["604800", undefined, 10_000, "a week is not waited for"],
    ["9".repeat(400), undefined, 10_000, "more than any number"],
    ["Sat, 21 Nov 2026 10:00:04 GMT", undefined, 4_000, "a date by this machine's clock"],
    ["Sat, 21 Nov 2026 12:00:04 GMT", panelDate, 4_000, "a date by the panel's own clock"],
    ["Sat, 21 Nov 2026 09:00:00 GMT", undefined, 250, "a past date"],
    ["Sat, 28 Nov 2026 10:00:00 GMT", undefined, 10_000, "a date in a week"],
    ["Sat, 21 Nov 2026 12:00:04 GMT", "nonsense", 10_000, "a date beside a Date that cannot be read"],
  ];
  for (const [header, date, ms, why] of cases) {
    it(`${why}: ${String(header).slice(0, 40)} is ${String(ms)} ms`, () => {
      const headers = { ...(header !== undefined && { "retry-after": header }), ...(date !== undefined && { date }) };
      for (const [status, kind] of [
        [429, "rateLimited"],
        [503, "serverError"],
      ] as const) {
        const sent = { address: "https://panel.example", method: "GET", path: "/" };
        const error = statusError(sent, { status, headers, body: "" }, (text) => text, now);
        assert.equal(error.kind, kind);
        assert.equal(error.retryAfterMs, ms);
      }
    });
  }
});
