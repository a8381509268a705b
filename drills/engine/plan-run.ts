import { randomUUID } from "node:crypto";
import { howToAllow } from "../../provider/inputs/allowed-machines";
import type { CheckFailure } from "../../provider/inputs/problems";
import { MessageError, messageText } from "../../provider/plain/message";
import { isObject, type Properties } from "../../provider/plain/plain";
import { readPlanText, readRun } from "../judge/read";
import type { Change, PlanText, StoredRun } from "../judge/stored";
import { differencesOf } from "./changes";
import { Deleted, isKnown, logged, ownOf, type PlanOperations, type PlanProcess } from "./parts";
import { personIn, whoRunsThis } from "./who";

const nothingSent = "no restore of the plan was sent";
/** The number of first changes, and of last changes, that are kept. */
const maxChanges = 50;

/** A run is saved before everything else of its plan. */
export function planRunOperations({
  id: up,
  engineLog,
  whyNotAllowed,
}: Pick<PlanProcess, "id" | "engineLog" | "whyNotAllowed">): PlanOperations {
  const deleted = new Deleted();
  const now = (): string => new Date().toISOString();
  return {
    check: (olds, news) => ({
      inputs: isObject(news) ? news : {},
      failures: isObject(news)
        ? [...refusedMachines(news, whyNotAllowed), ...(isObject(olds) ? movedRestores(olds, news) : [])]
        : [],
    }),

    diff: (_id, olds, news) =>
      logged(engineLog, nothingSent, () => {
        const before = readRun(olds);
        const { run, plan, secrets } = news;
        if (!isKnown(run, plan, secrets) || before === undefined) return { changes: true };
        const earlier = before.earlierRuns.find((one) => one.run === run);
        // A program reset to an earlier commit would restore every machine again.
        if (earlier !== undefined && before.run !== run)
          throw new MessageError({
            what: `run ${earlier.run} was begun at ${earlier.startedAt}, and every machine would be restored again`,
            next: "Give the run a name that it never had",
            help: "plan",
          });
        return { changes: before.run !== run || before.plan !== plan || before.secrets !== secrets };
      }),

    create: (inputs) =>
      logged(engineLog, nothingSent, () => ({
        id: `run-${randomUUID()}`,
        outs: runOutputs(inputs, readRun(deleted.of(inputs)), up, now()),
      })),

    update: (_id, olds, news) =>
      logged(engineLog, nothingSent, () => ({ outs: runOutputs(news, readRun(olds), up, now()) })),

    read: deleted.read,
    delete: deleted.delete,
  };
}

/** The whole plan is refused before anything is sent: otherwise a later wave's machine would be refused only after the first wave's restores. */
function refusedMachines({ plan }: Properties, whyNotAllowed: PlanProcess["whyNotAllowed"]): readonly CheckFailure[] {
  const waves = isKnown(plan) ? (readPlanText(plan)?.waves ?? []) : [];
  return waves.flatMap(({ restores }) =>
    Object.entries(restores).flatMap(([name, { machine }]) => {
      const why = whyAsFarAsKnown(() => whyNotAllowed(machine));
      return why === undefined ? [] : [{ property: "waves", reason: notAllowedText(name, why) }];
    }),
  );
}

function notAllowedText(name: string, why: string): string {
  return messageText({ what: `waves: ${name}: ${nothingSent}: ${why}`, next: howToAllow, help: "machines" });
}

function whyAsFarAsKnown(why: () => string | undefined): string | undefined {
  try {
    return why();
  } catch {
    // Settings that cannot be read are the intent's error.
    return undefined;
  }
}

/** Within a run a restore that changes its wave would be restored again, and a restore whose wave is gone would be forgotten. */
function movedRestores(olds: Properties, news: Properties): CheckFailure[] {
  if (!isKnown(news["run"], news["plan"]) || olds["run"] !== news["run"]) return [];
  const [was, is] = [readPlanText(olds["plan"]), readPlanText(news["plan"])];
  if (was === undefined || is === undefined) return [];
  const failures: CheckFailure[] = [];
  const fail = (reason: string): void => {
    failures.push({ property: "waves", reason: `waves: ${reason}` });
  };
  for (const { name: wave, restores } of was.waves) {
    if (!is.waves.some(({ name }) => name === wave))
      fail(`wave ${wave} belongs to run ${was.run}: leave it in with restores: {}, or begin a new run`);
    for (const other of is.waves) {
      if (other.name === wave) continue;
      const moved = Object.keys(restores).filter((name) => Object.hasOwn(other.restores, name));
      for (const name of moved)
        fail(
          `${name} belongs to wave ${wave} in run ${was.run}, and would be restored again in wave ${other.name}: leave it there, or begin a new run`,
        );
    }
  }
  return failures;
}

function runOutputs(inputs: Properties, before: StoredRun | undefined, up: string, at: string): Properties {
  const plan = readPlanText(inputs["plan"]);
  if (plan === undefined) throw new Error("the plan of this run cannot be read");
  const texts = { ...ownOf(inputs), run: plan.run, plan: inputs["plan"], secrets: inputs["secrets"] };
  const by = whoRunsThis();
  if (before?.run === plan.run) {
    const changes = [...before.changes, ...changesSince(before, plan, at, personIn(by))];
    const kept =
      changes.length <= 2 * maxChanges ? changes : [...changes.slice(0, maxChanges), ...changes.slice(-maxChanges)];
    const { startedAt, up: first, by: firstBy, earlierRuns } = before;
    return { ...texts, startedAt, up: first, by: firstBy, changes: kept, earlierRuns };
  }
  const earlierRuns =
    before === undefined ? [] : [...before.earlierRuns, { run: before.run, startedAt: before.startedAt }];
  if (earlierRuns.some(({ run }) => run === plan.run))
    throw new MessageError({ what: `run ${plan.run} was begun before`, next: "Use a name once", help: "plan" });
  return { ...texts, startedAt: at, up, by, changes: [], earlierRuns };
}

function changesSince(before: StoredRun, plan: PlanText, at: string, who: string | undefined): readonly Change[] {
  const was = readPlanText(before.plan);
  const found = was === undefined ? ["the plan was changed"] : differencesOf(was, plan);
  return found.map((what) => ({ at, ...(who !== undefined && { who }), what }));
}
