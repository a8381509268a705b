import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { schemaText } from "../../docs/generate";
import { checkRestore } from "../../provider/inputs/check-restore";
import { settingNames } from "../../provider/inputs/settings-table";
import { componentTypes } from "../../provider/inputs/resource-names";
import { constructRestore } from "../../provider/plugin/component";
import { runProgram } from "../program/support/program-run";

const written = readFileSync(join(__dirname, "..", "..", "plugin", "schema.json"), "utf8");

type Properties = Readonly<Record<string, { readonly secret?: boolean }>>;

interface Schema {
  readonly provider: { readonly inputProperties: Properties };
  readonly resources: Readonly<
    Record<
      string,
      {
        readonly inputProperties: Properties;
        readonly requiredInputs: readonly string[];
        readonly properties: Properties;
      }
    >
  >;
}

const schema = JSON.parse(written) as Schema;

describe("the plugin's schema", () => {
  it("matches the declarations (npx ts-node docs/generate.ts)", async () => {
    assert.equal(written, await schemaText());
  });

  for (const kind of ["VmRestore", "FileRestore"] as const) {
    const { inputProperties, requiredInputs, properties } = schema.resources[componentTypes[kind]]!;

    it(`has only inputs that the check of a ${kind} accepts, and requires the same inputs as that check`, () => {
      const check = checkRestore(kind);
      // Either a point or a rule is required, which a schema cannot express.
      const missing = check({}, {}).failures.map(({ property }) => property);
      assert.deepEqual([...requiredInputs, "recoveryPointId"].sort(), missing.sort());
      for (const input of Object.keys(inputProperties)) {
        const { failures } = check({}, { [input]: "an unheard-of value" });
        assert.ok(!failures.some(({ reason }) => reason.includes("no input with this name")), input);
      }
    });

    it(`has the same outputs as the ${kind} component`, async () => {
      const paths = kind === "FileRestore" ? { paths: ["/etc"] } : {};
      const inputs = { virtualMachineId: `72-${kind}`, recoveryPointId: "1007", ...paths };
      const { result } = await runProgram(() => constructRestore(kind, "web", inputs, {}));
      assert.deepEqual(Object.keys(result.state ?? {}).sort(), Object.keys(properties).sort());
    });
  }

  it("has every connection setting, and marks only the password as a secret", () => {
    assert.deepEqual(Object.keys(schema.provider.inputProperties), settingNames);
    const secret = settingNames.filter((name) => schema.provider.inputProperties[name]?.secret);
    assert.deepEqual(secret, ["password"]);
  });
});
