import assert from "node:assert/strict";
import { planOf, restore } from "../../drills/engine/support/plan-lab";
import { bare, named, stamped, trap, type Trap } from "../trap";
import { PlanOnStage } from "./plan-on-stage";

/** A plan of one machine, 42. */
const plan = (more: object = {}) => planOf({ data: { db: restore("42", "1007", more) } });
const textOf = async (up: Promise<readonly string[] | undefined>): Promise<string> => (await up)?.join("\n") ?? "";

const panels = { "id and status": bare, "the machine": named, stamps: stamped };

describe("adopt", () => {});

describe("adopt in a plan", () => {
  /** The restore fails, and somebody restores the machine while it runs. */
  const twoAtOnce = (row: Trap["row"]) => {
    const stack = new PlanOnStage(trap({ row }));
    stack.stage.failing.add("42");
    const up = stack.up(plan());
    stack.time.after(65_000, () => {
      stack.stage.failing.clear();
      stack.stage.panel.work("42", "restore");
    });
    return { stack, up };
  };

  const inChain: Trap = {
    row: (job) => ({ ...stamped(job), chain_id: job.at }),
    parts: (end) => [{}, { action: "startup_virtual_machine", seconds: 25, end }],
  };
  /** The machine of a restore that is complete does not start. */
  const withoutStart = async (): Promise<PlanOnStage> => {
    const stack = new PlanOnStage(trap(inChain));
    stack.stage.failing.add("42");
    const said = await textOf(stack.up(plan()));
    assert.match(said, /transaction 132 of the same job failed.*write adopt: "131", or change triggers/);
    return stack;
  };
  const story = (stack: PlanOnStage): unknown[] => [stack.verdict?.verdict, stack.stage.posted.length];

  it("takes the restore for complete, with a warning, when its machine did not start and was mended", async () => {
    const stack = await withoutStart();
    assert.match(await textOf(stack.up(plan())), /write adopt: "131", or new triggers/);
    assert.deepEqual(await stack.up(plan({ adopt: "131" })), []);
    assert.deepEqual(story(stack), ["passed with warnings", 1]);
    assert.match(stack.reasons, /took transaction 131, because adopt names it.*of a job with transaction 132 .*failed/);
    const { requests } = stack.stage;
    assert.deepEqual(await stack.up(plan({ adopt: "131" })), []);
    assert.deepEqual([...story(stack), stack.stage.requests], ["passed with warnings", 1, requests]);
  });

  it("takes the restore as it is now when the panel has run the failed part again", async () => {
    const stack = await withoutStart();
    stack.stage.panel.work("42", "run again");
    assert.deepEqual(await stack.up(plan({ adopt: "131" })), []);
    assert.deepEqual(story(stack), ["passed with warnings", 1]);
    assert.doesNotMatch(stack.reasons, /mended/);
  });

  for (const [rows, row] of Object.entries(panels))
    it(`is asked for, and counts only until the other attempt, when the first of two failed ones was run again: rows with ${rows}`, async () => {
      const stack = new PlanOnStage(trap({ row }));
      stack.stage.failing.add("42");
      await stack.up(plan());
      await stack.up(plan());
      stack.stage.failing.clear();
      stack.stage.panel.work("42", "run the first again");
      assert.match(await textOf(stack.up(plan())), /adopt: "131"/);
      assert.equal(stack.stage.posted.length, 2);
      assert.match(await textOf(stack.up(plan({ adopt: "131" }))), /db was overwritten by db \(transaction 132\)/);
      assert.deepEqual(story(stack), ["incomplete", 2]);
      assert.deepEqual(await stack.up(plan({ triggers: ["again"] })), []);
      assert.deepEqual(story(stack), ["passed with warnings", 3]);
    });

  it("takes the restore that a person has made instead when its machine did not start", async () => {
    const stack = await withoutStart();
    stack.stage.failing.clear();
    stack.stage.panel.work("42", "restore");
    assert.deepEqual(await stack.up(plan({ adopt: "133" })), []);
    assert.deepEqual(story(stack), ["passed with warnings", 1]);
  });

  for (const [rows, row] of Object.entries(panels))
    for (const [id, verdict] of [
      ["131", "failed"],
      ["132", "passed with warnings"],
    ] as const)
      it(`takes the restore that it names as ${verdict} when somebody restored the machine at the same time: rows with ${rows}`, async () => {
        const { stack, up } = twoAtOnce(row);
        assert.match(await textOf(up), /cannot be judged: .*adopt: "13[12]"/s);
        await stack.up(plan({ adopt: id }));
        assert.deepEqual(story(stack), [verdict, 1]);
      });

  for (const [rows, row] of Object.entries(panels))
    it(`sends nothing over the other restore when it named the one that had failed, and takes the other when it is named: rows with ${rows}`, async () => {
      const { stack, up } = twoAtOnce(row);
      await up;
      assert.match(await textOf(stack.up(plan({ adopt: "131" }))), /transaction 131 ended as failed/);
      assert.match(await textOf(stack.up(plan({ adopt: "131" }))), /adopt: "132"/);
      assert.equal(stack.stage.posted.length, 1);
      assert.deepEqual(await stack.up(plan({ adopt: "132" })), []);
      assert.deepEqual(story(stack), ["passed with warnings", 1]);
    });

  it("waits for the transaction that it names when the restore had not ended within its limit", async () => {
    for (const row of [bare, named]) {
      const stack = new PlanOnStage(trap({ row }), 120);
      const timeouts = { run: 30 };
      assert.match(await textOf(stack.up(plan({ timeouts }))), /timeouts\.run \(30s\)/);
      assert.deepEqual(await stack.up(plan({ timeouts: { run: 600 }, adopt: "131" })), []);
      assert.deepEqual(story(stack), ["passed with warnings", 1]);
    }
  });

  it("has no effect on a restore that is complete, and says so", async () => {
    const stack = new PlanOnStage(trap({ row: named }));
    await stack.up(plan());
    stack.stage.panel.work("42", "restore");
    await stack.time.advance(60_000);
    assert.deepEqual(await stack.up(plan({ adopt: "132" })), []);
    assert.match(stack.warnings.join(), /db: adopt: "132" has no effect: this restore is complete/);
    assert.doesNotMatch(stack.reasons, /adopted|failed/);
    assert.deepEqual(story(stack), ["passed with warnings", 1]);
  });
});
