import assert from "node:assert/strict";
import { calm, type Declared } from "../support/program";
import { operationOf } from "./panel";
import { OnStage, files, web } from "./stage";
import { bare, named, onTrap, stamped, trap, type Trap, wrapped } from "./trap";
import type { Shown } from "./taste";

type Ends = "complete" | "asks";

/** Whether the first `up` on each panel completes or asks questions. Either way, nothing is posted twice. */
const traps: Readonly<Record<string, readonly [panel: Trap, first: Ends]>> = {
  "lettered ids, oldest first, bare": [{ row: bare, id: ({ no }) => `tx-${String(no)}`, isRising: true }, "complete"],
  "three bare, unlinked rows per restore": [
    { row: bare, parts: (end) => [{ end }, { action: "stop" }, { action: "start" }] },
    "complete",
  ],
  "machines identified by host name": [
    { row: ({ action, machine, status }) => ({ action, status, vm: `web-${machine}` }) },
    "complete",
  ],
  "rows that have their own identifier": [
    { row: ({ no, status }) => ({ status, identifier: `x9f-${String(no)}` }) },
    "complete",
  ],
  "restores called rollback": [
    { row: (job) => ({ ...named(job), action: job.action.replace("restore", "rollback") }) },
    "asks",
  ],
  "a machine in all rows except those for restores": [
    { row: (job) => (job.action.includes("restore") ? { action: job.action, ...bare(job) } : named(job)) },
    "asks",
  ],
  "a hypervisor id in server_id": [{ row: (job) => ({ ...named(job), server_id: 42 }) }, "complete"],
  "unordered pages": [{ row: named, isShuffled: true }, "complete"],
};

const ofBackups: Trap["past"] = (back, length) => ["42", "take_backup", (3600 + back) * 1000, length / 1000];
const machines = (count: number): readonly Declared[] =>
  Array.from({ length: count }, (_, index) => ({ ...calm, machine: String(1_000 + index) }));
/** The highest number of restores under way at the same time, if each takes ten seconds. */
const mostAtOnce = ({ postedAt: times }: OnStage): number =>
  Math.max(...times.map((at) => times.filter((other) => other <= at && at - other < 10_000).length));
const logOf = (job: { readonly no: number }) => ({ transaction_id: job.no });

describe("a restore that is easily confused with another row", () => {
  it("is complete after a refresh even if timeouts.settle is longer than timeouts.listed", async () => {
    const declared = [{ ...calm, wait: false, timeouts: { settle: 90, listed: 60 } }];
    const stage = onTrap({ row: named }, { declared });
    await stage.up();
    await stage.time.advance(900_000);
    await stage.refresh();
    assert.deepEqual(stage.statuses(), ["complete"]);
  });

  for (const link of ["parent_id", "dependent_transaction_id", "chain_id"])
    it(`can be completed by somebody else's later restore, even if ${link} links that restore to the failed attempt`, async () => {
      const linkOf = ({ no }: Shown): unknown =>
        link === "chain_id" ? (no > 130 ? 5 : null) : no === 132 ? 131 : null;
      const row: Trap["row"] = (job) => ({ ...named(job), [link]: linkOf(job) });
      const stage = onTrap({ row }, { restoreSeconds: 20 });
      await stage.upFailing();
      await stage.workLater(600_000);
      await stage.up();
      if (stage.statuses()[0] !== "complete") stage.change(0, { adopt: "132" });
      await stage.up();
      await stage.up();
      assert.deepEqual([stage.statuses(), stage.idsOf(0), stage.posted.length], [["complete"], ["132"], 1]);
    });

  for (const link of ["dependent_transaction_id", "chain_id"])
    it(`is not posted again after a kill if ${link} links each of a machine's jobs to the previous job`, async () => {
      const before = new Map<number, number | undefined>();
      const last = new Map<string, number>();
      const row = (job: Shown): object => {
        if (!before.has(job.no)) before.set(job.no, last.get(job.machine));
        last.set(job.machine, Math.max(job.no, last.get(job.machine) ?? 0));
        const linked = link === "chain_id" ? `machine ${job.machine}` : (before.get(job.no) ?? null);
        return { ...stamped(job), [link]: linked };
      };
      const stage = onTrap({ row }, { declared: [web, files], restoreSeconds: 30 });
      await stage.killed(3_000, 2);
      await stage.up();
      assert.equal(stage.posted.length, 2);
    });

  it("is not posted again after a kill if rows contain a host id that equals the machine's id", async () => {
    const row = ({ status, machine }: Shown) => ({ status, machine_id: machine === "7" ? 42 : 3 });
    const stage = onTrap({ row }, { restoreSeconds: 3_600 });
    await stage.killed(3_000);
    await stage.up();
    assert.equal(stage.posted.length, 1);
  });

  it("is not sent again after new triggers until it has ended, even if rows name no machine", async () => {
    const stage = onTrap({ row: bare }, { declared: [{ ...calm, wait: false }], restoreSeconds: 90 });
    await stage.up();
    stage.newTriggers(0);
    await stage.up();
    assert.ok(stage.gaps[0]! > 90, `${String(stage.gaps[0])} s`);
  });
});

describe("a panel that is easily misread", () => {
  for (const [name, [panel, first]] of Object.entries(traps)) {
    it(`completes its restores ${first === "complete" ? "in the first `up`" : "once the user follows the advice in the messages"}: ${name}`, async () => {
      assert.equal(await new OnStage(trap(panel), "json").finish(), first === "complete" ? 0 : 4);
    });

    it(`is never sent a restore twice, even if a run is killed and others use the panel before the next \`up\`: ${name}`, async () => {
      const stage = new OnStage(trap(panel), "json");
      await stage.killed(20_000);
      for (let count = 0; count < 12; count++) stage.panel.work("9", "take_backup");
      await stage.up();
      await stage.up();
      assert.deepEqual(stage.faults(), []);
    });
  }

  it("is sent a restore only once and receives few requests, even if its list shows only the last ten rows while others add ten rows a second", async () => {
    const stage = onTrap({ row: named, isUnpaged: true }, { declared: [{ ...calm, timeouts: { run: 300 } }] });
    stage.othersWork(100);
    await stage.up();
    assert.deepEqual(stage.faults(), []);
    assert.ok(stage.requests < 200, `${String(stage.requests)} requests`);
  });

  it("receives at most five restores at once if its list cannot be paged and shows ten rows", async () => {
    const stage = onTrap({ row: named, isUnpaged: true }, { declared: machines(12) });
    assert.equal(await stage.finish(), 0);
    assert.equal(mostAtOnce(stage), 5);
  });

  it("receives at most maxConcurrent restores at once, even if some fail or are not waited for", async () => {
    const declared = machines(6).map((one, index) => ({ ...one, wait: index % 2 === 0 }));
    const stage = onTrap({ row: named }, { declared, settings: { "recovery:maxConcurrent": "2" } });
    stage.failing.add("1000");
    const { errors } = await stage.up();
    assert.deepEqual([[...errors.keys()], stage.posted.length, mostAtOnce(stage)], [[0], 6, 2]);
  });

  it("is not sent a restore whose timeouts.total expires while maxConcurrent holds it back, but is sent the next restore", async () => {
    const declared = machines(3).map((one, index) => ({ ...one, timeouts: index === 1 ? { total: 5 } : {} }));
    const stage = onTrap({ row: named }, { declared, settings: { "recovery:maxConcurrent": "1" } });
    const { errors } = await stage.up();
    assert.match(errors.get(1) ?? "", /was not sent: timeouts\.total \(5s\) passed before its turn came/);
    assert.deepEqual([errors.size, stage.posted.length], [1, 2]);
  });

  it("receives all other restores at once if its list was empty and the first new row names its machine", async () => {
    const isNew = ({ id }: { readonly id?: unknown }): boolean => Number(id) > 130;
    const stage = onTrap({ row: named }, { declared: machines(50) }, async (_request, usual) => {
      const answer = await usual();
      return Array.isArray(answer.body) ? { ...answer, body: answer.body.filter(isNew) } : answer;
    });
    assert.equal(await stage.finish(), 0);
    const [first = 0, ...others] = stage.postedAt;
    assert.ok(Math.max(...others) - first < 4_000, String(Math.max(...others) - first));
  });

  for (const [how, status, most] of [
    ["have been rejected", 422, 1],
    ["have failed repeatedly", 500, 10],
  ] as const)
    it(`is read with a page size at first, and without a page size once such requests ${how}`, async () => {
      const sizes: number[] = [];
      const make = wrapped({ row: named, cap: 10 }, (request, usual) => {
        const asked = operationOf(request);
        if (asked?.what !== "transactions" || asked.perPage === undefined) return usual();
        sizes.push(asked.perPage);
        return { status };
      });
      assert.equal(await new OnStage(make, "json").finish(), 0);
      assert.deepEqual([...new Set(sizes)], [100]);
      const timesOf = (size: number): number => sizes.filter((one) => one === size).length;
      assert.equal(Math.max(...sizes.map(timesOf)), most, sizes.join(" "));
    });

  it("is still read while it takes nearly two minutes to answer a POST", async () => {
    let isOpen = false;
    let reads = 0;
    const stage = onTrap({ row: named }, { declared: [calm], restoreSeconds: 120 }, async (request, usual, world) => {
      const answer = await usual();
      if (isOpen) reads++;
      if (request.method !== "POST") return answer;
      isOpen = true;
      await world.pause(110_000);
      isOpen = false;
      return answer;
    });
    const { errors, warnings } = await stage.up();
    assert.deepEqual([errors.size, stage.faults(), warnings], [0, [], []]);
    assert.ok(reads > 3, `${String(reads)} reads`);
  });

  it("causes no timeouts.busy error even if rows name no machine and restores wait for one another", async () => {
    const declared = machines(20).map((one) => ({ ...one, timeouts: { busy: 0 } }));
    assert.equal(await onTrap({ row: bare, lateMs: 2_000 }, { declared }).finish(), 0);
  });

  it("is sent the other restores first if one restore's machine is busy and only the logs name machines", async () => {
    const declared = ["41", "42", "43", "44"].map((machine) => ({ ...calm, machine }));
    const how: Trap = { row: bare, past: ofBackups, events: (own) => own.map(logOf), lateMs: 20_000 };
    const stage = onTrap(how, { declared, restoreSeconds: 3_600 });
    stage.time.after(4_000, () => stage.panel.work("43", "take_backup"));
    await stage.up();
    const [first = 0, , last = Infinity] = stage.postedAt;
    assert.ok(last - first < 300_000, `${String((last - first) / 1_000)} s`);
  });

  it("lets a refresh tell two restores' outcomes apart even if rows name no machine and the first restore failed", async () => {
    const declared = ["42", "43"].map((machine) => ({ ...calm, machine, wait: false }));
    const stage = onTrap({ row: bare }, { declared, restoreSeconds: 60 });
    stage.failing.add("42");
    await stage.up();
    await stage.time.advance(600_000);
    await stage.refresh();
    assert.deepEqual(stage.statuses(), ["failed", "complete"]);
  });

  it("receives the second restore at least a minute after the first if rows name no machine and others use the panel", async () => {
    const stage = onTrap({ row: bare }, { declared: [calm, { ...calm, machine: "43" }] });
    stage.panel.work("9", "backup");
    await stage.up();
    assert.ok(stage.gaps[0]! >= 60, `${String(stage.gaps[0])} s`);
  });
});
