import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";

describe("the lock between two set-ups", () => {
  let folder = "";
  let lock = "";

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "recovery-lock-"));
    lock = join(folder, "below", "lock");
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it("lets one work at a time", async () => {
    const { withLock } = await import("../../tools/setup/lock.mjs");
    let inside = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setImmediate(resolve));
      inside--;
    };
    await Promise.all([withLock(lock, work), withLock(lock, work), withLock(lock, work)]);
    assert.equal(most, 1);
    assert.deepEqual(readdirSync(join(folder, "below")), []);
  });

  it("is given back when the work fails", async () => {
    const { withLock } = await import("../../tools/setup/lock.mjs");
    await assert.rejects(
      withLock(lock, () => Promise.reject(new Error("no"))),
      /no/,
    );
    assert.ok(!existsSync(lock));
  });

  it("is taken over from a process that is gone", async () => {
    const { withLock } = await import("../../tools/setup/lock.mjs");
    lock = join(folder, "lock");
    // No process has this id: it is above what any system hands out.
    writeFileSync(lock, JSON.stringify({ pid: 2 ** 30, host: hostname() }));
    assert.equal(await withLock(lock, () => Promise.resolve("worked")), "worked");
    assert.deepEqual(readdirSync(folder), []);
  });

  const now = 1_000_000;
  const holders: readonly [what: string, holder: { pid: number; host: string; seenAt: number }, stale: boolean][] = [
    ["a living one here", { pid: 1, host: "here", seenAt: now - 5_000 }, false],
    ["a dead one here", { pid: 2, host: "here", seenAt: now - 5_000 }, true],
    ["one elsewhere that showed itself", { pid: 2, host: "there", seenAt: now - 5_000 }, false],
    ["one elsewhere that went silent", { pid: 2, host: "there", seenAt: now - 120_000 }, true],
    ["a living one here that went silent: its number was given away again", { pid: 1, host: "here", seenAt: 0 }, true],
  ];
  for (const [what, holder, stale] of holders) {
    it(`${stale ? "does not respect" : "respects"} ${what}`, async () => {
      const { isStale } = await import("../../tools/setup/lock.mjs");
      assert.equal(
        isStale(holder, now, "here", (pid) => pid === 1),
        stale,
      );
    });
  }
});
