import { readdirSync } from "node:fs";
import { join } from "node:path";
import { enginesOf, major, supported } from "../../tools/supported";

/** One promise of the package, and the tests that fail if it is broken, as paths from `test/`. */
export interface Promised {
  readonly promise: string;
  readonly how: string;
  readonly files: readonly string[];
}

export const promises: readonly Promised[] = [
  {
    promise: "No restore is posted twice, or called complete when it is not",
    how: "a million random steps in memory (kills, refreshes, lost answers, late rows, other users), with a model of the engine that the real engine confirms",
    files: [...testsIn("restore/exploration"), "e2e/engine-in-memory.test.ts"],
  },
  {
    promise: "Panels that show only what the interface requires work",
    how: "forty panels in memory with other names, words, pages and orders",
    files: testsIn("small-panels"),
  },
  {
    promise: "A killed run leaves exactly one restore behind, and its provider process ends within 30 s",
    how: "`kill -9`, Ctrl-C twice, a cancelled pipeline and power loss of the panel, at eight moments of a restore's life, alone and in plans",
    files: ["e2e/killing/kill-matrix", "e2e/recovery-plan-killed"].map(testFile),
  },
  {
    promise: "Restores of one machine run in the program's order",
    how: "a first restore that fails, is cancelled or exceeds its limit; kills while the next waits",
    files: [testFile("e2e/one-behind-the-other")],
  },
  {
    promise: "Under heavy faults, every machine is restored once, and every status is true",
    how: "200 restores from four stacks, on a panel that answers late, wrongly or not at all; runs killed at random; 20 seeds",
    files: [testFile("e2e/chaos")],
  },
  {
    promise:
      "A restore is posted when it is created, when its triggers change, and in the run after a failure, never otherwise",
    how: "failures, cancels, limits, refreshes and engine options, in JSON and XML",
    files: ["e2e/life", "e2e/options", "e2e/run-again"].map(testFile),
  },
  {
    promise: "Unreadable answers end no restore, and no restore is mistaken for another",
    how: "missing answers, lost answers to a POST, functions that fail",
    files: ["small-panels/nights/list", "e2e/lost-answer", "e2e/failing-functions"].map(testFile),
  },
  {
    promise: "A restore goes to its own panel and to allowed machines only",
    how: "settings of a provider and the stack, a changed password, two panels",
    files: ["e2e/configuration", "e2e/two-panels", "e2e/allowed-machines"].map(testFile),
  },
  {
    promise: "The examples, the template and the demo do what their pages say",
    how: "the commands on each page",
    files: ["e2e/quickstart", "e2e/examples", "e2e/policy", "e2e/template", "e2e/demo", "e2e/pipelines"].map(testFile),
  },
  {
    promise: "A rule chooses its recovery point once, from a whole list",
    how: "newer backups, new triggers, a killed plan",
    files: ["e2e/quickstart", "e2e/recovery-plan-killed"].map(testFile),
  },
  {
    promise: "A plan's verdict never passes a machine that is not back",
    how: "failed, late and lost restores, failed checks, missed goals, changed plans; also random plans in memory",
    files: [
      "e2e/plan-depends-on.test.ts",
      "e2e/plan-parts.test.ts",
      "e2e/emergency-edits.test.ts",
      ...testsIn("e2e").filter((file) => /\/recovery-plan(?!-killed).*$/.test(file)),
      ...testsIn("drills/engine"),
    ],
  },
  {
    promise: "Under mocks, a plan has the verdict of a real run",
    how: "the same plan on both, with and without a failed restore",
    files: [testFile("drills/testing/mocks")],
  },
  {
    promise: "Other languages restore like TypeScript",
    how: "`up`, `kill -9`, refresh, destroy, secrets, two panels, a stack begun in TypeScript, all through the plugin",
    files: [...testsIn("e2e").filter((file) => file.startsWith("e2e/yaml")), ...testsIn("e2e/languages")],
  },
  {
    promise: "Another machine finishes the run of a dead machine",
    how: "state in PostgreSQL or S3, `kill -9` of everything",
    files: [testFile("e2e/remote-state")],
  },
  {
    promise: "A later version reads the state of 1.0.0",
    how: "refresh, preview and up on a kept state of every kind",
    files: [testFile("e2e/upgrade")],
  },
  {
    promise: "No password, log text or parameter appears in plain text",
    how: "known secrets, sent through success, failure and every class of error, and searched for in output, state and files",
    files: [testFile("e2e/secrets")],
  },
  {
    promise: "The packed package works however it is installed",
    how: "npm, pnpm, a workspace; TypeScript, JavaScript, ES modules; oldest and newest SDK",
    files: ["e2e/install", "e2e/versions", "docs/testing"].map(testFile),
  },
  {
    promise: "Prometheus reads the metrics, and the alert rules fire when they should",
    how: "promtool",
    files: ["docs/monitoring", "e2e/from-preview"].map(testFile),
  },
  {
    promise: `It works on Node.js ${supported.tested.map(({ node }) => major(node)).join(", ")}`,
    how: `up, \`kill -9\`, refresh and destroy, each with the oldest and the newest engine (CLI/SDK): ${enginesOf(
      supported,
    )
      .map(({ cli, sdk }) => `${cli}/${sdk}`)
      .join(", ")}`,
    files: [testFile("e2e/versions")],
  },
  {
    promise: "Hostile inputs are refused by name, and nothing is sent",
    how: "arbitrary values for every input, ids that would change a request's path",
    files: ["engine/hostile", "e2e/hostile", "e2e/plan-texts"].map(testFile),
  },
];

function testFile(name: string): string {
  return `${name}.test.ts`;
}

/** The test files in a folder. */
function testsIn(folder: string): readonly string[] {
  return readdirSync(join(__dirname, "..", "..", "test", folder))
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => `${folder}/${name}`);
}
