import { elapsed } from "../time/elapsed";
import { adoptEarlier } from "./adopt-earlier";
import { notPosted, totalUntilOf, type Done, type OneRun } from "./one-run";
import { postWhenClear } from "./post-when-clear";
import type { Site } from "./site";
import type { IntendedPlan } from "./terms/restore-plan";
import type { RestoreResult, Voice } from "./terms/result";
import type { LaneTurn } from "./turn/lane";
import { withTurn } from "./turn/leaving";
import { orAborted, OutOfTime, sayingSo, takeTurn, within } from "./turn/turn";

/** Whether this process made the intent itself. Only a later attempt looks for what an earlier one has posted. */
export type Attempt = "first" | "later";

/** One restore from its turn in the machine's lane to its end. The only way to a POST. */
export async function runRestore(
  site: Site,
  plan: IntendedPlan,
  attempt: Attempt,
  voice: Voice,
): Promise<RestoreResult> {
  const run: OneRun = { site, plan, voice, totalUntil: totalUntilOf(site.clock, plan) };
  try {
    const turn = await itsTurn(run);
    const { result } = await withTurn(turn, () => inItsTurn(run, turn, attempt));
    return result;
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
    const limit = elapsed(plan.timeouts.totalMs ?? 0);
    return notPosted(plan, `the total limit of ${limit} passed before its turn came.`).result;
  }
}

async function inItsTurn(run: OneRun, turn: LaneTurn, attempt: Attempt): Promise<Done> {
  const { plan } = run;
  if (!(await isFreeOfOurs(run, turn))) {
    const limit = elapsed(plan.timeouts.busyMs);
    return notPosted(
      plan,
      `another restore of the machine, posted by this run, has not ended within the busy limit of ${limit}.`,
    );
  }
  const earlier = attempt === "later" && plan.adopt === "auto" ? await adoptEarlier(run) : undefined;
  return earlier ?? postWhenClear(run);
}

function itsTurn(run: OneRun): Promise<LaneTurn> {
  const { lanes, clock } = run.site;
  const machine = run.plan.target.virtualMachineId;
  const isTaken = lanes.isTaken(machine);
  const turn = within(clock, run.totalUntil, (signal) => takeTurn(lanes, machine, signal));
  return isTaken ? sayingTurn(run, turn) : turn;
}

/** True when the machine's previous restore of this process, which nobody waited for, has ended, or is not to be waited for. */
async function isFreeOfOurs(run: OneRun, turn: LaneTurn): Promise<boolean> {
  if (turn.leftBehind === undefined) return true;
  return sayingTurn(run, run.plan.timeouts.busyMs === 0 ? Promise.resolve(true) : hasSettled(run, turn));
}

/** False when the busy limit passes first. The total limit, when that comes before it, ends the run. */
async function hasSettled({ site: { clock }, plan, totalUntil }: OneRun, turn: LaneTurn): Promise<boolean> {
  const busyUntil = clock.now() + plan.timeouts.busyMs;
  const isCutShort = totalUntil !== undefined && totalUntil < busyUntil;
  try {
    await within(clock, isCutShort ? totalUntil : busyUntil, (signal) => orAborted(signal, turn.settle()));
    return true;
  } catch (error) {
    if (error instanceof OutOfTime && !isCutShort) return false;
    throw error;
  }
}

function sayingTurn<T>({ site, plan, voice }: OneRun, wait: Promise<T>): Promise<T> {
  const say = (): void => {
    voice.progress(`waiting for its turn: another restore of machine ${plan.target.virtualMachineId} is under way`);
  };
  return sayingSo(site.clock, say, wait);
}
