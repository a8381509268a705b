import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ProcessRow, processesInProc, processesOfPs, rowsOfTree } from "../../provider/checks/process-tree";

describe("the processes of a command", () => {
  const row = (pid: number, parent: number, group: number, session?: number, startedAt = "1"): ProcessRow => ({
    pid,
    parent,
    group,
    startedAt,
    ...(session !== undefined && { session }),
  });
  const pids = (rows: readonly ProcessRow[]): readonly number[] => rows.map(({ pid }) => pid).sort((a, b) => a - b);
  const others = [row(1, 0, 1, 1), row(50, 1, 50, 50), row(101, 50, 50, 50)];

  for (const [what, rows, expected] of [
    ["itself and its children", [row(100, 50, 100, 100), row(110, 100, 100, 100)], [100, 110]],
    ["one whose parent has ended, by its group", [row(110, 1, 100)], [110]],
    ["one in a group of its own whose parent has ended, by its session", [row(110, 1, 110, 100)], [110]],
    [
      "one in a session of its own, while its parent runs, and what it started",
      [row(111, 110, 110, 110), row(110, 100, 110, 110), row(100, 50, 100, 100)],
      [100, 110, 111],
    ],
    ["no daemon", [row(100, 50, 100, 100), row(110, 1, 110, 110)], [100]],
  ] as const) {
    it(`are ${what}`, () => {
      assert.deepEqual(pids(rowsOfTree([...others, ...rows], 100)), expected);
    });
  }

  it("are those seen before, too, but not later ones with their ids", () => {
    const earlier = [row(110, 100, 110, 110), row(120, 100, 120, 120)];
    const now = [...others, row(110, 1, 110, 110), row(120, 1, 120, 120, "2")];
    assert.deepEqual(pids(rowsOfTree(now, 100, earlier)), [110]);
  });

  for (const [by, list] of [
    ["/proc", processesInProc],
    ["ps", processesOfPs],
  ] as const) {
    it(`are found by ${by}, with a name full of brackets, and not once they have ended`, async function () {
      if (by === "/proc" && !existsSync("/proc/self/stat")) this.skip();
      const folder = mkdtempSync(join(tmpdir(), "recovery-tree-"));
      const name = join(folder, ") R (sl eep");
      symlinkSync("/bin/sleep", name);
      const child: ChildProcess = spawn(name, ["60"], { detached: true });
      const { pid = 0 } = child;
      const find = (): ProcessRow | undefined => list().find((one) => one.pid === pid);
      try {
        const { startedAt = "", ...found } = find() ?? {};
        assert.deepEqual(found, { pid, parent: process.pid, group: pid, ...(by === "/proc" && { session: pid }) });
        assert.notEqual(startedAt, "");
        assert.equal(find()?.startedAt, startedAt);
      } finally {
        child.kill("SIGKILL");
        rmSync(folder, { recursive: true });
      }
      await once(child, "exit");
      assert.equal(find(), undefined);
    });
  }
});
