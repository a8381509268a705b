import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { waveNotCompleteText, verdictText } from "../../drills/engine/parts";
import { unknownString } from "../../provider/inputs/read-values";
import * as engine from "../../provider/engine/messages";
import { ConfigurationError, howToAllow, whyNotAllowed } from "../../provider/inputs/settings";
import { panelError } from "../../provider/panel/errors";
import { knownStatus } from "../../provider/panel/conventions";
import { messageText, partsOf } from "../../provider/plain/message";
import type { RestoreRecord } from "../../provider/inputs/record";
import * as texts from "../../provider/restore/messages";
import type { Job } from "../../provider/rows/jobs";
import type { Row } from "../../provider/rows/order";

/**
 * Every message about a restore, a wave and a plan, to be read as a whole. `UPDATE_GOLDEN=yes` writes the file anew; a text without a case fails.
 * test/docs/messages.test.ts counts sentences and words.
 */
const golden = join(__dirname, "messages.golden.txt");

const request = {
  name: "web",
  target: { kind: "VmRestore", virtualMachineId: "42", recoveryPointId: "1007" },
  timeouts: { busyMs: 1_800_000, listedMs: 120_000, runMs: 14_400_000, settleMs: 15_000 },
  retryFailed: true,
} as Parameters<typeof texts.endedText>[0];
const ruled = { ...request, target: { ...request.target, recoveryPoint: { pick: "newest" as const } } };
const who = texts.subject(request);
const intended = (takenAt?: string) =>
  ({ ...request, intent: { mark: { takenAt } } }) as Parameters<typeof texts.questionText>[0];

const now = Date.parse("2026-11-26T03:10:00Z");
const words = { restoreActions: [], completeStatuses: [], failedStatuses: [] };
const job = (
  id: string,
  action: string,
  status: string | undefined,
  more: Partial<Job> = {},
  facts: Partial<Row> = {},
): Job => {
  const row = {
    id,
    action,
    status,
    word: status,
    state: (status && knownStatus(status)) ?? "unknown",
    createdAt: "2026-11-26T03:00:00Z",
    ...facts,
  } as unknown as Row;
  return {
    rows: [row],
    main: row,
    contradictions: [],
    whose: "this machine",
    mayBeRestore: true,
    ...more,
  } as unknown as Job;
};
const seen = (one: Job) => ({ jobs: [one], rows: one.rows });
const restoring = job("5015", "restore_virtual_machine", "running");
const another = job("5016", "restore_virtual_machine", "complete", {
  contradictions: ["names another recovery point"],
});
const unsaid = job("5017", "clone", "complete", { whose: "not said", mayBeRestore: false });
const many = Array.from({ length: 14 }, (_one, n) => job(String(5020 + n), "restore_backup", "running"));
const again = (replaces: readonly string[], ids: readonly string[]): string =>
  engine.overwritesText({ machine: "42", point: "1007" }, { why: engine.whyReplaced(replaces, ids) });
const record = (given: Partial<RestoreRecord>): RestoreRecord => ({
  status: "failed",
  transactionId: "5015",
  transactionIds: ["5015"],
  adopted: false,
  warnings: [],
  durationSeconds: 3_905,
  ...given,
});

const address = "https://panel.example";
const get = { address, method: "GET", path: "/transactions.json/per_page/100" };
const post = { address, method: "POST", path: "/virtual_machines/42/backups/recovery_points/1007/restore.json" };
const [credentials, forbidden] = [
  panelError("credentials", { ...get, status: 401 }),
  panelError("forbidden", { ...get, status: 403 }),
];
const notConnected = panelError("connection", post, "ECONNREFUSED", false);
const refused = { status: 422, panelMessages: ["base: the machine is locked"], requestId: "7f3a-11" };
const silent = panelError("timeout", get, "firstByte", 27_000);
const place = { where: "recovery:allowedMachines in the stack's configuration", ids: ["41", "43"] };

const cases: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  notSentText: {
    "the run is gone": texts.notSentText(request, texts.runIsGone),
    "the failed attempt is not listed": texts.notSentText(request, texts.failureIsGone),
    "the list cannot be read": texts.notSentText(request, partsOf(credentials)),
    "the list is forbidden": texts.notSentText(request, partsOf(forbidden)),
    "the certificate": texts.notSentText(
      request,
      partsOf(panelError("certificate", get, "DEPTH_ZERO_SELF_SIGNED_CERT")),
    ),
    "no word for an end": texts.notSentText(request, texts.noKnownEnd(["ok", "gone", "half", "more", "most", "last"])),
    "held up": texts.notSentText(request, texts.heldUp),
    "a machine that may not be restored": texts.notSentText(request, {
      what: whyNotAllowed("42", [place, { where: "RECOVERY_ALLOWED_MACHINES", ids: [] }]) ?? "",
      next: howToAllow,
      help: "machines",
    }),
  },
  questionText: {
    "one job": texts.questionText(intended(), [restoring], now),
    "several jobs": texts.questionText(intended("2026-11-26T02:58:00.000Z"), [restoring, another, unsaid], now),
    "many jobs": texts.questionText(intended(), many, now),
    "a list that cannot be read so far": texts.questionText(intended(), [restoring], now, "too far down"),
    "a list without its mark": texts.questionText(intended(), [], now, "gone"),
  },
  busyText: {
    "within its limit": texts.busyText(
      request,
      job("5020", "take_backup", "running"),
      words,
      texts.limitName(request, "busy"),
    ),
    "without a wait": texts.busyText(request, job("5020", "take_backup", "running"), words, undefined),
    "a word that nobody knows": texts.busyText(request, job("5020", "take_backup", "partial"), words, undefined),
  },
  refusedText: {
    "by the panel": texts.refusedText(request, panelError("invalid", { ...post, ...refused })),
    "of a rule's point": texts.refusedText(ruled, panelError("notFound", { ...post, status: 404 })),
    "no connection": texts.refusedText(request, notConnected),
    "no connection, with a rule": texts.refusedText(ruled, notConnected),
  },
  notTakenText: {
    "is not listed": texts.notTakenText(request, "5015", "the list does not show it, or it is of another machine"),
    "cannot be looked for": texts.notTakenText(request, "5015", "it could not be looked for", partsOf(forbidden)),
  },
  notListedText: {
    "nothing listed": texts.notListedText(request, [], now, "nothing of it was listed within timeouts.listed (2m)"),
    "a list that cannot be read": texts.notListedText(
      request,
      [],
      now,
      "the panel's list cannot be read",
      partsOf(credentials),
    ),
    "jobs that may be it": texts.notListedText(
      request,
      [restoring, another],
      now,
      "nothing of it was listed within timeouts.listed (2m)",
    ),
    "a job that may be it": texts.notListedText(
      request,
      [restoring],
      now,
      "nothing of it was listed within timeouts.listed (2m)",
    ),
    "an unknown action": texts.notListedText(
      request,
      [unsaid],
      now,
      "nothing of it was listed within timeouts.listed (2m)",
    ),
  },
  unfinishedText: {
    "a limit": texts.unfinishedText(
      request,
      record({ status: "running" }),
      "it has not ended within timeouts.run (4h)",
    ),
    "several transactions": texts.unfinishedText(
      request,
      record({ status: "pending", transactionIds: ["5015", "5016", "5017"] }),
      "it has not ended within timeouts.total (8h)",
    ),
    "a password that was changed": texts.unfinishedText(
      request,
      record({ status: "running" }),
      "the panel's list cannot be read",
      partsOf(credentials),
    ),
    "a slow panel": texts.unfinishedText(
      request,
      record({ status: "running" }),
      "it has not ended within timeouts.run (4h)",
      partsOf(silent),
    ),
  },
  goneText: { "": texts.goneText(request, record({ status: "running" })) },
  differText: { "": texts.differText(request, [restoring, another], now) },
  unclearText: {
    "a field that contradicts it": texts.unclearText(
      request,
      seen(
        job(
          "5015",
          "restore_backup",
          "done",
          {},
          { state: "unclear", saysComplete: true, against: "error: disk full" },
        ),
      ),
      words,
      now,
    ),
    "a result in a word that nobody knows": texts.unclearText(
      request,
      seen(job("5015", "restore_backup", "closed half done", {}, { state: "unclear", word: "half done" })),
      { ...words, completeStatuses: ["okay"] },
      now,
    ),
    "no status": texts.unclearText(
      request,
      seen(job("5015", "restore_backup", undefined, {}, { state: "unclear" })),
      words,
      now,
    ),
  },
  endedText: {
    failed: texts.endedText(request, record({})),
    "failed, not again": texts.endedText({ ...request, retryFailed: false }, record({})),
    cancelled: texts.endedText(request, record({ status: "cancelled" })),
    "a part failed": texts.endedText(request, record({ failedPart: "5016", action: "restore_backup" })),
    "a part failed, without an action": texts.endedText(request, record({ failedPart: "5016" })),
  },
  answerLostText: { "": texts.answerLostText(panelError("connection", post, "ECONNRESET", true)) },
  deniedText: { "": texts.deniedText(["machine is locked"]) },
  adoptedText: { "": texts.adoptedText(restoring, now) },
  runAgainText: { "": texts.runAgainText(restoring, now) },
  guessText: {
    "no machine": texts.guessText("unsaid", [unsaid], now),
    several: texts.guessText("several", [restoring, another], now),
    appeared: texts.guessText("appeared", [restoring], now),
  },
  takenText: { "": texts.takenText("5016", ["names recovery point 1003"]) },
  adoptUnusedText: { "": texts.adoptUnusedText("5016") },
  unknownStatusText: { "": texts.unknownStatusText(job("5015", "restore_backup", "half").rows[0]) },
  overwritesText: {
    machine: engine.overwritesText({ machine: "42", point: "1007" }),
    files: engine.overwritesText({ machine: "42", point: "1007", paths: ["/etc/nginx/nginx.conf", "/var/www"] }),
    "a rule not yet chosen": engine.overwritesText({ machine: "42", point: { pick: "newest" } }),
    "known only later": engine.overwritesText({ machine: unknownString, point: unknownString, paths: [unknownString] }),
    "of a failed restore": again(["status"], ["5015"]),
    "along with its machine": again(["__behind"], []),
    "by new triggers": again(["recoveryPoint", "triggers"], []),
  },
  forgottenText: {
    "never listed": engine.forgottenText("web", []),
    listed: engine.forgottenText("web", ["5015", "5016"]),
  },
  noCheckpointsText: { "": engine.noCheckpointsText(who) },
  noIntentText: { "": engine.noIntentText(who) },
  otherIntentText: {
    "": engine.otherIntentText(
      who,
      ["recoveryPointId", "triggers"],
      "urn:pulumi:dr::shop::pulumi-nodejs:recovery:Intent::web-vm-intent",
    ),
  },
  intentElsewhereText: { "": engine.intentElsewhereText(who, address, "https://other.example") },
  elsewhereText: { "": engine.elsewhereText(request, address, "https://other.example") },
  previousText: {
    "": engine.previousText(who, "urn:pulumi:dr::shop::pulumi-nodejs:recovery:VmRestore::db", "db", "failed"),
  },
  noPointText: { "": engine.noPointText(request) },
  nothingRestoredText: {
    "": engine.nothingRestoredText("web", "5015", "**::web*"),
    "without its intent": engine.nothingRestoredText("web", "5015", undefined),
  },
  refreshFailedText: {
    "": engine.refreshFailedText(request, credentials),
    "a slow panel": engine.refreshFailedText(request, silent),
  },
  notConnectedText: {
    "": engine.notConnectedText(
      request,
      new ConfigurationError(["recovery:username is not set: run `pulumi config set recovery:username`"]),
    ),
  },
  waveNotCompleteText: {
    "one of three": waveNotCompleteText({ db: [texts.endedText({ ...request, name: "db" }, record({}))] }, 3),
    "a check": waveNotCompleteText(
      {
        db: ["check http did not pass: status 503"],
        web: ["not sent: db, the previous restore of machine 42, is not complete"],
      },
      40,
    ),
    "all of forty": waveNotCompleteText(
      Object.fromEntries(
        Array.from({ length: 40 }, (_one, n) => [
          `vm${String(n)}`,
          [texts.refusedText({ ...request, name: `vm${String(n)}` }, notConnected)],
        ]),
      ),
      40,
    ),
  },
  verdictText: {
    failed: verdictText("2026-Q4", {
      verdict: "failed",
      reasons: ["db failed (transaction 5015)", "web was not sent"],
    }),
    incomplete: verdictText("2026-Q4", { verdict: "incomplete", reasons: ["db was not carried out in this run"] }),
  },
  perhapsSentText: { "": engine.perhapsSentText },
  followedText: {
    "that runs": texts.followedText("running", restoring.rows),
    "that has ended, with its parts": texts.followedText(
      "complete",
      [...restoring.rows, ...another.rows],
      "looking for further parts",
    ),
  },
  waitingText: { "": texts.waitingText(another.rows[0], "14:32") },
  "an error of a plan": {
    "of the panel": messageText(partsOf(credentials, "no restore of this wave was sent", "plan")),
    "of the state": messageText(
      partsOf(
        new Error("the stored record of this wave cannot be read: was the state edited?"),
        "nothing of this wave was sent, and the next `pulumi up` carries it out",
        "plan",
      ),
    ),
  },
};

describe("the messages of restores and plans", () => {
  it("are the ones that were read", () => {
    const text = Object.entries(cases)
      .flatMap(([name, all]) =>
        Object.entries(all).map(([which, message]) => `## ${which === "" ? name : `${name}: ${which}`}\n${message}\n`),
      )
      .join("\n");
    if (process.env["UPDATE_GOLDEN"] === "yes") writeFileSync(golden, text);
    assert.equal(text, readFileSync(golden, "utf8"));
  });

  it("show on a row, which the terminal cuts at any column, no part of an id that could be another id", () => {
    const { followedText, waitingText, completeLine } = texts;
    for (const text of [
      followedText("running", restoring.rows),
      followedText("complete", [...restoring.rows, ...restoring.rows], "looking for further parts"),
      waitingText(restoring.rows[0], "14:32"),
      completeLine(record({ status: "complete" })),
    ])
      for (let columns = 0; columns <= text.length; columns++)
        for (const [, id, end] of text.slice(0, columns).matchAll(/\b(50\d*)(\])?/g))
          assert.ok(end === undefined || id === "5015", text.slice(0, columns));
    assert.match(followedText("running", restoring.rows), /^\[5015\] running$/);
  });

  it("have a case each", () => {
    const all = Object.keys({ ...texts, ...engine, waveNotCompleteText, verdictText }).filter((name) =>
      name.endsWith("Text"),
    );
    assert.deepEqual(
      all.filter((name) => !Object.hasOwn(cases, name)),
      [],
    );
  });
});
