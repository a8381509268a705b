import { operationOf, pathsOf, type MakePanel, type Operation, type PanelAnswer, type PanelRequest } from "./panel";
import { declared, element, tag, typed, xml } from "./spelling";

type Format = Operation["format"];

export type List = Exclude<Operation, { point: string }>;

export interface Job {
  readonly id: string | number;
  readonly no: number;
  readonly machine: string;
  /** The recovery point, if a POST started the operation. */
  readonly point?: string | undefined;
  /** "restore", "files", or an operation that somebody else started. */
  readonly what: string;
  readonly action: string;
  /** When the job is created and appears in the list. */
  at: number;
  runs: number;
  ends: number;
  end: string;
  /** The number of the parent job. */
  readonly parent?: number;
  readonly path?: string;
}

export interface Shown extends Job {
  /** The status in the panel's own words. */
  readonly status: string;
  readonly hasEnded: boolean;
  readonly now: number;
  readonly detailed: boolean;
}

/** An operation to start. Only an operation requested by a POST has a point. */
interface Asked extends Readonly<Pick<Job, "what" | "machine" | "point" | "end">> {
  readonly paths?: readonly string[];
  readonly length: number;
}

/** One of several rows that are created at once. Times are fractions of the whole duration. */
type Part = Readonly<Partial<Pick<Job, "action" | "at" | "runs" | "ends" | "end" | "path">>>;

interface Page {
  readonly isLog: boolean;
  readonly format: Format;
  readonly page: number;
  readonly size: number;
  readonly total: number;
  readonly pages: number;
}

type Begin = (machine: string, what: string, how?: { readonly seconds?: number; readonly end?: string }) => void;
type Past = readonly [machine: string, what: string, agoMs: number, seconds: number, end?: string | false];

/** How one panel fills in what docs/how-it-works.md#what-a-panel-must-show leaves open. */
export interface Taste {
  readonly formats: readonly Format[];
  /** The number of the panel's first job. */
  readonly first?: number;
  readonly id?: (job: Omit<Job, "id">) => string | number;
  /** An ended job that exists at the start. `back` is its position, counted from the newest; `length` is the duration of a restore. */
  readonly past?: (back: number, length: number) => Past;
  readonly old?: number;
  /** The panel's own words for pending, running, complete and failed. */
  readonly words?: Readonly<Record<string, string>>;
  /** The fraction of a job's duration during which the job is pending. */
  readonly pending: number;
  readonly action: (what: string, asked: Partial<Asked>) => string;
  readonly parts?: (asked: Asked, action: string) => readonly Part[];
  /** Starts a job for somebody else, and returns the milliseconds until the next call. Called for as long as the panel exists. */
  readonly others?: (count: number, begin: Begin, length: number) => number;
  readonly row: (job: Shown) => unknown;
  /** A job's item in the machine's log, if it differs from the job's row. */
  readonly log?: (job: Shown) => unknown;
  /** A machine's whole log, newest first, if the log does not have one item per job. */
  readonly events?: (own: readonly Shown[]) => readonly unknown[];
  /** The order of the list. @default by number, newest first */
  readonly sort?: (one: Shown, other: Shown) => number;
  readonly cap?: number;
  readonly isUnpaged?: true;
  /** A request for a page past the end returns the last page. */
  readonly isClamped?: true;
  readonly isRising?: true;
  readonly list?: (items: readonly unknown[], page: Page) => PanelAnswer;
  /** The jobs that a response shows, if it does not show all listed jobs. */
  readonly seen?: (listed: readonly Job[], what: List["what"]) => readonly Job[];
  /** The answer to a POST, based on the rows created for it and on all rows listed at that time, newest first. */
  readonly accepted: (
    rows: readonly unknown[],
    jobs: readonly Shown[],
    format: Format,
    listed: readonly Job[],
  ) => PanelAnswer;
  readonly delay?: (length: number) => number;
  readonly refuse?: (asked: Operation) => PanelAnswer | undefined;
  /** The answer to all other requests. @default a 404 without a body */
  readonly missing?: PanelAnswer | ((request: PanelRequest) => PanelAnswer);
}

/** The requested page of the list, newest first. */
export function pageOf<T>(
  all: readonly T[],
  show: (item: T) => unknown,
  asked: List,
  how: Pick<Taste, "cap" | "isUnpaged" | "isClamped" | "isRising" | "list"> = {},
): PanelAnswer {
  const { cap = Infinity, isUnpaged, isClamped, isRising, list } = how;
  const size = isUnpaged ? 10 : Math.min(asked.perPage ?? 10, cap);
  const pages = Math.max(1, Math.ceil(all.length / size));
  const page = isUnpaged ? 1 : Math.min(Math.max(asked.page ?? 1, 1), isClamped ? pages : Infinity);
  const items = all.slice((page - 1) * size, page * size).map(show);
  if (isRising) items.reverse();
  const about = { isLog: asked.what === "log", format: asked.format, page, size, total: all.length, pages };
  return list?.(items, about) ?? { status: 200, body: items };
}

export class Jobs {
  /** Newest first. */
  readonly all: Job[] = [];

  constructor(
    private readonly taste: Pick<Taste, "row"> & Partial<Taste>,
    private readonly now: () => number,
  ) {}

  add(job: Omit<Job, "id" | "no" | "runs"> & { readonly runs?: number }): Job {
    const { first = 1, id = ({ no }) => no, pending = 0 } = this.taste;
    const runs = job.at + (job.ends - job.at) * pending;
    const own = { runs, ...job, no: first + this.all.length };
    const made = { ...own, id: id(own) };
    this.all.unshift(made);
    return made;
  }

  shown(job: Job, detailed = false): Shown {
    const now = this.now();
    const hasEnded = now >= job.ends;
    const phase = hasEnded ? job.end : now < job.runs ? "pending" : "running";
    return { ...job, status: this.taste.words?.[phase] ?? phase, hasEnded, now, detailed };
  }

  listed(): Job[] {
    return this.all.filter(({ at }) => at <= this.now());
  }

  answer(asked: List): PanelAnswer {
    const { row, log = row, events, sort, seen = (all: readonly Job[]) => all } = this.taste;
    const listed = this.listed().filter(({ machine }) => asked.what !== "log" || machine === asked.machine);
    if (sort) listed.sort((one, other) => sort(this.shown(one), this.shown(other)));
    const jobs = seen(listed, asked.what);
    const page = <T>(all: readonly T[], show: (item: T) => unknown) => pageOf(all, show, asked, this.taste);
    if (asked.what === "transactions") return page(jobs, (job) => row(this.shown(job, asked.detailed)));
    if (!events) return page(jobs, (job) => log(this.shown(job)));
    return page(events(jobs.map((job) => this.shown(job))), (item) => item);
  }
}

export function panelOf(taste: Taste): MakePanel {
  const {
    formats,
    first = 1,
    old = taste.cap ? 30 : 12,
    parts = (): readonly Part[] => [{}],
    missing = { status: 404 },
  } = taste;
  return (world) => {
    const jobs = new Jobs(taste, () => world.now());
    const length = world.restoreSeconds * 1000;
    const begin = (asked: Asked): readonly Job[] => {
      const { what, machine, point, end } = asked;
      const [now, action, parent] = [world.now(), taste.action(what, asked), first + jobs.all.length];
      const after = (part: number): number => now + part * asked.length;
      return parts(asked, action).map(({ at = 0, runs, ends = 1, ...part }, index) => {
        const times = { at: after(at), ends: after(ends), ...(runs !== undefined && { runs: after(runs) }) };
        return jobs.add({ machine, point, what, action, end, ...part, ...times, ...(index > 0 && { parent }) });
      });
    };
    for (let back = taste.past ? old : 0; back > 0; back--) {
      const [machine, what, agoMs, seconds, end] = taste.past?.(back, length) ?? ["", "", 0, 0];
      const at = world.now() - agoMs;
      const action = taste.action(what, { machine });
      jobs.add({ machine, what, action, at, ends: at + seconds * 1000, end: end || "complete" });
    }
    const work: Begin = (machine, what, { seconds = world.restoreSeconds, end } = {}) => {
      const usual = what === "restore" ? world.endOf(machine) : "complete";
      begin({ machine, what, end: end ?? usual, length: seconds * 1000 });
    };
    const change = (which: (job: Job) => boolean, to: Partial<Job>): void => {
      for (const job of jobs.all.filter(which)) Object.assign(job, to);
    };
    if (taste.others) {
      const { others } = taste;
      const next = (count: number): void =>
        world.after(others(count, count < 0 ? () => undefined : work, length), () => next(count + 1));
      next(-1);
    }
    const answer = (asked: Operation, request: PanelRequest): PanelAnswer | Promise<PanelAnswer> => {
      const refusal = taste.refuse?.(asked);
      if (refusal) return refusal;
      if (!("point" in asked)) return jobs.answer(asked);
      const { what, machine, point, format } = asked;
      const files = what === "files" && { paths: pathsOf(request) };
      const made = begin({ what, machine, point, ...files, end: world.endOf(machine), length });
      world.posted({ machine, point, ...files, ids: made.map((job) => job.id) });
      const accepted = (): PanelAnswer => {
        const now = made.map((job) => jobs.shown(job));
        return taste.accepted(now.map(taste.row), now, format, jobs.listed());
      };
      return taste.delay ? world.pause(taste.delay(length)).then(accepted) : accepted();
    };
    return {
      work: (machine, what) => {
        const isOf = (job: Job): boolean => job.machine === machine;
        const failed = jobs.all.filter((job) => isOf(job) && job.end === "failed");
        if (what === "purge") change(isOf, { at: Infinity });
        else if (what === "run the first again") change((job) => job === failed.at(-1), { end: "complete" });
        else if (what === "run again") change((job) => failed.includes(job), { end: "complete" });
        else work(machine, what);
      },
      answer(request) {
        const asked = operationOf(request);
        if (asked && asked.what !== "points" && formats.includes(asked.format)) return answer(asked, request);
        return typeof missing === "function" ? missing(request) : missing;
      },
    };
  };
}

export interface Panel {
  readonly make: MakePanel;
  readonly formats: readonly Format[];
}

export function panelsOf<Name extends string>(tastes: Readonly<Record<Name, Taste>>): Readonly<Record<Name, Panel>> {
  const entries = Object.entries<Taste>(tastes).map(([name, taste]) => {
    return [name, { make: panelOf(taste), formats: taste.formats }] as const;
  });
  return Object.fromEntries(entries) as Record<Name, Panel>;
}

export const past: NonNullable<Taste["past"]> = (back, length) => {
  const what = ["backup", "start", "backup", "stop", "resize"][back % 5] ?? "start";
  return [String(8000 + (back % 9)), what, length + back * 420_000, length / 1000, back % 11 === 1 && "failed"];
};
/** A panel's actions, if only file restores have their own word. */
export const filesAs = (files: string) => (what: string) => (what === "files" ? files : what);

/** How Rails writes rows in both formats: each in an element with the model's name, and with types in XML. */
export const rails: Pick<Taste, "formats" | "list" | "accepted"> = {
  formats: ["json", "xml"],
  list: (items, { isLog, format }) => {
    const name = isLog ? "log_item" : "transaction";
    if (format === "json") return { status: 200, body: items.map((row) => ({ [name]: row })) };
    return declared(tag(`${name}s`, { type: "array" }, element(name, items, typed)));
  },
  accepted: ([transaction], _jobs, format) =>
    format === "xml" ? xml(element("transaction", transaction, typed), 201) : { status: 201, body: { transaction } },
};
