import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { reports } from "../../report";
import { startSandbox } from "../../sandbox";
import { connectionTo, type StackConfig } from "../../tools/engine/workspace";
import { seeded } from "../support/process";
import { long } from "../support/thorough";
import { killers } from "./killing/killers";
import type { Killable } from "./support/killable";
import { declarePlan } from "./support/plans";
import { needsProcesses } from "./support/processes";
import { fixture } from "./support/program";
import { declare, type Spec } from "./support/restores";
import { Scene, type Sandbox, type SandboxOptions, useScene } from "./support/scene";
import type { TestStack } from "./support/stack";
import { waitUntil } from "./support/wait-until";

type Posted = ReturnType<Sandbox["restores"]>[number];

/** A restore that must be done exactly once. No two restores share both machine and kind, so the panel's ledger shows which is which. */
interface Wanted extends Pick<Posted, "kind" | "machineId"> {
  /** The restore's wave in the stack's plan; absent for a restore outside the plan. */
  readonly wave?: number;
}

const stacks = 3;
/** How many machines each stack restores outside the plan and in each wave, and how many of them also have their files restored. */
const [machines, withFiles] = [14, 3];
/** The maximum number of runs that may fail without being killed. If more fail, the test assumes that there is no way forward. */
const mostUnhindered = 12;
/** After this many power cuts the panel stays on, so that the storm ends even on a slow machine. */
const mostCuts = 8;
const parallel = 250;

const wantedBy = (stack: number): readonly Wanted[] =>
  [undefined, 0, 1].flatMap((wave, part) =>
    Array.from({ length: machines + withFiles }, (_, index) => ({
      machineId: String(1_000 * (stack + 1) + 100 * part + (index % machines)),
      kind: index < machines ? ("machine" as const) : ("files" as const),
      ...(wave !== undefined && { wave }),
    })),
  );

/** A slow panel that lists restores late, responds with 5xx and loses responses. */
function stormy(seed: number, random: () => number, all: readonly Wanted[]): SandboxOptions {
  const between = (low: number, high: number): number => low + random() * (high - low);
  const one = <T>(...choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T;
  const ids = [...new Set(all.map(({ machineId }) => machineId))];
  return {
    slots: Math.round(between(20, 60)),
    dialect: {
      preset: one("plain", "modern"),
      listingDelaySeconds: Math.round(between(0, 3)),
      chain: one("single", "single", "chain"),
      idStyle: one("integer", "big", "alphanumeric"),
      whenLocked: one("queue", "refuse"),
    },
    scenario: {
      machines: ids.map((id) => ({
        ...{ id, recoveryPoints: [1] },
        ...{ restoreSeconds: Math.round(between(2, 8)), fileSeconds: Math.round(between(1, 4)) },
      })),
      // If the list is empty, a run after a kill asks the operator.
      transactions: [
        { machineId: ids[0]!, action: "take_backup", status: "complete", ageSeconds: 86_400, seconds: 60 },
      ],
      seed,
      background: { perSecond: between(0, 2) },
    },
    faults: {
      get: {
        ...{ resetBefore: 0.02, serverError: 0.05, truncate: 0.01, timeout: 0.005, rateLimit: 0.01 },
        delay: { probability: 0.2, seconds: 0.5 },
      },
      post: {
        ...{ resetBefore: 0.01, resetAfter: 0.04, serverError: 0.01, acceptThen500: 0.04 },
        timeout: { probability: 0.02, handled: true },
        delay: { probability: 0.3, seconds: 1.5 },
      },
    },
  };
}

/** A panel that loses power now and then, and with it everything outside its state file. */
class FailingPanel {
  cuts = 0;
  #over = false;
  readonly #loop: Promise<void>;

  constructor(
    public now: Sandbox,
    private readonly options: SandboxOptions,
    private readonly random: () => number,
  ) {
    this.#loop = this.#cutNowAndThen();
  }

  async stop(): Promise<void> {
    this.#over = true;
    await this.#loop;
    await this.now.stop();
  }

  async #cutNowAndThen(): Promise<void> {
    const port = Number(new URL(this.now.url).port);
    while (this.cuts < mostCuts) {
      const at = Date.now() + 10_000 + this.random() * 25_000;
      for (; Date.now() < at; await pause(200)) if (this.#over) return;
      await this.now.stop();
      await pause(200 + this.random() * 3_000);
      // Uses a new seed, because otherwise the panel would cause the same faults in the same order after every restart.
      this.now = await startSandbox({ ...this.options, port, seed: 1_000 + ++this.cuts });
    }
  }
}

/** Compares the state with the panel's own ledger, and returns what is wrong, unfinished or lost among a stack's restores. */
async function compare(stack: TestStack, wanted: readonly Wanted[], panel: FailingPanel) {
  // The ledger is read after the state, so that it contains everything in the state.
  const found = reports(await stack.exportState());
  const ledger = panel.now.restores().toSorted((one, other) => one.requestedAt - other.requestedAt);
  const steps = found.flatMap(({ waves }) => waves.flatMap(({ restores }) => restores));
  const hasPassed = found.some(({ scope, verdict }) => scope.kind === "plan" && /^passed/.test(verdict.result));
  const [wrongs, unfinished, lost]: [string[], string[], Wanted[]] = [[], [], []];
  for (const one of wanted) {
    const name = `${one.kind} ${one.machineId}`;
    const own = ledger.filter(({ machineId, kind }) => machineId === one.machineId && kind === one.kind);
    const machine = ledger.filter(({ machineId, kind }) => machineId === one.machineId && kind === "machine");
    const isOverwritten = ({ kind, requestedAt }: Posted, until = Infinity): boolean =>
      kind === "files" && machine.some((after) => after.requestedAt > requestedAt && after.requestedAt <= until);
    // A restore may be posted again only if it had failed by then, or if it restored files and the machine has been restored since.
    for (const [index, next] of own.slice(1).entries()) {
      const before = own[index]!;
      const hadFailed = ["failed", "cancelled"].includes(before.status) && before.endedAt! <= next.requestedAt;
      if (!hadFailed && !isOverwritten(before, next.requestedAt))
        wrongs.push(`${name} was posted again: ${before.status}`);
    }
    if (one.wave !== undefined && hasPassed && own.at(-1)?.status !== "complete")
      wrongs.push(`the plan has passed, but ${name} is not complete`);
    if (own.filter((posted) => posted.status === "complete" && !isOverwritten(posted)).length !== 1)
      unfinished.push(`${name} was not restored exactly once according to the ledger`);
    const kindOf = { machine: "VmRestore", files: "FileRestore" }[one.kind];
    const step = steps.find(({ virtualMachineId, kind }) => virtualMachineId === one.machineId && kind === kindOf);
    const { state = "not sent", transactionIds = [], requestedAt, finishedAt } = step ?? {};
    if (state !== "complete") unfinished.push(`${name} is ${state}`);
    if (
      ["sent", "perhaps sent"].includes(state) &&
      own.every(({ status }) => status === "failed" || status === "cancelled")
    )
      lost.push(one);
    const taken = ledger.filter(({ transactionId }) => transactionIds.includes(transactionId));
    if (taken.some((posted) => !own.includes(posted)))
      wrongs.push(`${name} has claimed another's ${transactionIds.join()}`);
    if (!["complete", "failed", "cancelled"].includes(state)) continue;
    if (taken[0]?.status !== state) wrongs.push(`${name} is ${state}, and ${String(taken[0]?.status)} by the ledger`);
    const seconds = (Date.parse(finishedAt ?? "") - Date.parse(requestedAt ?? "")) / 1_000;
    const truly = ((taken[0]?.endedAt ?? NaN) - (taken[0]?.requestedAt ?? NaN)) / 1_000;
    // The panel rounds both timestamps to whole seconds.
    if (Math.abs(seconds - truly) > 2)
      wrongs.push(`${name} took ${String(seconds)} s, and ${String(truly)} s by the ledger`);
  }
  if (!hasPassed) unfinished.push("the plan has not passed");
  return { wrongs, unfinished, lost, posted: ledger.length };
}

function declared(
  wanted: readonly Wanted[],
  again: ReadonlyMap<Wanted, number>,
  onFailure: "stop" | "continue",
): StackConfig {
  const argsOf = (one: Wanted) => ({
    ...{ virtualMachineId: one.machineId, recoveryPointId: 1, triggers: [again.get(one) ?? 0] },
    ...(one.kind === "files" && { paths: ["/etc/hosts"] }),
    // This panel lists every restore, with all its parts, within these limits. The search after a kill relies on that too.
    timeouts: { listed: "8s", settle: "4s" },
  });
  const nameOf = ({ kind, machineId }: Wanted): string => `${kind}-${machineId}`;
  const alone = wanted.filter(({ wave }) => wave === undefined);
  const specs = alone.map((one): Spec => {
    return { name: nameOf(one), kind: one.kind === "machine" ? "VmRestore" : "FileRestore", args: argsOf(one) };
  });
  const waves = [0, 1].map((wave) => {
    const restores = wanted.filter((one) => one.wave === wave).map((one) => [nameOf(one), argsOf(one)] as const);
    return { name: `wave-${String(wave)}`, restores: Object.fromEntries(restores) };
  });
  // The plan has no goals, because a killed run's restore cannot be measured, and an unmeasured goal cannot pass in any later `up`.
  return { ...declare(specs), ...declarePlan({ run: "storm", onFailure, waves }) };
}

/** Kills the run at a random moment after the engine has started work. Returns undefined if the run ended earlier. */
async function killSomewhere(run: Killable, random: () => number): Promise<string | undefined> {
  let isOver = false;
  void run.ended.finally(() => (isOver = true));
  const [afterMs, choice] = [500 + random() * 15_000, Math.floor(random() * Object.keys(killers).length)];
  const isAtWork = () => /(Intent|Restore|Run)\s+\S+\s+(creating|updating|replacing)/.test(run.stdout);
  await waitUntil(() => isOver || isAtWork(), 300_000, "a run to be at work");
  await Promise.race([pause(afterMs), run.ended]);
  const kinds = isOver ? [] : run.processes().map(({ kind }) => kind);
  if (!kinds.includes("cli") || !kinds.includes("provider")) return undefined;
  const [name, kill] = Object.entries(killers)[choice]!;
  await kill(run);
  return `${name} after ${String(Math.round(afterMs / 1_000))} s`;
}

/**
 * Starts a pipeline again and again until all its restores are complete, and records in `lives` how each run ended. If the panel lost a request, only
 * the ledger shows this, and the state keeps reporting the restore as sent. The restore then gets new triggers, as the message advises.
 */
async function untilDone(
  scene: Scene,
  wanted: readonly Wanted[],
  panel: FailingPanel,
  random: () => number,
  lives: string[],
) {
  const again = new Map<Wanted, number>();
  const [onFailure, kills] = [random() < 0.5 ? ("stop" as const) : ("continue" as const), random() < 0.25 ? 2 : 1];
  const settings = { ...connectionTo(panel.now), "recovery:requestTimeout": "4s" };
  const config = {
    ...settings,
    "recovery:format": random() < 0.5 ? "json" : "xml",
    ...declared(wanted, again, onFailure),
  };
  const stack = await scene.stack(fixture("storm"), { connection: "none", config });
  const isTrue = async () => {
    const seen = await compare(stack, wanted, panel);
    assert.deepEqual(seen.wrongs, [], `after ${lives.at(-1) ?? ""}`);
    return seen;
  };
  for (let life = 1, unhindered = 0; ; life++) {
    const run = stack.start({ parallel, continueOnError: random() < 0.5 });
    const killer = life <= kills ? await killSomewhere(run, random) : undefined;
    const { error } = await run.ended;
    lives.push(killer ?? (error === undefined ? "ended well" : "ended with errors"));
    if (killer !== undefined) await stack.cancel().catch(() => undefined);
    const { unfinished } = await isTrue();
    if (killer !== undefined) continue;
    if (error === undefined) break;
    assert.ok(++unhindered <= mostUnhindered, `no way forward:\n${unfinished.join("\n")}\n${error}`);
    // A refresh fails while the panel is off, but the next operation may succeed.
    if (random() < 0.5) await stack.refresh({ parallel, clearPendingCreates: true }).catch(() => undefined);
    const { lost } = await isTrue();
    for (const one of lost) again.set(one, (again.get(one) ?? 0) + 1);
    if (lost.length > 0) await stack.configure(declared(wanted, again, onFailure));
  }
  assert.deepEqual((await isTrue()).unfinished, []);
  const postsOf = () =>
    panel.now.restores().filter(({ machineId }) => wanted.some((one) => one.machineId === machineId));
  const posted = postsOf().length;
  await stack.up({ parallel });
  assert.equal(postsOf().length, posted, "an up posts nothing when everything is done");
}

long.describe(
  "a hundred and fifty restores on a faulty panel, in runs killed at random, are each carried out exactly once:",
  () => {
    const scene = useScene();

    needsProcesses();

    for (let seed = 1; seed <= 10; seed++) {
      it(`seed ${String(seed)}`, async function () {
        this.timeout(30 * 60_000);
        const lives: string[] = [];
        const random = seeded(seed);
        const wanted = Array.from({ length: stacks }, (_, index) => wantedBy(index));
        const stateFile = join(scene.folder, "panel.json");
        const options = { ...stormy(seed, random, wanted.flat()), stateFile };
        const panel = new FailingPanel(await startSandbox(options), options, seeded(seed + 1));
        const scenes = await Promise.all(wanted.map(() => Scene.open()));
        try {
          for (const { machineId } of wanted.flat()) if (random() < 0.05) panel.now.failNext(machineId, "failed");
          const pipelines = wanted.map((own, index) =>
            untilDone(scenes[index]!, own, panel, seeded(seed + 2 + index), lives),
          );
          for (const ended of await Promise.allSettled(pipelines)) if (ended.status === "rejected") throw ended.reason;
          const known = wanted.flat().map(({ kind, machineId }) => `${kind} ${machineId}`);
          for (const { kind, machineId } of panel.now.restores()) assert.ok(known.includes(`${kind} ${machineId}`));
          const kills = lives.filter((life) => !life.startsWith("ended"));
          assert.ok(kills.length >= 2 && panel.cuts >= 1, "that was not a storm");
        } catch (error) {
          const happened = `seed ${String(seed)}: ${lives.join("; ")}; ${String(panel.cuts)} cuts`;
          throw new Error(`${happened}\n${(error as Error).message}`, { cause: error });
        } finally {
          await Promise.all(scenes.map((one) => one.close()));
          await panel.stop();
        }
      });
    }
  },
);
