import assert from "node:assert/strict";
import type { Read } from "../../provider/feed/feed";
import type { IntendedRequest } from "../../provider/inputs/intent";
import type { RestoreRecord } from "../../provider/inputs/record";
import { noWords } from "../../provider/panel/facts";
import type { PanelClient, PostAnswer, RowState } from "../../provider/panel/types";
import { Semaphore } from "../../provider/plain/semaphore";
import { attempt, refresh, resume, take } from "../../provider/restore/begin";
import type { RestoreResult } from "../../provider/restore/result";
import { Claims, type Run, Unlisted } from "../../provider/restore/session";
import { type Depth, type ListOrder, type Mark, markOf, type Row, type ShownList } from "../../provider/rows/order";

/** A panel with a few scripted rows, and a clock that advances only when the list is read, so that a restore's whole life takes a millisecond. */

export interface Kind {
  readonly whose: "ours" | "another" | "unsaid";
  readonly does: "restore" | "other" | "unknown" | undefined;
  readonly isAbove: boolean;
  readonly point: "ours" | "another" | "none";
  /** When the row was created: right after the mark, hours later, or an hour before the mark. */
  readonly made: "soon" | "later" | "before";
  /** What the action of a restore says that it restores. By default, a machine. */
  readonly word?: "files" | "machine" | "nothing";
}

const states = { p: "pending", r: "running", c: "complete", f: "failed", u: "unclear", x: "cancelled" } as const;

/** The row's state in each of three phases; `-` means not listed. A row `-rc` appears, runs and is complete; a row `frc` failed and is run again. */
type Scripted = Kind & { readonly fate: string };

export const s = 1_000;
export const requestTimeoutMs = 2 * s;
export const quietMs = 14 * s;
export const usual = { busyMs: 20 * s, listedMs: 12 * s, runMs: 30 * s, settleMs: 3 * s };
export const wall = Date.parse("2026-11-27T03:00:30Z");

const error = new Error("no");
const accepted = { kind: "accepted", status: 201 } as const;
export const answers = {
  accepted,
  late: accepted,
  "names 1": { ...accepted, transactionIds: ["5001"] },
  "names an old row": { ...accepted, transactionIds: ["5001", "4000"] },
  unknown: { kind: "unknown", error },
  denied: { kind: "denied", error, mayRun: false },
  "denied, may run": { kind: "denied", error, mayRun: true },
  refused: { kind: "refused", error },
} as const satisfies Record<string, PostAnswer>;

export const begins = ["first", "later", "asked again", "failed", "by ids", "by mark", "named", "refresh"] as const;

export interface Plan {
  readonly begin: (typeof begins)[number];
  /** Oldest first. After a failure, in a refresh, or if ids are known or named, the first row is the restore's own. */
  readonly rows: readonly Scripted[];
  readonly order?: ListOrder;
  /** The phases change after this many reads, counted from the beginning or from the POST. */
  readonly from?: "POST";
  readonly changes: readonly [number, number];
  readonly answer?: keyof typeof answers;
  readonly timeouts?: Partial<IntendedRequest["timeouts"]>;
  /** Trouble that starts with one read and lasts for several reads. A slow answer arrives `slowMs` after its request. */
  readonly trouble?: {
    readonly is: "failed" | "forbidden" | "old" | "cut" | "held up" | "gone" | { readonly slowMs: number };
    readonly from: number;
    readonly reads: number;
  };
  /** The machine's own log names the first row. */
  readonly hasLog?: true;
  readonly isGuess?: true;
  /** A previous run may have left later restores of the machine running. */
  readonly isFollowed?: true;
  /** Other restores cause the list to be read at least this often. */
  readonly readsMs?: number;
  /** Two copies of the list answer reads in turn, one with the second phase and the other with the third. */
  readonly takesTurns?: true;
  /** The first row, from the previous attempt or request, is so far down the list that only reads that ask for it show it. */
  readonly isFar?: true;
}

/** A row as a read returned it. */
export type Seen = Kind & { readonly id: string; readonly state: RowState };

export interface Lived {
  readonly plan: Plan;
  readonly result: RestoreResult;
  readonly at: number;
  /** All text shown in the meantime, and all events. */
  readonly said: readonly string[];
  readonly reads: readonly { readonly at: number; readonly rows: readonly Seen[] }[];
  readonly posts: readonly { readonly at: number; readonly answeredAt: number; readonly reads: number }[];
}

export const idAt = (kind: Kind, place: number): string => String((kind.isAbove ? 5_001 : 4_991) + place);

const stampAfter = (seconds: number): string => new Date(wall + seconds * s).toISOString();
const stamps = { soon: stampAfter(10), later: stampAfter(7_200), before: stampAfter(-3_600) };

export const rowOf = ({ id, whose, does, point, made, state, word }: Seen): Row =>
  ({
    ...{ id, state, status: state, ...(["complete", "unclear"].includes(state) && { saysComplete: true }) },
    ...(does !== undefined && { does, action: does === "restore" ? "restore_virtual_machine" : does }),
    ...(does === "restore" && word !== "nothing" && { kind: word ?? "machine" }),
    machines: whose === "ours" ? ["42"] : whose === "another" ? ["43"] : [],
    perhaps: [],
    points: point === "ours" ? ["1007"] : point === "another" ? ["1006"] : [],
    createdAt: stamps[made],
  }) as unknown as Row;

const isAbove = ({ id }: Row): boolean => Number(id) > 5_000;

/** A list with a complete restore at the bottom. If only pages show the order, rows that are not above the mark stay on top. */
export function shownOf(rows: readonly Row[], order: ListOrder, isBare: boolean): ShownList {
  const kind = { whose: isBare ? "unsaid" : "another", does: "restore", point: "none", made: "soon" } as const;
  const bottom = rowOf({ ...kind, id: "5000", isAbove: false, state: "complete" });
  const [high, low] = [rows.filter(isAbove).reverse(), rows.filter((row) => !isAbove(row)).reverse()];
  const all = order === "numbers" ? [...high, bottom, ...low] : [...low, ...high, bottom];
  return { pages: [all], rows: all, order, isWhole: true };
}

export function markBelow(rows: readonly Row[], order: ListOrder, isBare: boolean): Mark {
  const old = rows.filter((row) => !isAbove(row));
  return markOf(shownOf(old, order, isBare), "", wall);
}

async function* pagesOf<T>(pages: readonly T[]): AsyncGenerator<T> {
  for (const page of pages) yield await Promise.resolve(page);
}

export async function live(plan: Plan): Promise<Lived> {
  const { begin, rows, order = "numbers", changes, trouble, timeouts = {}, answer = "accepted" } = plan;
  const isBare = rows.every(({ whose }) => whose === "unsaid");
  const ids = rows.map(idAt);
  const reads: Lived["reads"][number][] = [];
  const posts: Lived["posts"][number][] = [];
  let [now, answeredAt] = [0, 0];
  let sendAnswer: () => void = () => undefined;
  const phases = [0, 1, 2].map((phase) => {
    const seen = rows.flatMap((kind, at): readonly Seen[] => {
      const letter = kind.fate[phase] as keyof typeof states | "-";
      return letter === "-" ? [] : [{ ...kind, id: ids[at]!, state: states[letter] }];
    });
    return { seen, list: shownOf(seen.map(rowOf), order, isBare) };
  });
  const listed = (): (typeof phases)[number] => {
    const since = plan.from === undefined ? reads.length : posts[0] ? reads.length - posts[0].reads : -1;
    if (plan.takesTurns && since >= changes[0]) return phases[1 + (reads.length % 2)]!;
    return phases[since < changes[0] ? 0 : since < changes[0] + changes[1] ? 1 : 2]!;
  };
  const mark = markBelow(
    listed().list.rows.filter(({ id }) => id !== "5000" && !(plan.isFar && id === ids[0])),
    order,
    isBare,
  );
  const troubles = (): NonNullable<Plan["trouble"]>["is"] | undefined =>
    trouble && reads.length >= trouble.from && reads.length < trouble.from + trouble.reads ? trouble.is : undefined;
  const read = ({ ids: asked = [], around = [] }: Depth, withinMs: number): Promise<Read> => {
    now += Math.min(withinMs, plan.readsMs ?? Infinity);
    const [readAt, { seen, list: whole }, is] = [now, listed(), troubles()];
    if (typeof is === "object") now += is.slowMs;
    const isNothing = is === "failed" || is === "forbidden" || is === "old";
    reads.push({ at: readAt, rows: isNothing ? (reads.at(-1)?.rows ?? []) : seen });
    if (posts.length > 0 && reads.length >= posts[0]!.reads + 3) sendAnswer();
    if (is === "failed") return Promise.reject(error);
    if (is === "forbidden") return Promise.reject(Object.assign(new Error("no"), { status: 403 }));
    answeredAt = now;
    // A truncated list does not show the mark.
    const near = whole.rows.filter(({ id }) => !plan.isFar || id !== ids[0] || [...asked, ...around].includes(id));
    const left = is === "old" ? [] : is === "cut" ? near.filter(isAbove) : near;
    const isLess = left.length < whole.rows.length || is === "old" || is === "cut";
    const list: ShownList = isLess ? { ...whole, pages: [left], rows: left, isWhole: false } : whole;
    const at = { readAt, answeredAt, wallTime: new Date(wall + now), panelTime: wall + now };
    return Promise.resolve({ ...list, ...at, mark: markOf(list, "", wall + now) });
  };
  const restoreMachine = (): Promise<PostAnswer> => {
    posts.push({ at: now, answeredAt, reads: reads.length });
    return new Promise((resolve) => {
      sendAnswer = () => resolve(answers[answer]);
      if (answer !== "late") sendAnswer();
    });
  };
  const log = plan.hasLog ? [{ transactionId: ids[0] }, { transactionId: "5000" }] : [];
  const clock = {
    now: () => (reads.length > 200 ? assert.fail("no end") : now),
    wallTime: () => new Date(wall + now),
    get isHeldUp() {
      return troubles() === "held up";
    },
    after: (delayMs: number, run: () => void) => {
      if (answer === "late" && delayMs <= 3 * s) queueMicrotask(run);
      return () => undefined;
    },
  };
  const client = { restoreMachine, walkLogItems: () => pagesOf([{ items: log }]) } as unknown as PanelClient;
  const isWatched = () => Promise.resolve(troubles() !== "gone");
  const session = {
    ...{ client, clock, isWatched, requestTimeoutMs, shortestListedMs: usual.listedMs, allowedMachines: [] },
    ...{ claims: new Claims(), queues: new Map(), places: new Semaphore(), unlisted: new Unlisted() },
    ...{ words: noWords, redact: (text: string) => text },
    feed: { read, access: { random: () => 0 }, rowsShown: 1_000 },
  };
  if (plan.hasLog) session.claims.claim(["5000"], "another restore");
  const target = { kind: "VmRestore", virtualMachineId: "42", recoveryPointId: "1007" } as const;
  const request = {
    ...{ name: "web", target, wait: true, captureLog: "never", timeouts: { ...usual, ...timeouts } },
    intent: { id: "web-1", urn: "web", mark, madeFor: target },
    ...(begin === "named" && { adopt: ids[0] }),
    isFollowed: plan.isFollowed,
  };
  const said: string[] = [];
  const reporter = {
    progress: (text: string) => void said.push(text),
    warn: (text: string) => void said.push(`warning: ${text}`),
    event: (event: object) => void said.push(JSON.stringify(event)),
  };
  const totalUntil = timeouts.totalMs;
  const run = { session, request, owner: "web-1", reporter, totalUntil } as unknown as Run<IntendedRequest>;
  const own = begin === "by mark" ? [] : ids.slice(0, 1);
  const record: RestoreRecord = {
    ...{ adopted: false, warnings: [], mark, transactionIds: own, status: own.length === 0 ? "sent" : "running" },
    ...(plan.isGuess && { isGuess: true }),
  };
  const failedIds = begin === "failed" ? own : [];
  const past = { mark, failedIds, ...(begin === "asked again" && { doubt: "lost" as const }) };
  const { result } =
    begin === "refresh"
      ? { result: { kind: "stored", record: await refresh(run, record).catch(() => record), reason: "" } as const }
      : await (begin === "named"
          ? take(run, ids[0]!, mark)
          : begin.startsWith("by")
            ? resume(run, record)
            : attempt(run, begin === "first" ? undefined : past, plan.isFar && ids.slice(0, 1)));
  return { plan, result, at: now, said, reads, posts };
}
