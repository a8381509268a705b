import assert from "node:assert/strict";
import { goodFate, plainManners, type Manners } from "../../support/panel-at-work";
import { classOf } from "./explore";
import type { Beside, History } from "./history";
import { live } from "./live";

const vm42 = { kind: "VmRestore", machine: "42", point: "1001", wait: true, retryFailed: true, timeouts: {} } as const;
const vm43 = { ...vm42, machine: "43" } as const;
const up = { run: "up", pauseMs: 0 } as const;

function of(manners: Partial<Manners>, history: Partial<Omit<History, "manners">> = {}): History {
  return { manners: { ...plainManners, ...manners }, restores: [vm42, vm42], fates: [], steps: [], ...history };
}

/** Only the machines' logs name machines, and nothing links the parts, of which the first takes minutes. */
const unlinkedParts: Partial<Manners> = { tie: "log", parts: "one after the other", link: "none", stopMs: 200_000 };
const byPerson = (beside: Partial<Extract<Beside, { does: "restore" }>>): History["steps"][number] => ({
  ...up,
  beside: [{ does: "restore", atMs: 40_000, outcome: "complete", runsForMs: 5_000, ...vm42, ...beside }],
});
const runAgain = { ...up, pauseMs: 180_000, beside: [{ does: "run again", atMs: 180_000, machine: "42" }] } as const;
const stopped = { after: "sent", nth: 1, ms: 0, forMs: 120_000, how: "stopped" } as const;

/** Found among a million steps: each ended wrongly once. */
const histories: Readonly<Record<string, History>> = {
  "stopped for two minutes while it waits for the answer of a POST, and posts nothing more": of(
    {},
    { restores: [vm42, vm42, vm43], steps: [{ ...up, suspend: stopped }], places: 1 },
  ),
  "takes no other machine's restore that is under way and that the log does not name": of(unlinkedParts, {
    trafficMs: 20_000,
  }),
  "takes no part of another machine's restore that a person began before": of(unlinkedParts, {
    steps: [byPerson({ ...vm43, point: "1002", atMs: 50_000, runsForMs: 60_000 })],
  }),
  "waits for a person's restore of its machine that only the log names": of(unlinkedParts, { steps: [byPerson({})] }),
  "takes no row of others while it is unknown what is further down, above its mark": of(
    { tie: "log", isUnpaged: true },
    { restores: [vm42], trafficMs: 6_000, steps: [{ ...up, suspend: { ...stopped, ms: 50 } }] },
  ),
  "drops a guess that the log does not name, instead of waiting for its end": of(
    { ...unlinkedParts, parts: "parent and steps", link: "chain id", lateMs: [3_000], answersAfterMs: 700 },
    { restores: [vm42], trafficMs: 2_000 },
  ),
  "stores no others' rows as its own where `wait` is false": of(
    { tie: "log", parts: "at once", stopMs: 200_000, lateMs: [0, 3_000] },
    {
      restores: [vm42, vm42, vm43],
      steps: [up, { run: "refresh", triggers: [0, 2], pauseMs: 1_000 }, { ...up, wait: [2] }],
      trafficMs: 20_000,
    },
  ),
  "does not take an old page, on which the failed row is missing, for a restore that is complete": of(
    { parts: "one after the other", stopMs: 200_000 },
    {
      restores: [vm42],
      fates: [{ ...goodFate, outcome: "failed", runsForMs: 90_000 }],
      steps: [up, { run: "refresh", pauseMs: 0, beside: [{ does: "old pages", atMs: 0, forMs: 50_000 }] }, up],
    },
  ),
  "takes `adopt` of a failed job for mended neither while the panel runs it again, nor where the list does not show it":
    of(
      { parts: "one after the other", bareRows: true },
      {
        restores: [vm42],
        fates: [{ ...goodFate, outcome: "failed" }],
        steps: [up, runAgain, { ...up, advice: true, user: "colleague" }, { ...up, advice: true }],
      },
    ),
  "waits for its second part, which another machine's restore has taken for its own": of(
    { ...unlinkedParts, stopMs: 40_000, older: true, restoresTwice: true },
    { restores: [vm42, vm42, vm43] },
  ),
  "posts where others' rows of other machines never end, far down in pages of ten": of(
    { ...unlinkedParts, ids: "lettered", link: "chain id", answersAfterMs: 700 },
    { restores: [vm42, vm42, vm43], pageSize: 10, trafficMs: 2_000 },
  ),
  "stopped for two minutes while it reads a page further down, and posts nothing more": of(
    { tie: "log", link: "chain id", parts: "parent and steps", answersAfterMs: 700, older: true },
    {
      restores: [vm42, vm42, vm43],
      fates: [
        { ...goodFate, answer: "refused", carriedOut: false },
        { ...goodFate, outcome: "failed" },
        { ...goodFate, runsForMs: 90_000 },
      ],
      steps: [up, { ...up, suspend: { ...stopped, nth: 2, ms: 120_000 } }],
    },
  ),
  "posts where a hundred rows are under way, in pages of ten that take a second": of(
    { ids: "lettered", link: "chain id", parts: "at once", stopMs: 200_000, answersAfterMs: 700, older: true },
    { pageSize: 10, trafficMs: 2_000 },
  ),
  "takes no row that the log does not name yet, where the log names the restore before": of(
    { tie: "log", link: "chain id", parts: "one", lateMs: [0, 3_000, 55_000], older: true },
    {
      restores: [vm42, { ...vm42, timeouts: { listed: 60 } }],
      fates: [{ ...goodFate, runsForMs: 90_000 }],
      steps: [{ ...up, kill: { after: "sent", nth: 1, ms: 25_424, orphanMs: 0 } }, up],
      pageSize: 10,
      trafficMs: 2_000,
    },
  ),
  "posts nothing where a person has the panel run an earlier failed attempt again": of(
    { link: "chain id", parts: "at once", stopMs: 40_000, older: true },
    {
      restores: [vm42],
      fates: [
        { ...goodFate, outcome: "failed" },
        { ...goodFate, outcome: "failed" },
      ],
      steps: [up, { ...runAgain, pauseMs: 0 }],
    },
  ),
  "is looked for again where a stop of its machine is listed, and not the restore": of(
    { link: "chain id", parts: "one after the other", stopMs: 40_000, lateMs: [55_000], older: true },
    { restores: [{ ...vm42, timeouts: { listed: 60 } }, vm42, { ...vm42, timeouts: { listed: 60 } }] },
  ),
};

describe("a restore", () => {
  for (const [what, history] of Object.entries(histories))
    it(what, async function () {
      this.timeout(120_000);
      const life = await live(history, { trace: true });
      assert.equal(classOf(life), undefined, life.trace.join("\n"));
    });
});
