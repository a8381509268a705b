import assert from "node:assert/strict";
import { getRecoveryPoints, getTransactions, getVmLogs } from "../../../provider";
import { call } from "../../cli/support/call";
import { withoutConnection } from "../../program/support/environment";
import { startEngine } from "../../program/support/program";
import { restore as restoreInStack } from "../../support/stored/restores";
import { exportedStack } from "../../support/stored/stack";
import { calm, type Declared } from "../../support/program";
import type { Format, MakePanel, PanelAnswer, PanelRequest } from "../panel";
import { type ServedPanel, serve } from "../serve";
import { OnStage } from "../stage";
import { trap, type Trap } from "../trap";
import { element, iso, safe, tag, xml } from "../spelling";
import { panelOf, past, type Shown, type Taste } from "../taste";

const formats: readonly Format[] = ["json", "xml"];

const username = "operator";
/** The password is spelled differently in JSON, XML and URLs, and could be an id. */
const password = 'tr0ub4dor&"3/4';
const header = Buffer.from(`${username}:${password}`).toString("base64").replace(/=+$/, "");
/** The password in plain text, URL-encoded and in a Basic header, as a job's log or a proxy's error page may show it. */
const said = `by ${password} at ${encodeURIComponent(password)}, Basic ${header}`;
const connection = { "recovery:username": username, "recovery:password": password };
/** Every spelling of the password contains one of these parts. */
const traces: readonly string[] = ["tr0ub4dor", header];

const answerOf = (status: number, body: object, format: Format): PanelAnswer =>
  format === "json" ? { status, body } : xml(element("answer", body), status);
const formatOf = ({ path }: Pick<PanelRequest, "path">): Format => (path.includes(".xml") ? "xml" : "json");
const failing = (status: number, format: Format): PanelAnswer => {
  const answer = answerOf(status, { errors: [`refused ${said}`] }, format);
  const location = `https://other.example/${encodeURIComponent(password)}`;
  return { ...answer, headers: { ...answer.headers, "x-request-id": said, location } };
};
const listOf = (name: string, items: readonly unknown[], format: Format): PanelAnswer =>
  format === "json" ? { status: 200, body: items } : xml(tag(`${name}s`, { type: "array" }, element(name, items)));

const html = `<html><head><title>${safe(said)}</title></head></html>`;
const page: PanelAnswer = { status: 200, headers: { "content-type": "text/html" }, body: html };

/** A row with the password in all its text except the status. */
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

/** A panel that echoes the password in everything it returns. */
const leaky = (more: Partial<Taste> = {}): MakePanel =>
  panelOf({
    formats,
    first: 101,
    past,
    pending: 0,
    action: (what) => (what === "files" ? "restore_file_entries" : `${what}_virtual_machine`),
    row: rowOf,
    log: ({ no, action, at }) => {
      return { id: no * 2, action: `${action} ${said}`, status: said, created_at: iso(at), text: said };
    },
    list: (items, { isLog, format }) => listOf(isLog ? "log_item" : "transaction", items, format),
    accepted: (_rows, _jobs, format) => answerOf(201, { notice: said }, format),
    missing: (request) =>
      /\/recovery_points\./.test(request.path) && request.method === "GET"
        ? listOf("recovery_point", points, formatOf(request))
        : failing(404, formatOf(request)),
    ...more,
  });

const points = [
  { id: 1007, state: "built", created_at: "2026-11-21T09:00:00Z", note: said },
  { id: 1008, state: `built ${said}`, created_at: "2026-11-21T10:00:00Z", note: said },
  { id: 1009, state: "built", created_at: `this morning (${said})`, note: said },
];

/** What a user sees of one restore. */
type Seen = Readonly<Record<"messages" | "warnings" | "progress" | "state", readonly string[]>>;

interface Night {
  /** Where the panel's words must appear; they may appear elsewhere too. */
  readonly quotes: readonly (keyof Seen)[];
  readonly panel?: Partial<Taste>;
  readonly formats?: readonly Format[];
  readonly declared?: Partial<Declared>;
  /** What happens before the `up` that the user sees. */
  readonly before?: (stage: OnStage) => unknown;
}

async function seenOf({ panel, declared, before }: Night, format: Format): Promise<Seen> {
  const restores = [{ ...calm, point: "1007", ...declared }];
  const stage = new OnStage(leaky(panel), format, { declared: restores, settings: connection, restoreSeconds: 60 });
  await before?.(stage);
  const { errors, warnings, progress } = await stage.up();
  return { messages: [...errors.values()], warnings, progress, state: [JSON.stringify(stage.engine.state)] };
}

const nights: Readonly<Record<string, Night>> = {
  "a complete restore": { quotes: ["state"] },
  "a failed restore and its log": { quotes: ["state", "warnings"], before: (stage) => stage.failing.add("42") },
  "a machine that stays busy": {
    quotes: ["progress", "messages"],
    declared: { timeouts: { busy: 30 } },
    before: (stage) => stage.panel.work("42", "backup"),
  },
  "an unknown status": {
    quotes: ["state", "warnings"],
    panel: { words: { running: `at it ${said}` } },
    declared: { timeouts: { run: 5 } },
  },
  "no known status": { quotes: ["messages"], panel: { words: { complete: `over ${said}`, failed: `bad ${said}` } } },
  "a question about a restore made by hand after a kill": {
    quotes: ["messages"],
    panel: { row: (job) => rowOf({ ...job, point: undefined }) },
    before: async (stage) => {
      await stage.killed(2_000);
      await stage.workLater(0);
    },
  },
  "a restore that is adopted after a kill": {
    quotes: ["warnings"],
    before: async (stage) => {
      await stage.killed(2_000);
      await stage.time.advance(120_000);
    },
  },
  "jobs with different outcomes": {
    quotes: ["messages", "state"],
    panel: { parts: () => [{ end: "complete" }, { end: "failed" }] },
  },
  "a rejected POST": {
    quotes: ["messages"],
    panel: { refuse: (asked) => ("point" in asked ? failing(422, asked.format) : undefined) },
  },
  "a POST answered with status 500": {
    quotes: ["state"],
    panel: { accepted: (_rows, _jobs, format) => answerOf(500, { error: said }, format) },
  },
  "a response with the password as the transaction id": {
    quotes: ["state"],
    panel: { accepted: (_rows, _jobs, format) => answerOf(201, { transaction_id: password }, format) },
  },
  "a forbidden list": { quotes: ["messages"], panel: { refuse: ({ format }) => failing(403, format) } },
  "a redirect instead of the list": { quotes: ["messages"], panel: { refuse: ({ format }) => failing(302, format) } },
  "an HTML page instead of the list": { quotes: ["messages"], panel: { refuse: () => page } },
  "a list without ids": {
    quotes: ["messages"],
    formats: ["json"],
    panel: { row: (job) => ({ ...rowOf(job), id: undefined }) },
  },
};

/** Checks that the text repeats the panel's words, but no part of the password. */
function assertMasked(text: string): void {
  for (const trace of traces) assert.ok(!text.includes(trace), text.slice(0, 3_000));
  assert.match(text, /\[secret\]/);
}

describe("a password that the panel echoes in everything it returns", () => {
  for (const [night, how] of Object.entries(nights))
    for (const format of how.formats ?? formats)
      it(`is masked in the messages, progress and state of an \`up\` with ${night} (${format})`, async () => {
        const seen = await seenOf(how, format);
        assertMasked(JSON.stringify(seen));
        for (const part of how.quotes) assertMasked(seen[part].join("\n"));
      });

  for (const format of formats)
    describe(`in ${format}`, () => {
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
        "the detailed result of getTransactions": () => getTransactions({ limit: 3, detailed: true }),
        "the result of getVmLogs": () => getVmLogs({ virtualMachineId: 42 }),
        "the result of getRecoveryPoints": () => getRecoveryPoints({ virtualMachineId: 42 }),
      };
      for (const [place, read] of Object.entries(functions))
        it(`is masked in ${place}`, async () => assertMasked(JSON.stringify(await read())));

      for (const command of ["check --machine 42", "ready --state -", "status --state -"])
        for (const output of ["", " --json"])
          it(`is masked in the output of \`${command}${output}\``, async () => {
            const account = { RECOVERY_USERNAME: username, RECOVERY_PASSWORD: password };
            const environment = { ...account, RECOVERY_ENDPOINT: panel.url, RECOVERY_FORMAT: format };
            const exported = JSON.stringify(exportedStack(restoreInStack({})));
            const state = exported.replaceAll("https://panel.example.com", panel.url);
            const { out, err } = await call(`${command}${output}`.split(" "), environment, state);
            assertMasked(out + err);
          });
    });
});

/** Passwords that are also meaningful words in a row. */
const words = [
  ...["action", "status", "complete", "restore", "restore_virtual_machine", "files", "web-prod", "42", "1007", "131"],
  ...["/etc/hosts", "2026-11-21", "tx", "transaction"],
];

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
  const ids: Record<string, Partial<Trap>> = { numeric: {}, lettered: { id: ({ no }) => `tx-${String(no)}` } };
  for (const word of words)
    for (const [how, id] of Object.entries(ids))
      it(`does not hide a busy machine or a restore if ids are ${how}: "${word}"`, async () => {
        const settings = { ...connection, "recovery:password": word };
        const stage = new OnStage(trap({ row, ...id }), "json", { declared, settings });
        const began = stage.time.now();
        stage.panel.work("web-prod", "backup");
        const { errors, warnings } = await stage.up();
        assert.deepEqual([errors, warnings, stage.statuses()], [new Map(), [], ["complete", "complete"]]);
        assert.equal(stage.posted.length, 2);
        const waited = stage.postedAt[stage.posted.findIndex(({ machine }) => machine === "web-prod")] ?? 0;
        assert.ok(waited - began >= 10_000, "it waited for the backup");
      });

  it("does not hide a job's step if rows use that word as a parent's type", async () => {
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
