import assert from "node:assert/strict";
import { type Declared } from "../../support/program";
import { web } from "../stage";
import { bare, onTrap, type Trap } from "../trap";
import { type Shown } from "../taste";

describe("on a panel whose rows name no machine, a transaction that seems to be the restore", () => {
  for (const how of ["wait: false", "timeouts.run"])
    for (const [own, its] of [
      ["failed", "complete"],
      ["complete", "failed"],
    ] as const)
      it(`makes \`up\` ask the user if its outcome is ${its} and another row's outcome is ${own} (after a run with ${how})`, async () => {
        const isLimited = how !== "wait: false";
        const declared: Declared = { ...web, wait: isLimited, timeouts: isLimited ? { run: 20 } : {} };
        let lateUntil = Infinity;
        const more = { declared: [declared], restoreSeconds: 60 };
        const stage = onTrap({ row: bare }, more, async (_request, usual, world) => {
          const { body, ...given } = await usual();
          const rows = Array.isArray(body) ? (body as readonly Shown[]) : undefined;
          const isLate = world.now() < lateUntil;
          return { ...given, body: rows?.filter(({ id }) => !isLate || id !== 131) ?? body };
        });
        if (own === "failed") stage.failing.add("42");
        stage.onPosted = () => {
          lateUntil = stage.time.now() + 40_000;
          if (its === "failed") stage.failing.add("9");
          stage.panel.work("9", "restore");
        };
        await stage.up();
        assert.deepEqual(stage.idsOf(0), ["132"]);
        await stage.time.advance(300_000);
        stage.change(0, { wait: true });
        assert.match(await stage.said(), /their outcomes differ.*131 /s);
        stage.failing.clear();
        await stage.up();
        assert.deepEqual([stage.statuses(), stage.posted.length], [["running"], 1]);
        stage.change(0, { adopt: "131" });
        await stage.up();
        assert.deepEqual([stage.statuses(), stage.idsOf(0), stage.posted.length], [[own], ["131"], 1]);
      });

  it("counts as the restore, without asking the user, if the response to the POST named it", async () => {
    const answer: Trap["answer"] = ([id]) => ({ status: 201, body: { transaction_id: id } });
    const stage = onTrap({ row: bare, answer }, { declared: [{ ...web, wait: false }], restoreSeconds: 60 });
    await stage.up();
    stage.failing.add("9");
    stage.panel.work("9", "restore");
    await stage.time.advance(300_000);
    stage.change(0, { wait: true });
    assert.deepEqual((await stage.up()).errors, new Map());
    assert.deepEqual([stage.statuses(), stage.idsOf(0)], [["complete"], ["131"]]);
  });
});
