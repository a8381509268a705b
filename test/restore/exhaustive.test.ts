import assert from "node:assert/strict";
import type { RestoreRecord } from "../../provider/inputs/record";
import type { RowState } from "../../provider/panel/types";
import { type Judged, type Known, recognise, type Restore } from "../../provider/restore/recognise";
import { Claims } from "../../provider/restore/session";
import { assertGolden } from "../support/golden";
import { thorough } from "../support/thorough";
import * as scope from "./small-scope";
import { type Kind, live, type Lived, type Plan, quietMs, requestTimeoutMs, s, type Seen, usual } from "./small-scope";

/**
 * Runs `recognise` and the whole loop on every list of a few rows. The rules are restated here without the functions under test, so a wrong comparison shows up
 * as a second POST, a POST even though a row may be the restore, a wrong outcome, or an endless wait.
 */
const kind = (whose: Kind["whose"], does: Kind["does"], more: Partial<Kind> = {}): Kind => ({
  ...{ whose, does, isAbove: true, point: "none", made: "soon", ...more },
});
const kinds = {
  own: kind("ours", "restore", { point: "ours" }),
  plain: kind("ours", "restore"),
  late: kind("ours", "restore", { made: "later" }),
  early: kind("ours", "restore", { point: "ours", made: "before" }),
  foreign: kind("ours", "restore", { point: "another" }),
  files: kind("ours", "restore", { word: "files" }),
  either: kind("ours", "restore", { word: "nothing" }),
  wordless: kind("ours", undefined),
  other: kind("ours", "other"),
  strange: kind("ours", "unknown"),
  unnamed: kind("unsaid", "restore"),
  mute: kind("unsaid", undefined),
  work: kind("unsaid", "other"),
  word: kind("unsaid", "unknown", { point: "ours" }),
  below: kind("ours", "restore", { isAbove: false, made: "before" }),
  old: kind("unsaid", "restore", { isAbove: false, made: "before" }),
  silent: kind("unsaid", undefined, { isAbove: false, made: "before" }),
  another: kind("another", "restore"),
};
const kindsOf = (names: string): readonly Kind[] => names.split(" ").map((name) => kinds[name as keyof typeof kinds]);
const tell = (rows: readonly Kind[]): string => rows.map((row) => Object.values(row).map(String).join(" ")).join(" | ");

const lists = <T>(of: readonly (readonly T[])[]): readonly (readonly T[])[] =>
  of.reduce<readonly (readonly T[])[]>((all, some) => all.flatMap((list) => some.map((one) => [...list, one])), [[]]);

const isOpen = ({ state }: { readonly state: RowState }): boolean => state === "pending" || state === "running";
const idsOf = (rows: readonly { readonly id: string }[]): readonly string[] => rows.map(({ id }) => id).sort();
const isLong = thorough(0, 1) === 1;
const longest = 30 * 60_000;
const may = ({ does }: Kind): boolean => does === "restore" || does === undefined;

type Own = Extract<Known, { readonly by: "mark" }>["own"];
const none: Own = { jobs: [], rows: [] };
/** What the previous read showed of the restore. */
const own = (id: string, end?: "complete"): Own => ({ jobs: [{ end }], rows: [{ id }] }) as unknown as Own;
const post = (answer: keyof typeof scope.answers, more: Partial<Known> = {}): Known =>
  ({ by: "POST", answer: scope.answers[answer], own: none, isLatest: true, isGuess: false, ...more }) as Known;
/** What is known about the first row if its id is known. */
const settings: Record<string, (id: string) => Known> = {
  "first attempt": () => ({ by: "nothing" }),
  "later attempt": () => ({ by: "nothing" }),
  "behind a failure": () => ({ by: "nothing" }),
  posted: () => post("accepted"),
  guessing: (id) => post("accepted", { own: own(id), isGuess: true }),
  guessed: (id) => post("accepted", { own: own(id, "complete"), isGuess: true }),
  "not the latest": () => post("accepted", { isLatest: false }),
  named: () => post("names 1"),
  "named with an old row": () => post("names an old row"),
  unknown: () => post("unknown"),
  denied: () => post("denied"),
  "by mark": () => ({ by: "mark", own: none }),
  "by mark, taken": (id) => ({ by: "mark", own: own(id) }),
  "by ids": (id) => ({ by: "ids", ids: [id] }),
};

interface Place {
  readonly isComplete?: false;
  /** No row names a machine, and only pages show the order. */
  readonly isBare?: true;
  readonly saysRestore?: false;
  /** Another restore has claimed the first row, or the first two together. */
  readonly claimed?: 1 | 2;
  /** The machine's log names the first row. */
  readonly hasLog?: true;
  /** A file restore, on a panel with one word for both kinds of restore, or with a word for file restores. */
  readonly files?: "one word" | "own word";
}

/** Lists the ways in which `recognise` breaks the rules in "Which transaction is the restore?" in how-it-works.md. */
function misjudged(list: readonly (Kind & { readonly state: RowState })[], place: Place): readonly string[] {
  const { isBare = false, isComplete = true, saysRestore = place.files !== "one word", hasLog = false, files } = place;
  const listed = list.map((one, at): Seen => ({ ...one, id: scope.idAt(one, at) }));
  const rows = listed.map(scope.rowOf);
  const [id = ""] = rows.map((row) => row.id);
  const claimed = rows.slice(0, place.claimed ?? 0).map((row) => row.id as string);
  const claims = new Claims();
  claims.claim(claimed, "another");
  const order = isBare ? "pages" : "numbers";
  const mark = scope.markBelow(rows, order, isBare);
  const above = new Set(listed.flatMap((row) => (row.isAbove ? row.id : [])));
  const shown = { ...scope.shownOf(rows, order, isBare), above, unsure: new Set<string>(), isComplete };
  const saysFiles = files === "own word";
  const kind = files ? "FileRestore" : "VmRestore";
  const target = { kind, virtualMachineId: "42", recoveryPointId: "1007", ...(files && { paths: ["/etc"] }) } as const;
  const names = new Set(hasLog ? [id] : []);
  const panel = {
    ...{ claims, namesMachines: !isBare, showsNames: true, saysRestore, saysFiles },
    isForeign: () => false,
    time: scope.wall,
  };

  const ours = listed.filter(({ whose }) => whose !== "another");
  const isOurs = (row: Seen): boolean => row.whose === "ours" || names.has(row.id);
  const isTaken = (row: Seen): boolean => claimed.includes(row.id);
  // If another restore has claimed several rows, and nothing links the rows to that restore, one of them may be this restore.
  const isGuessed = (row: Seen): boolean => isTaken(row) && !isOurs(row);
  const isShared = (row: Seen): boolean => isGuessed(row) && ours.filter(isGuessed).length > 1;
  const isCandidate = (row: Seen): boolean => isOpen(row) || (may(row) && row.isAbove);
  return Object.entries(settings).flatMap(([name, setting]) => {
    const known = setting(id);
    const isFailed = name === "behind a failure";
    const isLater = isFailed || name === "later attempt" || known.by === "mark";
    const later = !isLater ? undefined : isFailed ? {} : { nearMs: 60 * s };
    const restore: Restore = { target, owner: "web", mark, later, failedIds: isFailed ? [id] : [] };
    const log = {
      names,
      rulesOut: ({ end, rows: [row] }: Pick<Judged, "end" | "rows">) =>
        hasLog && !isLater && end !== undefined && row.id !== "5000",
    };
    const found = recognise(shown, restore, known, { ...panel, log });

    const isFormer = (row: Seen): boolean => isFailed && row.id === id;
    const isNear = ({ does, made }: Seen): boolean => !isFailed && does === "restore" && made === "soon";
    // Any word but the panel's own word for files speaks against a file restore. Without such a word, a word that names a machine does so in a later run.
    const isOfOtherKind = ({ does, word = "machine" }: Seen): boolean =>
      word === "files" ? !files : does === "restore" && (saysFiles || (!!files && isLater && word === "machine"));
    // The recovery point does not show which files were restored.
    const isProven = (row: Seen): boolean => (row.point === "ours" && !files) || isNear(row);
    const isAgainst = (row: Seen): boolean =>
      row.point === "another" || isOfOtherKind(row) || (isLater && (row.made === "before" || !isProven(row)));
    const isFit = (row: Seen): boolean => fitOf(row, false) === "fits";
    const isBeside = ({ does, state }: Seen): boolean =>
      does === undefined && state !== "pending" && ours.some((row) => row.does === "restore" && isFit(row));
    function fitOf(row: Seen, isLast = true): Judged["fit"] {
      if (!row.isAbove || ((isFormer(row) || isTaken(row)) && !(isLater && isShared(row)))) return "none";
      if (hasLog && !isLater && !isOurs(row) && !isOpen(row)) return "none";
      if (may(row) && !isOurs(row)) return "unsaid";
      if (may(row)) return isAgainst(row) ? "contradicted" : isLast && isBeside(row) ? "none" : "fits";
      const isOwn = isOurs(row) ? known.by === "POST" || known.by === "mark" : isBare && isOpen(row);
      const isUnknown = isLater && isOurs(row) && row.does === "unknown";
      const isWordKnown = (saysRestore && !isUnknown) || ours.some((one) => isFormer(one) && one.does === "restore");
      return isOwn || !isWordKnown || row.point === "ours" ? "other work" : "none";
    }
    const free = (fit: Judged["fit"]) => ours.filter((row) => fitOf(row) === fit && !isTaken(row));
    // If the answer also names an old row that is not listed, a row that has ended is only part of the restore.
    const named = ours.filter((row) => row.id === "5001" && !isTaken(row) && (name === "named" || isOpen(row)));
    // If the order is known only from the pages, a row's number does not show whether the row is old.
    const isNamed = name === "named" || (name === "named with an old row" && isBare);
    // A row that shows other work, such as a stop, can only be part of the restore.
    const isAnswered = isNamed && !named.some(({ does }) => does === "other");
    const mineOf = (): readonly [readonly Seen[], boolean] => {
      const fits = ours.filter((row) => fitOf(row) === "fits");
      if (known.by === "nothing") return [fits, false];
      if (known.by === "mark" && known.own.rows.length === 0)
        return [fits.length === 1 && isComplete ? fits : [], false];
      if (known.by !== "POST") return [ours.filter((row) => row.id === id), false];
      if (isAnswered) return [named, false];
      const isDenied = name === "denied" && !free("fits").some((row) => row.point === "ours");
      if (free("fits").length > 0 && !isDenied) return [free("fits"), false];
      const candidates = free("unsaid").filter((row) => known.own.rows.some(({ id: former }) => former === row.id));
      const isQuiet = known.answer?.kind === "accepted" && isBare && known.isLatest && isComplete && name !== "guessed";
      const fresh = free("unsaid").filter((row) => isQuiet && !isAgainst(row));
      const mine = free("unsaid").filter((row) => fresh.includes(row) || candidates.includes(row));
      return [mine, known.isGuess || mine.length > 0];
    };
    const [mine, isGuess] = mineOf();
    const wanted = ours.map((row) => {
      const isBusy = isOurs(row) && isOpen(row) && !(isFormer(row) && row.state === "pending");
      const verdict = mine.includes(row) ? "mine" : fitOf(row) === "none" ? "not mine" : "maybe";
      return [row.id, verdict, fitOf(row), isBusy, isTaken(row) && !isShared(row)].join();
    });
    const others = ours.filter((row) => !claimed.includes(row.id) && (known.by === "nothing" || !mine.includes(row)));
    const isAtWork = name !== "not the latest" && others.some((row) => row.isAbove || isOpen(row));
    const asked = ours.filter((row) => !isOurs(row) && !isFormer(row) && !isTaken(row) && isCandidate(row));
    const isSeveral = known.by === "POST" && !isAnswered && !isGuess && mine.length > 1;
    const expected = [...wanted.sort(), isGuess, isAtWork, ...idsOf(asked), isSeveral];
    const jobs = found.jobs.map((job) =>
      [job.rows[0].id, job.verdict, job.fit, job.busy !== undefined, job.isTaken].join(),
    );
    const is = [...jobs.sort(), found.isGuess, found.isAtWork, ...idsOf(found.asksLog), found.taken === "several"];
    const [one, other] = [is, expected].map((all) => all.filter((text) => !String(text).startsWith("5000")).join(" "));
    return one === other ? [] : [`${name} ${JSON.stringify(place)} ${tell(listed)}: ${one}, not ${other}`];
  });
}

describe("a killed run's restore", function () {
  this.timeout(longest);
  const rows = (names: string, states: string): readonly (Kind & { readonly state: RowState })[] =>
    kindsOf(names).flatMap((one) => states.split(" ").map((state) => ({ ...one, state: state as RowState })));
  const states = "pending running complete failed unclear";
  const under = [...rows("below old", "running complete"), ...rows("another", "running")];
  const various = "plain late early foreign files either other strange work word";
  const more = rows(various, isLong ? states : "running failed");
  const every = [...rows("own wordless unnamed mute", states), ...more, ...under];
  const few = [...rows("own wordless", "pending failed"), ...rows("late foreign unnamed mute", "complete")];
  const bare = every.filter(({ whose, state }) => whose === "unsaid" && (isLong || state !== "unclear"));
  const some = isLong ? every.filter(({ state }) => state !== "unclear") : [...few, ...rows("other below", "running")];
  const places: readonly Place[] = [{ saysRestore: false }, { isComplete: false }, { claimed: 1 }, { claimed: 2 }];
  const judge = (of: readonly (typeof every)[], at: readonly Place[]): void => {
    for (const list of lists(of)) for (const place of at) assert.deepEqual(misjudged(list, place), []);
  };
  const second = isLong ? every : some;
  it("is recognized as the rules require in every list of three rows", () => judge([some, some, some], [{}]));
  it("is recognized as the rules require in lists of two rows in every state", () => judge([every, second], [{}]));
  it("is recognized as the rules require among two rows, whatever else is known", () => judge([some, second], places));
  it("is recognized as the rules require if the machine's log names a row", () =>
    judge([bare, second], [{ hasLog: true }, { hasLog: true, isBare: true }]));
  it("is recognized as the rules require among two rows if it restores files", () =>
    judge([every, second], [{ files: "one word" }, { files: "own word" }]));
  it("is recognized as the rules require if nothing names a machine", () =>
    judge(
      [bare, bare],
      [{}, ...places].map((place) => ({ ...place, isBare: true })),
    ));
});

/** What went wrong in a restore's life, according to how-it-works.md. */
function wrongIn({ plan, posts, reads, at, result }: Lived): string | undefined {
  const { begin, answer = "accepted", trouble, hasLog, isGuess } = plan;
  const { busyMs, listedMs, runMs, settleMs, totalMs = Infinity } = { ...usual, ...plan.timeouts };
  const id = scope.idAt(plan.rows[0]!, 0);
  const isAttempt = ["first", "later", "asked again", "failed"].includes(begin);
  const isLater = isAttempt && begin !== "first";
  const isOurs = (row: Seen): boolean => row.whose === "ours" || (hasLog === true && row.id === id);
  const isOut = (row: Seen): boolean => row.whose === "another" || (hasLog === true && !isOurs(row) && !isOpen(row));
  const isFormer = (row: Seen): boolean => begin === "failed" && row.id === id;
  const isTroubled = (nth: number, ...of: unknown[]): boolean =>
    trouble !== undefined && of.includes(trouble.is) && nth >= trouble.from && nth < trouble.from + trouble.reads;
  const wrong = (...rules: readonly (readonly [boolean, string])[]): string | undefined =>
    rules.find(([is]) => is)?.[1];
  // A single failed or old read changes nothing.
  const isCalm = trouble === undefined || (trouble.reads === 1 && (trouble.is === "failed" || trouble.is === "old"));
  const untilMs = Math.min(totalMs, Math.max(busyMs, requestTimeoutMs) + (isLater ? quietMs + 9.9 * s : 0));
  const isBare = plan.rows.every(({ whose }) => whose === "unsaid");
  const isPerhapsFollowing = (row: Seen): boolean =>
    plan.isFollowed === true && isBare && !row.isAbove && may(row) && isOpen(row);
  const [sent] = posts;
  if (posts.length > (isAttempt ? 1 : 0)) return "an extra POST";
  const before = reads.slice(0, sent?.reads ?? 0);
  const read = before.at(-1);
  if (sent && read) {
    // After a failure, other failed rows raise no question.
    const isOver = (row: Seen): boolean => isFormer(row) || (begin === "failed" && row.state === "failed");
    const others = read.rows.filter((row) => row.isAbove && !isOver(row));
    const isActive = ({ rows }: typeof read): boolean => rows.some((row) => isOurs(row) && may(row) && isOpen(row));
    const nth = sent.reads - 1;
    const found = wrong(
      [read.rows.some((row) => isOurs(row) && isOpen(row)), "a POST to a busy machine"],
      [isLater && others.some((row) => !isOut(row) && may(row)), "a POST even though a row may be the restore"],
      [isLater && isBare && others.some(isOpen), "a POST even though other work may be the restore"],
      [read.rows.some(isPerhapsFollowing), "a POST while a later restore of the machine is running"],
      [read.rows.some((row) => isFormer(row) && row.state !== "failed"), "a POST even though none has failed"],
      [
        begin === "failed" && !before.some(({ rows }) => rows.some(isFormer)),
        "a POST after a failed attempt that is not listed",
      ],
      [sent.at >= untilMs, "a POST after a limit"],
      [sent.at - sent.answeredAt > 3 * s || sent.answeredAt - read.at > requestTimeoutMs, "a POST on an old page"],
      [isTroubled(sent.reads, "held up", "gone") || isTroubled(nth, "old", "failed", "forbidden"), "a POST in trouble"],
      [isLater && isTroubled(nth, "cut"), "a POST without the mark"],
      [isLater && read.at < (before.findLast(isActive)?.at ?? 0) + quietMs, "a POST within the quiet time"],
    );
    if (found !== undefined) return found;
  }
  const last = [...new Map(reads.flatMap(({ rows }) => rows.map((row) => [row.id, row] as const))).values()];
  // A later attempt adopts the only matching row at the first read that lists it.
  const isInTime = ({ point, made }: Seen): boolean =>
    made !== "before" && (point === "ours" || (made === "soon" && begin !== "failed"));
  const isFit = (row: Seen): boolean =>
    row.isAbove && may(row) && isOurs(row) && !isFormer(row) && row.point !== "another" && isInTime(row);
  // A row without an action shows only its recovery point.
  const isSure = (row: Seen): boolean => isInTime(row) && (row.does === "restore" || row.point === "ours");
  const fitsIn = (rows: readonly Seen[]): readonly Seen[] => {
    const sure = rows.filter((row) => isFit(row) && isSure(row));
    return sure.filter((row) => row.does === "restore" || row.state === "pending" || !sure.some((one) => one.does));
  };
  const found = isLater ? fitsIn(reads.find(({ rows }) => fitsIn(rows).length > 0)?.rows ?? []) : [];
  if (result.kind === "not sent") {
    if (sent) return answer === "refused" || answer.startsWith("denied") ? undefined : "posted, and called not sent";
    const { whose, does, fate } = plan.rows[0]!;
    const isNameable = whose !== "another" && does !== "other" && !fate.startsWith("-");
    if (begin === "named")
      return isCalm && isNameable && trouble?.is !== "old" ? "the named row is not adopted" : undefined;
    if (!isAttempt) return "called not sent";
    const isGone = begin === "failed" && !last.some(isFormer);
    const isAsked = last.some((row) =>
      isFormer(row) ? row.state !== "failed" : row.isAbove && row.whose !== "another",
    );
    if (isCalm && last.some((row) => isFormer(row) && row.state === "complete") && !last.some(isFit))
      return "an attempt that has not failed is not adopted";
    const isSame = !last.some((row) => isFormer(row) && row.state !== "failed");
    if (isCalm && isSame && begin !== "asked again" && found.length === 1) return "the only match is not adopted";
    if ((isLater && (isAsked || isGone)) || !isCalm || busyMs === 0) return undefined;
    const isFree = totalMs === Infinity && !last.some((row) => isPerhapsFollowing(row) || (isOurs(row) && isOpen(row)));
    return wrong([at < untilMs, "not sent without a reason"], [isFree, "not sent to a free machine"]);
  }
  const { record } = result;
  // The row was listed before the POST, or has a lower number than a row that was.
  const isOld = (row: Seen): boolean =>
    before.some(({ rows }) =>
      rows.some((one) => one.id === row.id || (plan.order !== "pages" && Number(one.id) > Number(row.id))),
    );
  const isMine = (row: Seen): boolean => record.transactionIds.includes(row.id);
  const isNew = (row: Seen): boolean => may(row) && row.isAbove && !isOut(row) && !isFormer(row) && !isOld(row);
  const isRestore = (row: Seen): boolean => row.does === "restore" && (isMine(row) || (isOurs(row) && isNew(row)));
  const isBeside = ({ does, state }: Seen): boolean =>
    does === undefined && state !== "pending" && last.some(isRestore);
  const mine = last.filter(isMine);
  // The id in the answer does not count if that row existed before the POST or shows other work.
  const isNamed =
    answer === "names 1" &&
    !before.some(({ rows }) => rows.some((row) => Number(row.id) > 5_000)) &&
    !last.some((row) => row.id === "5001" && row.does === "other");
  const rivals = last.filter((row) => isNew(row) && !isMine(row) && begin !== "named" && answer !== "names 1");
  const isCertain = mine.some(isOurs) || (begin === "by ids" && !isGuess) || begin === "refresh" || begin === "failed";
  const fitting = rivals.filter(
    (row) =>
      row.point !== "another" &&
      !isBeside(row) &&
      (isOurs(row) || !isCertain) &&
      (isSure(row) || !(begin === "by mark" || isLater)),
  );
  const isComplete = record.status === "complete";
  const isFailed = record.status === "failed";
  // By naming a row in `adopt`, the user accepts a field that contradicts the row's status.
  const isGood = ({ state }: Seen): boolean => state === "complete" || (state === "unclear" && begin === "named");
  const newer = rivals.filter((row) => begin !== "refresh" && isOurs(row) && !isBeside(row));
  const { newestId = "0", ended = [], others = [] } = record.mark ?? {};
  const isNextSeen = (row: Seen): boolean =>
    Number(row.id) > Number(newestId) && ![...ended, ...others].includes(row.id);
  const states = new Set([...mine, ...rivals].map(({ state }) => state));
  const isPlain =
    !isComplete && !isFailed && isCalm && begin !== "refresh" && states.size < 2 && !states.has("unclear");
  const firstAt = (row: Seen): number => reads.find(({ rows }) => rows.some(({ id: one }) => one === row.id))!.at;
  const seenAt = mine.length > 0 ? Math.min(...mine.map(firstAt)) : Infinity;
  const openAt = reads.findLastIndex(({ rows }) => rows.some((row) => isMine(row) && isOpen(row)));
  const endedAt = Math.max(...mine.map(firstAt), reads[openAt + 1]?.at ?? Infinity);
  // While others use a panel that names no machine, a guess is held back for a while.
  const isHeld = read !== undefined && isBare && !hasLog && read.rows.some((row) => row.isAbove || isOpen(row));
  const heldUntil = isHeld ? read.at + Math.min(60 * s, listedMs / 2) : 0;
  const isOpenAtFirst = reads[0]?.rows.some((row) => row.id === id && isOpen(row)) === true;
  const mostMs = (sent ? sent.at : isAttempt ? untilMs : 0) + listedMs + runMs + Math.max(settleMs, listedMs) + 20 * s;
  return wrong(
    [mine.some((row) => row.whose === "another" || isOld(row)), "another restore's row is adopted"],
    [result.kind === "good" && !isComplete, "successful but not complete"],
    [!sent && begin === "asked again", "adopted even though it was requested again"],
    [!sent && isLater && !mine.some(isFormer) && found.length !== 1, "adopted from several candidates"],
    [isComplete && (mine.length === 0 || !mine.every(isGood)), "complete even though its row is not"],
    [isNamed && mine.some((row) => row.id !== "5001"), "adopted even though the answer named another row"],
    [isComplete && fitting.some(({ state }) => state !== "complete"), "complete beside another candidate"],
    [isFailed && (mine.some(isOpen) || !mine.some(({ state }) => state === "failed")), "failed by an unfailed row"],
    [
      isFailed && newer.some((row) => row.state !== "failed" && !isNextSeen(row)),
      "failed even though a newer row may be the restore, and no later attempt looks at that row",
    ],
    [(isComplete || isFailed) && reads.at(-1)!.at - endedAt < settleMs, "an outcome that has not settled"],
    [
      isPlain &&
        record.status === "sent" &&
        answer === "accepted" &&
        at < Math.min(totalMs, (sent?.at ?? 0) + listedMs),
      "given up before it is listed",
    ],
    [isPlain && mine.length > 0 && states.has("complete"), "an outcome that was not noticed"],
    [isPlain && mine.some(isOpen) && at < Math.min(totalMs, seenAt + runMs), "given up while it runs"],
    [
      isPlain && sent !== undefined && answer === "accepted" && mine.length === 0 && fitting.some(isOurs),
      "not recognized",
    ],
    [(isComplete || isFailed) && at < heldUntil, "a guess that was not kept"],
    [begin === "refresh" && isOpenAtFirst && trouble === undefined && at > 1 * s, "a refresh that waits"],
    [at > Math.min(mostMs, totalMs + 10 * s), "a late outcome"],
    [begin === "refresh" && at > settleMs + listedMs + 12 * s, "a late outcome"],
  );
}

const starts = [
  { begin: "first", from: "POST", changes: [1, 2] },
  ...scope.begins.map((begin) => ({ begin, changes: begin === "refresh" ? [1, 1] : [2, 2] })),
] as readonly Pick<Plan, "begin" | "from" | "changes">[];

/** One life for each way to begin, each plan in `more`, and each combination of rows. Each pair in `of` lists the possible kinds and fates of one row. */
function lives(more: readonly Partial<Plan>[], ...of: readonly (readonly [string, string])[]): readonly Plan[] {
  const scripted = (names: string, fates: string): Plan["rows"] =>
    kindsOf(names).flatMap((one) => fates.split(" ").map((fate) => ({ ...one, fate })));
  const all = lists(of.map(([names, fates]) => scripted(names, fates)));
  return all.flatMap((rows) => starts.flatMap((start) => more.map((one) => ({ ...start, rows, ...one }))));
}

describe("all possible lives of a restore", function () {
  this.timeout(longest);
  // Messages show times of day.
  before(() => void (process.env["TZ"] = "UTC"));
  const all = "own plain late early foreign wordless other strange unnamed mute work";
  const whole = "ccc fff rrr ppp uuu -rc -rf -cc --c --f -uu rcc rff frc fcc prc";
  const either = (quick: string, long: string): string => (isLong ? long : quick);
  const fates = either("ccc fff rrr uuu -rc --c -rf frc", whole);
  const [most, some] = [either("ccc rrr -rc frc", whole), either("ccc --f", whole)];
  const times = (isLong ? [0, 1, 2, 3, 4] : [0, 1, 3]).flatMap((from) => [1, 99].map((reads) => ({ from, reads })));
  const troubles = [
    ...(["failed", "forbidden", "old", "cut", "held up", "gone"] as const),
    ...[2.5, 3.5].map((seconds) => ({ slowMs: seconds * s })),
  ];
  const limits = [
    { busyMs: 0 },
    { settleMs: 0 },
    { listedMs: 1 * s },
    { runMs: 5 * s },
    ...[3, 11, 25].map((total) => ({ totalMs: total * s })),
  ];
  const walks: Record<string, () => readonly Plan[]> = {
    "follow the rules with one row": () => lives([{}], [`${all} below`, fates]),
    "follow the rules with one row that later reads do not show": () =>
      lives([{}], [all, either("c-- r-- ---", "c-- r-- p-- f-- ---")]),
    "follow the rules with one row when the list is read more often": () =>
      lives([{ readsMs: 1_300 }], ["own wordless unnamed", fates]),
    "follow the rules with one row when two copies of the list take turns": () =>
      lives(
        [{ takesTurns: true }],
        [
          either("own foreign wordless unnamed work", all),
          either("-rc --c rcc ffc c-c -r-", "-rc -rf -cc --c --f rcc ffc -cf c-c -r- rfr"),
        ],
      ),
    "follow the rules with one row when only pages show the order of the list": () =>
      lives([{ order: "pages" }], ["own early foreign wordless unnamed", fates]),
    "follow the rules with two rows": () =>
      lives(
        [{}],
        [either("own wordless unnamed", all), either(`${most} -rf`, whole)],
        [either("own foreign wordless other unnamed", all), some],
      ),
    "follow the rules with two rows when nothing names a machine": () =>
      lives(
        isLong ? [{}, { isGuess: true }] : [{ isGuess: true }],
        ["unnamed mute", most],
        ["unnamed mute work", some],
      ),
    "follow the rules with two rows when a previous run may have left later restores running": () =>
      lives([{ isFollowed: true }], ["old silent", `${most} rrc`], ["old unnamed work", either(`${some} rrr`, whole)]),
    "follow the rules when only reads that ask for the first row list it": () => [
      ...lives(
        [{ isFar: true }],
        ["below", either("fff ffr ffc frc rrr rrc", whole)],
        [either("own other", all), either("rrr rrc rcc -rc", whole)],
      ).filter(({ begin, rows }) => ["failed f", "first r"].includes(`${begin} ${rows[0]!.fate.slice(0, 1)}`)),
      // One job of the machine begins when another ends.
      ...lives([{ isFar: true, changes: [5, 2] }], ["below", "fff ffr ffc"], ["other", "rcc"], ["other", "-rc"]).filter(
        ({ begin }) => begin === "failed",
      ),
    ],
    "follow the rules with two rows when the log names the first row": () =>
      lives([{ hasLog: true }], ["unnamed mute work", most], ["unnamed own", "ccc -rc rff"]),
    "follow the rules, whatever the panel answers": () => {
      const answers = Object.keys(scope.answers) as (keyof typeof scope.answers)[];
      const plans = lives(
        answers.map((answer) => ({ answer })),
        ["own plain foreign unnamed mute", either("ccc fff -rc -rf ---", "ccc fff rrr -rc -rf ---")],
        ["own unnamed", "--c -ff"],
      );
      return plans.filter(({ from }) => from === "POST");
    },
    "follow the rules, whatever limit is exceeded": () =>
      lives(
        limits.map((timeouts) => ({ timeouts })),
        ["own other unnamed", either("ccc rrr ppp -rc frc", whole)],
      ),
    "follow the rules, whatever disturbs the restore": () =>
      lives(
        troubles.flatMap((is) => times.map((time) => ({ trouble: { is, ...time } }))),
        ["own unnamed", either("ccc rrr -rf", "ccc rrr -rc -rf")],
      ),
  };
  const walked = new Map<string, ReturnType<typeof walk>>();
  const once = (title: string): ReturnType<typeof walk> => {
    const walking = walked.get(title) ?? walk(walks[title]!());
    walked.set(title, walking);
    return walking;
  };
  for (const title of Object.keys(walks))
    it(title, async () => assert.deepEqual(Object.fromEntries((await once(title)).faults), {}));

  if (!isLong)
    it("take the numbers of requests and seconds, and show the messages, that the golden file records", async () => {
      const [sums, all] = [[] as string[], new Map<string, number>()];
      for (const title of Object.keys(walks)) {
        const { sum, texts } = await once(title);
        sums.push(`${title}: ${JSON.stringify(sum)}`);
        for (const [text, count] of texts) all.set(text, (all.get(text) ?? 0) + count);
      }
      const lines = [...all].map(([text, count]) => `${text} × ${count}`);
      assertGolden("lives.txt", "all lives", [...sums, ...lines.sort()].join("\n"));
    });
});

/** Lives through the plans. Returns what went wrong, what all lives add up to, and how often the first line of each text was shown, without ids and rows. */
async function walk(plans: readonly Plan[]) {
  const [faults, texts] = [new Map<string, string>(), new Map<string, number>()];
  const sum = { lives: plans.length, posts: 0, reads: 0, ms: 0, characters: 0 };
  for (const plan of plans) {
    const life = await live(plan);
    const { posts, reads, at, said, result } = life;
    const { mark: _, warnings: __, ...record } = "record" in result ? result.record : ({} as Partial<RestoreRecord>);
    const [kind, fields] = [
      "reason" in result ? `${result.kind}: ${result.reason}` : result.kind,
      Object.entries(record),
    ];
    const wrong = wrongIn(life);
    if (wrong !== undefined && !faults.has(wrong)) {
      const end = `${posts.length} POST, ${kind} ${JSON.stringify(record)}, at ${at / s} s`;
      faults.set(wrong, `${JSON.stringify({ ...plan, rows: tell(plan.rows) })}: ${end}`);
    }
    for (const text of [...said, kind, ...fields.map(([name, value]) => `${name}: ${JSON.stringify(value)}`)]) {
      sum.characters += text.length;
      const [line = ""] = text.split("\n");
      const short = line.replace(/\b[45]\d{3}\b/g, "#").replace(/#(\]?) \([^()]*created [^()]*\)/g, "#$1 (…)");
      texts.set(short, (texts.get(short) ?? 0) + 1);
    }
    Object.assign(sum, { posts: sum.posts + posts.length, reads: sum.reads + reads.length, ms: sum.ms + at });
  }
  return { faults, texts, sum };
}
