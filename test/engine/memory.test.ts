import assert from "node:assert/strict";
import { transactionFoundAgain, Memory } from "../../provider/engine/memory";
import { type Fate, goodFate } from "../restore/support/panel-at-work";
import { type Declared, stackOn } from "./support/model-stack";

const second = 1_000;
const minute = 60 * second;

const machine = { virtualMachineId: "42", recoveryPointId: "1007" } as const;
const web: Declared = { name: "web", kind: "VmRestore", args: machine };
const etc: Declared = { name: "etc", kind: "FileRestore", args: { ...machine, paths: ["/etc/hosts"] } };
const failing: Fate = { ...goodFate, outcome: "failed" };
const long: Fate = { ...goodFate, runsForMs: 20 * minute };

const scene = (program: readonly Declared[] = [web], fates: readonly Fate[] = []) => stackOn(program, { fates });

describe("what a process remembers of a restore", () => {
  it("stands in one place by its intent's id", () => {
    const memory = new Memory();
    assert.equal(memory.of("i"), memory.of("i"));
    assert.notEqual(memory.of("i"), memory.of("j"));
  });

  it("tells that it was found again by the transaction that the new one adopted and the old one had, whichever comes first", () => {
    assert.equal(transactionFoundAgain({ adoptedIds: ["7", "8"], deletedIds: ["8"] }), "8");
    assert.equal(transactionFoundAgain({ adoptedIds: ["7"] }), undefined);
    assert.equal(transactionFoundAgain({ deletedIds: ["7"] }), undefined);
    assert.equal(transactionFoundAgain({ adoptedIds: ["7"], deletedIds: ["6"] }), undefined);
  });
});

describe("a restore that is replaced without its intent", () => {
  it("fails and says that nothing was restored and what to do: the transaction it had was found again", async () => {
    const { panel, stack } = scene();
    await stack.up();
    stack.tainted.add("web");
    const { errors } = await stack.up();
    assert.match(
      errors["web"] ?? "",
      /nothing was restored.*transaction 5001.*change triggers, or replace both: add --replace/s,
    );
    assert.equal(panel.posts.length, 1);
    stack.change("web", { triggers: ["anew"] });
    assert.deepEqual([(await stack.up()).errors, panel.posts.length], [{}, 2]);
  });

  it("fails in the same way where adopt names the transaction it had, and says to take that out", async () => {
    const { panel, stack } = scene();
    await stack.up();
    stack.change("web", { adopt: stack.idsOf("web")[0] });
    stack.tainted.add("web");
    assert.match(
      (await stack.up()).errors["web"] ?? "",
      /nothing was restored.*transaction 5001.*take adopt out and change triggers, or replace both: add --replace/s,
    );
    stack.change("web", { adopt: "auto", triggers: ["anew"] });
    assert.deepEqual([(await stack.up()).errors, panel.posts.length], [{}, 2]);
  });

  it("takes the transaction of a failed try that adopt names, where the panel has completed it since", async () => {
    const { panel, stack, idsOf } = scene([web], [failing]);
    assert.match((await stack.up()).errors["web"] ?? "", /failed/);
    const [id = ""] = idsOf(0);
    panel.end(id, "complete");
    stack.change("web", { adopt: id });
    assert.deepEqual([(await stack.up()).errors, panel.posts.length], [{}, 1]);
    assert.deepEqual([stack.outs("web")["status"], stack.idsOf("web")], ["complete", [id]]);
  });

  it("says that adopt has no effect where the restore is complete, and stays as it is", async () => {
    const { panel, stack } = scene();
    await stack.up();
    panel.order({ machine: "42", kind: "VmRestore" }, "person");
    const ids = stack.idsOf("web");
    stack.change("web", { adopt: "5002" });
    const { errors, warnings } = await stack.up();
    assert.deepEqual([errors, stack.idsOf("web"), panel.posts.length], [{}, ids, 1]);
    assert.match(
      warnings.join("\n"),
      /adopt: "5002" has no effect: the restore is complete already \(transaction 5001/,
    );
    assert.deepEqual((await stack.up()).warnings, []);
  });

  for (const way of ["tainted", "replacedOverAnError"] as const) {
    it(`goes on with what is stored where it had not ended, and posts nothing, ${way}`, async () => {
      const { panel, stack, idsOf } = scene([{ ...web, args: { ...machine, timeouts: { run: "1m" } } }], [long]);
      assert.match((await stack.up()).errors["web"] ?? "", /run limit of 1m/);
      stack[way].add("web");
      stack.change("web", { timeouts: { run: "1h" } });
      assert.deepEqual((await stack.up()).errors, {});
      assert.deepEqual(
        [stack.outs("web")["status"], stack.idsOf("web"), panel.posts.length],
        ["complete", idsOf(0), 1],
      );
    });

    it(`stays cancelled where it was, and posts nothing, ${way}`, async () => {
      const { clock, panel, stack, idsOf } = scene([web], [long]);
      clock.after(minute, () => panel.end(idsOf(0)[0]!, "cancelled"));
      await stack.up();
      stack[way].add("web");
      assert.match((await stack.up()).errors["web"] ?? "", /was cancelled.*never retried by itself/s);
      assert.deepEqual([stack.outs("web")["status"], panel.posts.length], ["cancelled", 1]);
    });
  }
});

describe("a restore whose failure is stored", () => {
  it("is posted anew by the next run, above where the list stood, and not taken for the try that failed", async () => {
    const { panel, stack, idsOf } = scene([web], [failing]);
    assert.match((await stack.up()).errors["web"] ?? "", /failed/);
    assert.deepEqual((await stack.up()).errors, {});
    assert.deepEqual([stack.outs("web")["adopted"], stack.idsOf("web"), panel.posts.length], [false, idsOf(1), 2]);
  });

  it("is posted once more and no more when the run that tries it again is killed", async () => {
    const { panel, stack, idsOf } = scene([web], [failing, long]);
    await stack.up();
    await stack.up({ killAfterPosts: 1 });
    assert.equal(panel.posts.length, 2);
    assert.deepEqual((await stack.up()).errors, {});
    assert.deepEqual([stack.outs("web")["adopted"], stack.idsOf("web"), panel.posts.length], [true, idsOf(1), 2]);
  });

  it("stays an error with retryFailed: false, and is not posted", async () => {
    const { panel, stack } = scene([{ ...web, args: { ...machine, retryFailed: false } }], [failing]);
    for (let run = 0; run < 3; run++) {
      assert.match((await stack.up()).errors["web"] ?? "", /failed/);
      await stack.refresh();
    }
    assert.equal(panel.posts.length, 1);
  });
});

describe("a restore of a plan that the very first look shows to have failed", () => {
  const atOnce: Fate = { ...failing, runsForMs: 0 };
  const left = (one: Declared): Declared => ({ ...one, args: { ...one.args, wait: false } });

  it("is sent again after a refresh, and not by the next up alone", async () => {
    const { panel, stack, idsOf } = scene([left(web)], [atOnce]);
    stack.planned.add("web");
    for (let run = 0; run < 3; run++) {
      assert.deepEqual((await stack.up()).errors, {});
      assert.deepEqual([stack.outs("web")["status"], stack.idsOf("web"), panel.posts.length], ["running", idsOf(0), 1]);
    }
    await stack.refresh();
    assert.equal(stack.outs("web")["status"], "failed");
    assert.deepEqual((await stack.up()).errors, {});
    assert.deepEqual([stack.idsOf("web"), panel.posts.length], [idsOf(1), 2]);
  });
});

describe("a restore that failed after its run was killed", () => {
  for (const retryFailed of [true, false]) {
    it(`is ${retryFailed ? "posted anew" : "an error until triggers change"} with retryFailed: ${String(retryFailed)}`, async () => {
      const { clock, panel, stack, idsOf } = scene([{ ...web, args: { ...machine, retryFailed } }], [failing]);
      await stack.up({ killAfterMs: 5 * second });
      await clock.advance(minute);
      for (let run = 0; run < 3; run++) {
        const { errors } = await stack.up();
        if (retryFailed) assert.deepEqual(errors, {});
        else assert.match(errors["web"] ?? "", /failed.*retryFailed is false/);
        assert.deepEqual(
          [stack.outs("web")["status"], stack.idsOf("web"), panel.posts.length],
          retryFailed ? ["complete", idsOf(1), 2] : ["failed", idsOf(0), 1],
        );
        await stack.refresh();
      }
      stack.change("web", { triggers: ["anew"] });
      assert.deepEqual((await stack.up()).errors, {});
    });
  }
});

describe("an intent", () => {
  it("keeps its mark over runs, of what it stands behind nothing, and is made anew with new triggers", async () => {
    const { stack } = scene([web, etc]);
    await stack.up();
    const [first, behind] = [stack.intentOf("web"), stack.intentOf("etc")];
    const firstId = stack.intentIdOf("web");
    for (const gone of ["after", "madeAt", "predecessor", "row"])
      assert.ok(!(gone in first) && !(gone in behind), gone);
    assert.deepEqual(Object.keys(first["mark"] as object).sort(), ["newestCreatedAt", "newestId", "panel", "takenAt"]);
    stack.change("web", { triggers: ["anew"] });
    const { calls } = await stack.up();
    assert.deepEqual(
      calls.filter((call) => call.startsWith("create")),
      ["create web's intent", "create web"],
    );
    assert.notEqual(stack.intentIdOf("web"), firstId);
    assert.deepEqual(stack.intentOf("etc"), behind);
  });
});

describe("a POST that the panel has refused", () => {
  it("is tried again by the next run, and what a person has restored of files since is not taken for the machine", async () => {
    const { panel, clock, stack, idsOf } = stackOn([web], {
      fates: [{ ...goodFate, answer: "refused", carriedOut: false }],
      tells: "point and paths",
    });
    assert.match((await stack.up()).errors["web"] ?? "", /was refused, nothing was carried out/);
    panel.order({ machine: "42", kind: "FileRestore", point: "1007", paths: ["/etc/hosts"] }, "person");
    await clock.advance(10 * minute);
    assert.deepEqual((await stack.up()).errors, {});
    assert.deepEqual([stack.idsOf("web"), panel.posts.length], [idsOf(1), 2]);
  });

  it("asks nothing about a backup that somebody has cancelled since", async () => {
    const { panel, clock, stack, idsOf } = scene([web], [{ ...goodFate, answer: "refused", carriedOut: false }]);
    await stack.up();
    panel.order({ machine: "42", kind: "backup" }, "person", "complete", 10 * minute);
    panel.cancel("42");
    await clock.advance(10 * minute);
    assert.deepEqual((await stack.up()).errors, {});
    assert.deepEqual([stack.idsOf("web"), panel.posts.length], [idsOf(1), 2]);
  });
});

describe("a panel that has another address now", () => {
  it("has a restore that was under way taken anew by the id that is stored, and posts nothing", async () => {
    const { panel, clock, stack, idsOf } = scene([{ ...web, args: { ...machine, wait: false } }], [long]);
    await stack.up();
    stack.edit("web", (outs) => ({
      outs: { ...outs, postedAfter: { ...(outs["postedAfter"] as object), panel: "https://old" } },
    }));
    stack.change("web", { wait: true });
    assert.match((await stack.up()).errors["web"] ?? "", /was posted to the panel https:\/\/old/);
    await clock.advance(20 * minute);
    stack.change("web", { adopt: idsOf(0)[0] });
    assert.deepEqual((await stack.up()).errors, {});
    assert.deepEqual([stack.outs("web")["status"], stack.idsOf("web"), panel.posts.length], ["complete", idsOf(0), 1]);
  });
});
