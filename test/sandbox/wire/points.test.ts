import assert from "node:assert/strict";
import { XMLParser } from "fast-xml-parser";
import { type Dialect, dialects, type Scenario } from "../../../sandbox";
import { VirtualClock } from "../../support/virtual-clock";
import { type Answered, ask, withSandbox } from "../support/ask";
import { shows } from "../support/switches";

type Row = Readonly<Record<string, unknown>>;

const hour = 3600;
const clock = new VirtualClock();
const at = (secondsAgo: number): string => `${new Date(clock.now() - secondsAgo * 1000).toISOString().slice(0, 19)}Z`;

/** Twelve points of one machine, oldest first, and two of another. */
const scenario: Scenario = {
  machines: [
    {
      id: 42,
      identifier: "web1",
      recoveryPoints: Array.from({ length: 12 }, (_, index) => ({ id: index + 1, ageSeconds: (12 - index) * hour })),
    },
    {
      id: 43,
      recoveryPoints: [
        { id: 101, ageSeconds: 10 },
        { id: 102, ageSeconds: 5 },
      ],
    },
    { id: 44, recoveryPoints: [] },
  ],
  transactions: [],
};

const path = "/virtual_machines/42/backups/recovery_points.json";
const newestFirst = [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1];

function seen(dialect: Partial<Dialect>, see: (get: (path: string) => Promise<Answered>) => Promise<void>) {
  return withSandbox({ clock, dialect, scenario }, ({ url }) => see((asked) => ask(url, `GET ${asked}`)));
}

function rowsOf({ status, json }: Answered): readonly Row[] {
  assert.equal(status, 200);
  const list = (Array.isArray(json) ? json : (json as Record<string, unknown>)["recovery_points"]) as readonly Row[];
  return list.map((row) => (row["recovery_point"] ?? row) as Row);
}

const idsOf = (answered: Answered): unknown[] => rowsOf(answered).map((row) => row["id"]);

describe("the sandbox's list of a machine's recovery points", () => {
  it("says of each its id, machine, size, state and times, under the machine's id and its identifier", () =>
    seen({}, async (get) => {
      const [row] = rowsOf(await get(path));
      assert.deepEqual(row, {
        id: 12,
        virtual_machine_id: 42,
        resource_id: 3,
        size: 8 * 2 ** 30 + 11 * 2 ** 28,
        state: "built",
        created_at: at(hour),
        updated_at: null,
      });
      assert.deepEqual(rowsOf(await get(path.replace("42", "web1"))).slice(0, 1), [row]);
    }));

  it("is a list of XML elements with underscores or hyphens", async () => {
    for (const [xmlNames, list, item] of [
      ["underscore", "recovery_points", "recovery_point"],
      ["hyphen", "recovery-points", "recovery-point"],
    ] as const) {
      await seen({ xmlNames }, async (get) => {
        const { text, headers } = await get(path.replace("json", "xml"));
        assert.equal(headers["content-type"], "application/xml; charset=utf-8");
        assert.match(text, new RegExp(`<${list} type="array">\\n {2}<${item}>\\n {4}<id type="integer">12</id>`));
        const parsed = new XMLParser().parse(text) as Record<string, Record<string, Row[]>>;
        assert.equal(parsed[list]?.[item]?.length, 10);
      });
    }
  });

  shows(
    seen,
    "wrapping",
    { items: '[{"recovery_point":{"id":', bare: '[{"id":', whole: '{"recovery_points":[{"id":' },
    async (get) => /^\D*/.exec((await get(path)).text)?.[0],
  );

  it("is empty for a machine without points, in all forms", async () => {
    await seen({}, async (get) => {
      assert.deepEqual((await get(path.replace("42", "44"))).json, []);
      assert.match(
        (await get(path.replace("42", "44").replace("json", "xml"))).text,
        /<recovery_points type="array"\/>/,
      );
    });
  });

  const oldestFirst = [...newestFirst].reverse();
  shows(seen, "pointOrder", { newest: newestFirst, oldest: oldestFirst, shuffled: "no order" }, async (get) => {
    const ids = idsOf(await get(`${path}/per_page/100`));
    assert.deepEqual(
      [...ids].sort((a, b) => Number(b) - Number(a)),
      newestFirst,
    );
    return [newestFirst, oldestFirst].some((order) => order.join() === ids.join()) ? ids : "no order";
  });

  const [first, five, next] = [newestFirst.slice(0, 10), newestFirst.slice(0, 5), newestFirst.slice(5, 10)];
  const suffixes = ["", "/page/2", "/per_page/5", "/page/2/per_page/5", "?page=2&per_page=5"];
  shows<(path: string) => Promise<Answered>, "pointPaging">(
    (dialect, see) => seen({ ...dialect, headers: "paging" }, see),
    "pointPaging",
    {
      paged: [first, [2, 1], five, next, next],
      whole: suffixes.map(() => newestFirst),
      notFound: [newestFirst, 404, 404, 404, newestFirst],
      query: [first, 404, 404, 404, next],
      sizes: [first, first, five, five, five],
    },
    async (get) => {
      const answers: Answered[] = [];
      for (const suffix of suffixes) answers.push(await get(`${path}${suffix}`));
      return answers.map((answered) => (answered.status === 200 ? idsOf(answered) : answered.status));
    },
  );

  it("pointPageSize and pointCap: the rows of a page if no size is asked for, and the most of one", async () => {
    for (const [dialect, lengths] of [
      [{ pointPageSize: 7 }, [7, 5, 12]],
      [{ pointPageSize: 7, pointCap: 8 }, [7, 5, 8]],
      [{ pointCap: 5 }, [5, 5, 5]],
      [{ pageCap: 5 }, [5, 5, 5]],
      [{ pageCap: 5, pointCap: 8 }, [8, 4, 8]],
    ] as const) {
      await seen(dialect, async (get) => {
        for (const [index, page] of ["", "/page/2", "/per_page/1000"].entries())
          assert.equal(idsOf(await get(`${path}${page}`)).length, lengths[index], JSON.stringify([dialect, page]));
      });
    }
  });

  it("pointTotal: as headers says, always, or always one more than there are", async () => {
    for (const [dialect, total] of [
      [{}, undefined],
      [{ headers: "paging" }, "12"],
      [{ pointTotal: "sent" }, "12"],
      [{ pointTotal: "sent", pointPaging: "whole" }, "12"],
      [{ pointTotal: "oneMore", headers: "paging" }, "13"],
    ] as const) {
      await seen(dialect, async (get) => {
        for (const page of ["", "/page/2"])
          assert.equal((await get(`${path}${page}`)).headers["x-total"], total, JSON.stringify(dialect));
      });
    }
  });

  shows(seen, "pointList", { listed: 200, missing: 404, forbidden: 403 }, async (get) => {
    assert.equal((await get(path.replace("42", "99"))).status, 404);
    return (await get(path)).status;
  });

  shows(seen, "restorePath", { machines: [200, 404], servers: [404, 200], both: [200, 200] }, async (get) => [
    (await get(path)).status,
    (await get(path.replace("machines", "servers"))).status,
  ]);

  it("pointState and statusCase: the word for one that can be restored, or none", async () => {
    for (const [dialect, state] of [
      [{ pointState: "available" }, "available"],
      [{ pointState: "available", statusCase: "upper" }, "AVAILABLE"],
      [{ pointState: "absent" }, null],
      [{ pointState: "absent", nulls: "absent" }, undefined],
    ] as const) {
      await seen(dialect, async (get) => {
        assert.equal(rowsOf(await get(path))[0]?.["state"], state);
      });
    }
  });

  it("says a state that the scenario gives, whatever the word", () =>
    withSandbox(
      { scenario: { machines: [{ id: 42, recoveryPoints: [1, { id: 2, state: "merging" }] }] }, dialect: "awkward" },
      async ({ url }) => {
        const rows = rowsOf(await ask(url, `GET ${path}`));
        assert.deepEqual(
          new Map(rows.map(({ id, state }) => [id, state])),
          new Map([
            [1, "Available"],
            [2, "Merging"],
          ]),
        );
      },
    ));

  const local = (secondsAgo: number): string => at(secondsAgo - 2 * hour).slice(0, -1);
  shows<(path: string) => Promise<Answered>, "pointTime">(
    (dialect, see) => seen({ ...dialect, utcOffsetMinutes: 120 }, see),
    "pointTime",
    {
      zone: [`${local(hour)}+02:00`, `${local(2 * hour)}+02:00`],
      shortZone: [`${local(hour)}+02`, `${local(2 * hour)}+02`],
      noZone: [local(hour), local(2 * hour)],
      absent: [null, null],
      // The newest a year ahead, and the others as they are.
      future: [`${local(hour - 365 * 24 * hour)}+02:00`, `${local(2 * hour)}+02:00`],
    },
    async (get) =>
      rowsOf(await get(path))
        .slice(0, 2)
        .map((row) => row["created_at"]),
  );

  it("pointTime: a zone of hours alone, also where that is UTC", () =>
    seen({ pointTime: "shortZone" }, async (get) => {
      assert.equal(rowsOf(await get(path))[0]?.["created_at"], at(hour).replace("Z", "+00"));
    }));

  shows(
    seen,
    "pointMachines",
    {
      own: newestFirst.map((id) => [id, 42]),
      all: [[102, 43], [101, 43], ...newestFirst.map((id) => [id, 42])],
    },
    async (get) => rowsOf(await get(`${path}/per_page/100`)).map((row) => [row["id"], row["virtual_machine_id"]]),
  );

  for (const preset of ["plain", "modern", "awkward"] as const) {
    it(`lists the same points in the dialect ${preset}`, () =>
      withSandbox({ clock, dialect: preset, scenario }, async ({ url }) => {
        const pages = dialects[preset].pointPaging === "paged" ? ["/page/1", "/page/2"] : [""];
        const ids: unknown[] = [];
        for (const page of pages) ids.push(...idsOf(await ask(url, `GET ${path}${page}`)));
        assert.deepEqual(
          ids.map(Number).sort((a, b) => b - a),
          newestFirst,
        );
      }));
  }
});
