import { writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { formatted } from "../tools/formatted";
import { busyPanel } from "./cases/busy-panel";
import { decoding } from "./cases/decoding";
import { firstCall } from "./cases/first-call";
import { lag } from "./cases/lag";
import { loading } from "./cases/loading";
import { memory } from "./cases/memory";
import { opening } from "./cases/opening";
import { plan } from "./cases/plan";
import { points } from "./cases/points";
import { reporting } from "./cases/reporting";
import { requests } from "./cases/requests";
import { resumed } from "./cases/resumed";
import { smallPages } from "./cases/small-pages";
import { uncaught } from "./cases/uncaught";
import { up } from "./cases/up";
import { asMarkdown, type Case } from "./report";

const cases: readonly Case[] = [
  requests,
  smallPages,
  busyPanel,
  lag,
  resumed,
  up,
  plan,
  points,
  uncaught,
  loading,
  firstCall,
  decoding,
  memory,
  reporting,
  opening,
];

/** Runs the cases that are named, or all of them; only a whole run is written to the results. */
async function main(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !cases.some((one) => one.name === name));
  if (unknown.length > 0) {
    throw new Error(`there is no case ${unknown.join(", ")}; there are ${cases.map(({ name }) => name).join(", ")}`);
  }
  const chosen = names.length === 0 ? cases : cases.filter(({ name }) => names.includes(name));
  const parts: string[] = [];
  let missed = 0;
  for (const one of chosen) {
    const report = await one.run();
    missed += report.bars.filter(({ met }) => !met).length;
    const text = asMarkdown(report);
    parts.push(text);
    process.stdout.write(`${text}\n`);
  }
  if (names.length === 0) await write([preamble(), ...parts].join("\n"));
  if (missed > 0) throw new Error(`${String(missed)} of the bars above were missed`);
}

async function write(page: string): Promise<void> {
  const path = join(__dirname, "results.md");
  writeFileSync(path, await formatted(page, path));
}

function preamble(): string {
  const [cpu] = cpus();
  const machine = `${String(cpus().length)} × ${cpu?.model.trim() ?? "unknown processor"}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB`;
  return [
    "# Benchmark",
    "",
    `Measured on ${machine}, ${process.platform}, Node ${process.version}. \`npm run bench\` measures everything again and`,
    "writes this file; `npm run bench -- requests` runs one case. Requests and lags are counted on virtual time and come",
    "out alike on every machine; times depend on the machine, so the claims rest on what was measured beside them in the",
    "same run.",
    "",
  ].join("\n");
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
