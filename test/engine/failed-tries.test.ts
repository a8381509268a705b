import assert from "node:assert/strict";
import { FailedTries } from "../../provider/engine/memory";
import { lookAgain, resumeRestore } from "../../provider/restore/resume";
import { runRestore } from "../../provider/restore/run";
import type { RestoreRecord } from "../../provider/inputs/record";
import type { RestoreResult } from "../../provider/restore/result";
import { startSandbox } from "../../sandbox";
import { processOn } from "./support/fresh-process";
import { intentOf, markAt, recordWith } from "../restore/support/rows";
import { listeningVoice, makeIntent, planFor } from "../support/restore-programs";
import { virtualPanel } from "../support/virtual-panel";

describe("the intent of a next try", () => {
  const failed = (postedAfter: RestoreRecord["postedAfter"]) =>
    recordWith({ status: "failed", ...(postedAfter && { postedAfter }) });
  const newest = (record: RestoreRecord): string | undefined => {
    const tries = new FailedTries();
    tries.stored("intent-1", record);
    return tries.next(intentOf()).mark.newestId;
  };

  it("stands where the list stood when the last one had failed", () => {
    assert.equal(newest(failed(markAt("5015"))), "5015");
  });
  for (const [name, record] of [
    ["has not failed", recordWith({ status: "accepted", postedAfter: markAt("5015") })],
    ["does not say where", failed(undefined)],
    ["names the panel alone", failed({ panel: markAt().panel })],
    ["was on another panel", failed(markAt("5015", { panel: "https://other.test" }))],
    ["saw a copy of the list that was behind", failed(markAt("4990"))],
  ] as const) {
    it(`is as it was made where the last one ${name}`, () => {
      assert.equal(newest(record), "5000");
    });
  }
  it("is as it was made once the same restore is stored anew", () => {
    const tries = new FailedTries();
    tries.stored("intent-1", failed(markAt("5015")));
    tries.stored("intent-1", recordWith({ status: "running" }));
    assert.equal(tries.next(intentOf()).mark.newestId, "5000");
  });
});

describe("a failed restore that the engine creates anew", () => {
  for (const [name, failedAt, posts] of [
    ["is posted where the list shows nothing that was made since it had failed", "above the other one", 1],
    ["takes what was made since it had failed, and is not posted", "below the other one", 0],
  ] as const) {
    it(name, async () => {
      const panel = await startSandbox({ speed: 50 });
      try {
        const older = panel.addTransaction({ machineId: 43, action: "work", status: "complete" });
        const another = panel.postRestoreAsSomebodyElse(42, 1007, { seconds: 1 });
        const { vmRestore } = processOn(panel, { "recovery:requestTimeout": "1s" });
        const target = { virtualMachineId: "42", recoveryPointId: "1007" };
        const mark = (newestId: string) => ({ panel: panel.url, newestId, firstPageIds: [newestId] });
        const inputs = {
          ...target,
          wait: false,
          timeouts: { listed: 1 },
          __provider: "text",
          intent: {
            id: "a",
            urn: "urn:pulumi:s::p::pulumi-nodejs:dynamic/recovery:RestoreIntent::web-vm-intent",
            process: "an earlier one",
            madeAt: new Date().toISOString(),
            mark: mark("5000"),
            madeFor: { kind: "VmRestore", ...target },
          },
        };
        const tried = { status: "failed", transactionId: "5010", transactionIds: ["5010"] };
        const at = failedAt === "above the other one" ? another : older;
        const decision = vmRestore.diff("5010", { ...inputs, ...tried, postedAfter: mark(at) }, inputs);
        assert.deepEqual(decision, { changes: true, replaces: ["status"] });
        const { outs } = await vmRestore.create(inputs);
        assert.deepEqual([outs["adopted"], panel.acceptedPosts()], [posts === 0, posts]);
      } finally {
        await panel.stop();
      }
    });
  }
});

/**
 * A machine and then its files, posted by one run and left behind, as a plan does. The first one fails, and is tried again by a run that does not
 * come by the second one, and so hears of its transaction, before the first one has been restored.
 */
for (const format of ["json", "xml"] as const) {
  for (const dialect of ["plain", "awkward"] as const) {
    describe(`a restore that failed before another one of the machine, which comes behind it in the program, ${dialect}, ${format}`, () => {
      async function failedBeforeAnother(apartMs = 0) {
        const panel = virtualPanel(format, { dialect });
        const { clock, sandbox } = panel;
        const site = panel.newSite();
        const web = planFor(await clock.run(makeIntent(site)), { wait: false });
        sandbox.failNext(42, "failed");
        const left = recordIn(await clock.run(runRestore(site, web, "first", listeningVoice())));
        await clock.advance(apartMs);
        const files = await clock.run(makeIntent(site, "42", { kind: "FileRestore" }));
        const content = planFor(files, { name: "content", wait: false });
        const leftToo = recordIn(await clock.run(runRestore(site, content, "first", listeningVoice())));
        await clock.advance(3_600_000);
        assert.deepEqual(
          sandbox.restores().map(({ status }) => status),
          ["failed", "complete"],
        );
        /** As `diff` and `create` are called for the first one alone. */
        const triedAgain = async (stored: RestoreRecord, newSite = panel.newSite()): Promise<RestoreResult> => {
          const tries = new FailedTries();
          tries.stored(web.intent.id, stored);
          const plan = { ...web, wait: true, intent: tries.next(web.intent) };
          return runRestore(newSite, plan, "later", listeningVoice());
        };
        return { panel, web, content, left, leftToo, triedAgain };
      }

      it("is tried again after a refresh, and does not take the other one's transaction for its own", async () => {
        const { panel, web, content, left, leftToo, triedAgain } = await failedBeforeAnother();
        const site = panel.newSite();
        const looks = [lookAgain(site, web, left, web.intent.id), lookAgain(site, content, leftToo, content.intent.id)];
        const [refreshed] = await panel.clock.run(Promise.all(looks));
        assert.equal(refreshed?.status, "failed");
        const again = recordIn(await panel.clock.run(triedAgain(refreshed)));
        assert.deepEqual([again.status, again.adopted, panel.sandbox.acceptedPosts()], ["complete", false, 3]);
      });

      it("is tried again after a run that waited for it, and does not either", async () => {
        const { panel, web, left, triedAgain } = await failedBeforeAnother(1_200_000);
        const site = panel.newSite();
        const waited = resumeRestore(site, { ...web, wait: true }, left, web.intent.id, listeningVoice());
        const stored = recordIn(await panel.clock.run(waited));
        assert.equal(stored.status, "failed");
        const again = recordIn(await panel.clock.run(triedAgain(stored)));
        assert.deepEqual([again.status, again.adopted, panel.sandbox.acceptedPosts()], ["complete", false, 3]);
      });

      it("is posted once when the run that tries it again is killed", async () => {
        const { panel, web, content, left, leftToo, triedAgain } = await failedBeforeAnother();
        const site = panel.newSite();
        const looks = [lookAgain(site, web, left, web.intent.id), lookAgain(site, content, leftToo, content.intent.id)];
        const [refreshed] = await panel.clock.run(Promise.all(looks));
        assert.ok(refreshed);
        panel.sandbox.failNext(42, { seconds: 1_000 });
        void triedAgain(refreshed);
        await panel.clock.advance(300_000);
        assert.equal(panel.sandbox.acceptedPosts(), 3);
        const again = recordIn(await panel.clock.run(triedAgain(refreshed)));
        assert.deepEqual([again.status, again.adopted, panel.sandbox.acceptedPosts()], ["complete", true, 3]);
      });
    });
  }
}

function recordIn(result: RestoreResult): RestoreRecord {
  if (result.kind === "not-posted") assert.fail(result.reason);
  return result.record;
}
