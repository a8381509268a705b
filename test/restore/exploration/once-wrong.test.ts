import assert from "node:assert/strict";
import { goodFate, plainManners, type Manners } from "../../support/panel-at-work";
import { classOf } from "./explore";
import type { Beside, History } from "./history";
import { live } from "./live";

const vm42 = { kind: "VmRestore", machine: "42", point: "1001", wait: true, retryFailed: true, timeouts: {} } as const;
const vm43 = { ...vm42, machine: "43" } as const;
const files42 = { ...vm42, kind: "FileRestore", paths: ["/etc/hosts"] } as const;
const up = { run: "up", pauseMs: 0 } as const;

function of(manners: Partial<Manners>, history: Partial<Omit<History, "manners">> = {}): History {
  return { manners: { ...plainManners, ...manners }, restores: [vm42, vm42], fates: [], steps: [], ...history };
}

/** Only the machines' logs name machines, nothing links the parts, and the first part takes minutes. */
const unlinkedParts: Partial<Manners> = { tie: "log", parts: "one after the other", link: "none", stopMs: 200_000 };
const byPerson = (beside: Partial<Extract<Beside, { does: "restore" }>>): History["steps"][number] => ({
  ...up,
  beside: [{ does: "restore", atMs: 40_000, outcome: "complete", runsForMs: 5_000, ...vm42, ...beside }],
});
const runAgain = { ...up, pauseMs: 180_000, beside: [{ does: "run again", atMs: 180_000, machine: "42" }] } as const;
const stopped = { after: "sent", nth: 1, ms: 0, forMs: 120_000, how: "stopped" } as const;

const killedChange = { ...up, points: [0], kill: { after: "sent", nth: 1, ms: 0, orphanMs: 0 } } as const;
const takenBack = { ...up, back: true } as const;

/** Histories that the exploration found among a million steps. Each of them once had a wrong outcome. */
const histories: Readonly<Record<string, History>> = {
  "is not posted if its process is stopped for two minutes during another POST": of(
    {},
    { restores: [vm42, vm42, vm43], steps: [{ ...up, suspend: stopped }], places: 1 },
  ),
  "does not claim another machine's running restore if the log does not name it": of(unlinkedParts, {
    trafficMs: 20_000,
  }),
  "does not claim a part of a restore that somebody started earlier on another machine": of(unlinkedParts, {
    steps: [byPerson({ ...vm43, point: "1002", atMs: 50_000, runsForMs: 60_000 })],
  }),
  "waits for a restore started by hand that only the machine's log names": of(unlinkedParts, { steps: [byPerson({})] }),
  "does not claim somebody else's rows while older rows above its mark are unread": of(
    { tie: "log", isUnpaged: true },
    { restores: [vm42], trafficMs: 6_000, steps: [{ ...up, suspend: { ...stopped, ms: 50 } }] },
  ),
  "drops a guess that the log does not confirm instead of waiting for the guessed job to end": of(
    { ...unlinkedParts, parts: "parent and steps", link: "chain id", lateMs: [3_000], answersAfterMs: 700 },
    { restores: [vm42], trafficMs: 2_000 },
  ),
  "does not store somebody else's rows as its own if `wait` is false": of(
    { tie: "log", parts: "at once", stopMs: 200_000, lateMs: [0, 3_000] },
    {
      restores: [vm42, vm42, vm43],
      steps: [up, { run: "refresh", triggers: [0, 2], pauseMs: 1_000 }, { ...up, wait: [2] }],
      trafficMs: 20_000,
    },
  ),
  "is not reported as complete if an outdated page lacks the failed row": of(
    { parts: "one after the other", stopMs: 200_000 },
    {
      restores: [vm42],
      fates: [{ ...goodFate, outcome: "failed", runsForMs: 90_000 }],
      steps: [up, { run: "refresh", pauseMs: 0, beside: [{ does: "old pages", atMs: 0, forMs: 50_000 }] }, up],
    },
  ),
  "is not reported as fixed by `adopt` while the panel is rerunning the failed job or does not list the job": of(
    { parts: "one after the other", bareRows: true },
    {
      restores: [vm42],
      fates: [{ ...goodFate, outcome: "failed" }],
      steps: [up, runAgain, { ...up, advice: true, user: "colleague" }, { ...up, advice: true }],
    },
  ),
  "waits for its second part even if another machine's restore has claimed that part": of(
    { ...unlinkedParts, stopMs: 40_000, older: true, restoresTwice: true },
    { restores: [vm42, vm42, vm43] },
  ),
  "is posted even if, with pages of ten, an endless stream of other rows keeps pushing the list down": of(
    { ...unlinkedParts, ids: "lettered", link: "chain id", answersAfterMs: 700 },
    { restores: [vm42, vm42, vm43], pageSize: 10, trafficMs: 2_000 },
  ),
  "is not posted if its process is stopped for two minutes while reading a later page": of(
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
  "is posted even if a hundred jobs are running and the list arrives in slow pages of ten": of(
    { ids: "lettered", link: "chain id", parts: "at once", stopMs: 200_000, answersAfterMs: 700, older: true },
    { pageSize: 10, trafficMs: 2_000 },
  ),
  "does not claim a row that is not in the log yet if the log already names the previous restore": of(
    { tie: "log", link: "chain id", parts: "one", lateMs: [0, 3_000, 55_000], older: true },
    {
      restores: [vm42, { ...vm42, timeouts: { listed: 60 } }],
      fates: [{ ...goodFate, runsForMs: 90_000 }],
      steps: [{ ...up, kill: { after: "sent", nth: 1, ms: 25_424, orphanMs: 0 } }, up],
      pageSize: 10,
      trafficMs: 2_000,
    },
  ),
  "is not posted if the panel is rerunning an earlier failed attempt": of(
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
  "is searched for again if only the stop of its machine is listed": of(
    { link: "chain id", parts: "one after the other", stopMs: 40_000, lateMs: [55_000], older: true },
    { restores: [{ ...vm42, timeouts: { listed: 60 } }, vm42, { ...vm42, timeouts: { listed: 60 } }] },
  ),
  "is searched for after a change is reverted even if its first part, a stop, outlasts the search": of(
    { parts: "one after the other", link: "chain id", stopMs: 200_000 },
    { restores: [files42], steps: [up, killedChange, takenBack] },
  ),
  "is searched for after a change is reverted even if `wait` is false": of(
    {},
    { restores: [vm42], steps: [{ ...up, wait: [0] }, killedChange, takenBack] },
  ),
  "is searched for after a change is reverted even if `--target` left its intent out": of(
    {},
    { restores: [vm42], steps: [up, killedChange, { ...takenBack, target: { restores: [0], intents: false } }, up] },
  ),
  "is adopted as the question advises if somebody restored the machine after new triggers were reverted": of(
    {},
    {
      restores: [{ ...vm42, wait: false, timeouts: { busy: 0 } }],
      steps: [
        byPerson({ atMs: 50_000, outcome: "failed", runsForMs: 20_000 }),
        { ...up, triggers: [0], pauseMs: 180_000 },
        takenBack,
      ],
    },
  ),
};

describe("a restore", () => {
  for (const [what, history] of Object.entries(histories))
    it(what, async function () {
      this.timeout(120_000);
      const life = await live(history, { trace: true });
      assert.equal(classOf(life), undefined, life.trace.join("\n"));
    });

  for (const ids of ["decimal", "lettered"] as const)
    it(`is sent after a kill without extra list reads, even while others keep restoring (${ids} ids)`, async () => {
      const kill = { after: "saved", nth: 1, ms: 0, orphanMs: 0 } as const;
      const steps = [{ ...up, kill }];
      const others = { restores: [vm42], fates: [goodFate], steps, trafficMs: 2_000, pageSize: 10 };
      const life = await live(of({ ids, answersAfterMs: 700 }, others));
      assert.equal(life.finding, undefined);
      assert.ok(life.requests < 150, `${String(life.requests)} requests`);
    });
});
