import assert from "node:assert/strict";
import { type Fate, goodFate } from "../restore/support/panel-at-work";
import { type Declared, stackOn } from "./support/model-stack";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

const machine = { virtualMachineId: "42", recoveryPointId: "1007" } as const;
const web: Declared = { name: "web", kind: "VmRestore", args: machine };
const etc: Declared = { name: "etc", kind: "FileRestore", args: { ...machine, paths: ["/etc/hosts"] } };
const lost: Fate = { ...goodFate, answer: "lost", carriedOut: false };
const failing: Fate = { ...goodFate, outcome: "failed" };

function scene(program: readonly Declared[] = [web, etc], fates: readonly Fate[] = []) {
  const it = stackOn(program, { fates, older: false });
  const somebodys = (): string => it.panel.order({ machine: "42", kind: "VmRestore" }, "person").parts[0]!.id;
  return { ...it, somebodys };
}

const isUnconfirmed = /(lost|posted by an earlier run).*unconfirmed.*adopt: "<transaction id>".*new triggers/s;

describe("a restore that is unconfirmed", () => {
  for (const wait of [true, false]) {
    it(`is an error in the run that sent it and in every later one, and nothing behind it is begun, wait: ${String(wait)}`, async () => {
      const { panel, stack } = scene([{ ...web, args: { ...machine, wait } }, etc], [lost]);
      for (let run = 0; run < 3; run++) {
        const { errors, calls } = await stack.up();
        assert.match(errors["web"] ?? "", isUnconfirmed);
        assert.deepEqual([stack.outs("web")["status"], stack.outs("etc"), panel.posts.length], ["unknown", {}, 1]);
        assert.deepEqual(calls, run === 0 ? ["create web's intent", "create web"] : ["update web"]);
        await stack.refresh();
      }
    });
  }

  it("is taken by an up when exactly one fits, with a warning; a refresh takes nothing", async () => {
    const { clock, panel, stack, somebodys } = scene([web, etc], [lost]);
    await stack.up();
    const id = somebodys();
    await clock.advance(minute);
    await stack.refresh();
    assert.deepEqual([stack.outs("web")["status"], stack.idsOf("web")], ["unknown", []]);
    assert.deepEqual((await stack.up()).errors, {});
    assert.deepEqual([stack.outs("web")["status"], stack.idsOf("web")], ["complete", [id]]);
    assert.match(String(stack.outs("web")["warnings"]), new RegExp(`${id}.*appeared since`));
    assert.deepEqual([stack.outs("etc")["status"], panel.posts.length], ["complete", 2]);
  });

  it("is a question where two fit, or one of a day later, or one that was made before it and listed since", async () => {
    for (const what of ["two", "late", "early"]) {
      const { clock, panel, stack, somebodys } = scene([web], [lost]);
      if (what === "early") {
        const early = somebodys();
        // The list is empty for the mark: no stamp of its rows tells, and the panel's own clock does by the hour.
        await clock.advance(2 * hour);
        panel.listing = (parts) => parts.filter(({ id }) => id !== early);
        await stack.up();
        panel.listing = undefined;
      } else await stack.up();
      if (what === "late") await clock.advance(24 * hour);
      if (what !== "early") somebodys();
      if (what === "two") somebodys();
      await clock.advance(minute);
      const { errors } = await stack.up();
      assert.match(errors["web"] ?? "", /5000/, what);
      assert.match(errors["web"] ?? "", /adopt: "5000"/, what);
      assert.deepEqual([stack.idsOf("web"), panel.posts.length], [[], 1], what);
    }
  });

  it("is ended by adopt, which lets the one behind it go on, and by new triggers, which send it anew", async () => {
    for (const way of ["adopt", "triggers"]) {
      const { clock, panel, stack, somebodys, idsOf } = scene([web, etc], [lost]);
      await stack.up();
      await clock.advance(24 * hour);
      const id = somebodys();
      await clock.advance(minute);
      stack.change("web", way === "adopt" ? { adopt: id } : { triggers: ["again"] });
      assert.deepEqual((await stack.up()).errors, {});
      assert.deepEqual(stack.idsOf("web"), way === "adopt" ? [id] : idsOf(1));
      assert.deepEqual([stack.outs("etc")["status"], panel.posts.length], ["complete", way === "adopt" ? 2 : 3]);
    }
  });

  it("stays one as the retry of a failure, and the failed transaction is not taken for it", async () => {
    const { panel, stack, idsOf } = scene([web, etc], [failing, lost]);
    assert.match((await stack.up()).errors["web"] ?? "", /failed/);
    assert.deepEqual([stack.outs("web")["status"], stack.idsOf("web")], ["failed", idsOf(0)]);
    for (let run = 0; run < 3; run++) {
      assert.match((await stack.up()).errors["web"] ?? "", isUnconfirmed);
      assert.deepEqual([stack.outs("web")["status"], stack.idsOf("web"), panel.posts.length], ["unknown", [], 2]);
    }
  });

  it('with adopt: "never" takes nothing and is not posted again', async () => {
    const { panel, stack, somebodys } = scene([{ ...web, args: { ...machine, adopt: "never" } }], [lost]);
    await stack.up();
    somebodys();
    assert.match(
      (await stack.up()).errors["web"] ?? "",
      /unconfirmed, and adopt: "never" takes no transaction.*take adopt out/,
    );
    assert.deepEqual([stack.outs("web")["status"], stack.idsOf("web"), panel.posts.length], ["unknown", [], 1]);
    stack.change("web", { adopt: "auto" });
    assert.deepEqual([(await stack.up()).errors, panel.posts.length], [{}, 1]);
  });
});

describe("one that is unconfirmed behind one that has failed and is tried again under the same intent", () => {
  for (const [what, adopt, outcome] of [
    ["failed as well", "auto", "failed"],
    ["is not looked for (adopt: never)", "never", "complete"],
  ] as const) {
    it(`is not what a killed run has posted as that try, which ${what}, and is not sent again`, async () => {
      const first = { ...web, args: { ...machine, adopt } };
      const complete: Fate = { ...failing, outcome: "complete" };
      const { clock, panel, stack, idsOf } = scene([first, etc], [complete, lost]);
      await stack.up();
      assert.deepEqual([stack.outs("web")["status"], stack.outs("etc")["status"]], ["complete", "unknown"]);
      stack.change("web", { triggers: ["again"] });
      panel.fates = [failing, { ...failing, outcome }, complete];
      await stack.up();
      await stack.up({ killAfterPosts: 1 });
      await clock.advance(10 * minute);
      for (let run = 0; run < 3; run++) {
        const { errors } = await stack.up();
        assert.match(errors["etc"] ?? "", new RegExp(`unconfirmed.*adopt: "${idsOf(3).join()}"`));
        assert.deepEqual([stack.outs("etc")["status"], stack.idsOf("etc")], ["unknown", []]);
        assert.deepEqual([stack.idsOf("web"), panel.posts.length], [idsOf(4), 5]);
      }
    });
  }
});

describe("--target with the restore before it left out", () => {
  it("sends nothing and takes nothing while that one is unconfirmed, and names it", async () => {
    const { panel, stack } = scene([web, etc], [lost]);
    await stack.up();
    for (let run = 0; run < 2; run++) {
      const { errors } = await stack.up({ target: ["etc"] });
      assert.match(
        errors["etc"] ?? "",
        /"etc".*was not sent: "web", the restore of the same machine before it, is unknown, and this run leaves it out\. Include it in --target as well \('urn:pulumi:.*VmRestore::web'/,
      );
      assert.deepEqual([panel.posts.length, stack.outs("etc")], [1, {}]);
    }
  });

  for (const [status, fate, args] of [
    ["failed", failing, {}],
    ["running", { ...failing, runsForMs: hour }, { wait: false }],
  ] as const) {
    it(`does neither where that one is ${status}`, async () => {
      const { panel, stack } = scene([{ ...web, args: { ...machine, ...args } }, etc], [fate]);
      await stack.up({ target: ["web"] });
      assert.equal(stack.outs("web")["status"], status);
      const { errors } = await stack.up({ target: ["etc"] });
      assert.match(errors["etc"] ?? "", new RegExp(`"web".*is ${status}, and this run leaves it out`));
      assert.equal(panel.posts.length, 1);
    });
  }

  it("does neither where that one was never stored", async () => {
    const { panel, stack } = scene();
    assert.match((await stack.up({ target: ["etc"] })).errors["etc"] ?? "", /"web".*this run leaves it out/);
    assert.equal(panel.posts.length, 0);
  });

  it("posts where that one is complete, and its transactions are known as its own", async () => {
    const { panel, stack, idsOf } = scene();
    await stack.up({ target: ["web"] });
    assert.deepEqual((await stack.up({ target: ["etc"] })).errors, {});
    assert.deepEqual([stack.idsOf("web"), stack.idsOf("etc"), panel.posts.length], [idsOf(0), idsOf(1), 2]);
  });

  it("adopts after a kill what is its own, and not what that one has stored as failed and sent again since", async () => {
    const { panel, stack, idsOf } = scene([web, etc]);
    await stack.up({ killAfterPosts: 2 });
    assert.equal(panel.posts.length, 2);
    assert.equal(stack.outs("web")["status"], "complete");
    assert.deepEqual((await stack.up({ target: ["etc"] })).errors, {});
    assert.deepEqual([stack.idsOf("etc"), panel.posts.length], [idsOf(1), 2]);
  });

  it("makes what fits a question where that one was sent anew since the intent was made", async () => {
    const { panel, stack, idsOf } = scene([web, etc]);
    await stack.up({ killAfterPosts: 2 });
    assert.equal(panel.posts.length, 2);
    stack.change("web", { triggers: ["again"] });
    assert.deepEqual((await stack.up({ target: ["web"] })).errors, {});
    assert.deepEqual([stack.idsOf("web"), panel.posts.length], [idsOf(2), 3]);
    const { errors } = await stack.up({ target: ["etc"] });
    assert.match(
      errors["etc"] ?? "",
      new RegExp(`${idsOf(1).join()}.*stands below the restore before this one.*adopt: "`, "s"),
    );
    assert.equal(panel.posts.length, 3);
  });

  it("does not go on with one that is unconfirmed itself while that one is not complete", async () => {
    const { panel, stack, somebodys } = scene([web, etc], [{ ...failing, outcome: "complete" }, lost]);
    assert.match((await stack.up()).errors["etc"] ?? "", /unconfirmed/);
    stack.change("web", { triggers: ["again"] });
    panel.fates = [failing];
    await stack.up({ target: ["web"] });
    assert.equal(stack.outs("web")["status"], "failed");
    somebodys();
    const { errors } = await stack.up({ target: ["etc"] });
    // It was sent, and nobody may read that it was not.
    assert.match(errors["etc"] ?? "", /"etc".*was not looked for: "web".*is failed, and this run leaves it out/);
    assert.deepEqual([stack.idsOf("etc"), panel.posts.length], [[], 3]);
  });
});

describe("one that is unconfirmed and replaced over its error", () => {
  it("does not take what the restore before it, which this run leaves out, was tried again with", async () => {
    const { panel, stack } = scene([web, etc], [{ ...failing, outcome: "complete" }, lost]);
    await stack.up();
    stack.change("web", { triggers: ["again"] });
    panel.fates = [failing];
    await stack.up({ target: ["web"] });
    assert.deepEqual([stack.outs("web")["status"], stack.outs("etc")["status"]], ["failed", "unknown"]);
    for (let run = 0; run < 2; run++) {
      stack.replacedOverAnError.add("etc");
      const { errors } = await stack.up({ target: ["etc"] });
      assert.match(errors["etc"] ?? "", /"web".*and this run leaves it out/);
      assert.deepEqual([stack.outs("etc")["status"], stack.idsOf("etc"), panel.posts.length], ["unknown", [], 3]);
    }
  });
});

describe("the third restore of a machine, whose run was killed before its POST", () => {
  const opt: Declared = { name: "opt", kind: "FileRestore", args: { ...machine, paths: ["/opt"] } };

  /** The first two are complete; a job of the machine has kept the third from being sent. */
  async function killedBeforeThird() {
    const all = scene([web, etc]);
    const { clock, panel, stack } = all;
    await stack.up();
    stack.program = [web, etc, opt];
    panel.order({ machine: "42", kind: "backup" }, "panel", "complete", 5 * minute);
    await stack.up({ killAfterMs: 30 * second });
    await clock.advance(10 * minute);
    assert.deepEqual([panel.posts.length, stack.outs("opt")], [2, {}]);
    return all;
  }

  it("does not take what the first one was sent anew with, where this run leaves both out", async () => {
    const { panel, stack, idsOf } = await killedBeforeThird();
    stack.change("web", { triggers: ["again"] });
    assert.deepEqual((await stack.up({ target: ["web"] })).errors, {});
    assert.deepEqual((await stack.up({ target: ["opt"] })).errors, {});
    assert.deepEqual([stack.idsOf("web"), stack.idsOf("opt"), panel.posts.length], [idsOf(2), idsOf(3), 4]);
  });

  it("asks about what the first one may have been sent anew with by a killed run", async () => {
    const { clock, panel, stack, idsOf } = await killedBeforeThird();
    stack.change("web", { triggers: ["again"] });
    await stack.up({ killAfterMs: 5 * second });
    await clock.advance(10 * minute);
    stack.change("web", { triggers: ["and again"] });
    const { errors } = await stack.up();
    assert.match(
      errors["opt"] ?? "",
      new RegExp(`${idsOf(2).join()}.*stands below the restore before this one.*adopt: "${idsOf(2).join()}"`, "s"),
    );
    assert.deepEqual([stack.idsOf("web"), stack.outs("opt"), panel.posts.length], [idsOf(3), {}, 4]);
  });
});

describe("one transaction that two restores have stored", () => {
  it("fails in this and every later run, and both are named with the one that adopted it", async () => {
    const { panel, stack, idsOf } = scene();
    await stack.up();
    // As an earlier release could store it.
    stack.edit("etc", (outs) => ({
      outs: { ...outs, transactionId: idsOf(0)[0], transactionIds: idsOf(0), adopted: true },
    }));
    for (let run = 0; run < 3; run++) {
      const { errors } = await stack.up();
      const text = Object.values(errors).join("\n");
      assert.match(
        text,
        new RegExp(
          `"etc".*transaction ${idsOf(0).join()} is stored both as this restore and as "web".*this one adopted it.*change that one's triggers`,
          "s",
        ),
      );
      await stack.refresh();
    }
    assert.equal(panel.posts.length, 2);
    stack.change("etc", { triggers: ["anew"] });
    assert.deepEqual((await stack.up()).errors, {});
    assert.deepEqual([panel.posts.length, stack.idsOf("etc")], [3, idsOf(2)]);
  });

  it("is nothing that --replace of the first one alone can lead to: what stands behind it makes it a question", async () => {
    const { panel, stack, idsOf } = scene();
    await stack.up();
    stack.tainted.add("web");
    const { errors } = await stack.up();
    assert.match(errors["web"] ?? "", new RegExp(`${idsOf(0).join()}.*${idsOf(1).join()}.*adopt: "`, "s"));
    assert.deepEqual([stack.idsOf("web"), stack.idsOf("etc"), panel.posts.length], [idsOf(0), idsOf(1), 2]);
  });
});
