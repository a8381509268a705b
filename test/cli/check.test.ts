import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import type { PanelCheckResult } from "../../cli/commands";
import { expected, panels } from "../small-panels/expected";
import { OnStage } from "../small-panels/stage";
import { thorough } from "../support/thorough";
import { VirtualClock } from "../support/virtual-clock";
import { assertGolden } from "../support/golden";
import { assertRefused, call, driven, useNoProject, withFiles } from "./support/call";
import { type Asked, environmentOf, type Held, now, panelOf, readingOnly } from "./support/panel";
import { published } from "./support/published";

const assertPublished = published("check");

interface Setup {
  readonly settings?: Readonly<Record<string, string>>;
  readonly machine?: string;
  readonly known?: readonly object[];
  readonly responseMs?: number;
}

function check(
  panel: Asked,
  clock: VirtualClock,
  { settings = {}, machine, known = [], responseMs = 0 }: Setup = {},
): Promise<PanelCheckResult & { readonly lines: readonly string[] }> {
  return withFiles({ "known.json": JSON.stringify({ known }) }, async (pathOf) => {
    const file = known.length === 0 ? [] : ["--known", pathOf("known.json")];
    const args = ["check", ...file, ...(machine === undefined ? [] : ["--machine", machine])];
    const printed = async (...more: readonly string[]): Promise<{ readonly code: number; readonly out: string }> => {
      const transport: Asked["transport"] = (one) => clock.pause(responseMs).then(() => panel.transport(one));
      const reach = { clock, transport };
      return driven(clock, call([...args, ...more], environmentOf(settings), "", undefined, { reach }));
    };
    const { code, out } = await printed("--json");
    const checked = JSON.parse(out) as PanelCheckResult;
    assert.equal(code, checked.isAccepted ? 0 : { fine: 0, fault: 1, question: 2 }[checked.verdict]);
    assert.ok(panel.paths.length <= 55, `${String(panel.paths.length)} requests`);
    panel.paths.length = 0;
    assertPublished(checked);
    for (const { says } of checked.findings) assert.match(says, /^(?:[A-Z\d]|https?:)/);
    const counted = checked.statuses.reduce((all, one) => all + one.rows, 0);
    assert.equal(counted, checked.rows);
    const lines = (await printed()).out.split("\n");
    for (const line of lines) assert.ok(line.length <= 80 || line.includes("pulumi config set"), line);
    return { ...checked, lines: lines.slice(0, -1) };
  });
}

const row = (id: number, more: object = {}) => ({
  id,
  action: id % 5 === 0 ? "restore_virtual_machine" : "take_backup",
  status: "complete",
  virtual_machine_id: 42,
  created_at: "2026-11-21T10:00:00Z",
  ...more,
});
const rows = (more: (id: number) => object = () => ({}), length = 30) =>
  Array.from({ length }, (_, index) => row(5_030 - index, more(5_030 - index)));
const point = { id: 1007, state: "built", created_at: "2026-11-21T10:00:00Z" };
const without = (name: string) =>
  rows().map((one) => Object.fromEntries(Object.entries(one).filter(([key]) => key !== name)));

const stamped = (stamp: string): Partial<Held> => ({ rows: rows(() => ({ created_at: stamp })) });
const withRow = (more: object): Partial<Held> => ({ rows: [row(5_040, more), ...rows()] });
const withPoints = (points: object[] | number): Partial<Held> => ({ machines: { "42": { points: points as never } } });
const keyed = { rows: without("id").map((one, index) => ({ ...one, key: `k${String(index)}` })) };
const healthy = { rows: rows(), machines: { "42": { points: [point] } } };
const synced = withPoints([point, { ...point, id: 1008, state: "synced" }]);
const sizes = Object.entries({ 100: 422, 50: 400, 20: 404 });
const rejectedSizes = sizes.map(([size, status]) => [new RegExp(`_page/${size}$`), status] as const);
const slow = { responseMs: 45_000, settings: { requestTimeout: "60s" } };
const of42 = { machine: "42" };
const unclear = "words.unclear-status question → completeStatuses";
const machineLine = `→ fields "machine=<field>"`;

/**
 * Panels, each with the finding that `check` should report: its code, its verdict and any suggested setting. `→ name value` stands
 * for `pulumi config set recovery:name value`.
 */
const cases: readonly (readonly [what: string, held: Partial<Held>, setup: Setup, found: string])[] = [
  ["a healthy panel", {}, {}, ""],
  [
    "several statuses and actions",
    { rows: rows((id) => ({ action: "edcba"[id % 7] ?? "z", status: ["ok"][id % 3] ?? "fail" })) },
    {},
    "",
  ],
  ["one row", { rows: rows(undefined, 1) }, {}, ""],
  ["rows that name their point", { rows: rows(() => ({ recovery_point_id: 1007 })) }, {}, ""],
  ["details that cannot be read", { refuse: [[/detailed/, 403]] }, {}, ""],
  ["a long list", { rows: rows(undefined, 150) }, {}, ""],
  ["a wrong password", { refuse: [[/./, 401]] }, {}, "connection.credentials fault"],
  ["a forbidden list", { refuse: [[/./, 403]] }, {}, "connection.forbidden fault"],
  ["HTTP to another host", {}, { settings: { endpoint: "http://panel.example.com" } }, "connection.address question"],
  ["timestamps without a time zone", stamped("2026-11-21 10:00:00"), {}, "connection.stamps question"],
  ["timestamps in the future", stamped("2026-11-21T15:00:00Z"), {}, "connection.stamps question"],
  ["no dates", { rows: without("created_at") }, {}, 'connection.stamps question → fields "requested=<field>"'],
  ["rows without an id", keyed, {}, 'list.fields fault → fields "id=<field>"'],
  ["an empty list", { rows: [] }, {}, "list.rows question"],
  ["a forbidden page 2", { refuse: [[/page\/2$/, 403]] }, {}, "list.paging question"],
  ["rejected page sizes", { refuse: rejectedSizes }, {}, ""],
  ["a page size that fails", { refuse: [[/per_page\/100/, 500]] }, {}, "connection.time question"],
  ["slow responses", {}, slow, "connection.time question → requestTimeout 3m"],
  ["a panel an hour ahead", { dateHeader: new Date(now + 3_600_000) }, {}, "connection.clock question"],
  ["responses without the time", { dateHeader: undefined }, {}, "connection.clock question"],
  ["some rows without an id", { rows: [...rows(), { status: "complete" }] }, {}, "connection.answer question"],
  ["a list that cannot be paged", { isUnpaged: true }, {}, "list.paging question"],
  ["ids with letters", { rows: rows((id) => ({ id: `t${String(id)}` })) }, {}, ""],
  ["an unknown status", withRow({ status: "odd" }), {}, "words.unknown-status question → completeStatuses odd"],
  ["a configured unknown status", withRow({ status: "odd" }), { settings: { completeStatuses: "odd" } }, ""],
  ["an unclear status", withRow({ status: "closed" }), {}, `${unclear} closed`],
  ["a row that is done but has an error", withRow({ status: "done", error: "disk full" }), {}, `${unclear} done`],
  ["an unknown result", withRow({ status: "closed", result: "half" }), {}, `${unclear} half`],
  ["one unknown status", { rows: [row(30, { status: "odd" })] }, {}, "words.no-end fault → completeStatuses odd"],
  ["a suspect action", withRow({ action: "rollback_vm" }), {}, "words.suspects question → restoreActions rollback_vm"],
  ["a suspect action that cannot be set", withRow({ action: "revert\u202e" }), {}, "words.suspects question"],
  ["rows without an action", { rows: without("action") }, {}, 'words.no-actions question → fields "action=<field>"'],
  ["rows without a machine", { rows: without("virtual_machine_id") }, {}, `rows.machine question ${machineLine}`],
  ["a machine given by name", {}, { machine: "web-1" }, "machine.unknown fault, rows.machine question"],
  ["a disallowed machine", {}, { machine: "42", settings: { allowedMachines: "[41]" } }, "machine.not-allowed fault"],
  ["a forbidden machine log", { refuse: [[/logs/, 403]] }, of42, "machine.log fault"],
  ["a busy machine", withRow({ status: "running" }), of42, "machine.busy question"],
  ["points in an unknown state", synced, of42, "machine.point-states question → pointStates synced"],
  ["undated points", withPoints([{ ...point, created_at: "yesterday" }]), of42, "machine.point-times question"],
  ["another machine's points", withPoints([{ ...point, virtual_machine_id: 43 }]), of42, "machine.points question"],
  ["a panel without a list of points", withPoints(404), of42, ""],
];

describe("pulumi-recovery check", () => {
  useNoProject();

  for (const [what, held, setup, found] of cases)
    it(`reports ${found === "" ? "nothing" : `"${found}"`} for ${what}`, async () => {
      const clock = new VirtualClock({ startAt: now });
      const { findings, verdict, outlook, lines } = await check(panelOf({ ...healthy, ...held }), clock, setup);
      const bad = findings.filter((finding) => finding.verdict !== "fine");
      const said = bad.map(({ code, verdict: word, set: [line] = [] }) =>
        [code, word, ...(line === undefined ? [] : [line])].join(" "),
      );
      const line = found.replace(/(→ \w+) (\w+)$/, '$1 "$2"').replaceAll("→ ", "pulumi config set recovery:");
      assert.equal(said.sort().join(", "), line);
      assert.equal(verdict === "fault", outlook === undefined);
      const partsOf = (all: readonly string[]) => all.join("\n").split(/\n+(?=\S| ok | !! | \?\? )/);
      const usual = what === "a healthy panel" ? [] : partsOf((await check(panelOf(healthy), clock)).lines);
      const special = partsOf(lines).filter((part) => !usual.includes(part));
      assertGolden(
        "check.txt",
        what === "a healthy panel" ? what : `unlike a healthy panel, ${what}`,
        special.join("\n"),
      );
    });

  it("shows, from the machine's log, how a restore would be recognized", async () => {
    const bare = without("virtual_machine_id");
    const outlook = async (log: readonly object[]): Promise<PanelCheckResult["outlook"]> => {
      const panel = panelOf({ rows: bare, machines: { "42": { log: log as never, points: [point] } } });
      return (await check(panel, new VirtualClock({ startAt: now }), of42)).outlook;
    };
    assert.deepEqual(await outlook([]), { knownBy: "log or turn", afterKill: "not known" });
    assert.deepEqual(await outlook([{ id: 1, action: "x" }]), { knownBy: "turn", afterKill: "question" });
    const naming = { id: 1, target_type: "Transaction", target_id: 5_030 };
    assert.deepEqual(await outlook([naming]), { knownBy: "log", afterKill: "taken" });
  });

  it("shows each question with its code and the fields of a row, and marks an accepted question without changing the verdict", async () => {
    const clock = new VirtualClock({ startAt: now });
    const panel = panelOf({ rows: without("virtual_machine_id") });
    const settings = { "recovery:fields": '{"status":"status"}' };
    const print = ({ lines }: PanelCheckResult & { lines: readonly string[] }, title: string): void =>
      assertGolden("check.txt", title, lines.join("\n"));
    print(await check(panel, clock, { settings }), "rows without a machine, beside fields that are set");
    const bare = await check(panelOf({ rows: rows().map(({ id, status }) => ({ id, status })) }), clock);
    print(bare, "rows that have only an id and a status");
    assert.ok(bare.findings.every(({ code, set }) => !/machine|stamps/.test(code) || set === undefined));
    const known = [{ code: "rows.machine", why: "one team restores here" }];
    const checked = await check(panel, clock, { known });
    assert.deepEqual([checked.verdict, checked.isAccepted], ["question", true]);
    print(checked, "an accepted question");
  });

  it("does not advise cancelling a job that may be the user's own restore", async () => {
    for (const [action, advice] of Object.entries({ restore_backup: /Don't cancel/, take_backup: /, cancel it/ })) {
      const panel = panelOf({ rows: [row(5_040, { action, status: "running" }), ...rows()], machines: { "42": {} } });
      const { findings } = await check(panel, new VirtualClock({ startAt: now }), of42);
      assert.match(findings.find(({ code }) => code === "machine.busy")?.then ?? "", advice);
    }
  });

  it("stops after 55 requests, and says so, if reading the list would take more", async () => {
    const points = Array.from({ length: 900 }, (_, index) => ({ ...point, id: 1_007 + index }));
    const panel = panelOf({ rows: rows(), ...withPoints(points), cap: 5 });
    const { findings } = await check(panel, new VirtualClock({ startAt: now }), of42);
    assert.match(JSON.stringify(findings), /this command has reached its limit of 55 requests/);
  });

  it("accepts a question only if `code` is the question's code, `about` is a whole word in its text, and `until` has not passed", async () => {
    const panel = panelOf({ rows: [row(5_040, { status: "un-paused" }), ...rows()] });
    const isAccepted = async (entry: object): Promise<boolean> => {
      const known = [{ code: "words.unknown-status", why: "x", ...entry }];
      return (await check(panel, new VirtualClock({ startAt: now }), { known })).isAccepted;
    };
    for (const entry of [{}, { about: "un-paused" }, { until: "2026-11-21" }]) assert.ok(await isAccepted(entry));
    for (const entry of [{ about: "paused" }, { about: "un.paused" }, { until: "2026-11-20" }, { code: "list.cost" }])
      assert.ok(!(await isAccepted(entry)), JSON.stringify(entry));
    writeFileSync("Pulumi.yaml", "name: shop\nruntime: nodejs\n");
    writeFileSync("recovery-known.json", JSON.stringify({ known: [{ code: "words.unknown-status", why: "x" }] }));
    mkdirSync("in/side", { recursive: true });
    process.chdir("in/side");
    assert.ok((await check(panel, new VirtualClock({ startAt: now }))).isAccepted, "read from the project's folder");
  });

  it("rejects a --known entry with a wrong key or value, because such an entry would accept either nothing or too much", () =>
    withFiles({}, async (pathOf) => {
      const good = { code: "list.cost", why: "x" };
      for (const [entry, says] of [
        [{ code: "list.cost" }, /entry 1 needs code and why/],
        [{ why: "x" }, /entry 1 needs code and why/],
        [{ ...good, abuot: "y" }, /entry 1 has abuot; use only code, about, why, until/],
        [{ ...good, about: "" }, /"about" in entry 1 is not a string/],
        [{ ...good, why: 3 }, /"why" in entry 1 is not a string/],
        [{ ...good, until: "2027-02-30" }, /"until" in entry 1 must be a valid date/],
        ["list.cost", /entry 1 is not an object/],
        [undefined, /it must have the form \{ "known"/],
      ] as const) {
        writeFileSync(pathOf("k.json"), JSON.stringify(entry === undefined ? [] : { known: [entry] }));
        assertRefused(await call(["check", "--known", pathOf("k.json")], environmentOf()), says);
      }
    }));

  it("makes no claim about the order of ids that the rows do not support, even when the second page is short", async () => {
    const order = async (length: number, step = 1): Promise<string | undefined> => {
      const held = Array.from({ length }, (_, index) => row(5_000 + (((length - index) * step) % 1_009)));
      const { findings } = await check(panelOf({ rows: held }), new VirtualClock({ startAt: now }));
      return findings.find(({ code }) => code === "list.order")?.says;
    };
    assert.match((await order(5)) ?? "", /^Ids are numbers, but there are too few rows to show/);
    for (const length of [6, 10, 13]) assert.match((await order(length)) ?? "", /^Ids are numbers, in the same/);
    assert.match((await order(13, 600)) ?? "", /^Ids are numbers, but the list is not sorted by id/);
  });

  describe("before and after an `up` on a small panel", () => {
    const some = Object.entries(panels).filter((_, nth) => nth % thorough(3, 1) === 0);
    for (const [name, { make, formats }] of some)
      for (const format of formats.slice(0, thorough(1, 2)))
        it(`predicts how restores will be recognized: ${name}, ${format}`, async () => {
          const { needs, afterKill } = expected[name] ?? {};
          for (const settings of needs === undefined ? [{}] : [{}, needs]) {
            const stage = new OnStage(make, format, { settings });
            const checkNow = () =>
              check(readingOnly(stage.panel, stage.time), stage.time, { ...of42, settings: { ...settings, format } });
            const before = await checkNow();
            const { warnings } = await stage.up();
            const isSent = stage.posted.length > 0;
            assert.equal(before.verdict === "fault", !isSent, JSON.stringify(before.findings));
            const isAdvised = before.findings.some(({ set = [] }) => set.length > 0);
            if (!isSent) assert.ok(isAdvised, "a fault without a suggested setting");
            if (!isSent) continue;
            // Some facts can be read only after the first restore.
            const after = await checkNow();
            for (const { outlook } of [before, after]) {
              if (outlook?.knownBy === "machine" || outlook?.knownBy === "log") assert.deepEqual(byTurn(warnings), []);
              if (outlook?.afterKill === "taken") assert.equal(afterKill, "adopted");
              if (outlook?.afterKill === "question") assert.equal(afterKill, "asks");
            }
            assert.equal(after.outlook?.afterKill === "taken", afterKill === "adopted");
            if (byTurn(warnings).length > 0) assert.match(after.outlook?.knownBy ?? "", /turn/);
            assert.match(
              after.lines.join(" ").replaceAll(/\s+/g, " "),
              afterKill === "adopted" ? /next `up` adopts what was sent, or asks/ : /asks you/,
            );
          }
        });
  });
});

/** Warnings that a restore was identified only by the position of its row. */
const byTurn = (warnings: readonly string[]): readonly string[] =>
  warnings.filter((text) => /does not show which machine/.test(text));
