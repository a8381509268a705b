import { checkLabel } from "../../provider/inputs/read-check";
import type { Check, Notes } from "../../report/model/model";
import { durationText, timeText } from "../../report/model/format";
import type { StepState } from "../../report/model/summary";
import { firstFew } from "../../provider/plain/text";
import { safeText } from "../../report/model/safe-text";
import { checkCommand, connectionCommands, stepCommands } from "./commands";
import type { KnownProof } from "../ready/proofs";
import type { After, PlanFacts, Runbook, RunbookStep, StepGroup } from "./model";
import {
  bold,
  code,
  joined,
  text,
  toStep,
  type Block,
  type Facts,
  type Page,
  type PageSection,
  type Text,
} from "./text";

/** The page: how to stop, the overview, how to prepare a shell, each step, and what to do afterwards. */
export function pageOf(runbook: Runbook): Page {
  const { project, stack, stateWrittenAt, groups, unreadable } = runbook;
  const manyPanels = panelsOf(groups).length > 1;
  return {
    title: text`Runbook: restores of ${stack ?? "a stack whose name is not known"}`,
    about: [
      text`For the day when the pipeline is down and the panel’s page is all there is. Everything here comes from the stack’s stored state: nothing was asked of the panel, and nothing later is known.`,
      ...unreadable.map((one) => text`${bold("Not known:")} ${one} There may be more restores than this page shows.`),
    ],
    facts: [
      ["Project", valueOr(project, "the state names none")],
      ["Stack", valueOr(stack, "the state names none")],
      ["State written at", valueOr(stateWrittenAt && timeText(stateWrittenAt), "the state does not say")],
    ],
    sections: [
      stopSection(groups.flatMap(({ steps }) => steps)),
      overviewSection(groups),
      shellSection(panelsOf(groups)),
      ...groups.map((group, index) => groupSection(group, index, manyPanels)),
      afterwardsSection(),
    ],
  };
}

function panelsOf(groups: readonly StepGroup[]): readonly (string | undefined)[] {
  const panels = new Set(groups.flatMap(({ steps }) => steps.map(({ panel }) => panel)));
  const known = [...panels].filter((panel) => panel !== undefined).sort();
  return [...known, ...(panels.has(undefined) || known.length === 0 ? [undefined] : [])];
}

function notKnown(why: string): Text {
  return [{ own: `not known: ${why}` }];
}

function valueOr(value: string | undefined, why: string): Text {
  return value === undefined ? notKnown(why) : text`${value}`;
}

function paragraph(of: Text): Block {
  return { kind: "paragraph", text: of };
}

function stopSection(steps: readonly RunbookStep[]): PageSection {
  const underWay = steps.flatMap(underWayText);
  return {
    id: "stop",
    title: text`Stop what is under way`,
    blocks: [
      {
        kind: "list",
        items: [
          text`Make sure that no run is still at work before you restore by hand. Otherwise a machine may be restored twice.`,
          text`After ${bold("one Ctrl-C")} a restore whose ${code("create")} has begun is still posted, whatever it waits for: a busy machine, a slot, the restore before it. One whose intent still waits is not posted.`,
          text`A ${bold("second Ctrl-C")} ends the wait, not the restore on the panel. A run that is gone posts nothing more. What it sent last may be listed a few minutes later.`,
          text`A transaction that the panel runs goes on, unless somebody cancels it on the panel. Its machine may then be in any state.`,
          text`${code("pulumi cancel --yes")} frees the stack’s lock. Use it once the run is really gone: it also unlocks the stack of a run that still works.`,
        ],
      },
      ...(underWay.length === 0
        ? [paragraph(text`The state shows no restore under way.`)]
        : [
            paragraph(text`These had not ended when the state was written, as far as it tells:`),
            { kind: "list" as const, items: underWay },
          ]),
    ],
  };
}

function underWayText(step: RunbookStep): readonly Text[] {
  const { number, name, underWay } = step;
  if (underWay === undefined) return [];
  return [text`step ${toStep(number)}, ${name}, machine ${machineText(step)}. ${underWayFacts(underWay)}`];
}

function underWayFacts({ says, transactionIds }: NonNullable<RunbookStep["underWay"]>): Text {
  return transactionIds.length === 0
    ? text`Its transaction is ${notKnown("the state holds none")}. ${says}`
    : text`Transaction ${transactionIds.join(", ")}. ${says}`;
}

function overviewSection(groups: readonly StepGroup[]): PageSection {
  const rows = groups.flatMap((group) =>
    group.steps.map((step) => [
      text`☐`,
      text`${toStep(step.number)}`,
      groupName(group),
      text`${step.name}`,
      machineText(step),
      step.kind === "VmRestore" ? text`whole machine` : text`files`,
      pointText(step),
      startText(step, group),
      lastText(step),
    ]),
  );
  return {
    id: "overview",
    title: text`Overview`,
    blocks: [
      paragraph(
        text`In the order in which everything runs. Restores of one wave run side by side, but for those of one machine. Write down the transaction of each.`,
      ),
      {
        kind: "table",
        label: "overview",
        heads: ["Done", "Step", "Wave", "Restore", "Machine", "What", "From", "Starts", "Last time"],
        rows,
      },
    ],
  };
}

function groupName({ plan, wave }: StepGroup): Text {
  if (plan === undefined) return text`beside plans`;
  return wave === undefined ? text`${plan.name}` : text`${plan.name}: ${wave}`;
}

function machineText({ machine }: RunbookStep): Text {
  return machine === undefined ? notKnown("a secret, or not in the state") : text`${code(machine)}`;
}

function pointText({ point }: RunbookStep): Text {
  switch (point.by) {
    case "id":
      return text`recovery point ${code(point.id)}`;
    case "rule":
      return text`${point.rule}${point.beforeIncident ? text`, before the incident` : []}`;
    case "not known":
      return notKnown("the recovery point is a secret, or not in the state");
  }
}

function startText({ behind, after }: RunbookStep, { waveBefore, between, plan }: StepGroup): Text {
  const wave = waveBefore === undefined ? [] : [text`all of wave ${waveBefore} ${waveEnd(plan)}`];
  const same = behind === undefined ? [] : [behindText(behind)];
  const others = after.flatMap((one) => ("resource" in one ? [] : [afterText(one)]));
  const names = new Set([
    ...between.map(({ name }) => name),
    ...after.flatMap((one) => ("resource" in one ? [one.resource] : [])),
  ]);
  const all = [...wave, ...others, ...same, ...(names.size === 0 ? [] : [text`${firstFew([...names])}`])];
  return all.length === 0
    ? text`at once`
    : joined(
        all.map((one) => text`after ${one}`),
        ", and ",
      );
}

function behindText({ which, is }: NonNullable<RunbookStep["behind"]>): Text {
  const one = typeof which === "number" ? text`step ${toStep(which)}` : text`the restore ${which}`;
  const order =
    is === "recorded" ? [] : text` (${notKnown("which of the two comes first, for no run has recorded it")})`;
  return text`${one} of the same machine is complete${order}`;
}

function afterText(one: Exclude<After, { resource: string }>): Text {
  if ("step" in one) return text`step ${toStep(one.step)} is complete`;
  if ("restore" in one) return text`the restore ${one.restore} is complete`;
  return one.wave === undefined
    ? text`plan ${one.plan} is complete`
    : text`wave ${one.wave} of plan ${one.plan} is complete and checked`;
}

function waveEnd(plan: PlanFacts | undefined): string {
  return plan?.onFailure === "continue" ? "has ended, well or badly" : "is complete and checked";
}

function lastText({ last, provenBefore }: RunbookStep): Text {
  if (provenBefore === undefined) return lastTimeText(last);
  return last === undefined
    ? proofText(provenBefore)
    : text`${lastTimeText(last)}; before that ${proofText(provenBefore)}`;
}

/** `complete and checked in 24 min in run 2026-Q3, at 2026-08-20 10:00:00 UTC` */
function proofText({ at, run, recoveredSeconds, of }: KnownProof): Text {
  const took = recoveredSeconds === undefined ? [] : text` in ${durationText(recoveredSeconds)}`;
  const otherwise = of === "what is declared now" ? [] : text`, when it may have been declared otherwise`;
  return text`complete and checked${took}${run === undefined ? [] : text` in run ${run}`}, at ${timeText(at)}${otherwise}`;
}

const resultWords: Readonly<Record<Exclude<StepState, "unfinished">, string>> = {
  complete: "complete",
  failed: "failed",
  cancelled: "cancelled",
  "check failed": "complete, but a check failed,",
  "not checked": "complete, but not every check was run,",
};

function lastTimeText(last: RunbookStep["last"]): Text {
  if (last === undefined) return notKnown("the state holds no run of it");
  const { result, status, reason = status, requestedAt, seconds } = last;
  const at = requestedAt === undefined ? [] : text`, requested ${timeText(requestedAt)}`;
  if (result === "unfinished") return text`not complete: ${reason}${at}`;
  return text`${resultWords[result]}${seconds === undefined ? [] : text` in ${durationText(seconds)}`}${at}`;
}

function lastPointText({ lastPoint, point }: RunbookStep): Text {
  if (lastPoint === undefined)
    return notKnown(point.by === "rule" ? "the rule has never chosen one" : "the state holds no run of it");
  const { id, takenAt } = lastPoint;
  return text`${code(id)}, ${takenAt === undefined ? notKnown("when it was taken") : text`taken ${timeText(takenAt)}`}`;
}

function shellSection(panels: readonly (string | undefined)[]): PageSection {
  return {
    id: "shell",
    title: text`Before the first step`,
    blocks: [
      paragraph(
        text`For ${code("curl")}, in bash or zsh, on a machine where nobody else can see the list of processes. Paste one block at a time.`,
      ),
      ...panels.flatMap((panel): readonly Block[] => [
        ...(panels.length === 1
          ? []
          : [
              paragraph(
                panel === undefined
                  ? text`For the steps whose panel is not known:`
                  : text`For the steps on the panel ${code(panel)}:`,
              ),
            ]),
        { kind: "commands", lines: connectionCommands(panel), does: "read" },
      ]),
      {
        kind: "list",
        items: [
          text`${bold("Post each restore once.")} If no answer comes, or a status of 500 and above, do not send it again: look for it in the transactions first.`,
          text`Post nothing while a transaction of the same machine is ${code("pending")} or ${code("running")}.`,
          text`${code("complete")} is a good end. ${code("failed")} and ${code("cancelled")} are bad ends: the machine may be in any state. ${code("pending")} and ${code("running")} are no end. Any other word is no end either, unless ${code("recovery:completeStatuses")} or ${code("recovery:failedStatuses")} names it.`,
          text`A restore may be several transactions. It has ended when all of them have, and it is complete when all of them are.`,
          text`The newest transactions come first, a hundred at a time: ${code("/transactions.json/page/2/per_page/100")} has older ones. If a row does not name its machine, ${code("/virtual_machines/ID/logs.json")} lists the machine’s own.`,
          text`Where ${code("jq")} is installed, ${code("| jq .")} behind a line that lists makes the answer readable.`,
          text`Not every panel lists recovery points to ${code("curl")}. Its page does.`,
          text`On a panel before 5.9 write ${code("virtual_servers")} for ${code("virtual_machines")} where a whole machine is restored and where recovery points are listed. The lines have it where the state holds the provider’s version.`,
          text`${code("-q")} keeps ${code("curl")} from a file of its own settings, which may ask for repeated requests. Add what the connection needs: ${code("--cacert FILE")} for a certificate authority of your own, ${code("--proxy URL")}.`,
        ],
      },
    ],
  };
}

function groupSection(group: StepGroup, index: number, manyPanels: boolean): PageSection {
  const { plan, wave, waveBefore, between, steps } = group;
  return {
    id: `group-${String(index + 1)}`,
    title:
      plan === undefined
        ? text`Restores beside plans`
        : text`Plan ${plan.name}${wave === undefined ? [] : text`, wave ${wave}`}`,
    blocks: [
      ...(waveBefore === undefined
        ? []
        : [paragraph(text`${bold(text`After all of wave ${waveBefore} ${waveEnd(plan)}.`)}`)]),
      ...(plan === undefined || waveBefore !== undefined ? [] : [{ kind: "facts" as const, facts: planFacts(plan) }]),
      ...(between.length === 0 ? [] : betweenBlocks(between)),
      ...steps.flatMap((step) => stepBlocks(step, group, manyPanels)),
    ],
  };
}

function betweenBlocks(between: StepGroup["between"]): readonly Block[] {
  return [
    paragraph(
      text`The program does this before the wave. How to do it by hand is ${notKnown("the program has it")}. Whether it is needed when restoring by hand, decide before the first step.`,
    ),
    { kind: "list", items: between.map(({ name, type }) => text`${name}, ${code(type)}`) },
  ];
}

function planFacts({ run, kind, notes, incidentAt, wholeGoalSeconds }: PlanFacts): Facts {
  return [
    ["Last run", text`${run}, ${kind === "not stated" ? "its kind is not stated" : kind}`],
    ["Scenario", valueOr(notes.scenario, "the plan has no such note")],
    ["Reference", valueOr(notes.reference, "the plan has no such note")],
    ...(incidentAt === undefined ? [] : [["Incident of that run", text`${timeText(incidentAt)}`] as const]),
    ...(wholeGoalSeconds === undefined
      ? []
      : [["Goal of the whole plan", text`recovery time ${durationText(wholeGoalSeconds)}`] as const]),
  ];
}

function stepBlocks(step: RunbookStep, group: StepGroup, manyPanels: boolean): readonly Block[] {
  const { number, name, checks } = step;
  const commands = stepCommands(step);
  return [
    { kind: "step", number, title: text`${name}` },
    ...(step.underWay === undefined
      ? []
      : [
          paragraph(
            text`${bold("It may be under way.")} ${underWayFacts(step.underWay)} Look for it in the transactions first, and restore only when it has ended badly or was never sent.`,
          ),
        ]),
    { kind: "facts", facts: stepFacts(step, group, manyPanels) },
    paragraph(text`${bold("On the panel’s page:")} ${byHandText(step)}`),
    paragraph(text`${bold(text`Or with ${code("curl")}:`)} list the machine’s recovery points.`),
    ...commandsOf(commands.askMachine),
    ...commandsOf(commands.listPoints),
    ...(commands.askPoint === undefined
      ? []
      : [paragraph(text`Choose ${choiceText(step)}.`), ...commandsOf(commands.askPoint)]),
    ...(commands.restore === undefined
      ? [paragraph(text`The line that restores is ${notKnown("the state does not tell the paths as they are sent")}.`)]
      : [paragraph(text`Restore, once.`), ...commandsOf(commands.restore, "restore")]),
    paragraph(text`Look again until it has ended.`),
    ...commandsOf(commands.listTransactions),
    ...checks.flatMap(checkBlocks),
  ];
}

function stepFacts(step: RunbookStep, group: StepGroup, manyPanels: boolean): Facts {
  const { kind, paths, goals, checks, panel } = step;
  const { recoveryTimeSeconds, dataAgeSeconds } = goals;
  const goalTexts = [
    ...(recoveryTimeSeconds === undefined ? [] : [text`recovery time ${durationText(recoveryTimeSeconds)}`]),
    ...(dataAgeSeconds === undefined ? [] : [text`data age ${durationText(dataAgeSeconds)}`]),
  ];
  return [
    ["Restores", kind === "VmRestore" ? text`the whole machine` : text`files: ${pathsText(paths)}`],
    ["Machine", machineText(step)],
    ["From", pointText(step)],
    ["Recovery point last time", lastPointText(step)],
    ["Starts", startText(step, group)],
    ["Last time", lastText(step)],
    ["Goals", goalTexts.length === 0 ? text`none` : joined(goalTexts, ", ")],
    [
      "Checks",
      checks.length === 0
        ? text`none`
        : joined(
            checks.map((check) => text`${checkLabel(check)}`),
            "; ",
          ),
    ],
    ["Ask", askText(group.plan)],
    ...(manyPanels ? [["Panel", valueOr(panel, "the state names no panel of it")] as const] : []),
  ];
}

function pathsText(paths: readonly string[] | undefined): Text {
  if (paths === undefined) return notKnown("their paths are a secret, or not in the state");
  return joined(
    paths.map((path) => text`${code(safeText(path))}`),
    ", ",
  );
}

function askText(plan: PlanFacts | undefined): Text {
  if (plan === undefined) return notKnown("restores beside plans have no notes");
  const { owner, approver }: Notes = plan.notes;
  if (owner === undefined && approver === undefined) return notKnown("the plan’s notes name nobody");
  return joined(
    [
      ...(owner === undefined ? [] : [text`owner ${owner}`]),
      ...(approver === undefined ? [] : [text`approver ${approver}`]),
    ],
    "; ",
  );
}

function byHandText(step: RunbookStep): Text {
  const { kind, machine, point, paths } = step;
  const which =
    machine === undefined
      ? text`the machine, which is ${machineText(step)}`
      : text`virtual machine ${machineText(step)}`;
  const from = point.by === "id" ? text`recovery point ${code(point.id)}` : choiceText(step);
  const what = kind === "VmRestore" ? text`restore the whole machine` : text`restore these files: ${pathsText(paths)}`;
  return text`open ${which}, its backups, ${from}, and ${what}.`;
}

function choiceText({ point }: RunbookStep): Text {
  return point.by === "rule"
    ? text`the recovery point by the rule above, of those whose state is ${code("built")} or ${code("available")}`
    : text`the recovery point, which is not known`;
}

function commandsOf(lines: string | undefined, does: "restore" | "read" = "read"): readonly Block[] {
  return lines === undefined ? [] : [{ kind: "commands", lines, does }];
}

function checkBlocks(check: Check): readonly Block[] {
  const { kind, expects } = check;
  const lines = checkCommand(check);
  const expected =
    kind === "http"
      ? text`. Expected: ${expects ?? "a status from 200 to 299, unless the program says otherwise"}`
      : [];
  const without = kind === "http" ? text` Whether it sends headers is ${notKnown("the program has them")}.` : [];
  if (lines !== undefined)
    return [paragraph(text`Check: ${checkLabel(check)}${expected}.${without}`), ...commandsOf(lines)];
  const why =
    kind === "command"
      ? "the other words of the command are a secret: the program has them"
      : "the state does not hold all of what it asks: the program has it";
  return [paragraph(text`Check: ${checkLabel(check)}${expected}. How to run it by hand is ${notKnown(why)}.`)];
}

function afterwardsSection(): PageSection {
  return {
    id: "afterwards",
    title: text`Afterwards`,
    blocks: [
      {
        kind: "list",
        items: [
          text`The stack knows nothing of a restore by hand. ${code("pulumi up")} with other ${code("triggers")}, or with another ${code("run")} of the plan, restores again.`,
          text`${code('adopt: "<transaction id>"')} on a restore brings one that was made by hand into the stack, and posts nothing. Write the transactions’ ids on this page.`,
        ],
      },
    ],
  };
}
