import assert from "node:assert/strict";
import { report } from "../../report";
import * as cases from "./support/cases";
import { stackOfPlan, type PlayedPlan } from "./support/plans";
import { at, encrypted, shown } from "./support/stack";

/** The same state as the plugin leaves it: with its own types, in URNs and parents too, and its provider. */
function ofThePlugin(state: object): object {
  return JSON.parse(
    JSON.stringify(state)
      .replaceAll(/pulumi-nodejs:dynamic\/recovery:(VmRestore|FileRestore)\b/g, "recovery:index:$1Run")
      .replaceAll("pulumi-nodejs:dynamic/recovery:", "recovery:index:")
      .replaceAll("pulumi:providers:pulumi-nodejs::", "pulumi:providers:recovery::"),
  ) as object;
}

/** The outputs that the plugin stores as secrets: a property becomes one secret as a whole if it contains one. */
function sealing(state: object, names: readonly string[]): object {
  return JSON.parse(
    JSON.stringify(state, (key, value: unknown) => (names.includes(key) ? encrypted() : value)),
  ) as object;
}

describe("the report of a plan of another language", () => {
  for (const name of ["passed", "withWarnings", "failed", "checkFailed", "brokenOff", "withCheckOutput"] as const) {
    it(`is that of the same plan in TypeScript: ${name}`, () => {
      const stored = ofThePlugin(cases[name]);
      assert.doesNotMatch(JSON.stringify(stored), /pulumi-nodejs/);
      for (const logs of ["with logs", "without logs"] as const) {
        assert.deepEqual(report(stored, { logs }), report(cases[name], { logs }));
      }
    });
  }

  it("reads output and logs only if they are requested and unencrypted", () => {
    const made = report(ofThePlugin(sealing(cases.withCheckOutput, ["checkOutput", "logOutput"])), {
      logs: "with logs",
    });
    assert.ok(made.waves.every(({ checkOutput }) => checkOutput === undefined));
  });

  it("counts a restore as started if its intent is a secret, and as stored if the secret is shown", () => {
    const plan: PlayedPlan = {
      verdict: "not stored",
      waves: [
        {
          name: "data",
          stored: false,
          restores: [{ name: "db", machine: 43, requested: 0, ran: 600, transaction: "1" }],
        },
      ],
    };
    const kept = (seal: (value: unknown) => object): object =>
      ofThePlugin(
        JSON.parse(
          JSON.stringify(stackOfPlan(plan), (key, value: unknown) =>
            key === "triggers" || key === "intent" ? seal(value) : value,
          ),
        ) as object,
      );
    assert.deepEqual(
      report(kept(encrypted)).notCarriedOut.map(({ what }) => what),
      ["outcome not stored"],
    );
    const made = report(kept(shown));
    assert.deepEqual(made.notCarriedOut, []);
    assert.equal(made.waves[0]?.restores[0]?.result, "complete");
  });

  // Otherwise a posted restore would be reported as not begun.
  for (const [how, triggers] of [
    ["encrypted", encrypted()],
    ["shown", shown(["2026-Q4", "canary"])],
  ] as const) {
    it(`recognizes a started restore whose triggers are a secret, ${how}`, () => {
      const plan: PlayedPlan = {
        verdict: "not stored",
        waves: [
          {
            name: "data",
            stored: false,
            restores: [
              { name: "db", machine: 43, requested: 0, ran: 600, transaction: "1", triggers: ["canary"] },
              { name: "web", machine: 42, requested: 0, ran: 600, came: "intent saved", triggers: ["canary"] },
              { name: "mail", machine: 41, came: "not begun", triggers: ["canary"] },
            ],
          },
        ],
      };
      const state = JSON.parse(
        // The plan as given holds a text in place of a secret.
        JSON.stringify(stackOfPlan(plan), (key, value: unknown) =>
          key !== "triggers" ? value : (value as unknown[])[0] === "2026-Q4" ? triggers : "[secret]",
        ),
      ) as object;
      for (const stored of [state, ofThePlugin(state)]) {
        const made = report(stored);
        assert.deepEqual(
          made.notCarriedOut.map(({ restore, what }) => [restore, what]),
          [
            ["web", "outcome not stored"],
            ["mail", "not begun"],
          ],
        );
        assert.deepEqual(
          made.waves[0]?.restores.map((step) => step.name),
          ["db"],
        );
        assert.equal(made.verdict.result, "incomplete");
        assert.doesNotMatch(JSON.stringify(made), /canary/);
      }

      const next = { ...plan, runFields: { run: "2026-Q4b", startedAt: at(1_000) } };
      const later = JSON.parse(
        JSON.stringify(stackOfPlan(next), (key, value: unknown) => (key === "triggers" ? triggers : value)),
      ) as object;
      assert.deepEqual(
        report(ofThePlugin(later)).notCarriedOut.map(({ what }) => what),
        ["not begun", "not begun", "not begun"],
      );
    });
  }
});
