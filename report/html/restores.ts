import { formatDuration } from "../../provider/inputs/duration";
import { countText, timeText } from "../model/format";
import type { Check, Goal, Report, Step, Wave } from "../model/model";
import {
  checkText,
  chosenText,
  clocksText,
  goalsByRestore,
  goalsShown,
  goalResultText,
  isAsPlanned,
  machineText,
  pointNotShownText,
  allSteps,
  spanOf,
  timesText,
} from "../model/summary";
import {
  type Links,
  fold,
  icon,
  markup,
  section,
  statusWord,
  tones,
  type Markup,
  type Part,
  type Section,
} from "./parts";
import { axis, bar, definitions, legend, scaleOf, type Scale } from "./scale";

/** A reader can take in this many restores at a glance. With more, those that went as planned are folded away. */
const mostUnfolded = 30;
/** The maximum length of a list, because browsers are slow to lay out more restores at once. */
const mostAtOnce = 250;

interface Context {
  readonly goals: ReadonlyMap<string, readonly Goal[]>;
  readonly scale: Scale | undefined;
  readonly links: Links;
}

/** Shows all restores, wave by wave, with everything known about them. Their bars share a scale. */
export function restoresSection(report: Report, links: Links): Section | undefined {
  const steps = allSteps(report);
  if (steps.length === 0) return undefined;
  const scale = scaleOf(steps, report.goals);
  const context: Context = { goals: goalsByRestore(report), scale, links };
  const isLong = steps.length > mostUnfolded;
  return section(
    "restores",
    "Restores",
    [clocksText, scale && ` Bars begin at the first request, ${scale.from}.`],
    [scale && [legend(scale, steps), definitions(scale)], report.waves.map((wave) => band(wave, context, isLong))],
  );
}

function band({ name, restores }: Wave, context: Context, isLong: boolean): Markup {
  const planned = (step: Step): boolean => isAsPlanned(step, context.goals.get(step.name));
  const [inSight, rest, good] = isLong
    ? [
        restores.filter((step) => !planned(step)).slice(0, mostAtOnce),
        restores.filter((step) => !planned(step)).slice(mostAtOnce),
        restores.filter(planned),
      ]
    : [restores, [], []];
  const list = (steps: readonly Step[]): Markup => markup`<ul class="restores">
${steps.map((step) => item(step, context))}</ul>
`;
  const folds = (steps: readonly Step[], words: string): readonly Markup[] =>
    Array.from({ length: Math.ceil(steps.length / mostAtOnce) }, (_, index) => {
      const part = steps.slice(index * mostAtOnce, (index + 1) * mostAtOnce);
      const nth = steps.length > mostAtOnce ? `, part ${String(index + 1)}` : "";
      return fold(`${countText(part.length, "restore")} ${words}${nth}`, list(part));
    });
  return markup`<div class="wave">
<h3>${name === undefined ? undefined : `Wave ${name} `}<span class="soft">${countText(restores.length, "restore")}</span></h3>
${context.scale !== undefined && inSight.some(({ requestedAt }) => requestedAt !== undefined) ? axis(context.scale) : undefined}${inSight.length > 0 ? list(inSight) : undefined}${folds(rest, "more")}${folds(good, "complete and as planned")}</div>
`;
}

function item(step: Step, { goals, scale, links }: Context): Markup {
  const { name, state, recoveredSeconds, transactionIds, checks, earlierAttempts = [], paths = [] } = step;
  const own = goalsShown(step, goals);
  const took = recoveredSeconds === undefined ? undefined : formatDuration(recoveredSeconds);
  const transaction: Part =
    transactionIds.length === 0
      ? undefined
      : [transactionIds.length === 1 ? "transaction " : "transactions ", links.transactions(transactionIds)];
  const facts: readonly Part[] = [
    transaction,
    pointText(step),
    spanOf(step),
    timesText(step),
    ...own
      .filter(({ goal }) => goal === "recoveryTime")
      .map((goal) => wordsOf(`recovery ${goalResultText(goal)}`, goal.result)),
    ageOf(
      step,
      own.find(({ goal }) => goal === "dataAge"),
    ),
    paths.length === 0
      ? undefined
      : [
          paths.slice(0, 5).map((path, index) => [index === 0 ? "" : ", ", markup`<code>${path}</code>`]),
          paths.length > 5 ? ` and ${String(paths.length - 5)} more` : "",
        ],
    ...checks.map(checkPart),
  ];
  const attempts = earlierAttempts.map(
    (one, index) => markup`<p class="line">${[
      `attempt ${String(index + 1)}: `,
      statusWord(one.state),
      one.transactionIds.length === 0 ? "" : [", transaction ", links.transactions(one.transactionIds)],
      ...(spanOf(one) === undefined ? [] : [", ", spanOf(one)]),
    ]}</p>
`,
  );
  return markup`<li class="restore" id="${links.idOf(step)}">
<p class="who">${statusWord(state)} <strong>${name}</strong> <span class="soft">${machineText(step)}</span></p>
${scale && bar(step, scale)}<p class="took">${took}</p>
<ul class="line">${facts.flatMap((fact) => (fact === undefined ? [] : [markup`<li>${fact}</li>`]))}</ul>
${attempts}</li>
`;
}

function pointText(step: Step): string {
  const { recoveryPointId, recoveryPointTakenAt, chosenBy } = step;
  const taken = recoveryPointTakenAt === undefined ? "" : ` of ${timeText(recoveryPointTakenAt)}`;
  const chosen = chosenBy === undefined ? "" : ` (${chosenText(chosenBy)})`;
  return `${recoveryPointId === undefined ? pointNotShownText(step) : `point ${recoveryPointId}${taken}`}${chosen}`;
}

function ageOf({ dataAgeSeconds }: Step, goal: Goal | undefined): Part {
  const age = dataAgeSeconds === undefined ? "data age" : `data ${formatDuration(dataAgeSeconds)} old`;
  if (goal !== undefined) return wordsOf(`${age}, ${goalResultText(goal)}`, goal.result);
  return dataAgeSeconds === undefined ? undefined : age;
}

function wordsOf(text: string, word: Goal["result"]): Part {
  return word === "met" ? text : markup`<span class="${tones[word]}">${text}</span>`;
}

function checkPart(check: Check): Markup {
  const tone = tones[check.result];
  return markup`<span class="word ${tone}">${icon(tone, "mark")}</span>${check.result === "passed" ? checkText(check) : markup`<span class="${tone}">${checkText(check)}</span>`}`;
}
