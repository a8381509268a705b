import assert from "node:assert/strict";
import fc from "fast-check";
import { nextStep } from "../../../drills/judge/history";
import { readIntentText, readRecord, type PlanText } from "../../../drills/judge/stored";
import { restoresOfState } from "../../../drills/judge/state";
import type { StateRestore } from "../../../drills/judge/restores";
import { counts } from "../../support/golden";
import type { Order, Outcome, Work } from "../../support/panel-at-work";
import { complete } from "../../support/stored/restores";
import { thorough } from "../../support/thorough";
import { type How, PlanLab, planOf, restore, stations } from "./support/plan-lab";

/** Three machines. The first two each have a whole-machine restore and a file restore; the second machine's restores are in different waves. */
const names = ["db", "dump", "web", "content", "mail"] as const;
type Name = (typeof names)[number];
const restores: Record<Name, { machine: string; point: string; paths?: readonly string[]; wave: string }> = {
  db: { machine: "1", point: "10", wave: "data" },
  dump: { machine: "1", point: "11", paths: ["/dump"], wave: "data" },
  web: { machine: "2", point: "20", wave: "data" },
  content: { machine: "2", point: "21", paths: ["/var/www"], wave: "front" },
  mail: { machine: "3", point: "30", wave: "front" },
};

/** The restore for which the panel received this order. Each machine has at most one whole-machine restore and one file restore, so this is unambiguous. */
const nameOf = ({ machine, kind }: Order): Name | undefined =>
  machine === "4"
    ? "mail"
    : names.find((one) => restores[one].machine === machine && (kind === "FileRestore") === "paths" in restores[one]);

/** The errors for edits that are rejected within a run. The user then reverts the edits. */
const refusal =
  /cannot be removed, renamed or moved|this change would restore .* again|cannot restore .* in this (?:run|wave)/;

interface Shape {
  readonly run: number;
  readonly onFailure: "stop" | "continue";
  readonly points: Readonly<Partial<Record<Name, string>>>;
  readonly triggers: Readonly<Partial<Record<Name, number>>>;
  readonly out: readonly Name[];
  readonly isMoved?: boolean;
  readonly checks: readonly Name[];
}

const one = <const What extends string, More extends object>(
  weight: number,
  what: What,
  more: { [Key in keyof More]: fc.Arbitrary<More[Key]> },
) => ({ weight, arbitrary: fc.record({ do: fc.constant(what), ...more }) as fc.Arbitrary<{ do: What } & More> });

const name = fc.constantFrom(...names);
const parts = ["run", "wave-data-intent", "wave-data", "wave-front"] as const;
const up = {
  outcomes: fc.dictionary(name, fc.constantFrom<Outcome>("failed", "failed", "cancelled"), { maxKeys: 2 }),
  badChecks: fc.subarray([...names], { maxLength: 1 }),
};
const action = fc.oneof(
  one(4, "up", { ...up, kill: fc.constant(undefined) }),
  one(3, "up", { ...up, kill: fc.record({ at: fc.constantFrom(...stations), after: fc.nat(3) }) }),
  one(1, "up but", { exclude: fc.constantFrom(...parts, "wave-front-intent") }),
  one(1, "up anew", { replace: fc.subarray([...parts], { minLength: 1 }) }),
  ...(["point", "triggers", "in or out", "check"] as const).map((what) => one(1, what, { name })),
  one(1, "another machine", {}),
  one(1, "new run", {}),
  one(1, "cut", { what: fc.constantFrom("wave-data-intent", "wave-data", "wave-front") }),
  one(1, "adopt newest", { name }),
  one(1, "restored beside the plan", { machine: fc.constantFrom("1", "2", "3") }),
);
type Action = typeof action extends fc.Arbitrary<infer Any> ? Any : never;

const inOrOut = (all: readonly Name[], of: Name): readonly Name[] =>
  all.includes(of) ? all.filter((other) => other !== of) : [...all, of];

/** One history: a sequence of user actions on a panel that records what really happened. */
class History {
  readonly lab = new PlanLab({ tells: "point and paths" });
  shape: Shape;
  adopt: Partial<Record<Name, string>> = {};
  /** `blemishes`: the reasons why the run must not pass without warnings. `isSettled`: the last `up` was not killed, and left nothing out. */
  blemishes: string[] = [];
  isSettled = false;
  cutOut: string | undefined;
  isEdited = false;
  /** All transactions that the user has named in `adopt`. */
  readonly named = new Set<string>();
  /** The restore's declaration when each POST was sent, in the same order as the panel's POSTs. */
  readonly sent: { readonly name: Name; readonly entry: string; readonly run: string }[] = [];
  /** Each restore's last id, and how many times the id has changed. */
  readonly asked = new Map<Name, { readonly id: string | undefined; readonly nth: number }>();
  /** The plan in the last `up` that was not rejected. */
  accepted: Shape;
  /** POSTs that should never have been sent. */
  readonly violations: string[] = [];
  outcomes: Readonly<Partial<Record<Name, Outcome>>> = {};
  badChecks: readonly string[] = [];
  /** The last result of each check. */
  readonly checked = new Map<string, boolean>();
  run = "";

  constructor(onFailure: Shape["onFailure"]) {
    this.shape = { run: 1, onFailure, points: {}, triggers: {}, out: [], checks: ["db", "mail"] };
    this.accepted = this.shape;
    const { panel } = this.lab;
    panel.whose = (order) => {
      const name = nameOf(order) as Name;
      const { entries = {} } =
        readIntentText(this.lab.outputsOf(`wave-${restores[name].wave}-intent`)["restores"]) ?? {};
      const id = entries[name]?.id;
      const entry = this.askedFor(name, id);
      // Going back to an earlier request starts a new attempt, unless the restore was complete and checked.
      const last = this.sent.findLastIndex((one) => one.name === name);
      const { done = {} } = readRecord(this.lab.outputsOf(`wave-${restores[name].wave}`)["record"]) ?? {};
      const isFixed = done[name] === id && this.sent[last]?.entry.startsWith(`${String(id)}#`) === true;
      const before = this.sent[last]?.entry === entry || isFixed ? panel.posts[last] : undefined;
      // A transaction that was named in `adopt` may no longer belong to its original restore.
      const isTaken = before?.work !== undefined && this.named.has(idOf(before.work));
      if (before && before.work?.status !== "failed" && !isTaken)
        this.violations.push(`${name}: posted again for entry ${entry}, ${String(before.work?.status)}`);
      if (restores[name].wave === "front" && this.shape.onFailure === "stop")
        for (const { name: of } of this.open.filter(({ wave }) => wave === "data"))
          this.violations.push(`${name}: posted before ${of} was complete and checked`);
      this.sent.push({ name, entry, run: this.run });
      return { restore: names.indexOf(name), request: "" };
    };
    panel.onMade = (work) => {
      if (typeof work.owner === "object") work.outcome = this.outcomes[nameOf(work) as Name] ?? "complete";
    };
    this.lab.answer = (probe) => {
      const [name = ""] = (probe as unknown as { readonly tcp: string }).tcp.split(":");
      this.checked.set(name, !this.badChecks.includes(name));
      return this.badChecks.includes(name) ? { problem: "no answer" } : {};
    };
  }

  askedFor(name: Name, id: string | undefined): string {
    const before = this.asked.get(name) ?? { id, nth: 0 };
    const now = before.id === id ? before : { id, nth: before.nth + 1 };
    this.asked.set(name, now);
    return `${String(id)}#${String(now.nth)}`;
  }

  get runName(): string {
    return `Q${String(this.shape.run)}`;
  }

  get plan() {
    const { onFailure, points, triggers, out, checks, isMoved } = this.shape;
    const one = (name: Name) => {
      const { machine, point, paths } = restores[name];
      return restore(name === "mail" && isMoved === true ? "4" : machine, points[name] ?? point, {
        paths,
        triggers: triggers[name] === undefined ? undefined : [triggers[name]],
        adopt: this.adopt[name],
        checks: checks.includes(name) ? [{ tcp: `${name}:1`, within: 1 }] : [],
      });
    };
    const wave = (of: string) =>
      Object.fromEntries(
        names.filter((name) => restores[name].wave === of && !out.includes(name)).map((name) => [name, one(name)]),
      );
    return planOf({ data: wave("data"), front: wave("front") }, { run: this.runName, onFailure });
  }

  async act(one: Action): Promise<void> {
    const { shape } = this;
    const edit = (changed: Partial<Shape>): void => {
      if (this.cutOut !== undefined && !this.isSettled) return;
      this.shape = { ...shape, ...changed };
      this.isEdited = true;
    };
    switch (one.do) {
      case "up":
        [this.outcomes, this.badChecks] = [one.outcomes, one.badChecks];
        return this.up({ kill: one.kill });
      case "up but":
        return this.up({ exclude: [one.exclude] });
      case "up anew":
        return this.up({ replace: one.replace });
      case "point":
        return edit({
          points: { ...shape.points, [one.name]: shape.points[one.name] === undefined ? "99" : undefined },
        });
      case "triggers":
        return edit({ triggers: { ...shape.triggers, [one.name]: (shape.triggers[one.name] ?? 0) + 1 } });
      case "another machine":
        return edit({ isMoved: shape.isMoved !== true });
      case "in or out":
        return edit({ out: inOrOut(shape.out, one.name) });
      case "check":
        return edit({ checks: inOrOut(shape.checks, one.name) });
      case "new run":
        this.shape = { ...shape, run: shape.run + 1 };
        this.adopt = {};
        this.blemishes = [];
        this.isEdited = false;
        return;
      case "cut":
        // Cuts a wave or its intent out of the state, unless that would lose the only record of entries replaced within the run.
        if (!this.isSettled || this.isEdited || (this.cutOut ?? one.what) !== one.what) return;
        this.cutOut = one.what;
        this.isSettled = false;
        // Cutting an intent loses nothing, because the ids of its entries can be derived again.
        if (!one.what.endsWith("-intent") && this.lab.outputsOf(one.what)["run"] === this.runName)
          this.blemishes.push("cut");
        return this.lab.cut(one.what);
      case "adopt newest": {
        const newest = this.works.findLast(({ machine }) => machine === restores[one.name].machine);
        if (newest === undefined) return;
        const id = idOf(newest);
        this.adopt = { [one.name]: id };
        this.named.add(id);
        return;
      }
      case "restored beside the plan": {
        // A separate VmRestore in the same stack restores the machine after everything else.
        const { machine } = one;
        const work = this.lab.panel.order({ machine, kind: "VmRestore", point: "1" }, "person");
        const requestedAt = this.lab.time.wallTime().toISOString();
        await this.lab.time.advance(120_000);
        const outputs = { requestedAt, finishedAt: this.lab.time.wallTime().toISOString() };
        this.lab.addBeside({ name: `beside-${machine}`, machine, point: "1", ...complete(idOf(work)), outputs });
      }
    }
  }

  async up(how: How = {}): Promise<void> {
    const { lab } = this;
    const before = lab.outputsOf("run");
    // If the run's own resource is left out, the new run does not begin, and the waves finish the previous run.
    this.run = how.exclude?.includes("run") === true ? String(before["run"]) : this.runName;
    const posts = lab.panel.posts.length;
    const errors = await lab.up(this.plan, how);
    for (const wave of ["data", "front"])
      for (const [name, { id }] of Object.entries(
        readIntentText(lab.outputsOf(`wave-${wave}-intent`)["restores"])?.entries ?? {},
      ))
        this.askedFor(name as Name, id);
    const wasRefused = errors?.some((text) => refusal.test(text)) === true;
    if (errors !== undefined && !wasRefused && how.exclude === undefined) this.accepted = this.shape;
    if (wasRefused) this.shape = { ...this.accepted, run: this.shape.run };
    const { run, plan } = lab.outputsOf("run");
    if (before["run"] === run && before["plan"] !== plan) this.blemishes.push("edited");
    // A kill before anything was sent, or after everything was recorded, has no effect, and neither does a rejected `up`.
    const done = errors?.filter((text) => !/left out an earlier part/.test(text) && !refusal.test(text)) ?? [];
    const isBad = errors === undefined ? lab.panel.posts.length > posts && this.open.length > 0 : done.length > 0;
    if (isBad && run === this.runName) this.blemishes.push("an up was killed or failed");
    this.isSettled = errors !== undefined && how.exclude === undefined;
  }

  /** The planned restores that the state does not show as complete and checked. */
  get open(): readonly StateRestore[] {
    return restoresOfState(this.lab.deployment).restores.filter(
      ({ plan, entry, happened, checks }) =>
        plan !== undefined && (entry === undefined || nextStep(happened, { checks }) !== undefined),
    );
  }

  get works(): readonly Work[] {
    return this.lab.panel.works.filter(({ kind }) => kind !== "backup");
  }

  /** Why a run has not passed, according to the panel's record; undefined if it has passed. */
  whyNotPassed(plan: PlanText): string | undefined {
    for (const wave of plan.waves)
      for (const [of, { machine, point, paths, checks }] of Object.entries(wave.restores)) {
        const complete = this.works.filter((work) => work.machine === machine && work.status === "complete");
        const runOf = (work: Work) => this.sent[this.lab.panel.posts.findIndex((post) => post.work === work)]?.run;
        const isOfKind = (work: Work) => (work.kind === "FileRestore") === (paths !== undefined);
        // By naming a transaction in `adopt`, the user vouches for it, and for its kind, which some panels do not show.
        const own = complete.filter(
          (work) => this.named.has(idOf(work)) || (isOfKind(work) && work.point === point && runOf(work) === plan.run),
        );
        const isOver = (work: Work) =>
          complete.some((other) => other.kind === "VmRestore" && Number(idOf(other)) > Number(idOf(work)));
        if (own.length === 0) return `${of} was never restored`;
        if (own.every(isOver)) return `${of} was overwritten`;
        if (checks.length > 0 && this.checked.get(of) !== true) return `${of}: its check did not pass`;
      }
    return undefined;
  }

  check(): void {
    assert.deepEqual(this.violations, []);
    const [plan] = restoresOfState(this.lab.deployment).plans;
    if (plan?.plan === undefined || plan.verdict === undefined || !plan.verdict.verdict.startsWith("passed")) return;
    assert.equal(this.whyNotPassed(plan.plan), undefined, JSON.stringify(plan.verdict));
    if (plan.plan.run === this.runName && this.blemishes.length > 0)
      assert.notEqual(plan.verdict.verdict, "passed", `passed in spite of: ${this.blemishes.join(", ")}`);
  }
}

const idOf = ({ parts }: Work): string => parts[0]?.id ?? "";

/** A restore that was held back is sent by an `up` that is killed before it records this. */
const heldBackThenKilled: ["stop", Action[]] = [
  "stop",
  [
    { do: "up", outcomes: { db: "failed" }, badChecks: [], kill: undefined },
    { do: "triggers", name: "db" },
    { do: "up", outcomes: {}, badChecks: [], kill: { at: "in a check", after: 0 } },
    { do: "point", name: "db" },
    { do: "up", outcomes: {}, badChecks: [], kill: undefined },
  ],
];

describe("the ledger of a plan", function () {
  this.timeout(thorough(120_000, 3_600_000));

  it("shows one POST for each machine and attempt, and never a verdict that is too good, after any sequence of user actions", async () => {
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
          history.outcomes = {};
          history.badChecks = [];
          for (let again = 0; again < 2; again++) await history.up();
          history.check();
          // The next random histories differ.
          counts.length = 0;
        },
      ),
      { numRuns: thorough(60, 5_000), examples: [heldBackThenKilled] },
    );
  });
});
