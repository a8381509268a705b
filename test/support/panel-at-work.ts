import type { Transport } from "../../provider/start";
import { operationOf, pathsOf, type PanelAnswer, type PanelRequest } from "../small-panels/panel";
import { asSent, failureOf, never, transportOn } from "../small-panels/stage";
import { numeric, second } from "../small-panels/spelling";
import { type Job, Jobs, pageOf, type Shown } from "../small-panels/taste";
import type { VirtualClock } from "./virtual-clock";

/** How a panel behaves. The first value of each property is the plainest, so that shrinking a history leads to it. */
export interface Manners {
  readonly ids: "decimal" | "lettered";
  /** What links a row to its machine. With `log`, only the machine's log does; with `nothing`, not even the log. */
  readonly tie: "associated" | "parent" | "identifier" | "log" | "nothing";
  /** What else a row shows besides its action. `another spelling` means the point's other name, and paths without a final slash. */
  readonly tells: "nothing" | "point" | "point and paths" | "another spelling";
  readonly stamps: "Z" | "+02:00" | "no zone" | "none";
  readonly date: boolean;
  /** With `parent and steps`, one row is the whole restore, and other rows are its steps, one after the other. */
  readonly parts: "one" | "at once" | "one after the other" | "parent and steps";
  /** With `parent id`, steps name their parent but no machine. */
  readonly link: "chain id" | "dependent" | "parent id" | "none";
  /** How long it takes to stop the machine, if a restore has parts. */
  readonly stopMs: number;
  /** How late rows are listed. The delays are used in turn. */
  readonly lateMs: readonly number[];
  readonly answersAfterMs: number;
  readonly skewMs: number;
  /** Whether the machine already has older jobs. On any panel that makes backups, it does. */
  readonly older: boolean;
  /** Whether a restore in parts has two parts whose action is a restore. */
  readonly restoresTwice?: boolean;
  /** How the rows of other people's traffic name their machine: like all other rows, only by a disk, or by another name. */
  readonly foreign?: "alike" | "disk" | "other name";
  /** Rows contain only an id, a status, and the fields that link them. */
  readonly bareRows?: boolean;
  /** The content of a machine's log. By default, the log contains transaction ids; with the tie `nothing`, there is no log (404). */
  readonly log?: "empty" | "names none";
  /** Every page contains the newest ten rows, whichever page is requested. */
  readonly isUnpaged?: true;
  readonly namesPosted?: boolean;
}

export const plainManners: Manners = {
  ids: "decimal",
  tie: "associated",
  tells: "nothing",
  stamps: "Z",
  date: true,
  parts: "one",
  link: "chain id",
  stopMs: 5_000,
  lateMs: [],
  answersAfterMs: 0,
  skewMs: 0,
  older: true,
};

export type Outcome = "complete" | "failed" | "cancelled";

export interface Fate {
  /** `lost`: the connection is reset. `silence`: no response until the caller gives up. */
  readonly answer: "good" | "lost" | "silence" | "refused";
  readonly carriedOut: boolean;
  readonly landsAfterMs: number;
  readonly outcome: Outcome;
  readonly runsForMs: number;
}

export const goodFate: Fate = {
  answer: "good",
  carriedOut: true,
  landsAfterMs: 0,
  outcome: "complete",
  runsForMs: 20_000,
};

export interface Order {
  readonly machine: string;
  readonly kind: "VmRestore" | "FileRestore" | "backup";
  readonly point?: string;
  readonly paths?: readonly string[];
}

/** One piece of work on a machine, as it really is: a restore is one piece, however many rows it has. */
export interface Work extends Order {
  readonly owner: Owner;
  outcome: Outcome;
  readonly runsForMs: number;
  readonly lateMs: number;
  readonly madeAt: number;
  readonly chain: string;
  readonly parts: Part[];
  readonly user: string;
  /** When the panel ran the work again after a failure. */
  rerunAt?: number;
  status: "pending" | "running" | Outcome;
  /** Infinity until the work has ended. */
  endedAt: number;
}

/** The true origin, hidden from the client: a POST for this restore with these triggers and point, a person, or the panel itself. */
export type Owner = { readonly restore: number; readonly request: string } | "person" | "panel";

/** A row in the list. Its start and end times are Infinity until they are known. */
export interface Part extends Job {
  readonly id: string;
  readonly work: Work;
  readonly isRestore: boolean;
  readonly madeAt: number;
  readonly waitsFor: Part | undefined;
}

/** What a piece of work does, and how long it takes. A parent runs as long as its steps. Only the main step (`isProper`) can fail. */
interface Step {
  readonly action: string;
  readonly takesMs?: number;
  readonly isProper?: boolean;
}

export interface Post {
  readonly order: Order;
  readonly owner: Owner;
  readonly sentAt: number;
  readonly fate: Fate;
  work?: Work;
  open: boolean;
}

const startMs = 5_000;
/** More rows than a read of the list covers. Without a limit, a runner that sleeps for hours would find so many rows that each page would take a second. */
const mostTraffic = 2_000;

/** A period in which the panel shows no data, or wrong data. `suspended`: a single process cannot read the list. */
interface Span {
  readonly from: number;
  readonly until: number;
  readonly how: "outage" | "suspended" | "empty pages" | "old pages";
}

export const isOfPages = ({ how }: Span): boolean => how === "empty pages" || how === "old pages";

/** A small panel on which restores queue, fail, are lost or arrive late. It outlives every process, and knows the origin of every job. */
export class PanelAtWork {
  readonly works: Work[] = [];
  readonly posts: Post[] = [];
  fates: Fate[] = [];
  /** In an outage, every request for a list gets a 503. Of several periods with wrong pages, only the last has an effect. */
  readonly spans: Span[] = [];
  /** The rows in the list of recovery points, for any machine. */
  points: readonly Readonly<Record<string, unknown>>[] = [];
  /** The user whose name and password the next run uses. Users see their own rows, and rows that no run made. */
  user = "operator";
  /** When the panel's clock was set back, and by how much. */
  readonly setBack: { readonly at: number; readonly byMs: number }[] = [];
  requests = 0;
  /** Returns the owner of an order that a process sends. */
  whose: (order: Order, process: object) => Owner = () => "person";
  onSent: (post: Post) => void = () => undefined;
  onMade: (work: Work) => void = () => undefined;

  readonly #jobs: Jobs;

  constructor(
    readonly time: VirtualClock,
    readonly manners: Manners,
  ) {
    const { ids, log = "names", isUnpaged } = manners;
    const nameOf = (id: unknown) => log === "names" && { target_type: "Transaction", target_id: id };
    this.#jobs = new Jobs(
      {
        first: 5000,
        id: ({ no }) => (ids === "decimal" ? String(no) : lettered(no - 5000)),
        row: (job) => ({ transaction: this.#row(job as Shown & Part) }),
        log: ({ id, action }) => ({ log_item: { id: `9${id}`, action, ...nameOf(id) } }),
        seen: (listed, what) => this.#seen(listed as readonly Part[], what === "log"),
        ...(log === "empty" && { events: () => [] }),
        ...(isUnpaged && { isUnpaged }),
      },
      () => time.now(),
    );
  }

  part(id: string): Part | undefined {
    return this.#jobs.all.find((job) => job.id === id) as Part | undefined;
  }

  /** Whether a row is among the newest in the list at a given moment. */
  isAmongNewest({ no, at: listedAt }: Part, at: number, count: number): boolean {
    const above = this.#jobs.all.filter((other) => other.no > no && other.at <= at);
    return listedAt <= at && above.length < count;
  }

  statusOf(part: Part): string {
    return this.#jobs.shown(part).status;
  }

  /** Whether a request is under way, or a part has been made but not listed yet. */
  isUnsettled(machine?: string): boolean {
    const now = this.time.now();
    const works = this.works.filter((work) => machine === undefined || work.machine === machine);
    return this.posts.some(({ open }) => open) || works.some(({ parts }) => parts.some(({ at }) => at > now));
  }

  order(order: Order, owner: Owner, outcome: Outcome = "complete", runsForMs = 1_000): Work {
    const { lateMs } = this.manners;
    const isFirst = owner === "panel" && this.works.length === 0;
    const work: Work = {
      ...order,
      owner,
      outcome,
      runsForMs,
      lateMs: isFirst ? 0 : (lateMs[this.posts.length % Math.max(1, lateMs.length)] ?? 0),
      madeAt: this.time.now(),
      chain: `c${String(this.works.length)}`,
      parts: [],
      user: this.user,
      status: "pending",
      endedAt: Infinity,
    };
    this.works.push(work);
    const steps = this.#stepsOf(work);
    for (const step of this.manners.parts === "at once" ? steps : steps.slice(0, 1)) this.#make(work, step);
    this.onMade(work);
    this.#goOn(work.machine);
    return work;
  }

  cancel(machine: string): Work | undefined {
    const work = this.#unfinished(machine).find(({ status }) => status === "running");
    if (work) this.#end(work, "cancelled");
    return work;
  }

  /** The panel runs a machine's last failed job again, in the same rows. */
  runAgain(machine: string): Work | undefined {
    const work = this.works.findLast((one) => one.machine === machine && one.status === "failed");
    if (work === undefined) return undefined;
    work.outcome = "complete";
    work.status = "pending";
    work.endedAt = Infinity;
    work.rerunAt = this.time.now();
    for (const part of work.parts) if (part.end !== "complete") part.runs = part.ends = Infinity;
    this.#goOn(machine);
    return work;
  }

  /** Other people restore and back up their machines all the time, until the returned function is called. */
  traffic(everyMs: number): () => void {
    let isOver = false;
    const next = (count: number): void => {
      if (isOver || count === mostTraffic) return;
      const machine = String(50 + (count % 7));
      const kind = count % 5 === 0 ? "VmRestore" : "backup";
      // Nobody orders more while other work for the machine is still waiting, so that no queue grows forever.
      if (this.#unfinished(machine).length < 2)
        this.order({ kind, machine, point: "1001" }, "panel", "complete", everyMs);
      this.time.after(everyMs, () => next(count + 1));
    };
    next(0);
    return () => void (isOver = true);
  }

  transportOf(process: { readonly ended: boolean }): Transport {
    return transportOn(this.time, process, async (request) => {
      this.requests++;
      const isPost = request.method === "POST";
      const answer = isPost ? await this.#post(orderIn(request), process) : this.#read(request);
      const date = this.manners.date ? new Date(this.#panelTime(this.time.now())) : undefined;
      if (!isPost && this.manners.answersAfterMs > 0) await this.time.pause(this.manners.answersAfterMs);
      return asSent(answer, date);
    });
  }

  #stepsOf({ kind, runsForMs }: Work): readonly Step[] {
    const { parts, restoresTwice, stopMs } = this.manners;
    if (kind === "backup") return [{ action: "take_backup", takesMs: runsForMs, isProper: true }];
    const action = kind === "VmRestore" ? "restore_recovery_point" : "restore_file_entries";
    const stop = { action: "stop_virtual_machine", takesMs: stopMs };
    const restore = { action, takesMs: runsForMs, isProper: true };
    const start = { action: "startup_virtual_machine", takesMs: startMs };
    if (parts === "one") return [restore];
    if (parts === "parent and steps") return [{ action }, stop, { ...restore, action: "write_disks" }, start];
    return [stop, restore, ...(restoresTwice ? [restore] : []), start];
  }

  #make(work: Work, { action }: Step): Part {
    const { kind: what, machine, parts } = work;
    const madeAt = this.time.now();
    const times = { at: madeAt + work.lateMs, runs: Infinity, ends: Infinity };
    const job = this.#jobs.add({ machine, what, action, ...times, end: "complete" });
    const isRestore = action.startsWith("restore");
    const part = Object.assign(job, { work, isRestore, madeAt, waitsFor: parts.at(-1) }) as Part;
    parts.push(part);
    return part;
  }

  /** A machine's unfinished work, oldest first. */
  #unfinished(machine: string): readonly Work[] {
    return this.works.filter((work) => work.machine === machine && work.endedAt === Infinity);
  }

  /** Starts a machine's next piece of work. A machine does one piece at a time, in the order in which the work was ordered. */
  #goOn(machine: string): void {
    const all = this.#unfinished(machine);
    const [next] = all;
    if (next && all.every(({ status }) => status === "pending")) void this.#carryOut(next);
  }

  async #carryOut(work: Work): Promise<void> {
    work.status = "running";
    for (const [index, step] of this.#stepsOf(work).entries()) {
      const part = work.parts[index] ?? this.#make(work, step);
      if (part.ends < Infinity) continue;
      part.runs = this.time.now();
      if (step.takesMs === undefined) continue;
      await this.time.pause(step.takesMs);
      if (part.ends < Infinity) return;
      part.end = step.isProper ? work.outcome : "complete";
      part.ends = this.time.now();
      if (part.end !== "complete") break;
    }
    this.#end(work, work.outcome);
  }

  #end(work: Work, outcome: Outcome): void {
    work.status = outcome;
    work.endedAt = this.time.now();
    for (const part of work.parts.filter(({ ends }) => ends === Infinity)) {
      part.end = part.isRestore && this.manners.parts === "parent and steps" ? outcome : "cancelled";
      part.ends = work.endedAt;
    }
    this.#goOn(work.machine);
  }

  async #post(order: Order, process: object): Promise<PanelAnswer> {
    const fate = this.fates.shift() ?? goodFate;
    const owner = this.whose(order, process);
    const post: Post = { order, owner, sentAt: this.time.now(), fate, open: true };
    this.posts.push(post);
    this.onSent(post);
    const landed = this.time.pause(fate.landsAfterMs).then(() => {
      post.open = false;
      if (fate.carriedOut) post.work = this.order(order, owner, fate.outcome, fate.runsForMs);
    });
    if (fate.answer === "silence") return never();
    if (fate.answer === "lost") {
      await this.time.pause(1_000);
      throw failureOf("ECONNRESET");
    }
    await landed;
    await this.time.pause(this.manners.answersAfterMs);
    if (fate.answer === "refused") return { status: 422, body: { errors: ["locked"] } };
    const id = this.manners.namesPosted ? post.work?.parts[0]?.id : undefined;
    return { status: 201, ...(id !== undefined && { body: { transaction: { id } } }) };
  }

  #read(request: PanelRequest): PanelAnswer {
    if (this.spans.some(({ how, until }) => how === "outage" && this.time.now() < until)) return { status: 503 };
    const asked = operationOf(request);
    if (asked === undefined || "point" in asked) throw new Error(`no such request: ${request.path}`);
    if (asked.what === "points") return pageOf(this.points, (point) => ({ recovery_point: point }), asked);
    const { log = "names", tie } = this.manners;
    if (asked.what === "log" && log === "names" && tie === "nothing") return { status: 404 };
    return this.#jobs.answer(asked);
  }

  /** The listed parts that the user sees in the list or in a log. */
  #seen(listed: readonly Part[], isLog: boolean): readonly Part[] {
    const now = this.time.now();
    const odd = isLog ? undefined : this.spans.findLast(isOfPages);
    const latest = odd && now < odd.until ? (odd.how === "empty pages" ? 0 : now - 5 * 60_000) : now;
    const isOwn = ({ owner, user }: Work): boolean => typeof owner === "string" || user === this.user;
    return listed.filter(({ at, work }) => at <= latest && isOwn(work));
  }

  #row(part: Shown & Part): Record<string, unknown> {
    const { tie, tells, link, parts, foreign = "alike", bareRows = false } = this.manners;
    const { work } = part;
    const id = numeric(part.id);
    if (work.kind !== "backup" && !part.isRestore && link === "parent id" && parts === "parent and steps") {
      return { id, action: part.action, status: part.status, parent_id: work.parts[0] && numeric(work.parts[0].id) };
    }
    const isForeign = Number(work.machine) >= 50 && foreign !== "alike";
    const whose = isForeign ? foreign : tie;
    const machine = Number(work.machine);
    // Only a machine's backups show both of its names.
    const namesParent = whose === "parent" || (whose === "other name" && work.kind === "backup");
    return {
      id,
      status: part.status,
      ...(!bareRows && {
        action: part.action,
        created_at: this.#stamp(part.madeAt),
        updated_at: this.#stamp([part.ends, part.runs, part.madeAt].find(Number.isFinite)),
        started_at: this.#stamp(part.runs),
        finished_at: this.#stamp(part.ends),
      }),
      ...(whose === "associated" && { associated_object_type: "VirtualMachine", associated_object_id: machine }),
      ...(namesParent && { parent_type: "VirtualMachine", parent_id: machine }),
      ...(whose === "identifier" && { identifier: work.machine }),
      ...(whose === "other name" && { identifier: `vm${work.machine}x` }),
      ...(whose === "disk" && { parent_type: "Disk", parent_id: 70_000 + machine }),
      ...(parts !== "one" && link === "chain id" && { chain_id: work.chain }),
      ...(parts !== "one" &&
        link === "dependent" &&
        part.waitsFor && { dependent_transaction_id: numeric(part.waitsFor.id) }),
      ...(tells !== "nothing" && !bareRows && part.isRestore && { params: paramsOf(work, tells) }),
      ...(part.detailed && { log_output: `the log of ${part.id}` }),
    };
  }

  #panelTime(at: number): number {
    const setBack = this.setBack.filter((one) => at >= one.at);
    return setBack.reduce((shown, { byMs }) => shown - byMs, at + this.manners.skewMs);
  }

  #stamp(at = Infinity): string | null {
    const { stamps } = this.manners;
    if (at === Infinity || stamps === "none") return null;
    const utc = this.#panelTime(at);
    if (stamps === "Z") return `${second(utc)}Z`;
    return `${second(utc + 2 * 3_600_000)}${stamps === "+02:00" ? stamps : ""}`;
  }
}

function orderIn(request: PanelRequest): Order {
  const asked = operationOf(request);
  if (asked === undefined || !("point" in asked)) throw new Error(`no such request: ${request.path}`);
  const { what, machine, point } = asked;
  if (what === "restore") return { machine, kind: "VmRestore", point };
  return { machine, kind: "FileRestore", point, paths: pathsOf(request) };
}

function paramsOf({ point = "", paths }: Work, tells: Manners["tells"]): Record<string, unknown> {
  if (tells === "another spelling") {
    return { recovery_point_id: point.replace(/\D/g, ""), paths: paths?.map((path) => path.replace(/\/$/, "")) };
  }
  return { recovery_point_id: point, ...(tells === "point and paths" && { paths }) };
}

/** An id that does not sort by age. It contains a digit, because `adopt` requires a digit in an id. */
function lettered(ordinal: number): string {
  return `t${((ordinal * 7919 + 13) % 46_656).toString(36).padStart(3, "0")}7`;
}
