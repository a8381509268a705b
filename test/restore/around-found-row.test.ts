import assert from "node:assert/strict";
import fc from "fast-check";
import type { RestoreRecord } from "../../provider/inputs/record";
import { refreshRecord } from "../../provider/restore/resume-restore";
import { makeIntent, recordingReporter, requestFor, resume, take } from "../support/restore-programs";
import { thorough } from "../support/thorough";
import { VirtualClock } from "../support/virtual-clock";
import { type Manners, PanelAtWork, plainManners } from "./support/panel-at-work";
import { sessionOn } from "./support/process";

interface Scene {
  readonly rowsAbove: number;
  readonly rowsBelow: number;
  readonly pageSize: number;
  /** Rows of others between two parts of the chain. */
  readonly between: number;
  readonly known: number;
  readonly ids: Manners["ids"];
  /** New rows of others while the list is read, one in so many milliseconds. */
  readonly everyMs?: number;
}

const ways = ["refresh", "resume", "adopt"] as const;

/** Of a job of three parts the second has failed, and nothing but one of its ids is known. How it ends, and in how many requests. */
async function lookAt(
  { rowsAbove, rowsBelow, pageSize, between, known, ids, everyMs }: Scene,
  way: (typeof ways)[number],
): Promise<{
  readonly status: string;
  readonly ids: readonly string[];
  readonly all: readonly string[];
  readonly requests: number;
}> {
  const time = VirtualClock.ofLives();
  const panel = new PanelAtWork(time, { ...plainManners, ids, parts: "at once", answersAfterMs: 20 });
  const others = (count: number): void => {
    for (let made = 0; made < count; made++) panel.order({ machine: "43", kind: "backup" }, "panel", "complete", 0);
  };
  others(rowsBelow);
  const work = panel.order({ machine: "42", kind: "VmRestore", point: "1007" }, "person", "failed", 1_000);
  others(rowsAbove);
  if (between > 0) {
    panel.listing = (parts) => {
      const rest = parts.filter(({ work: { machine } }) => machine === "43");
      const at = parts.findIndex((part) => part.work === work);
      const own = parts.filter((part) => part.work === work);
      if (at < 0) return parts;
      // Lettered ids alone may stand anywhere.
      return [
        ...rest.slice(0, at),
        ...own.flatMap((part, index) => [part, ...rest.slice(at + index * between, at + (index + 1) * between)]),
        ...rest.slice(at + own.length * between),
      ];
    };
  }
  await time.run(time.pause(10_000));
  if (everyMs !== undefined) {
    let left = 300;
    const next = (): void => {
      others(1);
      if (--left > 0) time.after(everyMs, next);
    };
    next();
  }
  const session = sessionOn(panel, { ended: false }, { pageSize });
  const request = requestFor(await time.run(makeIntent(session)));
  const all = work.parts.map(({ id }) => id);
  const id = all[known] ?? "";
  const stored: RestoreRecord = { status: "running", transactionIds: [id], adopted: false, warnings: [] };
  const before = panel.requests;
  const done = (record: RestoreRecord) => ({
    status: record.status,
    ids: record.transactionIds,
    all,
    requests: panel.requests - before,
  });
  switch (way) {
    case "refresh":
      return done(await time.run(refreshRecord(session, request, stored, "x")));
    case "resume":
    case "adopt": {
      const result = await time.run(
        way === "resume"
          ? resume(session, request, stored, "x", recordingReporter())
          : take(session, request, id, "x", recordingReporter()),
      );
      assert.ok(result.kind !== "not-posted", JSON.stringify(result));
      return done(result.record);
    }
  }
}

describe("a restore of which one id is known ends when the whole of its chain was seen", () => {
  for (const way of ways) {
    it(`wherever a page ends: ${way}`, async () => {
      for (let offset = 0; offset < 10; offset++) {
        for (const known of [0, 1, 2]) {
          const scene = {
            rowsAbove: 90 + offset,
            rowsBelow: 40,
            pageSize: 10,
            between: 0,
            known,
            ids: "decimal",
          } as const;
          const { status, ids, all } = await lookAt(scene, way);
          assert.equal(status, "failed", JSON.stringify(scene));
          assert.deepEqual(ids, all, JSON.stringify(scene));
        }
      }
    });
  }

  it("whatever the pages, the rows of others around and between, and those that come in meanwhile", async () => {
    const scenes: fc.Arbitrary<Scene> = fc
      .record({
        rowsAbove: fc.nat(400),
        rowsBelow: fc.nat(40),
        pageSize: fc.constantFrom(3, 7, 10, 25, 100),
        between: fc.constant(0),
        known: fc.nat(2),
        ids: fc.constantFrom<Scene["ids"][]>("decimal", "lettered"),
        everyMs: fc.constantFrom(10, 50, 300, undefined),
      })
      .map(({ everyMs, ...scene }) => ({ ...scene, ...(everyMs !== undefined && { everyMs }) }));
    const spread: fc.Arbitrary<Scene> = scenes.chain((scene) =>
      fc.nat(8).map((between) => ({ ...scene, ids: "lettered", between })),
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(scenes, spread), fc.constantFrom(...ways), async (scene, way) => {
        const { status, ids, all } = await lookAt(scene, way);
        // Without order among letters and stamps, nothing tells which part fell with which.
        assert.ok(status === "failed" || (scene.ids === "lettered" && status === "cancelled"), status);
        assert.deepEqual([...ids].sort(), [...all].sort());
      }),
      { numRuns: thorough(150, 3_000) },
    );
  }).timeout(600_000);
});
