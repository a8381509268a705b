import { attemptFor } from "../checks/run-check";
import type { RestoreRequest } from "../inputs/intent";
import { Problems } from "../inputs/problems";
import { type Probe, readCheck } from "../inputs/read-check";
import { isFinished, type RestoreRecord } from "../inputs/record";
import { isObject, deepEqual } from "../plain/plain";
import type { WaveCheck, WaveRestore } from "../plan/wave-input";
import { waitAndCheck, type StepResult, type StepEffects } from "../plan/wait-and-check";
import { awaitRestore } from "../restore/resume-restore";
import type { RestoreResult } from "../restore/result";
import type { PanelSession } from "../restore/panel-session";
import type { ProviderProcess } from "./process";
import { postingIdOf, readAskedChecks } from "./read-wave";

interface ExpectedRestore {
  readonly restore: string;
  readonly checks: readonly WaveCheck[];
}

interface RunningStep {
  readonly asked: WaveRestore;
  readonly outcome: Promise<StepResult>;
  /** Resolves when the restore has ended and the checks begin; left alone when it ends otherwise. */
  readonly checksStarted: Promise<void>;
}

/**
 * A wave's resource begins when the last restore of the wave has been posted, which may take its time: a machine is busy, or the
 * places of `recovery:maxConcurrent` are taken. By then others may long have ended. So the process that posts a restore of a plan
 * waits for it and checks its machine right away, and the wave, in the same process, takes over what has come of that. A wave in
 * another process, after a run that was cut off, does all of it itself.
 */
export class PlanSteps {
  readonly #here: ProviderProcess;
  readonly #expected = new Map<string, ExpectedRestore>();
  readonly #running = new Map<string, RunningStep>();

  constructor(providerProcess: ProviderProcess) {
    this.#here = providerProcess;
  }

  /** Which restores are of a plan, by their URNs, and what is to be checked: told before any of them is posted. */
  setExpected(list: unknown): void {
    if (!isObject(list)) return;
    for (const [restore, value] of Object.entries(list)) {
      if (!isObject(value) || typeof value["urn"] !== "string") continue;
      this.#expected.set(value["urn"], { restore, checks: readAskedChecks(value["checks"], value["probes"]) });
    }
  }

  /** Whether a restore is of a plan, whose wave tells how it has ended. */
  isPlanned(urn: string): boolean {
    return this.#expected.has(urn);
  }

  /** A restore was posted and left to itself. One that is of no plan is none of ours. */
  start(
    urn: string,
    id: string,
    owner: string,
    request: RestoreRequest,
    record: RestoreRecord,
    ended: Promise<RestoreResult> | undefined,
  ): void {
    const known = this.#expected.get(urn);
    if (known === undefined || ended === undefined || isFinished(record.status)) return;
    const name = known.restore;
    const posting = postingIdOf(owner, id, request.adopt);
    const asked: WaveRestore = {
      name,
      urn,
      kind: request.target.kind,
      request: { ...request, name },
      owner,
      posting,
      record,
      goals: {},
      checks: known.checks,
    };
    const world = stepWorld(this.#here, urn, ended);
    let startChecks: () => void = () => undefined;
    const checksStarted = new Promise<void>((resolve) => (startChecks = resolve));
    const outcome = waitAndCheck(asked, { how: "anew", record }, world, startChecks);
    // Nobody may ever ask for it.
    outcome.catch(() => undefined);
    this.#running.set(posting, { asked, outcome, checksStarted });
  }

  /** Hands out what was begun for a posting, and only once: a wave that asks again, later on, wants a new look. */
  take(asked: WaveRestore, onEnded: () => void): Promise<StepResult> | undefined {
    const found = this.#running.get(asked.posting);
    if (found === undefined) return undefined;
    this.#running.delete(asked.posting);
    if (!deepEqual(found.asked.checks, asked.checks)) return undefined;
    // The checks begin before the outcome is there, so the wave hears of the end before it hears of the outcome.
    void found.checksStarted.then(onEnded);
    return found.outcome;
  }
}

export function stepWorld(
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
        session,
        asked.request,
        record,
        asked.owner,
        {
          // Forty rows' worth of progress on one row is none: the wave says how many have ended.
          progress: () => undefined,
          warn: (text) => {
            providerProcess.engineLog.warn(row, `${asked.name}: ${text}`);
          },
        },
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
    const page = await session.feed.newestPage({ budgetMs: session.requestTimeoutMs });
    return page.panelTime === undefined ? undefined : page.panelTime - session.clock.now();
  } catch {
    return undefined;
  }
}

export function probeOf({ probe }: WaveCheck): Probe | undefined {
  const problems = new Problems();
  return readCheck(probe, "check", { isUnknown: () => false, problems })?.probe;
}
