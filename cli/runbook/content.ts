import { formatDuration } from "../../provider/inputs/duration";
import * as requests from "../../provider/panel/requests";
import { type Format, isValidId, type MachineId, type RecoveryPointId } from "../../provider/panel/types";
import { readableTime } from "../../report/model/format";
import { shellQuoted } from "../parts/command";
import { mayBeAtWork } from "../parts/stack-state";
import { goalsText, type Group, type RunbookPanel, type Runbook, type RunbookStep } from "./model";

/** Text made of words, values and code. Each format escapes it in its own way. */
export type Text = readonly (string | { readonly code: string })[];

export type Block =
  | { readonly paragraph: Text }
  | { readonly list: readonly Text[] }
  | { readonly facts: readonly (readonly [name: string, value: Text])[] }
  | { readonly lines: string; readonly does: "restore" | "read" }
  | { readonly card: string; readonly blocks: readonly Block[] };

export interface RunbookPage {
  readonly title: string;
  readonly about: readonly Text[];
  readonly sections: readonly { readonly title: string; readonly blocks: readonly Block[] }[];
}

/** Splits text into words and the code between backquotes. */
function words(text: string): Text {
  return text.split("`").map((part, index) => (index % 2 === 0 ? part : { code: part }));
}

const paragraph = (text: string): Block => ({ paragraph: words(text) });
const list = (...items: readonly string[]): Block => ({ list: items.map(words) });

/** The page for the day when all you have is this page and the panel's web interface. */
export function pageOf(runbook: Runbook): RunbookPage {
  const { from, project, stack = "a stack", writtenAt, groups, unreadable, panels } = runbook;
  const ofProject = project === undefined ? "" : `, project ${project}`;
  const at = readableTime(writtenAt) ?? "a time that the state does not show";
  return {
    title: `Runbook: restores of ${stack}`,
    about: [
      words("For the day when the pipeline is down and all you have is the panel’s web page."),
      [
        from === "preview"
          ? `From a preview of ${stack}${ofProject}, read at ${at}. The preview shows what the program would restore. The panel was not queried.`
          : `From the stored state of ${stack}${ofProject}, written at ${at}. The panel was not queried.`,
      ],
      ...unreadable.map((one) => words(`Not known: ${one}`)),
      ...(unreadable.length === 0 ? [] : [words("There may be more restores than this page shows.")]),
    ],
    sections: [
      stopSection(runbook),
      {
        title: "With curl",
        blocks: [beforeCurl, ...panels.flatMap((one, index) => panelBlocks(one, index, panels.length)), rulesOfCurl],
      },
      ...groups.map((group) => groupSection(group, panels, from)),
      {
        title: "Afterwards",
        blocks: [
          list(
            'The stack does not know about restores done by hand. `adopt: "<transaction id>"` records one in the stack without sending anything, so write the transactions’ ids on this page.',
            "`pulumi up` restores again if you set new `triggers`, or a new `run` in the plan.",
          ),
        ],
      },
    ],
  };
}

function stopSection({ groups, isUnderWay, from, leftOpen }: Runbook): RunbookPage["sections"][number] {
  const steps = groups.flatMap((group) => group.steps).filter(mayBeAtWork);
  const transactionOf = (ids: readonly string[]): string =>
    ids.length === 0 ? "no transaction known" : `transaction ${ids.join(", ")}`;
  const open = [
    ...steps.map(
      ({ number, name, machine, state, transactions }) =>
        `step ${String(number)}, ${name}, machine ${machine}: ${state}, ${transactionOf(transactions)}`,
    ),
    ...leftOpen.map(({ name, machine, ids }) => `${name} of an earlier run, machine ${machine}: ${transactionOf(ids)}`),
  ];
  return {
    title: "Stop what is under way",
    blocks: [
      list(
        "Before you restore by hand, make sure that no run is under way; otherwise a machine may be restored twice.",
        "To stop sending, press Ctrl-C in the terminal where `pulumi up` is running. A run that has died sends nothing either, but its last request may take a few minutes to appear in the list.",
        "A transaction that is running on the panel continues unless somebody cancels it there. Cancelling it may leave the machine in any state.",
        "`pulumi cancel --yes` releases the stack’s lock. Use it once the run is really gone.",
      ),
      ...(isUnderWay ? [paragraph(mayBeSent)] : []),
      paragraph(
        open.length === 0
          ? `The ${from} shows no restore under way.${from === "preview" ? " It does not show whether an `up` is under way: check the panel first." : ""}`
          : "These restores were sent, or may have been, and had not ended when the state was written:",
      ),
      { list: open.map((text): Text => [text]) },
    ],
  };
}

const mayBeSent =
  "An `up` was interrupted, or was still under way when the state was written: any of these restores may have been sent. Check the panel first.";

const login = `-u "$RECOVERY_USERNAME:$RECOVERY_PASSWORD"`;
const ask = (what: string, variable: string): string => `printf '${what}: '; IFS= read -r ${variable}`;

/** The shell prompts for the password, so that it ends up in neither a file nor the shell history. */
function connectionLines({ address }: RunbookPanel): string {
  const asked = `${ask("User name", "RECOVERY_USERNAME")}; \\\n  printf 'Password, not shown: '; IFS= read -rs RECOVERY_PASSWORD; echo`;
  return address === undefined
    ? `${ask("Address of the panel", "RECOVERY_ENDPOINT")}; \\\n  ${asked}`
    : `RECOVERY_ENDPOINT=${shellQuoted(address)}\n${asked}`;
}

const [machine, point] = ["MACHINE" as MachineId, "POINT" as RecoveryPointId];

function curl({ method, path, body }: requests.ApiRequest, format: Format): string {
  const url = path.replace("/MACHINE/", "/${MACHINE:?}/").replace("/POINT/", "/${POINT:?}/");
  // `-f` would hide the text that explains why a restore was rejected, so only reads use it.
  return [
    method === "GET" ? `curl -q -fsS -g ${login}` : `curl -q -isS -g -X ${method} ${login}`,
    `-H 'Accept: application/${format}' -H 'Content-type: application/${format}'`,
    ...(body === undefined ? [] : ['-d "${PATHS:?}"']),
    `"$RECOVERY_ENDPOINT${url}"`,
  ].join(" \\\n  ");
}

const beforeCurl = paragraph(
  "Use bash or zsh, on a machine where nobody else can see the process list. Paste one block at a time; each step has its own line for `MACHINE` and `POINT`.",
);

const rulesOfCurl = list(
  "Send each restore once. If there is no response, or its status is 500 or above, do not send it again: look for it in the transactions first.",
  "Send nothing while a transaction for the same machine is `pending` or `running`.",
  "A restore may consist of several transactions. It has ended when all of them have ended, and is complete when all of them are complete.",
  "Add `--cacert FILE` if the panel uses a private certificate authority. On panel versions before 5.9, whole-machine restores use `virtual_servers` instead of `virtual_machines`.",
);

function panelBlocks(panel: RunbookPanel, index: number, panels: number): readonly Block[] {
  const { format, apiVersion, address = "the panel in the stack’s configuration" } = panel;
  const reads = [
    requests.listTransactions({ perPage: 100 }, format),
    requests.listRecoveryPoints(machine, {}, format, apiVersion),
  ];
  return [
    ...(panels === 1 ? [] : [paragraph(`Panel ${String(index + 1)}: ${address}.`)]),
    { lines: connectionLines(panel), does: "read" },
    paragraph("The newest transactions, and the machine’s recovery points if the panel lists them:"),
    { lines: reads.map((request) => curl(request, format)).join("\n"), does: "read" },
    paragraph("Restore a whole machine, once:"),
    { lines: curl(requests.restoreMachine(machine, point, format, apiVersion), format), does: "restore" },
    paragraph("Restore files, once:"),
    { lines: curl(requests.restoreFiles(machine, point, ["/"], format), format), does: "restore" },
  ];
}

function groupSection(
  { plan, wave, facts, after, steps }: Group,
  panels: readonly RunbookPanel[],
  from: Runbook["from"],
): RunbookPage["sections"][number] {
  return {
    title: plan === undefined ? "Restores without a plan" : `Plan ${plan}, wave ${wave ?? ""}`,
    blocks: [
      ...(facts.length === 0 ? [] : [{ facts: facts.map(([name, value]) => [name, [value]] as const) }]),
      ...(after.length === 0 ? [] : [{ list: after.map((one): Text => [`After ${one}.`]) }]),
      ...steps.map((step) => cardOf(step, panels.length, panels[step.panel]?.format ?? "json", from)),
    ],
  };
}

function cardOf(step: RunbookStep, panels: number, format: Format, of: Runbook["from"]): Block {
  const { number, name, kind, machine: id, paths, after, goals, checks, rule, chosen } = step;
  const hidden = `the ${of} does not show it`;
  const last = lastText(step, of);
  const from: Text = step.point !== undefined ? ["recovery point ", { code: step.point }] : [rule ?? hidden];
  const files: Text = paths.flatMap((path, index) => [...(index === 0 ? [] : [", "]), { code: path }]);
  const what: Text = kind === "VmRestore" ? ["the whole machine"] : files.length === 0 ? [hidden] : files;
  const facts: (readonly [string, Text])[] = [
    ["Machine", [{ code: id }]],
    ["Restore", what],
    ["From", [...from, ...(chosen === undefined ? [] : ["; the last run chose ", { code: chosen }])]],
    ...(after.length === 0 ? [] : [["After", [after.join("; ")]] as const]),
    ...(last === "" ? [] : [["Last time", [last]] as const]),
    ...(goalsText(goals) === "" ? [] : [["Goals", [goalsText(goals)]] as const]),
    ...(panels === 1 ? [] : [["Panel", [String(step.panel + 1)]] as const]),
  ];
  return {
    card: `☐ ${String(number)}. ${name}`,
    blocks: [
      { facts },
      { lines: variables(step, format), does: "read" },
      ...checks.map((check): Block => ({ paragraph: [`Check ${check}: its definition is in the program.`] })),
      { paragraph: ["Transaction: ______________"] },
    ],
  };
}

function lastText({ state, transactions, seconds, provenAt }: RunbookStep, from: Runbook["from"]): string {
  // A restore that a preview announces has obviously not been sent yet.
  if (from === "preview" && state === "not sent")
    return provenAt === undefined ? "" : `complete at ${readableTime(provenAt) ?? ""}`;
  const took = seconds === undefined ? "" : ` in ${formatDuration(seconds)}`;
  const ids = transactions.length === 0 ? "" : `, transaction ${transactions.join(", ")}`;
  const proven = provenAt === undefined ? "" : `; last complete at ${readableTime(provenAt) ?? ""}`;
  return `${state}${state === "complete" ? took : ""}${ids}${proven}`;
}

/** One shell line that sets the variables for this step's requests. If a rule chooses the point, the line prompts for it. */
function variables({ machine: id, point: chosen, kind, paths }: RunbookStep, format: Format): string {
  const asked = chosen !== undefined && isValidId(chosen) ? `POINT=${chosen}` : ask("Recovery point", "POINT");
  const body = kind === "FileRestore" ? bodyOf(paths, format) : undefined;
  // If this step's paths are unknown, unsets them, so that another step's paths are not sent.
  const files = kind === "VmRestore" ? "" : body === undefined ? "unset PATHS; " : `PATHS=${shellQuoted(body)}; `;
  return `MACHINE=${isValidId(id) ? id : "''"}; ${files}${asked}`;
}

const unseen = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

/** The body of the request, with invisible and bidirectional characters escaped so that the reader sees what is sent. Undefined if it cannot be sent. */
function bodyOf(paths: readonly string[], format: Format): string | undefined {
  try {
    const { body } = requests.restoreFiles(machine, point, paths, format);
    const escape = (text: string): string =>
      format === "xml"
        ? `&#${String(text.codePointAt(0))};`
        : text.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
    return body?.replaceAll(unseen, escape);
  } catch {
    return undefined;
  }
}
