import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readEarlierReports } from "../../../cli/parts/load-report";
import { report, toJson } from "../../../report";
import * as cases from "../../report/support/cases";
import { inDirectory } from "../../sandbox/support/temporary-directory";

const [first, second, third] = cases.history().map((state) => toJson(report(state)));

function write(folder: string, files: Readonly<Record<string, string | undefined>>): void {
  for (const [name, text = ""] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

describe("reports of earlier runs", () => {
  it("come from files, and from folders with reports in them or below, beside anything else", () =>
    inDirectory(async (folder) => {
      write(folder, {
        "kept/2026-Q1/report.json": first,
        "kept/report-shop.json": second,
        "kept/ready.json": "{}",
        "kept/2026-Q1/report.junit.xml": "<testsuites/>",
        "other.json": third,
      });
      const read = await readEarlierReports([join(folder, "kept"), join(folder, "other.json")]);
      const runOf = (json: string | undefined): unknown =>
        (JSON.parse(json ?? "") as { run: { name: string } }).run.name;
      assert.deepEqual(
        read.map(({ run }) => run),
        [first, second, third].map(runOf),
      );
    }));

  it("are refused where there is none, and where a file is none", () =>
    inDirectory(async (folder) => {
      write(folder, { "none/ready.json": "{}", "broken/report.json": "{}" });
      for (const [place, says] of [
        ["none", /^--history: .*none holds no report: no report\.json and no report-….json$/],
        ["broken", /^--history: .*report\.json is not a report in its JSON form$/],
        ["absent", /absent cannot be read/],
      ] as const)
        await assert.rejects(readEarlierReports([join(folder, place)]), { name: "CommandError", message: says });
    }));
});
