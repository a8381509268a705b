import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { historyOf, simpler, type History } from "./history";
import { live, noFaults, type Life } from "./live";

/** The results of many histories. */
export interface Exploration {
  histories: number;
  /** The number of histories on panels that never name a row's machine. */
  bare: number;
  steps: number;
  requests: number;
  /** How often each disturbance occurred. */
  readonly flows: Map<string, Flow>;
  /** The findings by class, each with the seeds that showed it. */
  readonly findings: Map<string, Found>;
  /** Questions by their text (without names and numbers), each with its count and one seed. */
  readonly asked: Map<string, { times: number; readonly seed: number; readonly flow: string }>;
}

interface Flow {
  histories: number;
  withQuestions: number;
  questions: number;
  decisions: number;
  findings: number;
}

interface Found {
  readonly what: string;
  readonly permitted?: string;
  readonly seeds: number[];
}

function emptyExploration(): Exploration {
  return { histories: 0, bare: 0, steps: 0, requests: 0, flows: new Map(), findings: new Map(), asked: new Map() };
}

/** Plays the histories of these seeds in the given number of processes. */
export async function exploreAll(from: number, to: number, processes: number): Promise<Exploration> {
  const whole = emptyExploration();
  if (processes === 1) {
    for (let seed = from; seed < to; seed++) await explore(seed, whole);
    return whole;
  }
  const bounds = Array.from({ length: processes + 1 }, (_, n) => from + Math.round(((to - from) * n) / processes));
  const parts = bounds.slice(1).map(async (end, n) => {
    const args = [String(bounds[n]), String(end), "send"];
    const child = fork(__filename, args, { execArgv: ["-r", "ts-node/register"], serialization: "advanced" });
    const exit = once(child, "exit").then(() => assert.fail(`the seeds ${args.join(" to ")} never ended`));
    const [part] = (await Promise.race([once(child, "message"), exit])) as [Exploration];
    add(part, whole);
  });
  await Promise.all(parts);
  return whole;
}

function add(part: Exploration, into: Exploration): void {
  for (const figure of ["histories", "bare", "steps", "requests"] as const) into[figure] += part[figure];
  for (const [kind, flow] of part.flows) {
    const sum = into.flows.get(kind);
    if (sum === undefined) into.flows.set(kind, flow);
    else for (const figure of Object.keys(flow) as (keyof Flow)[]) sum[figure] += flow[figure];
  }
  for (const [kind, found] of part.findings) {
    const before = into.findings.get(kind);
    if (before) before.seeds.push(...found.seeds);
    else into.findings.set(kind, found);
  }
  for (const [text, asked] of part.asked) {
    const before = into.asked.get(text);
    if (before) before.times += asked.times;
    else into.asked.set(text, asked);
  }
}

/** Plays one more history. */
async function explore(seed: number, into: Exploration): Promise<void> {
  const history = historyOf(seed);
  const life = await live(history);
  into.histories++;
  if (history.manners.tie === "nothing") into.bare++;
  into.steps += life.steps;
  into.requests += life.requests;
  const kind = flowOf(life);
  const flow = into.flows.get(kind) ?? { histories: 0, withQuestions: 0, questions: 0, decisions: 0, findings: 0 };
  into.flows.set(kind, flow);
  flow.histories++;
  flow.questions += life.questions.length;
  flow.decisions += life.decisions;
  if (life.questions.length > 0) flow.withQuestions++;
  for (const question of life.questions) {
    const key = `${kind}: ${bare(question)}`;
    const before = into.asked.get(key);
    if (before) before.times++;
    else into.asked.set(key, { times: 1, seed, flow: kind });
  }
  if (life.finding === undefined) return;
  flow.findings++;
  const key = classOf(life) ?? "";
  const before = into.findings.get(key);
  if (before) before.seeds.push(seed);
  else into.findings.set(key, { ...life.finding, seeds: [seed] });
}

/** What disturbed a history. New triggers and refreshes are not disturbances. */
function flowOf({ disturbed }: Life): string {
  const faults = [...disturbed].filter((one) => !noFaults.has(one)).sort();
  const refreshed = disturbed.has("refreshed") ? ", refreshed" : "";
  if (faults.length === 0) return `undisturbed${refreshed}`;
  if (faults.length === 1) return `${faults[0] ?? ""}${refreshed}`;
  if (faults.length === 2 && faults.includes("killed"))
    return `killed and ${faults.find((one) => one !== "killed") ?? ""}`;
  return "several";
}

export function classOf({ finding }: Life): string | undefined {
  return (
    finding && `${finding.permitted === undefined ? "FAULT" : `permitted (${finding.permitted})`}: ${finding.what}`
  );
}

/** The shortest and simplest history that still shows the same finding. */
export async function shortest(seed: number): Promise<{ readonly history: History; readonly life: Life }> {
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
  return { history, life: await live(history, { trace: true }) };
}

function bare(text: string): string {
  return text
    .replace(/"[^"]*"/g, '"…"')
    .replace(/\d+/g, "#")
    .slice(0, 160);
}

/** The figures as text: cases with their questions, findings with their counts and seeds. */
export function tableOf(exploration: Exploration): string {
  const { histories, bare: ofBare, steps, requests, flows, findings, asked } = exploration;
  const lines = [
    `${String(histories)} histories (${String(ofBare)} on bare panels), ${String(steps)} steps, ${String(requests)} requests`,
  ];
  lines.push("", "flow | histories | with questions | questions | decisions | with findings");
  for (const [kind, flow] of [...flows].sort((a, b) => b[1].histories - a[1].histories)) {
    lines.push([kind, flow.histories, flow.withQuestions, flow.questions, flow.decisions, flow.findings].join(" | "));
  }
  lines.push("", "finding | histories | seeds");
  for (const [kind, { seeds }] of [...findings].sort((a, b) => b[1].seeds.length - a[1].seeds.length)) {
    lines.push([kind, seeds.length, seeds.slice(0, 5).join(" ")].join(" | "));
  }
  lines.push("", "question | times | seed");
  for (const [text, { times, seed }] of [...asked].sort((a, b) => b[1].times - a[1].times)) {
    lines.push([text, times, seed].join(" | "));
  }
  return lines.join("\n");
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
    const { history, life } =
      third === "whole"
        ? { history: historyOf(seed), life: await live(historyOf(seed), { trace: true }) }
        : await shortest(seed);
    say(JSON.stringify(history));
    say(life.trace.join("\n"));
    return;
  }
  const began = process.hrtime.bigint();
  const exploration = await exploreAll(Number(first), Number(second), 1);
  if (third === "send") return void process.send?.(exploration);
  const minutes = Number(process.hrtime.bigint() - began) / 60e9;
  say(`${tableOf(exploration)}\n\n${String(Math.round(exploration.histories / minutes))} histories a minute`);
  if ([...exploration.findings.values()].some(({ permitted }) => permitted === undefined)) process.exitCode = 1;
  if (third !== "traces") return;
  for (const [kind, { seeds }] of exploration.findings) {
    const lives = await Promise.all(seeds.slice(0, 3).map(shortest));
    const [best] = lives.sort((a, b) => a.life.trace.length - b.life.trace.length);
    if (best) say(`\n== ${kind}\n${JSON.stringify(best.history)}\n${best.life.trace.join("\n")}`);
  }
}

if (require.main === module) void main(process.argv.slice(2));
