import assert from "node:assert/strict";
import { planOperations } from "../../../../drills/engine";
import type { Operations } from "../../../../provider/engine/sanitize";
import { readPlan } from "../../../../drills/inputs/read-plan";
import { wavePartsOf } from "../../../../drills/inputs/wave-texts";
import { readRecord } from "../../../../drills/judge/stored";
import { restoresOfState } from "../../../../drills/judge/state";
import { planTexts, type WaveTexts } from "../../../../drills/program/plan-texts";
import type { AttemptResult } from "../../../../drills/checks/kind";
import type { Probe } from "../../../../drills/checks/kinds";
import { Problems } from "../../../../provider/inputs/problems";
import { type ResourceName, resourceTypes } from "../../../../provider/inputs/resource-names";
import { attempt, resume, take } from "../../../../provider/restore/begin";
import { Engine, Run } from "../../../support/engine";
import { counts, storedLength } from "../../../support/golden";
import { type Manners, PanelAtWork, plainManners } from "../../../support/panel-at-work";
import { type Connection, Process } from "../../../support/process";
import type { Properties, Registration } from "../../../support/program";
import { type Played, restore as stored } from "../../../support/stored/restores";
import { exportedResources, exportedStack, typeIn } from "../../../support/stored/stack";
import { VirtualClock } from "../../../support/virtual-clock";

type Waves = Readonly<Record<string, Readonly<Record<string, object>>>>;

export const restore = (virtualMachineId: string, recoveryPointId: string, more: object = {}) => ({
  virtualMachineId,
  recoveryPointId,
  ...more,
});

export const planOf = (waves: Waves, more: object = {}) => ({
  run: "Q1",
  waves: Object.entries(waves).map(([name, restores]) => ({ name, restores })),
  ...more,
});

export const planOfOne = (more: object = {}, ofPlan: object = {}) =>
  planOf({ data: { db: restore("1", "10", more) } }, ofPlan);

export const stations = [
  ...(["before the intent is stored", "before a POST", "after a POST", "in the wait", "in a check"] as const),
  "before the wave is stored",
] as const;
type Station = (typeof stations)[number];

export interface How extends Connection {
  /** Kills the run when it reaches this moment, after passing it `after` times without a kill. */
  readonly kill?: { readonly at: Station; readonly after: number } | undefined;
  /** The parts that `--exclude` leaves out, and those that `--replace` replaces, identified by the ends of their names. */
  readonly exclude?: readonly string[];
  readonly replace?: readonly string[];
}

export type ProcessOf = readonly [id: string, connection: Connection, station: (at: Station) => void];

let processes = 0;

/** One plan in one stack, on an in-memory panel. Everything between the engine's calls and the panel's responses is real code. */
export abstract class PlanStack {
  readonly engine = new Engine();
  /** The warnings from the last `up`, and the status texts of its resources. */
  warnings: readonly string[] = [];
  rows: readonly string[] = [];
  /** What each `up` showed, and the verdict after it. */
  readonly transcript: string[] = [];
  #beside: readonly object[] = [];
  #pending: readonly { readonly resource: object; readonly type: string }[] = [];

  constructor(readonly time: VirtualClock) {
    counts.push(() => {
      const what = `${String(this.transcript.length)} lines, ${this.verdict?.verdict ?? "no verdict"}`;
      return `${what} at ${new Date(time.now()).toISOString()}, ${storedLength(this.engine.state)}`;
    });
  }

  /** The provider process of an `up`. It calls `station` at each moment at which the run may be killed. */
  protected abstract newProcess(...of: ProcessOf): Process;

  /** Resolves to the errors, or to undefined if the process was killed. Without a plan, the stack is destroyed. */
  async up(plan: unknown, { kill, exclude = [], replace = [], ...connection }: How = {}) {
    await this.time.advance(60_000);
    // Of the pending operations, the engine keeps only those that create a resource.
    this.#pending = this.#pending.filter(({ type }) => type === "creating");
    let passed = 0;
    let die: () => void = () => undefined;
    const station = (at: Station): void => {
      if (kill?.at === at && passed++ === kill.after) die();
    };
    const process = this.newProcess(`process-${String(++processes)}`, connection, station);
    const run = new Run(process);
    const died = new Promise<void>((resolve) => {
      die = () => {
        run.killed = true;
        process.end();
        resolve();
      };
    });
    const program = plan === undefined ? [] : registrations(plan);
    const isOf = (names: readonly string[], urn: string): boolean => names.some((name) => urn.endsWith(ending(name)));
    const cut = program.findIndex(({ urn }) => isOf(exclude, urn) && this.engine.stored(urn) === undefined);
    const urns = program.slice(0, cut === -1 ? undefined : cut).map(({ urn }) => urn);
    const up = this.engine.up(run, program, {
      ...(exclude.length > 0 && { targets: new Set(urns.filter((urn) => !isOf(exclude, urn))) }),
      replaced: new Set(urns.filter((urn) => isOf(replace, urn))),
    });
    await this.time.run(Promise.race([up, died]));
    process.end();
    [this.warnings, this.rows] = [process.warnings, process.rows];
    const errors = run.errors.map(({ text }) => text);
    const end = run.killed ? ["killed"] : errors.map((text) => `error: ${text}`);
    const changed = run.changed.map((urn) => urn.replace(/.*::/, "")).join(", ");
    this.transcript.push("$ pulumi up", ...process.said, ...end, `changed: ${changed || "nothing"}`);
    if (this.verdict !== undefined) this.transcript.push(`verdict: ${this.verdict.verdict}`, ...this.verdict.reasons);
    const pending = (type: string) => (urn: string) => ({ resource: { urn, type: typeIn(urn) }, type });
    this.#pending = this.#pending.concat([...run.creating.keys()].map(pending("creating")));
    this.#pending = this.#pending.concat([...run.updating].map(pending("updating")));
    return run.killed ? undefined : errors;
  }

  get deployment() {
    const resources = exportedResources(this.engine.state);
    return { resources: [...resources, ...this.#beside], pending_operations: this.#pending };
  }

  /** Stores, in the same stack, a restore that is not part of the plan. */
  addBeside(restore: Partial<Played>): void {
    const { resources } = exportedStack(stored({ panel: "https://panel.example", ...restore })).deployment;
    this.#beside = [...this.#beside, ...resources.slice(1)];
  }

  get verdict() {
    return restoresOfState(this.deployment).plans[0]?.verdict;
  }

  get reasons(): string {
    return this.verdict?.reasons.join("\n") ?? "";
  }

  outputsOf(name: string): Properties {
    return this.engine.state.find(({ urn }) => urn.endsWith(ending(name)))?.outputs ?? {};
  }

  eventsOf(name: string) {
    return readRecord(this.outputsOf("wave-data")["record"])?.restores[name] ?? [];
  }

  cut(name: string): void {
    this.engine.state = this.engine.state.filter(({ urn }) => !urn.endsWith(ending(name)));
  }
}

/** A plan on a panel of any kind. The panel records what really happened. */
export class PlanLab extends PlanStack {
  readonly panel: PanelAtWork;
  answer: (probe: Probe) => AttemptResult = () => ({});

  constructor(manners: Partial<Manners> = {}) {
    super(VirtualClock.ofLives());
    this.panel = new PanelAtWork(this.time, { ...plainManners, ...manners });
    this.panel.order({ machine: "9", kind: "backup" }, "panel");
    counts.push(() => `${String(this.panel.requests)} requests`);
  }

  protected newProcess(...[id, connection, station]: ProcessOf): Process {
    const { panel, time } = this;
    const sent = panel.posts.length;
    panel.onSent = () => void setImmediate(station, "after a POST");
    const transportOf: PanelAtWork["transportOf"] = (process) => {
      const send = panel.transportOf(process);
      return (request) => {
        if (request.method === "POST") station("before a POST");
        else if (panel.posts.length > sent) station("in the wait");
        return send(request);
      };
    };
    const checkAttempt = (probe: Probe) => () => {
      station("in a check");
      return Promise.resolve(this.answer(probe));
    };
    return new Process(id, { time, transportOf }, connection, ({ here }) => {
      const { WaveIntent, Wave, ...others } = planOperations(here, { attempt, take, resume, checkAttempt });
      return {
        ...others,
        WaveIntent: passing(WaveIntent, () => station("before the intent is stored")),
        Wave: passing(Wave, () => station("before the wave is stored")),
      };
    });
  }
}

/** Calls `station` after each operation, before the engine stores the result. */
function passing(operations: Operations, station: () => void): Operations {
  return {
    ...operations,
    create: (inputs) => operations.create(inputs).finally(station),
    update: (id, olds, news) => operations.update(id, olds, news).finally(station),
  };
}

/** The registrations that a plan's classes would make, in the same order. With the real classes, a run would take ten times as long. */
function registrations(args: unknown): readonly Registration[] {
  const problems = new Problems();
  const plan = readPlan(args, { isUnknown: () => false, problems });
  assert.ok(plan, problems.all.map(({ reason }) => reason).join("\n"));
  const texts = planTexts("shop", plan);
  const all: Registration[] = [];
  const add = (operations: ResourceName, name: string, inputs: Registration["inputs"]): number => {
    const urn = `urn:pulumi:test::shop::recovery:index:RecoveryPlan$${resourceTypes[operations]}${ending(name)}`;
    const dependsOn = [...all.keys()];
    const given: Registration["inputs"] = (outputs) => ({ ...inputs(outputs), __row: urn, __provider: "p" });
    return all.push({ urn, operations, restore: 0, isDeletedFirst: true, dependsOn, inputs: given }) - 1;
  };
  const run = add("PlanRun", "run", () => ({ run: texts.run, plan: texts.plan, lookUp: plan.lookUp }));
  const places = plan.waves.map((declaration, index) => {
    const { name } = declaration;
    const { declared } = texts.waves[index] as WaveTexts;
    const options = JSON.stringify(wavePartsOf(declaration).parts.options);
    const previous = all.at(-1)?.urn;
    const intent = add("WaveIntent", `wave-${name}-intent`, (of) => {
      return { run: of(run)["run"], __after: previous, declared, incidentAt: texts.incidentAt };
    });
    const wave = add("Wave", `wave-${name}`, (of) => {
      const { run: asked, restores } = of(intent);
      const given = { run: asked, __restores: restores, __options: options };
      return { ...given, onFailure: plan.onFailure, __after: all[intent]?.urn };
    });
    return { name, intent, wave };
  });
  add("Verdict", "verdict", (of) => {
    const waves = places.map(({ name, intent, wave }) => {
      const { run: intentRun, restores } = of(intent);
      return { name, intentRun, run: of(wave)["run"], restores, record: of(wave)["record"] };
    });
    const { run: ofRun, plan: __plan, up, changed } = of(run);
    return { run: texts.run, __plan, __ofRun: { run: ofRun, up, changed }, __waves: waves };
  });
  return all;
}

const ending = (name: string): string => `::shop-${name}`;
