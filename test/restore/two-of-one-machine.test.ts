import assert from "node:assert/strict";
import { createFeed } from "../../provider/feed/feed";
import { awaitRestore } from "../../provider/restore/await-restore";
import { lookAgain, resumeRestore } from "../../provider/restore/resume";
import { rowOf } from "../../provider/restore/rows/row-chains";
import { markOf } from "../../provider/restore/rows/mark";
import { runRestore } from "../../provider/restore/run";
import { createSite, type Site } from "../../provider/restore/site";
import type { IntendedPlan } from "../../provider/restore/terms/restore-plan";
import type { RestoreRecord } from "../../provider/restore/terms/record";
import { VirtualClock } from "../support/virtual-clock";
import { ModelPanel, type Fate } from "./support/model-panel";
import { headOf, intentOf, minute, panelAddress, plainWords, planOf } from "./support/rows";

const voice = { progress: () => undefined, warn: () => undefined };

interface Posted {
  readonly plan: IntendedPlan;
  readonly record: RestoreRecord;
}

/** A panel whose rows name neither point nor paths: only where they stand tells one restore of a machine from the next. */
function scene(ids: "decimal" | "lettered" = "decimal") {
  const clock = new VirtualClock();
  const panel = new ModelPanel(clock, {
    tie: "associated",
    ids,
    job: "single",
    namesPoint: false,
    listsAfterMs: 0,
    queuesForMs: 0,
    answersAfterMs: 0,
    skewMs: 0,
  });
  const newSite = (): Site => {
    const client = panel.clientOf({ killed: false });
    return createSite({
      client,
      feed: createFeed({ client, pageSize: 10, clock, random: () => 0.5, requestTimeoutMs: 10_000 }),
      clock,
      words: plainWords,
      adoptWindowMs: 360 * minute,
      requestTimeoutMs: 10_000,
      redact: (text) => text,
      isWatched: () => Promise.resolve(true),
    });
  };
  /** As a run posts restores that it does not wait for, one after the other, and stores them. */
  const posted = async (names: readonly string[], fates: readonly Fate[] = []): Promise<Posted[]> => {
    const site = newSite();
    panel.fates = [...fates];
    const results = names.map(async (name) => {
      const whole = planOf({ name, wait: false });
      const mark = markOf(headOf(panel.rows().map(rowOf)), panelAddress);
      const plan = { ...whole, intent: intentOf({ id: name, mark, madeFor: whole.target }) };
      const result = await runRestore(site, plan, "first", voice);
      assert.ok(result.kind !== "not-posted");
      return { plan, record: result.record };
    });
    const all = await clock.run(Promise.all(results));
    await clock.advance(minute);
    return all;
  };
  const awaited = (site: Site, { plan, record }: Posted) =>
    awaitRestore(site, plan, record, plan.intent.id, voice, "takes one").then((seen) => seen.record);
  const refreshed = (site: Site, { plan, record }: Posted) => lookAgain(site, plan, record, plan.intent.id);
  const transactions = (post: number): string[] => panel.posts[post]!.jobs.map(({ id }) => id);
  return { clock, panel, newSite, posted, awaited, refreshed, transactions };
}

const lost: Fate = { kind: "lost-on-the-way-there" };

describe("two restores of one machine that an earlier run has posted", () => {
  for (const ids of ["decimal", "lettered"] as const) {
    for (const how of ["awaited", "refreshed"] as const) {
      it(`are each found as what stands above its own mark, ${how} at the same time, whichever is first, ${ids} ids`, async () => {
        const it = scene(ids);
        const [first, second] = await it.posted(["first", "second"]);
        for (const order of [
          [first!, second!],
          [second!, first!],
        ]) {
          const site = it.newSite();
          const seen = await it.clock.run(Promise.all(order.map((each) => it[how](site, each))));
          const [ofFirst, ofSecond] = order[0] === first ? seen : [...seen].reverse();
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
        for (const order of [
          [first!, second!],
          [second!, first!],
        ]) {
          const site = it.newSite();
          const seen = await it.clock.run(Promise.all(order.map((each) => it[how](site, each))));
          const [ofFirst, ofSecond] = order[0] === first ? seen : [...seen].reverse();
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

  it("are found by two refreshes one after the other", async () => {
    const { clock, newSite, posted, refreshed, transactions } = scene();
    const [first, second] = await posted(["first", "second"]);
    const site = newSite();
    assert.equal((await clock.run(refreshed(site, first!))).status, "complete");
    assert.deepEqual((await clock.run(refreshed(site, second!))).transactionIds, transactions(1));
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
    const result = await clock.run(resumeRestore(newSite(), { ...plan, wait: true }, record, "ours", voice));
    assert.ok(result.kind === "good", JSON.stringify(result));
    assert.deepEqual([result.record.transactionIds, result.record.warnings], [transactions(0), []]);
  });
});
