import assert from "node:assert/strict";
import { historyPage, readReport, report, toHtml, toJson, toJunit, toMarkdown } from "../../report";
import { figuresOf, intentResource, type Played, restoreResource, stackOf, threeRestores } from "./support/restores";
import { type PlayedPlan, type PlayedStep, resourcesOf, stackOfPlan } from "./support/plans";
import { at, exportedStack, type PendingOperation, type StackResource } from "./support/stack";

const db: PlayedStep = { name: "db", machine: 43, requested: 0, ran: 600, transaction: "1" };
const web: PlayedStep = { name: "web", machine: 42, requested: 610, ran: 300, transaction: "2" };
const shop: PlayedPlan = {
  waves: [
    { name: "data", restores: [db] },
    { name: "front", restores: [web] },
  ],
};

const judged = (state: object, subject?: string): readonly [string, string] => {
  const { verdict } = report(state, subject === undefined ? {} : { subject });
  return [verdict.result, verdict.reasons.join(" ")];
};

/** The plan's state with a change of the resources of one type. */
function changed(plan: PlayedPlan, type: string, change: (one: StackResource) => StackResource): object {
  return exportedStack(resourcesOf(plan).map((one) => (one.type === type ? change(one) : one)));
}

describe("what the engine has stored an error with", () => {
  const problem = "transaction 5014 is stored both as this restore and as files.";

  it("is not complete beside a plan, with the error as its reason", () => {
    const [first, ...others] = threeRestores;
    const [result, reasons] = judged(stackOf([{ ...first!, initErrors: [problem] }, ...others]));
    assert.equal(result, "incomplete");
    assert.match(reasons, /web: not counted as complete: transaction 5014 is stored both/);
  });

  it("is not complete in a plan either, whatever its wave's record says", () => {
    const state = changed(shop, "VmRestore", (one) =>
      one.name === "shop-db" ? { ...one, initErrors: [problem] } : one,
    );
    const [result, reasons] = judged(state);
    assert.equal(result, "incomplete");
    assert.match(reasons, /db \(wave data\): not counted as complete: transaction 5014/);
    assert.match(toMarkdown(report(state)), /not counted/);
  });
});

describe("one transaction of two restores", () => {
  const [first, second] = threeRestores;
  const twice = { ...second!, transaction: first!.transaction! };

  it("makes neither complete", () => {
    const { verdict, counts } = report(stackOf([first!, twice]));
    assert.equal(verdict.result, "incomplete");
    assert.deepEqual([counts.complete, counts.unfinished], [0, 2]);
    assert.match(verdict.reasons.join(" "), /web: .*Transaction 5014 is stored for "db" too/);
    assert.match(verdict.reasons.join(" "), /db: .*Transaction 5014 is stored for "web" too/);
  });

  it("is two where they are of two panels", () => {
    const elsewhere = JSON.stringify(restoreResource(twice)).replaceAll("panel.example.com", "panel.dr.example.com");
    const resources = [intentResource(first!), restoreResource(first!), intentResource(twice)];
    assert.equal(judged(exportedStack([...resources, JSON.parse(elsewhere) as StackResource]))[0], "passed");
  });

  it("makes neither complete where one is a plan's", () => {
    const beside: Played = { name: "alone", machine: 43, requested: 0, ran: 600, transaction: "1" };
    const state = exportedStack([...resourcesOf(shop), intentResource(beside), restoreResource(beside)]);
    assert.match(judged(state, "shop")[1], /db \(wave data\): .*Transaction 1 is stored for "alone" too/);
    assert.match(judged(state, "drill")[1], /alone: .*Transaction 1 is stored for "shop-db" too/);
  });
});

describe("an end that a refresh has seen", () => {
  const unfinished: PlayedPlan = {
    ...shop,
    verdict: "not stored",
    waves: [
      {
        name: "data",
        restores: [{ ...db, status: "running", checks: [{ kind: "tcp", target: "a:1", result: "not run" }] }],
      },
    ],
  };
  const seen = (status: string): object =>
    changed(unfinished, "VmRestore", (one) => ({
      ...one,
      outputs: { ...one.outputs, ...figuresOf({ ...db, status }) },
    }));

  it("counts over the wave's record of the same restore, whose checks are not run", () => {
    const { waves, verdict } = report(seen("complete"));
    const [restore] = waves[0]?.restores ?? [];
    assert.deepEqual([restore?.name, restore?.result, restore?.durationSeconds], ["db", "complete", 605]);
    assert.deepEqual(
      restore?.checks.map(({ result }) => result),
      ["not run"],
    );
    assert.equal(verdict.result, "incomplete");
    assert.doesNotMatch(verdict.reasons.join(" "), /the end of the restore is not known/);
  });

  it("fails the run where it failed", () => {
    assert.equal(judged(seen("failed"))[0], "failed");
  });

  it("counts not for another posting", () => {
    const other = changed(unfinished, "VmRestore", (one) => ({
      ...one,
      outputs: { ...one.outputs, ...figuresOf(db), intent: { id: "intent-before" } },
    }));
    assert.match(judged(other)[1], /the end of the restore is not known/);
  });
});

describe("a restore that the run did not reach", () => {
  const broken: PlayedPlan = {
    ...shop,
    verdict: "not stored",
    waves: [
      { name: "data", restores: [{ ...db, status: "failed" }] },
      { name: "front", stored: false, restores: [{ ...web, came: "intent saved" }] },
    ],
  };
  const missing = (outputs: object): readonly (readonly [string, string])[] =>
    report(
      changed(broken, "RestoreIntent", (one) =>
        one.name.startsWith("shop-web") ? { ...one, outputs: { ...one.outputs, ...outputs } } : one,
      ),
    ).notCarriedOut.map(({ restore, what }) => [restore, what] as const);

  it("was begun where its intent is for what the plan says", () => {
    assert.deepEqual(missing({}), [["web", "outcome not stored"]]);
  });

  for (const [what, outputs] of [
    ["another machine", { virtualMachineId: "41" }],
    ["another point", { recoveryPointId: "1001" }],
    ["other triggers", { triggers: ["2026-Q4", "again"] }],
    ["files", { kind: "FileRestore", paths: ["/srv"] }],
  ] as const) {
    it(`was not begun where the intent is of an earlier form of the plan, for ${what}`, () => {
      assert.deepEqual(missing(outputs), [["web", "not begun"]]);
    });
  }

  it("was not begun where its intent is held back", () => {
    assert.deepEqual(missing({ mark: { heldBack: "db is not complete" } }), [["web", "not begun"]]);
  });
});

describe("a check", () => {
  const psql = { kind: "command", target: "psql", result: "passed" } as const;
  const planWith = (step: Partial<PlayedStep>): PlayedPlan => ({
    verdict: "not stored",
    waves: [{ name: "data", restores: [{ ...db, ...step }] }],
  });

  it("that was changed since is of another revision: its restore was not carried out since", () => {
    const of = (planned: number): string => judged(stackOfPlan(planWith({ checks: [psql], revision: 1, planned })))[1];
    assert.doesNotMatch(of(1), /was not/);
    assert.match(of(2), /db \(wave data\) was not carried out since it was changed/);
  });

  it("is called by its name in every format", () => {
    const named = { ...psql, name: "orders are there", result: "failed", reason: "it ended with 1" } as const;
    const made = report(stackOfPlan(planWith({ checks: [named] })));
    assert.match(made.verdict.reasons.join(), /check 1 \(orders are there, command psql\) did not pass: it ended/);
    for (const text of [toHtml(made), toMarkdown(made), toJunit(made), toJson(made)])
      assert.match(text, /[Oo]rders are there/);
  });

  it("shows the program alone, also of a command that an earlier version stored with its words", () => {
    const state = stackOfPlan(planWith({ checks: [{ ...psql, target: "psql -w canary", result: "failed" }] }));
    const made = report(state);
    assert.match(made.verdict.reasons.join(), /\(command psql\)/);
    for (const text of [toJson(made), toHtml(made), toMarkdown(made), toJunit(made)])
      assert.doesNotMatch(text, /canary/);
  });
});

describe("an interrupted creation of an intent", () => {
  const byRule: Played = { ...threeRestores[0]!, rule: { pick: "newest" }, takenAt: "2026-11-21T01:00:00Z" };
  const pending = (outputs: object): PendingOperation => {
    const { name, outputs: made } = intentResource(byRule);
    const asked = { ...made, ...outputs, recoveryPointId: undefined, choice: undefined };
    return { type: "RestoreIntent", name, operation: "creating", inputs: JSON.parse(JSON.stringify(asked)) as object };
  };

  it("is finished where the intent with the same rule is stored, whatever it chose", () => {
    assert.equal(judged(stackOf([byRule], [pending({})]))[0], "passed");
    assert.equal(
      judged(stackOf([byRule], [pending({ recoveryPoint: { pick: "newest", before: "2026-11-20T00:00:00Z" } })]))[0],
      "incomplete",
    );
  });
});

describe("two plans of one state that restore the same machine", () => {
  const lab: PlayedPlan = {
    plan: "lab",
    waves: [
      {
        name: "only",
        restores: [{ name: "copy", machine: 42, point: 1001, requested: 700, ran: 60, transaction: "9" }],
      },
    ],
  };
  const state = exportedStack([...resourcesOf(shop), ...resourcesOf(lab)]);

  it("name each other, with restore and point", () => {
    assert.deepEqual(judged(state, "shop"), [
      "passed with warnings",
      "web: plan lab of this stack restores machine 42 too (copy, recovery point 1001, run 2026-Q4)",
    ]);
    assert.deepEqual(judged(state, "lab"), [
      "passed with warnings",
      "copy: plan shop of this stack restores machine 42 too (web, recovery point 1007, run 2026-Q4)",
    ]);
  });

  it("say nothing of machines of their own", () => {
    const other = {
      ...lab,
      waves: [{ name: "only", restores: [{ ...db, name: "copy", machine: 44, transaction: "9" }] }],
    };
    assert.deepEqual(judged(exportedStack([...resourcesOf(shop), ...resourcesOf(other)]), "shop"), ["passed", ""]);
  });
});

describe("the history of several stacks", () => {
  const json = (stack: string, run: string, requested: number, more: Partial<PlayedPlan> = {}): string =>
    toJson(
      report(
        JSON.parse(
          JSON.stringify(
            stackOfPlan({ run, waves: [{ name: "data", restores: [{ ...db, requested }] }], ...more }),
          ).replaceAll("urn:pulumi:drill::", `urn:pulumi:${stack}::`),
        ),
      ),
    );
  const headings = (page: string): readonly string[] =>
    [...page.matchAll(/<h2[^>]*>([^<]*Runs)/g)].map(({ 1: heading = "" }) => heading);

  it("keeps plans of one name apart, and names their stacks", () => {
    const page = historyPage([json("prod", "2026-Q3", 0), json("test", "2026-Q3", 5)].map(readReport));
    const found = headings(page);
    assert.equal(found.length, 2, page.slice(0, 400));
    assert.match(found.join(" "), /shop \(stack prod, project [^)]+\): Runs shop \(stack test/);
  });

  it("compares with the run before in the same stack", () => {
    const began = (seconds: number): Partial<PlayedPlan> => ({ runFields: { startedAt: at(seconds) } });
    const earlier = [json("prod", "2026-Q3", 0, began(-9_000)), json("test", "2026-Q3", 0, began(-5_000))].map(
      readReport,
    );
    const state = JSON.parse(
      JSON.stringify(stackOfPlan({ run: "2026-Q4", waves: shop.waves })).replaceAll(
        "urn:pulumi:drill::",
        "urn:pulumi:prod::",
      ),
    ) as object;
    assert.equal(report(state, { earlier }).before?.sha256, earlier[0]?.sha256);
  });

  it("counts a run that was reported twice once: as its latest state has it", () => {
    const failed = json("prod", "2026-Q3", 0, {
      verdict: "not stored",
      waves: [{ name: "data", restores: [{ ...db, status: "running" }] }],
    });
    const older = failed.replace(/"stateWrittenAt": "[^"]+"/, '"stateWrittenAt": "2026-11-21T00:00:00Z"');
    assert.notEqual(older, failed);
    for (const files of [
      [older, json("prod", "2026-Q3", 0)],
      [json("prod", "2026-Q3", 0), older],
    ]) {
      const page = historyPage(files.map(readReport));
      assert.match(page, /<li>1 run<\/li>/);
      assert.match(page, /Passed/);
    }
  });

  it("tells restores without a plan by their transactions: one that was restored again is another run", () => {
    const [first, second] = threeRestores;
    const once = toJson(report(stackOf([first!, second!])));
    const again = toJson(report(stackOf([first!, { ...second!, requested: 90_000, transaction: "6000" }])));
    assert.match(historyPage([once, once, again].map(readReport)), /<li>2 runs<\/li>/);
  });
});

describe("the counts of a large run", () => {
  it("are grouped on both sides", () => {
    const many = Array.from({ length: 4_000 }, (_, index): Played => {
      const id = String(10_000 + index);
      return { name: `vm-${id}`, machine: 10_000 + index, requested: index, ran: 60, transaction: id };
    });
    const made = report(stackOf(many));
    for (const text of [toHtml(made), toMarkdown(made)]) {
      assert.match(text, /4,000 of 4,000/);
      assert.doesNotMatch(text, /\b4000 of/);
    }
  });
});
