import assert from "node:assert/strict";
import { report, toHtml, toMarkdown, type Report } from "../../report";
import * as cases from "./support/cases";
import { goldenReports } from "./support/golden";
import { stackOfPlan, type PlayedPlan, type PlayedStep } from "./support/plans";
import { at } from "./support/stack";

/** The number of rows of each table, by its heads. */
function tablesIn(text: string, format: "html" | "md"): ReadonlyMap<string, number> {
  const tables =
    format === "html"
      ? [...text.matchAll(/<thead><tr>(.*?)<\/tr><\/thead>([\s\S]*?)<\/table>/g)].map(
          ({ 1: head = "", 2: body = "" }) =>
            [
              [...head.matchAll(/<th[^>]*>(.*?)<\/th>/g)].map(([, name]) => name).join(" | "),
              [...body.matchAll(/<tr(?! class="wave")/g)].length,
            ] as const,
        )
      : [...text.matchAll(/^\| (.+) \|\n\| --- .*\n((?:\|.*\n)*)/gm)].map(
          ({ 1: heads = "", 2: rows = "" }) => [heads, rows.split("\n").length - 1] as const,
        );
  const all = new Map<string, number>();
  for (const [heads, rows] of tables) all.set(heads, (all.get(heads) ?? 0) + rows);
  return all;
}

const db: PlayedStep = { name: "db", machine: 43, requested: 0, ran: 60, transaction: "5014" };

describe("the tables of a report", () => {
  const reports: Readonly<Record<string, Report>> = { ...goldenReports(), changed: report(cases.changed) };

  for (const [name, made] of Object.entries(reports)) {
    it(`have the same columns and rows as a page and in Markdown: ${name}`, () => {
      const [page, text] = [tablesIn(toHtml(made), "html"), tablesIn(toMarkdown(made), "md")];
      for (const [heads, rows] of text) {
        // The page has the facts of the evidence in no table, and the time of a run without goals above all tables.
        if (heads === " | " || (heads.startsWith("Goal") && made.goals.length === 0)) continue;
        const more = heads.startsWith("Goal") && !made.goals.some(({ scope }) => scope === "whole") ? 1 : 0;
        assert.equal(page.get(heads), rows - more, heads);
      }
    });
  }
});

describe("a plan that was changed after its run had begun", () => {
  const history = [
    {
      at: at(100),
      by: { user: "ada", host: "laptop" },
      changes: [{ path: "goals.recoveryTimeSeconds", before: "60", after: "3600" }],
    },
    {
      at: at(200),
      by: { user: "runner" },
      pipeline: { name: "GitLab", actor: "bob" },
      changes: [{ path: "waves.data.restores.mail", before: "machine 45" }],
    },
  ];
  const check = { kind: "tcp", target: "10.0.0.45:25" } as const;
  const mail: PlayedStep = {
    ...db,
    name: "mail",
    machine: 45,
    transaction: "5009",
    requested: 50,
    checks: [{ ...check, result: "failed", reason: "the connection was refused" }],
    earlierTries: [{ status: "failed", transactionIds: ["5008"], requestedAt: at(0), finishedAt: at(40), checks: [] }],
  };
  const made = report(
    stackOfPlan({ waves: [{ name: "data", restores: [db], takenOut: [mail] }], runFields: { history } }),
  );

  it("says what was changed, when and by whom, with before and after, in every format", () => {
    assert.deepEqual(
      made.changes?.map(({ at: when, user, pipeline, values }) => [when, user, pipeline?.actor, values]),
      [
        [at(100), "ada", undefined, history[0]?.changes],
        [at(200), "runner", "bob", history[1]?.changes],
      ],
    );
    const [page, text] = [toHtml(made), toMarkdown(made)];
    for (const said of [
      "goals.recoveryTimeSeconds",
      "3600",
      "ada on laptop",
      "bob, GitLab",
      "machine 45",
      "taken out",
    ]) {
      assert.ok(page.includes(said), said);
      assert.ok(text.includes(said), said);
    }
  });

  it("says how a restore that was taken out had stood, with every try", () => {
    const [out, ...others] = made.takenOut ?? [];
    assert.deepEqual(others, []);
    assert.deepEqual(
      [
        out?.wave,
        out?.restore,
        out?.virtualMachineId,
        out?.tries.map(({ result, transactionIds }) => [result, ...transactionIds]),
      ],
      [
        "data",
        "mail",
        "45",
        [
          ["failed", "5008"],
          ["complete", "5009"],
        ],
      ],
    );
    const text = toMarkdown(made);
    assert.match(text, /\| mail<br>machine 45<br>try 1 of 2 \| data \| \*\*failed\*\* \|/);
    assert.match(
      text,
      /\| mail<br>machine 45<br>try 2 of 2 \| data \| \*\*check failed\*\*<br>Tcp check of 10\.0\.0\.45:25 failed: the/,
    );
    assert.match(toHtml(made), /mail<span class="sub">machine 45<\/span><span class="sub">try 2 of 2<\/span>/);
  });

  it("says it of a restore whose record still stands with its wave, though the plan has it no longer", () => {
    const stood = stackOfPlan({ waves: [{ name: "data", restores: [db, mail] }], runFields: { history } });
    const without = JSON.parse(JSON.stringify(stood), (key, value: unknown) =>
      key === "asGiven" ? withoutMail(value) : value,
    ) as object;
    assert.deepEqual(
      report(without).takenOut?.map(({ wave, restore }) => [wave, restore]),
      [["data", "mail"]],
    );
  });

  it("folds what is more than a browser lays out at once, changes and tries alike", () => {
    const values = Array.from({ length: 300 }, (_, index) => ({
      path: `path.${String(index)}`,
      before: "1",
      after: "2",
    }));
    const many: PlayedPlan = {
      waves: [{ name: "data", restores: [db], takenOut: Array.from({ length: 300 }, (_, index) => out(index)) }],
      runFields: { history: [{ at: at(100), by: { user: "ada" }, changes: values }] },
    };
    const page = toHtml(report(stackOfPlan(many)));
    const section = page.slice(page.indexOf("Changes after the run began</h2>"), page.indexOf("Deviations</h2>"));
    const folds = section.match(/<details class="fold">[\s\S]*?<\/details>/g) ?? [];
    assert.deepEqual(
      folds.map((fold) => [/<summary>([^<]*)</.exec(fold)?.[1], fold.split("<tr>").length - 2]),
      [
        ["50 more values", 50],
        ["50 more records", 50],
      ],
    );
  });

  it("says nothing of it where nothing was changed", () => {
    for (const [name, quiet] of Object.entries(goldenReports())) {
      if (["changed", "everything", "hostile"].includes(name)) continue;
      assert.deepEqual([quiet.changes, quiet.takenOut], [undefined, undefined], name);
      assert.doesNotMatch(toHtml(quiet) + toMarkdown(quiet), /Changes after the run began/, name);
    }
  });
});

function out(index: number): PlayedStep {
  return { name: `out-${String(index)}`, machine: index, transaction: String(7_000 + index), requested: 0, ran: 9 };
}

function withoutMail(asGiven: unknown): unknown {
  const { waves, ...others } = asGiven as { waves: { restores: Record<string, unknown> }[] };
  return {
    ...others,
    waves: waves.map((wave) => ({
      ...wave,
      restores: Object.fromEntries(Object.entries(wave.restores).filter(([name]) => name !== "mail")),
    })),
  };
}
