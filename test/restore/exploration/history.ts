import { goodFate, plainManners, type Fate, type Manners, type Outcome } from "../../support/panel-at-work";
import { seeded } from "../../support/process";
import type { Suspension } from "../../support/virtual-clock";

/** A history is plain data, so that it can be written down, replayed and shortened. A step without a field lacks the disturbance that the field describes. */
export interface History {
  readonly manners: Manners;
  readonly restores: readonly Wanted[];
  /** The outcomes of the POSTs, in order. Further POSTs succeed. */
  readonly fates: readonly Fate[];
  readonly steps: readonly Step[];
  readonly places?: number;
  /** During a run, others restore and back up their machines, adding one row per interval. */
  readonly trafficMs?: number;
  readonly pageSize?: number;
  /** The time from a refused POST until somebody starts the same restore on the panel. */
  readonly personAfterRefusalMs?: number;
}

interface Wanted {
  readonly kind: "VmRestore" | "FileRestore";
  readonly machine: "42" | "43";
  readonly point: "1001" | "1002";
  readonly wait: boolean;
  readonly retryFailed: boolean;
  readonly timeouts: Readonly<Record<string, number>>;
}

export interface Step {
  readonly run: "up" | "refresh" | "refresh in order" | "refresh backwards";
  readonly triggers?: readonly number[];
  /** Restores whose recovery point changes. */
  readonly points?: readonly number[];
  /** The previous step's changes are reverted. */
  readonly back?: true;
  /** Restores whose `wait` is toggled. */
  readonly wait?: readonly number[];
  /** Before the run, somebody follows the advice in the last run's errors. */
  readonly advice?: true;
  /** Runs with `--target` for these restores, with or without their intents. */
  readonly target?: { readonly restores: readonly number[]; readonly intents: boolean };
  readonly continueOnError?: true;
  readonly kill?: Kill;
  /** The runner is suspended for a while. */
  readonly suspend?: Moment & { readonly forMs: number; readonly how: Suspension };
  /** Runs as another panel user, who does not see the previous user's rows. */
  readonly user?: "colleague";
  /** What people and the panel do during the run, timed from its start. */
  readonly beside?: readonly Beside[];
  readonly pauseMs: number;
}

/** A moment that comes this long after the start of the run, after its nth POST, or after the engine's nth save. */
export interface Moment {
  readonly after: "begin" | "sent" | "saved";
  readonly nth: number;
  readonly ms: number;
}

interface Kill extends Moment {
  /** How long the provider process outlives the engine. */
  readonly orphanMs: number;
}

export type Beside =
  | {
      readonly does: "restore";
      readonly atMs: number;
      readonly kind: "VmRestore" | "FileRestore";
      readonly machine: "42" | "43";
      readonly point: "1001" | "1002";
      readonly outcome: Outcome;
      readonly runsForMs: number;
    }
  | { readonly does: "backup"; readonly atMs: number; readonly machine: "42" | "43"; readonly runsForMs: number }
  /** The panel runs the last failed job again. */
  | { readonly does: "run again"; readonly atMs: number; readonly machine: "42" | "43" }
  | { readonly does: "clock back"; readonly atMs: number; readonly byMs: number }
  /** The runner's wall clock is changed. */
  | { readonly does: "set the wall clock"; readonly atMs: number; readonly byMs: number }
  | { readonly does: "cancel"; readonly atMs: number; readonly machine: "42" | "43" }
  | { readonly does: "outage"; readonly atMs: number; readonly forMs: number }
  /** Pages are empty, or come from a five-minute-old copy of the list. */
  | { readonly does: "empty pages" | "old pages"; readonly atMs: number; readonly forMs: number };

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

type Theme = "calm" | "killed" | "killed and refreshed" | "failing" | "lossy" | "people" | "all";

const themes: readonly Theme[] = ["calm", "killed", "killed and refreshed", "failing", "lossy", "people", "all", "all"];

interface Themed extends History {
  readonly theme: Theme;
}

function diceOf(seed: number) {
  const random = seeded(seed);
  return {
    one: <T>(...choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T,
    chance: (probability: number): boolean => random() < probability,
    upTo: (ms: number): number => Math.floor(random() * ms),
  };
}

const refreshing = ["refresh", "refresh in order", "refresh backwards"] as const;

const several = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

export function historyOf(seed: number): Themed {
  const { one, chance, upTo } = diceOf(seed * 2_654_435_761);
  const theme = themes[seed % themes.length] as Theme;
  const has = (...those: Theme[]): boolean => theme === "all" || those.includes(theme);
  const kills = has("killed", "killed and refreshed", "failing", "lossy", "people");
  const refreshes = has("calm", "killed and refreshed", "failing", "lossy", "people");
  const outcomes: readonly Outcome[] = has("failing") ? ["complete", "complete", "failed"] : ["complete"];
  const lates = [0, 0, 3 * second, 25 * second, 55 * second];

  const manners: Manners = {
    ids: one("decimal", "decimal", "decimal", "lettered"),
    tie: one("associated", "associated", "parent", "identifier", "log", "nothing"),
    tells: one("nothing", "nothing", "point", "point and paths", "another spelling"),
    stamps: one("Z", "Z", "+02:00", "no zone", "none"),
    date: chance(0.85),
    parts: one("one", "one", "at once", "one after the other"),
    link: one("chain id", "dependent", "none"),
    stopMs: one(5 * second, 40 * second, 200 * second),
    lateMs: chance(0.5) ? [0] : several(1 + upTo(3), () => one(...lates)),
    answersAfterMs: one(0, 0, 700),
    skewMs: one(0, 0, 5 * minute, -90 * minute),
    older: seed % 5 > 0,
  };

  const points = one(["1001"] as const, ["1001", "1002"] as const);
  const count = one(1, 2, 2, 2, 3, 3);
  const given = several(count, (index): Wanted => ({
    kind: one("VmRestore", "FileRestore"),
    machine: index === 2 && chance(0.5) ? "43" : "42",
    point: one(...points),
    wait: chance(0.6),
    retryFailed: chance(0.85),
    timeouts: one<Wanted["timeouts"]>({}, {}, { listed: 60 }, theme === "all" ? { busy: 0 } : {}),
  }));
  // The preview rejects `wait: false` if another restore of the machine follows.
  const isLast = (index: number): boolean =>
    !given.some(({ machine }, other) => other > index && machine === given[index]?.machine);
  const restores = given.map((one, index) => ({ ...one, wait: one.wait || !isLast(index) }));

  const fates = several(upTo(5), (): Fate => {
    const landsAfterMs = one(0, 0, 0, 2 * second, 9 * second, 25 * second);
    const runsForMs = one(3 * second, 20 * second, 90 * second);
    const outcome = one(...outcomes);
    if (!has("lossy")) return { ...goodFate, landsAfterMs: kills ? landsAfterMs : 0, outcome, runsForMs };
    if (chance(0.15)) return { ...goodFate, answer: "refused", carriedOut: false };
    return { answer: one("good", "lost", "silence"), carriedOut: chance(0.6), landsAfterMs, outcome, runsForMs };
  });

  const beside = (): Beside => {
    const atMs = one(upTo(5 * second), upTo(minute), upTo(4 * minute));
    const machine = one("42", "42", "42", "43");
    const what = one("restore", "restore", "cancel", "backup", "outage", "empty pages", "old pages");
    if (what === "cancel") return { does: what, atMs, machine };
    if (what === "backup") return { does: what, atMs, machine, runsForMs: one(5 * second, 100 * second) };
    if (what === "outage") return { does: what, atMs, forMs: one(5 * second, 50 * second) };
    if (what !== "restore") return { does: what, atMs: one(0, atMs), forMs: one(5 * second, 50 * second) };
    const order = { kind: one("VmRestore", "FileRestore"), machine, point: one(...points) } as const;
    return { does: what, atMs, ...order, outcome: one(...outcomes), runsForMs: one(5 * second, 60 * second) };
  };
  const kill = (): Kill => ({
    after: one("begin", "sent", "sent", "sent", "saved"),
    nth: one(1, 1, 2, 3),
    ms: one(0, 0, upTo(3 * second), upTo(40 * second), upTo(5 * minute)),
    orphanMs: one(0, 3 * second, 11 * second),
  });
  const some = (): number[] => several(count, (index) => index).filter(() => chance(0.4));

  let isChanged = false;
  const steps = several(1 + upTo(5), (index): Step => {
    const run = one("up", "up", "up", ...(refreshes ? refreshing : []));
    const back = isChanged && chance(0.7);
    const changed = index > 0 && !back && chance(0.45) ? some() : [];
    isChanged = changed.length > 0;
    const wait = index > 0 && chance(0.25) ? some().filter(isLast) : [];
    return {
      run,
      ...(isChanged && one({ triggers: changed }, { points: changed })),
      ...(back && { back }),
      ...(wait.length > 0 && { wait }),
      ...(index > 0 && chance(0.4) && { advice: true }),
      ...(run === "up" && index > 0 && chance(0.15) && { target: { restores: [upTo(count)], intents: chance(0.5) } }),
      ...(chance(0.1) && { continueOnError: true }),
      ...(kills && chance(isChanged ? 0.8 : 0.5) && { kill: kill() }),
      ...(has("people") && chance(0.6) && { beside: several(1 + upTo(2), beside) }),
      pauseMs: one(0, 0, second, 30 * second, 3 * minute, theme === "all" ? 7 * 60 * minute : 10 * minute),
    };
  });
  const places = chance(0.8) ? undefined : one(1, 2);
  const history = { theme, manners, restores, fates, steps, ...(places !== undefined && { places }) };
  const more = Math.floor(seed / themes.length) % 2 === 1 ? withMore(history, seed) : history;
  return Math.floor(seed / themes.length / 2) % 2 === 1 ? onOtherPanels(more, seed) : more;
}

/** The same history with more events: steady traffic from others, refusals, and what people and the panel do to failed restores. */
function withMore(history: Themed, seed: number): Themed {
  const { one, chance } = diceOf(seed * 2_246_822_519 + 1);
  const { theme, manners, fates, steps } = history;
  const has = (those: Theme): boolean => theme === "all" || theme === those;
  const isRefused = theme === "lossy" && chance(0.4);
  // If nothing shows a row's machine, every restore by others would make runs ask the user, so there is no traffic.
  const trafficMs = manners.tie !== "nothing" && chance(0.5) ? one(2 * second, 5 * second, 20 * second) : undefined;
  const more = (): Beside[] => {
    const atMs = one(second, 20 * second, minute, 3 * minute);
    if (has("failing") && chance(0.5)) return [{ does: "run again", atMs, machine: "42" }];
    const isSetBack = has("people") && manners.ids === "decimal" && chance(0.2);
    return isSetBack ? [{ does: "clock back", atMs, byMs: one(minute, hour) }] : [];
  };
  const refused: Fate = { ...goodFate, answer: "refused", carriedOut: false };
  return {
    ...history,
    manners: {
      ...manners,
      ...(chance(0.3) && { parts: one("at once", "one after the other"), restoresTwice: true }),
      ...(trafficMs !== undefined && { foreign: one("alike", "alike", "disk", "other name") }),
    },
    fates: isRefused ? [...(chance(0.5) ? fates.slice(0, 1) : []), refused, ...fates.slice(1)] : fates,
    steps: steps.map((step) => ({
      ...step,
      beside: [...(step.beside ?? []), ...more()],
      ...(theme === "all" && chance(0.05) && { user: "colleague" }),
    })),
    ...(trafficMs !== undefined && { trafficMs }),
    ...(chance(0.3) && { pageSize: 10 }),
    ...(isRefused && chance(0.6) && { personAfterRefusalMs: one(second, 20 * second, 2 * minute) }),
  };
}

/** The same history on a panel whose rows contain fewer facts, or on a runner that is suspended. */
function onOtherPanels(history: Themed, seed: number): Themed {
  const { one, chance } = diceOf(seed * 3_266_489_917 + 2);
  const bare: Partial<Manners> = {
    tie: one("nothing", "nothing", "log"),
    bareRows: chance(0.5),
    stamps: one("Z", "none"),
    ...(chance(0.4) && { log: one("empty", "names none") }),
  };
  const steps: Partial<Manners> = {
    parts: "parent and steps",
    link: one("parent id", "parent id", "none"),
    restoresTwice: false,
  };
  const isUnpaged = chance(0.15);
  const manners: Manners = {
    ...history.manners,
    ...(chance(0.35) && bare),
    ...(chance(0.3) && steps),
    ...(isUnpaged && { isUnpaged, lateMs: [0] }),
  };
  // A response names all of its restore's transactions, or the transaction to which the others are linked.
  const isWhole = manners.parts === "one" || manners.parts === "parent and steps" || manners.link !== "none";
  const namesPosted = chance(0.15) && isWhole;
  // A log that names no transactions shows no more than a missing log.
  const tie = manners.tie === "log" && manners.log !== undefined ? "nothing" : manners.tie;
  const isSuspended = chance(0.4);
  const wallSet = (): Beside => {
    const atMs = one(second, 20 * second, minute);
    return { does: "set the wall clock", atMs, byMs: one(-2 * minute, 2 * minute, 8 * hour) };
  };
  // Setting a clock back by the length of the suspension would hide the suspension.
  const isWallSet = chance(0.1) && !isSuspended;
  // Other people's rows would fill a page of ten within seconds, so the page would never show the restore.
  const hasTraffic = history.trafficMs !== undefined && !isUnpaged && tie !== "nothing";
  return {
    ...omit(history, "trafficMs"),
    ...(hasTraffic && { trafficMs: history.trafficMs }),
    manners: { ...manners, tie, ...(namesPosted && { namesPosted }) },
    steps: history.steps.map((step) => ({
      ...step,
      ...(isWallSet && { beside: [...(step.beside ?? []), wallSet()] }),
      ...(isSuspended &&
        chance(0.5) && {
          suspend: {
            after: one("begin", "sent", "sent", "saved"),
            nth: one(1, 1, 2, 3),
            ms: one(0, 50, second, 20 * second, 2 * minute),
            forMs: one(20 * second, 2 * minute, 10 * minute, 8 * hour),
            how: one("stopped", "asleep"),
          },
        }),
    })),
  };
}

const optional = new Set(
  (
    "places trafficMs pageSize personAfterRefusalMs restoresTwice foreign bareRows log isUnpaged namesPosted " +
    "triggers points back advice target continueOnError kill suspend user beside"
  ).split(" "),
);

/** The plainest value of each field in a history. */
const plainest: Readonly<Record<string, unknown>> = {
  ...plainManners,
  ...goodFate,
  ...{ kind: "VmRestore", machine: "42", point: "1001", wait: true, retryFailed: true, timeouts: {} },
  ...{ pauseMs: 0, ms: 0, nth: 1, orphanMs: 0, how: "stopped" },
};

/** Slightly simpler versions of a history, or of a part of it. Removing a step comes first, because that simplifies the most. */
export function* simpler<T>(value: T): Generator<T> {
  if (Array.isArray(value)) {
    for (const index of value.keys()) yield value.toSpliced(index, 1) as T;
    for (const [index, one] of value.entries())
      for (const less of simpler<unknown>(one)) yield value.with(index, less) as T;
  } else if (typeof value === "object" && value !== null) {
    for (const [key, part] of Object.entries(value).reverse() as [keyof T & string, unknown][]) {
      const instead = (other: unknown): T => ({ ...value, [key]: other });
      if (optional.has(key)) yield omit(value, key);
      const plain = plainest[key];
      if (typeof part === typeof plain && JSON.stringify(part) !== JSON.stringify(plain)) yield instead(plain);
      for (const less of simpler(part)) yield instead(less);
      if ((key !== "ms" && key !== "atMs") || typeof part !== "number") continue;
      for (const round of [minute, 10 * second, second]) if (part % round !== 0) yield instead(part - (part % round));
    }
  }
}

export function omit<T extends object>(from: T, key: keyof T): T {
  return Object.fromEntries(Object.entries(from).filter(([name]) => name !== key)) as T;
}
