import assert from "node:assert/strict";
import { readPointRule } from "../../provider/inputs/read-point-rule";
import type { ListedPoint, MachineId, RecoveryPointId } from "../../provider/panel/types";
import { messageText } from "../../provider/plain/message";
import { omitUndefined } from "../../provider/plain/plain";
import { passedOverWarnings, whyNotPicked } from "../../provider/points/messages";
import { pickByRule, pointsWithin } from "../../provider/points/pick-by-rule";
import { otherMachines, toPoints } from "../../provider/points/points";
import { assertGolden } from "../support/golden";
import { assertReadable } from "../support/readable";

const now = Date.parse("2026-11-22T12:00:00Z");

interface Row {
  readonly id: string;
  readonly state?: string | undefined;
  readonly at?: string;
  readonly of?: string | undefined;
}

function pageOf(rows: readonly Row[]) {
  const items = rows.map(({ id, state, at, of }) =>
    omitUndefined<ListedPoint>({ id: id as RecoveryPointId, state, createdAt: at, virtualMachineId: of, fields: {} }),
  );
  return { items, skipped: 0, panelTime: now };
}

interface How {
  readonly chance?: number;
  readonly words?: readonly string[];
  readonly skipped?: number;
  readonly hasNoClock?: true;
}

type Outcome =
  | readonly [taken: string, fitted: number, passedOver: readonly string[]]
  | readonly [why: string, ...unknown[]];

type Case = readonly [rows: readonly Row[], given: unknown, outcome: Outcome, how?: How];

/** The chosen point, the number of matching points, and the rejected points; or why none was chosen, and the points that the reason names. */
function outcomeOf(rows: readonly Row[], given: unknown, how: How = {}, said: string[] = []): Outcome {
  const { chance = 0, words = [], skipped = 0, hasNoClock } = how;
  const rule = readPointRule(given);
  assert.ok("value" in rule);
  const page = { items: pageOf(rows).items, skipped, ...(!hasNoClock && { panelTime: now }) };
  const list = toPoints(page, words);
  const found = pickByRule(list, rule.value, () => chance);
  const ids = (points: readonly { readonly id: string }[]): readonly string[] => points.map(({ id }) => id);
  said.push(...(found.kind === "chosen" ? passedOverWarnings(found, list) : [messageText(whyNotPicked(found, now))]));
  said.forEach(assertReadable);
  if (found.kind === "chosen") return [found.point.id, found.fitted, ids(found.passedOver)];
  return found.kind === "none fits" ? [found.kind, found.listed, ids(found.nearest)] : [found.kind];
}

/** A point at noon on each of five days. The last point's time is the panel's current time. */
const days: readonly Row[] = [18, 19, 20, 21, 22].map((day) => ({
  id: String(1000 + day),
  state: "built",
  at: `2026-11-${String(day)}T12:00:00Z`,
}));

const newer = (state?: string): readonly Row[] => [
  { id: "1", state: "built", at: "2026-11-20T12:00:00Z" },
  { id: "2", state, at: "2026-11-21T12:00:00Z" },
];
const merging = [...newer("merging"), { id: "0", state: "merging", at: "2026-11-19T12:00:00Z" }];
const ahead = (seconds: number, id = "2000"): Row => {
  return { id, state: "built", at: new Date(now + seconds * 1000).toISOString() };
};
const withoutZone = ["2026-11-20T12:00:00", "2026-11-20", "yesterday", ""].map((at, id) => ({ id: String(id), at }));

const table: Readonly<Record<string, readonly Case[]>> = {
  "the newest or the oldest point": [
    [days, "newest", ["1022", 5, []]],
    [days, { pick: "oldest" }, ["1018", 5, []]],
  ],
  "a point before a given time, but not at that time": [
    [days, { before: "2026-11-21T12:00:00Z" }, ["1020", 3, []]],
    [days, { before: "2026-11-21T12:00:00.001Z" }, ["1021", 4, []]],
    [days, { before: "2026-11-21T13:00:00+01:00" }, ["1020", 3, []]],
  ],
  "a point within a time span, or exactly at its limit, by the panel's clock": [
    [days, { within: "2d", pick: "oldest" }, ["1020", 3, []]],
    [days, { within: 2 * 86_400 - 1, pick: "oldest" }, ["1021", 2, []]],
    [days, { within: "3d", before: "2026-11-20T12:00:00Z" }, ["1019", 1, []]],
    [days, { within: 1 }, ["1022", 1, []]],
  ],
  "a random matching point, each with the same chance": (
    [
      [0, "1022"],
      [0.25, "1021"],
      [0.5, "1020"],
      [0.75, "1019"],
      [0.999_999, "1019"],
    ] as const
  ).map(([chance, id]) => [days, { pick: "random", within: "3d" }, [id, 4, []], { chance }]),
  "a point in a state that can be restored": ["built", "available", "Built", " AVAILABLE ", "", undefined].map(
    (state) => [newer(state), "newest", ["2", 2, []]],
  ),
  "no point in any other state, and says so, unless a setting allows the state": [
    [newer("Merging"), "newest", ["1", 1, ["2"]]],
    [newer("Merging"), "newest", ["2", 2, []], { words: ["merging"] }],
  ],
  "a point, and mentions a rejected point only if it would otherwise have chosen that point": [
    [merging, "newest", ["1", 1, ["2"]]],
    [merging, { pick: "oldest" }, ["1", 1, ["0"]]],
    [merging, { pick: "random" }, ["1", 1, ["2", "0"]]],
    [merging, { before: "2026-11-21T00:00:00Z" }, ["1", 1, []]],
    [[...days, { id: "2000", state: "merging", at: "2026-11-22T12:00:00Z" }], "newest", ["1022", 5, []]],
  ],
  "no point with an id that cannot be sent": [
    [[...days, { id: "../1", state: "built", at: "2026-11-22T13:00:00Z" }], "newest", ["1022", 5, ["../1"]]],
  ],
  "a point, and mentions all points without a time zone, whatever their date": [
    [[{ id: "9", at: "2026-11-01T12:00:00" }, ...days, { id: "8" }], "newest", ["1022", 5, ["9", "8"]]],
  ],
  "a point up to a minute ahead of the panel's clock, or further ahead if the clock is unknown": [
    [[...days, ahead(60)], "newest", ["2000", 6, []]],
    [[...days, ahead(86_400)], "newest", ["2000", 6, []], { hasNoClock: true }],
  ],
  "no point more than a minute ahead, but mentions one that it would otherwise choose": [61, 365 * 86_400].flatMap(
    (seconds): readonly Case[] => [
      [[...days, ahead(seconds)], "newest", ["1022", 5, ["2000"]]],
      [[...days, ahead(seconds)], { within: "2d" }, ["1022", 3, ["2000"]]],
      [[...days, ahead(seconds)], { pick: "random" }, ["1022", 5, ["2000"]]],
      [[...days, ahead(seconds)], { pick: "oldest" }, ["1018", 5, []]],
      [[ahead(seconds)], "newest", ["none fits", 1, ["2000"]]],
      [[...days, ahead(seconds)], { before: "2026-11-22T12:00:00Z" }, ["1021", 4, []]],
    ],
  ),
  "no point if none is from the given time, and mentions the nearest": [
    [days, { before: "2026-11-18T12:00:00Z" }, ["none fits", 5, ["1018"]]],
    [days, { within: "1d", before: "2026-11-21T12:00:00Z" }, ["none fits", 5, ["1021", "1020"]]],
    [days, { within: "1d", before: "2026-11-10T12:00:00Z" }, ["none fits", 5, ["1018"]]],
    [[...days.slice(0, 3), ahead(3600), ahead(7200, "2001")], { within: "1d" }, ["none fits", 5, ["2000", "1020"]]],
  ],
  "no point if there are none, or none with an id": [
    [[], "newest", ["no points"]],
    [[], "newest", ["none fits", 3, []], { skipped: 3 }],
  ],
  "no point if none has a timestamp with a time zone, because the order of ids proves nothing": [
    [withoutZone, "newest", ["none fits", 4, ["3", "2", "1", "0"]]],
  ],
  "no point by `within` if the panel's clock is unknown": [
    [days, { within: "1d" }, ["no clock"], { hasNoClock: true }],
    [days, { before: "2026-11-20T00:00:00Z" }, ["1019", 2, []], { hasNoClock: true }],
  ],
};

describe("A rule applied to a list", () => {
  for (const [what, cases] of Object.entries(table))
    it(`chooses ${what}`, () => {
      const said: string[] = [];
      for (const [rows, given, outcome, how] of cases)
        assert.deepEqual(outcomeOf(rows, given, how, said), outcome, JSON.stringify(given));
      if (said.length > 0) assertGolden("points.txt", `chooses ${what}`, said.join("\n"));
    });
});

describe("The points in a list", () => {
  it("are sorted by descending id if their times are equal, and ids are compared as text unless both are numbers", () => {
    const order = (ids: readonly string[]): readonly string[] =>
      toPoints(pageOf(ids.map((id) => ({ id, at: "2026-11-20T12:00:00Z" }))), []).points.map(({ id }) => id);
    assert.deepEqual(order(["9", "10", "2"]), ["10", "9", "2"]);
    for (const ids of [
      ["90071992547409933", "90071992547409932", "10", "9"],
      ["7", "1e3"],
    ])
      for (const given of [ids, ids.toReversed()]) assert.deepEqual(order(given), ids);
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
    // A machine has both a number and a name, so a different name is not a contradiction as long as all rows agree.
    [["42", "42"], "web1", []],
    [["42", "43"], "web1", ["42", "43"]],
    [["web2"], "web1", ["web2"]],
    [["web1"], "42", []],
  ] as const) {
    it(`${others.length === 0 ? "all" : "do not all"} belong to machine ${asked} if they name ${JSON.stringify(of)}`, () => {
      const rows = of.map((one, index) => ({ id: String(index), of: one }));
      assert.deepEqual(otherMachines(pageOf(rows), asked as MachineId), others);
    });
  }
});

it("points are filtered by age only if the panel sends its time", () => {
  const { points, skipped } = toPoints(pageOf(days), []);
  assert.equal(pointsWithin({ points, skipped }, { within: 60 }), undefined);
  assert.equal(pointsWithin({ points, skipped }, { before: "2026-11-20T00:00:00Z" })?.length, 2);
});
