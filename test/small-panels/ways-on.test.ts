import assert from "node:assert/strict";
import { type Declared } from "../support/program";
import type { PanelAnswer } from "./panel";
import { OnStage, web } from "./stage";
import { stamped, trap, type Trap, wrapped } from "./trap";

/** A message whose advice is followed: all restores end complete. */
interface Way {
  readonly how?: Partial<Trap>;
  readonly declared?: Partial<Declared>;
  readonly restoreSeconds?: number;
  /** Called for each request while it is set. */
  readonly answer?: (stage: OnStage, usual: PanelAnswer, method: string) => Promise<PanelAnswer> | PanelAnswer;
  /** Causes the message; without it, a first `up` causes it. */
  readonly until?: (stage: OnStage) => Promise<string>;
  readonly said: RegExp;
  readonly advice?: (stage: OnStage) => void;
  readonly posts: number;
}

const textOf = async (run: Promise<{ readonly errors: ReadonlyMap<number, string> }>): Promise<string> =>
  (await run).errors.get(0) ?? "no error";
const failing = (stage: OnStage): Promise<string> => {
  stage.failing.add("42");
  return textOf(stage.up());
};
/** No run sends it again by itself. */
const failingStill = async (stage: OnStage): Promise<string> => {
  await failing(stage);
  return textOf(stage.up());
};
const restoreByHand = (stage: OnStage): void => {
  stage.failing.clear();
  stage.panel.work("42", "restore");
};
const adopts =
  (id: string) =>
  (stage: OnStage): void => {
    stage.change(0, { adopt: id });
  };
const sendsAgain = (stage: OnStage): void => {
  stage.failing.clear();
  stage.newTriggers(0);
};
const isDown = new WeakMap<OnStage, true>();
const ends =
  (end: string): NonNullable<Trap["parts"]> =>
  (usual) => [{ end: usual === "failed" ? end : usual }];
const inChain: Trap["row"] = (job) => ({ ...stamped(job), chain_id: job.at });
const withStart: NonNullable<Trap["parts"]> = (end) => [{}, { action: "startup_virtual_machine", seconds: 25, end }];

const ways: Readonly<Record<string, Way>> = {
  "failed: the next up": {
    until: failing,
    said: /failed: .*The next `pulumi up` looks for a newer restore/s,
    advice: (stage) => {
      stage.failing.clear();
    },
    posts: 2,
  },
  "failed, retryFailed: false: new triggers": {
    declared: { retryFailed: false },
    until: failing,
    said: /failed: .*triggers/s,
    advice: sendsAgain,
    posts: 2,
  },
  "cancelled: new triggers": {
    how: { parts: ends("cancelled") },
    until: failingStill,
    said: /change triggers, or the recovery point, to restore again/,
    advice: sendsAgain,
    posts: 2,
  },
  "cancelled: adopt": {
    how: { parts: ends("cancelled") },
    until: failing,
    said: /name what was restored instead, adopt: /,
    advice: (stage) => {
      restoreByHand(stage);
      adopts("132")(stage);
    },
    posts: 1,
  },
  "the machine did not start: adopt, once the part is mended": {
    how: { row: inChain, parts: withStart },
    until: async (stage) => {
      assert.match(await failing(stage), /complete on the panel, but transaction 132.* failed/);
      assert.equal(stage.outputsOf(0)["failedPart"], "132");
      // `replaceOnChanges` may replace the resource because its error changes: that is no attempt either.
      await stage.up({ replaced: [0] });
      return failingStill(stage);
    },
    said: /adopt: "131"/,
    advice: (stage) => {
      stage.panel.work("42", "run again");
      adopts("131")(stage);
    },
    posts: 1,
  },
  "one of two rows without an action failed: adopt, once it is mended": {
    how: { row: ({ status, at }) => ({ status, virtual_machine_id: 42, chain_id: at }), parts: withStart },
    until: failingStill,
    said: /transaction 132.* failed.*adopt: "131"/s,
    advice: (stage) => {
      stage.panel.work("42", "run again");
      adopts("131")(stage);
    },
    posts: 1,
  },
  "failed, retryFailed: false, and run again on the panel: adopt of its own": {
    declared: { retryFailed: false },
    until: failing,
    said: /failed: /,
    advice: (stage) => {
      stage.failing.clear();
      stage.panel.work("42", "run again");
      adopts("131")(stage);
    },
    posts: 1,
  },
  "the machine did not start, nobody waits, and the endpoint was another one: adopt": {
    declared: { wait: false },
    how: { row: inChain, parts: withStart },
    until: async (stage) => {
      await failing(stage);
      await stage.time.advance(600_000);
      await stage.refresh();
      adopts("131")(stage);
      stage.set({ "recovery:endpoint": "https://other.example" });
      return textOf(stage.up());
    },
    said: /was sent to the panel https:\/\/panel\.example/,
    advice: (stage) => {
      stage.set({ "recovery:endpoint": "https://panel.example" });
    },
    posts: 1,
  },
  "the machine did not start: new triggers": {
    how: { row: inChain, parts: withStart },
    until: failing,
    said: /triggers/,
    advice: sendsAgain,
    posts: 2,
  },
  "transactions that have not ended alike: adopt": {
    until: async (stage) => {
      stage.failing.add("42");
      const run = stage.up();
      stage.time.after(5_000, () => {
        restoreByHand(stage);
      });
      return textOf(run);
    },
    said: /cannot be judged: .*adopt: "13[12]"/s,
    advice: adopts("132"),
    posts: 1,
  },
  "not listed, and a job of another action is: restoreActions": {
    how: { parts: () => [{ action: "revert_disk" }] },
    said: /If "revert_disk" means a restore: `pulumi config set recovery:restoreActions '\["revert_disk"\]'`/,
    advice: (stage) => {
      stage.set({ "recovery:restoreActions": '["revert_disk"]' });
    },
    posts: 1,
  },
  "not listed: adopt, of what is found on the panel": {
    how: { parts: () => [] },
    said: /the panel has not listed it: .*change triggers to restore again/s,
    advice: (stage) => {
      restoreByHand(stage);
      adopts("131")(stage);
    },
    posts: 1,
  },
  "run has passed: the next up": {
    declared: { timeouts: { run: 30 } },
    restoreSeconds: 60,
    said: /timeouts\.run \(30s\).*the next `pulumi up` waits and posts nothing/s,
    posts: 1,
  },
  "busy: the next up": {
    declared: { timeouts: { busy: 0 } },
    until: async (stage) => {
      stage.panel.work("42", "backup");
      const said = await textOf(stage.up());
      await stage.time.run(stage.time.pause(60_000));
      return said;
    },
    said: /not sent.*131.*Run `pulumi up` again when it has ended/s,
    posts: 1,
  },
  "two that may be it after a kill: adopt": {
    until: async (stage) => {
      await stage.killed(1_000);
      restoreByHand(stage);
      await stage.time.run(stage.time.pause(60_000));
      return textOf(stage.up());
    },
    said: /may have been posted by an earlier attempt, so nothing was sent: the panel lists these jobs.*adopt: "131"/s,
    advice: adopts("131"),
    posts: 1,
  },
  "the list cannot be read down to the mark after a kill: adopt": {
    how: { isUnpaged: true },
    until: async (stage) => {
      await stage.killed(1_000);
      for (let count = 0; count < 5; count++) stage.panel.work("7", "start");
      for (let count = 0; count < 9; count++) stage.panel.work("9", "start");
      await stage.time.run(stage.time.pause(60_000));
      return textOf(stage.up());
    },
    said: /the list cannot be read back to the time when the intent was made.*change triggers to restore again/s,
    advice: sendsAgain,
    posts: 2,
  },
  "refused: the next up": {
    until: (stage) => {
      isDown.set(stage, true);
      return textOf(stage.up());
    },
    answer: (stage, usual, method) => (method === "POST" && isDown.has(stage) ? { status: 422 } : usual),
    said: /was refused by the panel, and changed nothing.*the next `pulumi up` checks the panel, then sends it again/s,
    advice: (stage) => void isDown.delete(stage),
    posts: 1,
  },
  "an adopt that is refused: taken out": {
    until: (stage) => {
      adopts("77")(stage);
      return textOf(stage.up());
    },
    said: /77, which adopt names, was not adopted.*or remove adopt/s,
    advice: (stage) => {
      stage.declared = [web];
    },
    posts: 1,
  },
  "a list that takes longer than requestTimeout: requestTimeout": {
    answer: async (stage, usual, method) => {
      if (method === "GET") await stage.time.pause(40_000);
      return usual;
    },
    said: /pulumi config set recovery:requestTimeout/,
    advice: (stage) => {
      stage.set({ "recovery:requestTimeout": "2m" });
    },
    posts: 1,
  },
};

describe("the advice of a message works", () => {
  for (const [what, { how, declared, restoreSeconds = 20, answer, until, said, advice, posts }] of Object.entries(ways))
    it(what, async () => {
      const make = wrapped({ row: stamped, ...how }, async ({ method }, usual) => {
        const given = method === "POST" && isDown.has(stage) ? { status: 500 } : await usual();
        return answer ? answer(stage, given, method) : given;
      });
      const stage: OnStage = new OnStage(make, "json", { declared: [{ ...web, ...declared }], restoreSeconds });
      assert.match(await (until ? until(stage) : textOf(stage.up())), said);
      advice?.(stage);
      const again = await stage.up();
      assert.deepEqual([again.errors.get(0), stage.statuses(), stage.posted.length], [undefined, ["complete"], posts]);
    });
});

describe("a restore with only its intent stored by an earlier run", () => {
  it("is reported first as perhaps sent, and a first restore is not", async () => {
    const stage = new OnStage(trap({ row: stamped }), "json", { declared: [web], restoreSeconds: 20 });
    assert.deepEqual((await stage.killed(1_000)).warnings, []);
    const { warnings, errors } = await stage.up();
    assert.match(
      warnings[0] ?? "",
      /^an earlier `pulumi up` asked for this restore and left no record: this `pulumi up` first searches the panel/,
    );
    assert.deepEqual([errors.size, stage.statuses(), stage.posted.length], [0, ["complete"], 1]);
    stage.newTriggers(0);
    assert.deepEqual((await stage.up()).warnings, []);
    stage.failing.add("42");
    stage.newTriggers(0);
    for (let count = 0; count < 2; count++)
      assert.doesNotMatch((await stage.up()).warnings.join("\n"), /left no record/);
  });
});
