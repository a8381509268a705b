import assert from "node:assert/strict";
import * as fc from "fast-check";
import {
  changedPaths as pathsOf,
  changesOf,
  definitionText,
  isDefinedAs,
  readDefinition,
  revisionsOf,
  type RunFacts,
} from "../../provider/plan/definition";
import { hidden, type DefinedCheck, type DefinedRestore, type StoredDefinition } from "../../provider/plan/stored";
import { omit } from "../../provider/plain/plain";
import { engineSafeText } from "../../provider/plain/text";
import { planOf, restoreAsGiven } from "./support/stored-plans";

const times = { everySeconds: 5, withinSeconds: 300, afterSeconds: 0 };

function checkWith(given: Readonly<Record<string, unknown>> = {}, shown: Partial<DefinedCheck> = {}): DefinedCheck {
  const http = "https://a/?a=1";
  return { kind: "http", target: "https://a/", ...times, ...shown, given: { http, contains: "ok", ...given } };
}

const restore = (changes: Partial<DefinedRestore> = {}): DefinedRestore => ({
  ...restoreAsGiven,
  checks: [],
  ...changes,
});

function definitionOf(restores: Readonly<Record<string, DefinedRestore>>): StoredDefinition {
  return { ...planOf([]), waves: [{ name: "data", restores }] };
}

/** The facts of a run, in which nothing but what a check is given is a secret. */
function factsOf(definition: StoredDefinition, changes: Partial<RunFacts> = {}): RunFacts {
  const asGiven = {
    ...definition,
    waves: definition.waves.map(({ name, restores }) => ({
      name,
      restores: Object.fromEntries(
        Object.entries(restores).map(([key, { checks, ...others }]) => [
          key,
          { ...others, checks: checks.map((check) => omit(check, "given")) },
        ]),
      ),
    })),
  };
  return { asGiven, definition, kind: "drill", incidentAt: undefined, notes: undefined, ...changes };
}

describe("the revision of a restore", () => {
  const first = definitionOf({ db: restore({ checks: [checkWith()] }), web: restore({ virtualMachineId: "43" }) });
  const begun = { revisions: revisionsOf("1", first), definition: first };
  const after = (changes: Partial<DefinedRestore>, before = begun) =>
    revisionsOf(
      "2",
      definitionOf({ ...before.definition.waves[0]!.restores, db: restore({ checks: [checkWith()], ...changes }) }),
      before,
    );

  it("has an id for each check", () => {
    assert.deepEqual(begun.revisions, { db: { at: "1", checks: ["1.0"] }, web: { at: "1", checks: [] } });
  });

  for (const [what, changes] of Object.entries<Partial<DefinedRestore>>({
    machine: { virtualMachineId: "44" },
    point: { recoveryPointId: "8" },
    "point, by a rule": { recoveryPointId: undefined as never, recoveryPoint: { pick: "newest" } },
    paths: { paths: ["/etc"] },
    triggers: { triggers: [1] },
    "what a check sends": { checks: [checkWith({ headers: { authorization: "y" } })] },
    "a check's time": { checks: [checkWith({}, { withinSeconds: 10 })] },
    "a check more": { checks: [checkWith(), checkWith({ contains: "more" })] },
    "a check less": { checks: [] },
  })) {
    it(`is a new one after a change of ${what}, for this restore alone`, () => {
      const { db, web } = after(changes);
      assert.deepEqual([db?.at, web?.at], ["2", "1"]);
    });
  }

  for (const [what, changes] of Object.entries<Partial<DefinedRestore>>({
    "nothing at all": {},
    goals: { goals: { recoveryTimeSeconds: 1 } },
    "limits and other options": { timeouts: { run: 5 }, adopt: "never" },
    "the time of the point": { recoveryPointTakenAt: "2026-11-20T02:00:00Z" },
    "another spelling": { virtualMachineId: "042" },
    "the name of a check": { checks: [checkWith({}, { name: "orders" })] },
  })) {
    it(`stays after a change of ${what}`, () => {
      assert.deepEqual(after(changes), begun.revisions);
    });
  }

  it("stays in another wave, and under a new run: neither is another restore", () => {
    const moved: StoredDefinition = { ...first, waves: [{ name: "front", restores: first.waves[0]!.restores }] };
    assert.deepEqual(revisionsOf("2", moved, begun), begun.revisions);
  });

  it("is a new one for a restore that comes back as it was", () => {
    const without = definitionOf({ web: restore({ virtualMachineId: "43" }) });
    const gone = revisionsOf("2", without, begun);
    assert.deepEqual(Object.keys(gone), ["web"]);
    const back = revisionsOf("3", first, { revisions: gone, definition: without });
    assert.deepEqual([back["db"]?.at, back["web"]?.at], ["3", "1"]);
  });

  it("leaves each check that is the same its id, wherever it stands", () => {
    const [a, b, c] = [checkWith({ contains: "a" }), checkWith({ contains: "b" }), checkWith({ contains: "c" })];
    const before = after({ checks: [a, b] });
    const known = { revisions: before, definition: definitionOf({ db: restore({ checks: [a, b] }) }) };
    assert.deepEqual(before["db"]?.checks, ["2.0", "2.1"]);
    const now = revisionsOf("3", definitionOf({ db: restore({ checks: [c, b, a, b] }) }), known);
    assert.deepEqual(now["db"]?.checks, ["3.0", "2.1", "2.0", "3.3"]);
  });
});

describe("the changes of a run", () => {
  const paths = (before: RunFacts, after: RunFacts): readonly string[] =>
    changesOf(before, after).map(({ path }) => path);

  it("name waves and restores, with the value before and after", () => {
    const before = factsOf(definitionOf({ db: restore(), web: restore() }), { incidentAt: "2026-11-20T01:00:00Z" });
    const after = factsOf(definitionOf({ db: restore({ recoveryPointId: "8" }) }), { notes: { approver: "jo" } });
    assert.deepEqual(changesOf(before, after), [
      { path: "incidentAt", before: "2026-11-20T01:00:00Z" },
      { path: "waves.data.restores.db.recoveryPointId", before: "7", after: "8" },
      { path: "waves.data.restores.web", before: '{"checks":[],"recoveryPointId":"7","virtualMachineId":"42"}' },
      { path: "notes", after: '{"approver":"jo"}' },
    ]);
  });

  for (const [what, change, path] of [
    ["contains", { contains: "yes" }, "contains"],
    ["headers", { headers: { authorization: "y" } }, "headers"],
    ["caFile", { caFile: "/other" }, "caFile"],
    ["the query of an address", { http: "https://a/?a=2" }, "http"],
    ["env", { env: { TOKEN: "z" } }, "env"],
  ] as const) {
    it(`tell that ${what} of a check is another one, and never the value`, () => {
      const [before, after] = [{}, change].map((given) =>
        factsOf(definitionOf({ db: restore({ checks: [checkWith(given)] }) })),
      );
      assert.deepEqual(changesOf(before!, after!), [{ path: `waves.data.restores.db.checks[0].${path}` }]);
    });
  }

  it("tell once of what is shown", () => {
    const [before, after] = [
      checkWith({ within: "5m", contains: "a" }, { target: "https://a/", expects: "a", withinSeconds: 300 }),
      checkWith(
        { within: 60, contains: "b", http: "https://b/" },
        { target: "https://b/", expects: "b", withinSeconds: 60 },
      ),
    ].map((check) => factsOf(definitionOf({ db: restore({ checks: [check] }) })));
    const own = "waves.data.restores.db.checks[0]";
    assert.deepEqual(paths(before!, after!), [`${own}.expects`, `${own}.target`, `${own}.withinSeconds`]);
  });

  it("tell of a secret input by its path alone", () => {
    const [before, after] = ["42", "43"].map((virtualMachineId) => {
      const facts = factsOf(definitionOf({ db: restore({ virtualMachineId }) }));
      return { ...facts, asGiven: factsOf(definitionOf({ db: restore({ virtualMachineId: hidden }) })).asGiven };
    });
    assert.deepEqual(changesOf(before!, after!), [{ path: "waves.data.restores.db.virtualMachineId" }]);
  });

  it("of a state without secrets go by what is shown: a secret agrees with anything", () => {
    const before = { ...factsOf(definitionOf({ db: restore({ checks: [checkWith()] }) })), definition: undefined };
    assert.deepEqual(
      paths(before, factsOf(definitionOf({ db: restore({ checks: [checkWith({ contains: "b" })] }) }))),
      [],
    );
    assert.deepEqual(paths(before, factsOf(definitionOf({ db: restore() }))), ["waves.data.restores.db.checks[0]"]);
  });

  it("are told of the order of waves, and of a restore that was moved", () => {
    const [a, b] = [
      { name: "a", restores: { db: restore() } },
      { name: "b", restores: {} },
    ];
    const before = factsOf({ ...definitionOf({}), waves: [a, b] });
    assert.deepEqual(paths(before, factsOf({ ...definitionOf({}), waves: [b, a] })), ["order[0]", "order[1]"]);
    const moved = [
      { ...a, restores: {} },
      { ...b, restores: a.restores },
    ];
    assert.deepEqual(paths(before, factsOf({ ...definitionOf({}), waves: moved })), [
      "waves.a.restores.db",
      "waves.b.restores.db",
    ]);
  });

  it("are a hundred at most, and long values are cut", () => {
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`vm-${index}`, restore()]));
    assert.equal(changesOf(factsOf(definitionOf({})), factsOf(definitionOf(many))).length, 100);
    const long = factsOf(definitionOf({ db: restore({ paths: [`/${"x".repeat(900)}`] }) }));
    assert.equal(changesOf(factsOf(definitionOf({ db: restore() })), long)[0]?.after?.length, 300);
  });
});

describe("what is other than in the run before", () => {
  const db = (changes: Partial<DefinedRestore>): RunFacts => factsOf(definitionOf({ db: restore(changes) }));

  it("does not count triggers, the kind of the run, its notes or its incident", () => {
    const other = {
      ...db({ triggers: [2] }),
      kind: "recovery",
      notes: { owner: "x" },
      incidentAt: "2026-11-20T01:00:00Z",
    };
    assert.deepEqual(pathsOf(db({ triggers: [1] }), other), []);
    assert.deepEqual(pathsOf(db({}), db({ recoveryPointId: "8" })), ["waves.data.restores.db.recoveryPointId"]);
  });

  it("recognizes a restore by its place, not by the names of its inputs", () => {
    const named = (recoveryPointId: string): RunFacts =>
      factsOf(definitionOf({ triggers: restore({ recoveryPointId }), virtualMachineId: restore() }));
    assert.deepEqual(pathsOf(named("7"), named("8")), ["waves.data.restores.triggers.recoveryPointId"]);
  });

  it("is nothing if and only if the plans are the same, in any order of properties", () => {
    const plans = fc.dictionary(
      fc.constantFrom("x", "y", "z"),
      fc.record({
        virtualMachineId: fc.constantFrom("1", "2"),
        recoveryPointId: fc.constant("7"),
        contains: fc.constantFrom("a", "b"),
      }),
      { noNullPrototype: true },
    );
    const definitionIn = (
      plan: Readonly<Record<string, { virtualMachineId: string; recoveryPointId: string; contains: string }>>,
    ) =>
      definitionOf(
        Object.fromEntries(
          Object.entries(plan).map(([name, { contains, ...of }]) => [
            name,
            restore({ ...of, checks: [checkWith({ contains })] }),
          ]),
        ),
      );
    const inOrder = (plan: object): string => JSON.stringify(Object.entries(plan).sort(([a], [b]) => (a < b ? -1 : 1)));
    fc.assert(
      fc.property(plans, plans, (a, b) => {
        const same = inOrder(a) === inOrder(b);
        assert.equal(pathsOf(factsOf(definitionIn(a)), factsOf(definitionIn(b))).length === 0, same);
        // A new revision exactly where something counts.
        const before = { revisions: revisionsOf("1", definitionIn(a)), definition: definitionIn(a) };
        const now = revisionsOf("2", definitionIn(b), before);
        for (const name of Object.keys(b)) {
          const isKnown = a[name] !== undefined && JSON.stringify(a[name]) === JSON.stringify(b[name]);
          assert.equal(now[name]?.at, isKnown ? "1" : "2");
        }
      }),
    );
  });
});

describe("a restore's own inputs", () => {
  const stored = { virtualMachineId: "42", recoveryPointId: "7", triggers: ["first"] };

  it("are what the run's definition says, or the run was left out", () => {
    assert.equal(isDefinedAs(stored, restore()), true);
    assert.equal(isDefinedAs({ ...stored, virtualMachineId: "042" }, restore()), true);
    for (const other of [
      { virtualMachineId: "43" },
      { recoveryPointId: "8" },
      { paths: ["/a"] },
      { triggers: ["first", 1] },
    ])
      assert.equal(isDefinedAs({ ...stored, ...other }, restore()), false, JSON.stringify(other));
    assert.equal(isDefinedAs({ ...stored, triggers: ["first", 1] }, restore({ triggers: [1] })), true);
  });

  it("hold the point that a rule has chosen", () => {
    const byRule = restore({ recoveryPointId: undefined as never, recoveryPoint: { pick: "newest" } });
    const chosen = { ...stored, recoveryPoint: "newest" };
    assert.equal(isDefinedAs(chosen, byRule), true);
    assert.equal(isDefinedAs({ ...chosen, recoveryPoint: { pick: "oldest" } }, byRule), false);
    assert.equal(isDefinedAs(stored, byRule), false, "one of a plan that named an id");
  });
});

describe("the text of a definition", () => {
  it("passes the engine unchanged, and is read as it was given", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("<{%reset%}>", "\ud800")), (contains) => {
        const definition = definitionOf({ db: restore({ checks: [checkWith({ contains })] }) });
        const text = definitionText(definition);
        assert.equal(engineSafeText(text), text);
        assert.deepEqual(readDefinition(text), definition);
      }),
    );
  });
});
