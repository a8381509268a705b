import assert from "node:assert/strict";
import { calm } from "../support/program";
import { thorough } from "../support/thorough";
import { expected, panels } from "./expected";
import { plain } from "./plainest";
import { OnStage } from "./stage";

/** Forty panels, as forty engineers who have read only docs/how-it-works.md#what-a-panel-must-show would build them. */
describe("small panels", () => {
  it("are forty in total, and at most four of them need a setting", () => {
    assert.equal(Object.keys(panels).length, 40);
    assert.ok(Object.values(expected).filter(({ needs }) => needs !== undefined).length <= 4);
  });

  for (const [name, { make, formats }] of Object.entries(panels)) {
    const { needs: settings, afterKill, failsAs = "failed" } = expected[name] ?? assert.fail(name);
    for (const format of formats)
      describe(`${name}, ${format}`, () => {
        const stageOf = (): OnStage => new OnStage(make, format, settings && { settings });

        if (settings)
          it("is sent no restore while its setting is missing, and the error names the setting", async () => {
            const stage = new OnStage(make, format);
            const { errors } = await stage.up();
            assert.equal(stage.posted.length, 0);
            assert.match([...errors.values()].join("\n"), new RegExp(Object.keys(settings)[0] ?? ""));
          });

        it("completes each restore with one POST and without asking the user, is sent no restore again, and reports a later failure", async () => {
          const stage = stageOf();
          for (let count = 0; count < 2; count++) await stage.completes(4);
          assert.deepEqual(stage.faults(), []);
          stage.failing.add("44");
          stage.newTriggers(3);
          assert.match((await stage.up()).errors.get(3) ?? "", new RegExp(`44.*${failsAs}`, "s"));
          assert.equal(stage.statuses()[3], failsAs);
          assert.deepEqual(stage.faults(2), []);
        });

        for (const seconds of [1.3, 20])
          it(`receives one POST for each restore, and every restore is found, even if a run is killed ${String(seconds)} s after the first POST`, async () => {
            const stage = stageOf();
            await stage.killed(seconds * 1_000);
            assert.equal((await stage.finish()) === 0 ? "adopted" : "asks", afterKill);
          });

        it("is never sent a restore twice, even if other users are constantly active, and no restore claims their rows", async () => {
          for (const isKilled of [false, true]) {
            const stage = stageOf();
            stage.othersWork(7_000);
            if (isKilled) await stage.killed(5_000);
            for (let count = 0; count < 2; count++) await stage.up();
            assert.deepEqual(stage.faults(), []);
          }
        });
      });
  }
});

it("many restores on the barest panel all complete with one POST and a few requests each", async () => {
  const count = thorough(40, 100);
  const declared = Array.from({ length: count }, (_, index) => ({ ...calm, machine: String(1_000 + index) }));
  const stage = new OnStage(plain["id and status (plain)"].make, "json", { declared });
  await stage.completes(count);
  assert.deepEqual(stage.faults(), []);
  assert.ok(stage.requests < 7 * count, `${String(stage.requests)} requests`);
});
