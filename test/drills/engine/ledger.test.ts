import assert from "node:assert/strict";
import fc from "fast-check";
import { restoresOfState } from "../../../drills/judge/state";
import type { PlanRestore, PlanText } from "../../../drills/judge/stored";
import { resourceTypes } from "../../../provider/inputs/resource-names";
import { thorough } from "../../support/thorough";
import { MiniEngine, planOf } from "./support/mini-engine";
import { type Kill, ModelPanel, type Outcome } from "./support/model-panel";

/** Two machines with a restore of the whole machine and one of files, the second's in two waves; a third machine by itself. */
const names = ["db", "dump", "web", "content", "mail"] as const;
type Name = (typeof names)[number];
const restores: Readonly<
  Record<
    Name,
    { readonly machine: string; readonly point: string; readonly paths?: readonly string[]; readonly wave: string }
  >
> = {
  db: { machine: "1", point: "10", wave: "data" },
  dump: { machine: "1", point: "11", paths: ["/dump"], wave: "data" },
  web: { machine: "2", point: "20", wave: "data" },
  content: { machine: "2", point: "21", paths: ["/var/www"], wave: "front" },
  mail: { machine: "3", point: "30", wave: "front" },
};

interface Shape {
  readonly run: number;
  readonly onFailure: "stop" | "continue";
  readonly points: Readonly<Partial<Record<Name, string>>>;
  readonly triggers: Readonly<Partial<Record<Name, number>>>;
  readonly out: readonly Name[];
  readonly checks: readonly Name[];
}

type Action =
  | {
      readonly do: "up";
      readonly outcomes: Readonly<Partial<Record<Name, Outcome>>>;
      readonly badChecks: readonly Name[];
      readonly kill?: Kill;
    }
  | { readonly do: "up but"; readonly exclude: string }
  | { readonly do: "up anew"; readonly replace: readonly string[] }
  | { readonly do: "point" | "triggers" | "in or out" | "check"; readonly name: Name }
  | { readonly do: "new run" }
  | { readonly do: "cut"; readonly what: string }
  | { readonly do: "adopt newest"; readonly name: Name }
  | { readonly do: "restored beside the plan"; readonly machine: string };

const name = fc.constantFrom(...names);
const kill: fc.Arbitrary<Kill> = fc.record({
  at: fc.constantFrom(
    "before the intent is stored",
    "before a POST",
    "after a POST",
    "in the wait",
    "in a check",
    "before the wave is stored",
  ),
  after: fc.nat(3),
});
const up = fc.record({
  do: fc.constant("up" as const),
  outcomes: fc.dictionary(name, fc.constantFrom<Outcome>("failed", "failed", "cancelled"), { maxKeys: 2 }),
  badChecks: fc.subarray([...names], { maxLength: 1 }),
});
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: up },
  { weight: 3, arbitrary: fc.tuple(up, kill).map(([one, at]) => ({ ...one, kill: at })) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("up but" as const),
      exclude: fc.constantFrom("run", "wave-data-intent", "wave-data", "wave-front-intent", "wave-front"),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("up anew" as const),
      replace: fc.subarray(["run", "wave-data-intent", "wave-data", "wave-front"], { minLength: 1 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom("point" as const, "triggers" as const, "in or out" as const, "check" as const),
      name,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("new run" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("cut" as const),
      what: fc.constantFrom("wave-data-intent", "wave-data", "wave-front"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("adopt newest" as const), name }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("restored beside the plan" as const),
      machine: fc.constantFrom("1", "2", "3"),
    }),
  },
);

/** One history: what a person does, on a panel that remembers what has truly happened. */
class History {
  readonly panel = new ModelPanel();
  readonly engine = new MiniEngine();
  shape: Shape = { run: 1, onFailure: "stop", points: {}, triggers: {}, out: [], checks: ["db", "mail"] };
  adopt: Record<string, string> = {};
  /** What keeps the run from a clean pass, and whether the last `up` ended by itself. */
  blemishes: string[] = [];
  isSettled = false;
  cut: string | undefined;
  isEdited = false;
  /** What a person has named at any time. */
  readonly named = new Set<string>();

  constructor(onFailure: Shape["onFailure"]) {
    this.shape = { ...this.shape, onFailure };
  }

  get plan(): PlanText {
    const { run, onFailure, points, triggers, out, checks } = this.shape;
    const restore = (of: Name): Partial<PlanRestore> => ({
      machine: restores[of].machine,
      point: points[of] ?? restores[of].point,
      ...(restores[of].paths && { paths: restores[of].paths }),
      ...(triggers[of] !== undefined && { triggers: [triggers[of]] }),
      ...(this.adopt[of] !== undefined && { adopt: this.adopt[of] }),
      checks: checks.includes(of) ? [{ name: "tcp", kind: "tcp", asks: "tcp" }] : [],
    });
    const wave = (of: string) =>
      Object.fromEntries(
        names.filter((one) => restores[one].wave === of && !out.includes(one)).map((one) => [one, restore(one)]),
      );
    return planOf({ data: wave("data"), front: wave("front") }, { run: `Q${String(run)}`, onFailure });
  }

  async act(one: Action): Promise<void> {
    const { shape } = this;
    const edit = (changed: Partial<Shape>): void => {
      if (this.cut !== undefined && !this.isSettled) return;
      this.shape = { ...shape, ...changed };
      this.isEdited = true;
    };
    switch (one.do) {
      case "up":
        this.panel.outcomeOf = ({ name: of }) => one.outcomes[of as Name] ?? "complete";
        this.panel.checkPasses = (check) => !one.badChecks.some((bad) => check.startsWith(`${bad} `));
        return this.up({}, one.kill);
      case "up but":
        return this.up({ exclude: [one.exclude] });
      case "up anew":
        return this.up({ replace: one.replace });
      case "point":
        return edit({
          points: {
            ...shape.points,
            [one.name]: shape.points[one.name] === undefined ? "99" : undefined,
          },
        });
      case "triggers":
        return edit({ triggers: { ...shape.triggers, [one.name]: (shape.triggers[one.name] ?? 0) + 1 } });
      case "in or out":
        return edit({
          out: shape.out.includes(one.name) ? shape.out.filter((of) => of !== one.name) : [...shape.out, one.name],
        });
      case "check":
        return edit({
          checks: shape.checks.includes(one.name)
            ? shape.checks.filter((of) => of !== one.name)
            : [...shape.checks, one.name],
        });
      case "new run":
        this.shape = { ...shape, run: shape.run + 1 };
        this.adopt = {};
        this.blemishes = [];
        this.isEdited = false;
        return;
      case "cut":
        // A wave or its intent, and no wave whose entries were made anew within the run: without both nothing remembers.
        if (!this.isSettled || this.isEdited || (this.cut ?? one.what) !== one.what) return;
        this.cut = one.what;
        this.isSettled = false;
        // Of an intent nothing is lost: its entries have derived ids.
        if (this.engine.of("Wave", one.what)?.outputs["run"] === this.plan.run) this.blemishes.push("cut");
        for (const urn of this.engine.resources.keys())
          if (urn.endsWith(`::shop-${one.what}`)) this.engine.resources.delete(urn);
        return;
      case "adopt newest": {
        const newest = this.panel.rows.findLast(({ machine }) => machine === restores[one.name].machine);
        if (newest === undefined) return;
        this.adopt = { [one.name]: newest.id };
        this.named.add(newest.id);
        return;
      }
      case "restored beside the plan":
        return this.restoreBeside(one.machine);
    }
  }

  async up(
    how: { readonly exclude?: readonly string[]; readonly replace?: readonly string[] },
    at?: Kill,
  ): Promise<void> {
    const { plan, panel } = this;
    const { session, core, died } = panel.begin(at);
    const before = this.engine.of("PlanRun", "run")?.outputs;
    // A run that is left out is not begun, and its waves carry out what is left of the run before.
    panel.run = how.exclude?.includes("run") === true ? String(before?.["run"]) : plan.run;
    const isChanged = before?.["run"] === plan.run && before["plan"] !== JSON.stringify(plan);
    if (isChanged && how.exclude?.includes("run") !== true) this.blemishes.push("edited");
    const station = async (kind: string): Promise<void> => {
      if (kind === "WaveIntent") await panel.station("before the intent is stored");
      if (kind === "Wave") await panel.station("before the wave is stored");
    };
    const rows = panel.rows.length;
    const errors = await this.engine.up(plan, { session, core, died, station, ...how });
    // A kill before anything was sent has done nothing.
    const isBad = errors === undefined ? panel.rows.length > rows : errors.length > 0;
    const isOfRun = this.engine.of("PlanRun", "run")?.outputs["run"] === plan.run;
    if (isBad && isOfRun) this.blemishes.push("an up was killed or failed");
    this.isSettled = errors !== undefined && how.exclude === undefined;
  }

  /** A VmRestore of the same stack, after everything else. */
  restoreBeside(machine: string): void {
    const id = String(Number(this.panel.rows.at(-1)?.id ?? "5000") + 1);
    this.panel.rows.push({ id, machine, point: "1", files: false, status: "complete", entry: "", run: "", name: "" });
    const urn = `urn:pulumi:test::shop::${resourceTypes.VmRestore}::beside-${machine}`;
    const [requestedAt, finishedAt] = [this.panel.stamp(), this.panel.stamp()];
    const outputs = {
      virtualMachineId: machine,
      recoveryPointId: "1",
      intent: { id: "p-1" },
      status: "complete",
      transactionIds: [id],
      requestedAt,
      finishedAt,
      warnings: [],
    };
    this.engine.resources.set(urn, { urn, type: resourceTypes.VmRestore, id, inputs: {}, outputs });
  }

  /** The panel's truth about a run that has passed by the state. */
  whyNotPassed(plan: PlanText): string | undefined {
    for (const wave of plan.waves)
      for (const [of, restore] of Object.entries(wave.restores)) {
        const rows = this.panel.rows.filter((row) => row.machine === restore.machine && row.status === "complete");
        const own = rows.filter(
          (row) =>
            row.files === (restore.paths !== undefined) &&
            ((row.point === restore.point && row.run === plan.run) || this.named.has(row.id)),
        );
        const standing = own.filter((row) => !rows.some((other) => !other.files && Number(other.id) > Number(row.id)));
        if (own.length === 0) return `${of} was never restored`;
        if (standing.length === 0) return `${of} was overwritten`;
        for (const check of restore.checks)
          if (this.panel.checked.get(`${of} ${check.name}`) !== true) return `${of}: its check did not pass`;
      }
    return undefined;
  }

  check(): void {
    assert.deepEqual(this.panel.violations, []);
    const [plan] = restoresOfState(this.engine.deployment).plans;
    if (plan?.plan === undefined || plan.verdict === undefined || !plan.verdict.verdict.startsWith("passed")) return;
    assert.equal(this.whyNotPassed(plan.plan), undefined, JSON.stringify(plan.verdict));
    if (plan.plan.run === this.plan.run && this.blemishes.length > 0)
      assert.notEqual(plan.verdict.verdict, "passed", `clean in spite of: ${this.blemishes.join(", ")}`);
  }
}

describe("the ledger of a plan", function () {
  this.timeout(thorough(60_000, 1_800_000));

  it("posts once for each machine and attempt, and is never judged better than what happened, whatever is done in any order", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("stop" as const, "continue" as const),
        fc.array(action, { minLength: 2, maxLength: 12 }),
        async (onFailure, actions) => {
          const history = new History(onFailure);
          for (const one of actions) {
            await history.act(one);
            history.check();
          }
          // However it went, `up` again and again comes to an end of its own.
          history.panel.outcomeOf = () => "complete";
          history.panel.checkPasses = () => true;
          for (let again = 0; again < 2; again++) await history.up({});
          history.check();
        },
      ),
      { numRuns: thorough(300, 5_000) },
    );
  });
});
