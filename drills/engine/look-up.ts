import { type PointRule, ruleForIncident, ruleText } from "../../provider/inputs/read-point-rule";
import { PanelError } from "../../provider/panel/errors";
import { isValidId, type ListedPoint, type MachineId, type Page, type PanelClient } from "../../provider/panel/types";
import { zonedTime } from "../../provider/plain/clock";
import { type Message, partsOf } from "../../provider/plain/message";
import { groupBy } from "../../provider/plain/plain";
import { firstFew } from "../../provider/plain/text";
import { listUnread, ofOtherMachines, whyNotPicked } from "../../provider/points/messages";
import { pickByRule } from "../../provider/points/pick-by-rule";
import { isKnownUnusable, listsNothing, otherMachines, toPoints } from "../../provider/points/points";
import { afterIncidentText } from "../judge/goals";
import { restoresIn } from "../judge/history";
import type { Form, PlanRestore, PlanText } from "../judge/stored";

interface Planned extends Pick<Form, "machine" | "point"> {
  readonly path: string;
  /** When the point was taken, according to the plan. */
  readonly takenAt?: string | undefined;
  readonly incidentAt?: string | undefined;
  /** True if the run has the restore already. It may be complete, so its point need not be listed any more. */
  readonly isInRun?: boolean;
}

/** The restores that an `up` looks up: those whose request, declared time or incident is new in the run. Those with `adopt` are left out, as they are not sent. */
export function newInPlan(plan: PlanText, was?: PlanText): readonly Planned[] {
  const known = new Map(
    was === undefined ? [] : restoresIn(was).map(({ id, restore }) => [id, judgedBy(restore, was)]),
  );
  return restoresIn(plan)
    .filter(({ id, restore }) => restore.adopt === undefined && known.get(id) !== judgedBy(restore, plan))
    .map(({ id, path, machine, form: { point }, restore: { takenAt } }) => ({
      isInRun: known.has(id),
      path,
      machine,
      point: typeof point === "string" ? point : ruleForIncident(point, plan.incidentAt),
      takenAt,
      incidentAt: plan.incidentAt,
    }));
}

const judgedBy = ({ takenAt, adopt }: PlanRestore, { incidentAt }: PlanText): string =>
  JSON.stringify([takenAt, adopt, incidentAt]);

export interface LookedUp {
  readonly problems: readonly { readonly path: string; readonly why: string }[];
  readonly unknown: readonly string[];
}

/** Looks up each machine and its recovery points, without changing anything. A machine or point counts as missing only if the panel says so. */
export async function lookUp(
  planned: readonly Planned[],
  client: PanelClient,
  stateWords: readonly string[],
): Promise<LookedUp> {
  const isKnown = ({ machine, point }: Planned): boolean =>
    isValidId(machine) && (typeof point !== "string" || isValidId(point));
  const readable = planned.filter(isKnown);
  const machines = [...new Set(readable.map(({ machine }) => machine as MachineId))];
  const isUnanswered = (answer: unknown): boolean => !isAnswered(answer) && !isNotFound(answer);
  const logs = await askEach(machines, isUnanswered, (machine, how) => client.listLogItems(machine, {}, how));
  const witness = machines.find((machine) => isAnswered(logs.get(machine)));
  const isGone = (machine: MachineId): boolean => witness !== undefined && isNotFound(logs.get(machine));
  const there = machines.filter((machine) => !isGone(machine));
  const points = await askEach(
    there,
    (answer) => !isAnswered(answer),
    (machine, how) => client.listRecoveryPoints(machine, how),
  );
  const isEmpty = (answer: Answer<Page<ListedPoint>>): boolean => isAnswered(answer) && listsNothing(answer);
  const isAnyListed = there.some((machine) => isAnswered(points.get(machine)) && !isEmpty(points.get(machine)));
  const unknown: NotKnown[] = planned
    .filter((one) => !isKnown(one))
    .map(({ path }) => [path, "its machine or recovery point is not yet known"]);
  for (const machine of there)
    if (!isAnswered(logs.get(machine))) unknown.push([`log of ${machine}`, whyOf(logs.get(machine))]);
  const problems = readable.flatMap((one) => {
    const { path, point } = one;
    const machine = one.machine as MachineId;
    if (isGone(machine) && !one.isInRun) {
      const why = `the panel does not know machine ${machine}: a request for its log returns 404, unlike one for the log of machine ${String(witness)}`;
      return [{ path, why }];
    }
    const answer = points.get(machine);
    const found: ReturnType<typeof judgePoint> =
      typeof point === "string" && isEmpty(answer) && !isAnyListed
        ? { unknown: "the panel lists none for any machine" }
        : judgePoint(machine, one, answer, stateWords);
    if (found.problem !== undefined) return [{ path, why: found.problem }];
    if (found.unknown !== undefined) unknown.push([`points of ${machine}`, found.unknown]);
    return [];
  });
  return { problems, unknown: linesOf(unknown) };
}

/** Smaller differences are tolerated: someone may leave out the seconds, or state when the backup started instead of when it ended. */
const otherTimeMs = 10 * 60_000;

function judgePoint(
  machine: MachineId,
  { point, takenAt, incidentAt, isInRun }: Omit<Planned, "path" | "machine">,
  answer: Answer<Page<ListedPoint>>,
  words: readonly string[],
): { readonly problem?: string | undefined; readonly unknown?: string } {
  const noneFits = (rule: PointRule, { what, lines = [], next = "" }: Message) => {
    if (isInRun) return {};
    const why = `${what}${lines.length > 0 ? `: ${firstFew(lines, 3)}` : ""}. ${next}`;
    return { problem: `no recovery point of machine ${machine} can be chosen (${ruleText(rule)}): ${why}` };
  };
  if (!isAnswered(answer)) {
    // A rule chooses from the list, so without a list, it can never choose a point.
    const isCertain = answer?.kind === "notFound" || answer?.kind === "notWhole";
    return typeof point !== "string" && isCertain ? noneFits(point, listUnread(answer)) : { unknown: whyOf(answer) };
  }
  const others = otherMachines(answer, machine);
  if (others.length > 0) {
    const not = ofOtherMachines(others);
    return typeof point === "string" ? { unknown: not.what } : noneFits(point, not);
  }
  const list = toPoints(answer, words);
  if (typeof point !== "string") {
    const found = pickByRule(list, point, () => 0);
    if (found.kind === "chosen") return { problem: tooLateText(found.point.id, found.point.takenAt, incidentAt) };
    return noneFits(point, whyNotPicked(found, list.now));
  }
  const { usable, state = "", takenAt: listedAt } = list.points.find(({ id }) => id === point) ?? {};
  const name = `recovery point ${point} of machine ${machine}`;
  const apartMs = Math.abs((zonedTime(takenAt) ?? NaN) - (zonedTime(listedAt) ?? NaN));
  // The age of the data, and therefore the verdict, depends on this time.
  if (apartMs > otherTimeMs)
    return { problem: `recoveryPointTakenAt is ${takenAt ?? ""}, but the panel lists ${listedAt ?? ""} for ${name}` };
  const problem = tooLateText(point, listedAt, incidentAt);
  if (problem !== undefined || usable === true || isInRun) return { problem };
  if (usable === undefined) {
    if (list.skipped > 0) return { unknown: `${String(list.skipped)} of the points have no id` };
    const listed = list.points.map(({ id }) => id);
    const lists = listed.length === 0 ? "no points of this machine" : firstFew(listed, 4);
    return { problem: `${name} is not listed: the panel lists ${lists}` };
  }
  return isKnownUnusable(state)
    ? { problem: `${name} cannot be restored: its state is "${state}"` }
    : { unknown: `it is not known whether a point in the state "${state}" can be restored (recovery:pointStates)` };
}

function tooLateText(point: string, ...times: Parameters<typeof afterIncidentText>): string | undefined {
  const tooLate = afterIncidentText(...times);
  return tooLate && `recovery point ${point} was ${tooLate}`;
}

/** Restores whose declared point was taken after the plan's incident. Reads nothing from the panel, so previews can use it. */
export const pointsTooLate = (planned: readonly Planned[]): LookedUp["problems"] =>
  planned.flatMap(({ path, point, takenAt, incidentAt }) => {
    const why = typeof point === "string" ? tooLateText(point, takenAt, incidentAt) : undefined;
    return why === undefined
      ? []
      : [{ path, why: `${why}: use an earlier point, with new triggers if it is complete` }];
  });

/** A panel's answer about a machine. Undefined if it was not asked, because too many other requests failed. */
type Answer<Value> = Value | PanelError | undefined;

const isAnswered = <Value>(answer: Answer<Value>): answer is Value =>
  answer !== undefined && !(answer instanceof PanelError);
const isNotFound = (answer: unknown): boolean => answer instanceof PanelError && answer.kind === "notFound";
const whyOf = (answer: unknown): string =>
  answer instanceof PanelError ? partsOf(answer).what : "skipped, because other requests failed";

const atOnce = 10;
/** How many requests may fail before the look-up gives up. If some were answered, the limit is higher, because machines may be hidden from this user. */
const mostUnanswered = { ofNone: 8, ofSome: 40 } as const;

/** Sends a request for each machine, ten at a time. Stops after too many answers for which `isNone` is true, as a 404 may mean that there is no such list. */
async function askEach<Value>(
  machines: readonly MachineId[],
  isNone: (answer: unknown) => boolean,
  ask: (machine: MachineId, options: { readonly signal: AbortSignal }) => Promise<Value>,
): Promise<ReadonlyMap<MachineId, Answer<Value>>> {
  const answers = new Map<MachineId, Answer<Value>>();
  const waiting = machines[Symbol.iterator]();
  const ended = new AbortController();
  const { signal } = ended;
  const isOver = (): boolean => signal.aborted;
  const counts = { answered: 0, none: 0 };
  const work = async (): Promise<void> => {
    for (let next = waiting.next(); next.done !== true && !isOver(); next = waiting.next()) {
      const answer = await ask(next.value, { signal }).catch(answerOf);
      if (isOver()) return;
      answers.set(next.value, answer);
      if (isAnswered(answer)) counts.answered++;
      else if (isNone(answer)) counts.none++;
      if (counts.none >= (counts.answered === 0 ? mostUnanswered.ofNone : mostUnanswered.ofSome)) ended.abort();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return answers;
}

/** If the panel rejects the password, no wave could send anything, so the run does not begin. */
function answerOf(error: unknown): PanelError {
  if (error instanceof PanelError && error.status !== 401) return error;
  throw error;
}

type NotKnown = readonly [what: string, why: string];

const linesOf = (unknown: readonly NotKnown[]): readonly string[] =>
  [...groupBy(unknown, ([, why]) => why)].map(
    ([why, same]) => `${firstFew([...new Set(same.map(([what]) => what))])}: ${why}`,
  );

export const notLookedUpText = ({ unknown }: LookedUp): string =>
  [
    "the look-up before the first wave is incomplete: anything below that is missing on the panel is reported only when its wave begins",
    ...unknown.map((line) => `  ${line}`),
  ].join("\n");

/** One more line is reserved for the paths of all other problems. */
const mostLines = 9;

export function lookUpRefusedText({ problems }: LookedUp, total: number): Message {
  const lines = problems.slice(0, mostLines).map(({ path, why }) => `${path}: ${why}`);
  const others = problems.slice(mostLines).map(({ path }) => path);
  return {
    what: `${String(problems.length)} of ${String(total)} restores cannot be carried out, according to the panel's lists`,
    next: "Correct them, with new triggers for complete restores; or, if the panel is wrong, set `lookUp: false` in the plan to skip this look-up",
    lines: others.length === 0 ? lines : [...lines, `and also ${others.join(", ")}`],
    help: "plan",
  };
}
