import { isSending, nextStep, type NextStep, pointIdOf, type RestoreState } from "../../drills/judge/history";
import { isRefused } from "../../drills/judge/restores";
import type { Read } from "../../provider/feed/feed";
import type { Mark, RestoreTarget } from "../../provider/inputs/intent";
import { isFinished } from "../../provider/inputs/record";
import { latestStamp, measuredSeconds, secondsBetween, zonedTime } from "../../provider/plain/clock";
import { omitUndefined } from "../../provider/plain/plain";
import { firstFew } from "../../provider/plain/text";
import { statusText } from "../../provider/panel/facts";
import {
  hasStarted,
  type Job,
  jobsOf,
  type Judging,
  keepsBusy,
  keysOf,
  mayBeRestore,
  saysRestore,
} from "../../provider/rows/jobs";
import { jobsOfIds } from "../../provider/restore/recognise";
import { type Depth, reachesMark, type Row, rowsAbove } from "../../provider/rows/order";
import { Listed, namePoint, namesMachine } from "../../provider/rows/whose";
import type { StackRestore } from "../parts/stack-state";
import type { RestoreNow } from "./result";

/** How far down the list to read for a restore. Undefined if the list could add nothing to the stored state. */
export function depthOf({ happened, mark, isPending }: StackRestore): Depth | undefined {
  const ids = happened.counts?.ids ?? [];
  const isUnfinished = !isFinished(happened.state);
  if (isUnfinished && ids.length > 0) return { around: ids };
  // A failed restore is searched for only while an `up` may have sent it again.
  const isLookedFor = isUnfinished || (happened.state === "failed" && isPending);
  return isLookedFor && mark !== undefined ? { mark } : undefined;
}

/** One read of the list, for all restores of a stack. */
export class Panorama {
  /** Transactions that are already stored for one of the restores. */
  readonly #known: ReadonlySet<string>;
  readonly #listed = new Listed(keysOf);
  readonly #saysFiles: boolean;
  readonly #namesKind = new Map<string, boolean>();

  constructor(
    private readonly read: Read,
    restores: readonly StackRestore[],
  ) {
    this.#saysFiles = read.rows.some((row) => saysRestore(row) && row.kind === "files");
    this.#known = new Set(restores.flatMap(({ happened }) => happened.attempts.flatMap(({ ids }) => ids)));
  }

  get time(): number {
    return this.read.panelTime ?? this.read.wallTime.getTime();
  }

  /** The jobs that contain these rows. As in `up`, there are none if a row is missing, unless one of the jobs is unfinished. */
  jobsWith(restore: StackRestore, ids: readonly string[]): readonly Job[] {
    const jobs = this.#jobs(restore, { panel: "", ended: [] }, { above: nothing });
    return jobsOfIds(jobs, ids);
  }

  /** Jobs newer than the mark that may be the restore, and jobs that keep its machine busy. `taken`: jobs of earlier restores. */
  jobsAbove(restore: StackRestore, mark: Mark, taken: readonly string[]) {
    const { panelTime } = this.read;
    const { ids: above, unsure } = rowsAbove(this.read, mark);
    const jobs = this.#jobs(restore, mark, { above, unsure }).filter(
      (job) => !job.rows.some(({ id }) => this.#known.has(id) || taken.includes(id)),
    );
    const mayBe = jobs.filter((job) => job.isAbove && mayBeRestore(job) && job.contradictions.length === 0);
    const fits = mayBe.filter(({ whose }) => whose === "this machine");
    return {
      fits,
      unsaid: this.#namesMachines(restore.machine) ? [] : mayBe.filter(({ whose }) => whose === "not said"),
      busy: jobs.filter((job) => keepsBusy(job, panelTime) && !fits.includes(job)),
      /** True if everything newer than the mark was read. */
      isComplete: reachesMark(this.read, mark),
    };
  }

  stateOf(jobs: readonly Job[]): RestoreState {
    const [end, ...others] = new Set(jobs.map((job) => job.end));
    if (end !== undefined && end !== "unclear" && others.length === 0) return end;
    return jobs.some(({ rows }) => rows.some(hasStarted)) ? "running" : "pending";
  }

  /** What an `up` does about jobs that have ended. */
  nextAfter(state: RestoreState, jobs: readonly Job[]): string {
    if (isFinished(state)) return `records the outcome: ${state}`;
    const rows = jobs.flatMap((job) => job.rows);
    const row = rows.find((one) => one.state === "unclear");
    return row === undefined
      ? "asks you which one is the restore: their outcomes differ"
      : `asks you how it ended: ${row.id} (${statusText(row) ?? "no status"})`;
  }

  #jobs(restore: StackRestore, mark: Mark, rows: Pick<Judging, "above" | "unsure">): readonly Job[] {
    const { machine } = restore;
    return jobsOf(this.#listed.of(this.read.rows, machine), {
      target: targetOf(restore),
      mark,
      isLater: !restore.isPending,
      ...rows,
      isForeign: (link) => this.#listed.isForeign(link, machine),
      saysFiles: this.#saysFiles,
    });
  }

  /** Whether this panel's rows name machines as the restore does: by a number, or by a name with letters. */
  #namesMachines(machine: string): boolean {
    const kind = /^\d+$/.test(machine) ? "number" : "letters";
    const known = this.#namesKind.get(kind) ?? this.read.rows.some((row) => namesMachine(row, machine));
    this.#namesKind.set(kind, known);
    return known;
  }
}

type Above = ReturnType<Panorama["jobsAbove"]>;

const nothing: ReadonlySet<string> = new Set();

function targetOf({ kind, machine, entry }: StackRestore): RestoreTarget {
  return omitUndefined<RestoreTarget>({
    kind,
    virtualMachineId: machine,
    recoveryPointId: pointIdOf(entry),
    paths: entry?.paths === undefined ? undefined : [...entry.paths],
  });
}

/** The known state or, if exactly one job may be the restore, that job's state, which is only probable. */
export function stateNow({ state, probably: [only, ...more] }: RestoreNow): RestoreState {
  return only === undefined || more.length > 0 ? state : only.state;
}

const restored: readonly RestoreState[] = ["complete", "not checked", "overwritten"];

/**
 * Returns what a restore is doing now or, if the list was not read, what is stored about it. `before`: the plan's earlier restores of the same machine. Until
 * they are all complete, the restore is not sent, so no transaction can belong to it.
 */
export function statusOf(
  restore: StackRestore,
  panorama: Panorama | undefined,
  before: readonly RestoreNow[],
): RestoreNow {
  const { plan, wave, name, kind, machine, happened, mark, isPending, provider, wanted } = restore;
  const step = nextStep(happened, wanted);
  const isSent = step === undefined || !isSending(step.does);
  const open = isSent ? undefined : before.find((one) => !restored.includes(stateNow(one)));
  const common = { ...omitUndefined({ plan, wave, provider }), name, kind, machine, isUnderWay: isPending };
  const ids = happened.counts?.ids ?? [];
  const stored: RestoreNow = {
    ...common,
    ...omitUndefined({ seconds: measuredSeconds(happened.counts?.ended) }),
    state: restore.state,
    source: "state",
    transactions: ids,
    probably: [],
    perhaps: [],
    next: open === undefined ? storedNext(restore, step) : `waits until ${open.name} is complete`,
  };
  const depth = open === undefined && !isRefused(restore) ? depthOf(restore) : undefined;
  if (panorama === undefined || depth === undefined) return stored;
  if (depth.mark === undefined) {
    const jobs = panorama.jobsWith(restore, ids);
    if (jobs.length === 0) return { ...stored, next: `${stored.next} (the list does not show it now)` };
    const rows = jobs.flatMap((job) => job.rows);
    const state = panorama.stateOf(jobs);
    const hasEnded = jobs.every(({ end }) => end !== undefined);
    const seconds = secondsOf(rows, hasEnded, panorama.time);
    const next = !hasEnded || !isWaitedFor(restore) ? stored.next : panorama.nextAfter(state, jobs);
    const transactions = rows.map(({ id }) => id);
    return { ...stored, ...omitUndefined({ seconds }), state, source: "panel", transactions, next };
  }
  const taken = before.flatMap(({ probably }) => probably.flatMap(({ transactions }) => transactions));
  const above = panorama.jobsAbove(restore, mark ?? depth.mark, taken);
  const [only, ...more] = above.fits;
  return {
    ...stored,
    ...(only &&
      more.length === 0 &&
      omitUndefined({ seconds: secondsOf(only.rows, only.end !== undefined, panorama.time) })),
    probably: above.fits.map((job) => ({
      transactions: job.rows.map(({ id }) => id),
      state: panorama.stateOf([job]),
    })),
    perhaps: above.unsaid.flatMap(({ rows }) => rows.map(({ id }) => id)),
    next: isRepeated(restore, step, above) ? stored.next : nextAbove(above, stored.next),
  };
}

/** True if a failed restore's next step is still as stored: `up` sends nothing anyway, or all jobs found have failed too, and none names its point. */
function isRepeated({ happened, entry }: StackRestore, step: NextStep | undefined, { fits, unsaid }: Above): boolean {
  const hasFailed = ({ end, rows }: Job): boolean => end === "failed" && !namePoint(rows, pointIdOf(entry) ?? "");
  return happened.state === "failed" && (step?.does === "keep" || [...fits, ...unsaid].every(hasFailed));
}

function secondsOf(rows: readonly Row[], hasEnded: boolean, now: number): number | undefined {
  const requested = rows[0]?.createdAt;
  if (hasEnded) return secondsBetween(requested, latestStamp(rows.map((row) => row.finishedAt ?? row.updatedAt)));
  const from = zonedTime(requested);
  return from === undefined ? undefined : Math.max(0, Math.round((now - from) / 1_000));
}

/** Only `refresh` looks at a restore that the program does not wait for. */
const isWaitedFor = ({ resource }: StackRestore): boolean => resource?.outputs["wait"] !== false;

function storedNext(restore: StackRestore, step: NextStep | undefined): string {
  const { entry, state, whyOverwritten } = restore;
  if (whyOverwritten) return `nothing, unless its machine's restores change: ${whyOverwritten}`;
  if (isRefused(restore))
    return "nothing, unless the refused change in its wave is reverted, or made with new triggers";
  if (entry === undefined) return "sends the restore when its wave begins";
  if (step === undefined) return "nothing";
  switch (step.does) {
    case "send":
      // An earlier `up` created the intent, and may have sent the restore.
      return "sends it unless it is found, or asks you";
    case "repeat":
      return "tries again, or asks you";
    case "wait":
      if (state === "sent") return "sends nothing: looks for the restore";
      return isWaitedFor(restore)
        ? "sends nothing: waits for the restore"
        : "nothing; `pulumi refresh` reads the status";
    case "check":
    case "adopt":
    case "keep":
      return step.why;
  }
}

function nextAbove({ fits, unsaid, busy, isComplete }: Above, stored: string): string {
  const [only] = fits;
  if (only !== undefined)
    return fits.length === 1
      ? `adopts ${only.rows.map(({ id }) => id).join(", ")}, or asks you`
      : `asks you which one is the restore: ${firstFew(fits.flatMap(({ rows }) => rows.map(({ id }) => id)))}`;
  if (unsaid.length > 0)
    return "asks you, unless the machine's log names it, because rows of this panel name no machine";
  const [working] = busy;
  const row = working?.rows.at(-1);
  if (row !== undefined)
    return `waits for ${row.id} (${[row.action ?? "no action", statusText(row) ?? "no status"].join(", ")})`;
  return isComplete ? stored : `${stored} (older rows were not read)`;
}
