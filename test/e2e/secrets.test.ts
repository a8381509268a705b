import assert from "node:assert/strict";
import { inspect } from "node:util";
import * as recovery from "pulumi-recovery";
import * as pulumi from "@pulumi/pulumi";
import { assertAllHidden, assertHidden, inParams, openPanel, password, username } from "./support/canaries";
import { inline } from "./support/inline";
import { vm } from "./support/one-restore";
import { impatient } from "./support/restores";
import { useScene } from "./support/scene";
import { saidBy, toldByTheCli, withoutProperties } from "./support/shown";
import { stored } from "./support/stored";
import type { Faults } from "../../sandbox";
import { long } from "../support/thorough";

const config = { "recovery:requestTimeout": "4s" };

/** Stores a restore's log, and puts everything that the functions return into the outputs. */
const program = inline(() => {
  const web = vm("web", { captureLog: "always", timeouts: impatient });
  const after = { dependsOn: web };
  return {
    restore: web,
    log: web.logOutput,
    warnings: web.warnings,
    detailed: recovery.getTransactionsOutput({ detailed: true, limit: 5 }, after),
    plain: recovery.getTransactionsOutput({ limit: 5 }, after),
    ofMachine: recovery.getVmLogsOutput({ virtualMachineId: 42 }, after),
  };
});

describe("secrets on the real engine", () => {
  const scene = useScene();

  it("are masked in a failed restore's log, even at the engine's highest verbosity, and stay hidden in secret outputs if a log is stored", async () => {
    const panel = await openPanel(scene);
    panel.failNext(42, "failed");
    const stack = await scene.stack(program, { config });

    const failed = await stack.upFails({ logVerbosity: 9, logToStdErr: true, logFlow: true });

    const shown =
      /the end of the restore's log \(anything that looks like a secret is masked\):[^]*Executing restore_backup on[^]*mount --options username=backup,password=\[secret\][^]*Fatal: input\/output error/;
    assert.match(failed.stdout, shown);
    assert.match(failed.stderr, /"msg":/);
    // Only the verbose log contains the properties that the engine receives.
    assertHidden("the run", withoutProperties(saidBy(failed)));
    assert.match(String((await stack.resource("web")).initErrors?.join()), /ended in failure/);
    const logText = /Fatal: input|Executing restore_backup|end of its log/;
    assert.doesNotMatch(await stored(stack.place), logText, "only the failed run shows the log");
    assert.doesNotMatch(await toldByTheCli(stack.place), logText);
    assert.match(JSON.stringify(await stack.exportState()), logText, "whoever may decrypt the state finds it there");
    await assertAllHidden(stack);

    const runs = [await stack.up(), await stack.up({ refresh: true, expectNoChanges: true })];

    const { log, detailed, plain, ofMachine } = runs[0]?.outputs ?? {};
    assert.ok(String(log?.value).includes(inParams), "the log is there, as it was written");
    assert.ok(JSON.stringify(detailed?.value).includes(inParams), "and so are the parameters");
    const isSecret = [log, detailed, plain, ofMachine].map((output) => output?.secret);
    assert.deepEqual(isSecret, [true, true, false, false], "lists without log text are stored in plain text");
    await assertAllHidden(stack, ...runs);
    assertHidden("the run", saidBy(await stack.destroy()));
  });
});

long.describe("secrets in errors on the real engine", () => {
  const scene = useScene();

  const strikes: Record<string, Faults["get"]> = {
    "401": { unauthorized: true },
    "403": { refuse: { status: 403 } },
    "404": { refuse: { status: 404 } },
    "422": { refuse: true },
    redirect: {
      redirect: {
        location: `https://${username}:${encodeURIComponent(password)}@elsewhere.example/?of=${encodeURIComponent(password)}`,
      },
    },
    "429": { rateLimit: true },
    html: { serverError: true },
    login: { loginPage: true },
    reset: { resetBefore: true },
    silence: { timeout: true },
    half: { truncate: true },
  };

  for (const method of ["get", "post"] as const) {
    it(`are hidden in every error from a ${method.toUpperCase()} to an explicit provider's panel`, async () => {
      const panels = await Promise.all(
        Object.entries(strikes).map(async ([name, strike]) => ({
          name,
          panel: await openPanel(scene, { faults: { [method]: strike } }),
        })),
      );
      const stack = await scene.stack(
        inline(() => {
          const shown = panels.map(({ name, panel }) => {
            const provider = new recovery.Provider(`site-${name}`, {
              endpoint: panel.url,
              username,
              password,
              requestTimeout: "2s",
            });
            vm(`restore-${name}`, { timeouts: { ...impatient, busy: "1s" } }, { provider });
            return recovery.getTransactions({ detailed: false, provider }).then(
              () => "no error",
              (error: unknown) => inspect(error, { depth: Infinity, showHidden: true }),
            );
          });
          return { shown: pulumi.all(shown) };
        }),
        { connection: "none" },
      );

      const run = await stack.upFails({ continueOnError: true });

      for (const name of Object.keys(strikes)) {
        const named = run.diagnostics.filter(
          ({ urn, severity }) =>
            urn.endsWith(`::restore-${name}`) || (severity === "error" && urn.includes(`::restore-${name}-`)),
        );
        assert.ok(named.length > 0, `nothing was printed about ${name}:\n${run.stdout}`);
      }
      await assertAllHidden(stack, run);
    });
  }
});
