import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repositoryRoot } from "../../tools/engine/cli";
import { fleet } from "../../test/report/support/cases";
import { builtCommand } from "../../test/support/built";
import { milliseconds, type Case } from "../report";
import { median } from "../statistics";

const restores = 1_000;
const runs = 5;
const mostMs = 2_000;
const mostMiB = 200;

export const reporting: Case = {
  name: "reporting",
  run() {
    const folder = mkdtempSync(join(tmpdir(), "recovery-report-"));
    try {
      const state = join(folder, "state.json");
      writeFileSync(state, JSON.stringify(fleet(restores)));
      const measured = Array.from({ length: runs }, () => measure(folder, state));
      const ms = median(measured.map((one) => one.ms));
      const miB = median(measured.map((one) => one.miB));
      return Promise.resolve({
        title: `A report of ${restores.toLocaleString("en-US")} restores`,
        about: `\`pulumi-recovery report --state …\` in all four formats, whole processes; ${String(runs)} of them. Resident at most.`,
        columns: ["", "median", "resident"],
        rows: [["pulumi-recovery report", milliseconds(ms), `${miB.toFixed(0)} MiB`]],
        bars: [
          { claim: `under ${String(mostMs / 1_000)} s`, measured: milliseconds(ms), met: ms < mostMs },
          { claim: `under ${String(mostMiB)} MB`, measured: `${miB.toFixed(0)} MiB`, met: miB * 1.048_576 < mostMiB },
        ],
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

/** Runs the installed command, and measures from the start of its process to its end. */
function measure(folder: string, state: string): { readonly ms: number; readonly miB: number } {
  const probe = join(repositoryRoot, "bench", "engine", "report-probe.cjs");
  const startedAt = performance.now();
  const output = execFileSync(
    process.execPath,
    ["-r", probe, builtCommand, "report", "--state", state, "--out", folder],
    {
      encoding: "utf8",
    },
  );
  return { ms: performance.now() - startedAt, miB: Number(output.trim().split("\n").at(-1)) / 1_024 };
}
