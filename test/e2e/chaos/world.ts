import type { RestoreRecord } from "../../../sandbox/panel/records";
import type { Scenario } from "../../../sandbox/scenario/scenario";
import { randomFrom } from "../../../sandbox/chance/random";
import type { Spec } from "../support/restores";

/** What is to be restored: no two intents of a world mean the same, so that the ledger tells which one a restore came from. */
export type Target = Pick<RestoreRecord, "machineId" | "recoveryPointId" | "kind">;

/** One thing that somebody wants done once. */
export interface Intent {
  readonly name: string;
  readonly target: Target;
}

/** Everything that a seed decides before the first run. */
export interface World {
  readonly seed: number;
  readonly intents: readonly Intent[];
  readonly scenario: Scenario;
  /** How the first restore of these machines is to end. */
  readonly doomed: readonly string[];
  readonly format: "json" | "xml";
  readonly kills: number;
}

const machines = 160;
/** A second restore of a machine waits for the first: a place for the lane to go wrong. */
const seconds = 40;

/** A panel that is slow, lists late, answers 5xx, loses answers; two hundred restores on it. */
export function worldOf(seed: number): World {
  const random = randomFrom(seed, "world");
  const between = (low: number, high: number): number => low + random() * (high - low);
  const ids = Array.from({ length: machines }, (_, index) => String(1000 + index));
  return {
    seed,
    intents: [
      ...ids.map((id) => intentFor(id, "1", "machine")),
      ...ids.slice(0, seconds).map((id, index) => intentFor(id, "2", index % 2 === 0 ? "files" : "machine")),
    ],
    scenario: {
      machines: ids.map((id) => ({
        id,
        recoveryPoints: [1, 2],
        restoreSeconds: Math.round(between(2, 8)),
        fileSeconds: Math.round(between(1, 4)),
      })),
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
    kills: Math.round(between(3, 5)),
  };
}

function intentFor(machineId: string, recoveryPointId: string, kind: Target["kind"]): Intent {
  return { name: `${kind}-${machineId}-${recoveryPointId}`, target: { machineId, recoveryPointId, kind } };
}

/** The program: every intent alone. `again` says how often somebody has asked for one anew. */
export function specsOf(world: World, again: ReadonlyMap<string, number>): readonly Spec[] {
  return world.intents.map(({ name, target }) => ({
    name,
    kind: target.kind === "machine" ? "VmRestore" : "FileRestore",
    args: {
      virtualMachineId: target.machineId,
      recoveryPointId: target.recoveryPointId,
      triggers: [again.get(name) ?? 0],
      // Longer than this panel takes to list one, for the look back after a kill as well.
      timeouts: { listed: "8s" },
    },
  }));
}

function pick<T>(random: () => number, choices: readonly T[]): T {
  return choices[Math.floor(random() * choices.length)] as T;
}
