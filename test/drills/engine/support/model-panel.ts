import type { Core } from "../../../../drills/engine/one-restore";
import type { IntendedRequest } from "../../../../provider/inputs/intent";
import type { RestoreRecord } from "../../../../provider/inputs/record";
import type { Clock } from "../../../../provider/plain/clock";
import type { Past } from "../../../../provider/restore/attempt";
import type { ResultSoFar } from "../../../../provider/restore/result";
import { Claims, type Run, type Session } from "../../../../provider/restore/session";

export type Outcome = "complete" | "failed" | "cancelled";

export interface ModelRow {
  readonly id: string;
  readonly machine: string;
  readonly point: string;
  readonly files: boolean;
  status: "running" | Outcome;
  /** The entry that it was posted for; none for one that no plan posted. */
  readonly entry: string;
  readonly run: string;
  readonly name: string;
}

/** Where a kill may strike: a name, and how often it is passed before. */
export interface Kill {
  readonly at:
    | "before the intent is stored"
    | "before a POST"
    | "after a POST"
    | "in the wait"
    | "in a check"
    | "before the wave is stored";
  readonly after: number;
}

/** A panel that names machines, a core that keeps the core's promises on it, and a process that may be killed. Time passes with each look at the clock. */
export class ModelPanel {
  readonly rows: ModelRow[] = [];
  /** POSTs that no rule allows. */
  readonly violations: string[] = [];
  outcomeOf: (request: IntendedRequest) => Outcome = () => "complete";
  checkPasses: (name: string) => boolean = () => true;
  /** The last result of each check. */
  readonly checked = new Map<string, boolean>();
  /** The run that is under way, for the rows that it posts. */
  run = "";
  #now = Date.parse("2026-11-21T10:00:00Z");
  #kill: Kill | undefined;
  #passed = 0;
  #isDead = false;
  #dies: () => void = () => undefined;

  readonly clock: Clock = {
    now: () => this.#now,
    wallTime: () => new Date((this.#now += 1_000)),
    after: (ms, run) => {
      let isCancelled = false;
      // Only what is waited for comes due: progress timers never do.
      if (ms < 5_000)
        setImmediate(() => {
          this.#now += ms;
          if (!isCancelled) run();
        });
      return () => (isCancelled = true);
    },
  };

  stamp(): string {
    return new Date((this.#now += 1_000)).toISOString();
  }

  /** A new process. The promise resolves when it is killed. */
  begin(kill: Kill | undefined): { readonly session: Session; readonly core: Core; readonly died: Promise<void> } {
    this.#kill = kill;
    this.#passed = 0;
    this.#isDead = false;
    const died = new Promise<void>((resolve) => (this.#dies = resolve));
    const claims = new Claims();
    const session = {
      clock: this.clock,
      client: { address: "https://panel.example" },
      feed: { read: () => Promise.resolve({ page: this.#page(), order: "numbers", panelTime: this.#now }) },
      claims,
      allowedMachines: [],
      redact: (text: string) => text,
      isWatched: () => Promise.resolve(!this.#isDead),
    } as unknown as Session;
    const core: Core = {
      attempt: (run, past) => this.#attempt(run, past),
      resume: (run, record) => this.#resume(run, record),
      take: (run, id) => this.#take(run, id),
      checkAttempt: (probe) => async () => {
        await this.station("in a check");
        const { name } = probe as unknown as { readonly name: string };
        this.checked.set(name, this.checkPasses(name));
        return this.checkPasses(name) ? {} : { problem: "no answer" };
      },
    };
    return { session, core, died };
  }

  /** Passes a place where the process may be killed: then it never continues. */
  async station(at: Kill["at"]): Promise<void> {
    if (this.#kill?.at === at && this.#passed++ === this.#kill.after) {
      this.#isDead = true;
      this.#dies();
    }
    if (this.#isDead) await new Promise(() => undefined);
  }

  #page() {
    return this.rows
      .slice(-10)
      .reverse()
      .map(({ id }) => ({ id, fields: {} }));
  }

  async #attempt(run: Run<IntendedRequest>, past: Past | undefined): Promise<ResultSoFar> {
    const { request, owner, session, reporter } = run;
    const { virtualMachineId: machine, recoveryPointId: point = "", paths } = request.target;
    if (past !== undefined) {
      const failed = this.rows.filter(({ id }) => past.failedIds.includes(id));
      const back = failed.find(({ status }) => status !== "failed");
      const mark = Number(past.mark.newestId ?? 0);
      const fits = this.rows.filter(
        (row) =>
          Number(row.id) > mark &&
          row.machine === machine &&
          row.files === (paths !== undefined) &&
          row.point === point &&
          !past.failedIds.includes(row.id) &&
          !session.claims.isClaimedByAnother(row.id, owner),
      );
      const found = back ?? (fits.length === 1 ? fits[0] : undefined);
      if (found) {
        session.claims.claim([found.id], owner);
        reporter.event?.({ did: "adopted", why: "found", ids: [found.id] });
        return this.#follow(run, found, true);
      }
      if (fits.length > 1) return notSent(`question: ${fits.map(({ id }) => id).join(", ")} of machine ${machine}`);
      this.#now += 150_000;
    }
    await this.station("before a POST");
    // Asked for again after something else was asked for, it is another attempt.
    const last = this.rows.findLast((row) => row.name === request.name);
    if (last?.entry === owner && last.status !== "failed")
      this.violations.push(`machine ${machine}: posted again for entry ${owner} behind ${last.id}, ${last.status}`);
    const markId = this.rows.at(-1)?.id ?? "5000";
    const id = String(Number(markId) + 1);
    const row: ModelRow = {
      id,
      machine,
      point,
      files: paths !== undefined,
      status: "running",
      entry: owner,
      run: this.run,
      name: request.name,
    };
    this.rows.push(row);
    session.claims.claim([id], owner);
    // It ends on the panel, whoever watches.
    const end = this.outcomeOf(request);
    await this.station("after a POST");
    reporter.event?.({ did: "posted", answer: "accepted", mark: { panel: "https://panel.example", newestId: markId } });
    row.status = end;
    return this.#follow(run, row, false);
  }

  async #follow(run: Run, row: ModelRow, adopted: boolean): Promise<ResultSoFar> {
    run.reporter.event?.({ did: "listed", ids: [row.id], isOver: row.status !== "running" });
    await this.station("in the wait");
    if (row.status === "running") row.status = this.outcomeOf(run.request as IntendedRequest);
    const record: RestoreRecord = {
      status: row.status,
      transactionIds: [row.id],
      adopted,
      warnings: [],
      requestedAt: this.stamp(),
      finishedAt: this.stamp(),
      ...(row.status !== "complete" && {
        mark: { panel: "https://panel.example", newestId: String(Number(row.id) - 1) },
      }),
    };
    return row.status === "complete"
      ? { result: { kind: "good", record } }
      : { result: { kind: "stored", record, reasons: [`${row.id} ${row.status}`] } };
  }

  #resume(run: Run, record: RestoreRecord): Promise<ResultSoFar> {
    const row = this.rows.find(({ id }) => record.transactionIds.includes(id));
    return row === undefined ? Promise.resolve(notSent("not listed")) : this.#follow(run, row, record.adopted);
  }

  #take(run: Run, id: string): Promise<ResultSoFar> {
    const row = this.rows.find((one) => one.id === id);
    const { virtualMachineId: machine, paths } = run.request.target;
    if (
      row?.machine !== machine ||
      row.files !== (paths !== undefined) ||
      run.session.claims.isClaimedByAnother(id, run.owner)
    )
      return Promise.resolve(notSent(`${id} cannot be taken`));
    run.session.claims.claim([id], run.owner);
    run.reporter.event?.({ did: "adopted", why: "named", ids: [id], points: [row.point] });
    return this.#follow(run, row, true);
  }
}

function notSent(reason: string): ResultSoFar {
  return { result: { kind: "not sent", reason } };
}
