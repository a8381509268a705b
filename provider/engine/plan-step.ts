import { attemptFor } from "../checks/run-check";
import type { RestoreRequest } from "../inputs/intent";
import { Problems } from "../inputs/problems";
import { type Probe, readCheck } from "../inputs/read-check";
import { isFinished } from "../inputs/record";
import { isObject, deepEqual, omit, type Properties } from "../plain/plain";
import type { WaveCheck, WaveRestore } from "../plan/wave-input";
import { waitAndCheck, type StepResult, type StepEffects } from "../plan/wait-and-check";
import { awaitRestore } from "../restore/resume-restore";
import type { RestoreResult } from "../restore/result";
import { beginRun, type PanelSession } from "../restore/panel-session";
import type { ProviderProcess } from "./process";
import { readDefinedChecks } from "./read-wave";

interface RunningStep {
  readonly asked: WaveRestore;
  readonly outcome: Promise<StepResult>;
  /** Resolves when the restore has ended and its checks begin; stays pending when it ends otherwise. */
  readonly checksStarted: Promise<void>;
}

/** What a restore is told of the plan that it belongs to. */
export type RestoreOfPlan = Pick<WaveRestore, "name" | "checks">;

/** A restore outside of plans has none. */
export function readOfPlan({ ofPlan }: Properties): RestoreOfPlan | undefined {
  if (!isObject(ofPlan) || typeof ofPlan["name"] !== "string") return undefined;
  return { name: ofPlan["name"], checks: readDefinedChecks(ofPlan["checks"]) };
}

interface PostedRestore extends Pick<WaveRestore, "owner" | "record"> {
  readonly urn: string;
  readonly ended: Promise<RestoreResult> | undefined;
}

/**
 * The restores of plans that this process has posted and now waits for. A wave's resource begins when the last restore
 * of the wave is posted, which may take long: a machine is busy, or the places of `recovery:maxConcurrent` are taken.
 * Others may have ended by then, so the process that posts a restore also waits for it and checks its machine, and the
 * wave takes over the outcome. After a run that was cut off, the wave is in another process and does all of it itself.
 */
export class PlanSteps {
  readonly #process: ProviderProcess;
  readonly #running = new Map<string, RunningStep>();

  constructor(providerProcess: ProviderProcess) {
    this.#process = providerProcess;
  }

  /** Waits for a posted restore and checks its machine. */
  start(
    { name, checks }: RestoreOfPlan,
    posting: string,
    request: RestoreRequest,
    { urn, owner, record, ended }: PostedRestore,
  ): void {
    if (ended === undefined || isFinished(record.status)) return;
    const asked: WaveRestore = {
      name,
      kind: request.target.kind,
      request: { ...request, name },
      owner,
      posting,
      record,
      checks,
    };
    const effects = stepEffects(this.#process, urn, ended);
    let startChecks: () => void = () => undefined;
    const checksStarted = new Promise<void>((resolve) => (startChecks = resolve));
    const outcome = waitAndCheck(asked, { how: "wait", record }, effects, startChecks);
    // The wave may never ask for it.
    outcome.catch(() => undefined);
    this.#running.set(posting, { asked, outcome, checksStarted });
  }

  /** The step begun for a posting. Given out once: a wave that asks again later wants a new look. */
  take(asked: WaveRestore, onEnded: () => void): Promise<StepResult> | undefined {
    const found = this.#running.get(asked.posting);
    if (found === undefined) return undefined;
    this.#running.delete(asked.posting);
    const own = asked.checks.map((check) => omit(check, "id"));
    if (!deepEqual(found.asked.checks, own)) return undefined;
    // The checks begin before the outcome is known, so the wave learns of the end first.
    void found.checksStarted.then(onEnded);
    return found.outcome;
  }
}

export function stepEffects(
  providerProcess: ProviderProcess,
  row: string,
  ended: Promise<RestoreResult> | undefined,
): StepEffects {
  const session = providerProcess.session(row);
  let ahead: Promise<number | undefined> | undefined;
  return {
    clock: session.clock,
    follow: (asked, record) =>
      awaitRestore(
        beginRun(session, asked.request, asked.owner, {
          // Progress of forty restores is unreadable on one row: the wave says how many have ended.
          progress: () => undefined,
          warn: (text) => {
            providerProcess.engineLog.warn(row, `${asked.name}: ${text}`);
          },
        }),
        record,
        ended,
      ),
    panelAheadMs: () => (ahead ??= panelAhead(session)),
    attemptFor: (check) => {
      const probe = probeOf(check);
      return probe === undefined
        ? () =>
            Promise.resolve({
              problem: "what it is to ask is not known: the check was read from a state that was edited",
            })
        : attemptFor(probe);
    },
  };
}

async function panelAhead(session: PanelSession): Promise<number | undefined> {
  try {
    const page = await session.feed.newestPage();
    return page.panelTime === undefined ? undefined : page.panelTime - session.clock.now();
  } catch {
    return undefined;
  }
}

export function probeOf({ probe }: WaveCheck): Probe | undefined {
  const problems = new Problems();
  return readCheck(probe, "check", { isUnknown: () => false, problems })?.probe;
}
