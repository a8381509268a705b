import { isOfOtherPoint, provenAt } from "../../provider/plan/proofs";
import { recoveredSeconds } from "../../provider/plan/verdict";
import { type EarlierReport, type EarlierStep, scopeKey } from "../../report/history/earlier-report";
import type { Step } from "../../report/model/model";
import { stepState } from "../../report/model/summary";
import type { Proof } from "../../report/state/plan-wave";
import { definedOnly } from "../../report/state/values";

/** A proof, and whether it is of what the stack declares now. */
export interface KnownProof extends Proof {
  readonly of: "what is declared now" | "an earlier definition";
}

/** The proof that a stored restore is itself: its record is of what is declared now. */
export function ownProof(step: Step | undefined, run: string | undefined): readonly KnownProof[] {
  if (step === undefined || stepState(step) !== "complete") return [];
  const at = provenAt(step);
  if (at === undefined) return [];
  const of = isOfOtherPoint(step) ? "an earlier definition" : "what is declared now";
  return [definedOnly({ at, run, recoveredSeconds: recoveredSeconds(step), of })];
}

/** What a restore is looked for by in reports of earlier runs. */
export interface LookedFor {
  readonly scope: EarlierReport["scope"];
  readonly name: string;
  readonly kind: Step["kind"];
  /** As it is declared now; undefined if that is not known in full. */
  readonly definition: EarlierStep["definition"] | undefined;
}

/** The proofs of a restore in kept reports of the same plan, or of the same stack without one. */
export function proofsInReports(reports: readonly EarlierReport[], wanted: LookedFor): readonly KnownProof[] {
  return reports
    .filter(({ scope }) => scopeKey(scope) === scopeKey(wanted.scope))
    .flatMap(({ run, steps }) =>
      steps.flatMap((step): KnownProof[] => {
        if (step.provenAt === undefined || !isSameRestore(step, wanted)) return [];
        const isSame = step.definition !== undefined && step.definition === wanted.definition;
        const of = isSame ? "what is declared now" : "an earlier definition";
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

/** The recovery time that was measured last: the panel's stamps do not tell each one. */
export function lastMeasured(proofs: readonly KnownProof[]): number | undefined {
  return newestOf(proofs.filter(({ recoveredSeconds: seconds }) => seconds !== undefined))?.recoveredSeconds;
}

export function newestOfToday(proofs: readonly KnownProof[]): KnownProof | undefined {
  return newestOf(proofs.filter(({ of }) => of === "what is declared now"));
}

/** Panels write their times in many zones, and some name none. */
const farthestZoneMs = 86_400_000;

/** A stamp of a time that is still to come proves nothing: it would never get old. */
export function withoutFuture(proofs: readonly KnownProof[], now: Date): readonly KnownProof[] {
  return proofs.filter(({ at }) => Date.parse(at) <= now.getTime() + farthestZoneMs);
}
