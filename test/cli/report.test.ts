import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Report } from "../../report";
import { attentionOf } from "../../report/model/summary";
import { inDirectory } from "../sandbox/support/temporary-directory";
import * as cases from "../report/support/cases";
import { resourcesOf } from "../report/support/plans";
import { exportedStack } from "../report/support/stack";
import { call, type Called, withPulumi } from "./support/call";

/** Calls `report` on a state given on standard input, in a folder of its own. */
function reporting(
  state: object,
  args: readonly string[],
  use: (called: Called, folder: string) => void,
  environment: (folder: string) => Record<string, string> = () => ({}),
): Promise<void> {
  return inDirectory(async (folder) => {
    use(
      await call(["report", "-", "--out", join(folder, "out"), ...args], environment(folder), JSON.stringify(state)),
      folder,
    );
  });
}

describe("pulumi-recovery report", () => {
  it("writes every format, and ends with 0 whatever the run came to", async () => {
    for (const state of [cases.passed, cases.failed, cases.brokenOff]) {
      await reporting(state, [], ({ code, out, err }, folder) => {
        assert.deepEqual([code, err], [0, ""]);
        for (const name of ["report.html", "report.md", "report.json", "report.junit.xml"]) {
          assert.ok(existsSync(join(folder, "out", name)), name);
          assert.ok(out.includes(name));
        }
      });
    }
  });

  for (const [what, state, code] of [
    ["a run that passed", cases.passed, 0],
    ["one that passed with warnings", cases.withWarnings, 0],
    ["one that failed", cases.failed, 1],
    ["one that broke off", cases.brokenOff, 2],
    ["a stack that was never updated", cases.empty, 2],
  ] as const) {
    it(`--gate ends with ${String(code)} for ${what}, and the files are there`, () =>
      reporting(state, ["--gate"], (called, folder) => {
        assert.equal(called.code, code, called.err);
        assert.ok(existsSync(join(folder, "out", "report.html")));
      }));
  }

  it("sums up on the terminal what came of the run, and says why the gate is closed", () =>
    reporting(cases.checkFailed, ["--gate", "--format", "json"], ({ code, out, err }) => {
      assert.equal(code, 1);
      assert.match(out, /^Recovery drill: shop · 2026-Q4: Failed\n {2}3 of 3 restores complete, /);
      assert.match(out, /^ {2}slowest db, 25 min 11 s; oldest data content, 12 h 25 min 31 s$/m);
      assert.match(out, /^ {2}- Check failed: web, machine 42.*the answer was 503/m);
      assert.match(err, /^--gate: the run failed\. Recovery drill: shop · 2026-Q4: web \(wave front\): check 1 /);
      // eslint-disable-next-line no-control-regex -- what is looked for
      assert.doesNotMatch(out + err, /\u001b/, "no colour where nobody sees it");
    }));

  it("names a goal that was missed, worst first, and on the page leads to its row", () =>
    reporting(cases.withWarnings, [], ({ out }, folder) => {
      assert.match(out, /^ {2}- Missed: db, recovery time 25 min 11 s, 5 min 11 s over the goal of 20 min$/m);
      const page = readFileSync(join(folder, "out", "report.html"), "utf8");
      assert.match(page, /<a href="#restore-1">db<\/a>/);
      assert.match(page, /<tr id="restore-1"><th scope="row" class="sticky">db</);
      const made = JSON.parse(readFileSync(join(folder, "out", "report.json"), "utf8")) as Report;
      const restores = made.waves.flatMap((wave) => wave.restores);
      const late = restores.map(({ name }, index) => ({ restore: name, marginSeconds: -index }));
      const goals = late.map(
        (one) => ({ ...one, scope: "restore", goal: "recoveryTime", targetSeconds: 1, verdict: "missed" }) as const,
      );
      assert.deepEqual(
        attentionOf({ ...made, goals }).late.map(({ step }) => step.name),
        restores.map(({ name }) => name).reverse(),
      );
    }));

  it("--panel-link makes a link of each transaction, and refuses what is no address before anything is read", async () => {
    await reporting(cases.passed, ["--panel-link", "https://panel.example.com/t/{id}"], ({ code }, folder) => {
      assert.equal(code, 0);
      const page = readFileSync(join(folder, "out", "report.html"), "utf8");
      assert.match(page, /<a href="https:\/\/panel\.example\.com\/t\/5014" rel="noopener noreferrer">5014<\/a>/);
    });
    await reporting(cases.passed, ["--panel-link", "javascript:{id}"], ({ code, err }, folder) => {
      assert.equal(code, 3);
      assert.match(
        err,
        /--panel-link: "javascript:\{id\}" is not the address of a transaction's page: give one with http/,
      );
      assert.equal(existsSync(join(folder, "out")), false);
    });
  });

  it("gives each plan files of its own, whatever its name and its place", () => {
    const names = ["a-b", "a-b-3", "a b", "A/B"];
    const plans = names.map((plan) =>
      resourcesOf({
        plan,
        waves: [{ name: "data", restores: [{ name: "db", machine: 1, requested: 0, ran: 9, transaction: "1" }] }],
      }),
    );
    return reporting(exportedStack(plans.flat()), ["--format", "json"], (_called, folder) => {
      const of = (name: string): unknown =>
        (JSON.parse(readFileSync(join(folder, "out", `report-${name}.json`), "utf8")) as { scope: { name: string } })
          .scope.name;
      assert.deepEqual(["a-b", "a-b-3", "a-b-2", "A-B-4"].map(of), names);
    });
  });

  it("ends with 3 where the folder cannot be made, also below /proc", async function () {
    if (!existsSync("/proc/self")) this.skip();
    for (const folder of ["/proc/none", "/proc/none/deeper"]) {
      const { code, err } = await call(["report", "-", "--out", folder], {}, JSON.stringify(cases.passed));
      assert.deepEqual([code, /cannot be written/.test(err)], [3, true], err);
    }
  });

  it("--gate takes the worst of several plans, and each has its files", () => {
    const plan = (name: string, status: string): ReturnType<typeof resourcesOf> =>
      resourcesOf({
        plan: name,
        waves: [
          { name: "data", restores: [{ name: "db", machine: 1, requested: 0, ran: 9, status, transaction: "1" }] },
        ],
      });
    return reporting(
      exportedStack([...plan("a/b", "complete"), ...plan("a b", "failed"), ...plan("c", "running")]),
      ["--gate"],
      ({ code }, folder) => {
        assert.equal(code, 1);
        for (const name of ["report-a-b.html", "report-a-b-2.html", "report-c.html"])
          assert.ok(existsSync(join(folder, "out", name)), name);
      },
    );
  });

  it("--format writes only what is named, and --plan only that plan", () =>
    reporting(cases.planAndRestores, ["--format", "json,md", "--plan", "shop"], ({ code }, folder) => {
      assert.equal(code, 0);
      assert.deepEqual(
        ["html", "md", "json", "junit.xml"].map((ending) => existsSync(join(folder, "out", `report.${ending}`))),
        [false, true, true, false],
      );
    }));

  it("--summary appends to the job's summary, and keeps what is there", () =>
    reporting(
      cases.failed,
      ["--summary"],
      ({ out }, folder) => {
        const text = readFileSync(join(folder, "summary.md"), "utf8");
        assert.match(text, /^before\n### ❌ Recovery drill: shop/);
        assert.match(out, /Appended to the job's summary\n/);
      },
      (folder) => {
        writeFileSync(join(folder, "summary.md"), "before\n");
        return { GITHUB_STEP_SUMMARY: join(folder, "summary.md") };
      },
    ));

  it("--summary stays below what a summary holds, says that it was cut, and leaves nothing open", () =>
    reporting(
      cases.fleet(1_000),
      ["--summary", "--format", "md"],
      ({ out }, folder) => {
        const text = readFileSync(join(folder, "summary.md"), "utf8");
        assert.ok(readFileSync(join(folder, "out", "report.md")).length > 150_000);
        assert.ok(Buffer.byteLength(text) < 1_024_000);
        assert.match(
          text,
          /\*\*Cut here:\*\* the job's summary holds no more\. The whole report is in the files of .*\n$/,
        );
        assert.match(out, /cut to what it holds/);
        const [open, closed] = [/^<details>/gm, /^<\/details>$/gm].map((tag) => [...text.matchAll(tag)].length);
        assert.equal(open, closed);
      },
      (folder) => {
        writeFileSync(join(folder, "summary.md"), "x".repeat(900_000));
        return { GITHUB_STEP_SUMMARY: join(folder, "summary.md") };
      },
    )).timeout(60_000);

  it("--summary says where it has nowhere to go, and on GitLab what to do instead", async () => {
    await reporting(cases.passed, ["--summary"], ({ code, out }) => {
      assert.equal(code, 0);
      assert.match(out, /No job summary here \(GITHUB_STEP_SUMMARY is not set\)/);
    });
    await reporting(
      cases.passed,
      ["--summary"],
      ({ out }) => assert.match(out, /GitLab has no job summary: publish/),
      () => ({ GITLAB_CI: "true" }),
    );
  });

  it("a summary that cannot be written is said, and hides no verdict", async () => {
    const nowhere = (folder: string): Record<string, string> => ({
      GITHUB_STEP_SUMMARY: join(folder, "no", "such", "folder"),
    });
    await reporting(
      cases.passed,
      ["--summary", "--gate"],
      ({ code, err }) => {
        assert.equal(code, 3);
        assert.match(err, /the job's summary cannot be written: /);
      },
      nowhere,
    );
    await reporting(cases.failed, ["--summary", "--gate"], ({ code }) => assert.equal(code, 1), nowhere);
  });

  it("--history makes a page of the earlier reports and this one, and puts the run before beside it", () =>
    inDirectory(async (folder) => {
      const files = await Promise.all(
        cases
          .history()
          .slice(0, 4)
          .map(async (state, index) => {
            await call(["report", "-", "--out", join(folder, String(index))], {}, JSON.stringify(state));
            return join(folder, String(index), "report.json");
          }),
      );
      const out = join(folder, "now");
      const { code } = await call(
        ["report", "-", "--out", out, "--history", ...files],
        {},
        JSON.stringify(cases.passed),
      );
      assert.equal(code, 0);
      assert.equal(
        [...readFileSync(join(out, "history.html"), "utf8").matchAll(/<th scope="row" class="sticky">20\d\d-Q\d</g)]
          .length,
        5,
      );
      assert.equal(
        (JSON.parse(readFileSync(join(out, "report.json"), "utf8")) as { before: { run: string } }).before.run,
        "2026-Q3",
      );

      const alone = await call(["report", "--history-only", "--out", join(folder, "alone"), "--history", ...files]);
      assert.deepEqual([alone.code, alone.err], [0, ""]);
      assert.ok(existsSync(join(folder, "alone", "history.html")));
      assert.ok(!existsSync(join(folder, "alone", "report.html")));
    }));

  it("says what had no effect", async () => {
    await reporting(cases.passed, ["--goal-time", "1h"], ({ err }) =>
      assert.match(err, /for restores without a plan; a plan has its own goals/),
    );
    await reporting(cases.passed, ["--with-logs"], ({ err }) =>
      assert.match(err, /--with-logs: the state holds no log in plain/),
    );
    await reporting(cases.restoresWithLog, ["--with-logs"], ({ err }) => assert.equal(err, ""));
  });

  it("reads goals, and when recovery points were taken", () =>
    reporting(
      cases.restores,
      ["--goal-time", "25m", "--goal-age", "30d", "--taken-at", "1007=2026-11-21T01:00:00Z", "--gate"],
      ({ code, out }) => {
        assert.equal(code, 1);
        assert.match(out, /3 of 6 goals met/);
      },
    ));

  it("ends with 3 for a state that is none, also behind a gate: nothing was judged", async () => {
    for (const stdin of ["", "{", "[]", '{"outputs":{}}']) {
      const { code, err } = await call(["report", "-", "--gate", "--out", "/nowhere/at/all"], {}, stdin);
      assert.equal(code, 3);
      assert.match(err, /standard input is not JSON|not the state of a stack/);
    }
  });

  it("ends with 3 when it cannot write", () =>
    inDirectory(async (folder) => {
      writeFileSync(join(folder, "file"), "");
      const { code, err } = await call(
        ["report", "-", "--out", join(folder, "file")],
        {},
        JSON.stringify(cases.passed),
      );
      assert.equal(code, 3);
      assert.match(err, /report\.html cannot be written: /);
    }));

  describe("with a Pulumi CLI on the path", () => {
    function withCli(script: string, args: readonly string[]): Promise<Called> {
      return withPulumi(script, (PATH, folder) => {
        writeFileSync(join(folder, "state.json"), JSON.stringify(cases.passed));
        return call(["report", "--out", join(folder, "out"), ...args], { PATH, FOLDER: folder });
      });
    }

    it("exports the stack that is selected, or the one that is named", async () => {
      const script = 'test "$*" = "$WANTED" || { echo "called with $*" >&2; exit 9; }; cat "$FOLDER/state.json"';
      const selected = await withCli(script.replace("$WANTED", "stack export --non-interactive"), []);
      assert.deepEqual([selected.code, selected.err], [0, ""]);
      const named = await withCli(script.replace("$WANTED", "stack export --non-interactive --stack org/prod"), [
        "--stack",
        "org/prod",
      ]);
      assert.deepEqual([named.code, named.err], [0, ""]);
    });

    it("passes on what the CLI says when it cannot", async () => {
      const { code, err } = await withCli("echo \"error: no stack named 'prod' found\" >&2; exit 255", [
        "--stack",
        "prod",
      ]);
      assert.equal(code, 3);
      assert.match(
        err,
        /`pulumi stack export --non-interactive --stack prod` failed: error: no stack named 'prod' found/,
      );
    });
  });
});
