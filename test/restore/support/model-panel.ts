import { ServerError } from "../../../provider/panel/errors";
import type {
  GetOptions,
  LogItem,
  MachineId,
  Page,
  PageRequest,
  PanelClient,
  PostAnswer,
  Transaction,
  TransactionPageRequest,
  WalkOptions,
  ListedPoint,
} from "../../../provider/panel/types";
import { pause } from "../../../provider/plain/clock";
import type { VirtualClock } from "../../support/virtual-clock";
import { panelAddress, transaction } from "./rows";

/** How a panel behaves: what its rows tell, how late it lists, and when it cannot be read. */
export interface Manners {
  /** `target`: a row has its direct target's identifier, a restore its backup's, and names no machine unless it works on one. */
  readonly tie: "associated" | "identifier" | "target" | "log";
  readonly ids: "decimal" | "lettered";
  readonly job: "single" | "chain";
  readonly namesPoint: boolean;
  readonly listsAfterMs: number;
  readonly queuesForMs: number;
  readonly answersAfterMs: number;
  /** What a machine's log takes, where that is longer than the list. */
  readonly logAnswersAfterMs?: number;
  /** What a machine's log is answered with instead of its items. */
  readonly logFails?: () => Error | undefined;
  /** How far its clock is ahead of the runner's. */
  readonly skewMs: number;
  /** When the further parts of a chain are listed: with the first one, or each when it begins. */
  readonly listsParts?: "at once" | "one by one";
  /** How long the parts of a chain beside the restore take. */
  readonly partsTakeMs?: number;
}

export type Outcome = "complete" | "failed" | "cancelled";

interface JobOrder {
  readonly machine: string;
  readonly point?: string;
  readonly kind: "restore" | "backup";
  readonly outcome: Outcome;
  readonly runsForMs: number;
}

/** One transaction as it really is, told or not. */
interface Job extends JobOrder {
  readonly id: string;
  readonly ordinal: number;
  readonly action: string;
  readonly madeAt: number;
  readonly listedAt: number;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly chain?: string;
  readonly waitsFor?: string;
}

export type Fate =
  | {
      readonly kind: "accepted" | "lost-on-the-way-back";
      readonly landsAfterMs: number;
      readonly outcome: Outcome;
      readonly runsForMs: number;
    }
  | { readonly kind: "refused" | "lost-on-the-way-there" };

/** A POST and what became of it. */
export interface Post {
  readonly machine: string;
  readonly point: string;
  readonly at: number;
  readonly fate: Fate;
  jobs: readonly Job[];
}

/** The panel itself: it outlives every process that talks to it. */
export class ModelPanel {
  readonly posts: Post[] = [];
  readonly jobs: Job[] = [];
  outages: readonly { readonly from: number; readonly to: number }[] = [];
  /** What becomes of the next POSTs; when there are none left, all goes well. */
  fates: Fate[] = [];
  onPost: (post: Post) => void = () => undefined;
  /** Its list of recovery points, where it has one. */
  points: readonly ListedPoint[] | undefined;

  constructor(
    readonly clock: VirtualClock,
    readonly manners: Manners,
  ) {}

  order(order: JobOrder): readonly Job[] {
    const { manners, clock } = this;
    const steps =
      order.kind === "backup"
        ? ["take_backup"]
        : manners.job === "chain"
          ? ["stop_virtual_machine", "restore_recovery_point", "startup_virtual_machine"]
          : ["restore_recovery_point"];
    const now = clock.now();
    const chain = steps.length > 1 ? `c${String(this.jobs.length)}` : undefined;
    const made: Job[] = [];
    for (const action of steps) {
      const before = made.at(-1);
      const startsAt = before?.endsAt ?? now + manners.queuesForMs;
      const isCancelled = before !== undefined && before.outcome !== "complete";
      const isProper = action === "restore_recovery_point" || steps.length === 1;
      const job: Job = {
        ...order,
        outcome: isCancelled ? "cancelled" : isProper ? order.outcome : "complete",
        id: this.#spell(this.jobs.length),
        ordinal: this.jobs.length,
        action,
        madeAt: now,
        listedAt: (manners.listsParts === "one by one" ? startsAt : now) + manners.listsAfterMs,
        startsAt,
        endsAt: startsAt + (isCancelled ? 0 : isProper ? order.runsForMs : (manners.partsTakeMs ?? 5000)),
        ...(chain !== undefined && { chain }),
        ...(before && { waitsFor: before.id }),
      };
      made.push(job);
      this.jobs.push(job);
    }
    return made;
  }

  standing(job: Job): Outcome | "pending" | "running" {
    const now = this.clock.now();
    return now >= job.endsAt ? job.outcome : now >= job.startsAt ? "running" : "pending";
  }

  /** A person at the panel ends a job, or the machine does. */
  end(id: string, outcome: Outcome): void {
    const index = this.jobs.findIndex((job) => job.id === id);
    const job = this.jobs[index];
    if (job === undefined) throw new Error(`no job ${id}`);
    this.jobs[index] = { ...job, outcome, endsAt: this.clock.now() };
  }

  job(id: string): Job | undefined {
    return this.jobs.find((job) => job.id === id);
  }

  /** The client of one process; a process that is killed hears nothing more and sends nothing more. */
  clientOf(process: { readonly killed: boolean }): PanelClient {
    return new ModelClient(this, process);
  }

  rows(): Transaction[] {
    const now = this.clock.now();
    return this.jobs
      .filter((job) => job.listedAt <= now)
      .reverse()
      .map((job) => this.#row(job));
  }

  logItems(machine: string): LogItem[] {
    const now = this.clock.now();
    return this.jobs
      .filter((job) => job.machine === machine && job.listedAt <= now)
      .reverse()
      .map((job) => ({ id: `l${job.id}`, targetType: "Transaction", targetId: job.id, fields: {} }));
  }

  failIfDown(): void {
    const now = this.clock.now();
    if (this.outages.some(({ from, to }) => now >= from && now < to)) {
      throw new ServerError({ address: panelAddress, method: "GET", path: "/", status: 503 });
    }
  }

  #row(job: Job): Transaction {
    const { manners } = this;
    const stamp = (at: number): string => new Date(at + manners.skewMs).toISOString();
    const now = this.clock.now();
    return transaction(job.id, {
      action: job.action,
      status: this.standing(job),
      createdAt: stamp(job.madeAt),
      updatedAt: stamp(
        Math.min(now, Math.max(job.madeAt, now >= job.endsAt ? job.endsAt : now >= job.startsAt ? job.startsAt : 0)),
      ),
      ...(now >= job.startsAt && { startedAt: stamp(job.startsAt) }),
      ...(job.chain !== undefined && { chainId: job.chain }),
      ...(job.waitsFor !== undefined && { dependentTransactionId: job.waitsFor }),
      ...(manners.tie === "associated" && { associatedObjectType: "VirtualMachine", associatedObjectId: job.machine }),
      ...(manners.tie === "identifier" && { identifier: `vm${job.machine}x` }),
      ...(manners.tie === "target" &&
        (job.action === "restore_recovery_point"
          ? { identifier: `bk${job.id}`, parentType: "Backup", parentId: `9${String(job.ordinal)}` }
          : { identifier: `vm${job.machine}x`, parentType: "VirtualMachine", parentId: job.machine })),
      // Where only identifiers tell, a backup's row is what explains them.
      ...(manners.tie === "identifier" &&
        job.kind === "backup" && { parentType: "VirtualMachine", parentId: job.machine }),
      ...(manners.namesPoint && job.point !== undefined && { params: { recovery_point_id: job.point } }),
    });
  }

  #spell(ordinal: number): string {
    return this.manners.ids === "decimal"
      ? String(5000 + ordinal)
      : `t${((ordinal * 7919 + 13) % 46_656).toString(36).padStart(3, "0")}`;
  }
}

class ModelClient implements PanelClient {
  readonly address = panelAddress;

  constructor(
    private readonly panel: ModelPanel,
    private readonly process: { readonly killed: boolean },
  ) {}

  async listTransactions(
    { page = 1, perPage = 10 }: TransactionPageRequest = {},
    options: GetOptions = {},
  ): Promise<Page<Transaction>> {
    await this.#answer(options);
    const { clock, manners } = this.panel;
    return {
      items: this.panel.rows().slice((page - 1) * perPage, page * perPage),
      skipped: 0,
      panelTime: clock.now() + manners.skewMs,
    };
  }

  async listLogItems(
    machine: MachineId,
    { perPage = 10 }: PageRequest = {},
    options: GetOptions = {},
  ): Promise<Page<LogItem>> {
    const { logAnswersAfterMs, logFails, answersAfterMs } = this.panel.manners;
    await this.#answer(options, logAnswersAfterMs ?? answersAfterMs);
    const failure = logFails?.();
    if (failure !== undefined) throw failure;
    return { items: this.panel.logItems(machine).slice(0, perPage), skipped: 0 };
  }

  async *walkTransactions({ perPage, ...options }: WalkOptions): AsyncGenerator<Page<Transaction>> {
    for (let page = 1; ; page++) {
      const answer = await this.listTransactions({ page, perPage }, options);
      // An empty list is an answer too, and tells the panel's time.
      if (page === 1 || answer.items.length > 0) yield answer;
      if (answer.items.length === 0) return;
    }
  }

  async listRecoveryPoints(): Promise<Page<ListedPoint>> {
    const { points, clock, manners } = this.panel;
    if (points === undefined) throw new Error("this panel has no list of recovery points");
    const items = [...points];
    await this.#answer({});
    return { items, skipped: 0, panelTime: clock.now() + manners.skewMs };
  }

  async restoreMachine(machine: string, point: string): Promise<PostAnswer> {
    await this.#aliveOrNever();
    const { panel } = this;
    const fate: Fate = panel.fates.shift() ?? {
      kind: "accepted",
      landsAfterMs: 0,
      outcome: "complete",
      runsForMs: 20_000,
    };
    const post: Post = { machine, point, at: panel.clock.now(), fate, jobs: [] };
    panel.onPost(post);
    panel.posts.push(post);
    const error = new Error("POST: no answer");
    if (!("landsAfterMs" in fate)) return { kind: fate.kind === "refused" ? "refused" : "unknown", error };
    // Once sent, it lands, whether the process lives to hear of it or not.
    await new Promise<void>((resolve) => {
      panel.clock.after(fate.landsAfterMs, () => {
        post.jobs = panel.order({ machine, point, kind: "restore", outcome: fate.outcome, runsForMs: fate.runsForMs });
        resolve();
      });
    });
    await this.#aliveOrNever();
    return fate.kind === "accepted" ? { kind: "accepted", status: 201 } : { kind: "unknown", error };
  }

  restoreFiles(machine: string, point: string): Promise<PostAnswer> {
    return this.restoreMachine(machine, point);
  }

  walkLogItems(): never {
    throw new Error("nobody walks a machine's log here");
  }

  close(): void {
    // Nothing is open.
  }

  async #answer({ signal }: GetOptions, afterMs = this.panel.manners.answersAfterMs): Promise<void> {
    await this.#aliveOrNever();
    if (afterMs > 0) await pause(this.panel.clock, afterMs, signal);
    await this.#aliveOrNever();
    signal?.throwIfAborted();
    this.panel.failIfDown();
  }

  #aliveOrNever(): Promise<void> {
    return this.process.killed ? new Promise<void>(() => undefined) : Promise.resolve();
  }
}
