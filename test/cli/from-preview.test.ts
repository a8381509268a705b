import assert from "node:assert/strict";
import { withSandbox } from "../sandbox/support/ask";
import { type Played, restore } from "../support/stored/restores";
import { type Exported, exportedStack } from "../support/stored/stack";
import { assertRefused, call, useNoProject, withPulumi } from "./support/call";
import { address, environmentOf } from "./support/panel";
import { runReady } from "./support/run-ready";
import { pagesOf } from "./support/runbook-page";

type Values = Readonly<Record<string, unknown>>;

/** How the engine writes an unknown value. */
const unknownString = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const done: Partial<Played> = { status: "complete", transaction: "5015" };

/** The preview output for a stored stack. `changed` maps a resource type to its operation and new inputs. */
function printed(
  { deployment: { resources } }: Exported,
  changed: Readonly<Record<string, { readonly op: string } & Values>> = {},
): Values {
  const steps = resources.map(({ outputs = {}, ...one }) => {
    const { kind, virtualMachineId, recoveryPointId, recoveryPoint, triggers } = outputs as Values;
    const given = { kind, virtualMachineId, recoveryPointId, recoveryPoint, triggers };
    const inputs = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    const { op, ...news } = Object.entries(changed).find(([type]) => one.urn.includes(`:${type}::`))?.[1] ?? {
      op: "same",
    };
    const newState = op !== "delete" && { newState: { ...one, inputs: { ...inputs, ...news } } };
    const oldState = op !== "create" && { oldState: { ...one, inputs, outputs } };
    return { op, urn: one.urn, ...newState, ...oldState };
  });
  const same = steps.filter(({ op }) => op === "same").length;
  return { steps, changeSummary: { same }, duration: 1 };
}

const stored = exportedStack(restore(done));
const judge = async (preview: object, limits: { readonly provenWithinSeconds?: number } = {}) => {
  const { ready } = await runReady({ state: {}, preview, ...limits });
  const found = ready.restores.map(({ name, virtualMachineId, recoveryPointId = "?", state: word, readiness }) =>
    [name, virtualMachineId, recoveryPointId, word, readiness].join(" "),
  );
  return { ready, found };
};
/** A preview of this operation on the stored restore and its intent. */
const after = (op: string, news: Values = {}): Values =>
  printed(stored, { VmRestore: { op, ...news }, Intent: { op, ...news } });
const failedBefore = printed(exportedStack(restore({ ...done, status: "failed" })), { VmRestore: { op: "update" } });
const noMachine = "The preview does not show the machine of web: the id is a secret, or known only during `pulumi up`.";
const leftOut = "The preview leaves out 9 unchanged resources: run it again with --show-sames.";
const unknownPoint = after("replace", { recoveryPointId: unknownString });
const partly: Values = { ...printed(stored), changeSummary: { same: 12 } };
const steps = after("create")["steps"] as readonly Values[];
const onlyNew: Values = { steps: steps.filter(({ op }) => op === "create"), changeSummary: { create: 2 } };

describe("--preview", () => {
  useNoProject();

  for (const [what, preview, ...found] of [
    ["an unchanged restore", printed(stored), "web 42 1007 complete ready"],
    ["a new restore", after("create"), "web 42 1007 not sent ready"],
    ["a restore with new triggers", after("replace", { triggers: ["b"] }), "web 42 1007 not sent ready"],
    ["a restore from another point", after("replace", { recoveryPointId: "1006" }), "web 42 1006 not sent not ready"],
    ["a restore of another machine", after("replace", { virtualMachineId: "43" }), "web 43 1007 not sent not ready"],
    ["a failed restore that is attempted again", failedBefore, "web 42 1007 failed ready"],
    ["a machine id known only during `up`", after("replace", { virtualMachineId: unknownString }), noMachine],
    ["a secret machine id", after("same", { virtualMachineId: "[secret]" }), noMachine],
    ["a point id known only during `up`", unknownPoint, "web 42 ? not sent cannot be judged"],
    ["a preview that leaves out unchanged resources", partly, "web 42 1007 complete ready", leftOut],
    ["a preview of only new resources", onlyNew, "web 42 1007 not sent ready"],
    ["a preview of only new resources, without a summary", { steps: onlyNew["steps"] }, "web 42 1007 not sent ready"],
  ] as const)
    it(`makes \`ready\` report "${found.join(", ")}" for ${what}`, async () => {
      const { found: restores, ready } = await judge(preview);
      assert.deepEqual([...restores, ...ready.unreadable], found);
      if (ready.unreadable.length > 0) assert.equal(ready.verdict, "cannot be judged");
      assert.ok(ready.restores.every(({ findings }) => findings.every(({ code }) => code !== "restore.not-sent")));
    });

  it("does not accept an earlier run as proof of a restore that has changed since", async () => {
    const codesOf = async (preview: object): Promise<unknown> =>
      (await judge(preview, { provenWithinSeconds: 90 * 86_400 })).ready.restores[0]?.findings.map(({ code }) => code);
    assert.deepEqual(await codesOf(printed(stored)), []);
    assert.deepEqual(await codesOf(after("replace", { triggers: ["b"] })), ["restore.not-proven"]);
  });

  it("gives the runbook the address and format from the stack's configuration, but no masked values", async () => {
    const config = { "recovery:endpoint": address, "recovery:format": "xml", "recovery:username": "[secret]" };
    const { markdown } = await pagesOf({ ...after("create"), config }, "preview");
    assert.match(markdown, new RegExp(`^RECOVERY_ENDPOINT=${address}$`, "m"));
    assert.match(markdown, /restore\.xml"/);
    assert.match(markdown, /does not show whether an `up` is under way: check the panel first\.$/m);
    assert.doesNotMatch(markdown, /secret|Last time/);
  });

  it("makes `ready` and `runbook` exit with 3 and say what they need if nothing can be judged", async () => {
    const failed = (message: string): Values => ({ ...printed(stored), diagnostics: [{ severity: "error", message }] });
    const thrown =
      "error: Running program 'index.ts' failed:\n\u001b[31mError: no site\u001b[39m\n    at f (index.ts:1:2)\n";
    for (const [preview, says] of [
      ["", /standard input is not JSON: it is empty/],
      ["error: no stack selected", /standard input is not JSON/],
      [{}, /this is not a preview: pass the output of `pulumi preview --json --show-sames`$/m],
      [stored, /this is not a preview: .*; pass a state with --state$/m],
      [failed(thrown), /may not show every restore\. Running program 'index\.ts' failed:\nError: no site\n$/],
      [{ ...failed(""), diagnostics: [{ severity: "error" }] }, /the preview failed/],
      [after("delete"), /the preview shows no restores/],
      [{ changeSummary: {} }, /the preview shows no restores/],
      [{ diagnostics: [] }, /the preview shows no restores/],
      [{ steps: [] }, /the preview shows no restores/],
    ] as const)
      for (const command of ["ready", "runbook"]) {
        const input = typeof preview === "string" ? preview : JSON.stringify(preview);
        assertRefused(await call([command, "--preview", "-"], environmentOf(), input), says);
      }
    for (const [words, says] of [
      [["ready", "--preview", "-", "--state", "-"], /--state and --preview: use only one/],
      [["runbook", "--preview", "-", "--stack", "drill"], /--stack and --preview: use only one/],
    ] as const)
      assertRefused(await call(words, {}, JSON.stringify(printed(stored))), says);
    const incomplete = await call(["runbook", "--preview", "-"], {}, JSON.stringify(partly));
    assertRefused(incomplete, /leaves out 9 unchanged resources: run it again with --show-sames/);
  });
});

describe("--reader", () => {
  const config = {
    "recovery:username": { value: "restorer" },
    "recovery:password": { secret: true },
    "recovery:allowedMachines": { value: "[42]" },
  };
  const reader = { RECOVERY_USERNAME: "reader", RECOVERY_PASSWORD: "r3ads" };
  /** A fake Pulumi CLI that can read the stack but does not have its passphrase. */
  const script = (state: object, settings: object): string =>
    [
      'case "$*" in *--show-secrets*) echo "needs the passphrase" >&2; exit 1;; esac',
      `case "$1" in config) cat <<'END'\n${JSON.stringify(settings)}\nEND\n;; *) cat <<'END'\n${JSON.stringify(state)}\nEND\n;; esac`,
    ].join("\n");

  for (const command of ["ready", "status"])
    it(`makes \`${command}\` use the environment's user instead of the stack's, and decrypt nothing`, async () => {
      const played: Partial<Played> = command === "status" ? { ...done, status: "running" } : done;
      await withSandbox({ username: "reader", password: "r3ads" }, async (panel) => {
        const endpoint = { "recovery:endpoint": { value: panel.url } };
        const ask = (settings: object, environment: Readonly<Record<string, string>>, ...more: readonly string[]) =>
          withPulumi(script(exportedStack(restore({ ...played, panel: panel.url })), settings), (PATH) =>
            call([command, "--stack", "drill", ...more], { PATH, ...environment }),
          );
        const { code, out, err } = await ask({ ...config, ...endpoint }, reader, "--reader");
        assert.equal(code, 0, out + err);
        assert.ok(panel.requests().length > 0);
        assert.ok(panel.requests().every(({ status }) => status === 200));
        if (command === "status") return;

        const without = await ask({ ...config, ...endpoint }, reader);
        assertRefused(without, /needs the passphrase/);
        const missing = await ask({ ...config, ...endpoint }, { RECOVERY_USERNAME: "reader" }, "--reader");
        assertRefused(missing, /--reader needs RECOVERY_PASSWORD/);
        const hidden = await ask({ ...config, "recovery:endpoint": { secret: true } }, reader, "--reader");
        assert.match(hidden.err, /recovery:endpoint is a secret in the stack's configuration, which --reader does not/);
      });
    });
});
