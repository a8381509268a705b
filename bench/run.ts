import { readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { writePages } from "../docs/generate";
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
import { scale } from "./cases/scale";
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
  scale,
];

/** Runs the named cases, or all, and writes the results. Named cases change only their own parts of the page. */
async function main(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !cases.some((one) => one.name === name));
  if (unknown.length > 0) {
    throw new Error(`there is no case ${unknown.join(", ")}; there are ${cases.map(({ name }) => name).join(", ")}`);
  }
  const chosen = names.length === 0 ? cases : cases.filter(({ name }) => names.includes(name));
  const parts = new Map<string, string>();
  let missed = 0;
  for (const one of chosen) {
    const report = await one.run();
    missed += report.bars.filter(({ met }) => !met).length;
    const text = asMarkdown(report);
    parts.set(report.title, text);
    process.stdout.write(`${text}\n`);
  }
  await write(names.length === 0 ? [preamble(), ...parts.values()].join("\n") : withParts(parts));
  if (missed > 0) throw new Error(`${String(missed)} of the bars above were missed`);
}

const path = join(__dirname, "results.md");

async function write(page: string): Promise<void> {
  writeFileSync(path, await formatted(page, path));
  writePages();
}

/** Replaces the parts that were measured again. Results of another machine do not belong on the same page. */
function withParts(parts: ReadonlyMap<string, string>): string {
  const page = readFileSync(path, "utf8");
  const [head = "", ...others] = page.split(/^(?=## )/m);
  if (!head.includes(machine())) {
    process.stdout.write("not written: the results are those of another machine or another Node.js\n");
    return page;
  }
  const titleOf = (part: string): string => part.split("\n", 1)[0]?.slice("## ".length) ?? "";
  const known = new Set(others.map(titleOf));
  const added = [...parts].filter(([title]) => !known.has(title)).map(([, text]) => `\n${text}`);
  return [head, ...others.map((part) => parts.get(titleOf(part)) ?? part), ...added].join("");
}

function machine(): string {
  const [cpu] = cpus();
  const processors = `${String(cpus().length)} × ${cpu?.model.trim() ?? "unknown processor"}`;
  return `${processors}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, ${process.platform}, Node ${process.version}`;
}

function preamble(): string {
  return [
    "# Benchmark",
    "",
    `Measured on ${machine()}. \`npm run bench\` measures everything again and`,
    "writes this file; `npm run bench -- requests` one case and its part. Requests and lags are counted on virtual time and come",
    "out alike on every machine; times depend on the machine, so the claims rest on what was measured beside them in the",
    "same run.",
    "",
  ].join("\n");
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
