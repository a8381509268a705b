import { tryOf } from "../checks/run-check";
import type { RestoreRequest } from "../inputs/intent";
import { Problems } from "../inputs/problems";
import { type Probe, readCheck } from "../inputs/read-check";
import { isFinished, type RestoreRecord } from "../inputs/record";
import { isObject, deepEqual } from "../plain/plain";
import type { AskedCheck, AskedRestore } from "../plan/asked";
import { carryOutStep, type FinishedStep, type StepWorld } from "../plan/carry-out-step";
import { awaitRestore } from "../restore/resume-restore";
import type { RestoreResult } from "../restore/result";
import type { PanelSession } from "../restore/panel-session";
import type { ProviderProcess } from "./process";
import { postingOf, readChecks } from "./read-wave";

interface Expected {
  readonly restore: string;
  readonly checks: readonly AskedCheck[];
}

interface BegunStep {
  readonly asked: AskedRestore;
  readonly outcome: Promise<FinishedStep>;
  /** Resolves when the restore has ended and the checks begin; left alone when it ends otherwise. */
  readonly checking: Promise<void>;
}

/**
 * A wave's resource begins when the last restore of the wave has been posted, which may take its time: a machine is busy, or the
 * places of `recovery:maxConcurrent` are taken. By then others may long have ended. So the process that posts a restore of a plan
 * waits for it and checks its machine right away, and the wave, in the same process, takes over what has come of that. A wave in
 * another process, after a run that was cut off, does all of it itself.
 */
export class PlanSteps {
  readonly #here: ProviderProcess;
  readonly #expected = new Map<string, Expected>();
  readonly #begun = new Map<string, BegunStep>();

  constructor(here: ProviderProcess) {
    this.#here = here;
  }

  /** Which restores are of a plan, by their URNs, and what is to be checked: told before any of them is posted. */
  expect(list: unknown): void {
    if (!isObject(list)) return;
    for (const [restore, value] of Object.entries(list)) {
      if (!isObject(value) || typeof value["urn"] !== "string") continue;
      this.#expected.set(value["urn"], { restore, checks: readChecks(value["checks"], value["probes"]) });
    }
  }

  /** Whether a restore is of a plan, whose wave tells how it has ended. */
  areToTellOf(urn: string): boolean {
    return this.#expected.has(urn);
  }

  /** A restore was posted and left to itself. One that is of no plan is none of ours. */
  begin(
    urn: string,
    id: string,
    owner: string,
    plan: RestoreRequest,
    record: RestoreRecord,
    ended: Promise<RestoreResult> | undefined,
  ): void {
    const known = this.#expected.get(urn);
    if (known === undefined || ended === undefined || isFinished(record.status)) return;
    const name = known.restore;
    const posting = postingOf(owner, id, plan.adopt);
    const asked: AskedRestore = {
      name,
      urn,
      kind: plan.target.kind,
      plan: { ...plan, name },
      owner,
      posting,
      record,
      goals: {},
      checks: known.checks,
    };
    const world = stepWorld(this.#here, urn, ended);
    let beginsToCheck: () => void = () => undefined;
    const checking = new Promise<void>((resolve) => (beginsToCheck = resolve));
    const outcome = carryOutStep(asked, { how: "anew", record }, world, beginsToCheck);
    // Nobody may ever ask for it.
    outcome.catch(() => undefined);
    this.#begun.set(posting, { asked, outcome, checking });
  }

  /** Hands out what was begun for a posting, and only once: a wave that asks again, later on, wants a new look. */
  take(asked: AskedRestore, onEnded: () => void): Promise<FinishedStep> | undefined {
    const found = this.#begun.get(asked.posting);
    if (found === undefined) return undefined;
    this.#begun.delete(asked.posting);
    if (!deepEqual(found.asked.checks, asked.checks)) return undefined;
    // The checks begin before the outcome is there, so the wave hears of the end before it hears of the outcome.
    void found.checking.then(onEnded);
    return found.outcome;
  }
}

export function stepWorld(here: ProviderProcess, row: string, ended: Promise<RestoreResult> | undefined): StepWorld {
  const site = here.site(row);
  let ahead: Promise<number | undefined> | undefined;
  return {
    clock: site.clock,
    follow: (asked, record) =>
      awaitRestore(
        site,
        asked.plan,
        record,
        asked.owner,
        {
          // Forty rows' worth of progress on one row is none: the wave says how many have ended.
          progress: () => undefined,
          warn: (text) => {
            here.voice.warn(row, `${asked.name}: ${text}`);
          },
        },
        ended,
      ),
    panelAheadMs: () => (ahead ??= panelAhead(site)),
    tryOf: (check) => {
      const probe = probeOf(check);
      return probe === undefined
        ? () =>
            Promise.resolve({
              problem: "what it is to ask is not known: the check was read from a state that was edited",
            })
        : tryOf(probe);
    },
  };
}

async function panelAhead(site: PanelSession): Promise<number | undefined> {
  try {
    const head = await site.feed.newestPage({ budgetMs: site.requestTimeoutMs });
    return head.panelTime === undefined ? undefined : head.panelTime - site.clock.now();
  } catch {
    return undefined;
  }
}

export function probeOf({ probe }: AskedCheck): Probe | undefined {
  const problems = new Problems();
  return readCheck(probe, "check", { isUnknown: () => false, problems })?.probe;
}
