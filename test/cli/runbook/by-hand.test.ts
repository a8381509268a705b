import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { startSandbox } from "../../../sandbox";
import { runbookCase } from "../support/runbook-cases";
import { blocksOf, htmlBlocksOf, inBash, pagesOf } from "../support/runbook-page";

describe("the runbook's lines on a panel", () => {
  before(function () {
    if (["curl", "bash"].every((name) => spawnSync(name, ["--version"]).status === 0)) return;
    process.stderr.write("there is no curl or no bash here, so the lines are not run\n");
    this.skip();
  });

  it("list the points, restore what the state declares, once each and in order, and list the transactions", async () => {
    const password = `it's "a" $(false) \\ pass word`;
    const sandbox = await startSandbox({ speed: 20_000, password });
    try {
      const state = JSON.parse(
        JSON.stringify(runbookCase).replaceAll("https://panel.example.com", sandbox.url),
      ) as object;
      const { before, steps } = blocksOf(pagesOf(state).markdown);
      assert.equal(before.length, 1);
      for (const step of steps) {
        const lines = step.filter((block) => /RECOVERY_ENDPOINT|\bread\b/.test(block));
        const { status, out, err } = await inBash(`set -e\n${[...before, ...lines].join("")}`, [
          sandbox.username,
          password,
          "1008",
        ]);
        assert.deepEqual([status, err], [0, ""], out);
        assert.ok(!out.includes(password));
        const isAtWork = (): boolean => sandbox.restores().some(({ endedAt }) => endedAt === undefined);
        for (let tries = 0; isAtWork() && tries < 500; tries++) await pause(20);
      }
      assert.deepEqual(
        sandbox.restores().map(({ machineId, recoveryPointId, kind, paths, by, status }) => ({
          machineId,
          recoveryPointId,
          kind,
          ...(paths && { paths }),
          by,
          status,
        })),
        [
          { machineId: "43", recoveryPointId: "1008", kind: "machine" },
          { machineId: "42", recoveryPointId: "1007", kind: "machine" },
          { machineId: "42", recoveryPointId: "1009", kind: "files", paths: ["/var/www", "/srv/it's $HOME"] },
          { machineId: "44", recoveryPointId: "1007", kind: "machine" },
          { machineId: "44", recoveryPointId: "1008", kind: "files", paths: ["/var/mail"] },
        ].map((one) => ({ ...one, by: "post", status: "complete" })),
      );
      const machine = (id: number, point: number, rest: string): string =>
        `/virtual_machines/${id}/backups/recovery_points/${point}/${rest}`;
      const step = (id: number, post: string, body?: string): readonly unknown[] => [
        ["GET", `/virtual_machines/${id}/backups/recovery_points.json`, undefined, 200],
        ["POST", post, body, sandbox.requests().find(({ method }) => method === "POST")?.status],
        ["GET", "/transactions.json/per_page/100", undefined, 200],
      ];
      assert.deepEqual(
        sandbox.requests().map(({ method, path, body, status }) => [method, path, body, status]),
        [
          step(43, machine(43, 1008, "restore.json")),
          step(42, machine(42, 1007, "restore.json")),
          step(42, machine(42, 1009, "file_entries.json"), `{"paths":["/var/www","/srv/it's $HOME"]}`),
          step(44, machine(44, 1007, "restore.json")),
          step(44, machine(44, 1008, "file_entries.json"), `{"paths":["/var/mail"]}`),
        ].flat(),
      );
    } finally {
      await sandbox.stop();
    }
  });

  it("send nothing while the recovery point is not chosen", async () => {
    const sandbox = await startSandbox();
    try {
      const { steps } = blocksOf(pagesOf(runbookCase).markdown);
      const post = steps[0]?.find((block) => block.includes("-X POST")) ?? "";
      const { status, err } = await inBash(`RECOVERY_ENDPOINT=${sandbox.url}\n${post}`, []);
      assert.notEqual(status, 0);
      assert.match(err, /point_1: parameter null or not set/);
      assert.deepEqual(sandbox.requests(), []);
    } finally {
      await sandbox.stop();
    }
  });

  it("are the same in both formats", () => {
    const { html, markdown } = pagesOf(runbookCase);
    const { before, steps } = blocksOf(markdown);
    assert.deepEqual(htmlBlocksOf(html), [...before, ...steps.flat()]);
  });
});
