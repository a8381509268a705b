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

const oneOfTheFuture = points([
  { id: 1, ageSeconds: 3_600 },
  { id: 2, ageSeconds: -3_600 },
]);
const manyPoints = (length: number): { readonly id: number }[] =>
  Array.from({ length }, (_, index) => ({ id: index + 1 }));

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
}

/** A panel for each thing that a check can find, by its code. `messages.golden.txt` has the verdicts and the texts. */
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
  /** What it finds out about machine 42. */
  const of42 = (code: string, name: string, panel = panelOf("plain"), more: CheckSetup = {}): CheckCase => ({
    name,
    panel,
    machine: "42",
    code: `machine.${code}`,
    ...more,
  });
  return [
    { name: "a panel that takes the password", code: "connection.answer" },
    { name: "a wrong password", settings: { password: "another-one" }, code: "connection.credentials" },
    { name: "a missing permission", panel: refusing(403), code: "connection.forbidden" },
    { name: "a wrong path", panel: refusing(404), code: "connection.notFound" },
    { name: "a redirect", panel: { faults: { get: { redirect: true } } }, code: "connection.redirect" },
    {
      name: "a login page",
      rewrite: () => ({
        status: 200,
        headers: { "content-type": "text/html" },
        body: '<html><form><input type="password"></form></html>',
      }),
      code: "connection.loginPage",
    },
    { name: "a panel that is down", panel: { faults: { get: { serverError: true } } }, code: "connection.serverError" },
    { name: "a panel that never answers", panel: { faults: { get: { timeout: true } } }, code: "connection.timeout" },
    {
      name: "the other format",
      rewrite: body(() => (format === "json" ? "<transactions/>" : "[]")),
      code: "connection.unreadable",
    },
    { name: "rows without an id", rewrite: withoutField("id"), code: "connection.answer" },
    {
      name: "requests that fail now and then",
      panel: { scenario: history, faults: { get: { serverError: { first: 1 } } } },
      code: "connection.time",
    },
    {
      name: "a slow panel",
      panel: { scenario: history, faults: { get: { delay: { seconds: 20 } } } },
      code: "connection.time",
    },
    { name: "http to a panel elsewhere", settings: { endpoint: "http://panel.example" }, code: "connection.address" },
    { name: "a clock that is kept", panel: panelOf("plain"), code: "connection.clock" },
    { name: "a clock that is behind", panel: panelOf({ clockSkewSeconds: -340 }), code: "connection.clock" },
    { name: "a clock that is ahead", panel: panelOf({ clockSkewSeconds: 3_600 }), code: "connection.clock" },
    {
      name: "no clock",
      rewrite: (answer) => ({ ...answer, headers: { ...answer.headers, date: "" } }),
      code: "connection.clock",
    },
    { name: "stamps with a zone", panel: panelOf({ utcOffsetMinutes: 180 }), code: "connection.stamps" },
    {
      name: "stamps without a zone",
      panel: panelOf({ utcOffsetMinutes: 0 }),
      rewrite: body((text) => text.replaceAll(/(T\d\d:\d\d:\d\d)Z/g, "$1")),
      code: "connection.stamps",
    },
    {
      name: "stamps of the future",
      panel: panelOf("plain"),
      before: busy,
      rewrite: body((text) => text.replaceAll(/(T\d\d:\d\d:\d\d)Z/g, "$1-05:00")),
      code: "connection.stamps",
    },
    { name: "no stamps", panel: panelOf("plain"), rewrite: withoutField("created_at"), code: "connection.stamps" },

    { name: "an empty list", panel: { scenario: { machines: [] } }, code: "list.rows" },
    { name: "a list read to its end", panel: panelOf("plain"), code: "list.rows" },
    { name: "a list that is longer", panel: panelOf("plain"), rows: 120, code: "list.rows" },
    { name: "a page size that is honoured", panel: panelOf("plain"), code: "list.page-size" },
    { name: "a page size that is capped", panel: panelOf({ pageCap: 25 }), code: "list.page-size" },
    { name: "page and size together", panel: panelOf("plain"), code: "list.page-and-size" },
    {
      name: "page and size, of which one is ignored",
      panel: panelOf({ combinedPaging: "ignorePage" }),
      code: "list.page-and-size",
    },
    {
      name: "page and size, of which the other is ignored",
      panel: panelOf({ combinedPaging: "ignorePerPage" }),
      code: "list.page-and-size",
    },
    {
      name: "page and size that are not found",
      panel: panelOf({ combinedPaging: "notFound" }),
      code: "list.page-and-size",
    },
    { name: "page and size on a short list", panel: {}, code: "list.page-and-size" },
    { name: "an empty page past the end", panel: panelOf("plain"), code: "list.past-the-end" },
    {
      name: "an empty page past the end of a list that was not read to it",
      panel: panelOf("plain"),
      rows: 20,
      code: "list.past-the-end",
    },
    {
      name: "the last page again past the end",
      panel: panelOf({ pastEnd: "repeatLast" }),
      rows: 20,
      code: "list.past-the-end",
    },
    {
      name: "a refusal past the end",
      panel: { scenario: history, faults: { get: { refuse: { status: 404, path: "/page/1000" } } } },
      rows: 20,
      code: "list.past-the-end",
    },
    { name: "ids that are no numbers", panel: panelOf({ idStyle: "alphanumeric" }), code: "list.order" },
    { name: "ids larger than a number", panel: panelOf({ idStyle: "big" }), code: "list.order" },
    { name: "a list that is oldest first", panel: panelOf("plain"), rewrite: oldestFirst, code: "list.order" },
    {
      name: "a list sorted by change, whose rows are within a page of their order",
      panel: panelOf({ sortedBy: "updated" }),
      before: sortedByChange(120_000),
      code: "list.order",
    },
    {
      name: "rows that are a moment out of order",
      panel: panelOf({ sortedBy: "updated" }),
      before: sortedByChange(10_000),
      code: "list.order",
    },
    { name: "logs", panel: panelOf("plain"), code: "list.detailed" },
    { name: "logs that are refused", panel: refusing(422, "detailed"), code: "list.detailed" },
    {
      name: "logs that do not come",
      panel: panelOf("plain"),
      rewrite: withoutField("log_output"),
      code: "list.detailed",
    },
    { name: "a wait that is cheap", panel: panelOf("plain"), before: busy, code: "list.cost" },
    {
      name: "a wait that is dear",
      panel: {
        scenario: { ...history, background: { perSecond: 5 } },
        dialect: { pageCap: 10, combinedPaging: "ignorePage" },
      },
      before: (_panel, clock) => clock.advance(300_000),
      code: "list.cost",
    },

    { name: "words that are known", panel: panelOf({ statusCase: "upper" }), code: "words.statuses" },
    {
      name: "a status that is not known",
      panel: panelOf("plain"),
      rewrite: field("status", "complete", "Finished OK"),
      code: "words.unknown-status",
    },
    {
      name: "the same, once it is set",
      panel: panelOf("plain"),
      rewrite: field("status", "complete", "Finished OK"),
      settings: { completeStatuses: "finished ok" },
      code: "words.statuses",
    },
    {
      name: "rows without a status",
      panel: panelOf("plain"),
      rewrite: withoutField("status"),
      code: "words.no-status",
    },
    { name: "no restore yet", panel: panelOf("plain"), code: "words.restores" },
    { name: "a restore", panel: panelOf({ actionNames: "camel" }), before: busy, code: "words.restores" },
    {
      name: "restores that are asked for by a name that none has",
      panel: panelOf("plain"),
      before: busy,
      settings: { restoreActions: "bring_back" },
      code: "words.suspects",
    },
    {
      name: "restores by another name",
      panel: panelOf({ actionNames: "other" }),
      before: busy,
      code: "words.suspects",
    },
    {
      name: "the same, once it is set",
      panel: panelOf({ actionNames: "other" }),
      before: busy,
      settings: { restoreActions: "rollback_virtual_machine" },
      code: "words.restores",
    },
    {
      name: "rows without an action",
      panel: panelOf("plain"),
      rewrite: withoutField("action"),
      code: "words.no-action",
    },

    {
      name: "rows that name their machine",
      panel: panelOf({ machineTie: "associated" }),
      before: busy,
      code: "whose.rows",
    },
    { name: "rows that name it as parent", panel: panelOf({ machineTie: "parent" }), before: busy, code: "whose.rows" },
    {
      name: "rows that name it by its identifier",
      panel: panelOf({ machineTie: "identifier" }),
      before: busy,
      code: "whose.rows",
    },
    {
      name: "rows that name what is worked on",
      panel: panelOf({ machineTie: "target" }),
      before: busy,
      code: "whose.rows",
    },
    { name: "rows that name nothing", panel: panelOf({ machineTie: "none" }), before: busy, code: "whose.rows" },
    {
      name: "rows that name nothing, where the machine's log does",
      panel: panelOf({ machineTie: "none" }),
      before: busy,
      machine: "42",
      code: "whose.rows",
    },

    of42("log", "a machine that is known"),
    of42("not-allowed", "a machine that is not allowed", panelOf("plain"), { settings: { allowedMachines: "[]" } }),
    { name: "a machine that is not", panel: panelOf("plain"), machine: "999", code: "machine.unknown" },
    of42("log", "a log that may not be read", refusing(403, "logs")),
    of42("points", "recovery points of a machine whose log may not be read", {
      ...points([{ id: 1 }]),
      faults: { get: { refuse: { status: 403, path: "logs" } } },
    }),
    {
      name: "a machine of which nothing is known",
      panel: panelOf("plain"),
      before: (panel) => {
        panel.addMachine({ id: 77 });
      },
      machine: "77",
      code: "machine.log",
    },
    of42(
      "points",
      "a machine's recovery points",
      points(
        [
          { id: 1, ageSeconds: 90_000 },
          { id: 2, ageSeconds: 3_600 },
        ],
        { statusCase: "capitalized" },
      ),
    ),
    of42("point-states", "the states of recovery points", points([{ id: 1 }, { id: 2 }], { pointState: "available" })),
    of42(
      "point-states",
      "a state of a recovery point that is not known",
      points([{ id: 1 }, { id: 2, state: "Synced" }]),
      { settings: { pointStates: "verified" } },
    ),
    of42("points", "recovery points of which none can be restored", points([{ id: 1, state: "merging" }])),
    of42("point-times", "the zone of recovery points' times", points([{ id: 1 }], { utcOffsetMinutes: 180 })),
    of42("point-times", "recovery points whose times name no zone", points([{ id: 1 }], { pointTime: "noZone" })),
    of42("points", "the newest recovery point where one is of the future", oneOfTheFuture),
    of42("future-points", "recovery points of the future", oneOfTheFuture),
    of42("points", "a machine without recovery points", points([])),
    of42("points", "a panel that lists no recovery points: a note", points([{ id: 1 }], { pointList: "missing" })),
    of42("points", "a list of recovery points that may not be read", points([{ id: 1 }], { pointList: "forbidden" })),
    of42(
      "points",
      "a list of recovery points that is not known to be whole",
      points(manyPoints(25), { pointPaging: "sizes" }),
    ),
    of42("points", "more recovery points than a check reads", points(manyPoints(600), { pointCap: 10 })),
    of42(
      "points",
      "a list of recovery points that is capped, oldest first",
      points(
        manyPoints(250).map(({ id }) => ({ id, ageSeconds: (251 - id) * 3_600 })),
        { pointOrder: "oldest", pointPageSize: 50, pointCap: 100 },
      ),
    ),
    of42("points", "a list with other machines' recovery points", points([{ id: 1 }], { pointMachines: "all" })),
    of42("other-name", "a machine's other name"),
    {
      name: "the number of a machine that is asked for by name",
      panel: panelOf("plain"),
      machine: "machine42",
      code: "machine.other-name",
    },
    of42("busy", "a machine at rest"),
    of42("busy", "a machine at work", panelOf({ machineTie: "none" }), {
      before: (panel) => panel.addTransaction({ machineId: 42, action: "take_backup", seconds: 900 }),
    }),
    of42("restores", "a machine that was never restored"),
    of42("restores", "a machine's last restores", panelOf({ chain: "chain" }), { before: busy }),
    of42("limits", "limits that fit", panelOf("plain"), { before: busy }),
    of42("limits", "a limit that does not", panelOf("plain"), {
      before: async (panel, clock) => {
        panel.postRestoreAsSomebodyElse(42, 1007, { seconds: 5 * 3_600 });
        await clock.advance(6 * 3_600_000);
      },
    }),
  ];
}
