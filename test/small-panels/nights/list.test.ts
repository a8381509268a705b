import assert from "node:assert/strict";
import { type OnStage, web } from "../stage";
import { named, onTrap, stamped, type Trap } from "../trap";
import type { Shown } from "../taste";

const minute = 60_000;
const hours = 3_600;

const plainest: Trap["row"] = ({ status, machine }) => ({ status, virtual_machine_id: Number(machine) });
const rows = { plainest, ordinary: stamped };

const lettered = { id: ({ no }: { readonly no: number }) => `tx-${((no * 7_919) % 46_656).toString(36)}` };
const ids = { "decimal ids": {}, "lettered ids": lettered };

const lastChange = ({ at, runs, ends, now }: Shown): number => (now >= ends ? ends : now >= runs ? runs : at);
/** Sorts a list by this number, and jobs with the same number newest first. */
const sortedBy = (numberOf: (job: Shown) => number): Partial<Trap> => ({
  sort: (one, other) => numberOf(one) - numberOf(other) || other.no - one.no,
});
const byLastChange = sortedBy((job) => -lastChange(job));

/** Jobs on other machines, started an hour ago. The latest `newest` jobs run for `seconds`; the others ended at once. */
const running =
  (newest: number, seconds: number): NonNullable<Trap["past"]> =>
  (back) => ["7", "start", (3_600 + back) * 1_000, back <= newest ? seconds : 0.5];

/** Starts jobs on other machines, and waits until they have ended. */
async function othersWork(stage: OnStage, count: number): Promise<void> {
  for (let nth = 0; nth < count; nth++) stage.panel.work(String(7_300 + nth), "start");
  await stage.time.advance(minute);
}

const postedIds = ({ posted }: OnStage): readonly string[] => posted.flatMap(({ ids }) => ids.map(String));

/** Checks that, after the next run, the restore is complete, has been sent only once, and has the id of its own row. */
async function isSentOnce(stage: OnStage): Promise<void> {
  await stage.completes(1);
  assert.deepEqual(stage.idsOf(0), postedIds(stage));
}

describe("a restore whose run was killed after its POST", () => {
  /** Checks that a question names the restore, and that nothing else is posted. */
  const isAsked = async (stage: OnStage): Promise<void> => {
    const said = await stage.said();
    const [own = "", ...more] = postedIds(stage);
    assert.deepEqual(more, []);
    assert.ok(said.includes(`adopt: "${own}"`), said);
  };

  const orders = {
    "sorted by last change": { ...byLastChange, past: running(6, 3_900) },
    "with unfinished jobs first": { ...sortedBy(({ hasEnded }) => Number(hasEnded)), past: running(6, 4 * hours) },
  };
  for (const [order, how] of Object.entries(orders))
    for (const [numbered, id] of Object.entries(ids))
      for (const [shown, row] of Object.entries(rows))
        it(`is not posted again if it is on page 2 of a list ${order}: ${numbered}, ${shown} rows`, async () => {
          const stage = onTrap({ row, ...id, ...how, cap: 10 });
          await stage.killed(1_000);
          await stage.time.advance(minute);
          await othersWork(stage, 12);
          await stage.time.advance(4 * minute);
          // Nothing in the plainest rows shows which of them belongs to this restore.
          await (shown === "plainest" ? isAsked(stage) : isSentOnce(stage));
        });

  it("is not posted again even if the first six ids happened to be in order", async () => {
    const stage = onTrap({ row: stamped, id: ({ no }) => (no <= 124 ? 900_000 + no : 800_000 - no), old: 6 });
    await stage.killed(1_000);
    await stage.time.advance(minute);
    await isSentOnce(stage);
  });

  for (const [numbered, id] of Object.entries(ids))
    for (const count of [5, 8, 9, 12, 120])
      it(`is found even if the list was empty and now also shows ${String(count)} newer jobs: ${numbered}`, async () => {
        const stage = onTrap({ row: stamped, ...id, old: 0 });
        await stage.killed(1_000);
        await stage.time.advance(minute);
        await othersWork(stage, count);
        await isSentOnce(stage);
      });
});

describe("an earlier restore of the same machine from the same point", () => {
  /** Kills a run while it waits for the machine's backup. The earlier restore is the given number of rows below the backup. */
  const killedBefore = async (how: Partial<Trap>, drillAgo: number, settings: Record<string, string> = {}) => {
    const row: Trap["row"] = (job) => {
      const drill = { ...job, machine: "42", action: "restore_virtual_machine", point: "1007" };
      const shown = job.no === 131 - drillAgo ? drill : job;
      return { ...named(shown), recovery_point_id: shown.point ?? null };
    };
    const stage = onTrap({ row, past: running(0, 0), ...how }, { settings });
    stage.panel.work("42", "backup");
    await stage.up({ kill: stage.time.pause(3_000) });
    assert.equal(stage.posted.length, 0);
    return stage;
  };

  it("is not mistaken for the restore of a run that was killed before its POST, even if pages have become longer in the meantime", async () => {
    const stage = await killedBefore(lettered, 20, { "recovery:pageSize": "10" });
    await stage.time.advance(minute);
    stage.set({ "recovery:pageSize": "100" });
    await isSentOnce(stage);
  });

  it("is not adopted even if only a later page shows that the list is not ordered by number", async () => {
    // The job that was the newest at the kill ends just before the 110 jobs start.
    const stage = await killedBefore({ ...byLastChange, past: running(1, 3_601 + 100) }, 30);
    await othersWork(stage, 5);
    await stage.time.advance(minute);
    await othersWork(stage, 110);
    await isSentOnce(stage);
  });

  for (const count of [0, 4, 5, 8, 9, 10, 14])
    it(`is not mistaken for the killed run's restore, even if it was on the second page and ${String(count)} jobs have been listed since`, async () => {
      const stage = await killedBefore({ ...lettered, cap: 10 }, 10);
      await othersWork(stage, count);
      await isSentOnce(stage);
    });

  for (const count of [0, 4, 5, 8, 9, 10, 14])
    it(`is not mistaken for the next attempt, even if it was on the second page when an attempt failed and ${String(count)} jobs have been listed since`, async () => {
      const stage = await killedBefore({ ...lettered, cap: 10 }, 9);
      await stage.upFailing();
      assert.deepEqual([stage.statuses(), stage.posted.length], [["failed"], 1]);
      await othersWork(stage, count);
      await stage.completes(2);
    });
});

/** What may go wrong in a single read of the list. */
const bad: Readonly<Record<string, (pause: (ms: number) => Promise<void>) => Promise<void>>> = {
  "times out once": (pause) => pause(40_000),
  "returns too much data three times": () => Promise.reject(Object.assign(new Error(), { code: "TOO_LARGE" })),
};

describe("the first read of the list", () => {
  for (const [what, answer] of Object.entries(bad)) {
    const most = what.endsWith("once") ? 1 : 3;
    it(`is repeated if it ${what}`, async () => {
      let reads = 0;
      const stage = onTrap({ row: plainest }, {}, async (_request, usual, world) => {
        if (++reads <= most) await answer((ms) => world.pause(ms));
        return usual();
      });
      await stage.completes(1);
    });
  }

  it("makes `up` fail before anything is sent: within two minutes if the panel returns errors, and within seconds if it rejects the credentials", async () => {
    for (const status of [503, 401, 403]) {
      const stage = onTrap({ row: plainest }, {}, () => ({ status }));
      const began = stage.time.now();
      assert.match(await stage.said(), /^restore "r0" \(machine 42, .*was not sent/);
      assert.ok(stage.time.now() - began < (status === 503 ? 2 * minute : 10_000));
    }
  });
});

it("a list whose newest 3,000 jobs have not ended is read only as far as needed to send the restore", async () => {
  const past: Trap["past"] = (back, length) => ["7", "start", 60_000 + back, length * 1_000];
  const stage = onTrap({ row: stamped, past, old: 3_000 }, { restoreSeconds: 20 });
  assert.deepEqual((await stage.up()).errors, new Map());
  assert.equal(stage.posted.length, 1);
  assert.ok(stage.requests < 1_000, `${String(stage.requests)} requests`);
});

for (const [what, empty] of Object.entries({
  "status 204": { status: 204 },
  "a redirect": { status: 302, headers: { location: "/transactions" } },
  "an HTML page": { status: 200, body: "<html><body>No more pages</body></html>" },
  "an object": { status: 200, body: { last: true } },
  "null and a total": { status: 200, body: { jobs: null, total: 14 } },
}))
  // With the restore's row, nine old rows fill a page. Behind it, anything that is not a list may hide more rows.
  for (const old of /redirect|HTML|object/.test(what) ? [5, 30] : [5, 9, 30])
    it(`a restore completes even if empty pages are answered with ${what} and the list has ${String(old)} old rows`, async () => {
      const stage = onTrap({ row: stamped, old, cap: 10 }, { restoreSeconds: 30 }, async ({ method }, usual) => {
        const answer = await usual();
        return method === "GET" && Array.isArray(answer.body) && answer.body.length === 0 ? empty : answer;
      });
      const began = stage.time.now();
      await stage.completes(1);
      assert.ok(stage.time.now() - began < 4 * minute);
    });

it("a failed restore is still reported as failed after the list has lost its older rows, and new triggers send it again", async () => {
  let oldest = 0;
  const stage = onTrap({ row: plainest }, {}, async ({ method }, usual) => {
    const answer = await usual();
    const isList = method === "GET" && Array.isArray(answer.body);
    return isList ? { ...answer, body: answer.body.filter(({ id }: { id: number }) => id >= oldest) } : answer;
  });
  await stage.upFailing();
  for (let count = 0; count < 12; count++) stage.panel.work("9", "start");
  await stage.time.advance(600_000);
  oldest = 131;
  assert.match(await stage.said(), /failed before \(transaction 131\), .*cannot be read down to that attempt/);
  stage.change(0, { generation: 1 });
  await stage.completes(2);
});

for (const end of ["complete", "failed"])
  it(`new triggers send nothing while the stack's own restore is running${end === "failed" ? " again" : ""}, however far down the list it is`, async () => {
    let now: object = {};
    const row: Trap["row"] = (job) => ({ ...stamped(job), ...(job.no === 131 && now) });
    const parts: Trap["parts"] = () => [{ end, seconds: end === "failed" ? 10 : 2 * hours }];
    const declared = [{ ...web, timeouts: { busy: 60, run: 30 } }];
    const stage = onTrap({ row, parts }, { declared, restoreSeconds: 1 });
    await stage.up();
    now = { status: "running" };
    await othersWork(stage, 150);
    stage.newTriggers(0);
    assert.match(await stage.said(), /131 .*keeps the machine busy/);
    assert.equal(stage.posted.length, 1);
  });

it("no page is requested with more rows than necessary", async () => {
  const asked = new Set<string>();
  const stage = onTrap({ row: stamped, old: 1_500 }, { restoreSeconds: 1_800 }, ({ path }, usual) => {
    asked.add(path);
    return usual();
  });
  await stage.completes(1);
  assert.doesNotMatch([...asked].join("\n"), /per_page\/(?!100$)/m);
});
