/**
 * The wide exploration: the whole lives of one to three restores of one or two machines, as Pulumi's engine requests them, on an in-memory
 * panel and in virtual time. It mixes runs, refreshes, `--target`, new triggers, new points, reverted changes, kills that leave orphans, lost responses,
 * failures, rows listed up to a minute late, restores listed in parts, and people using the panel. Nothing is left out just because it would fail.
 *
 *   history.ts   creates a history from a seed, and shortens histories
 *   test/support what a program registers (program.ts), what the engine does with it (engine.ts), the provider, and the panel
 *   live.ts      plays a history, then continues undisturbed until every restore is complete
 *   witness.ts   checks each POST and each saved state against the panel's own data
 *   explore.ts   plays many histories, and prints figures, classes of findings and the shortest traces
 *
 * `npm test` plays a small part of it, and `npm run test:full` a million steps on all cores. explore.ts says how to run it by hand.
 */
import assert from "node:assert/strict";
import { availableParallelism } from "node:os";
import { thorough } from "../../support/thorough";
import { classOf, type Explored, exploreAll, faultsIn, shortest, tableOf } from "./explore";
import { chance } from "./witness";

/** On panels that never name a row's machine, at most one in this many histories may contain a wrong guess (docs/how-it-works.md#bare-panels). */
const oneByChanceOf = 55;

/** A million steps are about thirty thousand histories, which keep one core busy for a quarter of an hour. */
const histories = thorough(120, 30_000);

describe("restores, whatever happens,", () => {
  let explored: readonly Explored[];

  before(async function () {
    this.timeout(3 * 3_600_000);
    explored = await exploreAll(0, histories, thorough(1, availableParallelism()));
  });

  it("are never posted twice, never reported complete too early, and never left without a way forward", async function () {
    this.timeout(30 * 60_000);
    const faults = explored.filter(({ finding }) => finding && finding.permitted === undefined);
    const [first] = faults;
    if (first) assert.fail(`${tableOf(faults, classOf)}\n${await shortest(first.seed)}`);
  });

  it("seldom claim another restore's job when rows name no machine, and report the guess when they do", () => {
    const seeds = explored.filter(({ finding }) => finding?.permitted === chance).map(({ seed }) => seed);
    const bare = explored.filter(({ isBare }) => isBare);
    assert.ok(seeds.length <= 1 + bare.length / oneByChanceOf, `seeds ${seeds.join(" ")}`);
  });

  it("never make `up` ask the user if nothing went wrong except a kill", () => {
    const calm = explored.filter((one) => faultsIn(one).every((fault) => fault === "killed"));
    const asked = calm.flatMap(({ seed, questions }) => questions.map((text) => `seed ${String(seed)}: ${text}`));
    assert.deepEqual(asked, []);
  });

  it("complete without any disturbance in a large enough share of the random histories", () => {
    assert.equal(explored.length, histories);
    const undisturbed = explored.filter((one) => faultsIn(one).length === 0);
    assert.ok(undisturbed.length > histories / 10, String(undisturbed.length));
  });
});
