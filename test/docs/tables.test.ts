import assert from "node:assert/strict";
import { join } from "node:path";
import { pages, updatedPage } from "../../docs/generate";
import { membersOf } from "../../docs/tables/members";
import { usage as reportUsage } from "../../cli/report/arguments";
import { usage as runbookUsage } from "../../cli/runbook/arguments";
import { dialects } from "../../sandbox";
import { usage } from "../../sandbox/arguments";
import { switches } from "../../sandbox/dialect/dialect";
import { root, textOf } from "./support/pages";

describe("tables and files in the documentation", () => {
  for (const page of pages()) {
    it(`${page} says what the code says (npx ts-node docs/generate.ts)`, () => {
      const text = textOf(page);
      assert.equal(updatedPage(text), text);
    });
  }

  it("docs/report.md has the options the command has", () => {
    assert.ok(textOf("docs/report.md").includes(reportUsage.trim()));
  });

  it("docs/runbook.md has the options the command has", () => {
    assert.ok(textOf("docs/runbook.md").includes(runbookUsage.trim()));
  });

  it("docs/sandbox.md has the options the command has", () => {
    assert.ok(textOf("docs/sandbox.md").includes(usage.trim()));
  });

  it("docs/sandbox.md has each switch about recovery points, with its values", () => {
    const rows = textOf("docs/sandbox.md").split("\n");
    for (const name of Object.keys(dialects.plain).filter((one) => one.startsWith("point"))) {
      const row = rows.find((line) => line.startsWith(`| \`${name}\``)) ?? "";
      const values = Object.entries(switches).find(([known]) => known === name)?.[1] ?? ["a number"];
      for (const value of values) assert.ok(row.split("|")[2]?.includes(value), `${name}: ${value} in ${row}`);
    }
  });

  it("read a declaration with what it inherits, its defaults and its choices", () => {
    const members = membersOf(join(root, "provider/program/restores.ts"), "FileRestoreArgs");
    const named = (name: string) => members.find((member) => member.name === name);
    assert.deepEqual(
      [named("paths")?.type, named("paths")?.optional, named("virtualMachineId")?.type],
      ["string[]", false, "number | string"],
    );
    assert.deepEqual(
      [named("captureLog")?.type, named("captureLog")?.defaultText, named("captureLog")?.optional],
      ['"onFailure" | "always" | "never"', '"onFailure"', true],
    );
  });

  it("every input says what it does in a sentence of at most twenty words, and every optional one its default", () => {
    for (const [file, name] of [
      ["provider/program/restores.ts", "FileRestoreArgs"],
      ["provider/program/args.ts", "RestoreTimeoutsArgs"],
      ["provider/program/args.ts", "RecoveryPointRuleArgs"],
      ["provider/program/provider.ts", "ProviderArgs"],
      ["provider/program/plan-args.ts", "RecoveryPlanArgs"],
      ["provider/program/plan-args.ts", "RecoveryWaveArgs"],
      ["provider/program/plan-args.ts", "PlannedRestoreArgs"],
      ["provider/program/plan-args.ts", "RecoveryGoalsArgs"],
      ["provider/program/plan-args.ts", "RecoveryNotesArgs"],
      ["provider/program/plan-args.ts", "HttpCheckArgs"],
      ["provider/program/plan-args.ts", "CommandCheckArgs"],
      ["provider/program/get-transactions.ts", "GetTransactionsArgs"],
      ["provider/program/get-vm-logs.ts", "GetVmLogsArgs"],
      ["provider/program/get-recovery-points.ts", "GetRecoveryPointsArgs"],
    ] as const) {
      for (const member of membersOf(join(root, file), name)) {
        assert.ok(member.comment.first.length > 10, `${name}.${member.name} says nothing`);
        const words = member.comment.first.split(" ").length;
        assert.ok(words <= 20, `${name}.${member.name}: ${String(words)} words in a cell`);
        assert.ok(!member.optional || member.defaultText !== undefined, `${name}.${member.name} has no @default`);
      }
    }
  });
});
