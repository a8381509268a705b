import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { seeded } from "../../support/process";
import { connectionTo } from "../../../tools/engine/workspace";
import { Scene } from "../support/scene";
import { waitUntil } from "../support/wait-until";
import { open, type StormStack, type Running } from "./stacks";
import { lost, unfinished, violations } from "./violations";
import { PanelProcess } from "./panel-process";
import { worldOf, type Intent, type Task } from "./world";

/** What happened during a seed, to show whether it was a storm at all. */
export interface Log {
  readonly lives: string[];
  kills: number;
  restarts: number;
  askedAnew: number;
}

/** Runs that fail without being killed: each must make progress, so that the storm ends. */
const mostUnhindered = 12;
/** After this many cuts the panel stays on, so that the storm ends even on a slow machine. */
const mostRestarts = 8;

/**
 * Two hundred restores on a faulty panel, from several stacks in parallel, with runs killed at random and started again until
 * each succeeds. After every run, the state is compared with the panel's own ledger.
 */
export async function weather(folder: string, seed: number, log: Log): Promise<void> {
  const world = worldOf(seed);
  const panel = await PanelProcess.start(folder, world.scenario, seed);
  const restarting = new Restarts(panel, seeded(seed + 1), log);
  const scenes = await Promise.all(world.tasks.map(() => Scene.open()));
  try {
    for (const id of world.doomed) await panel.failNext(id);
    const settings = { ...connectionTo(panel), "recovery:format": world.format, "recovery:requestTimeout": "4s" };
    const doors = await Promise.all(
      world.tasks.map(async (task, index) => ({ task, door: await open(scenes[index] as Scene, task, settings) })),
    );
    restarting.begin();
    const outcomes = await Promise.allSettled(
      doors.map(({ task, door }, index) => {
        const random = seeded(seed + 2 + index);
        const runsOnceMore = index === seed % doors.length;
        return untilDone({ task, door, random, panel, restarting, log, runsOnceMore });
      }),
    );
    for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
  } finally {
    await restarting.end();
    await Promise.all(scenes.map((scene) => scene.close()));
    await panel.stop();
  }
}

interface Pipeline {
  readonly task: Task;
  readonly door: StormStack;
  readonly random: () => number;
  readonly panel: PanelProcess;
  readonly restarting: Restarts;
  readonly log: Log;
  /** One of all these restores is sent again when all are complete. */
  readonly runsOnceMore: boolean;
}

/**
 * One pipeline: started again until all its restores are complete. If a request was lost on its way, which only the ledger shows,
 * the state keeps saying so: somebody looks at the panel and requests the restore again with new triggers, as the message says.
 */
async function untilDone(pipeline: Pipeline): Promise<void> {
  const { task, door, random, restarting, log, runsOnceMore } = pipeline;
  const again = new Map<Intent, number>();
  let unhindered = 0;
  for (let life = 1; ; life++) {
    const run = await door.up(random() < 0.5);
    const killer = life <= task.kills ? await killSomewhere(run, random) : undefined;
    const { error } = await run.ended;
    if (killer !== undefined) log.kills++;
    log.lives.push(`${task.door}: ${killer ?? (error === undefined ? "ended well" : "ended with errors")}`);
    if (killer !== undefined) await door.unlock().catch(() => undefined); // Not every kill leaves the stack locked.
    const seen = await restarting.whileUp(() => compare(pipeline));
    assert.deepEqual(seen.wrongs, [], `after life ${String(life)}`);
    if (killer !== undefined) continue;
    if (error === undefined) break;
    assert.ok(++unhindered <= mostUnhindered, `no way forward:\n${seen.unfinished.join("\n")}\n${error}`);
    // An operation fails while the panel is off; the next operation may succeed.
    if (random() < 0.5) await door.refresh().catch(() => undefined);
    const { lost: gone, wrongs: untrue } = await restarting.whileUp(() => compare(pipeline));
    assert.deepEqual(untrue, [], `after the refresh behind life ${String(life)}`);
    for (const intent of gone) again.set(intent, (again.get(intent) ?? 0) + 1);
    log.askedAnew += gone.length;
    if (gone.length > 0) await door.declare(again);
  }
  const end = await restarting.whileUp(() => compare(pipeline));
  assert.deepEqual([end.wrongs, end.unfinished], [[], []]);
  if (!runsOnceMore) return;
  const same = await (await door.up(false)).ended;
  assert.equal(same.error, undefined);
  const { posted } = await restarting.whileUp(() => compare(pipeline));
  assert.equal(posted, end.posted, "an up when all is done posts nothing");
}

async function compare({ task: { intents }, panel, door }: Pipeline) {
  const stored = await door.resources();
  const machines = new Set(intents.map(({ target }) => target.machineId));
  // In this order, so that the ledger contains everything that the state contains.
  const ledger = (await panel.restores()).filter(({ machineId }) => machines.has(machineId));
  return {
    wrongs: violations(intents, ledger, stored),
    unfinished: unfinished(intents, ledger, stored),
    lost: lost(intents, ledger, stored),
    posted: ledger.length,
  };
}

/** Kills the run at a random moment after the engine has started work; undefined if the run ended before. */
async function killSomewhere(run: Running, random: () => number): Promise<string | undefined> {
  let over = false;
  void run.ended.finally(() => (over = true));
  const [afterMs, choice] = [500 + random() * 15_000, random()];
  await waitUntil(() => over || run.isAtWork(), 300_000, "a run to be at work");
  await Promise.race([pause(afterMs), run.ended]);
  const ways = over ? [] : Object.entries(run.ways());
  const way = ways[Math.floor(choice * ways.length)];
  if (way === undefined) return undefined;
  await way[1]();
  return `${way[0]} after ${String(Math.round(afterMs / 1000))} s`;
}

/** Cuts the panel's power now and then, but never while somebody reads its ledger. */
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
    while (this.log.restarts < mostRestarts) {
      // Counted from the panel's return: on a slow machine it would otherwise hardly ever be on.
      const at = Date.now() + 10_000 + this.random() * 25_000;
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
