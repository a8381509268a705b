import type { StoredProof, StoredStep } from "./stored";

type Steps = Readonly<Record<string, StoredStep>>;

/** What a wave knows of its restores, from one run. */
interface RunOfWave {
  readonly run: string | undefined;
  readonly restores: Steps;
}

/** The last proof of each of a wave's restores, over runs: that a run has completed it, and its checks passed. */
export function lastProofsOf(
  before: RunOfWave & { readonly lastProofs: Readonly<Record<string, StoredProof>> },
  now: RunOfWave,
): Readonly<Record<string, StoredProof>> {
  const proofs = Object.keys(now.restores).flatMap((name) => {
    const last = [proofIn(now, name), proofIn(before, name), before.lastProofs[name]].find((one) => one !== undefined);
    return last === undefined ? [] : [[name, last] as const];
  });
  return Object.fromEntries(proofs);
}

function proofIn({ run, restores }: RunOfWave, name: string): StoredProof | undefined {
  const step = restores[name];
  if (run === undefined || step === undefined || !isProven(step)) return undefined;
  const at = step.checkedAt ?? step.finishedAt;
  if (at === undefined) return undefined;
  const { recoveredSeconds, revision } = step;
  return {
    run,
    at,
    ...(recoveredSeconds !== undefined && { recoveredSeconds }),
    ...(revision !== undefined && { revision }),
  };
}

function isProven({ status, checks }: StoredStep): boolean {
  return status === "complete" && checks.every(({ result }) => result === "passed");
}
