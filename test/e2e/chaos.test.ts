import assert from "node:assert/strict";
import { weather, type Log } from "./chaos/storm";
import { needs } from "./support/needs";
import { needsProcesses } from "./support/processes";
import { useScene } from "./support/scene";
import { long } from "../support/thorough";

long.describe("two hundred restores on a faulty panel, with runs killed at random, restore each machine once", () => {
  const scene = useScene();

  needsProcesses();
  needs("yaml-host");

  for (let seed = 1; seed <= 10; seed++) {
    it(`seed ${String(seed)}`, async function () {
      this.timeout(30 * 60_000);
      const log: Log = { lives: [], kills: 0, restarts: 0, askedAnew: 0 };
      const gone = (): string =>
        `seed ${String(seed)}: ${log.lives.join("; ")}; ${String(log.restarts)} restarts of the panel, ${String(log.askedAnew)} asked anew`;
      try {
        await weather(scene.folder, seed, log);
        assert.ok(log.kills >= 2 && log.restarts >= 1, "that was no storm");
      } catch (error) {
        throw new Error(`${gone()}\n${(error as Error).message}`, { cause: error });
      }
    });
  }
});
