import { existsSync, readdirSync } from "node:fs";
import { join, sep } from "node:path";
import { major, supported } from "../../tools/supported/versions";

/** One promise of the package and the tests that would break if it were. Paths from `test/`. */
export interface Promised {
  readonly promise: string;
  readonly how: string;
  readonly files: readonly string[];
}

const killedPlans = "e2e/kill-matrix/plan.long.test.ts";

export const promises: readonly Promised[] = [
  {
    promise: "No restore is posted twice, and none is called complete that is not back, whatever happens in its life",
    how:
      "a million steps of random lives of one to three restores on a panel in memory: runs, refreshes, kills, `--target`, new triggers, lost " +
      "answers, rows listed late and in parts, people at the panel; and the model of the engine in these lives compared with the real engine",
    files: [
      ...filesIn("restore/life").filter((file) => file.endsWith(".long.test.ts")),
      "e2e/engine-in-memory.long.test.ts",
      "e2e/recovery-plan-changed.test.ts",
    ],
  },
  {
    promise: "A run that is killed leaves exactly one restore behind",
    how:
      "`kill -9` of the CLI and of the provider process, Ctrl-C twice, a cancelled pipeline, and power loss of the panel, at eight moments " +
      "of a restore's life; one restore and ten in flight; real engine",
    files: [
      ...parts("e2e/kill-matrix"),
      ...filesIn("e2e/kill-matrix").filter((file) => file !== killedPlans),
      ...parts("e2e/killed"),
    ],
  },
  {
    promise: "Restores of one machine are carried out in the program's order, each behind one that is complete",
    how:
      "a first one that fails, is cancelled, is restored again, or takes longer than it is waited for; kills and Ctrl-C while the next one " +
      "waits; plans; six machines of three restores each at `--parallel` 1, 2 and 16; previews beside their runs; the engine's options on " +
      "each of two; real engine",
    files: [...parts("e2e/one-behind-the-other"), ...parts("e2e/options-one-behind-the-other")],
  },
  {
    promise: "A plan that is killed anywhere is finished by the next run, with one POST per machine",
    how: "the same kills from before the first POST to before the verdict, in each of three waves and while a machine is checked; plans of six machines, and of twelve with one that fails, one that is slow and one that does not pass its check; real engine",
    files: [...parts("e2e/recovery-plan-killed"), killedPlans],
  },
  {
    promise: "A storm leaves every machine restored once, and every status true",
    how:
      "200 restores, in plans and alone, from four stacks side by side, one of them in YAML; a panel that is slow, lists late, answers 5xx, " +
      "loses answers and its power; runs killed at random and started again until all is done; statuses, durations and verdicts compared with the panel's own ledger after every run; 20 seeds; real engine",
    files: [...parts("e2e/chaos"), ...filesIn("e2e/chaos").filter((file) => file.endsWith(".test.ts"))],
  },
  {
    promise: "A restore is posted when it is created and when its triggers change, and never otherwise",
    how:
      "failures, cancels, limits, refreshes and runs without waiting; aliases, ignored changes, protection, replacement triggers and other " +
      "options of the engine; JSON and XML; real engine",
    files: [
      ...parts("e2e/life"),
      ...parts("e2e/options"),
      ...parts("e2e/run-again"),
      ...parts("e2e/replaced-over-an-error"),
    ],
  },
  {
    promise: "A panel that is hard to read ends no restore, and no restore is taken for another",
    how: "answers that are missing for a while, lost answers to a POST, identifiers that are not the machine's, chains that break off, two restores of one machine that nothing tells apart; real engine",
    files: ["e2e/outage", "e2e/lost-answer", "e2e/whose-rows", "e2e/two-of-one-machine"].flatMap(parts),
  },
  {
    promise: "A time limit ends the wait, and the next run goes on with it",
    how: "`customTimeouts` and `timeouts.total`, against each other and set by a transform; real engine",
    files: parts("e2e/custom-timeouts"),
  },
  {
    promise: "A function that fails ends the run soon, with its message alone",
    how: "as an Output and as a promise, from the panel and before any request, in a project and with the Automation API; real engine",
    files: parts("e2e/failing-functions"),
  },
  {
    promise: "A restore goes to its own panel, and to no other",
    how: "settings of an explicit provider, the stack and the environment, alone and against each other; two panels in one program; real engine",
    files: [...parts("e2e/configuration"), ...parts("e2e/two-panels")],
  },
  {
    promise: "The examples and the demo do what their pages say",
    how: "each as a project of its own, by the commands of its page; real engine",
    files: [...parts("e2e/quickstart"), ...parts("e2e/examples"), ...parts("e2e/policy"), ...parts("e2e/demo")],
  },
  {
    promise: "Nothing of a wave is sent before the resources that it depends on",
    how: "the order of up and destroy, a resource in between that fails, a function that throws, a failed wave, `--target`; real engine",
    files: [...parts("e2e/plan-depends-on")],
  },
  {
    promise: "A plan's verdict never passes a machine that is not back",
    how: "restores that fail, end late or are lost, checks that do not pass, missed goals, waves that did not start; real engine",
    files: filesIn("e2e").filter((file) => /\/recovery-plan(?!-killed).*\.test\.ts$/.test(file)),
  },
  {
    promise: "A program in another language restores like one in TypeScript",
    how: "through the plugin: up, `kill -9`, refresh and destroy, secrets, two panels, and a stack that a program in TypeScript began; real engine",
    files: filesIn("e2e", { recursive: true }).filter((file) => /^e2e\/(yaml|languages\/).*\.test\.ts$/.test(file)),
  },
  {
    promise: "A pipeline's job that is killed is picked up by the next one, and has its report",
    how: "the documented jobs for GitHub Actions and GitLab, command by command, with the drill's plan; real engine",
    files: parts("e2e/pipelines"),
  },
  {
    promise: "Another machine finishes the run of a dead one",
    how:
      "state in a PostgreSQL server and in an S3 store; `kill -9` of everything, then another home, another clone and the same stack; " +
      "real engine",
    files: parts("e2e/remote-state"),
  },
  {
    promise: "Never two restores for one intent, never complete without a completed restore, always a way forward",
    how: "random exploration of runs that are killed anywhere, on panels that list late, fail and lose answers; simulated time",
    files: ["restore/life/exploration.test.ts", ...filesIn("restore/life").filter((file) => file.includes("million"))],
  },
  {
    promise: "Faults of the panel never change the result of a restore",
    how: "every kind of fault at 5 % and 20 % of all readings, and at half of all POSTs; JSON and XML; simulated time",
    files: [
      ...parts("restore/faults"),
      "restore/faults-5-percent.long.test.ts",
      "restore/faults-20-percent.long.test.ts",
      "restore/faults-posting.long.test.ts",
    ],
  },
  {
    promise: "A provider process whose engine died posts nothing more and ends within 30 s",
    how: "`kill -9` of the CLI while restores wait for their machine, their turn or their intent; real engine",
    files: parts("e2e/orphans"),
  },
  {
    promise: "No password, log text or parameter shows in plain",
    how: "known secrets sent through success, failure, limits and every class of error, then looked for in output, state, history and files; real engine",
    files: parts("e2e/secrets"),
  },
  {
    promise: "Every later release goes on with the state that an earlier one wrote",
    how: "stored states, and ids that an earlier release accepted, are imported, previewed, refreshed and destroyed; real engine",
    files: [...parts("e2e/upgrade"), ...parts("e2e/leading-zeros")],
  },
  {
    promise: "The packed package works however it is installed",
    how:
      "npm, pnpm, a workspace and a link; TypeScript, JavaScript and ES modules; oldest and newest SDK; each with a real `pulumi up`; and the " +
      "test of the page about testing, by its commands in an empty folder",
    files: [...parts("e2e/install"), ...parts("docs/testing")],
  },
  {
    promise: "Prometheus reads the metrics, and the alert rules fire when they should",
    how: "metrics of `ready` and of reports, the page's rules and their tests, by promtool",
    files: parts("docs/monitoring"),
  },
  ...supported.tested.map(({ node, engines }) => ({
    promise: `It works on Node.js ${node}`,
    how: `up, \`kill -9\`, resume, refresh and destroy with the packed package; ${engines.map(({ cli, sdk }) => `CLI ${cli} with SDK ${sdk}`).join(", ")}`,
    files: [`e2e/versions/node-${String(major(node))}.long.test.ts`],
  })),
  {
    promise: "Waiting leaves nothing behind",
    how: "a thousand waits over simulated days, and a day on a panel that others keep busy: timers, turns, requests and memory",
    files: [...parts("restore/soak"), ...parts("feed/memory")],
  },
  {
    promise: "Hostile inputs are refused by name, and nothing is sent",
    how: "anything at all for every input, and ids that would change the path of a request; also in the real engine's preview",
    files: [...parts("engine/hostile"), ...parts("e2e/hostile"), ...parts("e2e/plan-texts")],
  },
];

/** A test file by its name, and what of it only the long run takes. */
function parts(name: string): readonly string[] {
  const files = [`${name}.test.ts`, `${name}.long.test.ts`].filter((file) => existsSync(join(__dirname, "..", file)));
  if (files.length === 0) throw new Error(`there is no test ${name}`);
  return files;
}

/** Every test file of a folder: one that a run leaves out is named on the page. */
function filesIn(folder: string, { recursive = false }: { readonly recursive?: boolean } = {}): readonly string[] {
  const names = readdirSync(join(__dirname, "..", folder), { recursive, encoding: "utf8" });
  return names.map((name) => `${folder}/${name.split(sep).join("/")}`);
}
