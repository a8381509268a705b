import assert from "node:assert/strict";
import { emptyExploration, explore, shortest, tableOf, type Exploration } from "./explore";
import { chance } from "./witness";

/** Of so many histories on panels on which nothing tells whose a row is, one may take what is not its own. */
const oneByChanceOf = 100;

/** What DESIGN 2.1 to 2.3 promises, held to the histories of these seeds. */
export function explored(from: number, to: number): void {
  const exploration: Exploration = emptyExploration();

  before(async function () {
    this.timeout(30 * 60_000);
    for (let seed = from; seed < to; seed++) await explore(seed, exploration);
  });

  it("posts nothing twice, calls nothing complete that is not, and always leaves a way forward", async function () {
    this.timeout(10 * 60_000);
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

  it("takes what is not its own on bare panels seldom, and says that it guessed", () => {
    const taken = [...exploration.findings.values()].filter(({ permitted }) => permitted === chance);
    const seeds = taken.flatMap((found) => found.seeds);
    assert.ok(seeds.length <= 1 + exploration.bare / oneByChanceOf, `seeds ${seeds.join(" ")}`);
  });

  it("asks nothing where nothing went wrong but a kill", () => {
    const asked = [...exploration.asked].filter(([, { flow }]) => calm.test(flow));
    assert.deepEqual(
      asked.map(([text, { seed }]) => `seed ${String(seed)}: ${text}`),
      [],
    );
  });

  it("has seen enough to say so", () => {
    const { histories, flows } = exploration;
    assert.equal(histories, to - from);
    const undisturbed = [...flows].filter(([kind]) => kind.startsWith("undisturbed")).map(([, flow]) => flow.histories);
    assert.ok(undisturbed.reduce((sum, count) => sum + count, 0) > histories / 10, tableOf(exploration));
  });
}

/** Flows in which the documentation promises that nobody is asked. */
const calm = /^(undisturbed|killed)(, refreshed)?$/;
