import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { inDirectory } from "../sandbox/support/temporary-directory";
import * as cases from "../report/support/cases";
import { type PlayedPlan, type PlayedStep, resourcesOf, stackOfPlan } from "../report/support/plans";
import { intentResource, restoreResource, type Played } from "../report/support/restores";
import { exportedStack, urnOf, type StackResource } from "../report/support/stack";
import { call, type Called } from "./support/call";
import { runbookCase } from "./support/runbook-cases";
import { htmlBlocksOf, pagesOf } from "./support/runbook-page";

const runbook = (args: readonly string[], stdin?: string): Promise<Called> => call(["runbook", ...args], {}, stdin);

const rowsIn = (markdown: string): readonly (readonly string[])[] =>
  [...markdown.matchAll(/^\| ☐ \| (.*) \|$/gm)].map(({ 1: row = "" }) => row.split(" | "));

describe("pulumi-recovery runbook", () => {
  it("writes both formats, or those that are named, and the same bytes each time", () =>
    inDirectory(async (folder) => {
      const state = JSON.stringify(runbookCase);
      const [first, again] = [join(folder, "a"), join(folder, "b")];
      assert.deepEqual(await runbook(["-", "--out", first], state), {
        code: 0,
        out: `${join(first, "runbook.html")}\n${join(first, "runbook.md")}\n`,
        err: "",
      });
      await runbook(["-", "--out", again], state);
      for (const name of ["runbook.html", "runbook.md"])
        assert.deepEqual(readFileSync(join(first, name)), readFileSync(join(again, name)));
      await runbook(["--state", "-", "--format", "md", "--out", join(folder, "c")], state);
      assert.deepEqual(readdirSync(join(folder, "c")), ["runbook.md"]);
    }));

  for (const [what, stdin, message] of [
    ["no JSON", "{", /standard input is not JSON/],
    ["no state", "{}", /this is not the state of a stack/],
    ["a stack without restores", JSON.stringify(cases.empty), /the state holds no restore: `pulumi up` stores/],
  ] as const) {
    it(`ends with 3 and one line for ${what}`, async () => {
      const { code, out, err } = await runbook(["-"], stdin);
      assert.deepEqual([code, out], [3, ""]);
      assert.match(err, /^pulumi-recovery runbook: .*\n$/);
      assert.match(err, message);
    });
  }

  it("--plan shows that plan alone", () =>
    inDirectory(async (folder) => {
      await runbook(["-", "--plan", "shop", "--out", folder], JSON.stringify(runbookCase));
      const page = readFileSync(join(folder, "runbook.md"), "utf8");
      assert.deepEqual(
        rowsIn(page).map(([, , name]) => name),
        ["db", "web", "content"],
      );
    }));
});

/** The same data, its properties in another order: the engine sorts those that it stores. */
function withKeys(value: unknown, order: (a: string, b: string) => number): unknown {
  if (Array.isArray(value)) return value.map((item) => withKeys(item, order));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => order(a, b))
      .map(([key, item]) => [key, withKeys(item, order)]),
  );
}

const ascending = (a: string, b: string): number => (a < b ? -1 : 1);

describe("the runbook", () => {
  const states = Object.entries({ ...cases, runbookCase }).filter(
    ([, one]) => typeof one === "object" && one !== cases.empty,
  );
  for (const [name, state] of states) {
    it(`of ${name} is the same page, whatever order the properties of its state stand in`, () => {
      const page = pagesOf(withKeys(state, ascending));
      assert.deepEqual(pagesOf(withKeys(state, (a, b) => -ascending(a, b))), page);
      assert.deepEqual(pagesOf(state), page);
    });
  }

  it("lets the next wave start behind one that ended badly, where the plan goes on after a failure", () => {
    const ran = { machine: 43, requested: 0, ran: 60, transaction: "5014" };
    const waves = [
      { name: "data", restores: [{ ...ran, name: "db" }] },
      { name: "front", restores: [{ ...ran, name: "web", machine: 42 }] },
    ];
    for (const [onFailure, starts] of [
      ["stop", "after all of wave data is complete and checked"],
      ["continue", "after all of wave data has ended, well or badly"],
    ] as const)
      assert.equal(rowsIn(pagesOf(stackOfPlan({ waves, onFailure })).markdown)[1]?.[6], starts);
  });

  it("names what the program does before a wave, and says that it does not know how", () => {
    const ran = { machine: 43, requested: 0, ran: 60, transaction: "5014" };
    const between = [{ type: "command:local:Command", name: "switch `dns`", outputs: {} }];
    const { markdown } = pagesOf(
      stackOfPlan({
        waves: [
          { name: "data", restores: [{ ...ran, name: "db" }] },
          { name: "front", restores: [{ ...ran, name: "web", machine: 42 }], between },
        ],
      }),
    );
    assert.equal(
      rowsIn(markdown)[1]?.[6],
      "after all of wave data is complete and checked, and after switch &#96;dns&#96;",
    );
    assert.match(markdown, /The program does this before the wave\..*not known: the program has it/);
    assert.match(markdown, /^- switch &#96;dns&#96;, `command:local:Command`$/m);
  });

  it("says how long a restore took the last time that it was proven, where the last run did not complete it", () => {
    const failed = resourcesOf({
      waves: [
        {
          name: "data",
          restores: [{ name: "db", machine: 43, requested: 0, ran: 60, transaction: "5014", status: "failed" }],
        },
      ],
    }).map((one) => {
      const lastProofs = { db: { run: "2026-Q3", at: "2026-08-20T10:00:00Z", recoveredSeconds: 1_440 } };
      return one.type === "PlanWave" ? { ...one, outputs: { ...one.outputs, lastProofs } } : one;
    });
    assert.match(
      pagesOf(exportedStack(failed)).markdown,
      /^- Last time: failed.*; before that complete and checked in 24 min in run 2026-Q3, at 2026-08-20 10:00:00 UTC, when it may have been declared otherwise$/m,
    );
  });

  it("puts a restore beside plans before a plan whose restore waits for it", () => {
    const first: Played = { name: "base", machine: 43, requested: 0, ran: 9, transaction: "5001" };
    const predecessor = { urn: urnOf(restoreResource(first)), transactionIds: ["5001"] };
    const plan = resourcesOf({
      waves: [{ name: "data", restores: [{ name: "db", machine: 43, requested: 20, ran: 9, transaction: "5002" }] }],
    }).map((one): StackResource => (one.name === "shop-db" ? { ...one, inputs: { predecessor } } : one));
    const { markdown } = pagesOf(exportedStack([...plan, intentResource(first), restoreResource(first)]));
    assert.deepEqual(
      rowsIn(markdown).map(([, wave, name, , , , starts]) => [wave, name, starts]),
      [
        ["beside plans", "base", "at once"],
        ["shop: data", "db", "after step 1 of the same machine is complete"],
      ],
    );
  });

  describe("of restores that wait for others", () => {
    const ran = { requested: 0, ran: 60 };
    const alone = (name: string, machine: number, more: Partial<Played> = {}): Played => ({
      name,
      machine,
      transaction: String(6000 + machine),
      ...ran,
      ...more,
    });
    const partsOf = (one: Played): readonly StackResource[] => [intentResource(one), restoreResource(one)];
    const startsIn = (resources: readonly StackResource[]): readonly (readonly (string | undefined)[])[] =>
      rowsIn(pagesOf(exportedStack(resources)).markdown).map(([step, , name, , , , starts]) => [step, name, starts]);
    const planOf = (name: string, more: Partial<PlayedPlan> = {}): readonly StackResource[] =>
      resourcesOf({
        plan: name,
        waves: [
          { name: "data", restores: [{ name: `${name}-db`, machine: 43, transaction: `7${name.length}`, ...ran }] },
        ],
        ...more,
      });

    it("says after which restore on another machine one comes, and has it before it", () => {
      const db = alone("db", 43);
      const app = alone("app", 44, { after: [restoreResource(db)] });
      assert.deepEqual(startsIn([...partsOf(app), ...partsOf(db)]), [
        ["1", "db", "at once"],
        ["2", "app", "after step 1 is complete"],
      ]);
    });

    it("says so too where another resource stands between them", () => {
      const db = alone("db", 43);
      const dns = { type: "command:local:Command", name: "dns", outputs: {}, after: [restoreResource(db)] };
      const app = alone("app", 44, { after: [dns] });
      assert.deepEqual(startsIn([...partsOf(app), dns, ...partsOf(db)]), [
        ["1", "db", "at once"],
        ["2", "app", "after dns"],
      ]);
    });

    it("says after which plan, or which wave of it, a restore beside it comes", () => {
      const plan = planOf("shop");
      const wave = plan.filter(({ type }) => type === "PlanWave");
      for (const [after, says] of [
        [plan, "after plan shop is complete"],
        [wave, "after wave data of plan shop is complete and checked"],
      ] as const)
        assert.deepEqual(startsIn([...partsOf(alone("app", 44, { after })), ...plan])[1], ["2", "app", says]);
    });

    it("says after which plan or restore a plan comes, also where one plan alone is asked for", () => {
      const base = alone("base", 45);
      const [first, ...others] = planOf("shop");
      const apps = planOf("apps", {
        waves: [{ name: "apps", restores: [{ name: "web", machine: 44, transaction: "8", ...ran }] }],
      }).map((one) => (one.type === "PlanRun" ? { ...one, after: [first!, ...others, restoreResource(base)] } : one));
      const state = [...apps, first!, ...others, ...partsOf(base)];
      assert.deepEqual(startsIn(state), [
        ["1", "shop-db", "at once"],
        ["2", "base", "at once"],
        ["3", "web", "after plan shop is complete, and after step 2 is complete"],
      ]);
      const { markdown } = pagesOf(exportedStack(state), "apps");
      assert.equal(rowsIn(markdown)[0]?.[6], "after plan shop is complete, and after the restore base is complete");
    });

    it("has a machine before its files where no run has recorded it, and else what the last run had, whatever their names", () => {
      const web = { name: "web", machine: 42, point: 1007, transaction: "5014", ...ran };
      const content = { ...web, name: "content", point: 1009, paths: ["/var/www"], transaction: "5015" };
      const state = (first: PlayedStep, second: PlayedStep, behind?: string): object =>
        withKeys(
          exportedStack(
            resourcesOf({ waves: [{ name: "front", restores: [first, second] }] }).map((one): StackResource => {
              const urn = urnOf({ type: "VmRestore", name: `shop-${behind ?? ""}`, of: "shop" });
              const isBehind = behind !== undefined && one.type.endsWith("Restore") && !one.name.endsWith(behind);
              return isBehind ? { ...one, inputs: { predecessor: { urn, transactionIds: ["5014"] } } } : one;
            }),
          ),
          ascending,
        ) as object;
      const startsOf = (of: object): readonly (readonly (string | undefined)[])[] =>
        rowsIn(pagesOf(of).markdown).map(([step, , name, , , , starts]) => [step, name, starts]);
      const notKnown = " (not known: which of the two comes first, for no run has recorded it)";
      assert.deepEqual(startsOf(state(web, content)), [
        ["1", "web", "at once"],
        ["2", "content", `after step 1 of the same machine is complete${notKnown}`],
      ]);
      assert.deepEqual(startsOf(state(web, content, "web")), [
        ["1", "web", "at once"],
        ["2", "content", "after step 1 of the same machine is complete"],
      ]);
      const again = { ...web, name: "again", transaction: "5016" };
      assert.deepEqual(startsOf(state(web, again, "web")), [
        ["1", "web", "at once"],
        ["2", "again", "after step 1 of the same machine is complete"],
      ]);
    });

    it("has plans by name, in whatever order the engine stored them", () => {
      const [apps, shop] = ["apps", "shop"].map((name) => planOf(name));
      const page = pagesOf(exportedStack([...apps!, ...shop!])).html;
      assert.equal(pagesOf(exportedStack([...shop!, ...apps!])).html, page);
    });

    it("is the same page, in whatever order the engine stored what ended first", () => {
      const all = ["web", "mail", "db", "app"].map((name, index) => alone(name, 40 + index));
      const dns = { type: "command:local:Command", name: "dns", outputs: {}, after: [restoreResource(all[0]!)] };
      all[3] = { ...all[3]!, after: [dns] };
      const page = (order: readonly number[]): string =>
        pagesOf(exportedStack([...order.flatMap((index) => partsOf(all[index]!)), dns])).html;
      const first = page([0, 1, 2, 3]);
      for (const order of [
        [3, 2, 1, 0],
        [1, 3, 0, 2],
      ])
        assert.equal(page(order), first);
      assert.deepEqual(
        startsIn([...all.flatMap(partsOf), dns]).map(([, name]) => name),
        ["web", "app", "db", "mail"],
      );
    });
  });

  it("says where the last restore was complete and its checks were not, or did not count", () => {
    const ran = { name: "db", machine: 43, requested: 0, ran: 60, transaction: "5014" };
    const check = { kind: "tcp", target: "10.0.0.43:5432" } as const;
    const lastOf = (state: object): string => /^- Last time: (.*)$/m.exec(pagesOf(state).markdown)?.[1] ?? "";
    for (const [result, says] of [
      ["failed", /^complete, but a check failed, in /],
      ["not run", /^complete, but not every check was run, in /],
      ["passed", /^complete in /],
    ] as const)
      assert.match(
        lastOf(stackOfPlan({ waves: [{ name: "data", restores: [{ ...ran, checks: [{ ...check, result }] }] }] })),
        says,
      );
    const twice = { ...ran, name: "again", machine: 44 };
    assert.match(
      lastOf(exportedStack([ran, twice].flatMap((one) => [intentResource(one), restoreResource(one)]))),
      /^not complete: Transaction 5014 is stored for "db" too/,
    );
  });

  it("shows of a command's check its program and name alone, and of an address with a query nothing to run", () => {
    const { markdown } = pagesOf(
      exportedStack(
        resourcesOf({
          waves: [
            {
              name: "data",
              restores: [
                {
                  name: "db",
                  machine: 43,
                  came: "not begun",
                  checks: [
                    { kind: "command", name: "orders", target: "psql --password=hunter2" },
                    { kind: "http", target: "https://shop.example.com/health?…" },
                  ],
                },
              ],
            },
          ],
        }),
      ),
    );
    assert.match(markdown, /^Check: orders, command psql\. How to run it by hand is not known: /m);
    assert.match(markdown, /^Check: http .*How to run it by hand is not known: the state does not hold all/m);
    assert.doesNotMatch(markdown, /hunter2/);
  });

  it("asks for the connection of each panel, and says which a step belongs to", () => {
    const other: Played = { name: "far", machine: 9, requested: 0, ran: 9 };
    const far = intentResource(other);
    const mark = { panel: "https://far.example.com/panel", newestId: "1", firstPageIds: ["1"] };
    const intent = { ...far, outputs: { ...far.outputs, mark } };
    const restore = restoreResource(other);
    const { markdown } = pagesOf(
      exportedStack([
        ...resourcesOf({ waves: [{ name: "data", restores: [{ name: "db", machine: 43, requested: 0, ran: 9 }] }] }),
        intent,
        { ...restore, outputs: { ...restore.outputs, intent: { ...intent.outputs, id: far.id, urn: urnOf(far) } } },
      ]),
    );
    assert.match(markdown, /^RECOVERY_ENDPOINT=https:\/\/panel\.example\.com$/m);
    assert.match(markdown, /^RECOVERY_ENDPOINT=https:\/\/far\.example\.com\/panel$/m);
    assert.equal([...markdown.matchAll(/^- Panel: /gm)].length, 2);
  });

  it("has the paths of the version that a provider of the plugin stores, though the program names none", () => {
    const one: Played = { name: "web", machine: 42, requested: 0, ran: 9, transaction: "5014" };
    for (const [type, outputs, path] of [
      ["pulumi:providers:recovery", { apiVersion: "5.8" }, "virtual_servers"],
      ["pulumi:providers:recovery", { apiVersion: "5.10" }, "virtual_machines"],
      ["pulumi:providers:pulumi-nodejs", {}, "virtual_machines"],
    ] as const) {
      const provider = { type, name: "default", outputs };
      const text = JSON.stringify(exportedStack([provider, intentResource(one), restoreResource(one)]));
      const { markdown } = pagesOf(
        JSON.parse(text.replaceAll("pulumi:providers:pulumi-nodejs::default", `${type}::default`)),
      );
      const [, , restore = ""] = markdown.split("```sh\n").slice(1);
      assert.match(restore, new RegExp(`/${path}/42/backups/recovery_points/1007/restore.json`), type);
    }
  });

  it("says what cannot be read, and that there may be more", () => {
    const { markdown } = pagesOf(
      exportedStack(
        resourcesOf({ waves: [{ name: "data", restores: [{ name: "db", machine: 43, requested: 0, ran: 9 }] }] }).map(
          (one) => (one.type === "PlanRun" ? { ...one, outputs: { ...one.outputs, formatVersion: 9 } } : one),
        ),
      ),
    );
    assert.match(markdown, /\*\*Not known:\*\* Plan shop cannot be read in full .* There may be more restores/);
  });

  it("is a page that a keyboard and a screen reader reach, with each step behind a link", () => {
    const { html } = pagesOf(runbookCase);
    assert.equal([...html.matchAll(/<h1>/g)].length, 1);
    assert.match(html, /<html lang="en">/);
    for (const [head] of html.matchAll(/<th\b[^>]*>/g)) assert.match(head, /scope="col"/);
    const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(({ 1: id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    for (const { 1: href = "" } of html.matchAll(/\shref="#([^"]*)"/g)) assert.ok(ids.includes(href), href);
    for (let step = 1; step <= 5; step++) assert.ok(html.includes(`href="#step-${step}"`));
    assert.ok(htmlBlocksOf(html).length > 10);
    assert.match(html, /@media print/);
  });
});
