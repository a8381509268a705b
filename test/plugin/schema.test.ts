import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { schemaText } from "../../docs/generate";
import { checkRestore, type CheckFailure } from "../../provider/inputs/check-restore";
import { settingNames } from "../../provider/inputs/settings-table";
import { Problems } from "../../provider/inputs/problems";
import { readPlan } from "../../provider/inputs/read-plan";
import { componentTypes } from "../../provider/plugin/tokens";

const written = readFileSync(join(__dirname, "..", "..", "plugin", "schema.json"), "utf8");

interface Spec {
  readonly type?: string;
  readonly $ref?: string;
  readonly description: string;
  readonly secret?: boolean;
}

interface Schema {
  readonly provider: { readonly inputProperties: Readonly<Record<string, Spec>> };
  readonly types: Readonly<
    Record<string, { readonly properties: Readonly<Record<string, Spec>>; readonly required: readonly string[] }>
  >;
  readonly resources: Readonly<
    Record<
      string,
      {
        readonly inputProperties: Readonly<Record<string, Spec>>;
        readonly requiredInputs: readonly string[];
        readonly properties: Readonly<Record<string, Spec>>;
      }
    >
  >;
}

const schema = JSON.parse(written) as Schema;

function typeNamed(name: string): Schema["types"][string] {
  const type = schema.types[`recovery:index:${name}`];
  assert.ok(type, name);
  return type;
}

const notKnown = /not a known property/;

function problemsOf(args: object): readonly CheckFailure[] {
  const problems = new Problems();
  readPlan(args, { isUnknown: () => false, problems });
  return problems.all;
}

function problemsWith(args: object): string {
  return problemsOf(args)
    .map(({ reason }) => reason)
    .join("\n");
}

describe("the plugin's schema", () => {
  it("is what the declarations say (npx ts-node docs/generate.ts)", async () => {
    assert.equal(written, await schemaText());
  });

  for (const kind of ["VmRestore", "FileRestore"] as const) {
    const { inputProperties, requiredInputs } = schema.resources[componentTypes[kind]]!;

    it(`has the inputs that the check of a ${kind} knows, and requires what it requires`, () => {
      const check = checkRestore(kind);
      // A point or a rule is required, and a schema can require neither.
      const missing = check({}, {}).failures.map(({ property }) => property);
      assert.deepEqual([...requiredInputs, "recoveryPointId"].sort(), missing.sort());
      for (const input of Object.keys(inputProperties)) {
        const { failures } = check({}, { [input]: "an unheard-of value" });
        assert.ok(!failures.some(({ reason }) => reason.includes("no input of this name")), input);
      }
    });
  }

  const restore = { virtualMachineId: "1", recoveryPointId: "1" };
  const planOf = (more: object): object => ({
    run: "first",
    waves: [{ name: "data", restores: { db: { ...restore, ...more } } }],
  });
  const strange = "an unheard-of value";
  const parts: readonly [string, (input: string) => object][] = [
    ["RecoveryPlan", (input) => ({ ...planOf({}), [input]: strange })],
    [
      "RecoveryWave",
      (input) => ({ run: "first", waves: [{ name: "data", restores: { db: restore }, [input]: strange }] }),
    ],
    ["PlannedRestore", (input) => planOf({ [input]: strange })],
    ["RecoveryGoals", (input) => ({ ...planOf({}), goals: { [input]: strange } })],
    ["WholeGoals", (input) => ({ ...planOf({}), wholeGoals: { [input]: strange } })],
    ["RecoveryNotes", (input) => ({ ...planOf({}), notes: { [input]: strange } })],
    ["RecoveryCheck", (input) => planOf({ checks: [{ [input]: strange }] })],
  ];
  for (const [part, planWith] of parts) {
    it(`has the inputs that a plan knows in its ${part}, and no others`, () => {
      const inputs = schema.resources[`recovery:index:${part}`]?.inputProperties ?? typeNamed(part).properties;
      for (const input of Object.keys(inputs)) assert.doesNotMatch(problemsWith(planWith(input)), notKnown, input);
      assert.match(problemsWith(planWith("unheardOf")), notKnown);
    });
  }

  it("requires of a plan what a plan requires", () => {
    const missing = (args: object, path: string): string[] =>
      problemsOf(args)
        .filter(
          ({ property, reason }) => property.startsWith(path) && /is missing|is undefined|is not given/.test(reason),
        )
        .map(({ property }) => property.slice(path.length));
    assert.deepEqual(missing({}, "").sort(), [...schema.resources[componentTypes.RecoveryPlan]!.requiredInputs].sort());
    assert.deepEqual(
      missing({ run: "a", waves: [{}] }, "waves[0].").sort(),
      [...typeNamed("RecoveryWave").required].sort(),
    );
    // One of an id and a rule, which no schema can say.
    const restores = { run: "a", recoveryPoint: "newest", waves: [{ name: "a", restores: { db: {} } }] };
    assert.deepEqual(
      missing(restores, "waves[0].restores.db.").sort(),
      [...typeNamed("PlannedRestore").required].sort(),
    );
  });

  it("counts in whole numbers", () => {
    for (const name of ["PlanCounts", "CheckCounts"]) {
      for (const [count, { type, $ref }] of Object.entries(typeNamed(name).properties)) {
        if ($ref === undefined) assert.equal(type, "integer", `${name}.${count}`);
      }
    }
  });

  it("keeps what checks send a secret", () => {
    const { properties } = typeNamed("RecoveryCheck");
    const secret = Object.entries(properties).filter(([, one]) => one.secret);
    assert.deepEqual(
      secret.map(([name]) => name),
      ["headers", "env"],
    );
  });

  it("has every setting of a connection, and only the password is a secret", () => {
    assert.deepEqual(Object.keys(schema.provider.inputProperties), settingNames);
    const secret = Object.entries(schema.provider.inputProperties).filter(([, one]) => one.secret);
    assert.deepEqual(
      secret.map(([name]) => name),
      ["password"],
    );
  });

  it("says of everything what it is, and refers to nothing that is not there", () => {
    const all = [
      ...Object.values(schema.resources).flatMap((one) => [one.inputProperties, one.properties]),
      ...Object.values(schema.types).map(({ properties }) => properties),
    ];
    for (const properties of all) {
      for (const [name, { description }] of Object.entries(properties)) assert.match(description, /\w{3}/, name);
    }
    for (const [, type] of written.matchAll(/"#\/types\/([^"]+)"/g)) assert.ok(schema.types[type!], type);
  });
});
