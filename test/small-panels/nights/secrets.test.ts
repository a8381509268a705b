import assert from "node:assert/strict";
import { getRecoveryPoints, getTransactions, getVmLogs } from "../../../provider";
import { call } from "../../cli/support/call";
import { withoutConnection } from "../../program/support/environment";
import { startEngine } from "../../program/support/program";
import { restore as restoreInStack } from "../../support/stored/restores";
import { exportedStack } from "../../support/stored/stack";
import { calm, type Declared } from "../../support/program";
import type { MakePanel, PanelAnswer, PanelRequest } from "../panel";
import { type ServedPanel, serve } from "../serve";
import { OnStage } from "../stage";
import { iso, safe, xml } from "../spelling";
import { panelOf, type Shown, type Taste } from "../taste";
import { trap, type Trap } from "../trap";

type Format = "json" | "xml";
const formats: readonly Format[] = ["json", "xml"];

const username = "operator";
/** The password is spelled differently in JSON, XML and URLs, and could be an id. */
const password = 'tr0ub4dor&"3/4';
const header = Buffer.from(`${username}:${password}`).toString("base64").replace(/=+$/, "");
/** The password as jobs print it with their environment, and as proxies print it with the request. */
const said = `by ${password} at ${encodeURIComponent(password)}, Basic ${header}`;
const connection = { "recovery:username": username, "recovery:password": password };
/** Every spelling of the password contains one of these parts. */
const traces: readonly string[] = ["tr0ub4dor", header];

const answerOf = (status: number, body: object, format: Format): PanelAnswer =>
  format === "json" ? { status, body } : xml(elementOf("answer", body), status);
const failing = (status: number, request: PanelRequest): PanelAnswer =>
  answerOf(status, { errors: [`refused ${said}`] }, formatOf(request));
const formatOf = ({ path }: Pick<PanelRequest, "path">): Format => (path.includes(".xml") ? "xml" : "json");

/** XML with an element for each member and for each list item. */
function elementOf(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => elementOf(name, item)).join("");
  if (typeof value !== "object" || value === null) return `<${name}>${safe(value)}</${name}>`;
  const members = Object.entries(value).filter(([key]) => /^\w+$/.test(key));
  return `<${name}>${members.map(([key, member]) => elementOf(key, member)).join("")}</${name}>`;
}

/** A row with the password in every text except the status. */
const rowOf = ({ id, action, status, machine, at, detailed, point }: Shown): object => ({
  id,
  action: `${action} ${said}`,
  status,
  identifier: said,
  actor: said,
  virtual_machine_id: machine,
  virtual_machine_label: said,
  ...(point !== undefined && { recovery_point: { id: point, label: said } }),
  created_at: `${iso(at)} (${password})`,
  [`env ${password}`]: said,
  params: { environment: [said] },
  ...(detailed && { log_output: `Executing ${action}\nRECOVERY_PASSWORD=${password}\nfailed ${said}\n` }),
});
const withoutPoint = (job: Shown): object => rowOf({ ...job, point: undefined });

/** A panel that repeats the password in all its text. */
const leaky = (more: Partial<Taste> = {}): MakePanel =>
  panelOf({
    formats,
    first: 101,
    past: (back, length) => ["7", "start", (3600 + back) * 1000, length / 1000],
    pending: 0,
    action: (what) => (what === "files" ? "restore_file_entries" : `${what}_virtual_machine`),
    row: rowOf,
    log: ({ no, action, at }) => ({
      id: no * 2,
      action: `${action} ${said}`,
      status: said,
      created_at: iso(at),
      text: said,
    }),
    list: (items, { isLog, format }) =>
      format === "json"
        ? { status: 200, body: items }
        : xml(
            isLog
              ? `<logs>${elementOf("log_item", items)}</logs>`
              : `<transactions>${elementOf("transaction", items)}</transactions>`,
          ),
    accepted: (_rows, _jobs, format) => answerOf(201, { notice: said }, format),
    missing: (request) =>
      /\/recovery_points\./.test(request.path) && request.method === "GET"
        ? pointsAnswer(formatOf(request))
        : failing(404, request),
    ...more,
  });

const points = [
  { id: 1007, state: "built", created_at: "2026-11-21T09:00:00Z", note: said },
  { id: 1008, state: `built ${said}`, created_at: "2026-11-21T10:00:00Z", note: said },
  { id: 1009, state: "built", created_at: `this morning (${said})`, note: said },
];
const pointsAnswer = (format: Format): PanelAnswer =>
  format === "json"
    ? { status: 200, body: points.map((recovery_point) => ({ recovery_point })) }
    : xml(`<recovery_points type="array">${elementOf("recovery_point", points)}</recovery_points>`);

/** What a user sees during the runs of one restore. */
interface Seen {
  readonly messages: string[];
  readonly warnings: string[];
  readonly progress: string[];
  readonly state: string[];
}

interface Night {
  readonly panel?: Partial<Taste>;
  readonly restoreSeconds?: number;
  readonly declared?: Partial<Declared>;
  readonly play?: (stage: OnStage, up: () => Promise<void>) => Promise<unknown>;
}

async function seenOf({ panel, declared, restoreSeconds = 10, play = (_stage, up) => up() }: Night, format: Format) {
  const restores = [{ ...calm, point: "1007", ...declared }];
  const stage = new OnStage(leaky(panel), format, { declared: restores, settings: connection, restoreSeconds });
  const seen: Seen = { messages: [], warnings: [], progress: [], state: [] };
  const up = async (): Promise<void> => {
    let rows: readonly string[] = [];
    const { errors, warnings } = await stage.up({ during: (process) => (rows = process.rows) });
    seen.messages.push(...errors.values());
    seen.warnings.push(...warnings);
    seen.progress.push(...rows);
    seen.state.push(JSON.stringify(stage.engine.state));
  };
  await play(stage, up);
  return seen;
}

const killedThen =
  (what: (stage: OnStage) => void): NonNullable<Night["play"]> =>
  async (stage, up) => {
    await stage.killed(2_000);
    what(stage);
    await stage.time.advance(120_000);
    await up();
  };

const nights = {
  complete: {},
  failed: {
    play: (stage, up) => {
      stage.failing.add("42");
      return up();
    },
  },
  busy: {
    restoreSeconds: 120,
    declared: { timeouts: { busy: 60 } },
    play: (stage, up) => {
      stage.panel.work("42", "backup");
      return up();
    },
  },
  "a status that is not known": { panel: { words: { running: `at it ${said}` } }, declared: { timeouts: { run: 5 } } },
  "no status that is known": { panel: { words: { complete: `over ${said}`, failed: `bad ${said}` } } },
  "restored by hand after a kill": {
    panel: { row: withoutPoint },
    play: killedThen((stage) => {
      stage.panel.work("42", "restore");
    }),
  },
  "found after a kill": { play: killedThen(() => undefined) },
  "two ends": { panel: { parts: () => [{ end: "complete" }, { end: "failed" }] } },
  refused: {
    panel: { refuse: (asked, request) => ("point" in asked ? failing(422, request) : undefined) },
  },
  "an answer that fails": { panel: { accepted: (_rows, _jobs, format) => answerOf(500, { error: said }, format) } },
  "an answer that names the password as the transaction": {
    panel: { accepted: (_rows, _jobs, format) => answerOf(201, { transaction_id: password }, format) },
  },
  "a list that fails": { panel: { refuse: (_asked, request) => failing(403, request) } },
  "a list without ids": { panel: { row: (job) => ({ ...rowOf(job), id: undefined }) } },
} satisfies Readonly<Record<string, Night>>;

/** The places where a user reads about a restore. */
const places: readonly (readonly [place: string, night: keyof typeof nights, part: keyof Seen, formats?: Format[]])[] =
  [
    ["a restore's outputs", "complete", "state"],
    ["the stored log of a failed restore", "failed", "state"],
    ["the end of a failed restore's log", "failed", "warnings"],
    ["the progress of a restore that waits for a job", "busy", "progress"],
    ["the error about a machine that stays busy", "busy", "messages"],
    ["the warning about an unknown status", "a status that is not known", "warnings"],
    ["the stored warnings", "a status that is not known", "state"],
    ["the error that no status is known", "no status that is known", "messages"],
    ["a question", "restored by hand after a kill", "messages"],
    ["the warning about an adopted restore", "found after a kill", "warnings"],
    ["the error about jobs with different outcomes", "two ends", "messages"],
    ["the stored error", "two ends", "state"],
    ["the error about a refused POST", "refused", "messages"],
    ["the outputs after a failed answer", "an answer that fails", "state"],
    [
      "the outputs after an answer with the password as the transaction",
      "an answer that names the password as the transaction",
      "state",
    ],
    ["the error about a list that fails", "a list that fails", "messages"],
    ["the error about a list without ids", "a list without ids", "messages", ["json"]],
  ];

function assertAbsent(text: string): void {
  for (const trace of traces) assert.ok(!text.includes(trace), text.slice(0, 3_000));
}

/** Checks that the text repeats the panel's words, but no part of the password. */
function assertMasked(text: string): void {
  assertAbsent(text);
  assert.match(text, /\[secret\]/);
}

describe("a password that the panel repeats in all its text is masked in", () => {
  for (const [place, night, part, ofFormats = formats] of places)
    for (const format of ofFormats)
      it(`${place} (${format})`, async () => {
        assertMasked((await seenOf(nights[night], format))[part].join("\n"));
      });

  for (const format of formats)
    describe(`a function or command (${format}):`, () => {
      withoutConnection();
      let panel: ServedPanel;
      before(async () => {
        const words = { running: `at it ${said}` };
        // The password comes first, because a table shows only the beginning of an action.
        const action = (what: string): string => `${password} ${what}_virtual_machine`;
        panel = await serve(leaky({ words, action, first: 6_001 }), { restoreSeconds: 600 });
        panel.panel.work("42", "backup");
        await startEngine({ config: { "recovery:endpoint": panel.url, "recovery:format": format, ...connection } });
      });
      after(() => panel.stop());

      const functions = {
        "the result of getTransactions": () => getTransactions({ perPage: 50 }),
        "the result of getTransactions, detailed": () => getTransactions({ limit: 3, detailed: true }),
        "the result of getVmLogs": () => getVmLogs({ virtualMachineId: 42 }),
        "the result of getRecoveryPoints": () => getRecoveryPoints({ virtualMachineId: 42 }),
      };
      for (const [place, read] of Object.entries(functions))
        it(place, async () => {
          assertMasked(JSON.stringify(await read()));
        });

      const commands = [
        "check --machine 42",
        "check --machine 42 --json",
        "ready --state -",
        "ready --state - --json",
        "status --state -",
        "status --state - --json",
      ];
      for (const command of commands)
        it(`\`${command}\``, async () => {
          const environment = {
            RECOVERY_ENDPOINT: panel.url,
            RECOVERY_USERNAME: username,
            RECOVERY_PASSWORD: password,
            RECOVERY_FORMAT: format,
          };
          const state = JSON.stringify(exportedStack(restoreInStack({}))).replaceAll(
            "https://panel.example.com",
            panel.url,
          );
          const { out, err } = await call(command.split(" "), environment, state);
          assertMasked(out + err);
        });
    });
});

/** Passwords that equal words with a meaning in a row. */
const words =
  "action status complete restore restore_virtual_machine files web-prod 42 1007 131 /etc/hosts 2026-11-21 tx transaction".split(
    " ",
  );

describe("a password that is also a word on the panel", () => {
  const row: Trap["row"] = ({ action, status, machine, point, at, what }) => ({
    action,
    status,
    virtual_machine: machine,
    recovery_point_id: point,
    created_at: iso(at),
    ...(what === "files" && { paths: ["/etc/hosts"] }),
  });
  const declared: readonly Declared[] = [
    { ...calm, machine: "web-prod", point: "1007" },
    { ...calm, kind: "FileRestore", machine: "42", point: "1007", paths: ["/etc/hosts"] },
  ];
  for (const word of words)
    for (const [how, id] of [
      ["numbers", undefined],
      ["other ids", ({ no }: { readonly no: number }) => `tx-${String(no)}`],
    ] as const) {
      const stageOf = (): OnStage => {
        const settings = { ...connection, "recovery:password": word };
        return new OnStage(trap({ row, ...(id && { id }) }), "json", { declared, settings });
      };
      it(`does not hide a busy machine or a restore: "${word}", among ${how}`, async () => {
        const stage = stageOf();
        const began = stage.time.now();
        stage.panel.work("web-prod", "backup");
        const { errors, warnings } = await stage.up();
        assert.deepEqual([errors, warnings, stage.statuses()], [new Map(), [], ["complete", "complete"]]);
        assert.equal(stage.posted.length, 2);
        const waited = stage.postedAt[stage.posted.findIndex(({ machine }) => machine === "web-prod")] ?? 0;
        assert.ok(waited - began >= 10_000, "it waited for the backup");
      });
    }

  it("does not hide a step of a job if rows use the same word for the type of a parent", async () => {
    const steps = (job: Shown): object =>
      job.parent === undefined
        ? row(job)
        : { action: job.action, status: job.status, parent_id: job.parent, parent_type: "Transaction" };
    const parts: Trap["parts"] = () => [{}, { action: "write_disks" }];
    const settings = { ...connection, "recovery:password": "Transaction" };
    const stage = new OnStage(trap({ row: steps, parts }), "json", { declared: declared.slice(0, 1), settings });
    await stage.up();
    assert.deepEqual([stage.statuses(), stage.idsOf(0)], [["complete"], ["131", "132"]]);
  });
});
