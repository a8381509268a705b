import assert from "node:assert/strict";
import { calm } from "../support/program";
import { thorough } from "../support/thorough";
import { adopted, expected, type Expected, panels } from "./expected";
import { plain } from "./plainest";
import { afterKill, amongOthers, firstUp } from "./plays";
import { OnStage } from "./stage";

/**
 * Forty panels, as forty engineers who have read only docs/how-it-works.md#what-a-panel-must-show would build them, each with
 * four restores of three machines. They run in memory and on virtual time, with the real client, core and operations.
 */
describe("small panels", () => {
  it("all have expectations, and at most four of them need a setting", () => {
    assert.deepEqual(Object.keys(panels).sort(), Object.keys(expected).sort());
    assert.ok(Object.values(expected).filter(({ needs }) => needs !== undefined).length <= 4);
  });

  for (const [name, { make, formats }] of Object.entries(panels)) {
    const { needs: settings = {}, afterKill: wanted, failsAs = "failed" }: Expected = expected[name] ?? adopted;
    for (const format of formats)
      describe(`${name}, ${format}`, () => {
        if (Object.keys(settings).length > 0)
          it("receives nothing without its setting, which the error names", async () => {
            const { result, posts } = await firstUp(make, format);
            assert.equal(posts, 0);
            assert.match(result, new RegExp(Object.keys(settings)[0] ?? ""));
          });

        it("completes its restores with one POST each and no question, receives nothing twice, and shows a failure", async () => {
          const { result, posts, faults, postsOfSecondUp, failure } = await firstUp(make, format, settings);
          assert.deepEqual({ result, posts, postsOfSecondUp, faults }, { ...good, posts: 4 });
          assert.match(failure, new RegExp(`^${failsAs}: .*44.*${failsAs}`, "s"));
        });

        for (const seconds of [1.3, 20])
          it(`receives one POST for each restore, and each one is found, if a run is killed ${String(seconds)} s after the first POST`, async () => {
            const { result, faults } = await afterKill(make, format, seconds * 1_000, { settings });
            assert.deepEqual({ result, faults }, { result: wanted, faults: [] });
          });

        it("receives nothing twice, and no restore claims others' rows, while others are always at work", async () => {
          assert.deepEqual(await amongOthers(make, format, settings), []);
          const { faults } = await afterKill(make, format, 5_000, { settings, othersEveryMs: 7_000 });
          assert.deepEqual(faults, []);
        });
      });
  }
});

const good = { result: "complete", postsOfSecondUp: 0, faults: [] };

describe("many restores on the barest panel", () => {
  it("all complete with one POST and a few requests each", async () => {
    const count = thorough(40, 100);
    const declared = Array.from({ length: count }, (_, index) => ({ ...calm, machine: String(1_000 + index) }));
    const stage = new OnStage(plain["id and status"].make, "json", { declared });
    const { errors } = await stage.up();
    assert.deepEqual([...errors.values()], []);
    assert.deepEqual([...new Set(stage.statuses())], ["complete"]);
    assert.deepEqual(stage.faults(), []);
    assert.equal(stage.posted.length, count);
    assert.ok(stage.requests < 7 * count, `${String(stage.requests)} requests`);
  });
});
