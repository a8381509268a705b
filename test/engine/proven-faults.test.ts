import assert from "node:assert/strict";
import { goodFate, type PanelAtWork, type Part, type Work } from "../restore/support/panel-at-work";
import { type Declared, type RunEnd, stackOn } from "./support/model-stack";

/**
 * Faults of earlier releases: a machine restored twice, a restore called good that was never carried out, or no way on for anybody.
 * Each is told by the engine's calls over a panel that does nothing unusual unless it says so.
 */

const second = 1_000;
const minute = 60 * second;

const machine = { virtualMachineId: "42", recoveryPointId: "1007" } as const;
const web: Declared = { name: "web", kind: "VmRestore", args: machine };
const etc: Declared = { name: "etc", kind: "FileRestore", args: { ...machine, paths: ["/etc/hosts"] } };
const andLeft = (one: Declared): Declared => ({ ...one, args: { ...one.args, wait: false } });

function isGood({ errors }: RunEnd): void {
  assert.deepEqual(errors, {});
}

/** The panel's rows, as the list shows them instead. */
function listing(panel: PanelAtWork, shown: (part: Part) => Part | undefined): void {
  panel.listing = (parts) => parts.flatMap((part) => shown(part) ?? []);
}

/** It shows restores as if they had been asked for otherwise. */
function telling(panel: PanelAtWork, other: Partial<Work>): void {
  listing(panel, (part) => (part.isRestore ? { ...part, work: { ...part.work, ...other } } : part));
}

describe("a chain whose parts are listed one after the other, the restore later than any limit of being listed", () => {
  /** Between the end of the stop and the row of the restore lie 10 s in which nothing of it is under way. */
  const chained = (one: Declared) => {
    const it = stackOn([one], { parts: "one after the other", link: "both", stopMs: 200 * second });
    const { clock, panel } = it;
    listing(panel, (part) => (part.isRestore && clock.now() < (part.startedAt ?? 0) + 10 * second ? undefined : part));
    return it;
  };

  it("is one restore for the run that posts it", async () => {
    const { panel, stack, idsOf } = chained(web);
    isGood(await stack.up());
    assert.equal(panel.posts.length, 1);
    assert.deepEqual([stack.outs("web")["status"], stack.idsOf("web")], ["complete", idsOf(0)]);
  });

  for (const killAfterMs of [3 * second, minute, 195 * second, 215 * second, 224 * second]) {
    it(`is adopted by the run after a kill, and not posted again, killed after ${String(killAfterMs / second)}s`, async () => {
      const { panel, stack, idsOf } = chained(web);
      await stack.up({ killAfterMs });
      assert.equal(panel.posts.length, 1);
      isGood(await stack.up());
      assert.equal(panel.posts.length, 1);
      const { status, adopted } = stack.outs("web");
      assert.deepEqual([status, adopted, stack.idsOf("web")], ["complete", true, idsOf(0)]);
    });
  }

  for (const busy of ["10s", 0]) {
    it(`is a question where the wait for the machine is short (busy: ${String(busy)}), never advice to post it again, and adopted later`, async () => {
      const { panel, stack, idsOf, clock } = chained({ ...web, args: { ...machine, timeouts: { busy } } });
      await stack.up({ killAfterPosts: 1 });
      const { errors } = await stack.up();
      assert.match(errors["web"] ?? "", /may be its first part.*5001 .*adopt: ".*new triggers restore it again/s);
      assert.doesNotMatch(errors["web"] ?? "", /busy: 0/);
      await clock.advance(5 * minute);
      isGood(await stack.up());
      assert.deepEqual([panel.posts.length, stack.idsOf("web")], [1, idsOf(0)]);
    });
  }
});

describe("two restores of one machine of which the first is not waited for, rows that name neither point nor kind", () => {
  const killed = async () => {
    const it = stackOn([andLeft(web), etc]);
    await it.stack.up({ killAfterPosts: 2 });
    assert.equal(it.panel.posts.length, 2, "killed right after the second POST");
    return it;
  };

  for (const how of ["waited for by the next run", "refreshed first", "left as it is"]) {
    it(`each have their own transaction after a kill right after the second POST, ${how}`, async () => {
      const { panel, stack, idsOf } = await killed();
      if (how === "refreshed first") await stack.refresh();
      if (how === "waited for by the next run") stack.change("web", { wait: true });
      isGood(await stack.up());
      assert.equal(panel.posts.length, 2);
      assert.deepEqual([stack.idsOf("web"), stack.idsOf("etc")], [idsOf(0), idsOf(1)]);
      assert.equal(stack.outs("etc")["status"], "complete");
      await stack.refresh();
      assert.equal(stack.outs("web")["status"], "complete");
    });
  }

  it("are no success where the panel accepts the first and never lists it: it is an error, and the second is not begun", async () => {
    const { panel, stack } = stackOn([andLeft(web), etc]);
    listing(panel, (part) => (part.work === panel.posts[0]?.work ? undefined : part));
    for (const then of ["in the run that posts it", "after that", "waited for", "after a refresh"]) {
      if (then === "waited for") stack.change("web", { wait: true });
      if (then === "after a refresh") await stack.refresh();
      const { errors } = await stack.up();
      assert.match(errors["web"] ?? "", /adopt: "<transaction id>"/, then);
      assert.deepEqual([stack.outs("web")["status"], stack.outs("etc"), panel.posts.length], ["accepted", {}, 1], then);
    }
  });

  it("end without a question where both are good and the next run waits for them", async () => {
    const fates = [1, 2].map(() => ({ ...goodFate, runsForMs: 3 * second }));
    const { panel, stack, idsOf } = stackOn([andLeft(web), andLeft(etc)], { fates });
    isGood(await stack.up());
    for (const name of ["web", "etc"]) stack.change(name, { wait: true });
    isGood(await stack.up());
    assert.deepEqual([stack.outs("web")["status"], stack.idsOf("web")], ["complete", idsOf(0)]);
    assert.deepEqual([stack.outs("etc")["status"], stack.idsOf("etc")], ["complete", idsOf(1)]);
    assert.equal(panel.posts.length, 2);
  });
});

describe("a panel that names what is restored in other words than the program", () => {
  const www: Declared = { name: "www", kind: "FileRestore", args: { ...machine, paths: ["/var//www/", "/etc/hosts"] } };
  for (const [what, one, other] of [
    ["paths without a slash at the end, and in another order", www, { paths: ["/etc/hosts", "/var/www"] }],
    ["a point by its number", { ...web, args: { ...machine, recoveryPointId: "k3x9point7" } }, { point: "31007" }],
  ] as const) {
    it(`has its restore adopted after a kill: ${what}`, async () => {
      const { panel, stack, idsOf } = stackOn([one], { tells: "point and paths" });
      telling(panel, other);
      await stack.up({ killAfterPosts: 1 });
      isGood(await stack.up());
      assert.deepEqual([panel.posts.length, stack.idsOf(one.name)], [1, idsOf(0)]);
    });
  }

  it("has a restore of really other paths asked about, with no word of how actions are called", async () => {
    const { panel, stack } = stackOn([etc], { tells: "point and paths" });
    telling(panel, { paths: ["/srv"] });
    await stack.up({ killAfterPosts: 1 });
    const { errors } = await stack.up();
    assert.match(errors["etc"] ?? "", /5001 .*names other paths than this restore.*adopt: "5001"/s);
    assert.doesNotMatch(errors["etc"] ?? "", /restoreActions/);
    assert.equal(panel.posts.length, 1);
  });

  it("is not said to call its actions otherwise where the run itself finds only other paths", async () => {
    const { panel, stack } = stackOn([etc], { tells: "point and paths" });
    telling(panel, { paths: ["/srv"] });
    const { errors } = await stack.up();
    assert.match(errors["etc"] ?? "", /other paths.*5001 .*adopt: "5001"/s);
    assert.doesNotMatch(errors["etc"] ?? "", /restoreActions/);
    assert.deepEqual([stack.outs("etc")["status"], stack.idsOf("etc"), panel.posts.length], ["accepted", [], 1]);
  });
});

describe("a panel whose Date and whose stamps are apart", () => {
  for (const minutes of [-30, 30]) {
    for (const older of [true, false]) {
      const where = older ? "a panel in use" : "a panel without a transaction";
      const on = () => stackOn([web], { dateAheadMs: minutes * minute, older });

      it(`has its restore found, Date ahead by ${String(minutes)} minutes, on ${where}`, async () => {
        const { panel, stack, idsOf } = on();
        isGood(await stack.up());
        assert.deepEqual([stack.outs("web")["status"], stack.idsOf("web")], ["complete", idsOf(0)]);
        assert.equal(panel.posts.length, 1);
      });

      it(`has the restore of a killed run adopted without a question, Date ahead by ${String(minutes)} minutes, on ${where}`, async () => {
        const { panel, stack, idsOf } = on();
        await stack.up({ killAfterPosts: 1 });
        isGood(await stack.up());
        assert.deepEqual([stack.outs("web")["adopted"], stack.idsOf("web")], [true, idsOf(0)]);
        assert.equal(panel.posts.length, 1);
      });
    }
  }
});

describe("a panel that calls a restore by a word that says nothing of restores", () => {
  const bring = (part: Part): Part => ({ ...part, action: "bring_back" });
  for (const restoreActions of [[], ["roll_back"]]) {
    it(`has the setting named beside its very row, and is taken once that is set; before: ${JSON.stringify(restoreActions)}`, async () => {
      const { panel, stack, idsOf } = stackOn([web]);
      listing(panel, bring);
      stack.words = { ...stack.words, restoreActions };
      for (const { errors } of [await stack.up(), await stack.up()])
        assert.match(errors["web"] ?? "", new RegExp(`${String(idsOf(0))} \\(bring_back, .*recovery:restoreActions`));
      stack.words = { ...stack.words, restoreActions: ["bring_back"] };
      isGood(await stack.up());
      assert.deepEqual([stack.outs("web")["status"], stack.idsOf("web")], ["complete", idsOf(0)]);
      assert.equal(panel.posts.length, 1);
    });
  }
});

describe("a panel on which 0 is the chain id of what has none", () => {
  const zero = (part: Part): Part => ({ ...part, work: { ...part.work, chain: "0" } });

  it("has each restore end with its own transactions, whatever becomes of the jobs of others meanwhile", async () => {
    const manners = { parts: "at once", link: "both", tie: "identifier" } as const;
    const { clock, panel, stack, idsOf } = stackOn([web, andLeft(etc)], manners);
    listing(panel, zero);
    clock.after(second, () => panel.order({ machine: "43", kind: "backup" }, "panel", "failed", minute));
    isGood(await stack.up());
    await clock.advance(2 * minute);
    await stack.refresh();
    for (const [index, name] of ["web", "etc"].entries())
      assert.deepEqual([stack.outs(name)["status"], stack.idsOf(name)], ["complete", idsOf(index)], name);
    assert.equal(panel.posts.length, 2);
  });
});

describe("a newest page that decides nothing about a POST", () => {
  const pages = [
    ["empty, though the intent's was not", /list of transactions is empty, and it was not when the intent was made/],
    ["older than the intent's mark", /newest page of the panel's list is older/],
  ] as const;
  for (const [what, said] of pages) {
    for (const attempt of ["a first", "a later"]) {
      it(`sends nothing while the machine may be at work, and says so: ${what}, ${attempt} attempt`, async () => {
        const { panel, stack, clock } = stackOn([web]);
        panel.order({ machine: "43", kind: "backup" }, "panel");
        await clock.advance(minute);
        let reads = 0;
        panel.listing = (parts) => (reads++ === 0 ? parts : what.startsWith("empty") ? [] : parts.slice(-1));
        panel.order({ machine: "42", kind: "backup" }, "panel", "complete", 20 * minute);
        if (attempt === "a later") {
          await stack.up({ killAfterMs: second });
          reads = 1;
        }
        const { errors } = await stack.up();
        assert.match(errors["web"] ?? "", said);
        assert.equal(panel.posts.length, 0);
        panel.listing = undefined;
        isGood(await stack.up());
        assert.ok(
          (panel.posts[0]?.sentAt ?? 0) >= (panel.works[2]?.endedAt ?? Infinity),
          "posted when the machine was free",
        );
      });
    }
  }

  it("takes nothing of last week for what is posted where the list was wrongly empty when the run began", async () => {
    const { clock, panel, stack, idsOf } = stackOn([web], { lateMs: [8 * second] });
    panel.order({ machine: "42", kind: "VmRestore" }, "person");
    await clock.advance(7 * 24 * 60 * minute);
    const until = clock.now() + 3 * second;
    panel.listing = (parts) => (clock.now() < until ? [] : parts);
    isGood(await stack.up());
    assert.deepEqual([stack.idsOf("web"), panel.posts.length], [idsOf(0), 1]);
  });

  it("sends nothing on a list that is sorted by change, and the intent says so", async () => {
    const { panel, stack, clock } = stackOn([web]);
    // More than the page that rows may be out of order by.
    for (let i = 0; i < 15; i++) {
      panel.order({ machine: "43", kind: "backup" }, "panel");
      await clock.advance(2 * minute);
    }
    const reversed = (parts: readonly Part[]) => parts.toReversed();
    panel.listing = reversed;
    const { errors } = await stack.up();
    assert.match(errors["web"] ?? "", /not sorted newest first.*No restore of machine 42 was sent/s);
    panel.listing = undefined;
    await stack.up({ killAfterMs: 0 });
    panel.listing = reversed;
    assert.match((await stack.up()).errors["web"] ?? "", /not sorted newest first/);
    assert.equal(panel.posts.length, 0);
  });
});

describe("a restore that a person stops on the panel", () => {
  for (const how of ["after a kill", "while it is waited for"]) {
    it(`is an error until triggers change, and never posted again by itself, ${how}`, async () => {
      const { panel, stack, clock, idsOf } = stackOn([web]);
      panel.fates = [{ ...goodFate, runsForMs: 10 * minute }];
      if (how === "after a kill") {
        await stack.up({ killAfterPosts: 1 });
        panel.end(idsOf(0)[0]!, "cancelled");
      } else clock.after(minute, () => panel.end(idsOf(0)[0]!, "cancelled"));
      for (let run = 0; run < 3; run++) {
        assert.match((await stack.up()).errors["web"] ?? "", /cancelled.*triggers/s);
        assert.deepEqual([stack.outs("web")["status"], panel.posts.length], ["cancelled", 1]);
        await stack.refresh();
      }
      stack.change("web", { triggers: ["again"] });
      isGood(await stack.up());
      assert.deepEqual([panel.posts.length, stack.idsOf("web")], [2, idsOf(1)]);
    });
  }
});

describe("adopt with an id", () => {
  for (const [whose, isTaken] of [
    ["43", false],
    ["42", true],
  ] as const) {
    it(`asks the machine's log where the row does not name the machine: that of machine ${whose} is ${isTaken ? "taken" : "refused"}`, async () => {
      const { panel, stack } = stackOn([{ ...web, args: { ...machine, adopt: "5001" } }], { tie: "log" });
      panel.order({ machine: whose, kind: "VmRestore" }, "person");
      const { errors } = await stack.up();
      if (isTaken) assert.deepEqual([errors, stack.outs("web")["status"]], [{}, "complete"]);
      else assert.match(errors["web"] ?? "", /5001.*belongs to another machine.*Nothing was sent/s);
      assert.equal(panel.posts.length, 0);
    });
  }
});

describe("a list on which exactly a page of rows comes in between two requests", () => {
  it("does not hide a killed run's restore from the next one", async () => {
    const { panel, stack, idsOf } = stackOn([web]);
    await stack.up({ killAfterPosts: 1 });
    const tenMore = (): void => {
      for (let i = 0; i < 10; i++) panel.order({ machine: "43", kind: "backup" }, "panel", "complete", 0);
    };
    for (let i = 0; i < 25; i++) tenMore();
    let reads = 0;
    panel.listing = (parts) => {
      if (reads++ % 3 === 0) tenMore();
      return parts;
    };
    isGood(await stack.up());
    assert.deepEqual([panel.posts.length, stack.idsOf("web")], [1, idsOf(0)]);
  });
});

describe("advice to post without waiting for a busy machine", () => {
  it("is not given where it would be waited for all the same: what a killed try that failed has left behind", async () => {
    const { clock, panel, stack } = stackOn([web], { parts: "at once", link: "both" });
    panel.fates = [{ ...goodFate, outcome: "failed" }];
    listing(panel, (part) =>
      part.work === panel.posts[0]?.work && part.action === "startup_virtual_machine"
        ? { ...part, status: "pending" }
        : part,
    );
    await stack.up({ killAfterPosts: 1 });
    await clock.advance(5 * minute);
    for (const busy of ["30m", 0]) {
      stack.change("web", { timeouts: { busy } });
      const { errors } = await stack.up();
      assert.match(errors["web"] ?? "", /5003 .*pending.*end it on the panel.*new triggers restore it again/s);
      assert.doesNotMatch(errors["web"] ?? "", /busy: 0 posts/);
      assert.equal(panel.posts.length, 1);
    }
    stack.change("web", { triggers: ["anew"] });
    isGood(await stack.up());
    assert.equal(panel.posts.length, 2);
  });

  it("is given for what stood there before the intent, and holds", async () => {
    const { panel, stack } = stackOn([web]);
    panel.order({ machine: "42", kind: "backup" }, "panel", "complete", 60 * minute);
    assert.match(
      (await stack.up()).errors["web"] ?? "",
      /busy: 0 posts without waiting for jobs older than the intent/,
    );
    stack.change("web", { timeouts: { busy: 0 } });
    isGood(await stack.up());
    assert.equal(panel.posts.length, 1);
  });
});
