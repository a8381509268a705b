import assert from "node:assert/strict";
import { mkdirSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { report as reportOf, toJson, type Report } from "../../report";
import { inDirectory } from "../sandbox/support/temporary-directory";
import * as cases from "../report/support/cases";
import { resourcesOf } from "../support/stored/plans";
import { restoreResource, threeRestores } from "../support/stored/restores";
import { exportedStack } from "../support/stored/stack";
import { assertGolden } from "../support/golden";
import { assertRefused, call, type Called, withPulumi } from "./support/call";

function reporting(
  state: object,
  args: readonly string[],
  use: (called: Called, folder: string) => void,
  environment: (folder: string) => Record<string, string> = () => ({}),
): Promise<void> {
  return inDirectory(async (folder) => {
    const line = ["report", "-", "--out", join(folder, "out"), ...args];
    use(await call(line, environment(folder), JSON.stringify(state)), folder);
  });
}

const printed = ({ out, err }: Pick<Called, "out" | "err">, folder: string): string =>
  `${out}${err}`.replaceAll(folder, ".").replaceAll("\\", "/").trimEnd();

const twoPlans = exportedStack([...resourcesOf(cases.shop), ...resourcesOf({ ...cases.shop, plan: "lab" })]);

describe("pulumi-recovery report", () => {
  for (const [what, state, code] of [
    ["a run that passed", cases.passed, 0],
    ["a run that passed with warnings", cases.withWarnings, 0],
    ["a run that failed", cases.failed, 1],
    ["a run that was interrupted", cases.brokenOff, 2],
    ["a stack that was never updated", cases.empty, 2],
    ["complete restores without a plan", cases.restores, 0],
    [
      "a failed restore without a plan",
      exportedStack([restoreResource({ name: "web", machine: 42, status: "failed" })]),
      1,
    ],
  ] as const)
    it(`writes every format for ${what}, and exits with 0 (with ${String(code)} if --gate is set)`, async () => {
      for (const args of [["--summary"], ["--gate"]])
        await reporting(state, args, (called, folder) => {
          assert.equal(called.code, args[0] === "--gate" ? code : 0, called.err);
          assert.equal(/^No job summary here .*\. The full report is in /m.test(called.out), args[0] === "--summary");
          assert.equal(called.err === "", called.code === 0);
          for (const name of ["report.html", "report.md", "report.json", "report.junit.xml"])
            assert.ok(existsSync(join(folder, "out", name)) && called.out.includes(name), name);
          if (args[0] === "--gate") assertGolden("report.txt", what, printed(called, folder));
        });
    });

  it("summarizes the run on the terminal, and says why --gate failed", () =>
    reporting(cases.checkFailed, ["--gate", "--format", "json"], ({ code, out, err }, folder) => {
      assert.equal(code, 1);
      assertGolden("report.txt", "a run in which a check failed", printed({ out, err }, folder));
      // oxlint-disable-next-line no-control-regex -- the character to find
      assert.doesNotMatch(out + err, /\u001b/, "no colors outside a terminal");
    }));

  it("reports no recovery time for a restore without a plan if the panel shows no times", () => {
    const web = restoreResource({ name: "web", machine: 42, status: "complete" });
    const stored = { ...web, modified: "2026-11-21T12:00:00Z" };
    return reporting(exportedStack([stored]), ["--format", "json"], ({ out }, folder) => {
      assert.match(out, /1 of 1 restore complete/);
      assert.doesNotMatch(out + readFileSync(join(folder, "out", "report.json"), "utf8"), /slowest|recoveredSeconds/);
    });
  });

  it("--since exits with 2 if the last restore or check is older than the given time, for example after an `up` that did nothing", async () => {
    const modified = "2026-11-21T12:00:00Z";
    const alone = exportedStack(threeRestores.map((one) => ({ ...restoreResource(one), modified })));
    const [once, open] = [/nothing has been recorded.* Each run restores only once/, /run this job again unchanged/];
    for (const [state, since, code, says] of [
      [cases.passed, "2026-11-21T10:42:23Z", 0, /^(?!--since)/],
      [cases.passed, "2026-11-21T10:42:24Z", 2, once],
      [cases.failed, "2026-11-22T00:00:00Z", 1, once],
      [cases.empty, "2026-11-21T09:00:00Z", 2, once],
      [cases.brokenOff, "2026-11-22T00:00:00Z", 2, open],
      // Without a plan, only the engine's time counts, because all other times come from the panel.
      [alone, modified, 0, /^$/],
      [alone, "2026-11-21T12:00:01Z", 2, once],
    ] as const) {
      await reporting(state, ["--gate", "--since", since], (called, folder) => {
        assert.equal(called.code, code, called.err);
        assert.ok(existsSync(join(folder, "out", "report.json")));
        assert.match(called.err, says);
      });
    }
    await reporting(cases.passed, ["--since", "yesterday"], (called) =>
      assertRefused(called, /--since must be a time with a time zone/),
    );
  });

  it("--run reports only that run, and exits with 2 without writing a report if the state contains a different run", async () => {
    const since = ["--since", "2026-11-21T09:00Z"];
    await reporting(cases.passed, ["--run", "2026-Q4", "--gate", "--plan", "shop", ...since], ({ code }, folder) => {
      assert.equal(code, 0);
      assert.ok(existsSync(join(folder, "out", "report.html")));
    });
    const held = { "2026-Q4 of shop": cases.passed, "2026-11-drill of drill": cases.restores };
    for (const [run, state] of Object.entries(held))
      await reporting(state, ["--run", "2027-Q1"], ({ code, err }, folder) => {
        assert.equal(code, 2);
        assert.match(err, new RegExp(`--run: the state contains no run 2027-Q1; it contains ${run}`));
        assert.equal(existsSync(join(folder, "out")), false);
      });
  });

  it("--json or --out - writes a single report to standard output, and nothing else", async () => {
    const state = JSON.stringify(cases.failed);
    const made = reportOf(cases.failed);
    const { code, out, err } = await call(["report", "-", "--json", "--gate", "--with-logs"], {}, state);
    assert.deepEqual([code, out], [1, toJson(made)]);
    assert.match(err, /^--with-logs: the state contains no log in plain.*--show-secrets.*\n--gate: the run failed/);
    const onState = (args: string, stdin = state): Promise<Called> =>
      call(["report", "-", ...args.split(" ")], {}, stdin);
    assert.match((await onState("--format md --out -")).out, /^### ❌ Recovery drill/);
    for (const args of ["--out -", "--json --format md", "--json --out x"])
      assert.equal((await onState(args)).code, 3, args);
    const both = JSON.stringify(twoPlans);
    assert.match((await onState("--json", both)).err, /the state contains shop, lab: choose one with --plan/);
    assert.match((await onState("--json --plan x", both)).err, /--plan: the state contains only shop, lab/);
    assert.equal((await onState("--json --plan lab", both)).code, 0);
  });

  it("--panel-link links each transaction, and rejects an invalid address before reading anything", async () => {
    await reporting(cases.passed, ["--panel-link", "https://panel.example.com/t/{id}"], ({ code }, folder) => {
      assert.equal(code, 0);
      const page = readFileSync(join(folder, "out", "report.html"), "utf8");
      assert.match(page, /<a href="https:\/\/panel\.example\.com\/t\/5014" rel="noopener noreferrer">5014<\/a>/);
    });
    await reporting(cases.passed, ["--panel-link", "javascript:{id}"], (called, folder) => {
      const said = /--panel-link: "javascript:\{id\}" is not the address of a transaction's page: use http/;
      assertRefused(called, said);
      assert.equal(existsSync(join(folder, "out")), false);
    });
  });

  it("lets the worst of several plans decide the result of --gate, and writes files for each plan", () => {
    const planOf = (plan: string, status: string, machine: number) => {
      const db = { name: "db", machine, requested: 0, ran: 9, status, transaction: String(machine) };
      return resourcesOf({ plan, waves: [{ name: "data", restores: [db] }] });
    };
    const all = [planOf("a/b", "complete", 1), planOf("a b", "failed", 2), planOf("c", "running", 3)];
    return reporting(exportedStack(all.flat()), ["--gate"], ({ code }, folder) => {
      assert.equal(code, 1);
      for (const name of ["report-a-b.html", "report-a-b-2.html", "report-c.html"])
        assert.ok(existsSync(join(folder, "out", name)), name);
    });
  });

  it("--format writes only the named formats, and --plan reports only the named plan", () =>
    reporting(twoPlans, ["--format", "json,md", "--plan", "shop"], ({ code }, folder) => {
      assert.equal(code, 0);
      assert.deepEqual(readdirSync(join(folder, "out")).sort(), ["report.json", "report.md"]);
    }));

  const summarizing = (
    state: object,
    args: readonly string[],
    before: string,
    use: (summary: string, called: Called, folder: string) => void,
  ): Promise<void> =>
    reporting(
      state,
      ["--summary", ...args],
      (called, folder) => {
        use(readFileSync(join(folder, "summary.md"), "utf8"), called, folder);
      },
      (folder) => {
        writeFileSync(join(folder, "summary.md"), before);
        return { GITHUB_STEP_SUMMARY: join(folder, "summary.md") };
      },
    );

  it("--summary appends to the job's summary, and keeps the existing text", () =>
    summarizing(cases.failed, [], "before\n", (text, { out }) => {
      assert.match(text, /^before\n### ❌ Recovery drill: shop/);
      assert.match(out, /Appended to the job's summary\n/);
    }));

  it("--summary stays within the size limit, says that the summary was cut, and leaves no tag unclosed", () =>
    summarizing(cases.fleet(1_000), ["--format", "md"], "x".repeat(900_000), (text, { out }, folder) => {
      assert.ok(readFileSync(join(folder, "out", "report.md")).length > 150_000);
      assert.ok(Buffer.byteLength(text) < 1_024_000);
      const said = /\*\*Cut here:\*\* the job's summary has no more room\. The full report is in .*\n$/;
      assert.match(text, said);
      assert.match(out, /cut to fit/);
      const [open, closed] = [/^<details>/gm, /^<\/details>$/gm].map((tag) => [...text.matchAll(tag)].length);
      assert.equal(open, closed);
    })).timeout(60_000);

  it("reports once that the job's summary cannot be written, and still exits with 1 for a failed run", async () => {
    const nowhere = (folder: string): Record<string, string> => ({ GITHUB_STEP_SUMMARY: join(folder, "no", "such") });
    for (const [state, expected] of [[cases.passed, 3] as const, [cases.failed, 1] as const, [twoPlans, 3] as const]) {
      const check = ({ code, err }: Called): void => {
        assert.equal(code, expected);
        assert.equal(err.split("the job's summary cannot be written: ").length, 2);
      };
      await reporting(state, ["--summary", "--gate"], check, nowhere);
    }
  });

  it("--history lists earlier runs on the page, whether given as files or as folders", () =>
    inDirectory(async (folder) => {
      const folders = cases.history().map((_, index) => join(folder, String(index)));
      for (const [index, state] of cases.history().entries())
        await call(["report", "-", "--out", folders[index]!], {}, JSON.stringify(state));
      mkdirSync(join(folder, "node_modules", "some"), { recursive: true });
      writeFileSync(join(folder, "node_modules", "some", "report-1.json"), "{}");
      for (const history of [folders, folders.map((one) => join(one, "report.json")), [folder]]) {
        const out = join(folder, "now");
        const args = ["report", "-", "--out", out, "--history", ...history];
        assert.equal((await call(args, {}, JSON.stringify(cases.passed))).code, 0);
        const { earlier = [] } = JSON.parse(readFileSync(join(out, "report.json"), "utf8")) as Report;
        assert.equal(earlier.map(({ run }) => run).join(), "2026-Q3,2026-Q2");
        assert.match(readFileSync(join(out, "report.html"), "utf8"), /<h2 id="earlier">Earlier runs</);
      }
    }));

  describe("with a Pulumi CLI on the path", () => {
    function withCli(script: string, args: readonly string[]): Promise<Called> {
      return withPulumi(script, (PATH, folder) => {
        writeFileSync(join(folder, "state.json"), JSON.stringify(cases.passed));
        return call(["report", "--out", join(folder, "out"), ...args], { PATH, FOLDER: folder });
      });
    }

    it("exports the selected stack or the named stack", async () => {
      for (const args of [[], ["--stack", "org/prod"]]) {
        const wanted = ["stack export --non-interactive", ...args].join(" ");
        const script = `test "$*" = "${wanted}" || { echo "called with $*" >&2; exit 9; }; cat "$FOLDER/state.json"`;
        const { code, err } = await withCli(script, args);
        assert.deepEqual([code, err], [0, ""]);
      }
    });

    it("shows the CLI's message when the export fails", async () => {
      const script = "echo \"error: no stack named 'prod' found\" >&2; exit 255";
      assertRefused(
        await withCli(script, ["--stack", "prod"]),
        /`pulumi stack export --non-interactive --stack prod` failed: error: no stack named 'prod' found/,
      );
    });
  });
});
