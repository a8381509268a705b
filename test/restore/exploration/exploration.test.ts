/**
 * The wide exploration: whole lives of one to three restores of one or two machines, as Pulumi's engine requests them, on a panel in memory
 * and on virtual time. Runs, refreshes, `--target`, new triggers, kills with the orphans they leave, lost answers, failures, rows listed up
 * to a minute late, restores listed in parts, and people at the panel, all in any order. Nothing is left out just because it would fail.
 *
 *   history.ts   makes what happens from a number (the seed), and shortens a history
 *   program.ts   what a program registers; engine.ts has what the engine does with that, ../support the provider and the panel
 *   live.ts      plays a history, then continues undisturbed until every restore is complete
 *   witness.ts   judges each POST and each saved state by the panel's own data
 *   explore.ts   plays many histories: figures, classes of findings, shortest traces
 *
 * `npm test` plays a small part, `npm run test:full` a million steps on all cores. By hand, with figures and traces:
 *
 *   npx ts-node test/restore/exploration/explore.ts 0 5000 traces
 *   npx ts-node test/restore/exploration/explore.ts seed 210
 */
import assert from "node:assert/strict";
import { availableParallelism } from "node:os";
import { thorough } from "../../support/thorough";
import { classOf, type Explored, exploreAll, faultsIn, shortest, tableOf } from "./explore";
import { chance } from "./witness";

/** On panels that never name a row's machine, one in this many histories may claim another restore's row (the figure in docs/how-it-works.md). */
const oneByChanceOf = 55;

/** A million steps are about thirty thousand histories, which keep one core busy for a quarter of an hour. */
const histories = thorough(120, 30_000);

describe("restores, whatever happens,", () => {
  let explored: readonly Explored[];

  before(async function () {
    this.timeout(3 * 3_600_000);
    explored = await exploreAll(0, histories, thorough(1, availableParallelism()));
  });

  it("are never posted twice, never complete too early, and never stuck without a way forward", async function () {
    this.timeout(30 * 60_000);
    const faults = explored.filter(({ finding }) => finding && finding.permitted === undefined);
    const [first] = faults;
    if (first) assert.fail(`${tableOf(faults, classOf)}\n${await shortest(first.seed)}`);
  });

  it("seldom claim another restore's job on bare panels, and then report the guess", () => {
    const seeds = explored.filter(({ finding }) => finding?.permitted === chance).map(({ seed }) => seed);
    const bare = explored.filter(({ isBare }) => isBare);
    assert.ok(seeds.length <= 1 + bare.length / oneByChanceOf, `seeds ${seeds.join(" ")}`);
  });

  it("ask no questions if nothing went wrong except for a kill", () => {
    const calm = explored.filter((one) => faultsIn(one).every((fault) => fault === "killed"));
    assert.deepEqual(
      calm.flatMap(({ seed, questions }) => questions.map((text) => `seed ${String(seed)}: ${text}`)),
      [],
    );
  });

  it("are undisturbed in enough histories", () => {
    assert.equal(explored.length, histories);
    const undisturbed = explored.filter((one) => faultsIn(one).length === 0);
    assert.ok(undisturbed.length > histories / 10, String(undisturbed.length));
  });
});
