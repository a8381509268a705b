import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { processesInProc, processesOfPs, type ProcessRow } from "../../provider/checks/process-list";
import { processTree } from "../../provider/checks/process-tree";

describe("the processes of a command", () => {
  const row = (pid: number, parent: number, group: number, session?: number, startedAt = "1"): ProcessRow => ({
    pid,
    parent,
    group,
    startedAt,
    ...(session !== undefined && { session }),
  });
  /** What a signal goes to, look after look: a group as a negative id, and each process outside it. */
  const signalled = (t: Mocha.Context, ...looks: readonly (readonly ProcessRow[])[]): readonly number[] => {
    if (process.platform === "win32") t.skip();
    const left = [...looks];
    const tree = processTree(100, () => left.shift() ?? []);
    for (let look = 1; look < looks.length; look++) tree.isRunning();
    const targets: number[] = [];
    const kill = process.kill.bind(process);
    process.kill = (pid) => {
      targets.push(pid);
      return true;
    };
    try {
      tree.signal("SIGTERM");
    } finally {
      process.kill = kill;
    }
    return targets.sort((a, b) => a - b);
  };
  const others = [row(1, 0, 1, 1), row(50, 1, 50, 50), row(101, 50, 50, 50)];

  for (const [what, rows, expected] of [
    ["itself and its children", [row(100, 50, 100, 100), row(110, 100, 100, 100)], [-100]],
    ["one whose parent has ended, by its group", [row(110, 1, 100)], [-100]],
    ["one in a group of its own whose parent has ended, by its session", [row(110, 1, 110, 100)], [-100, 110]],
    [
      "one in a session of its own, while its parent runs, and what it started",
      [row(111, 110, 110, 110), row(110, 100, 110, 110), row(100, 50, 100, 100)],
      [-100, 110, 111],
    ],
    ["no daemon", [row(100, 50, 100, 100), row(110, 1, 110, 110)], [-100]],
  ] as const) {
    it(`are ${what}`, function () {
      assert.deepEqual(signalled(this, [...others, ...rows]), expected);
      assert.equal(processTree(100, () => [...others, ...rows]).isRunning(), true);
      assert.equal(processTree(100, () => others).isRunning(), false);
    });
  }

  it("are those seen before, too, but not later ones with their ids", function () {
    const earlier = [row(100, 50, 100, 100), row(110, 100, 110, 110), row(120, 100, 120, 120)];
    const now = [...others, row(110, 1, 110, 110), row(120, 1, 120, 120, "2")];
    assert.deepEqual(signalled(this, earlier, now), [-100, 110]);
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
