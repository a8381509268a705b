import { formatDuration } from "../../provider/inputs/duration";
import { recoveredSeconds } from "../../provider/plan/verdict";
import { type EarlierReport, type EarlierStep, scopeKey, shownDefinition } from "../../report/history/earlier-report";
import type { Step } from "../../report/model/model";
import { stepState } from "../../report/model/summary";
import type { PlannedRestore } from "../../report/state/plan-run";
import type { Proof } from "../../report/state/plan-wave";
import { definedOnly } from "../../report/state/values";
import { formatRoughly } from "./point-source";
import type { ReadyFinding } from "./result";

/** A proof, and whether it is of what the stack declares now. */
export interface KnownProof extends Proof {
  readonly of: "what is declared now" | "an earlier definition";
}

/** The proof that a stored restore is itself: its record is of what is declared now. */
export function ownProof(step: Step | undefined, run: string | undefined): readonly KnownProof[] {
  if (step === undefined || stepState(step) !== "complete") return [];
  const at = step.checkedAt ?? step.finishedAt;
  if (at === undefined) return [];
  return [definedOnly({ at, run, recoveredSeconds: recoveredSeconds(step), of: "what is declared now" as const })];
}

/** What a restore is looked for by in reports of earlier runs. */
export interface LookedFor {
  readonly scope: EarlierReport["scope"];
  readonly name: string;
  readonly kind: Step["kind"];
  readonly definition: string;
}

export function plannedDefinition(planned: PlannedRestore): string {
  const { rule, ...others } = planned;
  return shownDefinition({ ...others, ...(rule !== undefined && { chosenBy: { rule } }) });
}

/** The proofs of a restore in kept reports of the same plan, or of the same stack without one. */
export function proofsInReports(reports: readonly EarlierReport[], wanted: LookedFor): readonly KnownProof[] {
  return reports
    .filter(({ scope }) => scopeKey(scope) === scopeKey(wanted.scope))
    .flatMap(({ run, steps }) =>
      steps.flatMap((step): KnownProof[] => {
        if (step.provenAt === undefined || !isSameRestore(step, wanted)) return [];
        const of = step.definition === wanted.definition ? "what is declared now" : "an earlier definition";
        return [definedOnly({ at: step.provenAt, run, recoveredSeconds: step.recoveredSeconds, of })];
      }),
    );
}

/** A report tells restores of one name apart by a word in brackets. */
function isSameRestore(step: EarlierStep, { name, kind }: LookedFor): boolean {
  const long = `${name} (${kind === "VmRestore" ? "machine" : "files"})`;
  return (step.name === name || step.name === long) && (step.kind ?? kind) === kind;
}

export function newestOf(proofs: readonly KnownProof[]): KnownProof | undefined {
  return proofs.reduce<KnownProof | undefined>(
    (newest, one) => (newest === undefined || Date.parse(one.at) > Date.parse(newest.at) ? one : newest),
    undefined,
  );
}

export function newestOfToday(proofs: readonly KnownProof[]): KnownProof | undefined {
  return newestOf(proofs.filter(({ of }) => of === "what is declared now"));
}

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
        says: `It was proven ${proofText(before)}, and its machine, point, paths or checks are others since.`,
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
