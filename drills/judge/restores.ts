import type { RestoreRecord } from "../../provider/inputs/record";
import { omitUndefined, own } from "../../provider/plain/plain";
import {
  type Attempt,
  declaredForm,
  formText,
  type Happened,
  openChecks,
  pointIdOf,
  type RestoreState,
  transactionText,
  whatHappened,
} from "./history";
import { entryThatCounts, eventsOf, isUnsettled, type Recorded } from "./asked";
import type { MachineRestore } from "./overwritten";
import type { RecoveryTime } from "./goals";
import type { AskedCheck, Entry, JudgedWave, PlanRestore, PlanWave, RestoreEvent } from "./stored";

/** A restore with its history. */
interface Happening extends MachineRestore {
  /** The current request: an entry in a wave's intent, or derived from an Intent. Absent if there is no request, or if the request differs from the plan. */
  readonly entry?: Entry;
  /** The plan's declaration; absent if the plan no longer has the restore. */
  readonly planned?: PlanRestore;
  readonly events: readonly RestoreEvent[];
  readonly checks: readonly AskedCheck[];
}

export interface WaveRestore extends Happening {
  readonly wave: string;
  readonly machine: string;
}

/** A restore in a stack's state, in the same form whether it is planned or not. */
export interface StateRestore extends Happening {
  /** The plan and its wave, if the restore is planned. */
  readonly plan?: string;
  readonly wave?: string;
  /** The URN of the restore or, if it is planned, of its wave. */
  readonly urn: string;
  /** Only for a restore without a plan. */
  readonly record?: RestoreRecord;
  /** The panel's log and the checks' output, if the state has its secrets in plain text. */
  readonly log?: string | undefined;
  readonly state: RestoreState;
  /** Absent if the restore was overwritten. */
  readonly time?: RecoveryTime;
  readonly whyOverwritten?: string;
}

/** A restore before it is compared with the machine's other restores. */
export type Unjudged = Omit<StateRestore, "state" | "time" | "whyOverwritten">;

/** The restores that a run's wave declares or has requested. Ignores everything that the wave stored in another run. */
export function restoresOfWave(
  run: string,
  { name: wave, restores: declared }: PlanWave,
  stored: JudgedWave | undefined,
): readonly WaveRestore[] {
  const entries = stored?.intentRun === run ? stored.entries : {};
  const record: Recorded = stored?.waveRun === run ? stored : { restores: {} };
  return [...new Set([...Object.keys(declared), ...Object.keys(entries)])].flatMap((name): WaveRestore[] => {
    const [planned, asked] = [own(declared, name), own(entries, name)];
    // If an `up` saved the run but not the wave's intent, the changes to the restores have not been requested yet.
    const isAsked = asked && (planned === undefined || formText(asked) === formText(declaredForm(planned)));
    const entry = isAsked ? entryThatCounts(name, asked, record) : undefined;
    const machine = (entry ?? planned)?.machine;
    if (machine === undefined) return [];
    const events = eventsOf(record, name);
    const happened = whatHappened(events, entry?.id);
    const mark = asked && stored && own(stored.marks, asked.mark);
    // A finished wave leaves a record of every entry. An `up` that was killed stores nothing, and the engine forgets pending operations at its next
    // operation. If an `up` stopped without knowing whether it sent the restore, its record says so.
    const isOpen = asked && (stored?.isPending === true || isUnsettled(asked, name, record));
    return [
      omitUndefined<WaveRestore>({
        ...{ name, wave, planned, entry, events, machine, happened, panel: mark?.panel },
        mayBeSent: isOpen === true || happened.isOpen,
        isNumbered: mark?.newestId !== undefined,
        checks: planned?.checks ?? [],
        kind: (entry ?? planned)?.paths === undefined ? "VmRestore" : "FileRestore",
      }),
    ];
  });
}

/** Whether a restore used the requested point. A restore that we sent did; for an adopted transaction, only its row shows the point. */
export function isOfPoint({ did, point }: Attempt["sent"], entry: Pick<Entry, "point" | "chosen">): boolean {
  return point === pointIdOf(entry) || (did === "posted" && point === undefined);
}

/** Whether an attempt proves a request. Rows rarely show which paths were restored, so a file restore named in `adopt` proves nothing. */
export function isProofOf(sent: Attempt["sent"], entry: Pick<Entry, "point" | "chosen">): boolean {
  return isOfPoint(sent, entry) && !(sent.did === "adopted" && sent.why === "named" && sent.paths !== undefined);
}

/** Whether the last `up` refused a change in the restore's wave. The next `up` will refuse it too. */
export const isRefused = ({ happened }: Pick<Happening, "happened">): boolean => happened.stop?.because === "refused";

/** When the restored point was taken. An adopted transaction may have used a different point, whose time is unknown. */
export function pointTakenAt(
  planned: Partial<Pick<PlanRestore, "takenAt">>,
  entry: Entry | undefined,
  { counts }: Pick<Happened, "counts">,
): string | undefined {
  if (entry === undefined || counts === undefined || !isOfPoint(counts.sent, entry)) return undefined;
  return typeof entry.point === "string" ? planned.takenAt : entry.chosen?.takenAt;
}

/** The word for a restore's state. `mayBeSent`: a killed or running `up` may have sent the restore and not recorded it yet. */
export function stateOf(
  { happened, checks, mayBeSent }: Pick<Happening, "happened" | "checks" | "mayBeSent">,
  whyOverwritten: string | undefined,
): RestoreState {
  if (happened.state === "not sent" && mayBeSent) return "perhaps sent";
  if (happened.state !== "complete") return happened.state;
  if (whyOverwritten !== undefined) return "overwritten";
  return openChecks(happened.counts, checks).length === 0 ? "complete" : "not checked";
}

/** Why a restore is not complete, worded to follow its name. Undefined if the restore is complete, even if it was not checked or was overwritten later. */
export function notCompleteText({
  happened,
  mayBeSent,
}: Pick<Happening, "happened" | "mayBeSent">): string | undefined {
  const { state, counts, attempts, stop } = happened;
  const transaction = transactionText(counts?.ids ?? []);
  // Drops the restore's name and "not sent", which the text below repeats. A cause that only repeats the state is dropped altogether.
  // oxlint-disable-next-line own/plain -- the stored event has the whole message
  const cause = stop?.why.replace(/^.*?\bnot sent(?: again| now)?: /s, "");
  const why = cause === undefined || cause === `is ${state}` ? "" : `: ${cause}`;
  switch (state) {
    case "complete":
      return undefined;
    case "failed": {
      const part = counts?.ended?.failedPart;
      return part === undefined ? `failed (${transaction})${why}` : `is complete, but its transaction ${part} failed`;
    }
    case "cancelled":
      return `was cancelled (${transaction})`;
    case "not sent":
      if (mayBeSent && (stop?.mark !== undefined || stop?.sent === "unknown"))
        return `may have been sent before, without a recorded outcome${why}`;
      if (mayBeSent) return "may have been sent: an `up` is under way, or has left no record of it";
      return `${attempts.length > 0 ? "has not been sent since it was changed" : "was not sent"}${why}`;
    case "sent":
      return `was sent, but is not listed${why}`;
    case "pending":
    case "running":
      return `is ${state} (${transaction})${why}`;
  }
}
