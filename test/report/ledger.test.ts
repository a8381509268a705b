import assert from "node:assert/strict";
import fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import { definitionText, isDefinedAs, readDefinition } from "../../provider/plan/definition";
import { judgedPlan, judgedWave } from "../../provider/plan/judged";
import { verdictOfRun } from "../../provider/plan/verdict";
import { runWave, type PreviousWave } from "../../provider/plan/wave";
import type { WaveRestore } from "../../provider/plan/wave-input";
import type { OverallVerdict, StoredDefinition, StoredPlan, StoredRun, StoredWave } from "../../provider/plan/stored";
import { isObject, omit } from "../../provider/plain/plain";
import { readDeclaration } from "../../cli/ready/declared";
import { type EarlierReport, readReport, report, toJson, toJunit } from "../../report";
import { freshProcess } from "../engine/support/fresh-process";
import { thorough } from "../support/thorough";
import { VirtualClock } from "../support/virtual-clock";
import { intentResource, restoreResource } from "./support/restores";
import { at, exportedStack, urnOf, type StackResource } from "./support/stack";

/*
 * A plan is carried out, changed within its run, killed, targeted, refreshed, its records are lost, and the stack goes back to an older state. The
 * run, its waves and their verdict are the package's own; the engine and the panel are played. What really happened is written down beside, and a
 * short judge knows it: the most that a verdict and a report may say, and of which restore there is a proof.
 */

const names = ["db", "web", "mail"] as const;
type Name = (typeof names)[number];
type Outcome = "complete" | "failed" | "running";

interface PlannedMachine {
  readonly trigger: number;
  /** `a1`: what is shown of a check is its letter alone. */
  readonly checks: readonly string[];
  readonly goalSeconds?: number;
}

interface Plan {
  readonly kind: "drill" | "recovery";
  readonly wholeGoalSeconds?: number;
  readonly note?: string;
  readonly run: string;
  /** What the waves are called, and the machines in each. A machine is in one of them at most. */
  readonly waves: readonly { readonly name: string; readonly machines: Partial<Record<Name, PlannedMachine>> }[];
}

type Step =
  | {
      readonly do:
        | "take out"
        | "put back"
        | "move"
        | "trigger"
        | "drop checks"
        | "add check"
        | "change checks"
        | "taint"
        | "lose restore"
        | "lose intent";
      readonly name: Name;
    }
  | { readonly do: "goal"; readonly name: Name | "whole"; readonly seconds?: number }
  | {
      readonly do:
        | "kind"
        | "note"
        | "swap waves"
        | "keep the state"
        | "go back to it"
        | "rename wave"
        | "new run"
        | "lose run"
        | "taint run"
        | "lose verdict";
    }
  | { readonly do: "lose wave" | "taint wave"; readonly wave: 0 | 1 }
  | {
      readonly do: "up";
      readonly ends: Readonly<Record<Name, Outcome>>;
      readonly checks: "pass" | "fail";
      /** `up --refresh`, which sends again what is known to have failed. */
      readonly refreshes: boolean;
      /** `killed`: after the restores of a wave were sent, before its record was saved. */
      readonly until: "killed in wave 0" | "killed in wave 1" | "before the verdict" | "the end";
      readonly target: Target;
    };

const targets = [
  "all",
  "wave 0",
  "run and verdict",
  "wave 0 without the run",
  "verdict",
  "restores",
  "run, restores and verdict",
] as const;
type Target = (typeof targets)[number];

/** What happened, known to nobody but the judge. */
interface Try {
  readonly name: Name;
  run: number;
  readonly trigger: number;
  readonly requested: number;
  ended?: number;
  status: Outcome;
  readonly checks: Map<string, "passed" | "failed">;
  /** The checks that have ever passed. */
  readonly passed: Set<string>;
}

const mostly = <T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(usual) }, { weight: 2, arbitrary: fc.constantFrom(...others) });
const name = fc.constantFrom(...names);
const upTo = (target: fc.Arbitrary<Target>): fc.Arbitrary<Step> =>
  fc.record({
    do: fc.constant("up" as const),
    ends: fc.record({
      db: mostly<Outcome>("complete", "failed", "running"),
      web: mostly<Outcome>("complete", "failed"),
      mail: mostly<Outcome>("complete", "failed"),
    }),
    checks: mostly<"pass" | "fail">("pass", "fail"),
    refreshes: fc.boolean(),
    until: mostly<"killed in wave 0" | "killed in wave 1" | "before the verdict" | "the end">(
      "the end",
      "killed in wave 0",
      "killed in wave 1",
      "before the verdict",
    ),
    target,
  });
const anUp = upTo(mostly<Target>(...targets));
const anEditOfOne: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom(
    "take out",
    "put back",
    "move",
    "trigger",
    "drop checks",
    "add check",
    "change checks",
    "taint",
    "lose restore",
    "lose intent",
  ),
  name,
});
const anEdit: fc.Arbitrary<Step> = fc.oneof(
  anEditOfOne,
  fc.record({
    do: fc.constant("goal" as const),
    name: fc.constantFrom(...names, "whole" as const),
    seconds: fc.constantFrom(60, 150, 600, 86_400),
  }),
  fc.record({
    do: fc.constantFrom(
      "kind",
      "note",
      "swap waves",
      "keep the state",
      "go back to it",
      "rename wave",
      "new run",
      "lose run",
      "taint run",
      "lose verdict",
    ),
  }),
  fc.record({ do: fc.constantFrom("lose wave", "taint wave"), wave: fc.constantFrom(0 as const, 1 as const) }),
);
const anything = fc.array(fc.oneof({ weight: 3, arbitrary: anUp }, { weight: 2, arbitrary: anEdit }), {
  minLength: 2,
  maxLength: 8,
});
const aGoodUp: Step = {
  do: "up",
  ends: { db: "complete", web: "complete", mail: "complete" },
  checks: "pass",
  refreshes: false,
  until: "the end",
  target: "all",
};
/** What may look better than it is begins well. */
const wellBegun = fc
  .tuple(
    fc.oneof(anEditOfOne, anEdit),
    upTo(fc.constantFrom(...targets)),
    fc.array(fc.oneof(anUp, anEdit), { maxLength: 2 }),
  )
  .map(([edit, up, others]) => [aGoodUp, edit, up, ...others]);
/** And what is hidden has happened. */
const badlyBegun = fc
  .tuple(
    upTo(fc.constantFrom(...targets)),
    fc.array(anEdit, { minLength: 1, maxLength: 3 }),
    anUp,
    fc.array(anEdit, { maxLength: 2 }),
  )
  .map(([first, edits, second, more]) => [first, ...edits, second, ...more, aGoodUp]);
const history = fc.oneof(anything, wellBegun, badlyBegun);
const onFailures = fc.constantFrom("stop" as const, "continue" as const);
const wholeGoals = fc.constantFrom(undefined, 600);

const { planRun } = freshProcess({
  RECOVERY_ENDPOINT: "https://panel.example",
  RECOVERY_USERNAME: "ada",
  RECOVERY_PASSWORD: "hunter2",
});

/** One stack, as the engine would keep it. */
class Stack {
  readonly #clock = new VirtualClock();
  plan: Plan = {
    run: "first",
    kind: "drill",
    waves: [
      { name: "data", machines: { db: { trigger: 0, checks: ["a0"] } } },
      { name: "front", machines: { web: { trigger: 0, checks: [] }, mail: { trigger: 0, checks: ["b0"] } } },
    ],
  };
  run: Record<string, unknown> | undefined;
  readonly waves = new Map<string, StoredWave>();
  readonly restores = new Map<Name, Restore>();
  verdict: object | undefined;
  readonly tries: Try[] = [];
  /** True if a wave was recorded only after a later run found its restores sent: its record was lost, or a run was killed before it. */
  isRecordedLate = false;
  runNumber = 0;
  isEdited = false;
  /** The `up` that began the run. */
  begunIn = 0;
  #ups = 0;
  seconds = 0;
  #numbers = 0;
  #runId = "";
  /** Restores, `run` and the names of waves, that the next `up` with them replaces. */
  readonly #tainted = new Set<string>();
  /** Restores whose records were deleted from the state; their intents stand. */
  readonly #lost = new Set<Name>();

  constructor(
    readonly onFailure: "stop" | "continue",
    wholeGoalSeconds: number | undefined,
  ) {
    if (wholeGoalSeconds !== undefined) this.plan = { ...this.plan, wholeGoalSeconds };
  }

  /** The plan as the run's own resource has it, which a targeted `up` may leave out. */
  #recorded: Plan | undefined;

  get recorded(): Plan {
    return this.#recorded ?? this.plan;
  }

  get planned(): readonly (readonly [Name, PlannedMachine])[] {
    return this.recorded.waves.flatMap(({ machines }) => Object.entries(machines) as [Name, PlannedMachine][]);
  }

  get #known(): readonly (readonly [Name, Restore])[] {
    return [...this.restores].filter(([one]) => !this.#lost.has(one));
  }

  async apply(step: Step): Promise<OverallVerdict | undefined> {
    switch (step.do) {
      case "up":
        return this.#up(step);
      case "lose run":
        this.run = undefined;
        return undefined;
      case "lose wave":
        this.waves.delete(this.plan.waves[step.wave]!.name);
        return undefined;
      case "lose restore":
      case "lose intent":
        // `state delete` takes along what depends on it.
        if (step.do === "lose restore") this.#lost.add(step.name);
        else this.restores.delete(step.name);
        for (const { name: own, machines } of this.plan.waves) if (step.name in machines) this.waves.delete(own);
        this.verdict = undefined;
        return undefined;
      case "lose verdict":
        this.verdict = undefined;
        return undefined;
      case "keep the state":
        this.#kept = structuredClone(this.#state());
        return undefined;
      case "go back to it":
        if (this.#kept !== undefined) this.#goBackTo(structuredClone(this.#kept));
        return undefined;
      case "taint":
        this.#tainted.add(step.name);
        return undefined;
      case "taint run":
        this.#tainted.add("run");
        return undefined;
      case "taint wave":
        this.#tainted.add(this.plan.waves[step.wave]!.name);
        return undefined;
      case "take out":
      case "put back":
      case "move":
      case "trigger":
      case "drop checks":
      case "add check":
      case "change checks":
      case "goal":
      case "kind":
      case "note":
      case "swap waves":
      case "new run":
      case "rename wave":
        this.plan = edited(this.plan, step);
        return undefined;
    }
  }

  #kept: KeptState | undefined;

  #state(): KeptState {
    const { run, verdict, runNumber, isEdited, isRecordedLate, begunIn } = this;
    return {
      run,
      verdict,
      about: { runNumber, isEdited, isRecordedLate, begunIn },
      runId: this.#runId,
      recorded: this.#recorded,
      waves: [...this.waves],
      restores: [...this.restores].map(([one, { try: sent, ...others }]) => [
        one,
        { ...others, sent: this.tries.indexOf(sent) },
      ]),
      lost: [...this.#lost],
      tries: this.tries.length,
    };
  }

  /** What was done since is forgotten; the panel's transactions stay what they are. */
  #goBackTo({ run, verdict, about, runId, recorded, waves, restores, lost, tries }: KeptState): void {
    Object.assign(this, about, { run, verdict });
    [this.#runId, this.#recorded] = [runId, recorded];
    this.waves.clear();
    for (const [own, wave] of waves) this.waves.set(own, wave);
    this.restores.clear();
    for (const [own, { sent, ...others }] of restores) this.restores.set(own, { ...others, try: this.tries[sent]! });
    this.#lost.clear();
    for (const own of lost) this.#lost.add(own);
    for (const since of this.tries.slice(tries)) since.run = forgotten;
  }

  async #up(step: Step & { readonly do: "up" }): Promise<OverallVerdict | undefined> {
    const { target } = step;
    this.#ups++;
    const withoutRun: readonly Target[] = ["wave 0 without the run", "verdict", "restores"];
    if (!withoutRun.includes(target) && !(await this.#carryOutRun())) return undefined;
    // The engine carries out nothing whose run it leaves out and does not have.
    if (this.run === undefined) return undefined;
    const isJudged = target === "all" || target.includes("verdict");
    for (const [index, wave] of this.plan.waves.entries()) {
      if (target === "run and verdict" || target === "verdict") break;
      if (index > 0 && target.startsWith("wave 0")) return undefined;
      const all = Object.entries(wave.machines) as [Name, PlannedMachine][];
      const sentBefore = new Set(
        all.flatMap(([one, machine]) => (this.#send(one, machine, step) === "before" ? [one] : [])),
      );
      if (target.includes("restores")) continue;
      if (step.until === `killed in wave ${String(index)}`) return undefined;
      const errors = await this.#wave(index, step, sentBefore);
      if (errors.length > 0) return undefined;
    }
    if (step.until === "before the verdict" || !isJudged) return undefined;
    const run = this.run as unknown as StoredRun;
    const { plan, run: runName, history: changes, startedAt } = run;
    const of = {
      plan,
      run: runName,
      asked: judgedPlan(run.asGiven),
      revisions: Object.fromEntries(Object.entries(run.revisions ?? {}).map(([one, { at: own }]) => [one, own])),
      postings: Object.fromEntries(this.#known.map(([one, restore]) => [one, postingOf(restore)])),
      history: changes,
      startedAt,
    };
    const waves = this.#wavesInPlan().map(judgedWave);
    const verdict = verdictOfRun(of, waves, at(this.seconds));
    this.verdict = verdict;
    return verdict.verdict;
  }

  /** The run's own resource. False if it refuses the plan. */
  async #carryOutRun(): Promise<boolean> {
    const news = this.#runInputs();
    // The engine checks a resource that it replaces as a new one.
    const olds = this.#tainted.has("run") ? undefined : this.run;
    const { failures } = planRun.check(olds ?? {}, news);
    if (failures.length > 0) return false;
    this.#recorded = this.plan;
    if (olds === undefined) {
      this.#tainted.delete("run");
      const { id, outs } = await planRun.create(news);
      [this.run, this.#runId] = [outs, id];
      this.#begin();
    } else if (planRun.diff(this.#runId, olds, news).changes) {
      const [isNew, changesMore] = [olds["run"] !== news["run"], !isDeepStrictEqual(facts(olds), facts(news))];
      this.run = (await planRun.update(this.#runId, olds, news)).outs;
      if (isNew) this.#begin();
      else this.isEdited ||= changesMore;
    }
    return true;
  }

  #begin(): void {
    this.runNumber++;
    [this.isEdited, this.isRecordedLate, this.begunIn] = [false, false, this.#ups];
  }

  #wavesInPlan(): readonly StoredWave[] {
    return this.recorded.waves.flatMap(({ name: own }) => this.waves.get(own) ?? []);
  }

  /** A restore is sent when there is none, when it is to be carried out again, or when a refresh has shown that it failed. */
  #send(own: Name, { trigger }: PlannedMachine, { ends, refreshes }: Step & { readonly do: "up" }): "now" | "before" {
    const before = this.restores.get(own);
    this.#lost.delete(own);
    const triggers = [this.plan.run, trigger];
    const isTriedAgain = (refreshes && before?.try.status === "failed") || this.#tainted.delete(own);
    const isSame = before !== undefined && isDeepStrictEqual(before.triggers, triggers);
    if (isSame && !isTriedAgain) {
      // The panel has gone on meanwhile.
      if (before.try.status === "running" && ends[own] !== "running") this.#end(before.try, ends[own]);
      return "before";
    }
    this.seconds += 10;
    const sent: Try = {
      name: own,
      // The run is the state's, or, where that was left out, the one that is to begin.
      run: this.runNumber + (this.run?.["run"] === this.plan.run ? 0 : 1),
      trigger,
      requested: this.seconds,
      status: "running",
      checks: new Map(),
      passed: new Set(),
    };
    if (ends[own] !== "running") this.#end(sent, ends[own]);
    this.tries.push(sent);
    const number = ++this.#numbers;
    // Another try of the same keeps its intent.
    this.restores.set(own, { number, intent: isSame ? before.intent : number, triggers, try: sent });
    return isSame ? "before" : "now";
  }

  #end(one: Try, status: Outcome): void {
    this.seconds += 100;
    one.status = status;
    one.ended = this.seconds;
  }

  async #wave(
    index: number,
    { checks }: Step & { readonly do: "up" },
    sentBefore: ReadonlySet<string>,
  ): Promise<readonly string[]> {
    const { name: own, machines } = this.plan.waves[index]!;
    if (this.run === undefined) return ["there is no run"];
    const run = this.run as unknown as StoredRun;
    const defined = readDefinition(run.definition)?.waves.find((one) => one.name === own);
    const isAsDefined = (one: string): boolean => {
      const { triggers } = this.restores.get(one as Name)!;
      const restore = defined?.restores[one];
      const inputs = { virtualMachineId: machineOf(one as Name), recoveryPointId: "7", triggers };
      return restore !== undefined && triggers[0] === run.run && isDefinedAs(inputs, restore);
    };
    const all = Object.keys(machines);
    if (Object.keys(defined?.restores ?? {}).length !== all.length || !all.every(isAsDefined))
      return ["the run was left out"];
    const stored = this.#tainted.delete(own) ? undefined : this.waves.get(own);
    const before: PreviousWave = {
      run: stored?.run,
      runStartedAt: stored?.runStartedAt,
      restores: stored?.restores ?? {},
      earlierTries: stored?.earlierTries ?? {},
      lastProofs: stored?.lastProofs ?? {},
      checkOutput: {},
      logOutput: {},
    };
    const asked = all.map((one) => this.#asked(one as Name, run));
    const outcome = await this.#clock.run(
      runWave(
        {
          plan: "shop",
          run: run.run,
          index,
          name: own,
          batch: 0,
          onFailure: this.onFailure,
          isLastBatch: true,
          laterWaves: [],
          earlierReasons: [],
          runStartedAt: run.startedAt,
          restores: asked,
        },
        before,
        {
          clock: this.#clock,
          follow: (restore) => {
            const record = this.#record(restore.name as Name);
            const reason = record.status === "complete" ? [] : [`${restore.name} is ${record.status}`];
            return Promise.resolve({ record, reasons: reason, tail: [] });
          },
          panelAheadMs: () => Promise.resolve(0),
          attemptFor:
            ({ target, probe }) =>
            () => {
              const [one = ""] = target.split(":");
              const { try: looked } = this.restores.get(one as Name)!;
              const asked = (probe as { readonly probe: string }).probe;
              looked.checks.set(asked, checks === "pass" ? "passed" : "failed");
              if (checks === "pass") looked.passed.add(asked);
              return Promise.resolve(checks === "pass" ? {} : { problem: "no" });
            },
          startedStep: () => undefined,
          hasSeenAllOf: ({ name: one }) => this.begunIn === this.#ups && !sentBefore.has(one),
          redactFor: () => (text) => text,
          say: () => undefined,
          warn: () => undefined,
        },
      ),
    );
    this.waves.set(own, outcome.stored);
    this.isRecordedLate ||= Object.entries(outcome.stored.restores).some(
      ([one, { isRecordedLate }]) => isRecordedLate === true && sentBefore.has(one),
    );
    return outcome.errors;
  }

  /** A restore as its wave has it: its own resource, and what the run's definition says of it. */
  #asked(own: Name, run: StoredRun): WaveRestore {
    const restore = this.restores.get(own)!;
    const target = { kind: "VmRestore", virtualMachineId: machineOf(own), recoveryPointId: "7" } as const;
    const { checks = [] } =
      readDefinition(run.definition)?.waves.find(({ restores }) => own in restores)?.restores[own] ?? {};
    const { at: revision = "", checks: ids = [] } = run.revisions?.[own] ?? {};
    return {
      name: own,
      kind: "VmRestore",
      request: {
        name: own,
        target,
        timeouts: { busyMs: 0, listedMs: 1_000, queueMs: 1_000, runMs: 1_000 },
        wait: false,
        adopt: "auto",
        retryFailed: true,
        captureLog: "onFailure",
      },
      owner: `intent-${String(restore.intent)}`,
      posting: postingOf(restore),
      record: { status: "accepted", transactionIds: [], adopted: false, warnings: [] },
      revision,
      checks: checks.map(({ given, ...shown }, index) => ({
        ...shown,
        probe: given,
        ...(ids[index] !== undefined && { id: ids[index] }),
      })),
    };
  }

  #record(own: Name): Awaited<ReturnType<Parameters<typeof runWave>[2]["follow"]>>["record"] {
    const { number, try: sent } = this.restores.get(own)!;
    return {
      status: sent.status,
      transactionId: String(5_000 + number),
      transactionIds: [String(5_000 + number)],
      requestedAt: at(sent.requested),
      ...(sent.ended !== undefined && { finishedAt: at(sent.ended), durationSeconds: sent.ended - sent.requested }),
      adopted: false,
      warnings: [],
    };
  }

  #definition(): StoredDefinition {
    const goal = (seconds: number | undefined): { readonly recoveryTimeSeconds?: number } =>
      seconds === undefined ? {} : { recoveryTimeSeconds: seconds };
    return {
      ...(this.plan.wholeGoalSeconds !== undefined && { wholeGoals: goal(this.plan.wholeGoalSeconds) }),
      onFailure: this.onFailure,
      onMissedGoal: "fail",
      waves: this.plan.waves.map(({ name: own, machines }) => ({
        name: own,
        restores: Object.fromEntries(
          Object.entries(machines).map(([one, { trigger, checks, goalSeconds }]) => [
            one,
            {
              virtualMachineId: machineOf(one as Name),
              recoveryPointId: "7",
              triggers: [trigger],
              goals: goal(goalSeconds),
              checks: checks.map((probe) => ({ ...checkOf(one as Name, probe), given: { probe } })),
            },
          ]),
        ),
      })),
    };
  }

  #runInputs(): Record<string, unknown> {
    const definition = this.#definition();
    return {
      plan: "shop",
      run: this.plan.run,
      kind: this.plan.kind,
      asGiven: withoutGiven(definition),
      definition: definitionText(definition),
      ...(this.plan.note !== undefined && { notes: { scenario: this.plan.note } }),
    };
  }

  exported(): object {
    const own = (type: string, called: string, outputs: object): StackResource => ({
      type,
      name: called,
      of: "shop",
      outputs,
    });
    const inPlan = new Set(this.planned.map(([one]) => one));
    const restores = [...this.restores].filter(([one]) => inPlan.has(one));
    return exportedStack([
      own("PlanRun", "shop-run", this.run ?? {}),
      ...restores.flatMap(([one, { number, intent: intentNumber, triggers }]) => {
        const played = {
          name: `shop-${one}`,
          of: "shop",
          machine: machineOf(one),
          point: 7,
          triggers,
        };
        const intent = { ...intentResource(played), id: `intent-${String(intentNumber)}` };
        if (this.#lost.has(one)) return [intent];
        const restore = restoreResource({ ...played, carries: intent.id, status: "accepted" });
        const carried = { id: intent.id, urn: urnOf(intent) };
        return [
          intent,
          {
            ...restore,
            id: `tx-${String(number)}`,
            outputs: { ...restore.outputs, intent: { ...intent.outputs, ...carried } },
          },
        ];
      }),
      ...this.#wavesInPlan().map((wave) => own("PlanWave", `shop-wave-${wave.name}`, wave)),
      ...(this.verdict === undefined ? [] : [own("PlanVerdict", "shop-verdict", this.verdict)]),
    ]);
  }
}

const forgotten = -1;

interface KeptState {
  readonly run: Record<string, unknown> | undefined;
  readonly verdict: object | undefined;
  readonly about: Pick<Stack, "runNumber" | "isEdited" | "isRecordedLate" | "begunIn">;
  readonly runId: string;
  readonly recorded: Plan | undefined;
  readonly waves: readonly (readonly [string, StoredWave])[];
  readonly restores: readonly (readonly [Name, Omit<Restore, "try"> & { readonly sent: number }])[];
  readonly lost: readonly Name[];
  readonly tries: number;
}

interface Restore {
  readonly number: number;
  readonly intent: number;
  readonly triggers: readonly unknown[];
  readonly try: Try;
}

const postingOf = ({ intent, number }: Restore): string => `intent-${String(intent)}/tx-${String(number)}`;

function withoutGiven(definition: StoredDefinition): StoredPlan {
  return JSON.parse(
    JSON.stringify(definition, (key, value: unknown) => (key === "given" ? undefined : value)),
  ) as StoredPlan;
}

const machineOf = (own: Name): string => String(42 + names.indexOf(own));
const checkOf = (own: Name, probe: string) =>
  ({ kind: "tcp", target: `${own}:${probe.charAt(0)}`, everySeconds: 5, withinSeconds: 10, afterSeconds: 0 }) as const;
const facts = ({ definition, kind }: Record<string, unknown>): readonly unknown[] => [definition, kind];

function edited(plan: Plan, step: Exclude<Step, { readonly do: "up" }>): Plan {
  const inWave = (own: Name): number =>
    plan.waves.findIndex(({ machines }) => own in machines) === 0 || (own === "db" && !isMovedOut(plan)) ? 0 : 1;
  const change = (own: Name, to: (machine: PlannedMachine | undefined) => PlannedMachine | undefined): Plan => ({
    ...plan,
    waves: plan.waves.map((wave, index) => {
      if (index !== inWave(own)) return wave;
      const { [own]: now, ...others } = wave.machines;
      const next = to(now);
      return { ...wave, machines: { ...others, ...(next !== undefined && { [own]: next }) } };
    }),
  });
  switch (step.do) {
    case "take out":
      return change(step.name, () => undefined);
    case "put back":
      return change(step.name, (machine) => machine ?? { trigger: 0, checks: [] });
    case "move": {
      const machine = plan.waves.map(({ machines }) => machines[step.name]).find((one) => one !== undefined);
      const from = inWave(step.name);
      return {
        ...plan,
        waves: plan.waves.map((wave, index) => {
          const others = omit(wave.machines, step.name);
          return {
            ...wave,
            machines: index === from ? others : { ...others, ...(machine && { [step.name]: machine }) },
          };
        }),
      };
    }
    case "change checks":
      return change(
        step.name,
        (machine) =>
          machine && {
            ...machine,
            checks: machine.checks.map((probe) => `${probe.charAt(0)}${String(Number(probe.slice(1)) + 1)}`),
          },
      );
    case "trigger":
      return change(step.name, (machine) => machine && { ...machine, trigger: machine.trigger + 1 });
    case "drop checks":
      return change(step.name, (machine) => machine && { ...machine, checks: [] });
    case "add check":
      return change(step.name, (machine) => machine && { ...machine, checks: [...machine.checks, "c0"].slice(0, 2) });
    case "goal": {
      if (step.name === "whole") return { ...plan, wholeGoalSeconds: step.seconds! };
      return change(step.name, (machine) => machine && { ...machine, goalSeconds: step.seconds! });
    }
    case "swap waves":
      return { ...plan, waves: [...plan.waves].reverse() };
    case "kind":
      return { ...plan, kind: plan.kind === "drill" ? "recovery" : "drill" };
    case "note":
      return { ...plan, note: `${plan.note ?? ""}.` };
    case "rename wave":
      return { ...plan, waves: plan.waves.map((wave, index) => (index === 0 ? { ...wave, name: "base" } : wave)) };
    case "new run":
      return { ...plan, run: plan.run === "first" ? "second" : "first" };
    case "lose run":
    case "lose wave":
    case "lose restore":
    case "lose intent":
    case "lose verdict":
    case "taint":
    case "taint run":
    case "taint wave":
    case "keep the state":
    case "go back to it":
      return plan;
  }
}

function isMovedOut(plan: Plan): boolean {
  return "db" in (plan.waves[1]?.machines ?? {});
}

/** The most that anybody may say of the run, from what happened. */
function mostThatIsTrue(stack: Stack): "nothing good" | "passed with warnings" | "passed" {
  // Without the wave's record nobody can tell in which of two runs of one name its restores were sent, nor of earlier tries. That is a warning.
  const isRecordedLate = stack.isRecordedLate;
  const ofRun = stack.tries.filter(
    ({ run }) => run === stack.runNumber || (isRecordedLate && run !== forgotten && run < stack.runNumber),
  );
  const isGood = (one: Try): boolean =>
    one.status === "complete" && [...one.checks.values()].every((result) => result === "passed");
  const firstOf = (own: Name): number | undefined => {
    const own_ = ofRun.filter((one) => one.name === own);
    const lastGood = isRecordedLate ? own_.length - 2 : own_.slice(0, -1).findLastIndex(isGood);
    return own_.slice(lastGood + 1)[0]?.requested;
  };
  const isBack = stack.planned.every(([own, machine]) => {
    const last = ofRun.findLast((one) => one.name === own);
    if (last === undefined || last.status !== "complete" || last.trigger !== machine.trigger) return false;
    const seconds = (last.ended ?? Infinity) - firstOf(own)!;
    return (
      machine.checks.every((probe) => last.checks.get(probe) === "passed") &&
      seconds <= (machine.goalSeconds ?? Infinity)
    );
  });
  const first = Math.min(...stack.planned.map(([own]) => firstOf(own) ?? Infinity));
  const last = Math.max(...stack.planned.map(([own]) => ofRun.findLast((one) => one.name === own)?.ended ?? Infinity));
  const isInTime = last - first <= (stack.recorded.wholeGoalSeconds ?? Infinity);
  if (!isBack || !isInTime || stack.planned.length === 0) return "nothing good";
  const isClean = ofRun.every(isGood) && !stack.isEdited && !isRecordedLate;
  return isClean ? "passed" : "passed with warnings";
}

/** True if the restore was ever complete, and its checks passed, as the plan has it now. */
function wasProven({ tries, planned }: Stack, own: string): boolean {
  const machine = new Map(planned).get(own as Name)!;
  return tries.some(
    ({ name: tried, status, trigger, passed }) =>
      tried === own &&
      status === "complete" &&
      trigger === machine.trigger &&
      machine.checks.every((one) => passed.has(one)),
  );
}

const claim = { "nothing good": 0, failed: 0, incomplete: 0, "passed with warnings": 1, passed: 2 } as const;

describe("a run is a ledger", () => {
  it("no verdict, report or proof says more than what happened, whatever is changed, killed, targeted, lost or taken back in between", async function () {
    this.timeout(300_000);
    const said = { passed: 0, warned: 0, other: 0, proofs: 0 };
    await fc.assert(
      fc.asyncProperty(history, onFailures, wholeGoals, async (steps, onFailure, wholeGoal) => {
        const stack = new Stack(onFailure, wholeGoal);
        const earlier: EarlierReport[] = [];
        for (const step of steps) {
          const verdict = await stack.apply(step);
          const most = mostThatIsTrue(stack);
          if (verdict !== undefined) {
            assert.ok(claim[verdict] <= claim[most], `${verdict}, and the most that is true is ${most}`);
            said[verdict === "passed" ? "passed" : verdict === "passed with warnings" ? "warned" : "other"]++;
          }
          // An edit of the program alone changes no state.
          if (step.do !== "up" || !isObject(stack.run)) continue;
          const made = report(stack.exported());
          const { result, reasons } = made.verdict;
          assert.ok(
            claim[result] <= claim[most],
            `the report: ${result} (${reasons.join("; ")}), and the most that is true is ${most}`,
          );
          assert.equal(/<(?:failure|error)\b/.test(toJunit(made)), claim[result] === 0, result);
          earlier.push(readReport(toJson(made)));
          for (const { name: own, proofs } of readDeclaration(stack.exported(), { earlier }).restores) {
            if (!proofs.some(({ of }) => of === "what is declared now")) continue;
            assert.ok(wasProven(stack, own), `a proof that is none, of ${own}`);
            said.proofs++;
          }
        }
      }),
      { numRuns: thorough(500, 5_000) },
    );
    assert.ok(said.passed > 100 && said.warned > 100 && said.other > 100 && said.proofs > 1_000, JSON.stringify(said));
  });
});
