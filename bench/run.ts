import { readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { formatted } from "../tools/formatted";
import { lag } from "./cases/lag";
import { loading } from "./cases/loading";
import { lookingUp } from "./cases/look-up";
import { reporting } from "./cases/reporting";
import { requests } from "./cases/requests";
import { scale } from "./cases/scale";
import { up } from "./cases/up";
import { asMarkdown, type Case } from "./report";

const cases: readonly Case[] = [requests, lag, loading, up, lookingUp, scale, reporting];

/** Runs the named cases (default: all), and writes each section after measuring its case. A run of all cases removes all other sections. */
async function main(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !cases.some((one) => one.name === name));
  if (unknown.length > 0) {
    throw new Error(`there is no case ${unknown.join(", ")}; there are ${cases.map(({ name }) => name).join(", ")}`);
  }
  const chosen = names.length === 0 ? cases : cases.filter(({ name }) => names.includes(name));
  const measured = new Set<string>();
  let missed = 0;
  for (const one of chosen) {
    const report = await one.run();
    missed += report.bars.filter(({ met }) => !met).length;
    const text = asMarkdown(report, `${new Date().toISOString().slice(0, 10)} on ${machine()}`);
    process.stdout.write(`${text}\n`);
    measured.add(report.title);
    await write(partsOnPage().set(report.title, text));
  }
  if (names.length === 0) await write(new Map([...partsOnPage()].filter(([title]) => measured.has(title))));
  if (missed > 0) throw new Error(`${String(missed)} of the limits above were missed`);
}

const path = join(__dirname, "results.md");

/** The sections of the page, by title and in page order. */
function partsOnPage(): Map<string, string> {
  const [, ...parts] = readFileSync(path, "utf8").split(/^(?=## )/m);
  return new Map(parts.map((part) => [part.split("\n", 1)[0]?.slice("## ".length) ?? "", part]));
}

async function write(parts: ReadonlyMap<string, string>): Promise<void> {
  writeFileSync(path, await formatted([preamble, ...parts.values()].join("\n"), path));
}

function machine(): string {
  const [cpu] = cpus();
  const processors = `${String(cpus().length)} × ${cpu?.model.trim() ?? "unknown processor"}`;
  return `${processors}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, ${process.platform}, Node ${process.version}`;
}

const preamble = `# Benchmark

\`npm run bench\` measures everything again and writes this file; \`npm run bench -- requests\` measures one case and rewrites its
section. Requests and lags are measured in virtual time, so they are the same on every machine. Times depend on the machine, so each is compared with
others from the same run. The limits in seconds were set on a machine that loads Pulumi's SDK in 0.46 s; "Loading the package" shows how long this one takes.
`;

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
