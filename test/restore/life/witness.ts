import type { Engine, Stored } from "./engine";
import type { PanelAtWork, Owner, Post, Work } from "../support/panel-at-work";
import type { Declared } from "./program";

/** Something that must not be. */
export interface Finding {
  /** What happened, without names and times: findings of one class are one. */
  readonly what: string;
  /** Which of the uncertainties of docs/limits.md explains it: (a), (b) and (c) of DESIGN 2.3; (d) is a list that is wrongly empty or old. */
  readonly permitted?: string;
  readonly detail: string;
}

/** What the judge has to be told of the history beside what it sees. */
interface Circumstances {
  readonly panel: PanelAtWork;
  readonly engine: Engine;
  /** What the program declares now. */
  readonly declared: readonly Declared[];
  /** When triggers were changed, and which works and POSTs were not settled then. */
  readonly unsettledAtNewTriggers: ReadonlySet<object>;
  /** When each intent was saved. */
  readonly intentsMadeAt: ReadonlyMap<string, number>;
  /** When an engine was killed. */
  readonly kills: readonly number[];
}

/** Judges a POST at the moment it is sent. */
export function judgePost(post: Post, world: Circumstances): Finding | undefined {
  const { panel, declared, unsettledAtNewTriggers } = world;
  const { owner } = post;
  if (owner === "panel" || owner === "person") return undefined;
  const wanted = declared[owner.restore];
  const name = nameOf(owner);
  const earlier = panel.posts.filter((other) => other !== post && sameOwner(other.owner, owner));
  const stored = ownIntent(world, owner);
  for (const other of earlier) {
    const became = becameOf(other);
    if (other.fate.answer === "refused" || became === "failed") continue;
    // Run again after the last look before this POST.
    const { rerunAt = -Infinity } = other.work ?? {};
    if (rerunAt > post.sentAt - panel.manners.answersAfterMs - 1_000) continue;
    // A job that was cancelled before a restore of it was listed is nothing to ask about (DESIGN 2.3).
    if (became === "cancelled" && !other.work?.parts.some(({ isRestore }) => isRestore)) continue;
    if (stored && isUnaccounted(stored)) {
      return { what: "posted again, though stored as unconfirmed", detail: `${name}, the first one ${became}` };
    }
    if (became === "never carried out" || wanted?.adopt === "never") continue;
    // The restore before it was sent anew while this one's own request was under way, and what was listed of it since is taken for that one.
    const isUnsettled = other.work !== undefined && unsettledAtNewTriggers.has(other.work);
    return { what: `a second POST; the first one: ${became}`, ...(isUnsettled && { permitted: "b" }), detail: name };
  }
  if (wanted && wanted.timeouts["busy"] !== 0 && panel.manners.tie !== "nothing") {
    // A part that nothing links to its restore, below a page of rows of others, is seen by nobody.
    const isInSight = ({ ordinal }: { readonly ordinal: number }): boolean =>
      panel.manners.foreign === undefined ||
      panel.works.reduce((sum, { parts }) => sum + parts.filter((part) => part.ordinal > ordinal).length, 0) < 10;
    const busy = panel.works.find(
      (work) =>
        work.machine === wanted.machine &&
        work.parts.some(
          (part) =>
            (part.status === "pending" || part.status === "running") &&
            part.listedAt < post.sentAt - 5_000 &&
            isInSight(part),
        ),
    );
    const isMisled = isOddAt(panel, intentMadeAt(world, owner));
    if (busy) {
      const what = "a POST while the machine was seen to work";
      return { what, ...(isMisled && { permitted: "d" }), detail: `${name} beside ${tell(busy)}` };
    }
  }
  return undefined;
}

/** Restores of one machine are carried out in the program's order, each behind one that is complete on the panel (DESIGN 2.2). */
export function judgeOrder(post: Post, world: Circumstances): Finding | undefined {
  const { owner } = post;
  if (typeof owner === "string") return undefined;
  const { engine, declared, panel } = world;
  const machine = declared[owner.restore]?.machine;
  const before = declared.findLastIndex((one, index) => index < owner.restore && one.machine === machine);
  if (before === -1) return undefined;
  const isRecord = (one: Stored): boolean => !one.delete && one.operations !== "RestoreIntent";
  const record = engine.state.find((one) => isRecord(one) && one.restore === before);
  const became = record === undefined ? "not there" : whatBecameOf(record, panel);
  if (became === "complete") return undefined;
  const isMisled = isOddAt(panel, intentMadeAt(world, owner)) || isOddAt(panel, post.sentAt);
  return {
    what: `a POST behind a restore that is ${became}`,
    ...(isMisled && { permitted: "d" }),
    detail: `${nameOf(owner)} behind ${record === undefined ? String(before) : record.urn}`,
  };
}

/** As the panel knows it, whatever the record says: by its transactions, and by what it has posted for its present triggers. */
function whatBecameOf(record: Stored, panel: PanelAtWork): string {
  if (isUnaccounted(record)) return "unconfirmed";
  const owner = ownerOf(record);
  const ids = (record.outputs["transactionIds"] ?? []) as readonly string[];
  const known = new Set(ids.flatMap((id) => panel.part(id)?.work ?? []));
  const works = [...known, ...panel.works.filter((work) => sameOwner(work.owner, owner))];
  const isOpen = ({ parts }: Work): boolean =>
    parts.some(({ isRestore, status }) => isRestore && (status === "pending" || status === "running"));
  if (works.some(isOpen)) return "under way";
  const ends = [...known].flatMap(({ parts }) =>
    parts.filter(({ isRestore }) => isRestore).map(({ status }) => status),
  );
  if (ends.length === 0) return "not there";
  return ends.find((status) => status !== "complete") ?? "complete";
}

/** Being unconfirmed is an error in every run (DESIGN 2.1), so a run that ends well leaves none. */
export function judgeEnd({ engine }: Circumstances): Finding | undefined {
  const open = engine.state.find((one) => !one.delete && one.operations !== "RestoreIntent" && isUnaccounted(one));
  return open && { what: "a run that ends well with a restore that is unconfirmed", detail: open.urn };
}

/** Judges what the engine has just saved. */
export function judgeState(world: Circumstances): Finding | undefined {
  for (const stored of world.engine.state) {
    if (stored.operations === "RestoreIntent" || stored.delete) continue;
    const finding = judgeStored(stored, world);
    if (finding) return finding;
  }
  return undefined;
}

function judgeStored(stored: Stored, world: Circumstances): Finding | undefined {
  const { panel } = world;
  const owner = ownerOf(stored);
  const name = nameOf(owner);
  const ids = (stored.outputs["transactionIds"] ?? []) as readonly string[];
  const status = String(stored.outputs["status"]);
  const works = new Set<Work>();
  for (const id of ids) {
    const work = panel.part(id)?.work;
    if (work === undefined) return { what: "stored with a transaction that does not exist", detail: `${name}: ${id}` };
    works.add(work);
  }
  const own = [...works].filter((work) => sameOwner(work.owner, owner));
  for (const work of works) {
    if (own.includes(work)) continue;
    const beside = own.length > 0 ? "beside its own" : "for its own";
    const whose =
      typeof work.owner === "string"
        ? work.owner === "person"
          ? "a person's"
          : "the panel's"
        : work.owner.restore === owner.restore
          ? "its own former one's"
          : "another restore's";
    const permitted = excuse(work, stored, owner, world);
    return {
      what: `${status === "complete" ? "complete" : "stored"} with ${whose} transaction ${beside}`,
      ...(permitted !== undefined && { permitted }),
      detail: `${name}: ${tell(work)}`,
    };
  }
  if (status !== "complete") return undefined;
  if (own.length === 0) return { what: "complete with no transaction", detail: name };
  // What comes after the restore, like the start of the machine, counts where it is listed and says what it belongs to.
  const now = panel.time.now();
  for (const work of own) {
    const restores = work.parts.filter(({ isRestore }) => isRestore);
    const restore = restores.find(({ status }) => status !== "complete") ?? restores[0];
    const isLinked = panel.manners.link !== "none";
    const open = work.parts.find((part) => isLinked && part.listedAt < now - 60_000 && part.status !== "complete");
    if (restore?.status !== "complete" || open !== undefined) {
      // A part that is listed after the end was seen, or that no chain id ties to the ids that are known of a stored one.
      const isUntold = open !== undefined && restore?.status === "complete" && !ids.includes(open.id);
      // DESIGN 2.3 (d): listed only after all that was known had ended.
      const isListedAfter = restores.some(
        ({ id, listedAt, madeAt }) => !ids.includes(id) && (listedAt > now || listedAt > madeAt + 15_000),
      );
      if (isListedAfter) {
        const what = "complete, before a further part of its own was listed";
        return { what, permitted: "d, a part", detail: `${name}: ${tell(work)}` };
      }
      return {
        what: `complete, while its own restore is ${restore?.status ?? "not begun"}`,
        ...(isUntold && { permitted: "a part that was not known" }),
        detail: `${name}: ${tell(work)}`,
      };
    }
  }
  return undefined;
}

/** Which uncertainty of DESIGN 2.3 explains that a restore has this work, which is not its own. */
function excuse(work: Work, stored: Stored, owner: OwnMark, world: Circumstances): string | undefined {
  const { panel, kills, unsettledAtNewTriggers } = world;
  const { tells, stamps } = panel.manners;
  const intent = stored.outputs["intent"] as { readonly id?: string } | undefined;
  const madeAt = world.intentsMadeAt.get(intent?.id ?? "") ?? Number.NaN;
  const posts = panel.posts.filter((post) => sameOwner(post.owner, owner));
  if (work.owner === "person") {
    const wanted = world.declared[owner.restore];
    const namesPoint = tells === "point" || tells === "point and paths";
    if (work.machine !== wanted?.machine || (namesPoint && work.point !== wanted.point)) return undefined;
    // Where the page that the intent was made from was not so either, nothing tells that the one before the POST is not.
    if (isOddAt(panel, madeAt)) return "d";
    if (wanted.timeouts["busy"] === 0) return "a, busy: 0";
    const isListedLate = posts.some((post) =>
      work.parts.some((part) => part.madeAt <= post.sentAt && part.listedAt > post.sentAt - 3_000),
    );
    if (isListedLate) return "a, listed late";
    const lastMadeAt = Math.max(...work.parts.map((part) => part.madeAt));
    // The page that an intent is made from was read before it was saved.
    if (lastMadeAt < madeAt - panel.manners.answersAfterMs - 100)
      return isLateWithoutZone(work, madeAt, stamps) ? "c" : undefined;
    // A run that has sent nothing leaves the intent, as a killed one does.
    if (posts.every(({ fate }) => fate.answer === "refused")) return "a, not sent yet";
    const isBeforeRetry = posts.some((post) => becameOf(post) === "failed" && work.madeAt > post.sentAt);
    if (isBeforeRetry) return "a, before the next try";
    const listed = ({ work: made }: Post): number =>
      made?.parts.find(({ isRestore }) => isRestore)?.listedAt ?? Infinity;
    // It is not looked for before there is an answer, or none will come.
    const looked = (post: Post): number =>
      Math.max(listed(post), post.sentAt + (post.fate.answer === "silence" ? 30_000 : 0));
    const isBesideListing = posts.some((post) => work.madeAt >= post.sentAt - 5_000 && work.madeAt <= looked(post));
    if (isBesideListing) {
      return posts.some(({ work: made }) => made === undefined) ? "a, never listed" : "a, until listed";
    }
    if (kills.some((at) => at >= work.madeAt)) return "a, before the kill";
    // Two windows that are wider than the words of (a), and follow from the rules all the same: a later attempt looks at everything above
    // its mark, and of several that fit all are waited for until a read that began after the last of them had ended.
    if (kills.some((at) => at >= madeAt)) return "a, after the kill";
    const ended = (post: Post): number => shownAt(panel, Math.max(post.work?.endedAt ?? Infinity, looked(post)));
    const isWhileItRan = posts.some((post) => work.madeAt >= post.sentAt && work.madeAt <= ended(post) + 15_000);
    return isWhileItRan ? "a, while it ran" : undefined;
  }
  if (work.owner === "panel") return undefined;
  if (unsettledAtNewTriggers.has(work)) return "b";
  if (isOddAt(panel, madeAt)) return "d";
  // A failure was stored at some moment after it ended, and the next try looks above where the list stood then.
  if (posts.some((post) => becameOf(post) === "failed") && isLateWithoutZone(work, Infinity, stamps)) return "c";
  const marks = [madeAt, ...posts.map(({ sentAt }) => sentAt)];
  return marks.some((at) => isLateWithoutZone(work, at, stamps)) ? "c" : undefined;
}

/** When the panel's pages show what is so at a moment: an old page shows it later. */
function shownAt({ oddSpans }: PanelAtWork, at: number): number {
  return oddSpans.reduce((shown, { from, until }) => (shown >= from && shown < until ? until : shown), at);
}

function isOddAt({ oddSpans }: PanelAtWork, at: number | undefined): boolean {
  return at !== undefined && oddSpans.some(({ from, until }) => at >= from && at < until);
}

function isLateWithoutZone(work: Work, markedAt: number, stamps: string): boolean {
  if (stamps === "Z" || stamps === "+02:00") return false;
  return work.parts.some(
    (part) =>
      part.listedAt > part.madeAt && part.madeAt <= markedAt && (part.listedAt >= markedAt || markedAt === Infinity),
  );
}

type OwnMark = Exclude<Owner, string>;

/** Whose a stored restore is: its place in the program, and the triggers it was made with. */
export function ownerOf(stored: Stored): OwnMark {
  const [trigger] = (stored.outputs["triggers"] ?? []) as readonly string[];
  return { restore: stored.restore, generation: Number(/\d+$/.exec(trigger ?? "")?.[0] ?? -1) };
}

export function sameOwner(a: Owner, b: Owner): boolean {
  if (typeof a === "string" || typeof b === "string") return a === b;
  return a.restore === b.restore && a.generation === b.generation;
}

function ownIntent({ engine }: Circumstances, owner: OwnMark): Stored | undefined {
  return engine.state.find(
    (one) => one.operations !== "RestoreIntent" && !one.delete && sameOwner(ownerOf(one), owner),
  );
}

function intentMadeAt({ engine, intentsMadeAt }: Circumstances, owner: OwnMark): number | undefined {
  const isOwn = (one: Stored): boolean =>
    one.operations === "RestoreIntent" && !one.delete && sameOwner(ownerOf(one), owner);
  const id = engine.state.find(isOwn)?.id;
  return id === undefined ? undefined : intentsMadeAt.get(id);
}

/** Posted, and with no transaction: nobody may send it again. */
function isUnaccounted({ outputs }: Stored): boolean {
  const ids = (outputs["transactionIds"] ?? []) as readonly string[];
  return ids.length === 0 && (outputs["status"] === "accepted" || outputs["status"] === "unknown");
}

function becameOf(post: Post): string {
  if (!post.fate.carriedOut) return "never carried out";
  return post.open ? "under way" : (post.work?.status ?? "lost");
}

export function nameOf(owner: Owner): string {
  return typeof owner === "string" ? owner : `r${String(owner.restore)} of generation ${String(owner.generation)}`;
}

export function tell(work: Work): string {
  const ids = work.parts.map(({ id }) => id).join("+");
  return `${ids} (${work.kind} of ${work.machine}, ${nameOf(work.owner)}, ${work.status})`;
}
