import assert from "node:assert/strict";
import { type Declared, stackOn } from "./support/model-stack";

/** Panels whose rows do not say of which machine they are, and that have others' rows all the time. */

const second = 1_000;
const minute = 60 * second;

const machine = { virtualMachineId: "42", recoveryPointId: "1007" } as const;
const web: Declared = { name: "web", kind: "VmRestore", args: machine };

function scene(one: Declared = web) {
  const it = stackOn([one], { tie: "log", answersAfterMs: 700 });
  let machines = 43;
  /** Each on a machine of its own, because a machine has one piece of work at a time. */
  const others = (kind: "backup" | "VmRestore", runsForMs: number): void => {
    it.panel.order({ machine: String(machines++), kind }, "person", "complete", runsForMs);
  };
  return { ...it, others };
}

/** The items of the model's logs have no stamps, so that of a full page nobody knows how far back it goes. */
function fillLog({ panel }: ReturnType<typeof scene>): void {
  for (let index = 0; index < 12; index++) {
    panel.order({ machine: "42", kind: "backup" }, "panel", "complete", 0);
  }
}

async function killedBeforeThePost({ stack, panel }: ReturnType<typeof scene>): Promise<void> {
  await stack.up({ killAfterMs: 800 });
  assert.notEqual(stack.intentIdOf("web"), undefined);
  assert.equal(panel.posts.length, 0);
}

describe("a restore whose run was killed before the POST, rows that do not say whose they are", () => {
  for (const busy of [0, "1m"]) {
    for (const everySeconds of [7, 20, 45]) {
      it(`is sent although others' jobs begin every ${String(everySeconds)}s, busy: ${String(busy)}`, async () => {
        const it = scene({ ...web, args: { ...machine, timeouts: { busy } } });
        const { clock, panel, stack, others } = it;
        await killedBeforeThePost(it);
        const begin = (left: number): void => {
          others("backup", 3 * minute);
          if (left > 0) clock.after(everySeconds * second, () => begin(left - 1));
        };
        begin(60);
        assert.deepEqual((await stack.up()).errors, {});
        assert.equal(panel.posts.length, 1);
      });
    }
  }

  it("is sent once the machine's log, read on until it reaches them, has told that they are another's", async () => {
    const it = scene();
    const { clock, panel, stack, others } = it;
    fillLog(it);
    await killedBeforeThePost(it);
    others("VmRestore", second);
    await clock.advance(minute);
    assert.deepEqual([(await stack.up()).errors, panel.posts.length], [{}, 1]);
  });
});

describe("a restore that is followed where the machine's log is long", () => {
  it("has ended with its own transaction, however long a job goes on that can be none", async () => {
    const it = scene();
    const { clock, stack, others } = it;
    fillLog(it);
    const began = clock.now();
    clock.after(5 * second, () => others("backup", 180 * minute));
    assert.deepEqual((await stack.up()).errors, {});
    assert.equal(stack.outs("web")["status"], "complete");
    assert.ok(clock.now() - began < 2 * minute);
  });

  it("has ended with its own transaction where another one's restore has ended meanwhile", async () => {
    const it = scene({ ...web, args: { ...machine, timeouts: { run: "5m" } } });
    const { clock, panel, stack, others, idsOf } = it;
    fillLog(it);
    clock.after(5 * second, () => others("VmRestore", second));
    for (let run = 0; run < 2; run++) assert.deepEqual([(await stack.up()).errors, panel.posts.length], [{}, 1]);
    const [own = ""] = idsOf(0);
    assert.equal(stack.outs("web")["status"], "complete");
    assert.deepEqual(stack.idsOf("web"), [own]);
  });
});
