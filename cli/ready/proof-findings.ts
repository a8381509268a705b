import { formatDuration } from "../../provider/inputs/duration";
import type { Proof } from "../../report/state/plan-wave";
import { formatRoughly } from "./point-source";
import { type KnownProof, newestOf, newestOfToday } from "./proofs";
import type { ReadyFinding } from "./result";

const howToProve =
  "Restore it in a drill: a new `run` of its plan, or new `triggers` for a restore without one. A drill overwrites the machine that it names.";

/** Whether a restore was proven lately, as it is declared now. */
export function proofFindings(
  proofs: readonly KnownProof[],
  { withinSeconds, now }: { readonly withinSeconds: number; readonly now: Date },
): readonly ReadyFinding[] {
  const last = newestOfToday(proofs);
  const before = newestOf(proofs);
  if (last === undefined && before === undefined) {
    return [
      {
        code: "restore.not-proven",
        verdict: "not ready",
        short: "never proven",
        says: "No run that is known has completed it with its checks passed.",
        then: howToProve,
      },
    ];
  }
  if (last === undefined) {
    return [
      {
        code: "restore.changed-since",
        verdict: "not ready",
        short: "changed since proven",
        says: `It was proven ${proofText(before)}, but as far as is known not with the machine, point, paths, triggers and checks that it has now.`,
        then: howToProve,
      },
    ];
  }
  const ageSeconds = (now.getTime() - Date.parse(last.at)) / 1_000;
  if (ageSeconds <= withinSeconds) return [];
  return [
    {
      code: "restore.proof-old",
      verdict: "not ready",
      short: `proven ${formatRoughly(ageSeconds)} ago`,
      says: `It was last proven ${proofText(last)}, ${formatRoughly(ageSeconds)} ago; ${formatDuration(withinSeconds)} is allowed.`,
      then: howToProve,
    },
  ];
}

/** `on 2026-08-20 in run 2026-Q3` */
function proofText(proof: Proof | undefined): string {
  if (proof === undefined) return "at no known time";
  return `on ${proof.at.slice(0, 10)}${proof.run === undefined ? "" : ` in run ${proof.run}`}`;
}

/** Says where the recovery time that was measured last is longer than the goal. */
export function slowFindings(
  lastSeconds: number | undefined,
  goalSeconds: number | undefined,
): readonly ReadyFinding[] {
  if (lastSeconds === undefined || goalSeconds === undefined || lastSeconds <= goalSeconds) return [];
  return [
    {
      code: "restore.slow",
      verdict: "warning",
      short: `took ${formatRoughly(lastSeconds)} last time`,
      says: `It took ${formatRoughly(lastSeconds)} to recover when it was measured last, and its goal is ${formatDuration(goalSeconds)}.`,
    },
  ];
}
