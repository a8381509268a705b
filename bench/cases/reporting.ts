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
  name: "report",
  run() {
    const folder = mkdtempSync(join(tmpdir(), "recovery-report-"));
    try {
      const state = join(folder, "state.json");
      writeFileSync(state, JSON.stringify(fleet(restores)));
      const measured = Array.from({ length: runs }, () => measure(folder, state));
      const ms = median(measured.map((one) => one.ms));
      const ownMs = median(measured.map((one) => one.ownMs));
      const miB = median(measured.map((one) => one.miB));
      return Promise.resolve({
        title: `A report of ${restores.toLocaleString("en-US")} restores`,
        about: `\`pulumi-recovery report --state …\` writes all four formats. Medians of ${String(runs)} runs, each in its own process. Processor time does not depend on what else the machine is doing. Resident memory is the peak.`,
        columns: ["", "median", "processor time", "resident"],
        rows: [["pulumi-recovery report", milliseconds(ms), milliseconds(ownMs), `${miB.toFixed(0)} MiB`]],
        bars: [
          {
            claim: `under ${String(mostMs / 1_000)} s of processor time`,
            measured: milliseconds(ownMs),
            met: ownMs < mostMs,
          },
          { claim: `under ${String(mostMiB)} MB`, measured: `${miB.toFixed(0)} MiB`, met: miB * 1.048_576 < mostMiB },
        ],
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

/** Runs the built command, and measures its process from start to end. */
function measure(folder: string, state: string): { readonly ms: number; readonly ownMs: number; readonly miB: number } {
  const probe = join(repositoryRoot, "bench", "engine", "report-probe.cjs");
  const startedAt = performance.now();
  const output = execFileSync(
    process.execPath,
    ["-r", probe, builtCommand, "report", "--state", state, "--out", folder],
    {
      encoding: "utf8",
    },
  );
  const ms = performance.now() - startedAt;
  const { mostKiB, ownMs } = JSON.parse(output.trim().split("\n").at(-1) ?? "") as {
    readonly mostKiB: number;
    readonly ownMs: number;
  };
  return { ms, ownMs, miB: mostKiB / 1_024 };
}
