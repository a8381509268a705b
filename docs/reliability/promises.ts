import { readdirSync } from "node:fs";
import { join } from "node:path";
import { enginesOf, major, supported } from "../../tools/supported";

/** One promise of the package and the tests that would break if it were broken. Paths from `test/`. */
export interface Promised {
  readonly promise: string;
  readonly how: string;
  readonly files: readonly string[];
}

export const promises: readonly Promised[] = [
  {
    promise: "No restore is posted twice, and none is called complete that is not, whatever happens in its life",
    how:
      "a million steps of random lives on a panel in memory, with a model of the engine that the real engine confirms: kills, refreshes, `--target`, new triggers, " +
      "lost answers, late rows, people at the panel",
    files: [...testsIn("restore/exploration"), "e2e/engine-in-memory.test.ts"],
  },
  {
    promise: "A panel that gives what the interface shows and no more is served",
    how:
      "forty panels in memory, each with other names, words, pages and orders, undisturbed, with killed runs and with others at work, in JSON and XML; five of " +
      "them on the real engine",
    files: [...testsIn("small-panels"), "e2e/small-panels.test.ts"],
  },
  {
    promise: "A run that is killed leaves exactly one restore behind",
    how:
      "`kill -9` of the CLI and of the provider process, Ctrl-C twice, a cancelled pipeline and power loss of the panel, at eight moments of a restore's life, " +
      "with one restore, ten, and plans of three waves",
    files: ["e2e/kill-matrix", "e2e/killed", "e2e/recovery-plan-killed"].map(testFile),
  },
  {
    promise: "Restores of one machine are carried out in the program's order, each only after the previous is complete",
    how: "a first restore that fails, is cancelled, is restored again or exceeds its limit; kills and Ctrl-C while the next waits",
    files: [testFile("e2e/one-behind-the-other")],
  },
  {
    promise: "A storm leaves every machine restored once, and every status true",
    how:
      "200 restores from four stacks side by side, on a slow panel that lists late, answers 5xx, loses answers and power; runs killed at random until all is " +
      "done; compared with the panel's own ledger after every run; 20 seeds",
    files: [testFile("e2e/chaos")],
  },
  {
    promise:
      "A restore is posted when it is created, when its triggers change, and once more after a failure, and never otherwise",
    how: "failures, cancels, limits, refreshes, and the options of the engine, in JSON and XML",
    files: ["e2e/life", "e2e/options", "e2e/run-again"].map(testFile),
  },
  {
    promise: "A panel that is hard to read ends no restore, and no restore is taken for another",
    how: "answers that are missing for a while, and lost answers to a POST",
    files: ["e2e/outage", "e2e/lost-answer"].map(testFile),
  },
  {
    promise: "A time limit ends the wait, and the next run waits on",
    how: "`customTimeouts` and `timeouts.total`, against each other",
    files: [testFile("e2e/custom-timeouts")],
  },
  {
    promise: "A function that fails ends the run soon, with its message alone",
    how: "as an Output and as a promise, from the panel and before any request",
    files: [testFile("e2e/failing-functions")],
  },
  {
    promise: "A restore goes to its own panel, and to no other, and to no machine that is not allowed",
    how: "settings of a provider and the stack, a password that changes, two panels in one program",
    files: ["e2e/configuration", "e2e/two-panels", "e2e/allowed-machines"].map(testFile),
  },
  {
    promise: "The examples, the template and the demo do what their pages say",
    how: "each as a project of its own, by the commands of its page",
    files: ["e2e/quickstart", "e2e/examples", "e2e/policy", "e2e/template", "e2e/demo", "e2e/pipelines"].map(testFile),
  },
  {
    promise: "A recovery point that a rule chooses is chosen once, from a whole list",
    how: "newer backups, new triggers, a plan that was killed among its POSTs",
    files: ["e2e/quickstart", "e2e/recovery-plan-killed"].map(testFile),
  },
  {
    promise: "A plan's verdict never passes a machine that is not back",
    how: "restores that fail, end late or are lost, failed checks, missed goals, changed plans; also random plans and kills in memory",
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
    how: "the same plan, with a restore that fails and without, under mocks and on the real engine",
    files: [testFile("e2e/mocks")],
  },
  {
    promise: "A program in another language restores like one in TypeScript",
    how: "through the plugin: `up`, `kill -9`, refresh, destroy, secrets, two panels, a stack that a TypeScript program began",
    files: [...testsIn("e2e").filter((file) => file.startsWith("e2e/yaml")), ...testsIn("e2e/languages")],
  },
  {
    promise: "Another machine finishes the run of a dead one",
    how: "state in a PostgreSQL server or an S3 store, `kill -9` of everything, then another home and another clone",
    files: [testFile("e2e/remote-state")],
  },
  {
    promise: "A later version reads the state of 1.0.0",
    how: "a kept state of restores, complete, of files, failed and sent, and of a plan; refresh, preview and up; real engine",
    files: [testFile("e2e/upgrade")],
  },
  {
    promise: "A provider process whose engine died posts nothing more and ends within 30 s",
    how: "`kill -9` of the CLI while restores wait for their machine, their turn or their intent",
    files: [testFile("e2e/orphans")],
  },
  {
    promise: "No password, log text or parameter shows in plain",
    how: "known secrets sent through success, failure, limits and every class of error, then looked for in output, state, history and files",
    files: [testFile("e2e/secrets")],
  },
  {
    promise: "The packed package works however it is installed",
    how: "npm, pnpm and a workspace; TypeScript, JavaScript and ES modules; oldest and newest SDK; and the page about testing, by its commands in an empty folder",
    files: ["e2e/install", "e2e/versions", "docs/testing"].map(testFile),
  },
  {
    promise: "Prometheus reads the metrics, and the alert rules fire when they should",
    how: "by promtool; and the morning after a drill",
    files: ["docs/monitoring", "e2e/ready", "e2e/from-preview"].map(testFile),
  },
  {
    promise: `It works on Node.js ${supported.tested.map(({ node }) => major(node)).join(", ")}`,
    how: `up, \`kill -9\`, resume, refresh and destroy, on each with the oldest and the newest engine that runs there: ${enginesOf(
      supported,
    )
      .map(({ cli, sdk }) => `CLI ${cli} with SDK ${sdk}`)
      .join(", ")}`,
    files: [testFile("e2e/versions")],
  },
  {
    promise: "Hostile inputs are refused by name, and nothing is sent",
    how: "anything at all for every input, ids that would change the path of a request; also in the preview",
    files: ["engine/hostile", "e2e/hostile", "e2e/plan-texts"].map(testFile),
  },
];

function testFile(name: string): string {
  return `${name}.test.ts`;
}

/** The test files of a folder. */
function testsIn(folder: string): readonly string[] {
  return readdirSync(join(__dirname, "..", "..", "test", folder))
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => `${folder}/${name}`);
}
