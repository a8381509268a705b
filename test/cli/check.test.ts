import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { SandboxOptions } from "../../sandbox";
import { certificate } from "../panel/support/certificate";
import { RawServer } from "../panel/support/raw-server";
import { inDirectory } from "../sandbox/support/temporary-directory";
import { call, type Called, connectionTo, onPanel, withPulumi } from "./support/call";
import { validate } from "./support/run-check";

const restored: SandboxOptions = {
  scenario: {
    machines: [{ id: 42, recoveryPoints: [1007] }],
    transactions: Array.from({ length: 20 }, (_, index) => ({
      machineId: 42,
      action: index % 2 === 0 ? "restore_backup" : "take_backup",
      status: "complete" as const,
      seconds: 60,
      ageSeconds: (30 - index) * 600,
    })),
  },
};

const check = (args: readonly string[], environment: Record<string, string>): Promise<Called> =>
  call(["check", ...args], environment);

describe("pulumi-recovery check", () => {
  it("ends with 0 where all is fine, with 2 where there are questions, and with 1 where there are faults", async () => {
    await onPanel(restored, async (panel) => {
      const fine = await check(["--machine", "42"], connectionTo(panel));
      assert.equal(fine.code, 0, fine.out);
      assert.match(fine.out, /^Connection\n ok {2}http:\/\/127\.0\.0\.1:\d+ as operator\.\n/);
      assert.match(fine.out, /\nMachine 42\n ok {2}Machine 42 is known/);
      assert.match(fine.out, /\nAll is fine\. \d+ GETs, nothing posted\.\n$/);
      assert.equal((await check(["--machine", "43"], connectionTo(panel))).code, 1);
      panel.addTransaction({ machineId: 42, action: "take_backup", seconds: 500 });
      assert.equal((await check(["--machine", "42"], connectionTo(panel))).code, 2);
      const refused = await check([], { ...connectionTo(panel), RECOVERY_PASSWORD: "wrong-one" });
      assert.equal(refused.code, 1);
      assert.match(
        refused.out,
        / !! {2}GET \/transactions\.json[^]*did not accept[^]*1 fault \(!!\): restores would fail\./,
      );
    });
  });

  it("counts a question that is known, asks it no more, and accepts no fault", () =>
    onPanel(restored, (panel) =>
      inDirectory(async (folder) => {
        panel.addTransaction({ machineId: 42, action: "take_backup", seconds: 500 });
        const file = join(folder, "known.json");
        const checked = (known: object, machine = "42"): Promise<Called> => {
          writeFileSync(file, JSON.stringify({ known: [{ why: "nightly", ...known }] }));
          return check(["--machine", machine, "--known", file], connectionTo(panel));
        };
        const accepted = await checked({ code: "machine.busy", about: "take_backup" });
        assert.equal(accepted.code, 0, accepted.out);
        assert.match(
          accepted.out,
          /\nAll is fine\. 1 known question is not asked again\. \d+ GETs, nothing posted\.\n$/,
        );
        assert.ok(!accepted.out.includes("Unfinished on machine"));
        assert.equal((await checked({ code: "machine.busy", about: "restart" })).code, 2);
        assert.equal((await checked({ code: "machine.unknown" }, "99")).code, 1);
        const json = await check(["--machine", "42", "--json", "--known", file], connectionTo(panel));
        assert.equal(validate(JSON.parse(json.out)), true, JSON.stringify(validate.errors));
      }),
    ));

  it("tells what it does while it reads, away from what it found", () =>
    onPanel(restored, async (panel) => {
      const { out, err } = await check(["--json"], connectionTo(panel));
      assert.match(err, /\nAsking http:\/\/127\.0\.0\.1:\d+ \(GET only, at most 55 requests\)\n {2}20 rows read/);
      const found: unknown = JSON.parse(out);
      assert.equal(validate(found), true, JSON.stringify(validate.errors));
      assert.equal(validate({ ...(found as object), verdict: "good" }), false);
      assert.equal(validate({ ...(found as object), password: "x" }), false);
    }));

  it("fits a terminal of 80 columns, but for what is to be pasted", async () => {
    for (const dialect of ["plain", "modern", "awkward"] as const) {
      await onPanel({ dialect: { preset: dialect, actionNames: "other", idStyle: "alphanumeric" } }, async (panel) => {
        panel.postRestoreAsSomebodyElse(42, 1007, { seconds: 500 });
        await new Promise((resolve) => setTimeout(resolve, dialect === "plain" ? 0 : 10));
        const { out } = await check(["--machine", "42"], connectionTo(panel));
        const long = out.split("\n").filter((line) => line.length > 80 && !/^ {9}\S/.test(line));
        assert.deepEqual(long, []);
      });
    }
  });

  it("refuses settings that cannot be, before anything is asked", async () => {
    const { code, err } = await check([], { RECOVERY_ENDPOINT: "https://panel.example", RECOVERY_USERNAME: "ops" });
    assert.equal(code, 3);
    assert.match(
      err,
      /recovery:password is not set[^]*The stack's configuration was not read: the Pulumi CLI could not be started/,
    );
  });

  it("says who signed a certificate that is not trusted, and sends nothing", async () => {
    const server = await RawServer.start((socket) => void socket.end(), { secure: true });
    try {
      const settings = { RECOVERY_ENDPOINT: server.url, RECOVERY_USERNAME: "ops", RECOVERY_PASSWORD: "xyzzy-plugh" };
      const { code, out } = await check([], settings);
      assert.equal(code, 1);
      assert.match(
        out,
        / !! {2}Certificate of localhost, signed by panel\.test, valid until 2126-10-28\.\n {5}This machine does not trust it \(\w+\)\./,
      );
      assert.match(out, /^ {9}pulumi config set recovery:caFile /m);
      assert.equal(server.received, "");
      await inDirectory(async (folder) => {
        const file = join(folder, "ca.pem");
        writeFileSync(file, certificate);
        const endpoint = server.url.replace("127.0.0.1", "localhost");
        const trusted = await check([], {
          ...settings,
          RECOVERY_ENDPOINT: endpoint,
          RECOVERY_CA_FILE: file,
          RECOVERY_REQUEST_TIMEOUT: "1s",
        });
        assert.match(trusted.out, / ok {2}Certificate of localhost/);
      });
    } finally {
      await server.stop();
    }
  });

  describe("with a Pulumi CLI on the path", () => {
    /** Prints a stack's configuration, as `pulumi config --json --show-secrets` does; any other call fails. */
    function withCli(config: object, args: readonly string[], environment: Record<string, string>): Promise<Called> {
      const wanted = "config --json --show-secrets --non-interactive";
      const script = `case "$*" in "${wanted}"|"${wanted} --stack org/prod") cat "$CONFIG";; *) echo "error: no stack ($*)" >&2; exit 255;; esac`;
      return withPulumi(script, (PATH, folder) => {
        const CONFIG = join(folder, "config.json");
        writeFileSync(CONFIG, JSON.stringify(config));
        return call(["check", ...args], { ...environment, PATH, CONFIG });
      });
    }

    it("takes each setting from the stack first, then from the environment, and shows no secret", () =>
      onPanel({ ...restored, password: "correct-horse-battery" }, async (panel) => {
        const config = {
          "recovery:endpoint": { value: panel.url, secret: false },
          "recovery:password": { value: panel.password, secret: true },
        };
        for (const args of [[], ["--stack", "org/prod"]]) {
          const { code, out, err } = await withCli(config, args, {
            RECOVERY_ENDPOINT: "https://elsewhere.invalid",
            RECOVERY_USERNAME: panel.username,
          });
          assert.equal(code, 0, out + err);
          assert.ok(!`${out}${err}`.includes("correct-horse"));
        }
      }));

    it("goes by the environment alone where no stack is selected, and fails where a stack was named", () =>
      onPanel(restored, async (panel) => {
        const selected = await withCli({}, [], { ...connectionTo(panel) });
        assert.equal(selected.code, 0);
        const named = await withCli({}, ["--stack", "gone"], connectionTo(panel));
        assert.equal(named.code, 3);
        assert.match(named.err, /pulumi config [^]*--stack gone` failed: error: no stack/);
        assert.equal(panel.requests().length > 0, true);
      }));

    it("quotes nothing of a configuration that it cannot read", async () => {
      const { code, err } = await withCli([], [], {});
      assert.equal(code, 3);
      assert.match(err, /recovery:endpoint is not set/);
    });
  });

  it("shows the password in no spelling, whatever the panel repeats of it", async function () {
    this.timeout(120_000);
    const secret = fc
      .array(fc.constantFrom("a", "Z", "7", '"', "'", "&", "<", "/", "+", "=", "ä", "€", "\\", "%", " "), {
        minLength: 6,
        maxLength: 12,
      })
      .map((parts) => `x${parts.join("")}q9`);
    await fc.assert(
      fc.asyncProperty(secret, fc.constantFrom("json", "xml"), async (password, format) => {
        const spelled = [
          password,
          JSON.stringify(password).slice(1, -1),
          encodeURIComponent(password),
          Buffer.from(password).toString("base64").replace(/=+$/, ""),
          Buffer.from(`operator:${password}`).toString("base64").replace(/=+$/, ""),
        ];
        const actions = [...spelled, `restore ${password}`];
        const transactions = actions.map((action) => ({
          machineId: 42,
          action,
          status: "complete" as const,
          seconds: 1,
        }));
        const scenario = { machines: [{ id: 42, identifier: "vm42", recoveryPoints: [1007] }], transactions };
        await onPanel({ password, scenario }, async (panel) => {
          for (const args of [["--machine", "42"], ["--json"]]) {
            for (const given of [password, `${password}.`]) {
              const environment = { ...connectionTo(panel), RECOVERY_PASSWORD: given, RECOVERY_FORMAT: format };
              const { out, err } = await check(args, environment);
              // A line may be broken within it.
              const said = `${out}${err}`.replaceAll(/\s+/g, "");
              for (const text of spelled)
                assert.ok(!said.includes(text.replaceAll(/\s+/g, "")), `${text} in\n${out}${err}`);
            }
          }
        });
      }),
      { numRuns: 12, seed: 20261121 },
    );
  });
});
