import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ReadyResult } from "../../cli/ready/result";
import { report, toJson } from "../../report";
import { builtCommand } from "../support/built";
import type { Sandbox } from "../../sandbox";
import { RawServer } from "../panel/support/raw-server";
import { encrypted, shown, type StackResource } from "../report/support/stack";
import { stackOfPlan } from "../report/support/plans";
import { stackOf, type Played } from "../report/support/restores";
import { inDirectory } from "../sandbox/support/temporary-directory";
import { call, type Called, connectionTo, onPanel, withPulumi } from "./support/call";
import { readMetrics } from "./support/prometheus";
import { validate } from "./support/run-ready";

/** The same state, with its restores on this panel. */
function at({ url }: Pick<Sandbox, "url">, state: object): object {
  return JSON.parse(JSON.stringify(state).replaceAll("https://panel.example.com", url)) as object;
}

const web: Played = { name: "web", machine: 42, point: 1007, requested: 0, ran: 60, transaction: "5014" };

const ready = (args: readonly string[], state: object, environment: Record<string, string>): Promise<Called> =>
  call(["ready", "--state", "-", ...args], environment, JSON.stringify(state));

describe("pulumi-recovery ready", () => {
  for (const format of ["json", "xml"] as const) {
    it(`ends with 0, 1, 2 or 3, and 1 beats 2 (${format})`, () =>
      onPanel({ scenario: { machines: [{ id: 42, recoveryPoints: [1007] }] } }, async (panel) => {
        const connection = { ...connectionTo(panel), RECOVERY_FORMAT: format };
        const codeOf = async (restores: readonly Played[], args: readonly string[] = []): Promise<Called> =>
          ready(args, at(panel, stackOf(restores)), connection);
        const fine = await codeOf([web]);
        assert.equal(fine.code, 0, fine.out + fine.err);
        assert.match(fine.out, /\nThe restore is ready\. \d+ GETs, nothing posted\.\n$/);
        const told: Played = { ...web, name: "told", transaction: "5015", outputs: { recoveryPointId: encrypted() } };
        assert.equal((await codeOf([web, told])).code, 2);
        assert.equal((await codeOf([web, told, { ...web, name: "gone", transaction: "5016", point: 1 }])).code, 1);
        assert.equal((await codeOf([web], ["--goal-age", "1m"])).code, 1);
        assert.equal((await codeOf([])).code, 3);
        const refused = await ready([], at(panel, stackOf([web])), { ...connection, RECOVERY_PASSWORD: "wrong-one" });
        assert.equal(refused.code, 3);
        assert.match(refused.err, /did not accept/);
        assert.ok(!`${refused.out}${refused.err}`.includes("wrong-one"));
      }));
  }

  it("prints JSON by its schema, and everything else beside it", () =>
    onPanel({}, (panel) =>
      inDirectory(async (folder) => {
        const summary = join(folder, "summary.md");
        const out = join(folder, "out");
        const called = await ready(["--json", "--summary", "--out", out], at(panel, stackOf([web])), {
          ...connectionTo(panel),
          GITHUB_STEP_SUMMARY: summary,
        });
        const found: unknown = JSON.parse(called.out);
        assert.equal(validate(found), true, JSON.stringify(validate.errors));
        assert.equal(validate({ ...(found as object), password: "x" }), false);
        assert.deepEqual(JSON.parse(readFileSync(join(out, "ready.json"), "utf8")), found);
        assert.match(readFileSync(join(out, "ready.md"), "utf8"), /^### ✅ Ready\? drill: ready$/m);
        assert.match(readFileSync(summary, "utf8"), /^### ✅ Ready\? drill: ready$/m);
        assert.match(called.err, /ready\.json\n[^]*Appended to the job's summary/);
      }),
    ));

  it("takes proofs from a folder of reports, machines from an inventory, and writes metrics", () =>
    onPanel({ scenario: { machines: [{ id: 42, recoveryPoints: [1007] }] } }, (panel) =>
      inDirectory(async (folder) => {
        const state = at(panel, stackOf([{ ...web, status: "failed", transaction: "5015" }]));
        const [history, inventory, metrics] = [join(folder, "a", "b"), join(folder, "i.json"), join(folder, "m.prom")];
        mkdirSync(history, { recursive: true });
        writeFileSync(join(history, "report-drill.json"), toJson(report(at(panel, stackOf([web])))));
        writeFileSync(inventory, '[42, "web-2"]');
        const options = ["--json", "--proven-within", "3650d", "--inventory", inventory, "--metrics", metrics];
        for (const [given, codes, proven] of [
          [["--history", folder], ["restore.failed"], 1],
          [[], ["restore.failed", "restore.not-proven"], 0],
        ] as const) {
          const { code, out, err } = await ready([...options, ...given], state, connectionTo(panel));
          const { restores, withoutRestore } = JSON.parse(out) as ReadyResult;
          assert.deepEqual(
            [code, restores[0]?.findings.map((one) => one.code), withoutRestore],
            [1, codes, ["web-2"]],
            err,
          );
          const samples = readMetrics(readFileSync(metrics, "utf8"));
          assert.equal(
            samples.filter(({ name }) => name === "pulumi_recovery_restore_proven_timestamp_seconds").length,
            proven,
          );
        }
        // A report that is half written is no report, and the folder with it is not judged by the rest.
        const file = join(history, "report-drill.json");
        writeFileSync(file, readFileSync(file, "utf8").slice(0, -30));
        const half = await ready([...options, "--history", folder], state, connectionTo(panel));
        assert.deepEqual([half.code, half.out], [3, ""]);
        assert.match(half.err, /^pulumi-recovery ready: --history: .*report-drill\.json is not JSON$/m);
      }),
    ));

  it("looks at one plan", () =>
    onPanel({}, async (panel) => {
      const state = at(panel, stackOfPlan({ waves: [{ name: "data", restores: [web] }] }));
      const one = await ready(["--plan", "shop"], state, connectionTo(panel));
      assert.equal(one.code, 0, one.out);
    }));

  it("refuses a state that is none, before anything is asked", async () => {
    const none = { url: "https://panel.invalid", username: "a", password: "b" };
    const { code, err } = await ready([], {}, connectionTo(none));
    assert.deepEqual([code, /this is not the state of a stack/.test(err)], [3, true], err);
  });

  describe("with --provider", () => {
    const urn = "urn:pulumi:drill::shop::pulumi:providers:pulumi-nodejs::site";
    interface Stored {
      readonly deployment: { readonly resources: readonly (StackResource & { readonly provider?: string })[] };
    }

    /** A state with a restore of the stack's own panel, and one of an explicit provider's. */
    function twoPanels(site: Sandbox, password: unknown, program: "TypeScript" | "YAML" = "TypeScript"): object {
      const state = at(site, stackOf([web])) as {
        deployment: { resources: (StackResource & { provider?: string })[] };
      };
      const { resources } = state.deployment;
      const own = (stackOf([{ ...web, name: "here", machine: 99 }]) as typeof state).deployment.resources.slice(1);
      const there = resources.map((one) => (one.provider === undefined ? one : { ...one, provider: `${urn}::id` }));
      const settings = { endpoint: site.url, username: site.username, password };
      const provider = {
        urn,
        custom: true,
        type: "pulumi:providers:pulumi-nodejs",
        outputs: Object.fromEntries(Object.entries(settings).map(([name, value]) => [`recovery:${name}`, value])),
      };
      const both = { version: 3, deployment: { manifest: {}, resources: [provider, ...there, ...own] } };
      if (program === "TypeScript") return both;
      // The plugin's provider has a type of its own, and settings without a prefix.
      const text = JSON.stringify(both).replaceAll("providers:pulumi-nodejs", "providers:recovery");
      return JSON.parse(text.replaceAll(/"recovery:(endpoint|username|password)"/g, '"$1"')) as object;
    }

    const elsewhere = {
      RECOVERY_ENDPOINT: "https://panel.invalid",
      RECOVERY_USERNAME: "main",
      RECOVERY_PASSWORD: "password-of-the-main-panel",
    };

    for (const program of ["TypeScript", "YAML"] as const)
      it(`takes that provider's settings, and looks at its restores alone (${program})`, () =>
        onPanel({}, async (site) => {
          const { code, out, err } = await ready(
            ["--provider", "site", "--json"],
            twoPanels(site, shown(site.password), program),
            elsewhere,
          );
          assert.equal(code, 0, out + err);
          const { restores } = JSON.parse(out) as { restores: { name: string; provider: string }[] };
          assert.deepEqual(
            restores.map(({ name, provider }) => [name, provider]),
            [["web", "site"]],
          );
          assert.ok(!`${out}${err}`.includes(`"${site.password}"`));
        }));

    for (const format of ["json", "xml"] as const) {
      it(`is how to ask each panel of a stack: without it, what is on another cannot be told (${format})`, () =>
        onPanel({}, (site) =>
          onPanel({ username: "main" }, async (main) => {
            const environment = { ...connectionTo(main), RECOVERY_FORMAT: format };
            const own = (at(main, stackOf([{ ...web, name: "here" }])) as Stored).deployment;
            const both = twoPanels(site, shown(site.password)) as Stored;
            const [provider, ...resources] = both.deployment.resources;
            const there = resources.filter(({ provider: of = "" }) => of.startsWith(urn));
            const state = {
              version: 3,
              deployment: { manifest: {}, resources: [provider, ...own.resources, ...there] },
            };
            const all = await ready([], state, environment);
            assert.equal(all.code, 2, all.out + all.err);
            assert.match(all.out, new RegExp(`^ \\?\\? {2}web .* on ${site.url}`, "m"));
            assert.match(all.out, /^ ok {2}here /m);
            assert.match(
              all.out.replaceAll(/\n +/g, " "),
              /→ web: on another panel\. Ask its own panel: `pulumi-recovery ready --provider site`\./,
            );
            // Machine 42 of this panel is another one than that of the other.
            await inDirectory(async (folder) => {
              const inventory = join(folder, "machines.txt");
              writeFileSync(inventory, "# ours\n42\n");
              const only = { version: 3, deployment: { manifest: {}, resources: [provider, ...there] } };
              for (const [of, without] of [
                [state, []],
                [only, ["42"]],
              ] as const) {
                const { out } = await ready(["--inventory", inventory, "--json"], of, environment);
                assert.deepEqual((JSON.parse(out) as ReadyResult).withoutRestore, without, out);
              }
            });
            for (const [name, restore] of [
              ["site", "web"],
              ["default", "here"],
            ] as const) {
              const { code, out, err } = await ready(["--provider", name, "--json"], state, environment);
              assert.equal(code, 0, out + err);
              const { restores } = JSON.parse(out) as { restores: { name: string }[] };
              assert.deepEqual(
                restores.map((one) => one.name),
                [restore],
              );
            }
          }),
        ));
    }

    describe("with the stack's configuration of now", () => {
      /** A Pulumi CLI on the path that knows one stack. */
      const onStack = (state: object, config: Readonly<Record<string, string>>): Promise<Called> =>
        withPulumi(
          `case "$*" in
           "stack export --non-interactive --show-secrets --stack org/prod") cat "$FOLDER/state.json";;
           "config --json --show-secrets --non-interactive --stack org/prod") cat "$FOLDER/config.json";;
           *) exit 255;; esac`,
          (PATH, FOLDER) => {
            const values = Object.entries(config).map(([key, value]) => [key, { value, secret: false }] as const);
            writeFileSync(join(FOLDER, "state.json"), JSON.stringify(state));
            writeFileSync(join(FOLDER, "config.json"), JSON.stringify(Object.fromEntries(values)));
            return call(["ready", "--provider", "site", "--stack", "org/prod", "--json"], { PATH, FOLDER });
          },
        );
      const withOutputs = (state: object, change: (outputs: Record<string, unknown>) => object): object => {
        const { deployment, ...rest } = state as {
          deployment: { resources: { type: string; outputs: Record<string, unknown> }[] };
        };
        const resources = deployment.resources.map((one) =>
          one.type.startsWith("pulumi:providers:") ? { ...one, outputs: change(one.outputs) } : one,
        );
        return { ...rest, deployment: { ...deployment, resources } };
      };
      const findings = ({ out, err }: Called): readonly string[] => {
        const { restores } = JSON.parse(out === "" ? err : out) as {
          restores: { findings: { code: string; says: string }[] }[];
        };
        return restores.flatMap((one) => one.findings.map(({ code, says }) => `${code}: ${says}`));
      };
      const notAllowed = (where: string): RegExp =>
        new RegExp(`^machine\\.not-allowed: Machine 42 is not among .* it is not in ${where} \\(41\\)\\.$`);

      it("takes from it what the plugin's provider leaves out, and its list of machines", () =>
        onPanel({}, async (site) => {
          const leavesOut = withOutputs(twoPanels(site, shown(site.password), "YAML"), ({ endpoint }) => ({
            endpoint,
          }));
          const config = { "recovery:username": site.username, "recovery:password": site.password };
          const fine = await onStack(leavesOut, config);
          assert.equal(fine.code, 0, fine.out + fine.err);
          const refused = await onStack(leavesOut, { ...config, "recovery:allowedMachines": "41" });
          assert.equal(refused.code, 1, refused.out + refused.err);
          assert.match(String(findings(refused)), notAllowed("recovery:allowedMachines in the stack's configuration"));
          const own = withOutputs(leavesOut, (outputs) => ({ ...outputs, allowedMachines: '["41"]' }));
          assert.match(
            String(findings(await onStack(own, { ...config, "recovery:allowedMachines": "42" }))),
            notAllowed("recovery:allowedMachines in the provider site"),
          );
        }));

      it("takes its list of machines for the one that a provider in TypeScript has of the last run", () =>
        onPanel({}, async (site) => {
          const lastRun = (list: string): object =>
            withOutputs(twoPanels(site, shown(site.password)), (outputs) => ({
              ...outputs,
              "recovery:allowedMachines": list,
            }));
          const wider = await onStack(lastRun("41"), { "recovery:allowedMachines": "[41,42]" });
          assert.equal(wider.code, 0, wider.out + wider.err);
          const narrower = await onStack(lastRun("[41,42]"), { "recovery:allowedMachines": "41" });
          assert.match(String(findings(narrower)), notAllowed("recovery:allowedMachines in the stack's configuration"));
          const given = await ready(["--provider", "site", "--json"], lastRun("41"), {});
          assert.match(String(findings(given)), notAllowed("recovery:allowedMachines in the stack's configuration"));
          const own = withOutputs(lastRun("42"), (outputs) => ({
            ...outputs,
            "recovery:allowedMachinesOfProvider": "[41]",
          }));
          assert.match(
            String(findings(await onStack(own, { "recovery:allowedMachines": "42" }))),
            notAllowed("recovery:allowedMachines in the provider site"),
          );
        }));
    });

    it("default: says so where every restore has an explicit provider", () =>
      onPanel({}, async (site) => {
        const { deployment } = twoPanels(site, shown(site.password)) as Stored;
        const resources = deployment.resources.filter(({ provider = urn }) => provider.startsWith(urn));
        const { code, err } = await ready(
          ["--provider", "default"],
          { version: 3, deployment: { resources } },
          elsewhere,
        );
        assert.equal(code, 3);
        assert.match(err, /the state holds no restore without an explicit provider/);
      }));

    it("sends no other panel's password where the provider's own is encrypted", () =>
      onPanel({}, async (site) => {
        const { code, err } = await ready(["--provider", "site"], twoPanels(site, encrypted()), elsewhere);
        assert.equal(code, 3);
        assert.match(err, /recovery:password of the provider site is encrypted in this state: .*--show-secrets/);
        assert.deepEqual(site.requests(), []);
      }));
  });

  it("ends at once with Ctrl-C", async function () {
    this.timeout(60_000);
    let tell: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (tell = resolve));
    // A panel that never answers.
    const silent = await RawServer.start(() => {
      tell();
    });
    try {
      await inDirectory(async (folder) => {
        const file = join(folder, "state.json");
        writeFileSync(file, JSON.stringify(at(silent, stackOf([web]))));
        const child = spawn(process.execPath, [builtCommand, "ready", "--state", file], {
          env: { ...process.env, ...connectionTo({ url: silent.url, username: "a", password: "b" }) },
          stdio: "ignore",
        });
        const ended = once(child, "exit");
        await asked;
        const from = performance.now();
        child.kill("SIGINT");
        const [, signal] = (await ended) as unknown[];
        assert.equal(signal, "SIGINT");
        assert.ok(performance.now() - from < 2_000);
      });
    } finally {
      await silent.stop();
    }
  });
});
