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
import { exploreAll, shortest, tableOf, type Exploration } from "./explore";
import { chance } from "./witness";

/** On panels that never name a row's machine, one in this many histories may claim another restore's row (the figure in docs/how-it-works.md). */
const oneByChanceOf = 55;

/** A million steps are about thirty thousand histories, which keep one core busy for a quarter of an hour. */
const histories = thorough(120, 30_000);

describe("restores, whatever happens,", () => {
  let exploration: Exploration;

  before(async function () {
    this.timeout(3 * 3_600_000);
    exploration = await exploreAll(0, histories, thorough(1, availableParallelism()));
  });

  it("are never posted twice, never complete too early, and never stuck without a way forward", async function () {
    this.timeout(30 * 60_000);
    for (const [kind, { permitted, seeds }] of exploration.findings) {
      if (permitted !== undefined) continue;
      const [seed = 0] = seeds;
      const { history, life } = await shortest(seed);
      assert.fail(
        [
          `${kind}: ${String(seeds.length)} histories, as of seed ${String(seed)}`,
          JSON.stringify(history),
          ...life.trace,
        ].join("\n"),
      );
    }
  });

  it("seldom claim another restore's job on bare panels, and then report the guess", () => {
    const taken = [...exploration.findings.values()].filter(({ permitted }) => permitted === chance);
    const seeds = taken.flatMap((found) => found.seeds);
    assert.ok(seeds.length <= 1 + exploration.bare / oneByChanceOf, `seeds ${seeds.join(" ")}`);
  });

  it("ask no questions if nothing went wrong except for a kill", () => {
    const asked = [...exploration.asked].filter(([, { flow }]) => calm.test(flow));
    assert.deepEqual(
      asked.map(([text, { seed }]) => `seed ${String(seed)}: ${text}`),
      [],
    );
  });

  it("are undisturbed in enough histories", () => {
    const { flows } = exploration;
    assert.equal(exploration.histories, histories);
    const undisturbed = [...flows].filter(([kind]) => kind.startsWith("undisturbed")).map(([, flow]) => flow.histories);
    assert.ok(undisturbed.reduce((sum, count) => sum + count, 0) > histories / 10, tableOf(exploration));
  });
});

/** Cases in which the documentation promises no questions. */
const calm = /^(undisturbed|killed)(, refreshed)?$/;
