import assert from "node:assert/strict";
import { outputsOf, recordIn } from "../../provider/engine/outputs";
import { markOf } from "../../provider/rows/mark";
import type { IntendedRequest, RestoreRequest } from "../../provider/inputs/intent";
import type { RestoreResult } from "../../provider/restore/result";
import type { PanelSession } from "../../provider/restore/panel-session";
import type { PanelSessionOptions } from "../support/panel-session";
import { type Attempt, attempt, resume, take } from "../support/restore-programs";
import { VirtualClock } from "../support/virtual-clock";
import { goodFate, type Manners, PanelAtWork, type Part, plainManners } from "./support/panel-at-work";
import { sessionOn } from "./support/process";
import { newestPageOf, intentOf, minute, panelAddress, requestOf, recordWith, target, timeouts } from "./support/rows";
import { rowOf } from "../../provider/rows/chains";

const second = 1000;
const reporter = { progress: () => undefined, warn: () => undefined };

function scene(options: Partial<PanelSessionOptions> = {}, manners: Partial<Manners> = {}) {
  const clock = VirtualClock.ofLives();
  const panel = new PanelAtWork(clock, { ...plainManners, ...manners });
  const process = { ended: false };
  const session = sessionOn(panel, process, options);
  let intents = 0;
  const intended = async (changes: Partial<RestoreRequest> = {}): Promise<IntendedRequest> => {
    const plan = requestOf(changes);
    const { items } = await session.client.listTransactions();
    const mark = markOf(newestPageOf(items.map(rowOf)), panelAddress);
    return { ...plan, intent: intentOf({ id: `intent-${String(intents++)}`, mark, madeFor: plan.target }) };
  };
  const run = async (
    plan: IntendedRequest | Promise<IntendedRequest>,
    which: Attempt = "first",
    on: PanelSession = session,
  ) => attempt(on, await plan, which, reporter);
  /** How many timers of the run wait. */
  const left = (): number => clock.pendingOf(process);
  return { clock, panel, site: session, intended, run, left };
}

const reasonOf = (result: RestoreResult): string =>
  result.kind === "not-posted" ? result.reason : result.kind === "stored" ? result.reasons.join("\n") : "";

const on = (virtualMachineId: string) => ({ target: { ...target, virtualMachineId } });
const within = (changes: Partial<typeof timeouts> & { totalMs?: number }) => ({
  timeouts: { ...timeouts, ...changes },
});

describe("one restore", () => {
  it("is posted once, waited for and leaves no timer", async () => {
    const { clock, panel, intended, run, left } = scene();
    const result = await clock.run(run(intended()));
    assert.ok(result.kind === "good" && result.record.status === "complete");
    assert.equal(panel.posts.length, 1);
    assert.equal(left(), 0);
  });

  it("that is refused says so, and gives back its place and its turn", async () => {
    const { clock, panel, intended, run, left } = scene({ maxConcurrent: 1 });
    panel.fates = [{ ...goodFate, answer: "refused", carriedOut: false }];
    const refused = await clock.run(run(intended()));
    assert.match(reasonOf(refused), /was refused, nothing was carried out/);
    assert.equal((await clock.run(run(intended()))).kind, "good");
    assert.equal(left(), 0);
  });

  it("is not posted by a run that nobody watches any more", async () => {
    const { clock, panel, intended, run } = scene({ isWatched: () => Promise.resolve(false) });
    assert.match(reasonOf(await clock.run(run(intended()))), /the run that asked for it is gone/);
    assert.equal(panel.posts.length, 0);
  });

  it("that throws inside gives back its place and its turn", async () => {
    let isBroken = true;
    const isWatched = () => (isBroken ? Promise.reject(new Error("odd")) : Promise.resolve(true));
    const { clock, intended, run, left } = scene({ maxConcurrent: 1, isWatched });
    await assert.rejects(clock.run(run(intended())), /odd/);
    isBroken = false;
    assert.equal((await clock.run(run(intended()))).kind, "good");
    assert.equal((await clock.run(run(intended(on("43"))))).kind, "good");
    assert.equal(left(), 0);
  });
});

describe("restores beside each other", () => {
  it("of one machine are posted one after the other, in their order", async () => {
    const { clock, panel, intended, run } = scene();
    const plans = [intended(), intended(), intended()];
    const results = await clock.run(Promise.all(plans.map((plan) => run(plan))));
    assert.deepEqual(
      results.map(({ kind }) => kind),
      ["good", "good", "good"],
    );
    for (const [index, post] of panel.posts.entries()) {
      const before = panel.posts[index - 1]?.work;
      if (before) assert.ok(post.sentAt >= (before.endedAt ?? Infinity));
    }
  });

  it("hold no more places than allowed", async () => {
    const { clock, panel, intended, run, left } = scene({ maxConcurrent: 2 });
    const machines = ["42", "43", "44", "45", "46"];
    await clock.run(Promise.all(machines.map((machine) => run(intended(on(machine))))));
    const spans = panel.works.map(({ madeAt, endedAt = Infinity }) => ({ madeAt, endedAt }));
    for (const { madeAt } of spans)
      assert.ok(spans.filter((other) => other.madeAt <= madeAt && madeAt < other.endedAt).length <= 2);
    assert.equal(left(), 0);
  });

  it("do not count the wait for a place as a wait for the machine", async () => {
    const { clock, panel, intended, run } = scene({ maxConcurrent: 1 }, { queuesForMs: 2 * 60 * minute });
    const first = run(intended(within({ queueMs: 24 * 60 * minute })));
    clock.after(5 * minute, () => panel.order({ machine: "43", kind: "backup" }, "panel", "complete", 20 * minute));
    const behind = await clock.run(
      run(intended({ ...on("43"), timeouts: { ...timeouts, queueMs: 24 * 60 * minute } })),
    );
    await clock.run(first);
    assert.equal(behind.kind, "good", reasonOf(behind));
    assert.equal(panel.posts.length, 2);
  });

  it("that nobody waits for keep the machine for the next one all the same", async () => {
    const { clock, panel, intended, run } = scene({}, { lateMs: [20 * second] });
    const first = await clock.run(run(intended({ wait: false })));
    assert.ok(first.kind === "good" && first.record.transactionIds.length === 1);
    const second_ = await clock.run(run(intended()));
    assert.equal(second_.kind, "good");
    assert.ok((panel.posts[1]?.sentAt ?? 0) >= (panel.posts[0]?.work?.endedAt ?? Infinity));
    assert.deepEqual(second_.kind === "good" && second_.record.transactionIds, panel.idsOf(1));
  });

  it("that nobody waits for keep their place until they have ended", async () => {
    const { clock, panel, intended, run, left } = scene({ maxConcurrent: 1 });
    await clock.run(run(intended({ wait: false })));
    await clock.run(run(intended({ ...on("43"), wait: false })));
    assert.ok((panel.posts[1]?.sentAt ?? 0) >= (panel.posts[0]?.work?.endedAt ?? Infinity));
    await clock.advance(10 * minute);
    assert.equal(left(), 0);
  });
});

describe("a list that takes longer to read than one request may", () => {
  it("is read to the end all the same before a later attempt posts", async () => {
    const { clock, panel, intended, run, left } = scene({}, { answersAfterMs: 2 * second });
    const plan = intended();
    for (let i = 0; i < 150; i++) panel.order({ machine: "43", kind: "backup" }, "panel", "complete", 1);
    const result = await clock.run(run(plan, "later"));
    assert.equal(result.kind, "good", reasonOf(result));
    assert.deepEqual([panel.posts.length, left()], [1, 0]);
  });
});

describe("a panel on which only the machine's log tells whose a row is", () => {
  it("is not posted to again where the log's newest page no longer reaches down to the earlier restore: the log is read on", async () => {
    const { clock, panel, intended, run } = scene({}, { tie: "log" });
    const plan = intended();
    panel.order({ machine: "42", kind: "VmRestore" }, "person");
    clock.after(minute, () => {
      for (let i = 0; i < 120; i++) panel.order({ machine: "42", kind: "backup" }, "panel", "complete", 1);
    });
    const later = clock.pause(2 * minute).then(() => run(plan, "later"));
    const result = await clock.run(later);
    assert.equal(panel.posts.length, 0);
    assert.deepEqual(result.kind === "good" && result.record.transactionIds, ["5000"]);
  });
});

describe("the total limit", () => {
  const total = within({ totalMs: 20 * second });
  it("while the turn of the machine is awaited", async () => {
    const { clock, panel, intended, run, left } = scene({}, { queuesForMs: 5 * minute });
    const first = run(intended());
    const second_ = await clock.run(run(intended(total)));
    assert.match(reasonOf(second_), /was not sent: the total limit of 20s passed before its turn came/);
    await clock.run(first);
    assert.deepEqual([panel.posts.length, left()], [1, 0]);
  });
  it("while a restore is awaited that nobody else waits for", async () => {
    const { clock, intended, run } = scene({}, { queuesForMs: 5 * minute });
    await clock.run(run(intended({ wait: false })));
    assert.match(reasonOf(await clock.run(run(intended(total)))), /was not sent: the total limit of 20s passed/);
  });
  it("while a place is awaited", async () => {
    const { clock, panel, intended, run, left } = scene({ maxConcurrent: 1 }, { queuesForMs: 5 * minute });
    const first = run(intended());
    assert.match(
      reasonOf(await clock.run(run(intended({ ...on("43"), ...total })))),
      /was not sent: the total limit of 20s/,
    );
    await clock.run(first);
    assert.deepEqual([panel.posts.length, left()], [1, 0]);
  });
  it("while the machine is busy", async () => {
    const { clock, panel, intended, run } = scene();
    panel.order({ machine: "42", kind: "backup" }, "panel", "complete", 5 * minute);
    const text = reasonOf(await clock.run(run(intended(total))));
    assert.match(
      text,
      /transaction 5000 \(take_backup, running, made [^)]*\) of the machine has not ended within the total limit of 20s\. A longer timeouts\.total/,
    );
  });
  it("while looking back", async () => {
    const { clock, panel, intended, run } = scene();
    panel.order({ machine: "43", kind: "backup" }, "panel");
    const text = reasonOf(await clock.run(run(intended(total), "later")));
    assert.match(
      text,
      /could not be found out whether an earlier run has posted it within the total limit of 20s\. A longer timeouts\.total waits longer/,
    );
    assert.equal(panel.posts.length, 0);
  });
  for (const [phase, manners] of [
    ["looking", { lateMs: [minute] }],
    ["queued", { queuesForMs: minute }],
  ] as const) {
    it(`while ${phase}: stored, and nothing is posted again`, async () => {
      const { clock, panel, intended, run, left } = scene({}, manners);
      const cut = await clock.run(run(intended(total)));
      assert.equal(cut.kind, "stored");
      assert.match(reasonOf(cut), /[Tt]he next `pulumi up` (goes on waiting|looks again) and posts nothing/);
      assert.deepEqual([panel.posts.length, left()], [1, 0]);
    });
  }
});

describe("a panel that cannot be read before the POST", () => {
  it("is waited for as long as a restore may take to be listed, where the machine is not to be waited for", async () => {
    const { clock, panel, intended, run } = scene();
    const plan = await intended(within({ busyMs: 0 }));
    panel.downUntil = Infinity;
    const text = reasonOf(await clock.run(run(plan)));
    assert.match(text, /the panel's list could not be read \(.*\) within the listed limit of 2m\. /);
    assert.ok(!text.includes("busy: 0") && !text.includes(".)"), text);
  });
});

describe("a list that shows less than it did", () => {
  it("that is empty tells a later run nothing of what an earlier one has posted, and nothing is posted", async () => {
    const { clock, panel, intended, run, left } = scene();
    panel.order({ machine: "43", kind: "backup" }, "panel");
    const plan = intended({ wait: false });
    assert.equal((await clock.run(run(plan))).kind, "good");
    panel.listing = () => [];
    const text = reasonOf(await clock.run(run(plan, "later")));
    assert.match(text, /list of transactions is empty, and it was not when the intent was made/);
    assert.deepEqual([panel.posts.length, left()], [1, 0]);
  });

  it("that never showed anything tells a later run nothing either, as to a user who may not see it", async () => {
    const { clock, panel, intended, run, left } = scene();
    panel.listing = () => [];
    const plan = intended({ wait: false });
    await clock.run(run(plan));
    const text = reasonOf(await clock.run(run(plan, "later")));
    assert.match(text, /list of transactions is empty, so it does not tell .*new triggers restore it again/);
    assert.deepEqual([panel.posts.length, left()], [1, 0]);
  });

  for (const ids of ["decimal", "lettered"] as const) {
    for (const [how, shown] of [
      ["empty", 0],
      ["a copy that is behind", 1],
    ] as const) {
      it(`right before the POST (${how}, ${ids} ids) sends nothing and makes no restore from before the intent ours`, async () => {
        const { clock, panel, intended, run, left } = scene({}, { ids, lateMs: [5 * second] });
        panel.order({ machine: "43", kind: "backup" }, "panel");
        await clock.advance(minute);
        panel.order({ machine: "42", kind: "VmRestore" }, "person");
        await clock.advance(minute);
        const plan = intended();
        const behind = (parts: readonly Part[]) => parts.slice(parts.length - shown);
        panel.listing = (parts) => (panel.posts.length > 0 ? parts : behind(parts));
        const result = await clock.run(run(plan));
        assert.equal(result.kind, "not-posted");
        assert.deepEqual([panel.posts.length, left()], [0, 0]);
      });
    }
  }
});

describe("a restore that an earlier run stored", () => {
  const running = (id: string) =>
    recordWith({
      status: "running",
      transactionId: id,
      transactionIds: [id],
      action: "restore_recovery_point",
      requestedAt: "2026-11-21T10:00:00Z",
    });

  it("keeps what is known of it when this run sees nothing", async () => {
    const { clock, panel, site: session, left } = scene();
    panel.downUntil = Infinity;
    const result = await clock.run(resume(session, requestOf(), running("5012"), "me", reporter));
    assert.ok(result.kind === "stored");
    assert.deepEqual(result.record, running("5012"));
    assert.match(
      reasonOf(result),
      /has not shown transaction 5012 \(restore_recovery_point\) within 2m; it was last seen running/,
    );
    assert.equal(left(), 0);
  });

  it("of which neither an id nor a mark is left never becomes an older restore of the same machine, however often it is resumed", async () => {
    const { clock, panel, site: session } = scene();
    panel.order({ machine: "42", kind: "VmRestore" }, "person");
    await clock.advance(minute);
    let record = recordWith({ status: "unknown", transactionIds: [] });
    for (const run of ["the first run", "the second run"]) {
      const result = await clock.run(resume(session, requestOf(), record, "me", reporter));
      assert.ok(result.kind === "stored", `${run}: ${JSON.stringify(result)}`);
      // As it goes through the state.
      record = recordIn(outputsOf({}, result.record));
      assert.deepEqual([record.status, record.transactionIds, record.postedAfter], ["unknown", [], undefined], run);
    }
    assert.equal(panel.posts.length, 0);
  });

  it("whose place in the list was lost is not looked for above an empty one", async () => {
    const { clock, panel, site: session } = scene();
    panel.order({ machine: "42", kind: "VmRestore" }, "person");
    await clock.advance(minute);
    const record = recordIn({ status: "unknown", postedAfter: { panel: panelAddress, firstPageIds: ["4999"] } });
    const result = await clock.run(resume(session, requestOf(), record, "me", reporter));
    assert.ok(result.kind === "stored", JSON.stringify(result));
    assert.deepEqual([result.record.transactionIds, result.record.postedAfter], [[], { panel: panelAddress }]);
  });

  it("posted to another panel is not looked for on this one", async () => {
    const { clock, site: session } = scene();
    const elsewhere = { ...running("5012"), postedAfter: { panel: "https://old" } };
    const result = await clock.run(resume(session, requestOf(), elsewhere, "me", reporter));
    assert.ok(result.kind === "stored" && result.record === elsewhere);
    assert.match(reasonOf(result), /posted to the panel https:\/\/old.*Nothing was sent/);
  });
});

describe("a transaction taken by its id", () => {
  let warned: string[] = [];
  beforeEach(() => {
    warned = [];
  });
  const taken = (session: PanelSession, id: string, owner: string) =>
    take(session, requestOf(), id, owner, { ...reporter, warn: (text) => warned.push(text) });

  it("is this restore, and no other one's of this program", async () => {
    const { clock, panel, site: session } = scene();
    panel.order({ machine: "42", kind: "VmRestore" }, "person");
    const result = await clock.run(taken(session, "5000", "a"));
    assert.ok(result.kind === "good" && result.record.status === "complete" && result.record.adopted);
    assert.deepEqual(warned, ["took transaction 5000 as this restore, because adopt names it, and posted nothing"]);
    assert.match(
      reasonOf(await clock.run(taken(session, "5000", "b"))),
      /is another restore of this program already, or was this one before.*take adopt out\. Nothing was sent/,
    );
  });

  it("of another machine is refused, and stays free for whose it is", async () => {
    const { clock, panel, site: session } = scene();
    panel.order({ machine: "43", kind: "VmRestore" }, "person");
    assert.match(
      reasonOf(await clock.run(taken(session, "5000", "a"))),
      /belongs to another machine\. Nothing was sent/,
    );
    assert.equal(session.claims.isClaimedByAnother("5000", "b"), false);
  });

  it("that is no restore by its action is refused, with the setting that would name it", async () => {
    const { clock, panel, site: session } = scene();
    panel.order({ machine: "42", kind: "backup" }, "person");
    assert.match(
      reasonOf(await clock.run(taken(session, "5000", "a"))),
      /transaction 5000, which adopt names, is a \w+, and no restore by its name\. .*recovery:restoreActions.*Nothing was sent/,
    );
    assert.equal(session.claims.isClaimedByAnother("5000", "b"), false);
  });

  it("that lists paths is refused for a machine, with the resource that would take it, and taken for other files with a warning", async () => {
    const { clock, panel, site: session } = scene({}, { tells: "point and paths" });
    panel.order({ machine: "42", kind: "FileRestore", paths: ["/srv"] }, "person");
    assert.match(reasonOf(await clock.run(taken(session, "5000", "a"))), /lists paths.*FileRestore.*Nothing was sent/);
    const files = requestOf({
      target: { kind: "FileRestore", virtualMachineId: "42", recoveryPointId: "1007", paths: ["/etc"] },
    });
    const result = await clock.run(
      take(session, files, "5000", "a", { ...reporter, warn: (text) => warned.push(text) }),
    );
    assert.equal(result.kind, "good");
    assert.match(warned.join("\n"), /transaction 5000, which adopt names, lists other paths than this restore/);
  });

  it("older than adoptWindow is taken, with a warning that gives its age, also among its outputs", async () => {
    const { clock, panel, site: session } = scene();
    panel.order({ machine: "42", kind: "VmRestore" }, "person");
    await clock.advance(7 * 60 * minute);
    const result = await clock.run(taken(session, "5000", "a"));
    assert.ok(result.kind === "good");
    assert.match(result.record.warnings.join("\n"), /was made 7h ago, which is longer than recovery:adoptWindow/);
    assert.deepEqual(result.record.warnings, warned);
  });

  it("that the list does not show is refused", async () => {
    const { clock, panel, site: session, left } = scene();
    panel.order({ machine: "42", kind: "VmRestore" }, "person");
    assert.match(
      reasonOf(await clock.run(taken(session, "5999", "a"))),
      /was not found: the list does not show it\. Nothing was sent/,
    );
    assert.equal(left(), 0);
  });
});
