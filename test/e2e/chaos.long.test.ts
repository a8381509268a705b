import type { Log } from "./chaos/storm";
import { weather } from "./chaos/storm";
import { needsProcesses } from "./support/processes";
import { useScene } from "./support/scene";

const seeds = Array.from({ length: 20 }, (_, index) => index + 1);

describe("two hundred restores on a panel in bad shape, with runs killed at random: each machine restored once", () => {
  const scene = useScene();

  needsProcesses();

  for (const seed of seeds) {
    it(`seed ${seed}`, async function () {
      this.timeout(30 * 60_000);
      const log: Log = { lives: [], restarts: 0, askedAnew: 0 };
      try {
        await weather(scene, seed, log);
      } catch (error) {
        const gone = `seed ${seed}: ${log.lives.join("; ")}; ${log.restarts} restarts of the panel, ${log.askedAnew} asked anew`;
        throw new Error(`${gone}\n${(error as Error).message}`, { cause: error });
      }
    });
  }
});
