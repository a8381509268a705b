import assert from "node:assert/strict";
import { inspect } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import * as recovery from "pulumi-recovery";
import type { Faults } from "../../sandbox";
import { assertAllHidden, openPanel, password, username } from "./support/canaries";
import { inline } from "./support/inline";
import { impatient } from "./support/restores";
import { useScene } from "./support/scene";
import { program } from "./support/kept-log";

describe("secrets in errors on the real engine", () => {
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
    it(`are hidden in every error of a ${method.toUpperCase()}, each on a panel of an explicit provider`, async () => {
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
            new recovery.VmRestore(
              `restore-${name}`,
              { virtualMachineId: 42, recoveryPointId: 1007, timeouts: { ...impatient, busy: "1s" } },
              { provider },
            );
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
        assert.ok(named.length > 0, `nothing was said of ${name}:\n${run.stdout}`);
      }
      await assertAllHidden(stack, run);
    });
  }
});

describe("secrets of a restore that goes on after its limit, on the real engine", () => {
  const scene = useScene();

  it("are hidden when a limit passes, and when the restore is waited for again", async () => {
    const panel = await openPanel(scene);
    panel.failNext(42, { seconds: 400 });
    const stack = await scene.stack(program({ ...impatient, run: "2s" }), {
      config: { "recovery:requestTimeout": "2s" },
    });

    const limited = await stack.upFails();
    assert.match(limited.stdout, /within the run limit of 2s/);
    stack.use(program());
    await assertAllHidden(stack, limited, await stack.up());
  });
});
