import assert from "node:assert/strict";
import fc from "fast-check";
import { restoresOfState } from "../../drills/judge/state";
import { formatDuration } from "../../provider/inputs/duration";
import { escapeMarkup } from "../../provider/plain/text";
import { report } from "../../report";
import { spanText, reportStamp } from "../../report/model/format";
import { stackOfPlan, type PlayedStep } from "./support/plans";

describe("what a report shows", () => {
  it("is the stored verdict, for any run", () => {
    const step = (name: string): fc.Arbitrary<PlayedStep> =>
      fc.record({
        name: fc.constant(name),
        machine: fc.constantFrom(42, 43),
        transaction: fc.nat(9).map((id) => String(5_000 + id)),
        requested: fc.nat(100),
        ran: fc.integer({ min: 1, max: 900 }),
        status: fc.constantFrom("complete", "complete", "complete", "failed", "cancelled", "running"),
        came: fc.constantFrom("sent" as const, "sent" as const, "asked for" as const, "not begun" as const),
        goals: fc.record({ recoveryTimeSeconds: fc.constantFrom(60, 3_600) }, { requiredKeys: [] }),
      });
    fc.assert(
      fc.property(step("db"), step("web"), fc.constantFrom("2026-Q3", "2026-Q4"), (one, other, run) => {
        const state = stackOfPlan({
          waves: [
            { name: "data", restores: [one] },
            { name: "front", run, restores: [other] },
          ],
        }) as { deployment: object };
        const { plans, restores } = restoresOfState(state.deployment);
        const { verdict, counts } = report(state);
        assert.deepEqual([verdict.result, verdict.reasons], [plans[0]?.verdict?.verdict, plans[0]?.verdict?.reasons]);
        const states = Object.entries(counts.states).flatMap(([word, count]) => Array<string>(count).fill(word));
        assert.deepEqual(states.sort(), restores.map((restore) => restore.state as string).sort());
      }),
    );
  });

  it("writes each figure in one form", () => {
    const spans = [0, 5, 65, 3_905, 90_061, 59.6].map(formatDuration);
    assert.equal(spans.join(", "), "0s, 5s, 1m 5s, 1h 5m 5s, 1d 1h 1m 1s, 1m");
    assert.equal(reportStamp("2026-11-21T12:00:00+02:00"), "2026-11-21T10:00:00Z");
    const span = spanText("2026-11-21T10:00:00Z", "2026-11-22T10:00:00Z");
    assert.equal(span, "2026-11-21 10:00:00 to 2026-11-22 10:00:00 UTC");
  });

  it("escapes whatever ends a text or an attribute, in any text", () => {
    fc.assert(fc.property(fc.string(), (text) => !/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/.test(escapeMarkup(text))));
  });
});
