/**
 * The wide exploration: whole lives of one to three restores, of one machine or two, as Pulumi's engine asks for them, on a panel in memory
 * and on virtual time. Runs, refreshes, `--target`, new triggers, kills with the orphans they leave, lost answers, failures, rows listed up
 * to a minute late, restores listed in parts, and people at the panel, all in any order. Nothing is left out because it would fail.
 *
 *   history.ts   what can happen, made of a number (its seed), and how a history is made shorter
 *   program.ts   what a program registers; engine.ts what the engine makes of it; ../support the provider itself and the panel
 *   live.ts      plays a history, and then goes on calmly until every restore is complete
 *   witness.ts   judges each POST and each saved state by what the panel knows: whose everything is
 *   explore.ts   many histories: figures, classes of findings, shortest traces
 *
 * `npm test` plays a slice, `npm run test:full` (`million-….long.test.ts`) a million steps. By hand, with figures and traces:
 *
 *   npx ts-node test/restore/exploration/explore.ts 0 5000 traces
 *   npx ts-node test/restore/exploration/explore.ts seed 210
 */
import { thorough } from "../../support/thorough";
import { explored } from "./explored";

describe("lives of restores, whatever happens: a slice", () => {
  explored(0, thorough(120, 2_000));
});
