import assert from "node:assert/strict";
import { inspect } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import * as recovery from "pulumi-recovery";
import type { Faults } from "../../sandbox";
import { assertAllHidden, openPanel, password, username } from "./support/canaries";
import { inline } from "./support/inline";
import { impatient } from "./support/restores";
import { useScene } from "./support/scene";

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
