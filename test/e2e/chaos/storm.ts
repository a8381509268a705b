import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { randomFrom } from "../../../sandbox/chance/random";
import { connectionTo } from "../../../tools/engine/workspace";
import { killers, type KillerName } from "../killing/killers";
import type { OwnProcess } from "../support/own-process";
import { declare, restores } from "../support/restores";
import type { Scene } from "../support/scene";
import type { TestStack } from "../support/stack";
import { waitUntil } from "../support/wait-until";
import { lost, unfinished, wrongs } from "./judge";
import { PanelProcess } from "./panel-process";
import { specsOf, worldOf, type World } from "./world";

/** What a seed went through, for whoever wants to know whether it was a storm at all. */
export interface Log {
  readonly lives: string[];
  restarts: number;
  askedAnew: number;
}

const parallel = 250;
/** Runs that nobody kills and that fail all the same: each has to get further, so that there is an end. */
const mostUnhindered = 12;

/**
 * Two hundred restores on a panel in bad shape, with runs killed at random and started again until one ends well. After every run the
 * state is held against the panel's own ledger. Where a request was lost on its way, which nobody but the ledger knows, the state
 * says so and stays that way: somebody looks at the panel and asks anew, with new triggers, as the message says.
 */
export async function weather(scene: Pick<Scene, "stack" | "folder">, seed: number, log: Log): Promise<void> {
  const world = worldOf(seed);
  const random = randomFrom(seed, "storm");
  const panel = await PanelProcess.start(scene.folder, world.scenario, seed);
  const restarting = new Restarts(panel, randomFrom(seed, "restarts"), log);
  try {
    for (const id of world.doomed) await panel.failNext(id);
    const again = new Map<string, number>();
    const stack = await restores(scene, specsOf(world, again), {
      connection: "none",
      config: { ...connectionTo(panel), "recovery:format": world.format, "recovery:requestTimeout": "4s" },
    });
    restarting.begin();
    let unhindered = 0;
    for (let life = 1; ; life++) {
      const run = await stack.start("up", { parallel, continueOnError: random() < 0.5 });
      const killer = life <= world.kills ? await killSomewhere(run, random) : undefined;
      const { error } = await run.ended;
      log.lives.push(killer ?? (error === undefined ? "ended well" : "ended with errors"));
      await stack.cancel().catch(() => undefined); // Not every way out leaves the stack locked.
      const seen = await restarting.whileUp(() => compare(world, panel, stack));
      assert.deepEqual(seen.wrongs, [], `after life ${String(life)}`);
      if (killer !== undefined) continue;
      if (error === undefined) break;
      assert.ok(++unhindered <= mostUnhindered, `no way forward:\n${seen.unfinished.join("\n")}\n${error}`);
      for (const name of seen.lost) again.set(name, (again.get(name) ?? 0) + 1);
      log.askedAnew += seen.lost.length;
      if (seen.lost.length > 0) await stack.configure(declare(specsOf(world, again)));
    }
    const end = await restarting.whileUp(() => compare(world, panel, stack));
    assert.deepEqual([end.wrongs, end.unfinished], [[], []]);
    const posted = end.posted;
    const same = await (await stack.start("up", { parallel })).ended;
    assert.equal(same.error, undefined);
    assert.equal(
      (await restarting.whileUp(() => panel.restores())).length,
      posted,
      "an up when all is done posts nothing",
    );
  } finally {
    await restarting.end();
    await panel.stop();
  }
}

async function compare(world: World, panel: PanelProcess, stack: TestStack) {
  const stored = await stack.resources();
  // In this order: what the state knows, the ledger knows as well.
  const ledger = await panel.restores();
  return {
    wrongs: wrongs(world.intents, ledger, stored),
    unfinished: unfinished(world.intents, ledger, stored),
    lost: lost(world.intents, ledger, stored),
    posted: ledger.length,
  };
}

const ways = Object.keys(killers) as KillerName[];

/** Kills the run at a random moment, counted from when the engine is at work; undefined when it was over before. */
async function killSomewhere(run: OwnProcess, random: () => number): Promise<string | undefined> {
  let over = false;
  void run.ended.finally(() => (over = true));
  const has = (kind: string): boolean => run.processes().some((one) => one.kind === kind);
  const isAtWork = (): boolean =>
    has("provider") && /(Intent|Restore) \S+ (creating|updating|replacing)/.test(run.stdout);
  await waitUntil(() => over || isAtWork(), 300_000, "a run to be at work");
  const afterMs = 1_000 + random() * 20_000;
  const way = ways[Math.floor(random() * ways.length)] as KillerName;
  await Promise.race([pause(afterMs), run.ended]);
  if (over || !has("cli") || !has("provider")) return undefined;
  await killers[way](run);
  return `${way} after ${String(Math.round(afterMs / 1000))} s`;
}

/** Takes the panel's power now and then, but never while somebody looks at its ledger. */
class Restarts {
  #over = false;
  #busy: Promise<unknown> = Promise.resolve();
  #loop: Promise<void> = Promise.resolve();

  constructor(
    private readonly panel: PanelProcess,
    private readonly random: () => number,
    private readonly log: Log,
  ) {}

  begin(): void {
    this.#loop = this.#run();
  }

  whileUp<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#busy.then(work);
    this.#busy = next.catch(() => undefined);
    return next;
  }

  async end(): Promise<void> {
    this.#over = true;
    await this.#loop;
  }

  async #run(): Promise<void> {
    let at = Date.now();
    for (;;) {
      at += 10_000 + this.random() * 25_000;
      while (Date.now() < at) {
        if (this.#over) return;
        await pause(200);
      }
      const awayMs = 200 + this.random() * 3_000;
      await this.whileUp(() => this.panel.restart(awayMs));
      this.log.restarts++;
    }
  }
}
