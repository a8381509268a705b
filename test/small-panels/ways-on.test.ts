import assert from "node:assert/strict";
import { type Declared } from "../support/program";
import { type OnStage, web } from "./stage";
import { chained, type Instead, onTrap, stamped, type Trap } from "./trap";

/** How to cause an error message. Once its advice has been followed, all restores must be complete. */
interface Way {
  readonly how?: Partial<Trap>;
  readonly declared?: Partial<Declared>;
  readonly restoreSeconds?: number;
  readonly answer?: Instead;
  /** What happens before the `up` that shows the message. */
  readonly before?: (stage: OnStage) => unknown;
  readonly said: RegExp;
  readonly advice?: (stage: OnStage) => unknown;
  /** @default 1 */
  readonly posts?: number;
}

const fails = (stage: OnStage): unknown => stage.failing.add("42");
/** The message is in the run after the failure. No run resends this restore automatically. */
const hasFailed = async (stage: OnStage): Promise<void> => {
  fails(stage);
  await stage.up();
};
const restoreByHand = (stage: OnStage): void => {
  stage.failing.clear();
  stage.panel.work("42", "restore");
};
const adopts =
  (id: string) =>
  (stage: OnStage): void =>
    stage.change(0, { adopt: id });
const runsAgainAndAdopts = (stage: OnStage): void => {
  stage.failing.clear();
  stage.panel.work("42", "run again");
  adopts("131")(stage);
};
const isBusy = (stage: OnStage): void => stage.panel.work("42", "backup");
const sendsAgain = (stage: OnStage): void => {
  stage.failing.clear();
  stage.newTriggers(0);
};
const cancelled: NonNullable<Trap["parts"]> = (end) => [{ end: end === "failed" ? "cancelled" : end }];
const withStart: NonNullable<Trap["parts"]> = (end) => [{}, { action: "startup_virtual_machine", seconds: 25, end }];

const ways: Readonly<Record<string, Way>> = {
  "after a failure, by running `up` again": {
    before: fails,
    said: /failed: .*The next `pulumi up` looks for a newer restore/s,
    advice: (stage) => stage.failing.clear(),
    posts: 2,
  },
  "after a failure with retryFailed: false, by changing triggers": {
    declared: { retryFailed: false },
    before: fails,
    said: /failed: .*triggers/s,
    advice: sendsAgain,
    posts: 2,
  },
  "after a cancellation, by changing triggers": {
    how: { parts: cancelled },
    before: hasFailed,
    said: /change triggers, or the recovery point, to restore again/,
    advice: sendsAgain,
    posts: 2,
  },
  "after a cancellation, by adopting a restore made by hand": {
    how: { parts: cancelled },
    before: fails,
    said: /if another transaction restored the machine, set adopt: /,
    advice: (stage) => {
      restoreByHand(stage);
      adopts("132")(stage);
    },
  },
  "when the adopted transaction failed and retryFailed is false, by removing adopt and changing triggers": {
    declared: { adopt: "131", retryFailed: false },
    before: async (stage) => {
      fails(stage);
      await stage.workLater(0);
    },
    said: /retryFailed is false, .*: remove adopt and change triggers/,
    advice: (stage) => {
      stage.declared = [web];
      sendsAgain(stage);
    },
  },
  "when the machine did not start, by running the failed part again and adopting the restore": {
    how: { row: chained, parts: withStart },
    before: async (stage) => {
      fails(stage);
      assert.match(await stage.said(), /complete on the panel, but transaction 132.* failed/);
      assert.equal(stage.outputsOf(0)["failedPart"], "132");
      await stage.up();
    },
    said: /adopt: "131"/,
    advice: runsAgainAndAdopts,
  },
  "when one of two rows without an action failed, by running that job again and adopting the restore": {
    how: { row: ({ status, at }) => ({ status, virtual_machine_id: 42, chain_id: at }), parts: withStart },
    before: hasFailed,
    said: /transaction 132.* failed.*adopt: "131"/s,
    advice: runsAgainAndAdopts,
  },
  "after a failure with retryFailed: false, by running the restore again on the panel and adopting it": {
    declared: { retryFailed: false },
    before: fails,
    said: /failed: /,
    advice: runsAgainAndAdopts,
  },
  "when the restore to adopt was sent to another endpoint, by setting that endpoint again": {
    declared: { wait: false },
    how: { row: chained, parts: withStart },
    before: async (stage) => {
      await hasFailed(stage);
      await stage.time.advance(600_000);
      await stage.refresh();
      adopts("131")(stage);
      stage.set({ "recovery:endpoint": "https://other.example" });
    },
    said: /belongs to the panel https:\/\/panel\.example/,
    advice: (stage) => stage.set({ "recovery:endpoint": "https://panel.example" }),
  },
  "when the machine did not start, by changing triggers": {
    how: { row: chained, parts: withStart },
    before: fails,
    said: /triggers/,
    advice: sendsAgain,
    posts: 2,
  },
  "when transactions have different outcomes, by adopting one of them": {
    before: (stage) => {
      stage.time.after(5_000, () => restoreByHand(stage));
      fails(stage);
    },
    said: /cannot be judged: .*adopt: "13[12]"/s,
    advice: adopts("132"),
  },
  "when only a job with another action is listed, by adding that action to restoreActions": {
    how: { parts: () => [{ action: "revert_disk" }] },
    before: (stage) => stage.set({ "recovery:restoreActions": "push_paths" }),
    said: /if "revert_disk" means a restore, run `pulumi config set recovery:restoreActions "push_paths,revert_disk"`/,
    advice: (stage) => stage.set({ "recovery:restoreActions": "push_paths,revert_disk" }),
  },
  "when one final status is used for both outcomes, by setting both fields": {
    how: { row: ({ status, hasEnded }) => ({ status: hasEnded ? "closed" : "running", vm_id: 42, verdict: status }) },
    said: /\(its statuses: "closed"\).*recovery:fields "status=<status>,<outcome>"/,
    advice: (stage) => {
      stage.set({ "recovery:fields": "status=status,verdict", "recovery:completeStatuses": "closed complete" });
    },
  },
  "when another field names the machine, by setting that field": {
    how: { row: ({ action, status, machine }) => ({ action, status, server_id: machine }) },
    before: async (stage) => {
      await hasFailed(stage);
      stage.panel.work("43", "restore");
    },
    said: /may be for another machine\n.*`pulumi config set recovery:fields "machine=<field>"`/,
    advice: (stage) => {
      stage.failing.clear();
      stage.set({ "recovery:fields": "machine=server_id" });
    },
    posts: 2,
  },
  "when the restore is not listed, by adopting a transaction found on the panel": {
    how: { parts: () => [] },
    said: /the panel has not listed it: .*change triggers to restore again/s,
    advice: (stage) => {
      restoreByHand(stage);
      adopts("131")(stage);
    },
  },
  "when timeouts.run is exceeded, by running `up` again": {
    declared: { timeouts: { run: 30 } },
    restoreSeconds: 60,
    said: /timeouts\.run \(30s\).*the next `pulumi up` waits and sends nothing/s,
  },
  "when the machine is busy, by running `up` again": {
    declared: { timeouts: { busy: 0 } },
    before: isBusy,
    said: /not sent.*131.*Run `pulumi up` again when it has ended, or increase timeouts.busy/s,
    advice: (stage) => stage.time.advance(60_000),
  },
  "when the machine is busy until timeouts.total has passed, by increasing timeouts.total": {
    declared: { timeouts: { total: 5 } },
    before: isBusy,
    said: /not sent.*131.*within timeouts.total \(5s\). Run `pulumi up` again .* or increase timeouts.total/s,
    advice: (stage) => stage.change(0, { timeouts: {} }),
  },
  "when the list cannot be read down to the mark after a kill, by changing triggers": {
    how: { isUnpaged: true },
    before: async (stage) => {
      await stage.killed(1_000);
      for (let count = 0; count < 5; count++) stage.panel.work("7", "start");
      for (let count = 0; count < 9; count++) stage.panel.work("9", "start");
      await stage.time.advance(60_000);
    },
    said: /the list cannot be read down to that attempt.*change triggers to restore again/s,
    advice: sendsAgain,
    posts: 2,
  },
  "when adopt is rejected, by removing adopt": {
    before: adopts("77"),
    said: /77, named in adopt, was not adopted.*or remove adopt/s,
    advice: (stage) => {
      stage.declared = [web];
    },
  },
  "when reading the list takes too long, by increasing requestTimeout": {
    answer: async ({ method }, usual, world) => {
      const answer = await usual();
      if (method === "GET") await world.pause(40_000);
      return answer;
    },
    said: /pulumi config set recovery:requestTimeout/,
    advice: (stage) => stage.set({ "recovery:requestTimeout": "2m" }),
  },
};

for (const [what, { how, declared, restoreSeconds = 20, answer, before, said, advice, posts = 1 }] of Object.entries(
  ways,
))
  it(`a user who follows the advice in an error message completes the restore ${what}`, async () => {
    const more = { declared: [{ ...web, ...declared }], restoreSeconds };
    const stage = onTrap({ row: stamped, ...how }, more, answer);
    await before?.(stage);
    assert.match(await stage.said(), said);
    await advice?.(stage);
    const again = await stage.up();
    assert.deepEqual([again.errors.get(0), stage.statuses(), stage.posted.length], [undefined, ["complete"], posts]);
  });

describe("a restore for which an earlier run stored only the intent", () => {
  it("is reported as possibly sent, unlike a new or a failed restore", async () => {
    const stage = onTrap({ row: stamped }, { restoreSeconds: 20 });
    assert.deepEqual((await stage.killed(1_000)).warnings, []);
    const { warnings, errors, progress } = await stage.up();
    const first = "overwrites machine 42 from recovery point 1007, unless already sent";
    const last = ["[131] running", "[131] complete, looking for further parts", "[131] complete, adopted"];
    assert.deepEqual(progress, ["restores are sent to the panel https://panel.example", first, ...last]);
    assert.match(
      warnings[0] ?? "",
      /^an earlier `pulumi up` requested this restore and left no record, so this `pulumi up` first searches the panel/,
    );
    assert.deepEqual([errors.size, stage.statuses(), stage.posted.length], [0, ["complete"], 1]);
    stage.newTriggers(0);
    assert.deepEqual((await stage.killed(1_000)).warnings, []);
    const line = "overwrites machine 42 again from recovery point 1007, unless already sent: triggers changed";
    assert.ok((await stage.up()).progress.includes(line));
    stage.failing.add("42");
    stage.newTriggers(0);
    for (let count = 0; count < 2; count++)
      assert.doesNotMatch((await stage.up()).warnings.join("\n"), /left no record/);
  });

  it("is reported when it is removed, because it may be running", async () => {
    const stage = onTrap({ row: stamped }, { restoreSeconds: 20 });
    await stage.killed(1_000);
    stage.declared = [];
    assert.match(
      (await stage.up()).warnings.join("\n"),
      /^an earlier `pulumi up` requested a restore of machine 42 from recovery point 1007 and left no record/,
    );
  });
});
