import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSandbox, type PanelOptions, SandboxError } from "../../sandbox";
import { call } from "../cli/support/call";
import { inDirectory } from "./support/temporary-directory";

const argumentErrors: readonly (readonly string[])[] = [
  ...["--prot 1", "--port x", "--speed 0", "--dialect unknown", "--switch pointCap", "--switch pointCaps=100"],
  "--scenario missing.json",
].map((args) => args.split(" "));

/** Invalid options, limited to types that JSON can represent. */
const options: readonly unknown[] = [
  ...[{ username: "a:b" }, { dialect: "unknown" }, { dialect: { unknown: "x" } }, { dialect: { pageCap: 0 } }],
  ...[{ speed: 0 }, { scenario: { machines: [{ id: 42 }, { id: 42 }] } }, { stateFile: "missing/state.json" }],
  ...[
    ...[{ put: {} }, { get: { unknown: true } }, { get: { timeout: { often: 3 } } }, { get: { timeout: 2 } }],
    ...[{ get: { timeout: { first: "1" } } }, { get: { refuse: { status: 99 } } }],
    { get: { rateLimit: { retryAfter: "soon" } } },
  ].map((faults) => ({ faults })),
];

const scenarios: readonly string[] = [
  ...["[]", '{"machine":[]}', '{"machines":[{}]}', '{"machines":[{"id":"a/b"}]}', '{"seed":"1"}'],
  ...['{"machines":[{"id":1,"restoreSeconds":"9"}]}', '{"dialect":{"preset":"plain","wrapping":"x"}}'],
  '{"faults":{"get":{"drip":{"bytes":3}}}}',
  '{"transactions":[{"machineId":1,"action":"a","status":"done"}]}',
];

/** Asserts that a message is one line that contains one of these words. */
function assertNames(message: string, words: readonly string[]): void {
  assert.doesNotMatch(message, /\n/);
  assert.ok(
    words.some((word) => message.includes(word)),
    `${message} names none of ${words.join()}`,
  );
}

async function assertRefused(args: readonly string[], words: readonly string[]): Promise<void> {
  const { code, err } = await call(["sandbox", ...args]);
  assert.equal(code, 3);
  assertNames(err.trimEnd(), words);
}

function innermost(given: unknown, key = ""): readonly string[] {
  const last = typeof given === "object" && given !== null ? Object.entries(given).at(-1) : undefined;
  return last === undefined ? [key, String(given)] : innermost(last[1], last[0]);
}

it("the sandbox's errors say in one line what is wrong with an argument, an option, a fault or a scenario", () =>
  inDirectory(async (folder) => {
    for (const args of argumentErrors) await assertRefused(args, args);
    for (const content of scenarios) {
      const file = join(folder, "scenario.json");
      writeFileSync(file, content);
      await assertRefused(["--scenario", file], [`scenario file ${file}: `]);
    }
    for (const one of options)
      assert.throws(
        () => createSandbox(one as PanelOptions),
        (error) => {
          assert.ok(error instanceof SandboxError);
          assertNames(error.message, innermost(one));
          return true;
        },
      );
  }));
