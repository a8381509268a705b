import assert from "node:assert/strict";
import { type Properties, omit } from "../../provider/plain/plain";
import { type Fate, goodFate } from "../restore/support/panel-at-work";
import { type Declared, stackOn } from "./support/model-stack";

const minute = 60_000;

const machine = { virtualMachineId: "42", recoveryPointId: "1007" } as const;
const web: Declared = { name: "web", kind: "VmRestore", args: { ...machine, wait: false } };
const etc: Declared = { name: "etc", kind: "FileRestore", args: { ...machine, wait: false, paths: ["/etc/hosts"] } };
const long: Fate = { ...goodFate, runsForMs: 10 * minute };
const lost: Fate = { ...goodFate, answer: "lost", carriedOut: false };

/** How releases wrote down where the list stood: with the page, the first of them without the time. */
const releases = {
  "1.0.0": (mark: Properties) => ({ ...omit(mark, "takenAt"), firstPageIds: [mark["newestId"]] }),
  "the one after": (mark: Properties) => ({ ...mark, firstPageIds: [mark["newestId"]] }),
};

for (const [release, markOf] of Object.entries(releases)) {
  const formerIntent = (intent: Properties): Properties => ({
    ...omit(intent, "after"),
    madeAt: "2026-11-21T10:00:00.000Z",
    mark: markOf(intent["mark"] as Properties),
  });

  describe(`what a stack holds that ${release} has stored`, () => {
    function scene(program: readonly Declared[], fates: readonly Fate[] = []) {
      const it = stackOn(program, { fates });
      const { stack } = it;
      /** As that release had stored it; `accepted`: before it had seen its transaction listed. */
      const asStored = (name: string, how: "as it is" | "accepted" = "as it is"): void => {
        stack.edit(name, (outs, intent, handed) => {
          if (outs["intent"] === undefined) return { intent: formerIntent(intent) };
          const { transactionId, ...former } = omit(outs, "predecessor");
          const { postedAfter } = former;
          const place = (postedAfter ?? intent["mark"]) as Properties;
          return {
            intent: formerIntent(intent),
            outs: {
              ...former,
              intent: formerIntent(handed),
              ...(postedAfter !== undefined && { postedAfter: markOf(place) }),
              ...(how === "accepted"
                ? { status: "accepted", transactionIds: [], postedAfter: markOf(place) }
                : transactionId !== undefined && { transactionId }),
            },
          };
        });
      };
      return { ...it, asStored };
    }

    it("is no change where it is complete, though the program hands on more now", async () => {
      const { clock, panel, stack, asStored } = scene([web, etc]);
      await stack.up();
      await clock.advance(10 * minute);
      await stack.refresh();
      for (const name of ["web", "etc"]) asStored(name);
      const { errors, calls } = await stack.up();
      assert.deepEqual([errors, calls, panel.posts.length], [{}, [], 2]);
    });

    it("goes on by its transactions where it was unfinished, and posts nothing", async () => {
      const { panel, stack, idsOf, asStored } = scene([web], [long]);
      await stack.up();
      asStored("web");
      stack.change("web", { wait: true });
      assert.deepEqual((await stack.up()).errors, {});
      assert.deepEqual(
        [stack.outs("web")["status"], stack.idsOf("web"), panel.posts.length],
        ["complete", idsOf(0), 1],
      );
    });

    it("is tried again where it failed, and what failed is not taken for the next try", async () => {
      const { clock, panel, stack, idsOf, asStored } = scene([web], [{ ...long, outcome: "failed" }]);
      await stack.up();
      await clock.advance(20 * minute);
      await stack.refresh();
      assert.equal(stack.outs("web")["status"], "failed");
      asStored("web");
      assert.deepEqual((await stack.up()).errors, {});
      assert.deepEqual([stack.outs("web")["adopted"], stack.idsOf("web"), panel.posts.length], [false, idsOf(1), 2]);
    });

    it("is found by an up where it was accepted and no id is known, also with wait: false, and not by a refresh", async () => {
      const { clock, panel, stack, idsOf, asStored } = scene([web], [long]);
      await stack.up();
      asStored("web", "accepted");
      await clock.advance(20 * minute);
      await stack.refresh();
      assert.deepEqual([stack.outs("web")["status"], stack.idsOf("web")], ["accepted", []]);
      assert.deepEqual((await stack.up()).errors, {});
      assert.deepEqual([stack.idsOf("web"), panel.posts.length], [idsOf(0), 1]);
      await stack.refresh();
      assert.equal(stack.outs("web")["status"], "complete");
    });

    it("is a question where it was accepted, no id is known, and another one of the machine was made since: adopt answers it", async () => {
      const { clock, panel, stack, idsOf, asStored } = scene([web, etc]);
      await stack.up();
      await clock.advance(10 * minute);
      asStored("web", "accepted");
      asStored("etc");
      const { errors } = await stack.up();
      assert.match(
        errors["web"] ?? "",
        new RegExp(
          `adopt: "${idsOf(0).join()}" or adopt: "${idsOf(1).join()}"|${idsOf(0).join()}.*${idsOf(1).join()}.*adopt: "`,
          "s",
        ),
      );
      stack.change("web", { adopt: idsOf(0)[0] });
      assert.deepEqual((await stack.up()).errors, {});
      assert.deepEqual([stack.idsOf("web"), stack.idsOf("etc"), panel.posts.length], [idsOf(0), idsOf(1), 2]);
    });

    it("is an error in every run where it was never carried out and what it would take is stored as another one's", async () => {
      const { clock, panel, stack, idsOf, asStored } = scene([web, etc]);
      await stack.up();
      await clock.advance(10 * minute);
      await stack.refresh();
      const [gone] = idsOf(0);
      panel.listing = (parts) => parts.filter(({ id }) => id !== gone);
      asStored("web", "accepted");
      asStored("etc");
      for (let run = 0; run < 3; run++) {
        const { errors } = await stack.up();
        assert.match(
          Object.values(errors).join("\n"),
          new RegExp(`transaction ${idsOf(1).join()} is stored both as this restore and as "web"`),
        );
        await stack.refresh();
      }
      assert.equal(panel.posts.length, 2);
    });

    it("stays unconfirmed where nothing of it is listed, and the one behind it is not begun", async () => {
      const { panel, stack, asStored } = scene([web, etc], [lost]);
      await stack.up();
      asStored("web", "accepted");
      for (let run = 0; run < 2; run++) {
        assert.match((await stack.up()).errors["web"] ?? "", /unconfirmed/);
        assert.deepEqual([stack.outs("etc"), panel.posts.length], [{}, 1]);
      }
    });

    for (const sentAnew of [false, true]) {
      it(`is ${sentAnew ? "a question" : "adopted"} after a kill${sentAnew ? " where the one before it was sent anew since" : ""}`, async () => {
        const { clock, panel, stack, idsOf, asStored } = scene([web, etc]);
        await stack.up({ killAfterPosts: 2 });
        await clock.advance(5 * minute);
        for (const name of ["web", "etc"]) asStored(name);
        if (sentAnew) stack.change("web", { triggers: ["again"] });
        const { errors } = await stack.up();
        if (sentAnew) assert.match(errors["etc"] ?? "", /stands below the restore before this one.*adopt: "/s);
        else assert.deepEqual(errors, {});
        assert.deepEqual([stack.idsOf("etc"), panel.posts.length], sentAnew ? [[], 3] : [idsOf(1), 2]);
      });
    }
  });
}
