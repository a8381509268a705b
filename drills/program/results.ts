import { omitUndefined, type Properties } from "../../provider/plain/plain";
import type { PointRule } from "../../provider/inputs/read-point-rule";
import { measuredSeconds } from "../../provider/plain/clock";
import { askedRestores } from "../judge/asked";
import { pointIdOf, transactionOf, type RestoreState } from "../judge/history";
import { readForm, readIntentText, readRecord } from "../judge/stored";

/** The result of one restore of a plan. Times are by the panel's clock; a field that is not known is absent. */
export interface PlannedRestoreResult {
  /** The name of its wave. */
  readonly wave: string;
  /** `not sent`, `sent`, `pending`, `running`, `complete`, `failed` or `cancelled`. */
  readonly status: RestoreState;
  /** The machine. */
  readonly virtualMachineId: string;
  /** The recovery point, as given or as chosen by a rule. */
  readonly recoveryPointId?: string;
  /** The time at which the point chosen by a rule was taken. */
  readonly recoveryPointTakenAt?: string;
  /** The transaction that is the restore. */
  readonly transactionId?: string;
  /** The time at which the panel recorded the request. */
  readonly requestedAt?: string;
  /** The time at which the restore ended. */
  readonly finishedAt?: string;
  /** The measured recovery time, without checks. */
  readonly durationSeconds?: number;
}

/** The results of all restores, from the stored texts of each wave's intent and record. Empty under mocks that return only inputs. */
export function plannedResults(
  waves: readonly { readonly name: string; readonly restores: unknown; readonly record: unknown }[],
): Readonly<Record<string, PlannedRestoreResult>> {
  const results = waves.flatMap(({ name: wave, restores, record }) => {
    const asked = askedRestores(readIntentText(restores)?.entries ?? {}, readRecord(record) ?? { restores: {} });
    return asked.map(({ name, entry, happened: { state, counts } }) => {
      const result = omitUndefined<PlannedRestoreResult>({
        wave,
        status: state,
        virtualMachineId: entry.machine,
        recoveryPointId: pointIdOf(entry),
        recoveryPointTakenAt: entry.chosen?.takenAt,
        transactionId: counts && transactionOf(counts),
        requestedAt: counts?.ended?.requestedAt,
        finishedAt: counts?.ended?.finishedAt,
        durationSeconds: measuredSeconds(counts?.ended),
      });
      return [name, result] as const;
    });
  });
  return Object.fromEntries(results);
}

/** A restore that a plan requests, as a policy pack sees it. */
export interface PlannedRestore {
  readonly name: string;
  /** The run's name. */
  readonly run: string;
  readonly virtualMachineId: string;
  /** Absent if a rule chooses the point. */
  readonly recoveryPointId?: string;
  /** The rule in canonical form, with its time in UTC and its span in seconds. */
  readonly recoveryPoint?: PointRule;
  readonly paths?: readonly string[];
  readonly triggers: readonly unknown[];
}

/** The restores in a plan's wave, for the rules of a policy pack. Accepts the properties of any resource, but only a wave's intent has restores. */
export function plannedRestores(props: Properties): readonly PlannedRestore[] {
  const { declared, run } = props;
  if (typeof declared !== "string" || typeof run !== "string") return [];
  return Object.entries(JSON.parse(declared) as Properties).flatMap(([name, stored]) => {
    const form = readForm(stored);
    if (form === undefined) return [];
    const { machine, point, paths, triggers = [] } = form;
    const chosen = typeof point === "string" ? { recoveryPointId: point } : { recoveryPoint: point };
    return [{ name, run, virtualMachineId: machine, ...chosen, ...(paths && { paths }), triggers }];
  });
}
