import assert from "node:assert/strict";
import { readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { named, onTrap, type Trap } from "../small-panels/trap";

interface Line {
  readonly read: string;
  readonly jobs: readonly {
    readonly rows: readonly string[];
    readonly verdict: string;
    readonly why?: readonly string[];
  }[];
  readonly state: string;
  readonly action: string;
}

describe("the trace of decisions", () => {
  it("has one line per read, with the state, the action, and each job's verdict and reasons, but never a password", async () => {
    const lines: string[] = [];
    const row: Trap["row"] = (job) => ({ ...named(job), user: "tr0ub4dor", action: `${job.action} password` });
    const stage = onTrap({ row }, { trace: (line) => lines.push(line) });
    stage.panel.work("42", "backup");
    await stage.up();
    const all = lines.map((line) => JSON.parse(line) as Line);
    const actions = [...new Set(all.map(({ action }) => action))];
    assert.deepEqual(actions, ["read", "get ready", "post", "end"]);
    assert.deepEqual([...new Set(all.map(({ state }) => state))], ["looking", "unlisted", "listed", "settling"]);
    const last = all.at(-1)?.jobs.find(({ verdict }) => verdict === "mine");
    assert.deepEqual(last?.rows, stage.idsOf(0));
    assert.ok(all.some(({ jobs }) => jobs.some(({ why = [] }) => why.includes("was there before this restore"))));
    assert.doesNotMatch(lines.join("\n"), /password/);
    stage.change(0, { timeouts: { busy: 0 } });
    stage.panel.work("42", "backup");
    stage.newTriggers(0);
    await stage.up();
    assert.match((JSON.parse(lines.at(-1) ?? "") as Line).action, /^not sent: restore "r0" .*timeouts\.busy is 0/);
  });

  it("is appended to a file that only its owner can read, and causes one warning if the file cannot be written", async () => {
    const file = join(tmpdir(), `trace-${String(process.pid)}.jsonl`);
    const traced = (to: string) => {
      process.env["RECOVERY_TRACE"] = to;
      return onTrap({ row: named }).up();
    };
    try {
      assert.deepEqual([(await traced(file)).warnings, (await traced("")).warnings], [[], []]);
      const lines = readFileSync(file, "utf8").trimEnd().split("\n");
      assert.equal((JSON.parse(lines.at(-1) ?? "") as Line).action, "end");
      if (process.platform !== "win32") assert.equal(statSync(file).mode & 0o777, 0o600);
      const { warnings } = await traced(join(file, "no", "such"));
      assert.equal(warnings.length, 1);
      assert.match(warnings[0] ?? "", /RECOVERY_TRACE: .* cannot be written \(\w+\), so no trace is kept/);
    } finally {
      delete process.env["RECOVERY_TRACE"];
      rmSync(file);
    }
  });
});
