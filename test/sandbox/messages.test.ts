import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSandbox, type PanelOptions, SandboxError } from "../../sandbox";
import { call } from "../cli/support/call";
import { inDirectory } from "./support/temporary-directory";

const argumentErrors: readonly (readonly string[])[] = [
  ["--prot", "1"],
  ["--port", "x"],
  ["--speed", "0"],
  ["--dialect", "unknown"],
  ["--switch", "pointCap"],
  ["--switch", "pointCaps=100"],
  ["--scenario", "missing.json"],
];

/** Invalid options, in types that JSON can contain. */
const options: Readonly<Record<string, unknown>> = {
  "a colon in the user name": { username: "a:b" },
  "a preset that does not exist": { dialect: "unknown" },
  "a switch that does not exist": { dialect: { unknown: "x" } },
  "a cap of zero": { dialect: { pageCap: 0 } },
  "a speed of zero": { speed: 0 },
  "a machine twice": { scenario: { machines: [{ id: 42 }, { id: 42 }] } },
  "a state file that cannot be written": { stateFile: "missing/state.json" },
};

const scenarios: Readonly<Record<string, string>> = {
  "not an object": "[]",
  "a key that does not exist": '{"machine":[]}',
  "a machine without an id": '{"machines":[{}]}',
  "an id that no path can contain": '{"machines":[{"id":"a/b"}]}',
  "a duration that is not a number": '{"machines":[{"id":1,"restoreSeconds":"9"}]}',
  "a value that a switch does not have": '{"dialect":{"preset":"plain","wrapping":"x"}}',
  "a key of a fault that does not exist": '{"faults":{"get":{"drip":{"bytes":3}}}}',
  "a seed that is not a number": '{"seed":"1"}',
  "a status that does not exist": '{"transactions":[{"machineId":1,"action":"a","status":"done"}]}',
};

const faults: Readonly<Record<string, unknown>> = {
  "a method that does not exist": { put: {} },
  "a fault that does not exist": { get: { unknown: true } },
  "a key of a rule that does not exist": { get: { timeout: { often: 3 } } },
  "a probability above 1": { get: { timeout: 2 } },
  "a count that is not a number": { get: { timeout: { first: "1" } } },
  "a status that does not exist": { get: { refuse: { status: 99 } } },
  "a word that does not exist": { get: { rateLimit: { retryAfter: "soon" } } },
};

/** Asserts that the error is one line that contains one of these words. */
function assertMessage(run: () => unknown, words: readonly string[]): void {
  assert.throws(run, (error) => {
    assert.ok(error instanceof SandboxError);
    assert.doesNotMatch(error.message, /\n/);
    assert.ok(
      words.some((word) => error.message.includes(word)),
      `${error.message} names none of ${words.join()}`,
    );
    return true;
  });
}

async function assertRefused(args: readonly string[], words: readonly string[]): Promise<void> {
  const { code, err } = await call(["sandbox", ...args]);
  assert.deepEqual([code, err.split("\n").length], [3, 2], err);
  assert.ok(
    words.some((word) => err.includes(word)),
    `${err} names none of ${words.join()}`,
  );
}

/** The innermost key of the given object, and its value. */
function innermost(given: unknown, key = ""): readonly string[] {
  const last = typeof given === "object" && given !== null ? Object.entries(given).at(-1) : undefined;
  return last === undefined ? [key, String(given)] : innermost(last[1], last[0]);
}

describe("the sandbox's errors", () => {
  it("say in one line what is wrong: an argument, an option, a fault or a part of a scenario", () =>
    inDirectory(async (folder) => {
      for (const args of argumentErrors) await assertRefused(args, args);
      for (const content of Object.values(scenarios)) {
        const file = join(folder, "scenario.json");
        writeFileSync(file, content);
        await assertRefused(["--scenario", file], [`scenario file ${file}: `]);
      }
      const given = [...Object.values(options), ...Object.values(faults).map((rule) => ({ faults: rule }))];
      for (const one of given) assertMessage(() => createSandbox(one as PanelOptions), innermost(one));
    }));
});
