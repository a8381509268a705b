import assert from "node:assert/strict";
import * as fc from "fast-check";
import { type CheckFailure, type CheckResult } from "../../provider/inputs/check-restore";
import { freshProcess } from "./support/fresh-process";
import { containsUnknown } from "../../provider/inputs/read-values";
import { restoreMachine } from "../../provider/panel/requests";
import { forTerminal, isEngineSafe } from "../../provider/plain/text";
import type { MachineId, RecoveryPointId } from "../../provider/panel/types";
import { thorough } from "../support/thorough";

const kinds = ["VmRestore", "FileRestore"] as const;
type Kind = (typeof kinds)[number];

const { vmRestore, fileRestore } = freshProcess();
const check = (kind: Kind, news: unknown): CheckResult =>
  (kind === "VmRestore" ? vmRestore : fileRestore).check({}, news) as CheckResult;

const unknowns = [
  "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
] as const;

const right: Record<string, unknown> = {
  virtualMachineId: "42",
  recoveryPointId: "1007",
  triggers: ["drill"],
  timeouts: { run: 60 },
  wait: true,
  adopt: "5015",
  retryFailed: true,
  captureLog: "never",
};
const inputsOf = (kind: Kind): Record<string, unknown> =>
  kind === "VmRestore" ? right : { ...right, paths: ["/etc/hosts"] };

/** Whatever a program can make of a value, and then some. */
const anything = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.anything({ withNullPrototype: true, withDate: true, withMap: true, withSet: true, withBigInt: true }),
  },
  fc.jsonValue(),
  fc.constantFrom(...unknowns),
  fc.constantFrom("__proto__", "constructor", "toString", Number.NaN, -0, Infinity, 2 ** 64, "", "\u0000", "\ud800"),
  fc.constantFrom<unknown>("<{%fg 1%}>", "/<{%no%}>", ["/a<{%"], { "<{%run%}>": 1 }, { run: "<{%%}>" }),
);

/** The values that the engine's protocol can carry. Anything else in a result of `check` is lost, or ends the call. */
function assertPlain(value: unknown, at = "inputs"): void {
  if (value === null || ["string", "number", "boolean"].includes(typeof value)) return;
  assert.equal(typeof value, "object", `${at} is a ${typeof value}`);
  for (const [key, inner] of Object.entries(value as object)) assertPlain(inner, `${at}.${key}`);
}

/** If the engine could not print the property or its value, the reason alone says what it is about. */
function isAbout({ property, reason }: CheckFailure, name: string): boolean {
  return property === name || (property === "" && reason.startsWith(forTerminal(name.slice(0, 60))));
}

function assertOrderly(kind: Kind, given: object, { inputs, failures }: CheckResult): void {
  const names = new Set([...Object.keys(inputsOf(kind)), ...Object.keys(given)]);
  for (const failure of failures) {
    const { property, reason } = failure;
    assert.ok(
      [...names].some((name) => isAbout(failure, name)),
      `a failure of ${property}, which is no property`,
    );
    assert.ok(reason.length > 0 && reason.length < 1_000, `${property}: ${String(reason.length)} characters of reason`);
    assert.doesNotMatch(reason, /\n/);
    assert.ok(isEngineSafe(failure));
    assert.ok(
      isEngineSafe(property === "" ? "" : (given as Record<string, unknown>)[property]),
      "the engine prints it",
    );
  }
  const named = failures.flatMap(({ property }) => (property === "" ? [] : [property]));
  assert.equal(new Set(named).size, named.length, "one failure per property");
  assert.equal(Object.getPrototypeOf(inputs), Object.prototype);
}

describe("check under hostile inputs", () => {
  for (const kind of kinds) {
    const names = Object.keys(inputsOf(kind));

    for (const name of names) {
      it(`of a ${kind}: anything at all for ${name} is let through as it should be, or is an error of ${name}`, () => {
        fc.assert(
          fc.property(anything, (value) => {
            const given = { ...inputsOf(kind), [name]: value };
            const result = check(kind, given);
            assertOrderly(kind, given, result);
            assert.ok(result.failures.length <= 1 && result.failures.every((failure) => isAbout(failure, name)));
            if (result.failures.length > 0 || containsUnknown(value)) return;
            // An accepted value is stored, and checking it again changes nothing.
            const again = check(kind, result.inputs);
            assert.deepEqual(again, { inputs: result.inputs, failures: [] });
            if (name !== "triggers") assertPlain(result.inputs);
          }),
          { numRuns: thorough(100, 300) },
        );
      });
    }
  }
});

describe("an id that is more than an id", () => {
  const wayward = [
    ...["42/../43", "42%2f43", "42?x=1", "42.json", "42\\43", "42\n", "42\r\nHost: elsewhere"],
    ...["//elsewhere.example", "@elsewhere.example", "..", "４２", "1".repeat(129)],
  ];
  for (const id of wayward) {
    for (const name of ["virtualMachineId", "recoveryPointId"] as const) {
      it(`${JSON.stringify(id).slice(0, 40)} is refused as ${name}`, () => {
        for (const kind of kinds) {
          const { failures } = check(kind, { ...inputsOf(kind), [name]: id });
          assert.deepEqual(
            failures.map(({ property }) => property),
            [name],
          );
        }
      });
    }
  }

  it("never gets into a path: what passes the check is one segment, letter by letter", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...Array.from("aZ09-_./%\\?#: ")) })),
        (id) => {
          const { failures, inputs } = check("VmRestore", { ...right, virtualMachineId: id });
          if (failures.length > 0) return;
          const machine = inputs["virtualMachineId"] as MachineId;
          const { path } = restoreMachine(machine, "7" as RecoveryPointId, "json", undefined);
          assert.equal(path, `/virtual_machines/${id}/backups/recovery_points/7/restore.json`);
          assert.equal(new URL(path, "https://panel.example").pathname, path);
        },
      ),
      { numRuns: thorough(500, 2_000) },
    );
  });
});
