import assert from "node:assert/strict";
import { report, toHtml, toMarkdown } from "../../report";
import { goldenReports } from "./support/golden";
import { stackOfPlan, type PlayedPlan, type PlayedStep } from "./support/plans";
import { at } from "./support/stack";

const db: PlayedStep = { name: "db", machine: 43, requested: 0, ran: 60, transaction: "5014" };

describe("a plan that was changed after its run had begun", () => {
  const history = [{ at: at(200), by: { user: "runner" }, changes: [{ path: "waves.data.restores.mail" }] }];
  const mail: PlayedStep = { ...db, name: "mail", machine: 45, transaction: "5009", requested: 50 };

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
