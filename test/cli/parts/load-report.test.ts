import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readEarlierReports } from "../../../cli/report/files";
import { inDirectory } from "../../sandbox/support/temporary-directory";

function write(folder: string, files: Readonly<Record<string, string | undefined>>): void {
  for (const [name, text = ""] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

describe("reports of earlier runs", () => {
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
