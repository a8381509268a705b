import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { historyOf, simpler, type History } from "./history";
import { live, noFaults, type Life } from "./live";

/** What a history showed. */
export interface Explored extends Life {
  readonly seed: number;
  /** The panel never names a row's machine. */
  readonly isBare: boolean;
}

/** Plays the histories for seeds `from` to `to` (exclusive), divided among this many processes. */
export async function exploreAll(from: number, to: number, processes: number): Promise<readonly Explored[]> {
  if (processes === 1) {
    const explored: Explored[] = [];
    for (let seed = from; seed < to; seed++) explored.push(await explore(seed));
    return explored;
  }
  const bounds = Array.from({ length: processes + 1 }, (_, n) => from + Math.round(((to - from) * n) / processes));
  const parts = bounds.slice(1).map(async (end, n) => {
    const args = [String(bounds[n]), String(end), "send"];
    const child = fork(__filename, args, { execArgv: ["-r", "ts-node/register"], serialization: "advanced" });
    const exit = once(child, "exit").then(() => assert.fail(`the seeds ${args.join(" to ")} never ended`));
    const [part] = (await Promise.race([once(child, "message"), exit])) as [readonly Explored[]];
    return part;
  });
  return (await Promise.all(parts)).flat();
}

async function explore(seed: number): Promise<Explored> {
  const history = historyOf(seed);
  return { ...(await live(history)), seed, isBare: history.manners.tie === "nothing" };
}

/** What went wrong in a history. New triggers and refreshes are not disturbances. */
export function faultsIn({ disturbed }: Pick<Life, "disturbed">): readonly string[] {
  return [...disturbed].filter((one) => !noFaults.has(one)).sort();
}

export function classOf({ finding }: Pick<Life, "finding">): string | undefined {
  return (
    finding && `${finding.permitted === undefined ? "FAULT" : `permitted (${finding.permitted})`}: ${finding.what}`
  );
}

/** The shortest and simplest history that still shows the same finding, with its trace. */
export async function shortest(seed: number): Promise<string> {
  let history: History = historyOf(seed);
  const wanted = classOf(await live(history));
  for (let again = wanted !== undefined; again;) {
    again = false;
    for (const candidate of simpler(history)) {
      if (classOf(await live(candidate)) !== wanted) continue;
      history = candidate;
      again = true;
      break;
    }
  }
  return traced(history);
}

async function traced(history: History): Promise<string> {
  const { trace } = await live(history, { trace: true });
  return [JSON.stringify(history), ...trace].join("\n");
}

/** A table of texts, each with its count and its first seeds, most frequent first. */
export function tableOf(
  explored: readonly Explored[],
  textsOf: (one: Explored) => string | undefined | readonly string[],
): string {
  const seedsOf = new Map<string, number[]>();
  for (const one of explored)
    for (const text of [textsOf(one) ?? []].flat()) seedsOf.set(text, [...(seedsOf.get(text) ?? []), one.seed]);
  const mostFirst = [...seedsOf].sort(([, a], [, b]) => b.length - a.length);
  return mostFirst.map(([text, seeds]) => [text, seeds.length, seeds.slice(0, 5).join(" ")].join(" | ")).join("\n");
}

/** What went wrong in a history, as the tables show it. */
function flowOf(explored: Explored): string {
  const faults = faultsIn(explored);
  return faults.length > 2 ? "several" : faults.join(" and ") || "undisturbed";
}

/** A question without the parts that differ from history to history. */
function bare(question: string): string {
  return question
    .replace(/"[^"]*"/g, '"…"')
    .replace(/\d+/g, "#")
    .slice(0, 160);
}

/**
 * By hand:
 *
 *   npx ts-node test/restore/exploration/explore.ts 0 5000            the figures for seeds 0 to 4999
 *   npx ts-node test/restore/exploration/explore.ts 0 5000 traces     also the shortest trace for each class of findings
 *   npx ts-node test/restore/exploration/explore.ts seed 210 [whole]  one history, as short as possible or unshortened
 *
 * The exit code is 1 if the figures contain a fault.
 */
async function main([first = "0", second = "1000", third]: readonly string[]): Promise<void> {
  const say = (text: string): void => void process.stdout.write(`${text}\n`);
  if (first === "seed") {
    const seed = Number(second);
    say(await (third === "whole" ? traced(historyOf(seed)) : shortest(seed)));
    return;
  }
  const explored = await exploreAll(Number(first), Number(second), 1);
  if (third === "send") return void process.send?.(explored);
  const steps = explored.reduce((sum, one) => sum + one.steps, 0);
  say(`${String(explored.length)} histories, ${String(steps)} steps`);
  say(`\ndisturbed by | histories | seeds\n${tableOf(explored, flowOf)}`);
  say(`\nfinding | histories | seeds\n${tableOf(explored, classOf)}`);
  say(`\nquestion | times | seeds`);
  say(tableOf(explored, (one) => one.questions.map((text) => `${flowOf(one)}: ${bare(text)}`)));
  if (explored.some(({ finding }) => finding && finding.permitted === undefined)) process.exitCode = 1;
  if (third !== "traces") return;
  for (const kind of new Set(explored.flatMap((one) => classOf(one) ?? []))) {
    const { seed = 0 } = explored.find((one) => classOf(one) === kind) ?? {};
    say(`\n== ${kind}\n${await shortest(seed)}`);
  }
}

if (require.main === module) void main(process.argv.slice(2));
