import assert from "node:assert/strict";
import fc from "fast-check";
import type { TransportResponse } from "../../provider/panel/transport";
import type { Format, ListedLogItem, Page } from "../../provider/panel/types";
import { collectNewest } from "../../provider/panel/list-page";
import { formats, inProcess, answer, machine, panelErrorOf } from "./support/clients";
import type { Dialect } from "../../sandbox";
import { sandboxClient } from "../support/sandbox-client";
import { thorough } from "../support/thorough";

/** How a panel divides its list into pages. Each property covers something that the documentation leaves open. */
type Manners = Pick<Dialect, "pageCap" | "pastEnd">;

const manners: fc.Arbitrary<Manners> = fc.record({
  pageCap: fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 120 })),
  pastEnd: fc.constantFrom("empty", "repeatLast", "notFound"),
});
const polite: Manners = { pageCap: null, pastEnd: "empty" };
const enoughMs = 120_000;

/** A sandbox with this many transactions. `arrivals` returns how many rows are added before the next request is answered. */
function listOf(
  dialect: Manners,
  total: number,
  { format = "json", arrivals = () => 0 }: { arrivals?: () => number; format?: Format } = {},
) {
  const backup = { machineId: 42, action: "take_backup", status: "complete" } as const;
  const panel = sandboxClient(format, {
    dialect,
    scenario: {
      machines: [{ id: 42, recoveryPoints: [1007], restoreSeconds: 10 }],
      transactions: Array.from({ length: total }, (_, index) => ({ ...backup, ageSeconds: 1e5 - index, seconds: 1 })),
    },
  });
  const client = panel.newClient({
    transport: (request) => {
      for (let added = arrivals(); added > 0; added--) panel.sandbox.addTransaction(backup);
      // How a panel combines a page number and a page size is not documented, so they are never sent together.
      assert.doesNotMatch(request.path, /page\/\d+\/per/);
      return panel.transport(request);
    },
  });
  return {
    client,
    clock: panel.clock,
    /** The ids in the current list, newest first. */
    get ids(): string[] {
      return panel.sandbox
        .transactions()
        .map(({ id }) => id)
        .reverse();
    },
    paths: () => panel.paths(),
  };
}

const status = "complete";

const rowsOf = (ids: readonly string[]): string => JSON.stringify(ids.map((id) => ({ id: Number(id), status })));

function pageOf(ids: readonly string[], path: string): string {
  const page = Number(/\/page\/(\d+)/.exec(path)?.[1] ?? 1);
  const size = Number(/per_page\/(\d+)/.exec(path)?.[1] ?? 10);
  return rowsOf(ids.slice((page - 1) * size, page * size));
}

const numbered = (rows: number): string[] => Array.from({ length: rows }, (_, index) => String(rows - index));

async function idsOf(walk: AsyncIterable<Page<Pick<ListedLogItem, "id">>>): Promise<string[]> {
  const ids: string[] = [];
  for await (const page of walk) ids.push(...page.items.map(({ id = "" }) => id));
  return ids;
}

describe("A walk down a list", () => {
  it("yields each row that was there at the start exactly once, newest first, however the panel pages, even while rows are added", async () => {
    const arriving = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(
        manners,
        fc.nat(260),
        fc.integer({ min: 1, max: 130 }),
        arriving,
        async (ways, total, perPage, each) => {
          // A walk through small pages never catches up if rows are added faster than they are read.
          const isQuiet = (ways.pageCap ?? 10) < 10;
          let asked = 0;
          const arrivals = (): number => (asked++ === 0 || isQuiet ? 0 : (each[asked % each.length] ?? 0));
          const list = listOf(ways, total, { arrivals });
          const atTheStart = [...list.ids];
          assert.deepEqual(await list.clock.run(idsOf(list.client.walkTransactions({ perPage }))), atTheStart);
          assert.equal(list.clock.pending, 0);
        },
      ),
      { numRuns: thorough(20, 400), seed: 20261121 },
    );
  }).timeout(enoughMs);

  for (const format of formats) {
    it(`reads a machine's log in the same way (${format})`, async () => {
      const list = listOf(polite, 130, { format });
      const named: unknown[] = [];
      for await (const page of list.client.walkLogItems(machine, { perPage: 50 }))
        named.push(...page.items.map(({ targetId }) => targetId));
      assert.deepEqual(named, list.ids);
      assert.equal(list.paths()[0], `/virtual_machines/42/logs.${format}/per_page/50`);
    });
  }

  const isLarge = (path: string): boolean => /per_page\/(?:[2-9]\d\d|\d{4,})$/.test(path);
  const odd: Readonly<Record<string, (path: string, usual: string) => TransportResponse | undefined>> = {
    "a page past the end of the list fails": (_path, usual) => (usual === "[]" ? answer(500) : undefined),
    "large pages fail": (path) => (isLarge(path) ? answer(503) : undefined),
    "every page size is refused": (path) => (path.includes("per_page") ? answer(404) : undefined),
  };
  for (const [what, answerOf] of Object.entries(odd))
    it(`reaches the end of the list even if ${what}`, async () => {
      const panel = inProcess(({ path }) => {
        const usual = pageOf(numbered(345), path);
        return answerOf(path, usual) ?? answer(200, usual);
      });
      for (const perPage of [100, 10])
        assert.deepEqual(await panel.clock.run(idsOf(panel.client.walkTransactions({ perPage }))), numbered(345));
    });

  it("does not mistake a failing page for the end of the list", async () => {
    const panel = inProcess(({ path }) => {
      if (path.endsWith("/page/6")) return answer(200, '<html><input type="password"></html>');
      return answer(200, pageOf(numbered(75), path.replace(/per_page.*/, "per_page/30")));
    });
    const error = await panel.clock.run(panelErrorOf(idsOf(panel.client.walkTransactions({ perPage: 30 }))));
    assert.equal(error.kind, "notThePanel");
    let isDown = false;
    const other = inProcess(({ path }) => (isDown ? answer(500) : answer(200, pageOf(numbered(250), path))));
    const pages = other.client.walkTransactions({ perPage: 100 })[Symbol.asyncIterator]();
    await pages.next();
    isDown = true;
    assert.equal((await other.clock.run(panelErrorOf(Promise.resolve(pages.next())))).kind, "serverError");
  });

  it("reports that the page size was refused if the list cannot be read without a size either", async () => {
    const panel = inProcess(() => answer(404));
    const { client } = panel;
    const ofLog = () => client.listLogItems(machine, { perPage: 50 });
    for (const read of [ofLog, () => client.listTransactions({ perPage: 7 })])
      assert.match((await panel.clock.run(panelErrorOf(read()))).message, /per_page/);
    const exact = client.listTransactions({ perPage: 7 }, { isExact: true });
    await panel.clock.run(panelErrorOf(exact));
    assert.equal(panel.lines.length, 5);
  });

  it("fails if one page always fails, instead of treating that page as the end of the list", async () => {
    for (const status of [500, 422]) {
      const panel = inProcess(({ path }) =>
        path.endsWith("/page/3") ? answer(status) : answer(200, pageOf(numbered(45), path)),
      );
      const error = await panel.clock.run(panelErrorOf(idsOf(panel.client.walkTransactions({ perPage: 20 }))));
      assert.equal(error.status, status);
    }
  });

  it("leaves out rows added since the walk began, even if they fill a whole page", async () => {
    let rows = 30;
    const panel = inProcess(({ path }) => {
      const page = pageOf(numbered(rows), path);
      rows = 50;
      return answer(200, page);
    });
    const ids = await panel.clock.run(idsOf(panel.client.walkTransactions({ perPage: 20 })));
    assert.deepEqual(ids, numbered(30));
  });

  it("fails if the panel offers no way to the next page, instead of presenting part of the list as the whole", async () => {
    const rows = (to: number): string => rowsOf(numbered(45).slice(0, to));
    const ways: [name: string, own: TransportResponse][] = [
      ["refuses a page by its number", answer(404)],
      ["returns the top of the list for every number", answer(200, rows(10))],
    ];
    for (const [name, own] of ways) {
      const panel = inProcess(({ path }) => (/\/page\//.test(path) ? own : answer(200, rows(20))));
      const whole = await panel.clock.run(panelErrorOf(idsOf(panel.client.walkTransactions({ perPage: 33 }))));
      assert.equal(whole.kind, "cutShort", name);
      const said = /cannot be read beyond its newest 20 rows.* \(GET \/transactions\.json\/per_page\/33 on /;
      assert.match(whole.message, said);
      const log = await panel.clock.run(panelErrorOf(idsOf(panel.client.walkLogItems(machine, { perPage: 33 }))));
      assert.equal(log.kind, "cutShort", name);
      const enough = await panel.clock.run(collectNewest(panel.client.walkTransactions({ perPage: 20 }), 20));
      assert.equal(enough.items.length, 20);
    }
  });
});

describe("A page requested by number and size", () => {
  it("contains the right rows, however the panel pages", async () => {
    await fc.assert(
      fc.asyncProperty(
        manners,
        fc.nat(250),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 60 }),
        async (ways, total, page, perPage) => {
          const list = listOf(ways, total);
          const got = await list.clock.run(list.client.listTransactions({ page, perPage }));
          const ids = got.items.map(({ id }) => id);
          assert.deepEqual(ids, list.ids.slice((page - 1) * perPage, page * perPage));
        },
      ),
      { numRuns: thorough(20, 400), seed: 20261121 },
    );
  }).timeout(enoughMs);

  it("takes only one request", async () => {
    const list = listOf(polite, 500);
    await list.client.listTransactions({ page: 3, perPage: 20 });
    await list.client.listLogItems(machine, { page: 1, perPage: 30 });
    const ends = list.paths().map((path) => path.split(".json")[1]);
    assert.deepEqual(ends, ["/per_page/60", "/per_page/30"]);
  });
});
