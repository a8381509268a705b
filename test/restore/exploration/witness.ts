import type { Engine, Stored } from "../../support/engine";
import { isOfPages, type PanelAtWork, type Owner, type Part, type Post, type Work } from "../../support/panel-at-work";
import type { Declared } from "../../support/program";

/** A broken promise. */
export interface Finding {
  /** What happened, without names and times, so that equal findings form a class. */
  readonly what: string;
  /** The known limit (docs/how-it-works.md) that explains the finding, or `odd pages` if the list was wrongly empty or old when it mattered. */
  readonly permitted?: string;
  readonly detail: string;
}

interface Circumstances {
  readonly panel: PanelAtWork;
  readonly engine: Engine;
  readonly declared: readonly Declared[];
  readonly unsettledAtNewTriggers: ReadonlySet<object>;
  /** The intents and records, each with the time when it was first saved. */
  readonly saved: readonly { readonly stored: Stored; readonly at: number }[];
  readonly pageSize: number;
  readonly runBeganAt: number;
}

/** Checks a POST at the moment it is sent. */
export function judgePost(post: Post, world: Circumstances): Finding | undefined {
  const { panel, declared, unsettledAtNewTriggers } = world;
  const { owner } = post;
  if (owner === "panel" || owner === "person") return undefined;
  const wanted = declared[owner.restore];
  const name = nameOf(owner);
  const stored = restoresIn(world).find((one) => sameOwner(ownerOf(one), owner));
  for (const other of panel.posts.filter((one) => one !== post && sameOwner(one.owner, owner))) {
    const became = becameOf(other);
    if (other.fate.answer === "refused" || (became === "failed" && wanted?.retryFailed !== false)) continue;
    // The panel ran the job again after the last read before this POST.
    const { rerunAt = -Infinity } = other.work ?? {};
    if (rerunAt > post.sentAt - panel.manners.answersAfterMs - 1_000) continue;
    // No question is asked about a job that was cancelled before its restore row was listed.
    if (other.work && isCancelledBefore(other.work)) continue;
    const since = world.saved.filter(({ at }) => at > other.sentAt).map((one) => one.stored);
    const others = since.filter((one) => one.restore === owner.restore && !sameOwner(ownerOf(one), owner));
    const before = since.filter(({ restore }) => restore < owner.restore && isWholeOf(declared[restore], wanted));
    // Another request has been recorded since, or the machine has been restored again, so its later restores are repeated too.
    if ([...others, ...before].some(isRecord)) continue;
    // Without a record of this request, different triggers request the restore again.
    if (!stored && others.some(({ outputs }) => !owner.request.startsWith(`${String(outputs["triggers"])} `))) continue;
    if (stored && isUnaccounted(stored) && before.length === 0)
      return { what: "posted again, though stored as sent but not listed", detail: `${name}: ${became}` };
    if (became === "never carried out") continue;
    // The first POST's job was not fully listed when triggers changed. The machine's previous restore, sent again, may have claimed one of its rows.
    const isUnsettled = other.work && unsettledAtNewTriggers.has(other.work);
    const isHidden = other.work && other.work.user !== panel.user;
    // With an empty page as its mark, the request in between may have claimed the row of an earlier request, so it has no record of its own.
    const isMisled = others.some((one) => isOddAt(panel, intentMadeAt(world, ownerOf(one))));
    const unknown = isHidden ? "e" : isUnsettled ? "b" : isMisled ? "odd pages" : undefined;
    // A new intent for an earlier restore means that this restore is repeated, even if the intent only reverts a change.
    const permitted = unknown ?? (before.length > 0 ? "behind another intent" : undefined);
    return { what: `a second POST; the first one: ${became}`, ...(permitted && { permitted }), detail: name };
  }
  if (wanted && wanted.timeouts["busy"] !== 0 && !isBare(panel)) {
    // A run cannot see that a job is under way if none of the job's unfinished rows is on the newest page.
    const isInSight = (part: Part): boolean => panel.isAmongNewest(part, post.sentAt, world.pageSize);
    const busy = panel.works.find(
      (work) =>
        work.machine === wanted.machine &&
        (typeof work.owner === "string" || work.user === panel.user) &&
        work.parts.some(
          (part) =>
            part.ends === Infinity &&
            Math.max(part.at, work.rerunAt ?? -Infinity) < post.sentAt - 5_000 &&
            isInSight(part),
        ),
    );
    const madeAt = intentMadeAt(world, owner);
    if (busy) {
      // An outdated page cannot be recognized if it is as new as the intent's.
      const isOld = ({ how }: PanelAtWork["spans"][number]): boolean => how === "old pages";
      const isUntold = isOddAt(panel, madeAt) || (busy.madeAt > (madeAt ?? Infinity) && panel.spans.some(isOld));
      const isMisled = isUntold && wasOddBefore(panel, post.sentAt);
      const what = "a POST while the machine was seen to work";
      return { what, ...(isMisled && { permitted: "odd pages" }), detail: `${name} beside ${tell(busy)}` };
    }
  }
  return undefined;
}

/** Whether a job was cancelled before its restore began, so that nothing was restored. */
const isCancelledBefore = ({ status, parts }: Work): boolean =>
  status === "cancelled" && !parts.some(({ isRestore }) => isRestore);

/** Restores of one machine must run in the program's order, each only after the previous restore is complete on the panel. */
export function judgeOrder({ owner }: Post, world: Circumstances): Finding | undefined {
  if (typeof owner === "string") return undefined;
  const { declared } = world;
  const machine = declared[owner.restore]?.machine;
  const before = declared.findLastIndex((one, index) => index < owner.restore && one.machine === machine);
  if (before === -1) return undefined;
  const record = restoresIn(world).find(({ restore }) => restore === before);
  const became = record === undefined ? "not there" : whatBecameOf(record, world);
  if (became === "complete") return undefined;
  return {
    what: `a POST behind a restore that is ${became}`,
    ...(became === "listed later" && { permitted: "d, a part" }),
    detail: `${nameOf(owner)} behind ${record === undefined ? String(before) : record.urn}`,
  };
}

/** What became of a restore, according to the panel's data about its stored transactions and the POSTs for its current triggers. */
function whatBecameOf(record: Stored, world: Circumstances): string {
  if (isUnaccounted(record)) return "sent and not listed";
  const { panel } = world;
  const owner = ownerOf(record);
  const known = new Set(idsOf(record).flatMap((id) => panel.part(id)?.work ?? []));
  // A previous attempt that the panel runs again is treated like any other job, as is one that a return to earlier triggers leaves out.
  const isLeftOut = (work: Work): boolean => work.rerunAt !== undefined || world.unsettledAtNewTriggers.has(work);
  const posted = panel.works.filter((work) => sameOwner(work.owner, owner) && !isLeftOut(work));
  for (const { parts } of new Set([...known, ...posted])) {
    const isOpen = ({ isRestore, ends }: Part): boolean => isRestore && ends === Infinity;
    if (!parts.some(isOpen)) continue;
    const ended = parts.filter(({ isRestore, ends }) => isRestore && ends < Infinity);
    const endedAt = Math.max(...ended.map(({ ends }) => ends));
    const isListedLater = ended.length > 0 && parts.every((part) => !isOpen(part) || part.at >= endedAt);
    return isListedLater ? "listed later" : "under way";
  }
  const restores = [...known].flatMap(({ parts }) => parts.filter(({ isRestore }) => isRestore));
  if (restores.length === 0) return "not there";
  return restores.find(({ end }) => end !== "complete")?.end ?? "complete";
}

/** After a run without errors, each restore must be listed, and the panel must not have carried out a later request for the same restore. */
export function judgeEnd(world: Circumstances): Finding | undefined {
  for (const stored of restoresIn(world)) {
    const owner = ownerOf(stored);
    const isOf = (work: Work): boolean => typeof work.owner !== "string" && work.owner.restore === owner.restore;
    const last = world.panel.works.findLast(isOf);
    if (last === undefined || sameOwner(last.owner, owner) || isCancelledBefore(last)) continue;
    // A person who names an older transaction with `adopt` is told about the newer one.
    const told = String(stored.outputs["warnings"]);
    const isAdopted = stored.outputs["adopted"] === true;
    const isTold = isAdopted && last.parts.some(({ id }) => told.includes(id));
    const isUntold = isAdopted && world.panel.manners.tie === "nothing";
    // With an empty page as its mark, the restore may have been taken for one that the panel listed before.
    const isMisled = isOddAt(world.panel, intentMadeAt(world, owner));
    const isUnsettled = world.unsettledAtNewTriggers.has(last);
    const permitted = isTold ? "told" : isUnsettled ? "b" : isMisled ? "odd pages" : isUntold ? chance : undefined;
    const what = "lost: a run that ends well after a POST of another request";
    return { what, ...(permitted && { permitted }), detail: tell(last) };
  }
  const open = restoresIn(world).find(isUnaccounted);
  return open && { what: "a run that ends well with a restore that is sent and not listed", detail: open.urn };
}

/** Checks what the engine has just saved. */
export function judgeState(world: Circumstances): Finding | undefined {
  for (const stored of restoresIn(world)) {
    const finding = judgeStored(stored, world);
    if (finding) return finding;
  }
  return undefined;
}

function judgeStored(stored: Stored, world: Circumstances): Finding | undefined {
  const { panel } = world;
  const owner = ownerOf(stored);
  const name = nameOf(owner);
  const ids = idsOf(stored);
  const status = String(stored.outputs["status"]);
  const works = new Set<Work>();
  for (const id of ids) {
    const work = panel.part(id)?.work;
    if (work === undefined) return { what: "stored with a transaction that does not exist", detail: `${name}: ${id}` };
    works.add(work);
  }
  const own = [...works].filter((work) => sameOwner(work.owner, owner));
  const foreign = [...works].filter((work) => !own.includes(work));
  const findings = foreign.map((work) => {
    const beside = own.length > 0 ? "beside its own" : "for its own";
    const whose =
      typeof work.owner === "string"
        ? work.owner === "person"
          ? "a person's"
          : "the panel's"
        : work.owner.restore === owner.restore
          ? "its own former one's"
          : "another restore's";
    const permitted = excuse(work, own, foreign, stored, owner, world) ?? byChance(stored, world);
    return {
      what: `${status === "complete" ? "complete" : "stored"} with ${whose} transaction ${beside}`,
      ...(permitted !== undefined && { permitted }),
      detail: `${name}: ${tell(work)}`,
    };
  });
  const worst = findings.find(({ permitted }) => permitted === undefined) ?? findings[0];
  if (worst) return worst;
  if (status !== "complete") return undefined;
  if (own.length === 0) return { what: "complete with no transaction", detail: name };
  for (const work of own) {
    const open = openPartOf(work, ids, world);
    if (open === undefined) continue;
    const {
      part,
      excuse: permitted = isOfUnlinked(work, stored, world) ? "nothing links it" : byChance(stored, world),
    } = open;
    return {
      what: `complete, while ${part.isRestore ? "its own restore" : "a part of it"} is ${panel.statusOf(part)}`,
      ...(permitted !== undefined && { permitted }),
      detail: `${name}: ${tell(work)}, part ${part.id}`,
    };
  }
  return undefined;
}

/**
 * An incomplete part of a restore that is stored as complete. A part other than the restore itself, such as the
 * machine's start, is considered only if it has been listed for a minute and is linked to its job.
 */
function openPartOf(
  { parts, owner }: Work,
  ids: readonly string[],
  { panel, runBeganAt }: Circumstances,
): { readonly part: Part; readonly excuse?: string } | undefined {
  const now = panel.time.now();
  const isLinked = panel.manners.link !== "none";
  const counts = ({ isRestore, at }: Part): boolean => isRestore || (isLinked && at < now - 60_000);
  const part = parts.find((one) => panel.statusOf(one) !== "complete" && counts(one));
  if (part === undefined) return undefined;
  const known = parts.filter(({ id }) => ids.includes(id));
  if (known.includes(part)) return { part };
  const endedAt = Math.max(...known.map(({ ends }) => ends));
  // The run that posted the restore has seen the job grow if one row was listed at least one read later than another.
  const isFollowed = panel.posts.some((post) => sameOwner(post.owner, owner) && post.sentAt >= runBeganAt);
  // A later run knows only the stored ids, so it never sees a part that nothing links to them.
  if (!isLinked && !isFollowed && part.at >= endedAt) return { part, excuse: "d, a part" };
  const listed = known.map(({ at }) => at);
  const hasGrown = isFollowed && Math.max(...listed) - Math.min(...listed) > 12_000;
  // Excused only if the part was listed after all stored transactions had ended.
  return part.at > endedAt + (hasGrown ? 15_000 : 0) ? { part, excuse: "d, a part" } : { part };
}

/** The known uncertainty that explains why a restore claimed a job that is not its own. */
function excuse(
  work: Work,
  own: readonly Work[],
  foreign: readonly Work[],
  stored: Stored,
  owner: OwnMark,
  world: Circumstances,
): string | undefined {
  const { panel, unsettledAtNewTriggers } = world;
  const { tells } = panel.manners;
  const intent = stored.outputs["__intent"] as { readonly id?: string } | undefined;
  const madeAt = world.saved.find(({ stored: one }) => one.id === intent?.id)?.at ?? Number.NaN;
  const posts = panel.posts.filter((post) => sameOwner(post.owner, owner));
  // An outdated page before the POST cannot be recognized if the intent's page was odd too, or if the ids do not show the order.
  const isSentByOdd = posts.some(({ sentAt }) => wasOddBefore(panel, sentAt));
  const isMisled = isOddAt(panel, madeAt)
    ? stored.outputs["adopted"] === true || isSentByOdd
    : isSentByOdd && !givesOrder(panel, madeAt);
  if (work.owner === "person" || (work.owner === "panel" && panel.manners.bareRows === true)) {
    const wanted = world.declared[owner.restore];
    const namesPoint = !panel.manners.bareRows && (tells === "point" || tells === "point and paths");
    if (work.machine !== wanted?.machine || (namesPoint && work.point !== wanted.point)) return undefined;
    // If the list shows a word for file restores, every other word restores a machine.
    const isWord = ({ kind, user, parts: [first] }: Work): boolean =>
      kind === "FileRestore" && user === panel.user && first !== undefined && first.at < madeAt;
    const isKindKnown = !panel.manners.bareRows && (wanted.kind === "VmRestore" || panel.works.some(isWord));
    const isFound = stored.outputs["adopted"] === true && !wanted.adopt;
    if (isFound && isKindKnown && work.kind !== wanted.kind) return undefined;
    if (isMisled) return "odd pages";
    const lastMadeAt = Math.max(...work.parts.map((part) => part.madeAt));
    // Running a failed restore again also restores the machine.
    const { rerunAt: orderedAt = work.madeAt } = work;
    // The page for an intent is read before the intent is saved, and page 2 may be read once in between.
    if (lastMadeAt < madeAt - 2 * panel.manners.answersAfterMs - 100)
      return isUntoldLate(work, madeAt, world) ? "c" : undefined;
    if (stored.outputs["adopted"] === true) {
      // After a failure, and long after the mark, only the point shows that a job may be this restore.
      // Nearness is measured with the panel's clock, which may have been set back since.
      const setBackMs = panel.setBack.reduce((sum, { at, byMs }) => sum + (at > madeAt ? byMs : 0), 0);
      const isNear = work.madeAt - setBackMs <= madeAt + nearMs + 1_000 * (wanted.timeouts["listed"] ?? 120);
      const isSeen = ({ work: made }: Post): boolean => made?.user === panel.user;
      const isLikeIt = namesPoint || (isNear && posts.every((post) => post.work?.status !== "failed" || !isSeen(post)));
      return own.length === 0 && isLikeIt ? "a, before a later attempt" : undefined;
    }
    const listed = ({ work: made }: Post): number => made?.parts.find(({ isRestore }) => isRestore)?.at ?? Infinity;
    const looked = (post: Post): number =>
      Math.max(listed(post), post.sentAt + (post.fate.answer === "silence" ? 30_000 : 0));
    const isBesideListing = posts.some((post) => orderedAt >= post.sentAt - 5_000 && orderedAt <= looked(post));
    if (isBesideListing) {
      return posts.some(({ work: made }) => made === undefined) ? "a, never listed" : "a, until listed";
    }
    // Two cases exceed the documented limit, but follow from the rules. First, a matching row above the POST's mark counts as this run's restore
    // even if it was made before the POST. Second, matching rows are added until a read that began after all earlier rows had ended.
    const isListedLate = posts.some((post) =>
      work.parts.some((part) => part.madeAt <= post.sentAt && part.at > post.sentAt - 3_000),
    );
    if (isListedLate) return "a, listed late";
    // With `busy: 0`, or if no part was on the newest page, the restore may be queued behind a job whose further parts are listed meanwhile.
    const isQueuedFor = posts.some(
      ({ sentAt }) =>
        work.madeAt <= sentAt &&
        work.endedAt >= sentAt &&
        (wanted.timeouts["busy"] === 0 ||
          !work.parts.some((part) => panel.isAmongNewest(part, sentAt, world.pageSize))),
    );
    if (isQueuedFor && panel.manners.parts === "one after the other") return "behind a job under way";
    // The restore waits for all matching rows, so this row may be added until the last of the earlier rows has ended.
    const before = foreign.filter(({ madeAt: at }) => at < work.madeAt).map(({ endedAt }) => endedAt);
    const ended = (post: Post): number =>
      shownAt(panel, Math.max(post.work?.endedAt ?? Infinity, looked(post), ...before));
    const isWhileItRan = posts.some((post) =>
      [work.madeAt, orderedAt].some((at) => at >= post.sentAt && at <= shownAt(panel, ended(post) + seenAndSettledMs)),
    );
    return isWhileItRan ? "a, while it ran" : undefined;
  }
  if (work.owner === "panel") return undefined;
  if (unsettledAtNewTriggers.has(work)) return "b";
  if (posts.some((post) => (work.rerunAt ?? 0) >= post.sentAt - 5_000)) return "a, run again";
  if (isMisled) return "odd pages";
  if (isOfUnlinked(work, stored, world)) return "nothing links it";
  // No state records the transaction of a request that has been replaced twice since.
  const isForgotten = !restoresIn(world).some(
    (one) => one !== stored && idsOf(one).some((id) => panel.part(id)?.work === work),
  );
  if (isForgotten && posts.some(({ work: made }) => made === undefined)) return "a, never listed";
  // The panel carried out a killed run's request only after this restore's POST. No read shows such a request, so the record names both.
  const request = panel.posts.find((post) => post.work === work);
  const isLanding = (post: Post): boolean =>
    request !== undefined && request.sentAt < post.sentAt && work.madeAt > post.sentAt;
  const isTold = String(stored.outputs["warnings"]).includes("each of these may be this restore");
  if (isTold && posts.some(isLanding)) return "a killed request, carried out later";
  const marks = [madeAt, ...posts.map(({ sentAt }) => sentAt)];
  return marks.some((at) => isUntoldLate(work, at, world)) ? "c" : undefined;
}

/** The longest request, plus the largest difference between clocks, plus the second lost when timestamps are rounded down. */
const nearMs = 91_000;

/** A job's end is noticed within ten seconds, and the restore settles within another fifteen. */
const seenAndSettledMs = 26_000;

/** Why a restore may claim another's row on a panel that never shows a row's machine. `exploration.test.ts` counts these findings. */
export const chance = "nothing names the machine";

function byChance(stored: Stored, world: Circumstances): string | undefined {
  const { outputs, restore } = stored;
  const { panel, declared } = world;
  const warnings = (outputs["warnings"] ?? []) as readonly string[];
  const { tie } = panel.manners;
  const sentAt = panel.posts.findLast((post) => sameOwner(post.owner, ownerOf(stored)))?.sentAt ?? panel.time.now();
  const isRead = ({ parts }: Work): boolean => parts.some((part) => panel.isAmongNewest(part, sentAt, world.pageSize));
  // If the machine's log names no row that a run has read, nothing shows that what it names are transactions.
  const isLogOfNone = (): boolean =>
    panel.works.every((work) => work.machine !== declared[restore]?.machine || !isRead(work));
  // If all rows that a run has read name disks, or machines by another name, they reveal no more than bare rows do.
  const isOfOthers = (): boolean =>
    (panel.manners.foreign === "disk" || panel.manners.foreign === "other name") &&
    panel.works.every((work) => Number(work.machine) >= 50 || !isRead(work));
  const isBareHere = tie === "nothing" || (tie === "log" && isLogOfNone()) || isOfOthers();
  return isBareHere && warnings.length > 0 ? chance : undefined;
}

/** Whether a job has several unlinked restore rows, one of which was adopted. */
function isOfUnlinked({ parts }: Work, { outputs }: Stored, { panel }: Circumstances): boolean {
  const isOfSeveral = parts.filter(({ isRestore }) => isRestore).length > 1;
  return isOfSeveral && panel.manners.link === "none" && outputs["adopted"] === true;
}

/** When the panel's pages first show what was true at a given moment. If pages are outdated or the list cannot be read, that is later. */
function shownAt({ spans }: PanelAtWork, at: number): number {
  const inOrder = [...spans].sort((a, b) => a.from - b.from);
  return inOrder.reduce((shown, { from, until }) => (shown >= from - 10_000 && shown < until ? until : shown), at);
}

function isOddAt({ spans }: PanelAtWork, at: number | undefined): boolean {
  return at !== undefined && spans.some((span) => isOfPages(span) && at >= span.from && at < span.until);
}

/** Whether the ids show the order. At least six are needed, because a few numbers may be in order by chance. */
function givesOrder({ manners, works }: PanelAtWork, at: number): boolean {
  return manners.ids === "decimal" && works.flatMap(({ parts }) => parts).filter((part) => part.at <= at).length >= 6;
}

/** Whether the page that led to a POST was odd. That page was read a few seconds before the POST. */
function wasOddBefore({ spans }: PanelAtWork, sentAt: number): boolean {
  return spans.some((span) => isOfPages(span) && sentAt >= span.from && sentAt < span.until + 5_000);
}

/** Whether a row was listed late and nothing shows this: its timestamps have no zone, or no row listed before the mark is newer. */
function isUntoldLate(work: Work, markedAt: number, { panel }: Circumstances): boolean {
  const listed = panel.works.flatMap(({ parts }) => parts).filter(({ at }) => at < markedAt);
  const newestMadeAt = Math.max(0, ...listed.map(({ madeAt }) => madeAt));
  const hasZone = panel.manners.stamps === "Z" || panel.manners.stamps === "+02:00";
  return work.parts.some(
    ({ at: listedAt, madeAt }) =>
      listedAt > madeAt && madeAt <= markedAt && listedAt >= markedAt - 1_000 && !(hasZone && madeAt < newestMadeAt),
  );
}

type OwnMark = Exclude<Owner, string>;

/** Identifies a stored restore by its place in the program, and by the triggers and the point it was made with. */
export function ownerOf(stored: Stored): OwnMark {
  const { triggers, recoveryPointId } = stored.outputs;
  return { restore: stored.restore, request: `${String(triggers)} from ${String(recoveryPointId)}` };
}

export function sameOwner(a: Owner, b: Owner): boolean {
  if (typeof a === "string" || typeof b === "string") return a === b;
  return a.restore === b.restore && a.request === b.request;
}

function restoresIn({ engine }: Pick<Circumstances, "engine">): readonly Stored[] {
  return engine.state.filter((one) => isRecord(one) && !one.delete);
}

const isRecord = ({ operations }: Stored): boolean => operations !== "Intent";

const isWholeOf = (one: Declared | undefined, other: Declared | undefined): boolean =>
  one?.kind === "VmRestore" && one.machine === other?.machine;

function intentMadeAt({ saved }: Circumstances, owner: OwnMark): number | undefined {
  return saved.findLast(({ stored }) => !isRecord(stored) && sameOwner(ownerOf(stored), owner))?.at;
}

/** Whether a restore was posted but its transaction is not known, so the restore must not be sent again. */
function isUnaccounted(stored: Stored): boolean {
  return idsOf(stored).length === 0 && stored.outputs["status"] === "sent";
}

function idsOf({ outputs }: Stored): readonly string[] {
  return (outputs["transactionIds"] ?? []) as readonly string[];
}

/** Whether rows name no machine, so a run may learn from a log too late, or never, that the machine is busy. */
function isBare({ manners: { tie } }: PanelAtWork): boolean {
  return tie === "nothing" || tie === "log";
}

function becameOf(post: Post): string {
  if (!post.fate.carriedOut) return "never carried out";
  return post.open ? "under way" : (post.work?.status ?? "lost");
}

export function nameOf(owner: Owner): string {
  return typeof owner === "string" ? owner : `r${String(owner.restore)} of ${owner.request}`;
}

export function tell(work: Work): string {
  const ids = work.parts.map(({ id }) => id).join("+");
  return `${ids} (${work.kind} of ${work.machine}, ${nameOf(work.owner)}, ${work.status})`;
}
