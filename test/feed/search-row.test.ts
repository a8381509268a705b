import assert from "node:assert/strict";
import fc from "fast-check";
import { searchRow } from "../../provider/feed/search-row";
import type { Transaction, TransactionId } from "../../provider/panel/types";

const id = (number: bigint | number): TransactionId => String(number) as TransactionId;
const rowsOf = (ids: readonly TransactionId[]): Transaction[] => ids.map((each) => ({ id: each, fields: {} }));

/** A list that shifts while it is read, and how its panel answers for pages past the end. */
interface Scene {
  readonly gaps: readonly bigint[];
  readonly cap: number;
  readonly pastTheEnd: "empty" | "repeats";
  /** Rows that come in before each request. */
  readonly arrivals: readonly number[];
}

function listOf(gaps: readonly bigint[]): bigint[] {
  let next = 1n;
  return gaps.map((gap) => (next += gap)).reverse();
}

/** Looks for one row; what came of it and in how many requests. */
async function findRow(
  wanted: bigint,
  scene: Scene,
  guess?: number,
): Promise<{ readonly found: string; readonly requests: number }> {
  const list = listOf(scene.gaps);
  let newest = (list[0] ?? 0n) > wanted ? (list[0] ?? 0n) : wanted + 1n;
  let requests = 0;
  const found = await searchRow(id(wanted), {
    start: { page: 0, id: id(newest) },
    rowsPerId: 1,
    ...(guess !== undefined && { expectedPage: guess }),
    read: (page) => {
      const arriving = scene.arrivals[requests++] ?? 0;
      for (let row = 0; row < arriving; row++) list.unshift((newest += 1n));
      assert.ok(Number.isSafeInteger(page) && page >= 1, String(page));
      const last = Math.max(1, Math.ceil(list.length / scene.cap));
      const shown = page > last && scene.pastTheEnd === "repeats" ? last : page;
      return Promise.resolve(rowsOf(list.slice((shown - 1) * scene.cap, shown * scene.cap).map(id)));
    },
  });
  if (typeof found === "string") return { found, requests };
  assert.ok(found.rows.some((row) => row.id === id(wanted)));
  return { found: "here", requests };
}

const gap = fc.oneof({ weight: 6, arbitrary: fc.constant(1n) }, fc.bigInt(1n, 40n), fc.bigInt(1n, 10n ** 18n));
const scenes: fc.Arbitrary<Scene> = fc.record({
  gaps: fc
    .array(fc.tuple(gap, fc.integer({ min: 1, max: 400 })), { minLength: 1, maxLength: 12 })
    .map((runs) => runs.flatMap(([each, times]) => Array.from({ length: times }, () => each))),
  cap: fc.constantFrom(3, 7, 10),
  pastTheEnd: fc.constantFrom("empty", "repeats"),
  arrivals: fc.array(fc.oneof({ weight: 9, arbitrary: fc.nat(2) }, fc.nat(300)), { maxLength: 60 }),
});
const guesses = fc.option(fc.nat(600), { nil: undefined });

function bound(rows: number): number {
  // Gaps may make a short list look like one of a hundred thousand pages, which takes seventeen more to halve.
  return 12 + 17 + 4 * Math.log2(rows + 2);
}

describe("the page of a row", () => {
  it("is found wherever the row lies, whatever the gaps of the ids, the size of pages and the rows that come in", async () => {
    await fc.assert(
      fc.asyncProperty(scenes, fc.nat(), guesses, async (scene, pick, guess) => {
        const list = listOf(scene.gaps);
        const { found, requests } = await findRow(list[pick % list.length] ?? 0n, scene, guess);
        assert.equal(found, "here");
        assert.ok(requests <= bound(list.length), `${String(requests)} for ${String(list.length)} rows`);
      }),
      { numRuns: 2_000 },
    );
  });

  it("is said to be none when the row is not listed, between two that are or below all of them", async () => {
    await fc.assert(
      fc.asyncProperty(scenes, fc.nat(), guesses, async (scene, pick, guess) => {
        const list = listOf(scene.gaps);
        const at = pick % list.length;
        const { found, requests } = await findRow(list[at] ?? 0n, { ...scene, gaps: without(scene.gaps, at) }, guess);
        assert.equal(found, "not listed");
        assert.ok(requests <= bound(list.length), `${String(requests)} for ${String(list.length)} rows`);
      }),
      { numRuns: 2_000 },
    );
  });

  it("is found where page after page ends with the same row, because as many rows as a page has come in between", async () => {
    const scene: Scene = {
      gaps: Array.from({ length: 303 }, () => 1n),
      cap: 3,
      pastTheEnd: "empty",
      arrivals: [0, 0, 0, 0, 1, 2, 2, 1, 2, 1],
    };
    assert.equal((await findRow(listOf(scene.gaps)[3] ?? 0n, scene, 102)).found, "here");
  });

  const table: readonly [name: string, rows: number, step: bigint, place: number, most: number][] = [
    ["dense ids, 100,000 rows down", 200_000, 1n, 100_000, 2],
    ["every third id is missing or more", 200_000, 3n, 100_000, 6],
    ["ids a billion apart", 200_000, 10n ** 9n, 100_000, 12],
  ];
  for (const [name, rows, step, place, most] of table) {
    it(`takes few requests: ${name}`, async () => {
      const scene: Scene = {
        gaps: Array.from({ length: rows }, () => step),
        cap: 10,
        pastTheEnd: "empty",
        arrivals: [2, 2, 2, 2, 2],
      };
      const { found, requests } = await findRow(listOf(scene.gaps)[place] ?? 0n, scene);
      assert.equal(found, "here");
      assert.ok(requests <= most, String(requests));
    });
  }

  it("is not known where rows do not fall", async () => {
    const pages: readonly (readonly number[])[] = [
      [90, 20, 80, 70],
      [60, 10, 50, 40],
    ];
    const read = (page: number): Promise<Transaction[]> => Promise.resolve(rowsOf((pages[page - 1] ?? []).map(id)));
    assert.equal(
      await searchRow(id(65), { read, start: { page: 0, id: id(90) }, rowsPerId: 1, expectedPage: 1 }),
      "no order",
    );
  });

  it("is not known where ids do not compare", async () => {
    const read = (): Promise<Transaction[]> => Promise.resolve(rowsOf(["tz", "ta"] as TransactionId[]));
    const from = { page: 0, id: id(9) };
    assert.equal(await searchRow("tb" as TransactionId, { read, start: from, rowsPerId: 1 }), "no order");
  });
});

/** The gaps of the list without its row at this place from the top. */
function without(gaps: readonly bigint[], place: number): bigint[] {
  const at = gaps.length - 1 - place;
  const rest = [...gaps];
  const [gone = 0n] = rest.splice(at, 1);
  if (at < rest.length) rest[at] = (rest[at] ?? 0n) + gone;
  return rest;
}
