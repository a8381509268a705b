import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import {
  ConfigurationError,
  readAllowedMachines,
  readSettings,
  settingsWarnings,
} from "../../provider/inputs/settings";
import { environmentSource, keyedSource, processSources } from "../../provider/inputs/settings-sources";
import type { SettingName } from "../../provider/inputs/settings-table";
import { adviceWhereSet } from "../../provider/panel/errors";
import { setFields, setWords } from "../../provider/plain/text";
import { certificate, privateKey } from "../panel/support/certificate";
import { inDirectory } from "../sandbox/support/temporary-directory";

type Texts = Partial<Record<SettingName, string>>;

const whole: Texts = { endpoint: "https://panel.example", username: "ops", password: "s3cret" };

function stack(texts: Texts): ReturnType<typeof keyedSource> {
  const config: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(texts)) config[`recovery:${name}`] = text;
  return keyedSource("the stack's configuration", (key) => config[key]);
}

function read(texts: Texts): ReturnType<typeof readSettings> {
  return readSettings([stack({ ...whole, ...texts })]);
}

function problemsOf(run: () => unknown): readonly string[] {
  let problems: readonly string[] = [];
  assert.throws(run, (error) => {
    assert.ok(error instanceof ConfigurationError);
    problems = error.parts.lines ?? [];
    assert.match(error.message, problems.length === 1 ? /because a setting is / : /because \d+ settings are /);
    return true;
  });
  return problems;
}

describe("readSettings", () => {
  it("fills in the defaults", () => {
    const { password, ...rest } = read({});
    assert.equal(password.reveal(), "s3cret");
    assert.deepEqual(rest, {
      endpoint: "https://panel.example",
      username: "ops",
      format: "json",
      insecure: false,
      requestTimeoutMs: 30_000,
      pageSize: 100,
      restoreActions: [],
      completeStatuses: [],
      failedStatuses: [],
      pointStates: [],
      allowedMachines: [],
    });
  });

  it("rejects keys that nearly match a setting's name, and leaves the project's own keys alone", () => {
    const keys = ["recovery:allowedMachine", "recovery:format", "recovery:drillName", "other:allowedMachine"];
    const configured = keyedSource("the stack's configuration", (key) => whole[key.slice(9) as SettingName], keys);
    const environment = environmentSource({ RECOVERY_ALOWED_MACHINES: "42", RECOVERY_TRACE: "a", RECOVERY_DRILL: "b" });
    const expected = [
      'recovery:allowedMachine in the stack\'s configuration is not a setting, did you mean "recovery:allowedMachines"?',
      'RECOVERY_ALOWED_MACHINES is not a setting, did you mean "RECOVERY_ALLOWED_MACHINES"?',
    ];
    const problemsIn = (read: typeof readAllowedMachines | typeof readSettings) =>
      problemsOf(() => read([configured, environment]));
    assert.deepEqual([problemsIn(readAllowedMachines), problemsIn(readSettings)], [expected, expected]);
  });

  it("names the source of an invalid value, and the variable that can set it", () => {
    const values: Readonly<Record<string, string>> = { ...whole, format: "yaml" };
    const configured = keyedSource("the stack's configuration", (key) => values[key.slice(9)]);
    const problems = problemsOf(() => readSettings([configured, environmentSource({ RECOVERY_PAGE_SIZE: "0" })]));
    const places = [
      "recovery:format in the stack's configuration (or RECOVERY_FORMAT)",
      "recovery:pageSize (RECOVERY_PAGE_SIZE)",
    ];
    assert.deepEqual(
      problems.map((text) => text.split(" is ")[0]),
      places,
    );
  });

  it("remembers which values come from the environment or a provider, because they override the others", () => {
    const configured = (texts: Readonly<Record<string, string>>) =>
      new Map(Object.entries({ ...whole, ...texts }).map(([name, text]) => [`recovery:${name}`, text]));
    const environment = { RECOVERY_ENDPOINT: "https://other.example", RECOVERY_PASSWORD: "x", RECOVERY_USERNAME: "y" };
    const provider = "the provider dr-site";
    for (const [config, elsewhere] of [
      [configured({}), undefined],
      [configured({ password: "" }), { password: { variable: "RECOVERY_PASSWORD" } }],
      [
        configured({ settingsOfProvider: "dr-site endpoint password" }),
        { endpoint: { provider }, password: { provider } },
      ],
    ] as const)
      assert.deepEqual(readSettings(processSources(config, environment)).setElsewhere, elsewhere);
  });

  it("reads every setting", () => {
    const { password, ...rest } = read({
      endpoint: "http://127.0.0.1:8080/panel/",
      format: "XML",
      apiVersion: "5.8",
      insecure: "true",
      requestTimeout: "1m30s",
      pageSize: "250",
      maxConcurrent: "4",
      restoreActions: '["Restore_Backup","roll_back"]',
      completeStatuses: "Done, success",
      failedStatuses: "error,,error",
      fields: '{"id":"number","status":["state","result"],"list":"result.rows"}',
      pointStates: "Synced, verified",
      allowedMachines: "42, a-1,42",
    });
    assert.equal(password.reveal(), "s3cret");
    assert.deepEqual(rest, {
      endpoint: "http://127.0.0.1:8080/panel",
      username: "ops",
      format: "xml",
      apiVersion: "5.8",
      insecure: true,
      requestTimeoutMs: 90_000,
      pageSize: 250,
      maxConcurrent: 4,
      restoreActions: ["restore_backup", "roll_back"],
      completeStatuses: ["done", "success"],
      failedStatuses: ["error"],
      fields: { id: "number", status: ["state", "result"], list: "result.rows" },
      pointStates: ["synced", "verified"],
      allowedMachines: [{ where: "recovery:allowedMachines in the stack's configuration", ids: ["42", "a-1"] }],
    });
  });

  it("reads back the words and fields set by the commands in messages, however odd they are", () => {
    const textIn = (command: string): string => {
      const [, plain, json = ""] = /^pulumi config set recovery:\w+ (?:"([^"$`\\!%]+)"|'([^']+)')$/.exec(command) ?? [];
      return plain ?? json;
    };
    const words = fc.uniqueArray(fc.stringMatching(/^[a-z=,"'$[\]%!<>-]+( [a-z=,"'$-]+)?$/), { minLength: 1 });
    fc.assert(
      fc.property(words, (given) => {
        const fields = { id: given[0] ?? "", status: given, machine: "vm.id" };
        const texts = { restoreActions: textIn(setWords("restoreActions", given)), fields: textIn(setFields(fields)) };
        const { restoreActions, fields: readBack } = read(texts);
        assert.deepEqual([restoreActions, { ...readBack, status: [readBack?.status].flat() }], [given, fields]);
      }),
    );
    const twoWords = setWords("restoreActions", ["roll back", "undo"]);
    assert.equal(twoWords, 'pulumi config set recovery:restoreActions "roll back,undo"');
    const ofProvider = adviceWhereSet(`\`${twoWords}\``, { restoreActions: { provider: "the provider dr-site" } });
    assert.equal(ofProvider, '`restoreActions: ["roll back","undo"]` of the provider dr-site');
    assert.match(setFields({ id: "number", status: ["state", "result"] }), / "id=number status=state,result"$/);
  });

  it("normalizes the panel's address", () => {
    for (const [given, address] of [
      ["https://panel.example/", "https://panel.example"],
      ["https://panel.example:8443/cloud//", "https://panel.example:8443/cloud"],
      ["HTTPS://Panel.Example:443/a", "https://panel.example/a"],
      ["http://[::1]:3000", "http://[::1]:3000"],
    ] as const)
      assert.equal(read({ endpoint: given }).endpoint, address);
  });

  it("reads each setting from the first source that contains it, and treats an empty string as not set", () => {
    const settings = readSettings([
      stack({ endpoint: "https://explicit.example", username: " ", format: "" }),
      stack({ endpoint: "https://stack.example", username: "from-stack" }),
      environmentSource({ RECOVERY_USERNAME: "from-env", RECOVERY_PASSWORD: "from-env", RECOVERY_FORMAT: "xml" }),
    ]);
    assert.equal(settings.endpoint, "https://explicit.example");
    assert.equal(settings.username, "from-stack");
    assert.equal(settings.password.reveal(), "from-env");
    assert.equal(settings.format, "xml");
  });

  it("checks that caFile can be read and contains a certificate", () =>
    inDirectory((folder) => {
      writeFileSync(join(folder, "ca.pem"), certificate);
      writeFileSync(join(folder, "ca.der"), privateKey);
      const withFile = (caFile: string) => readSettings([stack({ ...whole, caFile })]);
      assert.equal(withFile(join(folder, "ca.pem")).caFile, join(folder, "ca.pem"));
      const insecure = { ...withFile(join(folder, "ca.pem")), insecure: true };
      assert.match(settingsWarnings(insecure).join(), /caFile has no effect/);
      for (const path of [join(folder, "gone.pem"), folder])
        assert.match(problemsOf(() => withFile(path))[0]!, /which cannot be read$/);
      assert.match(problemsOf(() => withFile(join(folder, "ca.der")))[0]!, /which contains no certificate in PEM form/);
    }));
});
