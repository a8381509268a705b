import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assessPanel } from "../../cli/check/assess";
import { connectionFindings } from "../../cli/check/connection";
import { printCheck } from "../../cli/check/print";
import type { CheckFinding } from "../../cli/check/result";
import { RequestLimitError } from "../../cli/parts/guard";
import type { Survey } from "../../cli/check/survey";
import { whoseFindings } from "../../cli/check/whose-rows";
import type { ReadyFinding, ReadyResult } from "../../cli/ready/result";
import { summaryLines } from "../../cli/ready/table";
import type { TransportResponse } from "../../provider/panel/transport";
import { newPagingMemory } from "../../provider/panel/walk";
import { readReport, report, toJson } from "../../report";
import { stackOfPlan } from "../report/support/plans";
import { stackOf } from "../report/support/restores";
import { encrypted } from "../report/support/stack";
import { passed } from "../report/support/cases";
import { call } from "./support/call";
import { busy, checkCases, panelOf } from "./support/check-cases";
import { runCheck, type CheckSetup } from "./support/run-check";
import { oneHour, readyCases, web } from "./support/ready-cases";
import { runReady, type ReadySetup } from "./support/run-ready";

/**
 * Everything that `check` and `ready` say, a case each, to be read as a whole, and what each command refuses. A code that no case shows fails
 * the test.
 * `UPDATE_GOLDEN=yes` writes the file anew.
 */

const golden = join(__dirname, "messages.golden.txt");
const root = join(__dirname, "..", "..");

interface Shown {
  readonly command: "check" | "ready";
  readonly name: string;
  readonly findings: readonly (CheckFinding | ReadyFinding)[];
  /** Lines that belong to no finding. */
  readonly lines?: readonly string[];
}

async function checkShown(): Promise<readonly Shown[]> {
  const shown: Shown[] = [];
  for (const one of checkCases("json")) {
    const { finding } = await runCheck({ ...one, settings: { format: "json", ...one.settings } });
    shown.push({ command: "check", name: one.name, findings: [finding(one.code)] });
  }
  const found = await runCheck({ panel: panelOf("plain"), before: busy, machine: "42" });
  const changed = (name: string, code: string, change: (survey: Survey) => Partial<Survey>): Shown => {
    const { findings } = assessPanel({ ...found.survey, ...change(found.survey) });
    return { command: "check", name, findings: findings.filter((one) => one.code === code) };
  };
  const list =
    (part: Partial<Survey["list"]>) =>
    ({ list: listOf }: { readonly list: Survey["list"] }) => ({
      list: { ...listOf, ...part },
    });
  const failure = (await runCheck({ panel: { faults: { get: { serverError: true } } } })).survey.list.error;
  assert.ok(failure !== undefined);
  const manyWords = ["One", "Two", "Three", "Four", "Five", "Six"];
  return [
    ...shown,
    ...certificates(found.survey),
    changed("a check that ran out of requests", "list.rows", list({ stoppedBy: "requests" })),
    changed("a list that cannot be read to its end", "list.rows", list({ stoppedBy: "error", error: failure })),
    changed("a list that ends in an error within a page", "list.rows", (survey) => ({
      list: { ...survey.list, rows: survey.list.rows.slice(0, 7), stoppedBy: "error", error: failure },
    })),
    changed("a list shorter than a page", "list.page-size", (survey) => ({
      list: { ...survey.list, rows: survey.list.rows.slice(0, 7), firstRows: 7 },
    })),
    changed("pages larger than asked for", "list.page-size", list({ firstRows: 150 })),
    changed("too few rows to see the paging", "list.page-and-size", list({ paging: newPagingMemory() })),
    changed("the first page again past the end", "list.past-the-end", () => ({ pastEnd: "begins again" })),
    changed("a list of more than a million rows", "list.past-the-end", () => ({ pastEnd: "longer" })),
    changed("an end that nobody saw", "list.past-the-end", () => ({ pastEnd: "unknown" })),
    changed("no log yet", "list.detailed", () => ({ detailed: { rows: 0, withLog: 0 } })),
    changed("statuses that are not known, and many of them", "words.unknown-status", (survey) => ({
      list: {
        ...survey.list,
        rows: survey.list.rows.map((row, index) => ({ ...row, status: manyWords[index % manyWords.length] ?? "" })),
      },
    })),
    changed("a status that no setting can hold", "words.unknown-status", (survey) => ({
      list: { ...survey.list, rows: survey.list.rows.map((row) => ({ ...row, status: "done\tor so" })) },
    })),
    changed("other work", "words.others", () => ({})),
    changed("no restore, by a setting", "words.restores", (survey) => ({
      settings: { ...survey.settings, restoreActions: ["bring_back"] },
    })),
    changed("a log that names no transaction, and a list that does", "machine.log", (survey) => ({
      ...(survey.machine !== undefined && { machine: { ...survey.machine, log: { items: [] } } }),
    })),
    changed("a log that was not read, for too many requests", "machine.log", (survey) => ({
      ...(survey.machine !== undefined && {
        machine: { ...survey.machine, log: { error: new RequestLimitError(failure, 55) } },
      }),
    })),
    changed("recovery points of which some have no time", "machine.point-times", (survey) => {
      if (survey.machine === undefined || !("points" in survey.machine) || "error" in survey.machine.points) return {};
      const { page } = survey.machine.points;
      const bare = page.items.map(({ createdAt, ...point }, index) =>
        index === 0 || createdAt === undefined ? point : { ...point, createdAt },
      );
      return { machine: { ...survey.machine, points: { page: { ...page, items: [...bare, ...page.items] } } } };
    }),
    {
      command: "check",
      name: "rows that name it by its identifier, where the machine's log does too",
      findings: whoseFindings(
        (await runCheck({ panel: panelOf({ machineTie: "identifier" }), before: busy, machine: "42" })).survey,
      ),
    },
    ...(await closings()),
  ];
}

function certificates(survey: Survey): readonly Shown[] {
  const day = 86_400_000;
  const of = (name: string, days: number, problem?: string, settings: Partial<Survey["settings"]> = {}): Shown => ({
    command: "check",
    name,
    findings: connectionFindings({
      ...survey,
      settings: { ...survey.settings, ...settings },
      certificate: {
        issuedBy: "Our CA",
        issuedTo: "panel.example",
        validTo: new Date(survey.wallMs + days * day + 1),
        ...(problem !== undefined && { problem }),
      },
    }).filter(({ code }) => code === "connection.certificate"),
  });
  return [
    of("a certificate in order", 90),
    of("a certificate that expires soon", 12),
    of("a certificate that has expired", -3, "CERT_HAS_EXPIRED"),
    of("a certificate for another name", 90, "ERR_TLS_CERT_ALTNAME_INVALID"),
    of("a certificate of an unknown authority", 90, "SELF_SIGNED_CERT_IN_CHAIN"),
    of("a certificate of an authority that is not in the file", 90, "SELF_SIGNED_CERT_IN_CHAIN", {
      caFile: "/etc/ca.pem",
    }),
    of("an untrusted certificate, with recovery:insecure", 90, "SELF_SIGNED_CERT_IN_CHAIN", { insecure: true }),
  ];
}

/** The last lines of a check: one of each kind. */
async function closings(): Promise<readonly Shown[]> {
  const last = async (name: string, check: CheckSetup, known: readonly string[] = []): Promise<Shown> => {
    const { survey } = await runCheck(check);
    const result = assessPanel(survey, { questions: known.map((code) => ({ code, why: "it is known" })) });
    const lines = printCheck(result);
    return { command: "check", name, findings: [], lines: lines.slice(lines.lastIndexOf("") + 1) };
  };
  const plain = { panel: panelOf("plain"), before: busy };
  return [
    await last("the end of a check, all fine", plain),
    await last("the end of a check with questions", { ...plain, panel: panelOf({ idStyle: "alphanumeric" }) }),
    await last("the end of a check with a fault", { ...plain, machine: "999" }),
    await last("the end of a check with known questions", { ...plain, panel: panelOf({ idStyle: "alphanumeric" }) }, [
      "list.order",
    ]),
  ];
}

async function readyShown(): Promise<readonly Shown[]> {
  const shown: Shown[] = [];
  const add = async (name: string, morning: ReadySetup, code?: string): Promise<ReadyResult> => {
    const { ready } = await runReady({ ...morning, settings: { requestTimeout: "2s", ...morning.settings } });
    const findings = ready.restores.flatMap((one) => one.findings);
    shown.push({
      command: "ready",
      name,
      findings: code === undefined ? findings : findings.filter((one) => one.code === code),
      lines: [
        ...ready.unreadable,
        ...ready.restores.map((one) => `${one.readiness}, from recovery point ${one.recoveryPointId ?? "–"}`),
        `in all ${ready.verdict}`,
      ],
    });
    return ready;
  };
  for (const one of readyCases) {
    await add(one.name, { ...one, state: stackOf([{ ...web, ...one.of }]) });
  }
  const db = { name: "db", machine: 42, point: 1007, requested: 0, ran: 60, transaction: "5014" };
  const planOf = (step: object, fields: object = {}): object =>
    stackOfPlan({ waves: [{ name: "data", restores: [{ ...db, ...step }], ...fields }] });
  await add("a restore that the last run of its plan did not reach", {
    state: planOf({ came: "not begun" }, { stored: false }),
    panel: oneHour,
  });
  await add("a restore of which only the intent is stored", {
    state: planOf({ came: "intent saved" }, { stored: false }),
    panel: oneHour,
  });
  await add("a restore whose check did not pass", {
    state: planOf({ checks: [{ kind: "tcp", target: "10.0.0.1:5432", result: "failed" }] }),
    panel: oneHour,
  });
  const lately = { panel: oneHour, provenWithinSeconds: 90 * 86_400 };
  const planned = (step: object): object =>
    stackOfPlan({ waves: [{ name: "data", restores: [{ ...db, status: "failed", ...step }] }] });
  const other = [
    readReport(toJson(report(stackOfPlan({ run: "2026-Q3", waves: [{ name: "data", restores: [db] }] })))),
  ];
  const longAfter = new Date("2027-11-21T10:00:00Z");
  await add("a restore that was never proven", { ...lately, state: planned({}) }, "restore.not-proven");
  await add(
    "a restore that was proven before it was changed",
    { ...lately, state: planned({ planned: 2 }), asked: { earlier: other } },
    "restore.changed-since",
  );
  await add(
    "a restore that was proven long ago",
    { ...lately, state: planOf({}), now: longAfter },
    "restore.proof-old",
  );
  await add(
    "a restore that took longer than its goal",
    { state: planOf({ goals: { recoveryTimeSeconds: 30 } }), panel: oneHour },
    "restore.slow",
  );
  await add("a plan of a later release", {
    state: stackOfPlan({ waves: [{ name: "data", restores: [db] }], runFields: { formatVersion: 9 } }),
    panel: oneHour,
  });
  const withoutIds = (answer: TransportResponse, path: string): TransportResponse =>
    path.includes("recovery_points")
      ? { ...answer, body: String(answer.body).replaceAll('"id":', '"was_id":') }
      : answer;
  const elsewhere = JSON.stringify(stackOf([web])).replaceAll("panel.example", "dr.example");
  for (const [name, provider] of [
    ["a restore of another panel", "default"],
    ["a restore of another panel, that of an explicit provider", "dr-site"],
  ] as const) {
    const state = JSON.parse(elsewhere.replaceAll("::default::", `::${provider}::`)) as object;
    await add(name, { state, panel: oneHour });
  }
  await add("recovery points without ids", { state: stackOf([web]), panel: oneHour, rewrite: withoutIds });
  return [...shown, ...(await summaries())];
}

/** The last line of `ready`: one of each kind. */
async function summaries(): Promise<readonly Shown[]> {
  const last = async (name: string, morning: ReadySetup): Promise<Shown> => ({
    command: "ready",
    name,
    findings: [],
    lines: summaryLines((await runReady(morning)).ready),
  });
  const secret = { ...web, name: "secret", transaction: "5015", outputs: { recoveryPointId: encrypted() } };
  const gone = { ...web, name: "gone", transaction: "5016", point: 1 };
  const elsewhere = JSON.parse(
    JSON.stringify(stackOf([web])).replaceAll("https://panel.example.com", "https://panel.dr.example.com"),
  ) as object;
  return [
    await last("the end of ready, all ready", {
      state: stackOf([web, { ...web, name: "mail", transaction: "5015" }]),
      panel: oneHour,
    }),
    await last("the end of ready, one restore", { state: stackOf([web]), panel: oneHour }),
    await last("the end of ready, with something not ready", { state: stackOf([web, gone, secret]), panel: oneHour }),
    await last("the end of ready, with something that cannot be told", {
      state: stackOf([web, secret]),
      panel: oneHour,
    }),
    await last("the end of ready, with a known question", {
      state: stackOf([web, secret]),
      panel: oneHour,
      known: [{ code: "state.point", why: "nobody needs to know" }],
    }),
    await last("the end of ready, all on another panel", { state: elsewhere, panel: oneHour }),
  ];
}

/** What each command refuses, before anything is asked of a panel or written, with a state on standard input. */
const refused: Readonly<Record<string, readonly (readonly string[])[]>> = {
  report: [
    ["--gaol-time", "1h"],
    ["-", "--format", "pdf"],
    ["-", "--goal-time", "soon"],
    ["-", "--taken-at", "1007"],
    ["-", "--taken-at", "1007=2026-02-31T02:00:00Z"],
    ["--state", "a.json", "--stack", "b"],
    ["state.json"],
    ["--state", "/nowhere/state.json"],
    ["-", "--history", "package.json"],
    ["--history-only"],
    ["--history-only", "--gate", "--history", "a.json"],
    [],
  ],
  runbook: [
    ["--goal-time", "1h"],
    ["-", "--format", "pdf"],
    ["-", "--stack", "b"],
    ["state.json"],
    ["-", "--plan", "x"],
    [],
  ],
  check: [["--rows", "0"], ["--machine", "a/b"], ["--machine", "042"], ["now"]],
  ready: [
    ["--state", "-", "--goal-age", "soon"],
    ["--state", "-", "--known", "/no/such.json"],
    ["--state", "-", "--provider", "site"],
    ["--state", "-", "--provider", "site", "--stack", "s"],
    ["--state", "-", "--plan", "other"],
  ],
};

async function refusals(): Promise<string> {
  const texts: string[] = [];
  const connection = { RECOVERY_ENDPOINT: "https://panel.invalid", RECOVERY_USERNAME: "a", RECOVERY_PASSWORD: "b" };
  for (const [command, calls] of Object.entries(refused))
    for (const args of calls) {
      const { code, out, err } = await call([command, ...args], connection, JSON.stringify(passed));
      assert.deepEqual([code, out], [3, ""], args.join(" "));
      texts.push(`## ${[command, ...args].join(" ")}\n${err}`);
    }
  return texts.join("\n");
}

function written({ command, name, findings, lines = [] }: Shown): string {
  return [
    `## ${command}: ${name}`,
    ...findings.flatMap((finding) => [
      `${finding.code} (${finding.verdict})`,
      ...("short" in finding ? [`  short: ${finding.short}`] : []),
      `  says:  ${finding.says}`,
      ...("why" in finding ? [`  why:   ${finding.why}`] : []),
      ...(finding.then === undefined ? [] : [`  then:  ${finding.then}`]),
      ...("set" in finding ? finding.set.map((command) => `  set:   ${command}`) : []),
    ]),
    ...lines.map((line) => `  ${line}`),
    "",
  ].join("\n");
}

/** The codes that the sources of a command name. */
function codesIn(command: "check" | "ready"): readonly string[] {
  const folder = join(root, "cli", command);
  const code = /"((?:connection|list|words|whose|machine|points?|restore|state)\.[a-z-]+)"/g;
  return readdirSync(folder)
    .filter((name) => name.endsWith(".ts"))
    .flatMap((name) => [...readFileSync(join(folder, name), "utf8").matchAll(code)].map(([, found]) => found ?? ""));
}

describe("everything that check and ready say", () => {
  it("is what it was (UPDATE_GOLDEN=yes), with a case for each code", async function () {
    this.timeout(60_000);
    const shown = [...(await checkShown()), ...(await readyShown())];
    const silent = shown.filter(({ findings, lines = [] }) => findings.length + lines.length === 0);
    assert.deepEqual(
      silent.map(({ name }) => name),
      [],
      "each case says something",
    );
    for (const command of ["check", "ready"] as const) {
      const told = new Set(
        shown.filter((one) => one.command === command).flatMap(({ findings }) => findings.map(({ code }) => code)),
      );
      const missing = codesIn(command).filter((code) => !told.has(code as CheckFinding["code"]));
      assert.deepEqual(missing, [], `codes of ${command} that no case shows`);
    }
    const text = [...shown.map(written), await refusals()].join("\n");
    if (process.env["UPDATE_GOLDEN"] === "yes") writeFileSync(golden, text);
    assert.equal(text, readFileSync(golden, "utf8"));
  });
});
