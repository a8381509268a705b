import { weather, type Log } from "../chaos/storm";
import { needsProcesses } from "../support/processes";
import { useScene } from "../support/scene";

/** Ten storms; two files have ten each, so that they run side by side. */
export function storms(firstSeed: number): void {
  describe("two hundred restores on a panel in bad shape, with runs killed at random: each machine restored once", () => {
    const scene = useScene();

    needsProcesses();

    for (let seed = firstSeed; seed < firstSeed + 10; seed++) {
      it(`seed ${String(seed)}`, async function () {
        this.timeout(30 * 60_000);
        const log: Log = { lives: [], restarts: 0, askedAnew: 0 };
        const gone = (): string =>
          `seed ${String(seed)}: ${log.lives.join("; ")}; ${String(log.restarts)} restarts of the panel, ${String(log.askedAnew)} asked anew`;
        try {
          await weather(scene.folder, seed, log);
          if (process.env.STORMLOG) console.log(gone());
        } catch (error) {
          throw new Error(`${gone()}\n${(error as Error).message}`, { cause: error });
        }
      });
    }
  });
}
