import { Engine, Run, type RunError, type Stored } from "../../support/engine";
import { PanelAtWork, type Order, type Owner, type Part, type Post, type Work } from "../../support/panel-at-work";
import { type Connection, Process } from "../../support/process";
import { nameOf as restoreName, registrations, type Declared } from "../../support/program";
import { urnsOf } from "../../support/stack";
import { Stuck, VirtualClock } from "../../support/virtual-clock";
import { type Beside, type History, type Moment, omit, type Step } from "./history";
import { judgeEnd, judgeOrder, judgePost, judgeState, ownerOf, sameOwner, tell, nameOf, type Finding } from "./witness";

export interface Life {
  /** The first finding. Later findings may be consequences of it. */
  readonly finding: Finding | undefined;
  readonly disturbed: ReadonlySet<string>;
  /** Errors that are not explained by a failed, cancelled or refused restore. */
  readonly questions: readonly string[];
  /** The number of provider calls, POSTs, jobs, kills and human actions. */
  readonly steps: number;
  readonly requests: number;
  readonly trace: readonly string[];
}

interface LifeOptions {
  readonly trace?: boolean;
  readonly provider?: (id: string, panel: PanelAtWork, connection?: Connection) => Process;
}

const minute = 60_000;

/** Disturbances that are not faults, so no run may ask a question because of them. */
export const noFaults: ReadonlySet<string> = new Set(["refreshed", "new triggers", "traffic", "backup"]);

/** After a suspension of this length, at any point, a run must not post any restore that it had already begun. */
const longSuspensionMs = 110_000;

/** Plays a history on a fresh panel with a fresh stack, and then continues undisturbed until every restore is complete. */
export async function live(
  history: History,
  { trace: traces = false, provider = (...of) => new Process(...of) }: LifeOptions = {},
): Promise<Life> {
  const play = new Play(history, traces, provider);
  try {
    await play.whole();
  } catch (error) {
    if (!(error instanceof Ended)) {
      const text = error instanceof Stuck ? "hangs" : `the harness or the code threw: ${String(error)}`;
      play.finding ??= { what: text, detail: error instanceof Error ? (error.stack ?? "") : "" };
    }
  }
  play.close();
  const { finding = play.noticed, disturbed, questions, trace, steps, panel } = play;
  return { finding, disturbed, questions, trace, steps, requests: panel.requests };
}

class Ended extends Error {}

class Play {
  readonly time = VirtualClock.ofLives();
  readonly panel: PanelAtWork;
  readonly engine = new Engine();
  readonly disturbed = new Set<string>();
  readonly questions: string[] = [];
  readonly trace: string[] = [];
  finding: Finding | undefined;
  noticed: Finding | undefined;
  declared: readonly Declared[];
  /** What was declared before the previous step. */
  #former: readonly Declared[] | undefined;
  readonly saved: { readonly stored: Stored; readonly at: number }[] = [];
  readonly unsettledAtNewTriggers = new Set<object>();
  /** The POSTs that were under way when triggers changed. */
  readonly #openAtNewTriggers = new Set<Post>();
  /** Delayed actions, each triggered by the nth event of a kind. */
  readonly #arranged: { readonly after: Moment["after"]; left: number; process: Process; then: () => void }[] = [];

  readonly pageSize: number;
  runBeganAt = 0;
  /** Whether new triggers or `--target` may cause a restore to be sent although the next restore of its machine already has an intent. */
  #isSentAnew = false;
  readonly #runs = new Map<object, { readonly run: Run; readonly declared: readonly Declared[] }>();
  #processes = 0;
  #events = 0;
  #isCalm = false;
  readonly #isUntimed: boolean;
  /** What each process was creating when it was suspended for a long time. */
  readonly #heldUp = new Map<object, ReadonlySet<string>>();
  #said = new Map<number, string>();
  #shown = "";
  #ended = false;
  #stop: () => void = () => undefined;

  constructor(
    readonly history: History,
    private readonly traces: boolean,
    private readonly provider: NonNullable<LifeOptions["provider"]>,
  ) {
    this.panel = new PanelAtWork(this.time, history.manners);
    this.pageSize = history.manners.isUnpaged ? 10 : (history.pageSize ?? 100);
    if (history.trafficMs !== undefined) this.disturbed.add("traffic");
    const { tie, tells, stamps, isUnpaged, bareRows, foreign } = history.manners;
    // The log names a bare row's machine, but nothing shows which restore the row belongs to.
    if (tie === "nothing" || (tie === "log" && bareRows)) this.disturbed.add("rows of no machine");
    if (foreign === "other name") this.disturbed.add("other names");
    if (history.restores.some(({ timeouts }) => timeouts.busy === 0)) this.disturbed.add("busy: 0");
    if (isUnpaged) this.disturbed.add("no paging");
    // If a row has neither a time with a zone nor a point (for files, also paths), only its machine links it to this restore.
    const isProven =
      tells === "point and paths" ||
      (tells === "point" && !history.restores.some(({ kind }) => kind === "FileRestore"));
    this.#isUntimed = !isProven && stamps !== "Z" && stamps !== "+02:00";
    this.panel.fates = [...history.fates];
    this.declared = history.restores.map((wanted) => ({
      ...wanted,
      ...pathsOf(wanted.kind),
      point: this.#spelled(wanted.point),
      generation: 0,
    }));
    this.panel.whose = (order, process) => this.#whose(order, process);
    this.panel.onSent = (post) => {
      this.#note(() => `POST of ${nameOf(post.owner)} (${JSON.stringify(post.fate)})`);
      const { answer, carriedOut } = post.fate;
      if (answer === "refused") {
        this.disturbed.add("refused");
        this.#restoredByPerson(post);
      } else if (!carriedOut) this.disturbed.add("never carried out");
      else if (answer !== "good") this.disturbed.add("answer lost");
      this.#found(judgePost(post, this));
      this.#noticed(judgeOrder(post, this));
      this.#count("sent");
    };
    this.panel.onMade = (work) => {
      if (Number(work.machine) < 50)
        this.#note(() => `made: ${tell(work)}, listed ${String(work.lateMs / 1000)} s later`);
      if (work.outcome === "failed" && work.owner !== "person") this.disturbed.add("failed");
      for (const post of this.#openAtNewTriggers)
        if (!post.open && post.work === undefined) this.unsettledAtNewTriggers.add(work);
    };
    if (history.manners.older) this.panel.order({ kind: "backup", machine: "41" }, "panel", "complete", 1_000);
    this.engine.onSaved = () => {
      this.#noteState();
      for (const stored of this.engine.state)
        if (!this.saved.some(({ stored: one }) => one.id === stored.id && sameOwner(ownerOf(one), ownerOf(stored))))
          this.saved.push({ stored, at: this.time.now() });
      this.#found(judgeState(this));
      this.#count("saved");
    };
  }

  get steps(): number {
    const own = this.panel.works.filter(({ machine }) => Number(machine) < 50);
    return this.#events + this.engine.calls + this.panel.posts.length + own.length;
  }

  async whole(): Promise<void> {
    for (const step of this.history.steps) await this.#step(step);
    await this.#calm();
  }

  close(): void {
    this.#ended = true;
    if (this.panel.posts.some((post) => this.#isBeyondListed(post))) this.disturbed.add("listed after its limit");
    if (this.disturbed.has("killed") && this.#isSentAnew) this.disturbed.add("sent again before another");
    for (const process of this.#runs.keys()) (process as Process).end();
  }

  #isBeyondListed({ owner, work, sentAt }: Post): boolean {
    if (typeof owner === "string") return false;
    // If only a log shows which machine a row belongs to, the log is read every half minute.
    const logMs = this.history.manners.tie === "log" ? 30_000 : 0;
    const limit = (this.declared[owner.restore]?.timeouts["listed"] ?? 120) * 1_000 - logMs;
    return work?.parts.some(({ isRestore, at }) => isRestore && at - sentAt > limit) === true;
  }

  async #step(step: Step): Promise<void> {
    const { declared } = this;
    if (step.back) {
      this.declared = this.#former ?? declared;
      if (this.declared.some(({ generation }, index) => generation !== declared[index]?.generation))
        this.#noteUnsettled();
      this.#said.clear();
    }
    if ((step.back ?? step.points) && this.disturbed.has("killed")) this.disturbed.add("changed after a kill");
    if (step.advice) for (const restore of this.declared.keys()) this.#follow(restore);
    for (const restore of step.triggers ?? []) this.#newTriggers(restore);
    for (const restore of step.points ?? []) {
      const pointOf = (one: Declared): string => this.#spelled(one.point.endsWith("1001") ? "1002" : "1001");
      this.#declare(restore, (one) => ({ ...omit(one, "adopt"), point: pointOf(one) }));
      this.#said.delete(restore);
    }
    this.#former = declared;
    for (const restore of step.wait ?? []) this.#declare(restore, (one) => ({ ...one, wait: !one.wait }));
    for (const beside of step.beside ?? []) this.time.after(beside.atMs, () => this.#beside(beside));
    await this.#run(step);
    if (step.pauseMs > 0) await this.time.run(this.time.pause(step.pauseMs));
  }

  async #run(step: Step): Promise<void> {
    const process = this.provider(`process-${String(++this.#processes)}`, this.panel, {
      settings: {
        "recovery:pageSize": String(this.pageSize),
        ...(this.history.places !== undefined && { "recovery:maxConcurrent": String(this.history.places) }),
      },
      // The decisions and their reasons, without the lines about reads.
      ...(this.traces && {
        trace: (line: string) => {
          if (!line.includes('"action":"read"')) this.#note(() => line);
        },
      }),
    });
    this.panel.user = step.user ?? "operator";
    if (step.user) this.disturbed.add("another user");
    const { trafficMs } = this.history;
    const stopTraffic = trafficMs === undefined ? undefined : this.panel.traffic(trafficMs);
    const run = new Run(process);
    const { declared } = this;
    this.#runs.set(process, { run, declared });
    const program = registrations(declared);
    this.#note(() => `${JSON.stringify(step)} of ${JSON.stringify(declared)}`);
    this.#isSentAnew ||= (step.target ?? step.points ?? step.back) !== undefined;
    this.runBeganAt = this.time.now();
    const stopped = new Promise<void>((resolve) => {
      this.#stop = resolve;
      if (step.kill) this.#arrangeKill(step.kill, run, resolve);
      if (step.suspend) this.#arrangeSuspension(step.suspend, run);
    });
    const { target, continueOnError = false } = step;
    const targets = target && { targets: urnsOf(program, target.restores, target.intents) };
    const options = { ...targets, continueOnError };
    const work = step.run === "up" ? this.engine.up(run, program, options) : this.#refresh(run, step);
    await this.time.run(Promise.race([work, stopped]));
    stopTraffic?.();
    if (this.finding) throw new Ended();
    if (run.killed) return;
    process.end();
    this.#runs.delete(process);
    this.#judgeWait(this.time.now() - this.runBeganAt);
    this.#heard(run, step);
  }

  /** Without a fault, every wait ends long before the restore's limits, which exist for faulty panels. */
  #judgeWait(tookMs: number): void {
    const isUndisturbed = this.#isCalm || [...this.disturbed].every((one) => noFaults.has(one));
    if (!isUndisturbed || tookMs <= 10 * minute * this.declared.length) return;
    this.#found({ what: "a wait that does not end", detail: `a run of ${String(tookMs / minute)} minutes` });
    throw new Ended();
  }

  #refresh(run: Run, { run: how }: Step): Promise<void> {
    this.disturbed.add("refreshed");
    if (how === "refresh") return this.engine.refresh(run);
    return this.engine.refresh(run, (state) => (how === "refresh in order" ? state : state.toReversed()));
  }

  #restoredByPerson({ order }: Post): void {
    const { personAfterRefusalMs } = this.history;
    if (personAfterRefusalMs === undefined || this.#isCalm) return;
    this.time.after(personAfterRefusalMs, () => {
      if (this.#ended) return;
      this.disturbed.add("restore");
      this.panel.order(order, "person", "complete", 20_000);
    });
  }

  #arrangeKill({ orphanMs, ...moment }: NonNullable<Step["kill"]>, run: Run, resolve: () => void): void {
    const { process } = run;
    const kill = (): void => {
      if (process.ended || run.killed) return;
      run.killed = true;
      process.orphaned = true;
      // After a second kill, times may not identify the restore: the run in between may have sent it long after the intent was made.
      this.disturbed.add(this.disturbed.has("killed") ? "killed again" : "killed");
      // From here on, a new row must show when it was created, so a panel without times counts as disturbed.
      if (!this.history.manners.date) this.disturbed.add("no date");
      if (this.#isUntimed) this.disturbed.add("rows without a time");
      if (this.declared.some(({ timeouts }) => timeouts["busy"] === 0)) this.disturbed.add("no time to wait");
      if (!this.history.manners.older) this.disturbed.add("an empty list");
      if (this.history.manners.foreign === "disk") this.disturbed.add("others' rows of no machine");
      const { restoresTwice, link } = this.history.manners;
      if (restoresTwice && link === "none") this.disturbed.add("restores that nothing links");
      this.#events++;
      this.#note(() => "kill");
      this.time.after(orphanMs, () => process.end());
      resolve();
    };
    this.#arrange(moment, process, kill);
  }

  #arrangeSuspension({ forMs, how, ...moment }: NonNullable<Step["suspend"]>, run: Run): void {
    const { process } = run;
    this.#arrange(moment, process, () => {
      if (process.ended || run.killed) return;
      this.disturbed.add("suspended");
      this.#events++;
      this.#note(() => `${how} for ${String(forMs / 1000)} s`);
      if (forMs >= longSuspensionMs) this.#heldUp.set(process, new Set(run.creating.keys()));
      this.panel.spans.push({ from: this.time.now(), until: this.time.now() + forMs, how: "suspended" });
      this.time.suspend(process, forMs, how);
    });
  }

  /** Acts some time after the event, because people wait to see what their previous action did. */
  #arrange({ after, nth, ms }: Moment, process: Process, act: () => void): void {
    const then = (): void => void this.time.after(ms, act);
    if (after === "begin") then();
    else this.#arranged.push({ after, left: nth, process, then });
  }

  #count(after: Moment["after"]): void {
    for (const one of this.#arranged) {
      if (one.after === after && !one.process.ended && --one.left === 0) one.then();
    }
  }

  #beside(beside: Beside): void {
    if (this.#ended) return;
    this.#events++;
    if (!this.#happens(beside)) return;
    this.disturbed.add(beside.does);
    this.#note(() => JSON.stringify(beside));
  }

  #happens(beside: Beside): boolean {
    const { panel, time } = this;
    switch (beside.does) {
      case "restore": {
        const { kind, machine, point, outcome, runsForMs } = beside;
        panel.order({ kind, machine, point: this.#spelled(point), ...pathsOf(kind) }, "person", outcome, runsForMs);
        return true;
      }
      case "backup":
        panel.order({ kind: "backup", machine: beside.machine }, "panel", "complete", beside.runsForMs);
        return true;
      case "run again":
        return panel.runAgain(beside.machine) !== undefined;
      case "cancel":
        return panel.cancel(beside.machine) !== undefined;
      case "set the wall clock":
        time.setWall(beside.byMs);
        return true;
      case "clock back":
        panel.setBack.push({ at: time.now(), byMs: beside.byMs });
        return true;
      case "empty pages":
      case "old pages":
      case "outage":
        panel.spans.push({ from: time.now(), until: time.now() + beside.forMs, how: beside.does });
        return true;
    }
  }

  /** A point's id in the program. With `another spelling`, the panel's rows contain only the id's digits. */
  #spelled(point: string): string {
    return this.history.manners.tells === "another spelling" ? `k3x${point}` : point;
  }

  /** Notes the jobs that are not searched for after new triggers, or after a return to earlier triggers. */
  #noteUnsettled(): void {
    // A job is not settled if it is not listed yet or will get further parts.
    for (const work of this.panel.works) {
      const getsParts = work.endedAt === Infinity && this.history.manners.parts === "one after the other";
      if (getsParts || work.parts.some(({ at }) => at > this.time.now())) this.unsettledAtNewTriggers.add(work);
    }
    for (const post of this.panel.posts) if (post.open) this.#openAtNewTriggers.add(post);
  }

  #newTriggers(restore: number): void {
    this.#noteUnsettled();
    const changed = this.declared[restore];
    // Restoring a whole machine again also repeats the later restores of that machine.
    this.declared = this.declared.map((one, index) => {
      const isBehind = index > restore && changed?.kind === "VmRestore" && one.machine === changed.machine;
      if (index !== restore && !isBehind) return one;
      return { ...omit(one, "adopt"), generation: ++this.#events };
    });
    this.#note(() => `new triggers for ${restoreName(restore)}`);
    this.#said.delete(restore);
    this.disturbed.add("new triggers");
    if (this.panel.isUnsettled()) this.disturbed.add("new triggers too soon");
    this.#isSentAnew ||= this.declared.some((one, index) => index > restore && one.machine === changed?.machine);
  }

  #declare(restore: number, change: (one: Declared) => Declared): void {
    this.declared = this.declared.map((one, index) => (index === restore ? change(one) : one));
  }

  /** Follows the advice in a restore's last error, as somebody who knows the panel would. Returns whether there was something to do. */
  #follow(restore: number): boolean {
    const wanted = this.declared[restore];
    const said = this.#said.get(restore);
    if (said === undefined || wanted === undefined) return false;
    const own = this.#ownWorks(restore).filter(
      ({ status, parts }) => status !== "failed" && status !== "cancelled" && parts.some((part) => this.#isSeen(part)),
    );
    const parts = own.at(-1)?.parts ?? [];
    const asked = /adopt: "([^"]+)"/.exec(said)?.[1];
    const id = (parts.find((part) => part.id === asked) ?? parts.find((part) => this.#isSeen(part)))?.id;
    if (/adopt: "/.test(said) && id !== undefined && wanted.adopt !== id) return this.#adopt(restore, id);
    if (this.#isCalm && wanted.adopt === id && id !== undefined && own.at(-1)?.status === "complete") {
      const isHidden = own.at(-1)?.user !== this.panel.user || own.at(-1)?.parts.some((part) => this.#isFarDown(part));
      this.#found({
        what: "a dead end: its own restore is complete, named by adopt, and not taken",
        ...(isHidden && { permitted: "e" }),
        detail: `${restoreName(restore)}: ${said}`,
      });
    }
    // As documented, nobody acts while a killed run's request may still arrive, or while its restore may still be unlisted.
    if (this.panel.isUnsettled(wanted.machine)) return false;
    if (/(?:take|remove|leave) adopt/i.test(said) && wanted.adopt !== undefined) return this.#adopt(restore, undefined);
    if (/timeouts\.busy is 0/.test(said)) {
      this.#declare(restore, (one) => ({ ...one, timeouts: { ...one.timeouts, busy: 1_800 } }));
      return true;
    }
    if (!/trigger/.test(said)) return false;
    this.#newTriggers(restore);
    return true;
  }

  #adopt(restore: number, adopt: string | undefined): true {
    this.#note(() => `adopt: ${adopt === undefined ? "taken out" : `"${adopt}"`} for ${restoreName(restore)}`);
    this.#declare(restore, (one) => ({ ...omit(one, "adopt"), ...(adopt !== undefined && { adopt }) }));
    this.#said.delete(restore);
    return true;
  }

  /** Whether a page shows this row, and the row's action is a restore. */
  #isSeen(part: Part): boolean {
    const count = this.history.manners.isUnpaged ? this.pageSize : Infinity;
    return part.isRestore && this.panel.isAmongNewest(part, this.time.now(), count);
  }

  /** Whether the row is too far down to be found: a search ends after 500 pages of ten rows, and rows may be added meanwhile. */
  #isFarDown({ no }: Part): boolean {
    return (
      this.history.manners.ids === "lettered" &&
      this.panel.works.at(-1)?.parts.some((part) => part.no - no > 4_900) === true
    );
  }

  /** Without further disturbance, every restore must become complete, by runs alone or by following the advice in its last error. */
  async #calm(): Promise<void> {
    const { panel, time } = this;
    this.#note(() => "from here on all is calm");
    this.#isCalm = true;
    panel.fates = [];
    await time.run(time.pause(20 * minute));
    this.declared = this.declared.map((one) => ({ ...one, wait: true }));
    for (let round = 0; round < 10; round++) {
      await this.#run({ run: "up", pauseMs: 0 });
      const open = [...this.declared.keys()].filter((restore) => this.#said.has(restore) || !this.#isComplete(restore));
      if (open.length === 0) return;
      await time.run(time.pause(5 * minute));
      if (round === 0) continue;
      const followed = open.filter((restore) => this.#follow(restore));
      if (followed.length === 0 && round > 5) break;
    }
    const isHidden = this.panel.works.some(({ owner, user }) => typeof owner !== "string" && user !== this.panel.user);
    const texts = [...this.#said].map(([restore, text]) => `${restoreName(restore)}: ${text}`);
    const detail = `${texts.join("; ")} ${this.#state()}`;
    this.#found({ what: "no way forward", ...(isHidden && { permitted: "e" }), detail });
    throw new Ended();
  }

  #isComplete(restore: number): boolean {
    const stored = this.#storedOf(restore);
    return stored?.outputs["status"] === "complete" && sameOwner(ownerOf(stored), this.#request(restore));
  }

  #heard(run: Run, step: Step): void {
    if (step.run !== "up") {
      for (const { restore, text } of run.errors)
        this.#note(() => `the refresh of ${restoreName(restore)} fails: ${text}`);
      return;
    }
    this.#said = new Map();
    if (run.errors.length === 0 && step.target === undefined) this.#noticed(judgeEnd(this));
    for (const error of run.errors) {
      this.#said.set(error.restore, error.text);
      const expected = this.#explains(error, step);
      this.#note(() => `error${expected ? "" : ", a question"}: ${restoreName(error.restore)}: ${error.text}`);
      if (!expected) this.questions.push(error.text);
    }
  }

  /** Whether the restore's error is explained by something that really went wrong. */
  #explains({ restore }: Pick<RunError, "restore">, step: Step): boolean {
    const wanted = this.declared[restore];
    if (step.target !== undefined && !this.#isTargetedWhole(restore, step.target)) return true;
    const { status } = this.#ownWorks(restore).at(-1) ?? {};
    const post = this.panel.posts.findLast(({ owner }) => sameOwner(owner, this.#request(restore)));
    if (status === "failed" || status === "cancelled" || post?.fate.answer === "refused") return true;
    const before = this.declared.findLastIndex(({ machine }, index) => index < restore && machine === wanted?.machine);
    return before !== -1 && !this.#isComplete(before) && this.#explains({ restore: before }, step);
  }

  /** Whether everything this restore depends on is in the run, or stored and complete. */
  #isTargetedWhole(restore: number, { restores, intents }: NonNullable<Step["target"]>): boolean {
    const wanted = this.declared[restore];
    const intent = this.saved.findLast(({ stored: one }) => one.restore === restore && one.operations === "Intent");
    const before = this.declared.findLastIndex(({ machine }, index) => index < restore && machine === wanted?.machine);
    const hasIntent = intents || (intent !== undefined && sameOwner(ownerOf(intent.stored), this.#request(restore)));
    return hasIntent && (before === -1 || restores.includes(before) || this.#isComplete(before));
  }

  /** The work for the restore's current request that came after all work for its other requests, or for earlier restores of the machine. */
  #ownWorks(restore: number): readonly Work[] {
    const { machine } = this.declared[restore] ?? {};
    const works = this.panel.works.filter(
      ({ owner, ...work }) =>
        typeof owner !== "string" &&
        work.machine === machine &&
        (owner.restore === restore || (owner.restore < restore && work.kind === "VmRestore")),
    );
    return works.slice(works.findLastIndex(({ owner }) => !sameOwner(owner, this.#request(restore))) + 1);
  }

  #request(restore: number, declared = this.declared): Owner {
    const { generation, point } = declared[restore] ?? {};
    return { restore, request: `generation ${String(generation)} from ${String(point)}` };
  }

  #storedOf(restore: number): Stored | undefined {
    return this.engine.state.find((one) => one.restore === restore && !one.delete && one.operations !== "Intent");
  }

  #whose(order: Order, process: object): Owner {
    const known = this.#runs.get(process);
    if (known === undefined) throw new Error("a POST from a process that has ended");
    const senders = [...known.run.creating.values()].filter(({ restore, operations }) => {
      const wanted = known.declared[restore];
      return operations === order.kind && wanted?.machine === order.machine && wanted.point === order.point;
    });
    const [sender] = senders;
    if (sender && this.#heldUp.get(process)?.has(sender.urn))
      this.#found({ what: "a POST of a run that was held up", detail: restoreName(sender.restore) });
    if (senders.length !== 1 || sender === undefined) {
      this.#found({ what: `a POST from ${String(senders.length)} calls of create`, detail: JSON.stringify(order) });
      return "panel";
    }
    return this.#request(sender.restore, known.declared);
  }

  #found(finding: Finding | undefined): void {
    if (finding === undefined || this.finding !== undefined || this.#ended) return;
    this.finding = finding;
    this.#note(() => `FOUND: ${finding.what} (${finding.permitted ?? "not permitted"}): ${finding.detail}`);
    this.#stop();
  }

  /** Notes a violation that has done no harm yet. The history continues, because harm may follow. */
  #noticed(finding: Finding | undefined): void {
    if (finding === undefined || this.#ended) return;
    this.noticed ??= finding;
    this.#note(() => `NOTICED: ${finding.what}: ${finding.detail}`);
  }

  #note(text: () => string): void {
    if (!this.traces || this.#ended) return;
    this.trace.push(`${new Date(this.time.now()).toISOString().slice(11, 19)} ${text()}`);
  }

  #noteState(): void {
    const state = this.traces ? this.#state() : this.#shown;
    if (state !== this.#shown) this.#note(() => `state: ${state}`);
    this.#shown = state;
  }

  #state(): string {
    return this.engine.state
      .filter(({ operations }) => operations !== "Intent")
      .map(
        ({ restore, outputs, delete: gone }) =>
          `${restoreName(restore)}${gone ? " (replaced)" : ""} ${String(outputs["status"])} ${JSON.stringify(outputs["transactionIds"])}`,
      )
      .join(", ");
  }
}

function pathsOf(kind: Order["kind"]): Pick<Declared, "paths"> {
  return kind === "FileRestore" ? { paths: ["/etc/hosts", "/var/www/"] } : {};
}
