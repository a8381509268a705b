import type { StoredProof, StoredStep } from "./stored";

type Steps = Readonly<Record<string, StoredStep>>;

/** What a wave knows of its restores, from one run. */
interface RunOfWave {
  readonly run: string | undefined;
  readonly restores: Steps;
}

/**
 * The last proof of each of a wave's restores, over runs: that a run has completed it, and its checks passed. One that has moved to another wave
 * leaves its proof here, for the other wave knows of none.
 */
export function lastProofsOf(
  before: RunOfWave & { readonly lastProofs: Readonly<Record<string, StoredProof>> },
  now: RunOfWave,
): Readonly<Record<string, StoredProof>> {
  const names = new Set([before.lastProofs, before.restores, now.restores].flatMap((of) => Object.keys(of)));
  const proofs = [...names].flatMap((name) => {
    const last = [proofIn(now, name), proofIn(before, name), before.lastProofs[name]].find((one) => one !== undefined);
    return last === undefined ? [] : [[name, last] as const];
  });
  return Object.fromEntries(proofs);
}

function proofIn({ run, restores }: RunOfWave, name: string): StoredProof | undefined {
  const step = restores[name];
  if (run === undefined || step === undefined || !isProven(step)) return undefined;
  const at = provenAt(step);
  if (at === undefined) return undefined;
  const { recoveredSeconds, revision } = step;
  return {
    run,
    at,
    ...(recoveredSeconds !== undefined && { recoveredSeconds }),
    ...(revision !== undefined && { revision }),
  };
}

function isProven({ status, checks, warnings }: StoredStep): boolean {
  return status === "complete" && checks.every(({ result }) => result === "passed") && !isOfOtherPoint({ warnings });
}

/** When a restore was proven. An adopted one may be checked months after it ended, and by then it shows no restore. */
export function provenAt({ finishedAt, checkedAt }: Pick<StoredStep, "finishedAt" | "checkedAt">): string | undefined {
  return finishedAt ?? checkedAt;
}

/** True if `adopt` named a transaction of another recovery point, or of other paths: the record is not of what is declared. */
export function isOfOtherPoint({ warnings }: Pick<StoredStep, "warnings">): boolean {
  return warnings.some((text) => /, which adopt names, (?:names another recovery point|lists other paths) /.test(text));
}
