import assert from "node:assert/strict";
import { awaitRestore, lookAgain } from "../../provider/restore/resume";
import { rowOf } from "../../provider/rows/chains";
import { markOf } from "../../provider/rows/mark";
import type { Site } from "../../provider/restore/site";
import type { IntendedPlan, RestorePlan } from "../../provider/inputs/intent";
import { unlistedSince, type RestoreRecord } from "../../provider/inputs/record";
import type { RestoreResult } from "../../provider/restore/result";
import { attempt, resume } from "../support/restore-programs";
import { VirtualClock } from "../support/virtual-clock";
import { ModelPanel, type Fate, type Post } from "./support/model-panel";
import { plainManners, siteOnModel } from "./support/model-site";
import { FakeFeed, siteOn } from "./support/fake-feed";
import { headOf, intentOf, markAt, minute, ours, panelAddress, planOf, recordWith, timeouts } from "./support/rows";

const voice = { progress: () => undefined, warn: () => undefined };

interface Posted {
  readonly plan: IntendedPlan;
  readonly record: RestoreRecord;
}

/** A panel whose rows name neither point nor paths: only where they stand tells one restore of a machine from the next. */
function scene(ids: "decimal" | "lettered" = "decimal", listsAfterMs = 0) {
  const clock = new VirtualClock();
  const panel = new ModelPanel(clock, { ...plainManners, ids, listsAfterMs });
  const newSite = (process = { killed: false }): Site => siteOnModel(panel, {}, process);
  /** As a run posts restores that it does not wait for, one after the other, and stores them. */
  const posted = async (names: readonly string[], fates: readonly Fate[] = []): Promise<Posted[]> => {
    const site = newSite();
    panel.fates = [...fates];
    const results = names.map(async (name) => {
      const plan = intended(name);
      const result = await attempt(site, plan, "first", voice);
      assert.ok(result.kind !== "not-posted");
      return { plan, record: result.record };
    });
    const all = await clock.run(Promise.all(results));
    await clock.advance(minute);
    return all;
  };
  const intended = (name: string, changes: Partial<RestorePlan> = {}): IntendedPlan => {
    const whole = planOf({ name, wait: false, ...changes });
    const mark = markOf(headOf(panel.rows().map(rowOf), clock.now(), clock.now()), panelAddress);
    const madeAt = clock.wallTime().toISOString();
    return { ...whole, intent: intentOf({ id: name, mark, madeAt, madeFor: whole.target }) };
  };
  const awaited = (site: Site, { plan, record }: Posted) =>
    awaitRestore(site, plan, record, plan.intent.id, voice, undefined).then((seen) => seen.record);
  const refreshed = (site: Site, { plan, record }: Posted) => lookAgain(site, plan, record, plan.intent.id);
  const transactions = (post: number): string[] => panel.posts[post]!.jobs.map(({ id }) => id);
  /** Both in one process, begun in either order; the records in that of the pair. */
  const both = async (
    how: "awaited" | "refreshed",
    pair: readonly [Posted, Posted],
    order: (typeof orders)[number],
  ): Promise<readonly RestoreRecord[]> => {
    const site = newSite();
    const look = how === "awaited" ? awaited : refreshed;
    const begun = order === "in order" ? pair : [...pair].reverse();
    const seen = await clock.run(Promise.all(begun.map((each) => look(site, each))));
    return order === "in order" ? seen : [...seen].reverse();
  };
  return { clock, panel, newSite, intended, posted, both, refreshed, transactions };
}

const orders = ["in order", "the other way round"] as const;

const lost: Fate = { kind: "lost-on-the-way-there" };

describe("two restores of one machine that an earlier run has posted", () => {
  for (const ids of ["decimal", "lettered"] as const) {
    for (const how of ["awaited", "refreshed"] as const) {
      it(`are each found as what stands above its own mark, ${how} at the same time, whichever is first, ${ids} ids`, async () => {
        const it = scene(ids);
        const [first, second] = await it.posted(["first", "second"]);
        for (const order of orders) {
          const [ofFirst, ofSecond] = await it.both(how, [first!, second!], order);
          assert.deepEqual(
            [ofFirst!.transactionIds, ofSecond!.transactionIds],
            [it.transactions(0), it.transactions(1)],
          );
          assert.deepEqual([ofFirst!.status, ofSecond!.status], ["complete", "complete"]);
        }
      });

      it(`and the first was never carried out: it does not take the other's transaction, ${how}, ${ids} ids`, async () => {
        const it = scene(ids);
        const [first, second] = await it.posted(["first", "second"], [lost]);
        for (const order of orders) {
          const [ofFirst, ofSecond] = await it.both(how, [first!, second!], order);
          assert.deepEqual([ofFirst!.status, ofFirst!.transactionIds], ["unknown", []]);
          assert.deepEqual([ofSecond!.status, ofSecond!.transactionIds], ["complete", it.transactions(1)]);
        }
      });
    }
  }

  it("never both become one transaction by two refreshes one after the other", async () => {
    const { clock, newSite, posted, refreshed } = scene();
    const [first, second] = await posted(["first", "second"], [lost]);
    const site = newSite();
    const seen = [await clock.run(refreshed(site, first!)), await clock.run(refreshed(site, second!))];
    assert.equal(seen.filter(({ transactionIds }) => transactionIds.length > 0).length, 1);
  });

  it("are found by refreshes one after the other, the first one once the second is known", async () => {
    const { clock, newSite, posted, refreshed, transactions } = scene();
    const [first, second] = await posted(["first", "second"]);
    const site = newSite();
    const seen = [];
    for (const each of [first!, second!, first!]) seen.push(await clock.run(refreshed(site, each)));
    assert.deepEqual(
      seen.map(({ status, transactionIds }) => [status, transactionIds]),
      [
        ["accepted", []],
        ["complete", transactions(1)],
        ["complete", transactions(0)],
      ],
    );
  });
});

describe("a restore that an earlier run has posted, and somebody else's of hours later", () => {
  it("is the one that was made when it was posted, however the other one ends", async () => {
    const { clock, panel, newSite, posted, transactions } = scene();
    const [ours] = await posted(["ours"]);
    await clock.advance(120 * minute);
    panel.order({ machine: "42", kind: "restore", outcome: "failed", runsForMs: minute });
    await clock.advance(10 * minute);
    const { plan, record } = ours!;
    const result = await clock.run(resume(newSite(), { ...plan, wait: true }, record, "ours", voice));
    assert.ok(result.kind === "good", JSON.stringify(result));
    assert.deepEqual([result.record.transactionIds, result.record.warnings], [transactions(0), []]);
  });
});

describe("a restore that was sent and never listed, and another one of the machine that a later run posts first", () => {
  for (const how of ["waited for", "not waited for"] as const) {
    it(`is not found in that one's transaction, ${how}`, async () => {
      const { clock, panel, newSite, intended, posted } = scene();
      const [unlisted] = await posted(["unlisted"], [lost]);
      await clock.advance(20 * minute);
      const site = newSite();
      const other = intended("other", { wait: how === "waited for" });
      assert.equal((await clock.run(attempt(site, other, "first", voice))).kind, "good");
      const { plan, record } = unlisted!;
      const result = await clock.run(resume(site, { ...plan, wait: true }, record, "unlisted", voice));
      assert.deepEqual(["record" in result && result.record.transactionIds, panel.posts.length], [[], 2]);
    });
  }
});

describe("a restore of a machine of which another one was posted, and not waited for, right before its intent was made", () => {
  /** The first is posted and listed late, the second waits for its end and is cut off after a while; the next run begins. */
  const longAndWell: Fate = { kind: "accepted", landsAfterMs: 0, outcome: "complete", runsForMs: 5 * minute };
  async function cutOff(
    afterMs: number,
    changes: Partial<RestorePlan> = {},
    { fate = longAndWell, ...ofTheFirst }: Partial<RestorePlan> & { readonly fate?: Fate } = {},
  ) {
    const it = scene("decimal", 2_000);
    const { clock, panel } = it;
    const process = { killed: false };
    const site = it.newSite(process);
    panel.fates = [fate];
    const first = it.intended("first", ofTheFirst);
    const result = await clock.run(attempt(site, first, "first", voice));
    assert.ok(result.kind === "good" && result.record.status === "accepted");
    await clock.advance(300);
    const second = it.intended("second", changes);
    void attempt(site, second, "first", voice);
    await clock.advance(afterMs);
    process.killed = true;
    const later = it.newSite();
    const at = unlistedSince(result.record);
    assert.ok(at !== undefined);
    later.claims.noteUnlisted("first", { machine: "42", at });
    const refreshed = async (): Promise<Site> => {
      const after = it.newSite();
      const found = await clock.run(lookAgain(after, first, result.record, "first"));
      after.claims.claim(found.transactionIds, "first");
      return after;
    };
    return { ...it, later, second, refreshed };
  }
  const transactionsOf = (post: Post | undefined): string[] => post?.jobs.map(({ id }) => id) ?? [];

  it("does not take the other one's transaction for its own, and is posted once a refresh has found out whose it is", async () => {
    const { clock, panel, later, second, refreshed } = await cutOff(minute);
    const plan = { ...second, wait: true };
    const unclear = await clock.run(attempt(later, plan, "later", voice));
    assert.ok(unclear.kind === "not-posted");
    assert.match(
      unclear.reason,
      new RegExp(`transaction ${transactionsOf(panel.posts[0]).join()} .*another restore.*pulumi refresh`),
    );
    assert.equal(panel.posts.length, 1);
    const result = await clock.run(attempt(await refreshed(), plan, "later", voice));
    assert.ok(result.kind === "good");
    assert.equal(panel.posts.length, 2);
    assert.deepEqual([result.record.adopted, result.record.transactionIds], [false, transactionsOf(panel.posts[1])]);
  });

  it("is never posted twice, also where the other one was never carried out and it was posted right after that", async () => {
    const { clock, panel, later, second } = await cutOff(
      20_000,
      {},
      { fate: { ...longAndWell, landsAfterMs: 24 * 60 * minute }, timeouts: { ...timeouts, listedMs: 1_000 } },
    );
    assert.equal(panel.posts.length, 2);
    const result = await clock.run(attempt(later, second, "later", voice));
    assert.equal(panel.posts.length, 2);
    assert.ok(result.kind === "good" && result.record.adopted);
  });

  it("is adopted as its own transaction when it was posted, and not posted again", async () => {
    const { clock, panel, later, second } = await cutOff(6 * minute);
    assert.equal(panel.posts.length, 2);
    const result = await clock.run(attempt(later, { ...second, wait: true }, "later", voice));
    assert.ok(result.kind === "good");
    assert.equal(panel.posts.length, 2);
    assert.deepEqual([result.record.adopted, result.record.transactionIds], [true, transactionsOf(panel.posts[1])]);
  });

  it("that does not wait for the machine is not posted again, whichever of the two is found", async () => {
    const { clock, panel, later, second } = await cutOff(minute, { timeouts: { ...timeouts, busyMs: 0 } });
    assert.equal(panel.posts.length, 2);
    const result = await clock.run(attempt(later, second, "later", voice));
    assert.ok(result.kind === "good" && result.record.adopted);
    assert.equal(panel.posts.length, 2);
  });
});

describe("a restore that failed, and another one of the machine that was posted since and not waited for", () => {
  it("does not take the other one's transaction for its own, and is tried again once a refresh has found out whose it is", async () => {
    const { clock, panel, newSite, intended } = scene();
    panel.fates = [{ kind: "accepted", landsAfterMs: 0, outcome: "failed", runsForMs: minute }];
    const failing = intended("failing", { wait: true });
    assert.equal((await clock.run(attempt(newSite(), failing, "first", voice))).kind, "stored");
    const otherPlan = intended("other");
    const other = await clock.run(attempt(newSite(), otherPlan, "first", voice));
    assert.ok(other.kind === "good" && other.record.status === "accepted");
    await clock.advance(10 * minute);

    const later = newSite();
    const at = unlistedSince(other.record);
    assert.ok(at !== undefined);
    later.claims.noteUnlisted("other", { machine: "42", at });
    assert.equal((await clock.run(attempt(later, failing, "later", voice))).kind, "not-posted");
    assert.equal(panel.posts.length, 2);

    const after = newSite();
    const found = await clock.run(lookAgain(after, otherPlan, other.record, "other"));
    after.claims.claim(found.transactionIds, "other");
    const result = await clock.run(attempt(after, failing, "later", voice));
    assert.ok(result.kind === "good");
    assert.deepEqual([result.record.adopted, panel.posts.length], [false, 3]);
  });
});

describe("one transaction that two restores of a machine may be, one cut off and the other not seen listed", () => {
  for (const order of ["cut off first", "not listed first"]) {
    it(`is taken for one of them, though both hear of it in the same look, ${order}`, async () => {
      const clock = new VirtualClock();
      const feed = new FakeFeed(clock);
      const site = siteOn(clock, feed);
      const [plan, mark] = [planOf(), markAt("5000")];
      const cutOff = () => attempt(site, { ...plan, intent: intentOf({ id: "b", mark }) }, "later", voice);
      const unlisted = () => resume(site, plan, recordWith({ status: "accepted", postedAfter: mark }), "a", voice);
      const ended: RestoreResult[] = [];
      for (const begin of order === "cut off first" ? [cutOff, unlisted] : [unlisted, cutOff]) {
        void begin().then((result) => ended.push(result));
        await clock.advance(10);
      }
      assert.equal(feed.watches.size, 2);
      for (let look = 0; look < 5; look++) {
        feed.tick([ours(5001, { status: "complete", createdAt: clock.wallTime().toISOString() })]);
        await clock.advance(10);
      }
      assert.deepEqual(
        ended.map((result) => (result.kind === "not-posted" ? [] : result.record.transactionIds)),
        [["5001"]],
      );
    });
  }
});
