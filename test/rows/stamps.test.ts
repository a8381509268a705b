import assert from "node:assert/strict";
import { unlistedSince, type RestoreRecord } from "../../provider/inputs/record";
import { resumeRestore } from "../../provider/restore/resume";
import type { RestoreResult } from "../../provider/restore/result";
import { runRestore } from "../../provider/restore/run";
import { aheadAtLeast, aheadAtMost } from "../../provider/rows/mark";
import { namesZone } from "../../provider/plain/clock";
import { listeningVoice, makeIntent, planFor } from "../support/restore-programs";
import { virtualPanel, type VirtualPanel } from "../support/virtual-panel";

const minute = 60_000;
const hour = 60 * minute;
const noon = Date.parse("2026-11-21T12:00:00Z");

describe("how far time stamps run ahead of the panel's clock", () => {
  const table: readonly [name: string, stamps: readonly string[], atLeast: number | undefined][] = [
    ["made a minute ago, with a zone", ["2026-11-21T11:59:00Z"], 0],
    ["made yesterday, with a zone: a quiet panel", ["2026-11-20T12:00:00Z"], 0],
    ["told in another zone", ["2026-11-21T19:59:00+08:00"], 0],
    ["a clock of rows that is a little ahead", ["2026-11-21T12:01:30Z"], 0],
    ["a zone that is wrong", ["2026-11-21T19:59:00Z"], 8 * hour],
    ["the youngest counts", ["2026-11-21T11:00:00Z", "2026-11-21T14:29:00Z", "2026-11-21T14:00:00Z"], 2.5 * hour],
    ["no stamp, or none that can be read", ["", "soon"], undefined],
  ];
  for (const [name, stamps, atLeast] of table) {
    it(name, () => {
      assert.equal(aheadAtLeast(stamps, noon), atLeast);
    });
  }

  it("may be less than nothing where they name no zone", () => {
    const local = (at: number): string => new Date(at).toISOString().slice(0, 19);
    const read = Date.parse(local(noon)) - noon;
    assert.equal(aheadAtLeast([local(noon - 7 * hour)], noon), read - 7 * hour);
    assert.equal(aheadAtMost([local(noon + 8 * hour + minute)], noon), read + 8 * hour);
  });

  it("is told by a zone only where a stamp names one", () => {
    const named = [
      "2026-11-21T12:00:00Z",
      "2026-11-21 12:00:00 UTC",
      "2026-11-21T12:00:00+0800",
      "2026-11-21T12:00:00-03:30",
    ];
    for (const stamp of named) assert.equal(namesZone(stamp), true, stamp);
    for (const stamp of ["2026-11-21T12:00:00", "2026-11-21 12:00:00", "2026-11-21"])
      assert.equal(namesZone(stamp), false, stamp);
  });
});

const withoutZone = (body: string): string => body.replace(/(T\d\d:\d\d:\d\d)(?:Z|[+-]\d\d:\d\d)/g, "$1");

for (const format of ["json", "xml"] as const) {
  for (const [zone, utcOffsetMinutes] of [
    ["eight hours ahead", 480],
    ["seven hours behind", -420],
    ["on the runner's own time", 0],
  ] as const) {
    // The forms differ in how a stamp is written down, not in what is made of it.
    if (format === "xml" && utcOffsetMinutes !== 480) continue;
    describe(`a panel whose stamps name no zone, ${zone}, ${format}`, () => {
      const panelOf = (listingDelaySeconds = 0): VirtualPanel =>
        virtualPanel(
          format,
          {
            dialect: { utcOffsetMinutes, listingDelaySeconds },
            scenario: { background: { perSecond: 0.003 } },
          },
          withoutZone,
        );

      it("a restore that is listed late is found by a later run", async () => {
        const panel = panelOf(600);
        await panel.clock.advance(hour);
        const record = await postedButNotListed(panel);
        await panel.clock.advance(hour);
        const found = await resumed(panel, record);
        assert.equal(found.kind, "good", JSON.stringify(found));
      });

      it("somebody's restore of ten hours later is not taken for it", async () => {
        const panel = panelOf();
        await panel.clock.advance(hour);
        const record = await postedAndLost(panel);
        await panel.clock.advance(10 * hour);
        panel.sandbox.postRestoreAsSomebodyElse(42, 1007, { seconds: 1 });
        await panel.clock.advance(minute);
        const left = await resumed(panel, record);
        assert.ok(left.kind === "stored");
        assert.match(left.reasons.join(), /made so long after this one was posted/);
      });

      it("a restore that was cut off while it waited for another one of its machine does not take that one's transaction", async () => {
        const panel = panelOf(20);
        await panel.clock.advance(hour);
        const killed = panel.newSite();
        const first = planFor(await panel.clock.run(makeIntent(killed)), { wait: false });
        panel.sandbox.failNext(42, { outcome: "complete", seconds: 600 });
        const left = await panel.clock.run(runRestore(killed, first, "first", listeningVoice()));
        assert.ok(left.kind === "good");
        const second = planFor(await panel.clock.run(makeIntent(killed)));
        void runRestore(killed, second, "first", listeningVoice());
        await panel.clock.advance(minute);
        assert.equal(panel.sandbox.acceptedPosts(42), 1);

        const site = panel.newSite();
        const at = unlistedSince(left.record);
        assert.ok(at !== undefined);
        site.claims.noteUnlisted(first.intent.id, { machine: "42", at });
        const unclear = await panel.clock.run(runRestore(site, second, "later", listeningVoice()));
        assert.ok(unclear.kind === "not-posted", JSON.stringify(unclear));
        assert.match(unclear.reason, /another restore of this machine had been posted/);
      });

      for (const [ago, kind] of [
        [hour, "good"],
        [7 * hour, "not-posted"],
      ] as const) {
        it(`a killed run's restore that ended ${String(ago / hour)} h ago is ${kind === "good" ? "the result" : "too old to be"}`, async () => {
          const panel = panelOf();
          await panel.clock.advance(hour);
          const killed = panel.newSite({ isWatched: () => Promise.resolve(true) });
          const intent = await panel.clock.run(makeIntent(killed));
          panel.sandbox.failNext(42, { outcome: "complete", seconds: 20 });
          await panel.clock.run(runRestore(killed, planFor(intent), "first", listeningVoice()));
          await panel.clock.advance(ago);
          const result = await panel.clock.run(runRestore(panel.newSite(), planFor(intent), "later", listeningVoice()));
          assert.equal(result.kind, kind, JSON.stringify(result));
          if (result.kind === "not-posted") assert.match(result.reason, /longer than the adopt window/);
          assert.equal(panel.sandbox.acceptedPosts(42), 1);
        });
      }
    });
  }
}

describe("a panel whose stamps name no zone and that is quiet for a day before the restore", () => {
  for (const utcOffsetMinutes of [480, -420]) {
    const zone = `${String(utcOffsetMinutes / 60)} h from UTC`;
    const quietDay = async (listingDelaySeconds: number): Promise<VirtualPanel> => {
      const panel = virtualPanel("json", { dialect: { utcOffsetMinutes, listingDelaySeconds } }, withoutZone);
      panel.sandbox.postRestoreAsSomebodyElse(43, 1008, { seconds: 1 });
      await panel.clock.advance(25 * hour);
      return panel;
    };

    for (const later of [hour, 20 * hour, 70 * hour]) {
      it(`finds what is listed late, ${String(later / hour)} h later, ${zone}, and says that it may be another's`, async () => {
        const panel = await quietDay(600);
        const record = await postedButNotListed(panel);
        await panel.clock.advance(later);
        const found = await resumed(panel, record);
        assert.ok(found.kind === "good", JSON.stringify(found));
        assert.match(found.record.warnings.join(), /did not see it listed/);
        assert.equal(panel.sandbox.acceptedPosts(42), 1);
      });
    }

    it(`finds it when the list is as quiet again as it was at the POST, ${zone}`, async () => {
      const panel = await quietDay(600);
      const record = await postedButNotListed(panel);
      // By then the day's job is as old again as the one before was at the POST.
      await panel.clock.advance(5 * hour);
      panel.sandbox.postRestoreAsSomebodyElse(43, 1008, { seconds: 1 });
      await panel.clock.advance(25 * hour);
      const found = await resumed(panel, record);
      assert.equal(found.kind, "good", JSON.stringify(found));
    });

    it(`takes none of long after another one that may be ours, ${zone}`, async () => {
      const panel = await quietDay(600);
      const record = await postedButNotListed(panel);
      await panel.clock.advance(12 * hour);
      panel.sandbox.postRestoreAsSomebodyElse(42, 1007, { seconds: 1 });
      await panel.clock.advance(hour);
      const found = await resumed(panel, record);
      assert.ok(found.kind === "good", JSON.stringify(found));
      assert.equal(found.record.transactionIds.length, panel.sandbox.restores()[1]?.transactionIds.length);
      assert.deepEqual(
        [...found.record.transactionIds].sort(),
        [...(panel.sandbox.restores()[1]?.transactionIds ?? [])].sort(),
      );
    });
  }
});

it("how old a restore may be that is adopted says nothing about one that is listed late", async () => {
  const panel = virtualPanel("json", { dialect: { listingDelaySeconds: 600 } });
  panel.sandbox.setFaults({ post: { delay: { first: 1, seconds: 5 } } });
  const record = await postedButNotListed(panel, 1_000);
  await panel.clock.advance(hour);
  const found = await resumed(panel, record, 1_000);
  assert.equal(found.kind, "good", JSON.stringify(found));
});

async function postedButNotListed(panel: VirtualPanel, adoptWindowMs = 6 * hour): Promise<RestoreRecord> {
  const site = panel.newSite({ adoptWindowMs });
  const intent = await panel.clock.run(makeIntent(site));
  const result = await panel.clock.run(runRestore(site, planFor(intent), "first", listeningVoice()));
  assert.ok(result.kind === "stored", JSON.stringify(result));
  return result.record;
}

async function postedAndLost(panel: VirtualPanel): Promise<RestoreRecord> {
  panel.sandbox.setFaults({ post: { resetBefore: { first: 1 } } });
  return postedButNotListed(panel);
}

/** The record as the engine keeps it, and the `up` that finds it. */
async function resumed(panel: VirtualPanel, record: RestoreRecord, adoptWindowMs = 6 * hour): Promise<RestoreResult> {
  const kept = JSON.parse(JSON.stringify(record)) as RestoreRecord;
  const site = panel.newSite({ adoptWindowMs });
  const plan = planFor(await panel.clock.run(makeIntent(site)));
  return panel.clock.run(resumeRestore(site, plan, kept, "x", listeningVoice()));
}
