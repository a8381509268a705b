import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSandbox, type PanelOptions, type SandboxPanel, SandboxError } from "../../sandbox";
import { readArguments } from "../../sandbox/arguments";
import { runAction } from "../../sandbox/control/answers";
import { inDirectory } from "./support/temporary-directory";

/** Every error about a wrong use of the sandbox, to be read as a whole. `UPDATE_GOLDEN=yes` writes the file anew. */
const golden = join(__dirname, "messages.golden.txt");

const argumentErrors: readonly (readonly string[])[] = [
  ["--prot", "1"],
  ["restore"],
  ["--port", "x"],
  ["--port", "65536"],
  ["--speed", "0"],
  ["--slots", "x"],
  ["--dialect", "unknown"],
  ["--switch", "pointCap"],
  ["--switch", "pointCap=0"],
  ["--switch", "pointCaps=100"],
  ["--switch", "pointPageSize=null"],
  ["--scenario", "missing.json"],
];

/** As JSON would bring them. */
const options: Readonly<Record<string, unknown>> = {
  "a colon in the user name": { username: "a:b" },
  "a preset that there is not": { dialect: "unknown" },
  "a switch that there is not": { dialect: { unknown: "x" } },
  "a value that a switch has not": { dialect: { postBody: "unknown" } },
  "a cap of nothing": { dialect: { pageCap: 0 } },
  "a skew that is not a number": { dialect: { clockSkewSeconds: "1" } },
  "a delay that is not a number": { dialect: { listingDelaySeconds: "3" } },
  "a speed of nothing": { speed: 0 },
  "a machine twice": { scenario: { machines: [{ id: 42 }, { id: 42 }] } },
  "a state file that cannot be written": { stateFile: "missing/state.json" },
};

const scenarios: Readonly<Record<string, string>> = {
  "no object": "[]",
  "a key that there is not": '{"machine":[]}',
  "a list that is invalid": '{"machines":{}}',
  "a machine without an id": '{"machines":[{}]}',
  "an id that no path can hold": '{"machines":[{"id":"a/b"}]}',
  "an id below 0": '{"machines":[{"id":1},{"id":-1}]}',
  "a duration that is not a number": '{"machines":[{"id":1,"restoreSeconds":"9"}]}',
  "a duration below 0": '{"machines":[{"id":1,"fileSeconds":-1}]}',
  "background work below 0": '{"background":{"perSecond":-1}}',
  "a preset that there is not": '{"dialect":"fancy"}',
  "a value that a switch has not": '{"dialect":{"preset":"plain","wrapping":"x"}}',
  "a key of a fault that there is not": '{"faults":{"get":{"drip":{"bytes":3}}}}',
  "a seed that is not a number": '{"seed":"1"}',
  "a status that there is not": '{"transactions":[{"machineId":1,"action":"a","status":"done"}]}',
};

const faults: Readonly<Record<string, unknown>> = {
  "a method that there is not": { put: {} },
  "a fault that there is not": { get: { unknown: true } },
  "a rule that is invalid": { get: { timeout: "yes" } },
  "a key of a rule that there is not": { get: { timeout: { often: 3 } } },
  "a probability above 1": { get: { timeout: 2 } },
  "a count that is not a number": { get: { timeout: { first: "1" } } },
  "a count below 0": { get: { timeout: { first: -1 } } },
  "a status that there is not": { get: { refuse: { status: 99 } } },
  "a flag that is invalid": { get: { timeout: { handled: 1 } } },
  "a word that there is not": { get: { rateLimit: { retryAfter: "soon" } } },
};

const uses: Readonly<Record<string, (panel: SandboxPanel) => unknown>> = {
  "a machine that there is already": (panel) => {
    panel.addMachine({ id: 42 });
  },
  "a recovery point of no machine": (panel) => panel.addRecoveryPoint(7),
  "a recovery point that there is already": (panel) => panel.addRecoveryPoint(42, { id: 1007 }),
  "a restore of no recovery point": (panel) => panel.postRestoreAsSomebodyElse(42, 7),
  "the end of no transaction": (panel) => {
    panel.endTransaction("7", "failed");
  },
  "the end of a transaction that has ended": (panel) => {
    panel.endTransaction("5000", "failed");
  },
  "other ids while the panel runs": (panel) => {
    panel.setDialect({ idStyle: "big" });
  },
  "an action without its machine": (panel) => runAction("/next-restore", {}, panel),
};

function message(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof SandboxError) return error.message;
    throw error;
  }
  throw new Error("nothing was wrong");
}

async function written(): Promise<string> {
  const lines = (title: string, messages: readonly (readonly [string, string])[]): string =>
    [`## ${title}`, ...messages.flatMap(([name, text]) => [name, `  ${text}`]), ""].join("\n");
  return inDirectory((folder) => {
    const withoutFolder = (text: string): string => text.replaceAll(`${folder}/`, "");
    const scenarioError = (content: string): string => {
      const file = join(folder, "scenario.json");
      writeFileSync(file, content);
      return withoutFolder(message(() => readArguments(["--scenario", file])));
    };
    const optionError = (option: unknown): string => {
      const given = option as PanelOptions;
      const { stateFile } = given;
      return withoutFolder(
        message(() =>
          createSandbox({ ...given, ...(stateFile !== undefined && { stateFile: join(folder, stateFile) }) }),
        ),
      ).replaceAll(/\.\d+\.new/g, ".<process>.new");
    };
    return Promise.resolve(
      [
        lines(
          "arguments",
          argumentErrors.map((args) => [args.join(" "), message(() => readArguments(args))]),
        ),
        lines(
          "options",
          Object.entries(options).map(([name, option]) => [name, optionError(option)]),
        ),
        lines(
          "a scenario file",
          Object.entries(scenarios).map(([name, content]) => [name, scenarioError(content)]),
        ),
        lines(
          "faults",
          Object.entries(faults).map(([name, fault]) => [name, optionError({ faults: fault })]),
        ),
        lines(
          "a running panel",
          Object.entries(uses).map(([name, use]) => [name, message(() => use(createSandbox()))]),
        ),
      ].join("\n"),
    );
  });
}

describe("the errors of the sandbox", () => {
  it("are what they were (UPDATE_GOLDEN=yes)", async () => {
    const text = await written();
    if (process.env["UPDATE_GOLDEN"] === "yes") writeFileSync(golden, text);
    assert.equal(text, readFileSync(golden, "utf8"));
  });
});
