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
    promise: "No restore is posted twice, or reported as complete when it is not",
    how: "A million random steps, on a model checked against the real engine",
    files: [...testsIn("restore/exploration"), "e2e/engine-in-memory.test.ts"],
  },
  {
    promise: "The provider works with panels that show only what the interface requires",
    how: "Forty in-memory panels with different fields, statuses, page sizes and orders",
    files: testsIn("small-panels"),
  },
  {
    promise: "A killed run leaves exactly one restore behind, and its provider process ends within 30 s",
    how: "`kill -9`, a double Ctrl-C, a cancelled pipeline and a panel that loses power, at eight moments, alone and in plans",
    files: ["e2e/killing/kill-matrix", "e2e/recovery-plan-killed"].map(testFile),
  },
  {
    promise: "Restores of one machine run in the program's order",
    how: "A first restore that fails or exceeds its limit, and runs killed while the next waits",
    files: [testFile("e2e/one-behind-the-other")],
  },
  {
    promise: "Even with frequent faults, every machine is restored once, and every status is correct",
    how: "153 restores from three stacks, with late, wrong and missing responses, in runs killed at random",
    files: [testFile("e2e/chaos")],
  },
  {
    promise: "A restore is posted only when it is created, when its triggers change, or in the run after a failure",
    how: "Failures, cancellations, limits, refreshes and engine options, in JSON and XML",
    files: ["e2e/life", "e2e/options"].map(testFile),
  },
  {
    promise: "No unreadable response is mistaken for a restore's end, and no restore for another",
    how: "Missing responses, lost POST responses and failing functions",
    files: ["small-panels/nights/list", "e2e/lost-answer", "e2e/failing-functions"].map(testFile),
  },
  {
    promise: "Restores are sent only to the right panel, and only for allowed machines",
    how: "Settings from a provider and the stack, a changed password and two panels",
    files: ["e2e/configuration", "e2e/two-panels", "e2e/allowed-machines"].map(testFile),
  },
  {
    promise: "The examples, the template and the demo do what their pages say",
    how: "The commands on each page",
    files: ["e2e/quickstart", "e2e/examples", "e2e/policy", "e2e/template", "e2e/demo", "e2e/pipelines"].map(testFile),
  },
  {
    promise: "A rule chooses its recovery point once, from a complete list",
    how: "Newer backups, new triggers and a killed plan",
    files: ["e2e/quickstart", "e2e/recovery-plan-killed"].map(testFile),
  },
  {
    promise: "A plan never passes unless every machine is back",
    how: "Failed, late and lost restores, failed checks, missed goals, changed plans, and random plans",
    files: [
      "e2e/plan-depends-on.test.ts",
      "e2e/plan-parts.test.ts",
      ...testsIn("e2e").filter((file) => /\/recovery-plan(?!-killed).*$/.test(file)),
      ...testsIn("drills/engine"),
    ],
  },
  {
    promise: "Under mocks, a plan gets the same verdict as in a real run",
    how: "Runs with and without a failed restore",
    files: [testFile("drills/testing/mocks")],
  },
  {
    promise: "Restores work in other languages as they do in TypeScript",
    how: "`up`, `kill -9`, refresh, destroy, secrets, two panels and a stack created in TypeScript, through the plugin",
    files: [...testsIn("e2e").filter((file) => file.startsWith("e2e/yaml")), ...testsIn("e2e/languages")],
  },
  {
    promise: "If a runner dies, another finishes its run",
    how: "State in PostgreSQL or S3, and everything killed with `kill -9`",
    files: [testFile("e2e/remote-state")],
  },
  {
    promise: "Later versions read state written by 1.0.0",
    how: "Refresh, preview and `up` on stored state of every kind",
    files: [testFile("e2e/upgrade")],
  },
  {
    promise: "No password, log text or parameter appears in plain text",
    how: "Known secrets, searched for in output, state and files after every class of error",
    files: [testFile("e2e/secrets")],
  },
  {
    promise: "The package works however it is installed",
    how: "npm, pnpm and workspaces; TypeScript, JavaScript and ES modules; the oldest and newest SDK",
    files: ["e2e/install", "e2e/versions", "docs/testing"].map(testFile),
  },
  {
    promise: "Prometheus reads the metrics, and the alert rules fire when they should",
    how: "Prometheus's own promtool",
    files: ["docs/monitoring", "e2e/from-preview"].map(testFile),
  },
  {
    promise: `The provider works on Node.js ${supported.tested.map(({ node }) => major(node)).join(", ")}`,
    how: `\`up\`, \`kill -9\`, refresh and destroy, each with the oldest and newest engines (CLI/SDK: ${enginesOf(
      supported,
    )
      .map(({ cli, sdk }) => `${cli}/${sdk}`)
      .join(", ")})`,
    files: [testFile("e2e/versions")],
  },
  {
    promise: "Every hostile input is named in an error, and nothing is sent",
    how: "Arbitrary values, and ids that would change a path",
    files: ["engine/hostile", "e2e/hostile"].map(testFile),
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
