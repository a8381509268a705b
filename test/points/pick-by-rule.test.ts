import assert from "node:assert/strict";
import fc from "fast-check";
import { type PointRule, readPointRule } from "../../provider/inputs/read-point-rule";
import type { ListedPoint, MachineId, Page, RecoveryPointId } from "../../provider/panel/types";
import { pickByRule } from "../../provider/points/pick-by-rule";
import { otherMachines, toPoints } from "../../provider/points/points";

const now = Date.parse("2026-11-22T12:00:00Z");
const machine = "42" as MachineId;

interface Row {
  readonly id: string;
  readonly state?: string;
  readonly at?: string;
  readonly of?: string;
}

function pageOf(rows: readonly Row[], more: Partial<Page<ListedPoint>> = {}): Page<ListedPoint> {
  const items = rows.map(({ id, state, at, of }) => ({
    id: id as RecoveryPointId,
    ...(state === undefined ? {} : { state }),
    ...(at === undefined ? {} : { createdAt: at }),
    ...(of === undefined ? {} : { virtualMachineId: of }),
    fields: {},
  }));
  return { items, skipped: 0, panelTime: now, ...more };
}

function rule(value: unknown): PointRule {
  const reading = readPointRule(value);
  assert.ok("value" in reading);
  return reading.value;
}

const chosenOf = (rows: readonly Row[], given: unknown, random = (): number => 0, words: readonly string[] = []) =>
  pickByRule(toPoints(pageOf(rows), words), rule(given), random);

/** Five days, a point at noon of each; the last at the panel's own time. */
const days: readonly Row[] = [18, 19, 20, 21, 22].map((day) => ({
  id: String(1000 + day),
  state: "built",
  at: `2026-11-${String(day)}T12:00:00Z`,
}));

describe("What a rule chooses of a list", () => {
  for (const [given, id, fitted] of [
    ["newest", "1022", 5],
    [{ pick: "oldest" }, "1018", 5],
    // Before is before: the moment itself is not.
    [{ before: "2026-11-21T12:00:00Z" }, "1020", 3],
    [{ before: "2026-11-21T12:00:00.001Z" }, "1021", 4],
    [{ before: "2026-11-21T13:00:00+01:00" }, "1020", 3],
    // Within counts from the panel's clock, and its border is within.
    [{ within: "2d", pick: "oldest" }, "1020", 3],
    [{ within: 2 * 86_400 - 1, pick: "oldest" }, "1021", 2],
    [{ within: "3d", before: "2026-11-20T12:00:00Z" }, "1019", 1],
    [{ within: 1 }, "1022", 1],
  ] as const) {
    it(`${JSON.stringify(given)}: ${id} of ${String(fitted)}`, () => {
      const found = chosenOf(days, given);
      assert.ok(found.kind === "chosen");
      assert.deepEqual([found.point.id, found.listed, found.fitted, found.passedOver], [id, 5, fitted, []]);
    });
  }

  it("by chance takes any that fits, each for its share", () => {
    const taken = [0, 0.25, 0.5, 0.75, 0.999_999].map((chance) => {
      const found = chosenOf(days, { pick: "random", within: "3d" }, () => chance);
      return found.kind === "chosen" ? found.point.id : found.kind;
    });
    assert.deepEqual(taken, ["1022", "1021", "1020", "1019", "1019"]);
  });

  it("does not depend on the order of the list, also among points of one moment", () => {
    const row = fc.record({
      id: fc.oneof(fc.integer({ min: 1, max: 99_999 }).map(String), fc.constantFrom("a1", "b2", "c3")),
      at: fc.constantFrom(
        "2026-11-20T12:00:00Z",
        "2026-11-20T13:00:00+01:00",
        "2026-11-21T00:00:00Z",
        "2026-11-21",
        "",
      ),
      state: fc.constantFrom("built", "available", "merging", ""),
    });
    const rules = fc.constantFrom("newest", { pick: "oldest" }, { pick: "random" }, { before: "2026-11-21T00:00:00Z" });
    fc.assert(
      fc.property(
        fc.uniqueArray(row, { selector: ({ id }) => id, maxLength: 12 }),
        fc.infiniteStream(fc.nat()),
        rules,
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (rows, keys, given, chance) => {
          const shuffled = rows
            .map((one) => ({ one, key: keys.next().value as number }))
            .sort((a, b) => a.key - b.key)
            .map(({ one }) => one);
          assert.deepEqual(
            chosenOf(shuffled, given, () => chance),
            chosenOf(rows, given, () => chance),
          );
        },
      ),
      { numRuns: 500 },
    );
  });

  it("is always a usable point with a time inside the rule, and never one when another would be rather", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(
          fc.record({
            id: fc.integer({ min: 1, max: 999 }).map(String),
            hoursAgo: fc.option(fc.integer({ min: -3, max: 200 }), { nil: undefined }),
            state: fc.constantFrom("built", "Available", "merging", undefined),
          }),
          { selector: ({ id }) => id, maxLength: 20 },
        ),
        fc.record({
          pick: fc.constantFrom("newest", "oldest", "random"),
          within: fc.option(
            fc.integer({ min: 1, max: 200 }).map((hours) => hours * 3600),
            { nil: undefined },
          ),
          before: fc.option(
            fc.integer({ min: 0, max: 200 }).map((hours) => new Date(now - hours * 3_600_000).toISOString()),
            { nil: undefined },
          ),
        }),
        (rows, given) => {
          const fits = ({ hoursAgo, state }: (typeof rows)[number]): boolean =>
            hoursAgo !== undefined &&
            hoursAgo >= 0 &&
            state !== "merging" &&
            (given.within === undefined || hoursAgo * 3600 <= given.within) &&
            (given.before === undefined || now - hoursAgo * 3_600_000 < Date.parse(given.before));
          const found = chosenOf(
            rows.map(({ id, hoursAgo, state }) => ({
              id,
              ...(state === undefined ? {} : { state }),
              ...(hoursAgo === undefined ? {} : { at: new Date(now - hoursAgo * 3_600_000).toISOString() }),
            })),
            given,
            () => 0.5,
          );
          const fitting = rows.filter(fits);
          if (found.kind !== "chosen") {
            assert.deepEqual(fitting, []);
            return;
          }
          assert.equal(found.fitted, fitting.length);
          const chosen = fitting.find(({ id }) => id === found.point.id);
          assert.ok(chosen !== undefined);
          const ages = fitting.map(({ hoursAgo }) => hoursAgo ?? NaN);
          if (given.pick === "newest") assert.equal(chosen.hoursAgo, Math.min(...ages));
          if (given.pick === "oldest") assert.equal(chosen.hoursAgo, Math.max(...ages));
        },
      ),
      { numRuns: 500 },
    );
  });

  describe("among states", () => {
    const newer = (state: string | undefined): readonly Row[] => [
      { id: "1", state: "built", at: "2026-11-20T12:00:00Z" },
      { id: "2", ...(state === undefined ? {} : { state }), at: "2026-11-21T12:00:00Z" },
    ];
    for (const state of ["built", "available", "Built", " AVAILABLE ", "", undefined]) {
      it(`takes ${JSON.stringify(state)}`, () => {
        const found = chosenOf(newer(state), "newest");
        assert.ok(found.kind === "chosen");
        assert.deepEqual([found.point.id, found.fitted, found.passedOver], ["2", 2, []]);
      });
    }

    it("passes over any other word and says so, unless a setting names it", () => {
      const found = chosenOf(newer("Merging"), "newest");
      assert.ok(found.kind === "chosen");
      assert.deepEqual([found.point.id, found.passedOver.map(({ id }) => id)], ["1", ["2"]]);
      const known = chosenOf(newer("Merging"), "newest", () => 0, ["merging"]);
      assert.equal(known.kind === "chosen" && known.point.id, "2");
    });

    it("says nothing of points that it would not have taken anyway", () => {
      const rows = [...newer("merging"), { id: "0", state: "merging", at: "2026-11-19T12:00:00Z" }];
      const passed = (given: unknown): string[] => {
        const found = chosenOf(rows, given);
        return found.kind === "chosen" ? found.passedOver.map(({ id }) => id) : [found.kind];
      };
      assert.deepEqual(passed("newest"), ["2"]);
      assert.deepEqual(passed({ pick: "oldest" }), ["0"]);
      assert.deepEqual(passed({ pick: "random" }), ["2", "0"]);
      assert.deepEqual(passed({ before: "2026-11-21T00:00:00Z" }), []);
    });

    it("says nothing of one of the same moment as the chosen one", () => {
      const found = chosenOf([...days, { id: "2000", state: "merging", at: "2026-11-22T12:00:00Z" }], "newest");
      assert.deepEqual(found.kind === "chosen" && [found.point.id, found.passedOver], ["1022", []]);
    });

    it("passes over a point whose id cannot be sent", () => {
      const found = chosenOf([...days, { id: "../1", state: "built", at: "2026-11-22T13:00:00Z" }], "newest");
      assert.equal(found.kind === "chosen" && found.point.id, "1022");
    });
  });

  it("names points whose time names no zone, wherever they may lie", () => {
    const found = chosenOf([{ id: "9", at: "2026-11-01T12:00:00" }, ...days, { id: "8" }], "newest");
    assert.ok(found.kind === "chosen");
    assert.deepEqual([found.point.id, found.passedOver.map(({ id }) => id)], ["1022", ["9", "8"]]);
  });

  describe("among points of the future", () => {
    const inSeconds = (seconds: number): string => new Date(now + seconds * 1000).toISOString();
    const ahead = (seconds: number): Row => ({ id: "2000", state: "built", at: inSeconds(seconds) });
    const chosen = (given: unknown, seconds: number) => {
      const found = chosenOf([...days, ahead(seconds)], given);
      assert.ok(found.kind === "chosen");
      return [found.point.id, found.fitted, found.passedOver.map(({ id }) => id)];
    };

    it("takes one that is stamped up to a minute ahead of the panel's clock", () => {
      assert.deepEqual(chosen("newest", 60), ["2000", 6, []]);
    });

    it("passes over one that is stamped further ahead, and names it where the rule would have taken it", () => {
      for (const seconds of [61, 365 * 86_400]) {
        assert.deepEqual(chosen("newest", seconds), ["1022", 5, ["2000"]]);
        assert.deepEqual(chosen({ within: "2d" }, seconds), ["1022", 3, ["2000"]]);
        assert.deepEqual(chosen({ pick: "random" }, seconds), ["1022", 5, ["2000"]]);
        assert.deepEqual(chosen({ pick: "oldest" }, seconds), ["1018", 5, []]);
        assert.deepEqual(chosen({ before: "2026-11-22T12:00:00Z" }, seconds), ["1021", 4, []]);
      }
    });

    it("takes the newest where the panel's clock is not known: nothing shows that it is of the future", () => {
      const { items, skipped } = pageOf([...days, ahead(86_400)]);
      const found = pickByRule(toPoints({ items, skipped }, []), rule("newest"), () => 0);
      assert.equal(found.kind === "chosen" && found.point.id, "2000");
    });

    it("names the first of them beside the nearest where none was taken when the rule wants it", () => {
      const found = chosenOf([...days.slice(0, 3), ahead(3600), { ...ahead(7200), id: "2001" }], { within: "1d" });
      assert.ok(found.kind === "none fits");
      assert.deepEqual([found.usable, found.nearest.map(({ id }) => id)], [5, ["2000", "1020"]]);
    });
  });

  describe("is refused", () => {
    const refusal = (rows: readonly Row[], given: unknown, more: Partial<Page<ListedPoint>> = {}) =>
      pickByRule(toPoints(pageOf(rows, more), []), rule(given), () => 0);

    it("where there are no points, or none that has an id", () => {
      assert.deepEqual(refusal([], "newest"), { kind: "no points" });
      assert.deepEqual(refusal([], "newest", { skipped: 3 }), { kind: "no ids", rows: 3 });
    });

    it("where none has a time that names its zone: the order of ids decides nothing", () => {
      const rows = ["2026-11-20T12:00:00", "2026-11-20", "yesterday", ""].map((at, index) => ({
        id: String(index),
        at,
      }));
      const found = refusal(rows, "newest");
      assert.ok(found.kind === "no times");
      assert.equal(found.points.length, 4);
    });

    it("where within counts from a clock that is not known", () => {
      const { items, skipped } = pageOf(days);
      const list = toPoints({ items, skipped }, []);
      assert.deepEqual(
        pickByRule(list, rule({ within: "1d" }), () => 0),
        { kind: "no clock" },
      );
      assert.equal(pickByRule(list, rule({ before: "2026-11-20T00:00:00Z" }), () => 0).kind, "chosen");
    });

    for (const [given, nearest] of [
      [{ before: "2026-11-18T12:00:00Z" }, ["1018"]],
      [{ within: "1d", before: "2026-11-21T12:00:00Z" }, ["1021", "1020"]],
      [{ within: "1d", before: "2026-11-10T12:00:00Z" }, ["1018"]],
    ] as const) {
      it(`where none was taken then, and names the nearest: ${JSON.stringify(given)}`, () => {
        const found = refusal(days, given);
        assert.ok(found.kind === "none fits");
        assert.deepEqual([found.usable, found.nearest.map(({ id }) => id)], [5, nearest]);
      });
    }
  });
});

describe("The points of a list", () => {
  it("are newest first, in UTC, and those without a time last", () => {
    const rows = [{ id: "3" }, { id: "1", at: "2026-11-20T15:00:00+03:00" }, { id: "2", at: "2026-11-20T12:30:00Z" }];
    assert.deepEqual(
      toPoints(pageOf(rows), []).points.map(({ id, takenAt, usable }) => [id, takenAt, usable]),
      [
        ["2", "2026-11-20T12:30:00Z", true],
        ["1", "2026-11-20T12:00:00Z", true],
        ["3", undefined, true],
      ],
    );
  });

  it("of one moment begin with the larger id, as a number where both are one, else as text", () => {
    const order = (ids: readonly string[]): readonly string[] =>
      toPoints(pageOf(ids.map((id) => ({ id, at: "2026-11-20T12:00:00Z" }))), []).points.map(({ id }) => id);
    assert.deepEqual(order(["9", "10", "2"]), ["10", "9", "2"]);
    for (const ids of [
      ["a1", "b2", "c3"],
      ["c3", "b2", "a1"],
    ])
      assert.deepEqual(order(ids), ["c3", "b2", "a1"]);
  });

  for (const [of, asked, others] of [
    [["42", "42"], "42", []],
    [[undefined, undefined], "42", []],
    [["42", "43"], "42", ["43"]],
    [["43", "43"], "42", ["43"]],
    // A machine has a number and a name: the one says nothing of the other, as long as the rows agree.
    [["42", "42"], "web1", []],
    [["42", "43"], "web1", ["42", "43"]],
    [["web2"], "web1", ["web2"]],
    [["web1"], "42", []],
  ] as const) {
    it(`of ${JSON.stringify(of)} for machine ${asked} are ${others.length === 0 ? "its own" : "others' too"}`, () => {
      const rows = of.map((one, index) => ({ id: String(index), ...(one === undefined ? {} : { of: one }) }));
      assert.deepEqual(otherMachines(pageOf(rows), asked as MachineId), others);
    });
  }

  it("of the machine itself are no others'", () => {
    assert.deepEqual(otherMachines(pageOf([{ id: "1", of: "42" }]), machine), []);
  });
});
