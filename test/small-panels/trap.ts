import type { MakePanel, PanelAnswer, PanelRequest, World } from "./panel";
import { iso } from "./spelling";
import { OnStage, type Stage, web } from "./stage";
import { panelOf, type Shown, type Taste } from "./taste";

/** A part of a restore. By default, a part takes as long as any other job. A part without an action is the restore itself. */
type Part = { readonly [Name in "action" | "end"]?: string } & { readonly seconds?: number };

/** How a panel differs from the plainest panel. */
export interface Trap extends Partial<
  Pick<Taste, "id" | "cap" | "isUnpaged" | "isRising" | "old" | "sort" | "past" | "events" | "action">
> {
  /** The fields in a row besides its id. */
  readonly row: (job: Shown) => object;
  /** Rows are listed in no recognizable order. */
  readonly isShuffled?: true;
  /** A restore's parts, first to last, for this outcome. By default, there is only one part. */
  readonly parts?: (end: string, machine: string) => readonly Part[];
  /** The time from a row's creation until it is listed. */
  readonly lateMs?: number;
  /** The answer to a POST, based on the numbers of the jobs created for it and of all jobs listed by then, newest first. */
  readonly answer?: (made: readonly number[], listed: readonly number[]) => PanelAnswer;
}

export const named = ({ action, status, machine }: Shown) => ({ action, status, virtual_machine_id: Number(machine) });
export const stamped = (job: Shown) => ({ ...named(job), created_at: iso(job.at) });
/** The parts of a job have the same chain. */
export const chained = (job: Shown) => ({ ...stamped(job), chain_id: job.at });
export const bare = ({ status }: Shown) => ({ status });

type Answers = PanelAnswer | Promise<PanelAnswer>;
/** Replaces a panel's answer. `usual` makes the panel answer as usual. */
export type Instead = (request: PanelRequest, usual: () => Answers, world: World) => Answers;

export function wrapped(how: Trap, answer: Instead): MakePanel {
  return (world) => {
    const panel = trap(how)(world);
    return { ...panel, answer: (request) => answer(request, () => panel.answer(request), world) };
  };
}

/** A panel that gives this answer to each POST after a pause, and carries out nothing, until `accept` is called. */
export function refusing(how: Trap, answer: PanelAnswer, afterMs = 0) {
  let isRefusing = true;
  const make = wrapped(how, async ({ method }, usual, world) => {
    if (method !== "POST" || !isRefusing) return usual();
    await world.pause(afterMs);
    return answer;
  });
  return { make, accept: () => void (isRefusing = false) };
}

/** A stack on a panel of this kind. By default, the stack has one restore, of a whole machine. */
export function onTrap(how: Trap, more: Stage = {}, answer: Instead = (_request, usual) => usual()): OnStage {
  return new OnStage(wrapped(how, answer), "json", { declared: [web], ...more });
}

const numbers = (jobs: readonly { readonly no: number }[]): readonly number[] => jobs.map(({ no }) => no);

export function trap({ row, isShuffled, parts = (end) => [{ end }], lateMs = 0, answer, ...ways }: Trap): MakePanel {
  return panelOf({
    formats: ["json"],
    first: 119,
    past: (back, length) => ["7", "start", (3600 + back) * 1000, length / 1000],
    pending: 0,
    action: (what) =>
      what === "files" ? "restore_file_entries" : what.includes("_") ? what : `${what}_virtual_machine`,
    events: () => [],
    ...ways,
    parts: ({ machine, point, end: asked, length }, usual) =>
      (point === undefined ? [{ end: asked }] : parts(asked, machine)).map(
        ({ action = usual, end = "complete", seconds = length / 1000 }: Part) => {
          return { action, end, at: lateMs / length, runs: 500 / length, ends: (seconds * 1000) / length };
        },
      ),
    row: (job) => ({ id: job.id, ...row(job) }),
    ...(isShuffled && { list: (rows) => ({ status: 200, body: shuffled(rows) }) }),
    accepted: (_rows, jobs, _format, listed) => answer?.(numbers(jobs), numbers(listed)) ?? { status: 201, body: {} },
  });
}

function shuffled(rows: readonly unknown[]): readonly unknown[] {
  const place = (one: unknown): number => ((one as { readonly id: number }).id * 7) % 11;
  return [...rows].sort((one, other) => place(one) - place(other));
}
