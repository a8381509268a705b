import assert from "node:assert/strict";
import { nothingRead } from "../../provider/restore/rows-above";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FinishedStatus, RestoreRecord } from "../../provider/inputs/record";
import type { Intent, RestoreRequest, RestoreTarget } from "../../provider/inputs/intent";
import type { Limit } from "../../provider/inputs/read-values";
import type { TransactionId } from "../../provider/panel/types";
import {
  answerLostText,
  beforePostProgressText,
  noPointChosenText,
  notSentText,
  questionText,
  refusedText,
  whyBlocked,
} from "../../provider/restore/before-post-messages";
import {
  type Attempt,
  type BeforePostEnd,
  type BeforePostOver,
  type BeforePostRules,
  type BeforePostState,
  type BeforePostWait,
  initialBeforePost,
  type Look,
  type Question,
} from "../../provider/restore/before-post-state";
import {
  completeLine,
  endedBadlyReason,
  logEnd,
  unconfirmedNeverAdopted,
  unfinishedReason,
  warningText,
  restoreProgressText,
} from "../../provider/restore/messages";
import { requireIntent } from "../../provider/restore/post-restore";
import {
  newProgress,
  type ProgressEnd,
  type RestoreProgress,
  type Search,
  type Underway,
} from "../../provider/restore/restore-progress";
import type { Warning } from "../../provider/restore/result";
import type { SuspectReason } from "../../provider/rows/match-transactions";
import { credentials } from "./support/panel-errors";
import {
  chain,
  intentOf,
  markAt,
  minute,
  newestPageOf,
  ours,
  panelAddress,
  plainWords,
  recordWith,
  requestOf,
  row,
  target,
  timeouts,
} from "./support/rows";
import { omit } from "../../provider/plain/plain";
import type { Row } from "../../provider/rows/chains";

/**
 * Every text about a restore, by the case that has it: `messages.golden.txt` is read as a whole. A case that a union gains does not compile until it
 * stands here. `UPDATE_GOLDEN=yes` writes the file anew.
 */
const golden = join(__dirname, "messages.golden.txt");

type Texts = Readonly<Record<string, string | readonly string[] | undefined>>;

/** One entry, or more, for every case of a union. */
type Each<Union, Tag extends keyof Union> = {
  readonly [Name in Union[Tag] & string]: Readonly<Record<string, Extract<Union, Readonly<Record<Tag, Name>>>>>;
};

const second = 1000;
const hour = 60 * minute;
const mark = markAt("5000");
const request = requestOf({ timeouts: { ...timeouts, totalMs: 90 * second } });
const byRule = requestOf({ target: { ...target, recoveryPoint: { pick: "newest" } } });

const done = ours(5001, { status: "complete", createdAt: "2026-11-21T10:00:00Z" });
const pair = chain(ours(5002, { action: "stop_virtual_machine" }), ours(5003));
const backup = ours(7, { action: "take_backup", status: "running" });
const nameless = row(8);
const otherPoint = row(9, { parentType: "RecoveryPoint", parentId: "9999" });
const many = Array.from({ length: 9 }, (_, index) => chain(ours(5001 + index)));

function mapped<Value>(entries: Readonly<Record<string, Value>>, text: (value: Value) => Texts[string]): Texts {
  return Object.fromEntries(Object.entries(entries).map(([name, value]) => [name, text(value)]));
}

/** The entries of all cases, each named by its case and by what it adds to it. */
function cases<Value>(
  union: Readonly<Record<string, Readonly<Record<string, Value>>>>,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    Object.entries(union).flatMap(([tag, entries]) =>
      Object.entries(entries).map(([name, value]) => [name === "" ? tag : `${tag}, ${name}`, value]),
    ),
  );
}

type Suspect = Extract<Question, { about: "suspect" }>;

const suspects: Readonly<Record<SuspectReason, Suspect>> = {
  "other paths": { about: "suspect", suspect: [{ chain: chain(done), reason: "other paths" }] },
  "listed late": { about: "suspect", suspect: [{ chain: chain(done), reason: "listed late" }] },
  "other point": { about: "suspect", suspect: [{ chain: chain(done), reason: "other point" }] },
  "older chain": { about: "suspect", suspect: [{ chain: chain(done), reason: "older chain" }] },
  "queued behind": { about: "suspect", suspect: [{ chain: chain(done), reason: "queued behind" }] },
  overwritten: {
    about: "suspect",
    suspect: [
      { chain: chain(done), reason: "overwritten" },
      { chain: pair, reason: "other paths" },
    ],
  },
};

type UnusablePage = Extract<Question, { about: "unusable page" }>;

const unusablePages: Readonly<Record<UnusablePage["why"], UnusablePage>> = {
  empty: { about: "unusable page", why: "empty" },
  "still empty": { about: "unusable page", why: "still empty" },
  older: { about: "unusable page", why: "older" },
  "not newest first": { about: "unusable page", why: "not newest first" },
};

const questions: Each<Question, "about"> = {
  several: {
    "": { about: "several", chains: [chain(done), pair] },
    "more than can be named": { about: "several", chains: many },
  },
  "complete for long": {
    "": { about: "complete for long", chain: chain(done), ageMs: 7 * hour },
    "age unknown": { about: "complete for long", chain: chain(done), ageMs: undefined },
  },
  suspect: suspects,
  unfinished: { "": { about: "unfinished", chains: [chain(ours(5001, { action: "stop_virtual_machine" }))] } },
  whose: {
    "": { about: "whose", rows: [nameless], trouble: "HTTP 403." },
    "still running": { about: "whose", rows: [row(8, { status: "running" })], trouble: "HTTP 403" },
    "another recovery point": { about: "whose", rows: [otherPoint], trouble: "HTTP 403" },
  },
  "unusable page": unusablePages,
};

/** Users' states hold these texts, and programs may compare them: none may change. */
const warnings: Each<Warning, "kind"> = {
  adopted: {
    "": { kind: "adopted", rows: [done], ageMs: 2 * minute },
    "age unknown": { kind: "adopted", rows: pair, ageMs: undefined },
    "action unknown": { kind: "adopted", rows: [{ id: ours(5002).id }], ageMs: undefined },
  },
  "run again": { "": { kind: "run again", rows: pair } },
  "not told whose": { "": { kind: "not told whose", transactionIds: ["5001", "5002"] } },
  "other point": { "": { kind: "other point", transactionId: "5001" } },
  taken: { "": { kind: "taken", transactionId: "5001" } },
  "other paths": { "": { kind: "other paths", transactionId: "5001" } },
  old: { "": { kind: "old", transactionId: "5001", ageMs: 7 * 60 * minute } },
  "appeared later": { "": { kind: "appeared later", rows: [done, { id: ours(5002).id }] } },
  indistinguishable: { "": { kind: "indistinguishable", transactionIds: ["5001", "5002"] } },
  "unrecognized status": { "": { kind: "unrecognized status", status: "warn" } },
  stored: { "": { kind: "stored", text: "the text of an earlier release" } },
};

const seen = recordWith({
  transactionId: "5012",
  transactionIds: ["5012"],
  action: "restore_recovery_point",
  status: "running",
});
const timed = { durationSeconds: 372, queuedSeconds: 120 };
const accepted = recordWith({ status: "accepted" });

interface Unfinished {
  readonly record?: RestoreRecord;
  readonly state?: Partial<Underway>;
  readonly end?: ProgressEnd;
}

const limits: Readonly<Record<Limit, Readonly<Record<string, Unfinished>>>> = {
  busy: {},
  listed: {
    known: {},
    "known, list not read to its end": { state: { readFarEnough: false } },
    accepted: { record: accepted },
    "accepted, list not read to its end": { record: accepted, state: { readFarEnough: false } },
    "answer lost": { record: recordWith({ status: "unknown" }), state: { posted: "unknown" } },
    "posted by an earlier run": {
      record: accepted,
      state: { search: { kind: "unconfirmed", mark, predecessorIds: [] } },
    },
    "others seen": {
      record: accepted,
      state: {
        candidates: {
          fits: [],
          suspect: [{ chain: chain(ours(6)), reason: "other paths" }],
          others: [chain(ours(7, { action: "recover", status: "running" }))],
          unattributed: [chain(nameless)],
        },
      },
    },
    "one that may be its first part seen": {
      record: accepted,
      state: {
        candidates: {
          fits: [],
          suspect: [],
          others: [chain(ours(7, { action: "stop_virtual_machine", status: "complete" }))],
          unattributed: [],
        },
      },
    },
    "one of another recovery point seen": {
      record: accepted,
      state: {
        candidates: { fits: [], suspect: [], others: [], unattributed: [chain(otherPoint)] },
      },
    },
    "many others seen": {
      record: accepted,
      state: { candidates: { fits: [], suspect: [], others: many, unattributed: [] } },
    },
  },
  queue: { "": { record: { ...seen, status: "pending" } } },
  run: {
    "": {},
    "panel out of reach": { state: { lastTrouble: "GET /transactions.json: no answer." } },
  },
  total: { "": {} },
};

type OtherEnd = Exclude<ProgressEnd, { how: "limit" }>;

const ends: { readonly [How in OtherEnd["how"]]: Readonly<Record<string, Unfinished & { readonly end: OtherEnd }>> } = {
  ended: { "": { end: { how: "ended", status: "complete" }, record: { ...seen, status: "complete" } } },
  differs: {
    "": {
      end: { how: "differs" },
      record: recordWith({ status: "unknown", transactionIds: ["5012", "5013"] }),
      state: {
        above: [ours(5012, { status: "complete" }), ours(5013, { status: "failed" })],
        ids: ["5012", "5013"],
      },
    },
  },
  "access-denied": {
    "": { end: { how: "access-denied", error: credentials() } },
    "answer lost": {
      end: { how: "access-denied", error: credentials() },
      record: recordWith({ status: "unknown" }),
    },
  },
  "not-this-machine": { "": { end: { how: "not-this-machine" }, record: { ...seen, status: "unknown" } } },
  several: { "": { end: { how: "several", chains: [chain(done), pair] }, record: accepted } },
  "read-enough": { "": { end: { how: "read-enough" } } },
};

function unfinishedText(end: ProgressEnd, { record = seen, state }: Unfinished): string {
  const start = newProgress({ kind: "posted", mark }, 0);
  return unfinishedReason(request, record, { ...start, ...state, phase: "over", end });
}

const badEnds: Readonly<Record<Exclude<FinishedStatus, "complete">, Texts>> = {
  failed: {
    "": bad("failed"),
    "settings not read": endedBadlyReason(request, { ...seen, status: "failed" }),
    "other settings": endedBadlyReason(
      requestOf({ timeouts: { ...timeouts, listedMs: 15 * second } }),
      { ...seen, status: "failed" },
      5 * second,
    ),
    "a chain": endedBadlyReason(request, { ...seen, status: "failed", transactionIds: ["5011", "5012"] }, 30 * second),
    'adopt: "never"': bad("failed", requestOf({ adopt: "never" })),
    "adopt names it": bad("failed", requestOf({ adopt: "5012" as TransactionId })),
    "retryFailed: false": bad("failed", requestOf({ retryFailed: false })),
    "parts never began": endedBadlyReason(
      request,
      { ...seen, status: "failed", transactionIds: ["5012", "5013", "5014"] },
      30 * second,
      [ours(5013, { action: "startup_virtual_machine" }), row(5014)],
    ),
  },
  cancelled: { "": bad("cancelled") },
};

function bad(status: FinishedStatus, asked: RestoreRequest = request): string {
  return endedBadlyReason(asked, { ...seen, ...timed, status }, 30 * second);
}

type Blocked = Extract<BeforePostEnd, { how: "busy" | "limit" | "access-denied" }>;
interface Block {
  readonly end: Blocked;
  readonly state?: Partial<Omit<BeforePostWait, "phase" | "awaits">>;
  readonly changes?: Partial<RestoreRequest["timeouts"]>;
}

function lookOf(...above: Row[]): Look {
  return {
    newestPage: newestPageOf(above),
    ...nothingRead,
    above,
    below: [],
    newIds: new Set<string>(),
    isWhole: true,
    wholeReadAt: 0,
  };
}

const noCandidates = { fits: [], suspect: [], others: [], unattributed: [] };
const busy: Blocked = { how: "limit", limit: "busy" };

const blocks: { readonly [How in Blocked["how"]]: Readonly<Record<string, Block>> } = {
  limit: {
    "busy, a job": { end: busy, state: { blockers: [chain(backup)] } },
    "busy, a job since the intent": { end: busy, state: { blockers: [chain(backup)], look: lookOf(backup) } },
    "busy, the log": { end: busy, state: { unattributed: [nameless] } },
    "busy, the log, looking back": {
      end: busy,
      state: { unattributed: [nameless], candidates: noCandidates },
    },
    "busy, the list": { end: busy, state: { lastTrouble: "no answer." } },
    "busy, the list, shorter than a request": { end: busy, changes: { busyMs: second } },
    "busy, looking back": { end: busy, state: { candidates: noCandidates } },
    "listed, a job": { end: { how: "limit", limit: "listed" }, state: { blockers: [chain(backup)] } },
    "busy, a status nobody knows": { end: busy, state: { blockers: [chain({ ...backup, status: "warn" })] } },
    "total, a job": { end: { how: "limit", limit: "total" }, state: { blockers: [chain(backup)] } },
  },
  "access-denied": { "": { end: { how: "access-denied", error: credentials() } } },
};

function blockedText({ end, state, changes }: Block): string {
  const asked = { ...request, timeouts: { ...request.timeouts, ...changes } };
  const over: BeforePostOver = { ...omit(initialBeforePost(0), "phase"), ...state, phase: "over", end };
  return notSentText(asked, whyBlocked(asked, rules, over));
}

const files: RestoreTarget = { ...target, kind: "FileRestore", paths: ["/a", "/b"], triggers: [1, { on: "x" }] };

const refusals: Texts = {
  "no intent": refusal(target, undefined),
  "made for another restore": refusal(target, { madeFor: { ...target, recoveryPointId: "1", triggers: ["x"] } }),
  "made for another machine": refusal(target, { madeFor: { ...target, virtualMachineId: "43" } }),
  "made for the whole machine": refusal(files, { madeFor: { ...files, kind: "VmRestore" } }),
  "made for triggers in another order": refusal(files, { madeFor: { ...files, triggers: [{ on: "x" }, 1] } }),
  "made for fewer paths": refusal(files, { madeFor: { ...files, paths: ["/a"] } }),
  "made on another panel": refusal(target, { mark: markAt("1", { panel: "https://old" }) }),
};

function refusal(wanted: RestoreTarget, made: Partial<Intent> | undefined): string {
  const permission = requireIntent(
    { ...requestOf({ target: wanted }), ...(made && { intent: intentOf(made) }) },
    panelAddress,
  );
  assert.ok("refusal" in permission);
  return permission.refusal;
}

function taken(phase: Underway["phase"], ...rows: ReturnType<typeof ours>[]): Underway {
  return { ...newProgress({ kind: "posted", mark }, 0), phase, above: rows, ids: rows.map(({ id }) => id) };
}

const searches: { readonly [Kind in Search["kind"]]: Search } = {
  posted: { kind: "posted", mark },
  unconfirmed: { kind: "unconfirmed", mark, predecessorIds: [] },
  known: { kind: "known" },
};

const phases: { readonly [Phase in RestoreProgress["phase"]]: Readonly<Record<string, RestoreProgress>> } = {
  unlisted: {
    posted: newProgress(searches.posted, 0),
    "answer lost": { ...newProgress(searches.posted, 0), posted: "unknown" },
    unconfirmed: newProgress(searches.unconfirmed, 0),
    known: { ...newProgress(searches.known, 0), ids: ["5012"] },
  },
  queued: {
    "": taken("queued", ours(5012)),
    "behind another job": taken("queued", ours(5012, { dependentTransactionId: "5010" })),
    "behind a part of its own": taken("queued", ours(5011), ours(5012, { dependentTransactionId: "5011" })),
  },
  running: {
    "": taken("running", ours(5012)),
    "panel out of reach": { ...taken("running", ours(5012)), lastTrouble: "no answer" },
    "broken off": { ...taken("running", ours(5012), ours(5013)), brokenOffSince: 1 },
  },
  over: { "": { ...taken("running", ours(5012)), phase: "over", end: { how: "read-enough" } } },
};

const rules: BeforePostRules = {
  target,
  mark,
  words: plainWords,
  ...timeouts,
  requestTimeoutMs: 30 * second,
  adoptWindowMs: 0,
  retryFailed: true,
  isClaimed: () => false,
  attempt: { kind: "first" },
};

function waiting(
  state: Partial<BeforePostWait>,
  attempt: Attempt = { kind: "first" },
  forMs = 90 * second,
): string | undefined {
  const progress = beforePostProgressText({ ...rules, attempt });
  const start = initialBeforePost(0);
  return progress.describe({ ...start, ...state } as BeforePostState, forMs);
}

const later: Attempt = { kind: "later", predecessorIds: [] };
const awaitingLog: Partial<BeforePostWait> = {
  unattributed: [nameless],
  awaits: { what: "log", look: lookOf(nameless), since: 0 },
};

const lists: Readonly<Record<string, Texts>> = {
  "question before the POST": mapped(cases<Question>(questions), (question) => questionText(request, question)),
  "not sent": mapped(cases(blocks), blockedText),
  "not sent, the intent": { ...refusals, "no point chosen": noPointChosenText(request) },
  "POST refused": {
    "": refusedText(request, new Error("HTTP 422.")),
    "point chosen by a rule": refusedText(byRule, new Error("HTTP 422.")),
  },
  "POST, answer lost": { "": answerLostText(new Error("reset")) },
  complete: {
    "": completeLine({ ...seen, ...timed, status: "complete" }),
    adopted: completeLine({ ...seen, status: "complete", adopted: true }),
    "queue unknown": completeLine({ ...seen, status: "complete", durationSeconds: 372 }),
    "times that cannot be": completeLine({ ...seen, status: "complete", durationSeconds: 10, queuedSeconds: 20 }),
  },
  "ended badly": mapped(cases(badEnds), (texts) => texts),
  "end of the log": { "": logEnd(["disk is full", "giving up"]) },
  "not ended, limit": Object.fromEntries(
    Object.entries(limits).flatMap(([limit, entries]) =>
      Object.entries(entries).map(([name, entry]) => [
        name === "" ? limit : `${limit}, ${name}`,
        unfinishedText({ how: "limit", limit: limit as Limit }, entry),
      ]),
    ),
  ),
  "not ended": mapped(cases(ends), (entry) => unfinishedText(entry.end, entry)),
  "unconfirmed, never adopted": { "": unconfirmedNeverAdopted(request) },
  warning: mapped(cases<Warning>(warnings), warningText),
  "progress before the POST": {
    "first attempt": waiting({}),
    "looking back": waiting({}, later),
    "looking back, quiet since a minute": waiting({ quietSince: minute }, later, 70 * second),
    "busy machine": waiting({ blockers: [chain(backup)] }),
    "busy machine, by the second part of a job": waiting({ blockers: [chain(done, backup, pair[0])] }),
    "waiting for the log": waiting(awaitingLog, undefined, 9 * second),
    "waiting for the log, a moment": waiting(awaitingLog, undefined, 4 * second),
    "panel out of reach": waiting({ blockers: [chain(backup)], lastTrouble: "no answer" }),
  },
  "progress after the POST": mapped(cases(phases), (state) =>
    restoreProgressText.describe(state, 2 * minute + 10 * second),
  ),
};

const written = Object.entries(lists)
  .flatMap(([list, texts]) =>
    Object.entries(texts).map(([name, text]) => {
      const title = name === "" ? list : `${list}: ${name}`;
      return `## ${title}\n${text === undefined ? "(nothing)" : [text].flat().join("\n")}\n`;
    }),
  )
  .join("\n");

describe("the texts about a restore", () => {
  if (process.env["UPDATE_GOLDEN"] === "yes") writeFileSync(golden, written);

  it("are those that were read, one for each case", () => {
    assert.equal(written, readFileSync(golden, "utf8"));
  });

  it("leave nothing open and say nothing twice", () => {
    for (const line of written.split("\n")) {
      assert.doesNotMatch(line.trimStart(), /\.\.|undefined|NaN|\s{2}|\[object/);
    }
  });
});
