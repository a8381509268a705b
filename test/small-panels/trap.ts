import { type MakePanel, operationOf, type PanelAnswer, type PanelRequest, pathsOf, type World } from "./panel";

export interface Job {
  readonly no: number;
  readonly machine: string;
  readonly action: string;
  /** The recovery point of a restore that was posted. */
  readonly point?: string;
  readonly begun: number;
  readonly ends: number;
  end: string;
  /** The number of the job that this one is a step of. */
  readonly parent?: number;
  /** No longer in the list. */
  isPurged?: true;
}

/** What a restore consists of, first to last. Without seconds, a part takes as long as any job. */
type Part = Pick<Partial<Job>, "parent"> & {
  readonly action: string;
  readonly end?: string;
  readonly seconds?: number;
};

/** How such a panel differs from the plainest. */
export interface Trap {
  /** What a row has beside its id. `ageMs`: how long ago it was made. */
  readonly row: (job: Job, status: string, ageMs: number) => Readonly<Record<string, unknown>>;
  readonly id?: (no: number) => string | number;
  /** Rows that a page has at most. */
  readonly cap?: number;
  readonly isUnpaged?: true;
  readonly isRising?: true;
  /** In no order that ids could show. */
  readonly isShuffled?: true;
  /** Further rows of a restore, which nothing links to it. */
  readonly steps?: readonly string[];
  /** The parts of a restore, where it has several; `no` is the number of the first. `end`: how it is to end. */
  readonly parts?: (no: number, end: string) => readonly Part[];
  /** So long after it was made a row is listed. */
  readonly lateMs?: number;
  /** The answer to a POST, by the numbers of what was made for it and of all that is listed by then, newest first. */
  readonly answer?: (made: readonly number[], listed: readonly number[]) => PanelAnswer;
}

export const named = (job: Job, status: string) => ({
  action: job.action,
  status,
  virtual_machine_id: Number(job.machine),
});
export const stamped = (job: Job, status: string) => ({
  ...named(job, status),
  created_at: new Date(job.begun).toISOString(),
});
export const bare = (_job: Job, status: string) => ({ status });

type Answers = PanelAnswer | Promise<PanelAnswer>;

/** A panel that answers otherwise. */
export function wrapped(
  how: Trap,
  answer: (request: PanelRequest, usual: () => Answers, world: World) => Answers,
): MakePanel {
  return (world) => {
    const panel = trap(how)(world);
    return { ...panel, answer: (request) => answer(request, () => panel.answer(request), world) };
  };
}

export function trap(how: Trap): MakePanel {
  const { row, id = (no: number) => no, cap = Infinity, isUnpaged, isRising, isShuffled, steps = [], lateMs = 0 } = how;
  const whole = (_no: number, end: string): readonly Part[] => [
    { action: "", end },
    ...steps.map((action) => ({ action })),
  ];
  const { parts = whole, answer = () => ({ status: 201, body: {} }) } = how;
  return (world) => {
    const jobs: Job[] = [];
    const add = (job: Pick<Job, "machine" | "action"> & Partial<Job> & { readonly seconds?: number }): number => {
      const { begun = world.now(), seconds = world.restoreSeconds } = job;
      const no = 101 + jobs.length;
      jobs.unshift({ end: "complete", ...job, no, begun, ends: begun + seconds * 1000 });
      return no;
    };
    for (let old = 30; old > 0; old--)
      add({ machine: "7", action: "start_virtual_machine", begun: world.now() - (3600 + old) * 1000 });
    const statusOf = ({ begun, ends, end }: Job): string =>
      world.now() < begun + 500 ? "pending" : world.now() < ends ? "running" : end;
    const listed = () => jobs.filter(({ begun, isPurged }) => !isPurged && begun + lateMs <= world.now());
    return {
      answer(request) {
        const asked = operationOf(request);
        if (asked?.format !== "json") return { status: 404 };
        if (asked.what === "log") return { status: 200, body: [] };
        if (asked.what === "transactions") {
          const size = isUnpaged ? 10 : Math.min(cap, asked.perPage ?? 10);
          const page = isUnpaged ? 1 : (asked.page ?? 1);
          const rows = listed().slice((page - 1) * size, page * size);
          if (isRising) rows.reverse();
          if (isShuffled) rows.sort((one, other) => ((one.no * 7) % 11) - ((other.no * 7) % 11));
          const shown = (job: Job) => row(job, statusOf(job), world.now() - job.begun);
          return { status: 200, body: rows.map((job) => ({ id: id(job.no), ...shown(job) })) };
        }
        const { machine, point, what } = asked;
        const restore = what === "files" ? "restore_file_entries" : "restore_virtual_machine";
        const made = parts(101 + jobs.length, world.endOf(machine)).map(({ action, ...part }) =>
          add({ ...part, machine, point, action: action || restore }),
        );
        world.posted({ machine, point, ids: made.map(id), ...(what === "files" && { paths: pathsOf(request) }) });
        return answer(
          made,
          listed().map(({ no }) => no),
        );
      },
      work(machine, operation) {
        const own = jobs.filter((job) => job.machine === machine);
        // Somebody runs again what has failed.
        const failed = own.find(({ end }) => end === "failed");
        if (operation === "run again" && failed) failed.end = "complete";
        else if (operation === "purge") for (const job of own) job.isPurged = true;
        else if (operation === "restore")
          add({ machine, action: "restore_virtual_machine", end: world.endOf(machine) });
        else add({ machine, action: operation.includes("_") ? operation : `${operation}_virtual_machine` });
      },
    };
  };
}
