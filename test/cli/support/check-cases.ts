import type { CheckVerdict } from "../../../cli/check/result";
import type { TransportResponse } from "../../../provider/panel/transport";
import type { PanelOptions, RecoveryPointSpec, SandboxPanel, Scenario } from "../../../sandbox";
import type { VirtualClock } from "../../support/virtual-clock";
import type { CheckSetup } from "./run-check";

/** Enough rows for two pages, and a restore that has ended. */
export async function busy(panel: SandboxPanel, clock: VirtualClock): Promise<void> {
  panel.postRestoreAsSomebodyElse(42, 1007, { seconds: 60 });
  await clock.advance(600_000);
}
const history: Scenario = {
  machines: [42, 43].map((id) => ({ id, identifier: `machine${String(id)}`, recoveryPoints: [1007] })),
  transactions: Array.from({ length: 240 }, (_, index) => ({
    machineId: 42 + (index % 2),
    action: "take_backup",
    status: "complete" as const,
    ageSeconds: (300 - index) * 60,
    seconds: 5,
  })),
};
export const panelOf = (dialect: PanelOptions["dialect"]): PanelOptions => ({
  scenario: history,
  ...(dialect && { dialect }),
});
const body = (change: (text: string) => string) => (answer: TransportResponse) => ({
  ...answer,
  body: change(String(answer.body)),
});

/** The busy panel, whose machine 42 has these recovery points. */
const points = (
  recoveryPoints: readonly RecoveryPointSpec[],
  dialect: PanelOptions["dialect"] = "plain",
): PanelOptions => ({
  scenario: {
    ...history,
    machines: [
      { id: 42, recoveryPoints },
      { id: 43, recoveryPoints: [99] },
    ],
  },
  dialect,
});

/** A row that was made so long before the one now below it, and has changed since. */
const sortedByChange =
  (apartMs: number): NonNullable<CheckSetup["before"]> =>
  async (panel, clock) => {
    const old = panel.addTransaction({ machineId: 43, action: "take_backup", seconds: 9_999, locks: false });
    await clock.advance(apartMs);
    panel.addTransaction({ machineId: 42, action: "take_backup", seconds: 1 });
    await clock.advance(60_000);
    panel.endTransaction(old, "complete");
  };

export interface CheckCase extends CheckSetup {
  readonly name: string;
  readonly code: string;
  readonly verdict: CheckVerdict;
  readonly says: RegExp;
  readonly set?: readonly string[];
}

/** A panel for each thing that a check can find, by its code. */
export function checkCases(format: "json" | "xml"): readonly CheckCase[] {
  /** A value of a field, in either form. */
  const field = (name: string, from: string, to: string) =>
    body((text) =>
      format === "json"
        ? text.replaceAll(`"${name}":"${from}"`, `"${name}":"${to}"`)
        : text.replaceAll(new RegExp(`(<${name}[^>]*>)${from}<`, "g"), `$1${to}<`),
    );
  const withoutField = (name: string) =>
    body((text) =>
      format === "json"
        ? text.replaceAll(`"${name}":`, `"was_${name}":`)
        : text.replaceAll(new RegExp(`(</?)${name}\\b`, "g"), `$1was_${name}`),
    );
  const oldestFirst = body((text) => {
    if (format === "json") {
      const rows: unknown = JSON.parse(text);
      return Array.isArray(rows) ? JSON.stringify(rows.toReversed()) : text;
    }
    const rows = text.match(/<transaction>[^]*?<\/transaction>/g) ?? [];
    let next = rows.length;
    return text.replaceAll(/<transaction>[^]*?<\/transaction>/g, () => rows[--next] ?? "");
  });
  const refusing = (status: number, path?: string): PanelOptions => ({
    scenario: history,
    faults: { get: { refuse: { status, ...(path !== undefined && { path }) } } },
  });
  return [
    {
      name: "a panel that takes the password",
      code: "connection.answer",
      verdict: "fine",
      says: new RegExp(`are accepted; the panel answers in ${format.toUpperCase()}`),
    },
    {
      name: "a wrong password",
      settings: { password: "another-one" },
      code: "connection.credentials",
      verdict: "fault",
      says: /did not accept the user name and password.*Check both/,
    },
    {
      name: "a missing permission",
      panel: refusing(403),
      code: "connection.forbidden",
      verdict: "fault",
      says: /does not let it do this/,
    },
    {
      name: "a wrong path",
      panel: refusing(404),
      code: "connection.notFound",
      verdict: "fault",
      says: /nothing under this path/,
    },
    {
      name: "a redirect",
      panel: { faults: { get: { redirect: true } } },
      code: "connection.redirect",
      verdict: "fault",
      says: /redirect to .*final address/,
    },
    {
      name: "a login page",
      rewrite: () => ({
        status: 200,
        headers: { "content-type": "text/html" },
        body: '<html><form><input type="password"></form></html>',
      }),
      code: "connection.loginPage",
      verdict: "fault",
      says: /login page for browsers/,
    },
    {
      name: "a panel that is down",
      panel: { faults: { get: { serverError: true } } },
      code: "connection.serverError",
      verdict: "fault",
      says: /failed \(status 503\)/,
    },
    {
      name: "a panel that never answers",
      panel: { faults: { get: { timeout: true } } },
      code: "connection.timeout",
      verdict: "fault",
      says: /within 30 s/,
    },
    {
      name: "the other format",
      rewrite: body(() => (format === "json" ? "<transactions/>" : "[]")),
      code: "connection.unreadable",
      verdict: "fault",
      says: /was asked for/,
      set: [`pulumi config set recovery:format ${format === "json" ? "xml" : "json"}`],
    },
    {
      name: "rows without an id",
      rewrite: withoutField("id"),
      code: "connection.answer",
      verdict: "question",
      says: /accepted/,
    },
    {
      name: "requests that fail now and then",
      panel: { scenario: history, faults: { get: { serverError: { first: 1 } } } },
      code: "connection.time",
      verdict: "question",
      says: /An answer takes/,
    },
    {
      name: "a slow panel",
      panel: { scenario: history, faults: { get: { delay: { seconds: 20 } } } },
      code: "connection.time",
      verdict: "question",
      says: /slowest 20s/,
      set: ["pulumi config set recovery:requestTimeout 2m"],
    },
    {
      name: "http to a panel elsewhere",
      settings: { endpoint: "http://panel.example" },
      code: "connection.address",
      verdict: "question",
      says: /http:\/\/panel\.example as operator/,
    },
    { name: "a clock that is kept", panel: panelOf("plain"), code: "connection.clock", verdict: "fine", says: /agree/ },
    {
      name: "a clock that is behind",
      panel: panelOf({ clockSkewSeconds: -340 }),
      code: "connection.clock",
      verdict: "question",
      says: /5m40s behind/,
    },
    {
      name: "a clock that is ahead",
      panel: panelOf({ clockSkewSeconds: 3_600 }),
      code: "connection.clock",
      verdict: "question",
      says: /1h ahead/,
    },
    {
      name: "no clock",
      rewrite: (answer) => ({ ...answer, headers: { ...answer.headers, date: "" } }),
      code: "connection.clock",
      verdict: "question",
      says: /no Date header/,
    },
    {
      name: "stamps with a zone",
      panel: panelOf({ utcOffsetMinutes: 180 }),
      code: "connection.stamps",
      verdict: "fine",
      says: /\(\+03:00\)/,
    },
    {
      name: "stamps without a zone",
      panel: panelOf({ utcOffsetMinutes: 0 }),
      rewrite: body((text) => text.replaceAll(/(T\d\d:\d\d:\d\d)Z/g, "$1")),
      code: "connection.stamps",
      verdict: "question",
      says: /name no zone/,
    },
    {
      name: "stamps of the future",
      panel: panelOf("plain"),
      before: busy,
      rewrite: body((text) => text.replaceAll(/(T\d\d:\d\d:\d\d)Z/g, "$1-05:00")),
      code: "connection.stamps",
      verdict: "question",
      says: /in the future: they run 4h50m ahead/,
    },
    {
      name: "no stamps",
      panel: panelOf("plain"),
      rewrite: withoutField("created_at"),
      code: "connection.stamps",
      verdict: "question",
      says: /do not say when they were made/,
    },

    {
      name: "an empty list",
      panel: { scenario: { machines: [] } },
      code: "list.rows",
      verdict: "question",
      says: /empty/,
    },
    {
      name: "a list read to its end",
      panel: panelOf("plain"),
      code: "list.rows",
      verdict: "fine",
      says: /^240 rows read in \d+ requests: all there are/,
    },
    {
      name: "a list that is longer",
      panel: panelOf("plain"),
      rows: 120,
      code: "list.rows",
      verdict: "fine",
      says: /^120 rows read in 2 requests; there are more/,
    },
    {
      name: "a page size that is honoured",
      panel: panelOf("plain"),
      code: "list.page-size",
      verdict: "fine",
      says: /100 rows is honoured/,
    },
    {
      name: "a page size that is capped",
      panel: panelOf({ pageCap: 25 }),
      code: "list.page-size",
      verdict: "fine",
      says: /Asked for 100 rows, it gives 25/,
    },
    {
      name: "page and size together",
      panel: panelOf("plain"),
      code: "list.page-and-size",
      verdict: "fine",
      says: /together are honoured/,
    },
    {
      name: "page and size, of which one is ignored",
      panel: panelOf({ combinedPaging: "ignorePage" }),
      code: "list.page-and-size",
      verdict: "fine",
      says: /not honoured/,
    },
    {
      name: "page and size, of which the other is ignored",
      panel: panelOf({ combinedPaging: "ignorePerPage" }),
      code: "list.page-and-size",
      verdict: "fine",
      says: /not honoured/,
    },
    {
      name: "page and size that are not found",
      panel: panelOf({ combinedPaging: "notFound" }),
      code: "list.page-and-size",
      verdict: "fine",
      says: /not honoured/,
    },
    {
      name: "page and size on a short list",
      panel: {},
      code: "list.page-and-size",
      verdict: "fine",
      says: /together are honoured/,
    },
    {
      name: "an empty page past the end",
      panel: panelOf("plain"),
      code: "list.past-the-end",
      verdict: "fine",
      says: /is empty/,
    },
    {
      name: "an empty page past the end of a list that was not read to it",
      panel: panelOf("plain"),
      rows: 20,
      code: "list.past-the-end",
      verdict: "fine",
      says: /is empty/,
    },
    {
      name: "the last page again past the end",
      panel: panelOf({ pastEnd: "repeatLast" }),
      rows: 20,
      code: "list.past-the-end",
      verdict: "fine",
      says: /the last page again/,
    },
    {
      name: "a refusal past the end",
      panel: { scenario: history, faults: { get: { refuse: { status: 404, path: "/page/1000" } } } },
      rows: 20,
      code: "list.past-the-end",
      verdict: "fine",
      says: /is refused/,
    },
    {
      name: "ids that are no numbers",
      panel: panelOf({ idStyle: "alphanumeric" }),
      code: "list.order",
      verdict: "question",
      says: /not decimal/,
    },
    {
      name: "ids larger than a number",
      panel: panelOf({ idStyle: "big" }),
      code: "list.order",
      verdict: "fine",
      says: /fall from row to row/,
    },
    {
      name: "a list that is oldest first",
      panel: panelOf("plain"),
      rewrite: oldestFirst,
      code: "list.order",
      verdict: "fault",
      says: /not sorted newest first/,
    },
    {
      name: "a list sorted by change, whose rows are within a page of their order",
      panel: panelOf({ sortedBy: "updated" }),
      before: sortedByChange(120_000),
      code: "list.order",
      verdict: "question",
      says: /as on a list sorted by the last change/,
    },
    {
      name: "rows that are a moment out of order",
      panel: panelOf({ sortedBy: "updated" }),
      before: sortedByChange(10_000),
      code: "list.order",
      verdict: "question",
      says: /do not quite fall/,
    },
    { name: "logs", panel: panelOf("plain"), code: "list.detailed", verdict: "fine", says: /with their log/ },
    {
      name: "logs that are refused",
      panel: refusing(422, "detailed"),
      code: "list.detailed",
      verdict: "question",
      says: /Logs cannot be read/,
    },
    {
      name: "logs that do not come",
      panel: panelOf("plain"),
      rewrite: withoutField("log_output"),
      code: "list.detailed",
      verdict: "question",
      says: /without a log/,
    },
    {
      name: "a wait that is cheap",
      panel: panelOf("plain"),
      before: busy,
      code: "list.cost",
      verdict: "fine",
      says: /restore of \d.* \d+ looks of one request each/,
    },
    {
      name: "a wait that is dear",
      panel: {
        scenario: { ...history, background: { perSecond: 5 } },
        dialect: { pageCap: 10, combinedPaging: "ignorePage" },
      },
      before: (_panel, clock) => clock.advance(300_000),
      code: "list.cost",
      verdict: "question",
      says: /looks of up to [6-9] requests each/,
    },

    {
      name: "words that are known",
      panel: panelOf({ statusCase: "upper" }),
      code: "words.statuses",
      verdict: "fine",
      says: /^Statuses: COMPLETE 240\.$/,
    },
    {
      name: "a status that is not known",
      panel: panelOf("plain"),
      rewrite: field("status", "complete", "Finished OK"),
      code: "words.unknown-status",
      verdict: "question",
      says: /^The status "Finished OK" \(240 rows\) is not known\.$/,
      set: [
        "pulumi config set recovery:completeStatuses 'finished ok'",
        "pulumi config set recovery:failedStatuses 'finished ok'",
      ],
    },
    {
      name: "the same, once it is set",
      panel: panelOf("plain"),
      rewrite: field("status", "complete", "Finished OK"),
      settings: { completeStatuses: "finished ok" },
      code: "words.statuses",
      verdict: "fine",
      says: /Finished OK 240 \(ended well\)/,
    },
    {
      name: "rows without a status",
      panel: panelOf("plain"),
      rewrite: withoutField("status"),
      code: "words.no-status",
      verdict: "fault",
      says: /^240 rows have no status/,
    },
    {
      name: "no restore yet",
      panel: panelOf("plain"),
      code: "words.restores",
      verdict: "question",
      says: /No row counts/,
    },
    {
      name: "a restore",
      panel: panelOf({ actionNames: "camel" }),
      before: busy,
      code: "words.restores",
      verdict: "fine",
      says: /RestoreVm 1/,
    },
    {
      name: "restores that are asked for by a name that none has",
      panel: panelOf("plain"),
      before: busy,
      settings: { restoreActions: "bring_back" },
      code: "words.suspects",
      verdict: "question",
      says: /restore_backup 1/,
      set: ["pulumi config set recovery:restoreActions bring_back,restore_backup"],
    },
    {
      name: "restores by another name",
      panel: panelOf({ actionNames: "other" }),
      before: busy,
      code: "words.suspects",
      verdict: "question",
      says: /rollback_virtual_machine 1/,
      set: ["pulumi config set recovery:restoreActions rollback_virtual_machine"],
    },
    {
      name: "the same, once it is set",
      panel: panelOf({ actionNames: "other" }),
      before: busy,
      settings: { restoreActions: "rollback_virtual_machine" },
      code: "words.restores",
      verdict: "fine",
      says: /rollback_virtual_machine 1/,
    },
    {
      name: "rows without an action",
      panel: panelOf("plain"),
      rewrite: withoutField("action"),
      code: "words.no-action",
      verdict: "question",
      says: /^240 rows do not say/,
    },

    {
      name: "rows that name their machine",
      panel: panelOf({ machineTie: "associated" }),
      before: busy,
      code: "whose.rows",
      verdict: "fine",
      says: /1 restore: the associated object \(1\)/,
    },
    {
      name: "rows that name it as parent",
      panel: panelOf({ machineTie: "parent" }),
      before: busy,
      code: "whose.rows",
      verdict: "fine",
      says: /the parent \(1\)/,
    },
    {
      name: "rows that name it by its identifier",
      panel: panelOf({ machineTie: "identifier" }),
      before: busy,
      code: "whose.rows",
      verdict: "question",
      says: /an identifier alone \(1\)/,
    },
    {
      name: "rows that name what is worked on",
      panel: panelOf({ machineTie: "target" }),
      before: busy,
      code: "whose.rows",
      verdict: "question",
      says: /an identifier alone \(1\)/,
    },
    {
      name: "rows that name nothing",
      panel: panelOf({ machineTie: "none" }),
      before: busy,
      code: "whose.rows",
      verdict: "question",
      says: /nothing in the row \(1\)/,
    },
    {
      name: "rows that name nothing, where the machine's log does",
      panel: panelOf({ machineTie: "none" }),
      before: busy,
      machine: "42",
      code: "whose.rows",
      verdict: "fine",
      says: /nothing in the row \(1\)/,
    },

    {
      name: "a machine that is known",
      panel: panelOf("plain"),
      machine: "42",
      code: "machine.log",
      verdict: "fine",
      says: /^Machine 42 is known; its log has 50 items, which name 50 transactions\.$/,
    },
    {
      name: "a machine that is not allowed",
      panel: panelOf("plain"),
      settings: { allowedMachines: "[]" },
      machine: "42",
      code: "machine.not-allowed",
      verdict: "fault",
      says: /^Machine 42 may not be restored with these settings, so nothing was asked about it\.$/,
    },
    {
      name: "a machine that is not",
      panel: panelOf("plain"),
      machine: "999",
      code: "machine.unknown",
      verdict: "fault",
      says: /knows no machine 999/,
    },
    {
      name: "a log that may not be read",
      panel: refusing(403, "logs"),
      machine: "42",
      code: "machine.log",
      verdict: "fault",
      says: /log of machine 42 cannot be read/,
    },
    {
      name: "recovery points of a machine whose log may not be read",
      panel: { ...points([{ id: 1 }]), faults: { get: { refuse: { status: 403, path: "logs" } } } },
      machine: "42",
      code: "machine.points",
      verdict: "fine",
      says: /has 1 recovery point, 1 of which can be restored/,
    },
    {
      name: "a machine of which nothing is known",
      panel: panelOf("plain"),
      before: (panel) => {
        panel.addMachine({ id: 77 });
      },
      machine: "77",
      code: "machine.log",
      verdict: "question",
      says: /no items/,
    },
    {
      name: "a machine's recovery points",
      panel: points(
        [
          { id: 1, ageSeconds: 90_000 },
          { id: 2, ageSeconds: 3_600 },
        ],
        { statusCase: "capitalized" },
      ),
      machine: "42",
      code: "machine.points",
      verdict: "fine",
      says: /has 2 recovery points, 2 of which can be restored; the newest of them is 2, taken [^ ]+Z, 1h old\.$/,
    },
    {
      name: "the states of recovery points",
      panel: points([{ id: 1 }, { id: 2 }], { pointState: "available" }),
      machine: "42",
      code: "machine.point-states",
      verdict: "fine",
      says: /: available 2\.$/,
    },
    {
      name: "a state of a recovery point that is not known",
      panel: points([{ id: 1 }, { id: 2, state: "Synced" }]),
      settings: { pointStates: "verified" },
      machine: "42",
      code: "machine.point-states",
      verdict: "question",
      says: /: Synced 1, built 1\.$/,
      set: ["pulumi config set recovery:pointStates verified,synced"],
    },
    {
      name: "recovery points of which none can be restored",
      panel: points([{ id: 1, state: "merging" }]),
      machine: "42",
      code: "machine.points",
      verdict: "question",
      says: /has 1 recovery point, none of which can be restored\.$/,
    },
    {
      name: "the zone of recovery points' times",
      panel: points([{ id: 1 }], { utcOffsetMinutes: 180 }),
      machine: "42",
      code: "machine.point-times",
      verdict: "fine",
      says: /name their zone \(\+03:00\)\.$/,
    },
    {
      name: "recovery points whose times name no zone",
      panel: points([{ id: 1 }], { pointTime: "noZone" }),
      machine: "42",
      code: "machine.point-times",
      verdict: "question",
      says: /^No recovery point has a time that names its zone\./,
    },
    {
      name: "the newest recovery point where one is of the future",
      panel: points([
        { id: 1, ageSeconds: 3_600 },
        { id: 2, ageSeconds: -3_600 },
      ]),
      machine: "42",
      code: "machine.points",
      verdict: "fine",
      says: /has 2 recovery points, 2 of which can be restored; the newest of them is 1, taken [^ ]+Z, 1h old\.$/,
    },
    {
      name: "recovery points of the future",
      panel: points([
        { id: 1, ageSeconds: 3_600 },
        { id: 2, ageSeconds: -3_600 },
      ]),
      machine: "42",
      code: "machine.future-points",
      verdict: "question",
      says: /^1 recovery point is stamped later than the panel's clock \([^ ]+Z\): 2 \([^ ]+Z\)\.$/,
    },
    {
      name: "a machine without recovery points",
      panel: points([]),
      machine: "42",
      code: "machine.points",
      verdict: "question",
      says: /has no recovery points\./,
    },
    {
      name: "a panel that lists no recovery points: a note",
      panel: points([{ id: 1 }], { pointList: "missing" }),
      machine: "42",
      code: "machine.points",
      verdict: "fine",
      says: /shows no list of its recovery points: restores need a recoveryPointId\./,
    },
    {
      name: "a list of recovery points that may not be read",
      panel: points([{ id: 1 }], { pointList: "forbidden" }),
      machine: "42",
      code: "machine.points",
      verdict: "question",
      says: /^The list of its recovery points cannot be read\.$/,
    },
    {
      name: "a list of recovery points that is not known to be whole",
      panel: points(
        Array.from({ length: 25 }, (_, index) => ({ id: index + 1 })),
        { pointPaging: "sizes" },
      ),
      machine: "42",
      code: "machine.points",
      verdict: "question",
      says: /^The panel may have more recovery points of it than can be read\.$/,
    },
    {
      name: "more recovery points than a check reads",
      panel: points(
        Array.from({ length: 600 }, (_, index) => ({ id: index + 1 })),
        { pointCap: 10 },
      ),
      machine: "42",
      code: "machine.points",
      verdict: "question",
      says: /^The list of its recovery points was not read to its end\.$/,
    },
    {
      name: "a list of recovery points that is capped, oldest first",
      panel: points(
        Array.from({ length: 250 }, (_, index) => ({ id: index + 1, ageSeconds: (250 - index) * 3_600 })),
        { pointOrder: "oldest", pointPageSize: 50, pointCap: 100 },
      ),
      machine: "42",
      code: "machine.points",
      verdict: "fine",
      says: /has 250 recovery points, 250 of which can be restored; the newest of them is 250, taken [^ ]+Z, 1h old\.$/,
    },
    {
      name: "a list with other machines' recovery points",
      panel: points([{ id: 1 }], { pointMachines: "all" }),
      machine: "42",
      code: "machine.points",
      verdict: "question",
      says: /also holds points of other machines: 43\./,
    },
    {
      name: "a machine's other name",
      panel: panelOf("plain"),
      machine: "42",
      code: "machine.other-name",
      verdict: "fine",
      says: /also calls it machine42\./,
    },
    {
      name: "the number of a machine that is asked for by name",
      panel: panelOf("plain"),
      machine: "machine42",
      code: "machine.other-name",
      verdict: "fine",
      says: /also calls it 42\./,
    },
    {
      name: "a machine at rest",
      panel: panelOf("plain"),
      machine: "42",
      code: "machine.busy",
      verdict: "fine",
      says: /Nothing runs/,
    },
    {
      name: "a machine at work",
      panel: panelOf({ machineTie: "none" }),
      before: (panel) => panel.addTransaction({ machineId: 42, action: "take_backup", seconds: 900 }),
      machine: "42",
      code: "machine.busy",
      verdict: "question",
      says: /take_backup \(transaction \d+, (pending|running)\)/,
    },
    {
      name: "a machine that was never restored",
      panel: panelOf("plain"),
      machine: "42",
      code: "machine.restores",
      verdict: "fine",
      says: /show no restore of it/,
    },
    {
      name: "a machine's last restores",
      panel: panelOf({ chain: "chain" }),
      before: busy,
      machine: "42",
      code: "machine.restores",
      verdict: "fine",
      says: /^Its last restores: \d+ complete, queued \ds, ran \d+s\.$|complete, queued \ds, ran 1m/,
    },
    {
      name: "limits that fit",
      panel: panelOf("plain"),
      before: busy,
      machine: "42",
      code: "machine.limits",
      verdict: "fine",
      says: /limits are 1h and 4h/,
    },
    {
      name: "a limit that does not",
      panel: panelOf("plain"),
      before: async (panel, clock) => {
        panel.postRestoreAsSomebodyElse(42, 1007, { seconds: 5 * 3_600 });
        await clock.advance(6 * 3_600_000);
      },
      machine: "42",
      code: "machine.limits",
      verdict: "question",
      says: /ran 5h/,
      set: ['timeouts: { run: "10h" },'],
    },
  ];
}
