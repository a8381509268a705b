import type { PostedRestoreRecord, Scenario } from "../../../sandbox";
import { seeded } from "../../support/process";

/** The plan of each program. */
const plan = "shop";

/** What each restore is to restore: no two intents of a world mean the same, so that the ledger shows which intent a restore came from. */
export type Target = Pick<PostedRestoreRecord, "machineId" | "recoveryPointId" | "kind">;

/** One restore that somebody wants done once. */
export interface Intent {
  /** The restore's name in the stack. */
  readonly name: string;
  readonly target: Target;
  /** Its place in the stack's plan; absent for a restore without a plan. */
  readonly planned?: { readonly wave: number; readonly step: string };
}

/** The restores of one pipeline: a stack of its own, started again until all of them are complete. */
export interface Task {
  readonly door: "program" | "yaml";
  readonly intents: readonly Intent[];
  readonly onFailure: "stop" | "continue";
  readonly kills: number;
}

/** Everything that a seed decides before the first run. */
interface World {
  readonly seed: number;
  readonly tasks: readonly Task[];
  readonly scenario: Scenario;
  /** The outcome of the first restore of these machines. */
  readonly doomed: readonly string[];
  readonly format: "json" | "xml";
}

/**
 * Two hundred restores in all, in several small stacks instead of a large one, because the engine writes the whole state for each
 * step. In parallel they share the panel's list, as pipelines do.
 */
const programs = 3;
/** A second restore of a machine waits for the first, which tests the machine's queue. */
const alone = { machines: 25, seconds: 5 };
const planned = { machines: 25, seconds: 5 };
const inYaml = { machines: 17, seconds: 3 };

/** A slow panel that lists late, answers 5xx and loses answers; two hundred restores on it, in plans and alone. */
export function worldOf(seed: number): World {
  const random = seeded(seed);
  const between = (low: number, high: number): number => low + random() * (high - low);
  const tasks = Array.from({ length: programs + 1 }, (_, index): Task => {
    const door = index < programs ? "program" : "yaml";
    const firstId = 1000 * (index + 1);
    const intents =
      door === "yaml"
        ? targets(firstId, inYaml).map(standingAlone)
        : [
            ...targets(firstId, alone).map(standingAlone),
            ...targets(firstId + alone.machines, planned).map((target) =>
              inThePlan(target, Number(target.machineId) < firstId + alone.machines + planned.machines / 2 ? 0 : 1),
            ),
          ];
    return { door, intents, onFailure: pick(random, ["stop", "continue"]), kills: random() < 0.25 ? 2 : 1 };
  });
  const ids = [...new Set(tasks.flatMap(({ intents }) => intents.map(({ target }) => target.machineId)))];
  return {
    seed,
    tasks,
    scenario: {
      machines: ids.map((id) => ({
        id,
        recoveryPoints: [1, 2],
        restoreSeconds: Math.round(between(2, 8)),
        fileSeconds: Math.round(between(1, 4)),
      })),
      // A list that shows nothing at all causes a question after a kill.
      transactions: [
        { machineId: ids[0] ?? "", action: "take_backup", status: "complete", ageSeconds: 86_400, seconds: 60 },
      ],
      seed,
      slots: Math.round(between(20, 60)),
      background: { perSecond: between(0, 2) },
      dialect: {
        preset: pick(random, ["plain", "modern"]),
        listingDelaySeconds: Math.round(between(0, 3)),
        chain: pick(random, ["single", "single", "chain"]),
        idStyle: pick(random, ["integer", "big", "alphanumeric"]),
        whenLocked: pick(random, ["queue", "refuse"]),
      },
      faults: {
        get: {
          resetBefore: 0.02,
          serverError: 0.05,
          truncate: 0.01,
          timeout: 0.005,
          rateLimit: 0.01,
          delay: { probability: 0.2, seconds: 0.5 },
        },
        post: {
          resetBefore: 0.01,
          resetAfter: 0.04,
          timeout: { probability: 0.02, handled: true },
          serverError: 0.01,
          acceptThen500: 0.04,
          delay: { probability: 0.3, seconds: 1.5 },
        },
      },
    },
    doomed: ids.filter(() => random() < 0.05),
    format: pick(random, ["json", "xml"]),
  };
}

function targets(firstId: number, { machines, seconds }: { machines: number; seconds: number }): readonly Target[] {
  const ids = Array.from({ length: machines }, (_, index) => String(firstId + index));
  return [
    ...ids.map((machineId) => ({ machineId, recoveryPointId: "1", kind: "machine" as const })),
    ...ids.slice(0, seconds).map((machineId) => ({ machineId, recoveryPointId: "2", kind: "files" as const })),
  ];
}

function standingAlone(target: Target): Intent {
  return { name: nameOf(target), target };
}

/** The second restores of a wave's machines come in a wave of their own. */
function inThePlan(target: Target, wave: number): Intent {
  const step = nameOf(target);
  return { name: `${plan}-${step}`, target, planned: { wave, step } };
}

const nameOf = ({ kind, machineId, recoveryPointId }: Target): string => `${kind}-${machineId}-${recoveryPointId}`;

function pick<T>(random: () => number, choices: readonly T[]): T {
  return choices[Math.floor(random() * choices.length)] as T;
}
