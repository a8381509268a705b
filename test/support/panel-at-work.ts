import { TransportFailure, type Transport } from "../../provider/panel/transport";
import type { VirtualClock } from "./virtual-clock";

/** How a panel behaves. The first word of each is the plainest: what a history is shrunk to. */
export interface Manners {
  readonly ids: "decimal" | "lettered";
  /**
   * What ties a row to its machine; with `log` the machine's log alone does, with `nothing` not even that. With `alias` it is a name of the
   * machine's that only backups explain; with `target` a restore has its backup's name and parent instead, and what is beside it names the machine.
   */
  readonly tie: "associated" | "parent" | "identifier" | "alias" | "target" | "log" | "nothing";
  /** What else a row shows, besides its action. In another spelling: the point's other name, and paths without a slash at the end. */
  readonly tells: "nothing" | "point" | "point and paths" | "another spelling";
  /** Restores of files have the same action as whole ones. */
  readonly restoresAlike?: boolean;
  readonly stamps: "Z" | "+02:00" | "no zone" | "none";
  /** Whether answers carry a `Date`. */
  readonly date: boolean;
  /** With steps, a row is the whole restore, and others are what it does, one after the other. */
  readonly parts: "one" | "at once" | "one after the other" | "parent and steps";
  /** By `parent id`, steps name their parent and no machine. */
  readonly link: "chain id" | "dependent" | "both" | "parent id" | "none";
  /** How long the machine is being stopped, where a restore has parts. */
  readonly stopMs: number;
  /** How late rows are listed, in turn. */
  readonly lateMs: readonly number[];
  /** How long work waits where nothing else is in its way. */
  readonly queuesForMs?: number;
  readonly answersAfterMs: number;
  readonly skewMs: number;
  /** How far the `Date` of its answers is ahead of the stamps of its rows. */
  readonly dateAheadMs?: number;
  /** Whether something was done on it before, as on every panel that has backups. */
  readonly older: boolean;
  /** A restore in parts has a second part of its own action. */
  readonly restoresTwice?: boolean;
  /** The parts behind one that failed stay pending for ever. */
  readonly leavesRest?: boolean;
  /** What ties the rows of steady foreign traffic to their machines: as all rows, nothing but a disk, or the other kind of name. */
  readonly foreign?: "alike" | "disk" | "other name";
  /** Rows have an id and a status, and nothing else but what ties and links them. */
  readonly bareRows?: boolean;
  /** What a machine's log gives. Without it: the transactions' ids, or with the tie `nothing` a 404. */
  readonly log?: "empty" | "names none";
  /** Whatever page is asked for, it is the newest ten rows. */
  readonly isUnpaged?: boolean;
  /** The answer to a POST names its transaction. */
  readonly namesPosted?: boolean;
}

/** The plainest panel there is. */
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

/** What becomes of a POST. */
export interface Fate {
  /** `lost`: the connection is reset. `silence`: nothing comes until the caller gives up. */
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

/** A request as it is distinguished on the panel's side. */
export interface Order {
  readonly machine: string;
  readonly kind: "VmRestore" | "FileRestore" | "backup";
  readonly point?: string;
  readonly paths?: readonly string[];
}

/** One piece of work on a machine, as it really is: a restore is one, whatever parts it is listed in. */
export interface Work extends Order {
  readonly owner: Owner;
  outcome: Outcome;
  readonly runsForMs: number;
  readonly lateMs: number;
  readonly madeAt: number;
  readonly chain: string;
  readonly parts: Part[];
  /** The user of the panel that it was ordered by. */
  readonly user: string;
  /** When the panel has run it again after it had failed. */
  rerunAt?: number;
  status: "pending" | "running" | Outcome;
  endedAt?: number;
}

/** The hidden mark: a POST of this restore's under these triggers, a person's, or other work of the panel. */
export type Owner = { readonly restore: number; readonly generation: number } | "person" | "panel";

export interface Part {
  readonly id: string;
  /** How many were made before it. */
  readonly ordinal: number;
  readonly work: Work;
  readonly action: string;
  readonly isRestore: boolean;
  readonly madeAt: number;
  readonly listedAt: number;
  readonly waitsFor: Part | undefined;
  status: "pending" | "running" | Outcome;
  startedAt?: number;
  endedAt?: number;
}

/** A POST that was sent. */
export interface Post {
  readonly order: Order;
  readonly owner: Owner;
  readonly sentAt: number;
  readonly fate: Fate;
  work?: Work;
  /** It may still arrive. */
  open: boolean;
}

const panelSeconds = 5_000;

/** What a restore does, where each step is a row. */
const stepsOf = ["stop_virtual_machine", "write_disks", "startup_virtual_machine"];

/** A while in which the panel shows what is not so. */
interface OddPages {
  readonly from: number;
  readonly until: number;
  readonly how: "empty pages" | "old pages";
}

/** A panel in memory, spoken to in requests and answers. It outlives every process, and knows whose everything is. */
export class PanelAtWork {
  readonly works: Work[] = [];
  readonly posts: Post[] = [];
  fates: Fate[] = [];
  /** Until when it answers every request for a list with a 503. */
  downUntil = 0;
  /** The same of the whole life. */
  readonly downSpans: { readonly from: number; readonly until: number }[] = [];
  /** Until when its pages are not what they should be. */
  odd: OddPages = { from: 0, until: 0, how: "empty pages" };
  /** The same of the whole life. */
  readonly oddSpans: OddPages[] = [];
  /** What the list of transactions shows of those that it should, newest first. */
  listing: ((parts: readonly Part[]) => readonly Part[]) | undefined;
  /** The rows of the list of recovery points, of whatever machine. */
  points: readonly Readonly<Record<string, unknown>>[] = [];
  /** The user whose name and password the next run has. Users see their own rows, and those that no run has made. */
  user = "operator";
  /** When the panel's clock was set back, and by how much. */
  readonly setBack: { readonly at: number; readonly byMs: number }[] = [];
  requests = 0;
  /** Called with each order and its owner at the moment it is sent. */
  whose: (order: Order, process: object) => Owner = () => "person";
  onSent: (post: Post) => void = () => undefined;
  onMade: (work: Work) => void = () => undefined;

  readonly #parts: Part[] = [];
  readonly #byId = new Map<string, Part>();
  readonly #users = new Set<string>();
  readonly #working = new Set<string>();
  /** What waits on a machine, oldest first. */
  readonly #waiting = new Map<string, Work[]>();
  readonly #partsOf = new Map<string, Part[]>();
  readonly #answers = new Map<string, string>();
  /** How often anything about a row has changed. */
  #changes = 0;
  /** At which of these the answers that are kept were given. */
  #answeredAt = 0;

  constructor(
    readonly time: VirtualClock,
    readonly manners: Manners,
  ) {}

  part(id: string): Part | undefined {
    return this.#byId.get(id);
  }

  /** The transactions that a POST has led to. */
  idsOf(post: number): readonly string[] {
    return (this.posts[post]?.work?.parts ?? []).map(({ id }) => id);
  }

  /** Whether a request is under way, or something was made and is not listed yet. */
  isUnsettled(machine?: string): boolean {
    const now = this.time.now();
    return (
      this.posts.some(({ open }) => open) ||
      this.works.some(
        (work) =>
          (machine === undefined || work.machine === machine) && work.parts.some(({ listedAt }) => listedAt > now),
      )
    );
  }

  /** Somebody orders something on the panel itself. */
  order(order: Order, owner: Owner, outcome: Outcome = "complete", runsForMs = 1_000): Work {
    const { lateMs } = this.manners;
    const work: Work = {
      ...order,
      owner,
      outcome,
      runsForMs,
      // What was done before all else is listed.
      lateMs:
        owner === "panel" && this.works.length === 0
          ? 0
          : (lateMs[this.posts.length % Math.max(1, lateMs.length)] ?? 0),
      madeAt: this.time.now(),
      chain: `c${String(this.works.length)}`,
      parts: [],
      user: this.user,
      status: "pending",
    };
    this.works.push(work);
    this.#users.add(this.user);
    const actions = this.#actionsOf(work);
    const [first = "", ...rest] = actions;
    this.#make(work, first);
    if (this.manners.parts === "at once") for (const action of rest) this.#make(work, action);
    this.onMade(work);
    this.#queue(work);
    return work;
  }

  /** Somebody cancels what runs on a machine, or waits to. */
  cancel(machine: string): Work | undefined {
    const work = this.works.find((one) => one.machine === machine && one.status === "running");
    if (work) this.#end(work, "cancelled");
    return work;
  }

  /** The panel runs again what has failed last on a machine, in the same rows. */
  runAgain(machine: string): Work | undefined {
    const work = this.works.findLast((one) => one.machine === machine && one.status === "failed");
    if (work === undefined) return undefined;
    this.#changes++;
    work.outcome = "complete";
    work.status = "pending";
    work.rerunAt = this.time.now();
    delete work.endedAt;
    for (const part of work.parts) {
      if (part.status === "complete") continue;
      part.status = "pending";
      delete part.startedAt;
      delete part.endedAt;
    }
    this.#queue(work);
    return work;
  }

  /** Others restore and back up their machines all the time, until they are stopped. */
  traffic(everyMs: number): () => void {
    let isOver = false;
    const next = (count: number): void => {
      if (isOver) return;
      const machine = String(50 + (count % 7));
      this.order(
        { kind: count % 5 === 0 ? "VmRestore" : "backup", machine, point: "1001" },
        "panel",
        "complete",
        everyMs,
      );
      this.time.after(everyMs, () => {
        next(count + 1);
      });
    };
    next(0);
    return () => {
      isOver = true;
    };
  }

  /** Somebody at the panel ends a transaction that has begun, or ends it otherwise than it has ended. */
  end(id: string, outcome: Outcome): void {
    const part = this.#byId.get(id);
    if (part === undefined) throw new Error(`no transaction ${id}`);
    this.#changes++;
    part.status = outcome;
    part.endedAt = this.time.now();
    if (part.work.status === "running") this.#end(part.work, outcome);
    else part.work.status = outcome;
  }

  /** What a process sends its requests with. */
  transportOf(process: { readonly ended: boolean }): Transport {
    return async ({ method, path, body, signal }) => {
      if (process.ended) return never();
      this.requests++;
      if (method === "POST") return this.#post(path, body, signal, process);
      const answer = this.#read(path);
      if (this.manners.answersAfterMs > 0) await this.time.pause(this.manners.answersAfterMs);
      await this.time.whenAwake(process);
      return process.ended ? never() : answer;
    };
  }

  // Work

  #actionsOf(work: Work): readonly string[] {
    if (work.kind === "backup") return ["take_backup"];
    const restore =
      work.kind === "VmRestore" || this.manners.restoresAlike ? "restore_recovery_point" : "restore_file_entries";
    if (this.manners.parts === "one") return [restore];
    if (this.manners.parts === "parent and steps") return [restore, ...stepsOf];
    const restores = this.manners.restoresTwice ? [restore, restore] : [restore];
    return ["stop_virtual_machine", ...restores, "startup_virtual_machine"];
  }

  #make(work: Work, action: string): Part {
    const ordinal = this.#parts.length;
    const now = this.time.now();
    const part: Part = {
      id: this.manners.ids === "decimal" ? String(5000 + ordinal) : lettered(ordinal),
      ordinal,
      work,
      action,
      isRestore: action.startsWith("restore"),
      madeAt: now,
      listedAt: now + work.lateMs,
      waitsFor: work.parts.at(-1),
      status: "pending",
    };
    work.parts.push(part);
    this.#parts.push(part);
    const ofMachine = this.#partsOf.get(work.machine);
    if (ofMachine) ofMachine.push(part);
    else this.#partsOf.set(work.machine, [part]);
    this.#changes++;
    this.#byId.set(part.id, part);
    return part;
  }

  #queue(work: Work): void {
    const waiting = [...(this.#waiting.get(work.machine) ?? []), work];
    this.#waiting.set(
      work.machine,
      waiting.sort((a, b) => a.madeAt - b.madeAt),
    );
    this.#goOn(work.machine);
  }

  /** One piece of work at a time on a machine, in the order in which they were made. */
  #goOn(machine: string): void {
    if (this.#working.has(machine)) return;
    const waiting = (this.#waiting.get(machine) ?? []).filter(({ status }) => status === "pending");
    this.#waiting.set(machine, waiting);
    const next = waiting.shift();
    if (next === undefined) return;
    this.#working.add(machine);
    const begin = (): void => {
      next.status = "running";
      // A repeated run continues where it failed.
      const done = next.parts.findIndex(({ status }) => status !== "complete");
      this.#begin(next, Math.max(0, done));
    };
    const { queuesForMs = 0 } = this.manners;
    if (queuesForMs > 0) this.time.after(queuesForMs, begin);
    else begin();
  }

  #begin(work: Work, index: number): void {
    const actions = this.#actionsOf(work);
    const action = actions[index];
    if (action === undefined) {
      this.#end(work, "complete");
      return;
    }
    const part = work.parts[index] ?? this.#make(work, action);
    this.#changes++;
    part.status = "running";
    part.startedAt = this.time.now();
    // A parent runs as long as its steps do.
    if (this.manners.parts === "parent and steps" && part.isRestore) {
      const done = work.parts.findIndex(({ isRestore, status }) => !isRestore && status !== "complete");
      this.#begin(work, done === -1 ? work.parts.length : done);
      return;
    }
    const isProper = part.isRestore || work.kind === "backup" || action === "write_disks";
    const takesMs = isProper ? work.runsForMs : action.startsWith("stop") ? this.manners.stopMs : panelSeconds;
    this.time.after(takesMs, () => {
      if (work.status !== "running") return;
      this.#changes++;
      const outcome = isProper ? work.outcome : "complete";
      part.status = outcome;
      part.endedAt = this.time.now();
      if (outcome === "complete") this.#begin(work, index + 1);
      else this.#end(work, outcome);
    });
  }

  #end(work: Work, outcome: Outcome): void {
    const now = this.time.now();
    this.#changes++;
    work.status = outcome;
    work.endedAt = now;
    for (const part of work.parts) {
      if (part.status !== "pending" && part.status !== "running") continue;
      if (part.status === "pending" && this.manners.leavesRest) continue;
      part.status = part.isRestore && this.manners.parts === "parent and steps" ? outcome : "cancelled";
      part.endedAt = now;
    }
    this.#working.delete(work.machine);
    this.#goOn(work.machine);
  }

  // Requests

  async #post(path: string, body: string | undefined, signal: AbortSignal, process: { readonly ended: boolean }) {
    const order = orderIn(path, body);
    const fate = this.fates.shift() ?? goodFate;
    const owner = this.whose(order, process);
    const post: Post = { order, owner, sentAt: this.time.now(), fate, open: true };
    this.posts.push(post);
    this.onSent(post);
    const landed = this.time.pause(fate.landsAfterMs).then(() => {
      post.open = false;
      if (fate.carriedOut) post.work = this.order(order, owner, fate.outcome, fate.runsForMs);
    });
    switch (fate.answer) {
      case "good":
      case "refused":
        await landed;
        await this.time.pause(this.manners.answersAfterMs);
        await this.time.whenAwake(process);
        if (process.ended) return never();
        return fate.answer === "good" ? this.#accepted(post) : this.#answer(422, '{"errors":["locked"]}');
      case "lost":
        await this.time.pause(1_000);
        await this.time.whenAwake(process);
        if (process.ended) return never();
        throw new TransportFailure("ECONNRESET", true);
      case "silence":
        return new Promise<never>((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            if (!process.ended) reject(new TransportFailure("ABORTED", true));
          });
        });
    }
  }

  #accepted({ work }: Post) {
    const id = this.manners.namesPosted ? work?.parts[0]?.id : undefined;
    return this.#answer(201, id === undefined ? "" : JSON.stringify({ transaction: { id } }));
  }

  #read(path: string) {
    if (this.time.now() < this.downUntil) return this.#answer(503, "");
    const [pathname = "", query] = path.split("?");
    const number = (name: string): number | undefined => {
      const found = new RegExp(`/${name}/(\\d+)`).exec(pathname)?.[1];
      return found === undefined ? undefined : Number(found);
    };
    const { isUnpaged = false, log = "names" } = this.manners;
    const perPage = isUnpaged ? 10 : (number("per_page") ?? 10);
    const from = isUnpaged ? 0 : ((number("page") ?? 1) - 1) * perPage;
    if (pathname.includes("/recovery_points.json")) {
      const rows = this.points.slice(from, from + perPage);
      return this.#answer(200, JSON.stringify(rows.map((recovery_point) => ({ recovery_point }))));
    }
    const machine = /^\/virtual_machines\/([^/]+)\/logs\.json/.exec(pathname)?.[1];
    if (machine !== undefined && log === "empty") return this.#answer(200, "[]");
    if (machine !== undefined && log === "names" && this.manners.tie === "nothing") return this.#answer(404, "");
    const now = this.time.now();
    const isOdd = machine === undefined && now < this.odd.until;
    const latest = isOdd ? (this.odd.how === "empty pages" ? 0 : now - 5 * 60_000) : now;
    const isShown = ({ listedAt, work: { owner, user } }: Part): boolean =>
      listedAt <= latest && (typeof owner === "string" || user === this.user);
    const { listing } = this;
    const parts = machine === undefined ? this.#parts : (this.#partsOf.get(machine) ?? []);
    const listed =
      machine === undefined && listing
        ? listing(parts.filter(isShown).reverse()).slice(from, from + perPage)
        : newest(parts, from, perPage, latest === now && this.#isAllShown() ? undefined : isShown);
    // Most answers equal the previous answer.
    if (this.#answeredAt !== this.#changes) this.#answers.clear();
    this.#answeredAt = this.#changes;
    const key = `${path} ${listed.map(({ id }) => id).join()}`;
    const before = this.#answers.get(key);
    if (before !== undefined) return this.#answer(200, before);
    const rows =
      machine === undefined
        ? listed.map((part) => ({ transaction: this.#row(part, query === "detailed") }))
        : listed.map(({ id, action }) => ({
            log_item: { id: `9${id}`, action, ...(log === "names" && { target_type: "Transaction", target_id: id }) },
          }));
    const body = JSON.stringify(rows);
    this.#answers.set(key, body);
    return this.#answer(200, body);
  }

  /** Nothing is listed late, and nobody sees less than others. */
  #isAllShown(): boolean {
    return this.manners.lateMs.every((ms) => ms === 0) && [...this.#users].every((user) => user === this.user);
  }

  #answer(status: number, body: string) {
    const headers: Record<string, string> = { "content-type": "application/json" };
    const { date, dateAheadMs = 0 } = this.manners;
    if (date) headers["date"] = new Date(this.#panelTime(this.time.now()) + dateAheadMs).toUTCString();
    return { status, headers, body };
  }

  #row(part: Part, detailed: boolean): Record<string, unknown> {
    const { tie, tells, link, parts, foreign = "alike", bareRows = false } = this.manners;
    const { work } = part;
    const id = idInRow(part);
    if (work.kind !== "backup" && !part.isRestore && link === "parent id" && parts === "parent and steps") {
      return { id, action: part.action, status: part.status, parent_id: work.parts[0] && idInRow(work.parts[0]) };
    }
    const isForeign = Number(work.machine) >= 50 && foreign !== "alike";
    const whose = !isForeign ? tie : foreign === "disk" ? "log" : "alias";
    const isOfBackup = whose === "target" && part.isRestore;
    const namesParent =
      whose === "parent" || (whose === "target" && !isOfBackup) || (whose === "alias" && work.kind === "backup");
    return {
      id,
      status: part.status,
      ...(!bareRows && {
        action: part.action,
        created_at: this.#stamp(part.madeAt),
        updated_at: this.#stamp(part.endedAt ?? part.startedAt ?? part.madeAt),
        started_at: this.#stamp(part.startedAt),
        finished_at: this.#stamp(part.endedAt),
      }),
      ...(whose === "associated" && {
        associated_object_type: "VirtualMachine",
        associated_object_id: Number(work.machine),
      }),
      ...(namesParent && { parent_type: "VirtualMachine", parent_id: Number(work.machine) }),
      ...(whose === "identifier" && { identifier: work.machine }),
      ...((whose === "alias" || whose === "target") && { identifier: `vm${work.machine}x` }),
      ...(isForeign && foreign === "disk" && { parent_type: "Disk", parent_id: 70_000 + Number(work.machine) }),
      ...(isOfBackup && { identifier: `bk${part.id}`, parent_type: "Backup", parent_id: 90_000 + part.ordinal }),
      ...(parts !== "one" && (link === "chain id" || link === "both") && { chain_id: work.chain }),
      ...(parts !== "one" &&
        (link === "dependent" || link === "both") &&
        part.waitsFor && { dependent_transaction_id: idInRow(part.waitsFor) }),
      ...(tells !== "nothing" && !bareRows && part.isRestore && { params: paramsOf(work, tells) }),
      ...(detailed && { log_output: `the log of ${part.id}` }),
    };
  }

  /** What the panel's own clock shows at a moment. */
  #panelTime(at: number): number {
    return this.setBack.reduce(
      (shown, { at: then, byMs }) => (at >= then ? shown - byMs : shown),
      at + this.manners.skewMs,
    );
  }

  #stamp(at: number | undefined): string | null {
    const { stamps } = this.manners;
    if (at === undefined || stamps === "none") return null;
    const utc = this.#panelTime(at);
    if (stamps === "Z") return `${new Date(utc).toISOString().slice(0, 19)}Z`;
    const local = new Date(utc + 2 * 3_600_000).toISOString().slice(0, 19);
    return stamps === "+02:00" ? `${local}+02:00` : local;
  }
}

function idInRow({ id }: Part): number | string {
  return /^\d+$/.test(id) ? Number(id) : id;
}

function orderIn(path: string, body: string | undefined): Order {
  const [, machine = "", point = "", what = ""] =
    /^\/virtual_machines\/([^/]+)\/backups\/recovery_points\/([^/]+)\/(restore|file_entries)\.json$/.exec(path) ?? [];
  if (what === "") throw new Error(`no such request: ${path}`);
  if (what === "restore") return { machine, kind: "VmRestore", point };
  return { machine, kind: "FileRestore", point, paths: (JSON.parse(body ?? "{}") as { paths: string[] }).paths };
}

function paramsOf({ point = "", paths }: Work, tells: Manners["tells"]): Record<string, unknown> {
  if (tells === "another spelling") {
    return { recovery_point_id: point.replace(/\D/g, ""), paths: paths?.map((path) => path.replace(/\/$/, "")) };
  }
  return { recovery_point_id: point, ...(tells === "point and paths" && { paths }) };
}

/** A page of what is shown, newest first; without `isShown` all of it is. */
function newest(
  parts: readonly Part[],
  from: number,
  count: number,
  isShown: ((part: Part) => boolean) | undefined,
): readonly Part[] {
  if (isShown === undefined)
    return parts.slice(Math.max(0, parts.length - from - count), Math.max(0, parts.length - from)).reverse();
  const page: Part[] = [];
  let above = 0;
  for (let index = parts.length - 1; index >= 0 && page.length < count; index--) {
    const part = parts[index] as Part;
    if (!isShown(part)) continue;
    if (above++ >= from) page.push(part);
  }
  return page;
}

/** In no order that a text has. With a digit, as `adopt` wants an id to have. */
function lettered(ordinal: number): string {
  return `t${((ordinal * 7919 + 13) % 46_656).toString(36).padStart(3, "0")}7`;
}

/** What a process waits for that has ended. */
function never(): Promise<never> {
  return new Promise(() => undefined);
}
