/**
 * Which folders may import from which, as the map in CONTRIBUTING.md describes. `npm run lint` enforces these rules, which
 * also apply to imports of types.
 */
const provider = {
  plain: [],
  panel: ["plain"],
  inputs: ["panel", "plain"],
  points: ["inputs", "panel", "plain"],
  rows: ["inputs", "panel", "plain"],
  feed: ["rows", "panel", "plain"],
  restore: ["rows", "feed", "inputs", "panel", "plain"],
  engine: ["restore", "rows", "feed", "points", "inputs", "panel", "plain"],
  program: ["points", "inputs", "panel", "plain"],
  plugin: ["engine", "program", "points", "inputs", "plain"],
};

/** The package's entry points, which combine restores and plans. */
const entries = "^provider/(index|start|engine/dynamic|plugin/(index|component))\\.ts$";

const drills = {
  inputs: { provider: ["inputs", "panel", "plain"], drills: ["checks", "judge"] },
  checks: { provider: ["inputs", "panel", "plain"], drills: [] },
  judge: { provider: ["inputs", "panel", "plain"], drills: [] },
  engine: {
    provider: ["engine", "restore", "rows", "feed", "points", "inputs", "panel", "plain"],
    drills: ["checks", "judge", "inputs"],
  },
  program: { provider: ["program", "points", "inputs", "plain"], drills: ["inputs", "judge", "checks"] },
  plugin: { provider: ["plugin", "program", "inputs", "plain"], drills: ["program", "inputs", "judge"] },
};

/** @type {Readonly<Record<string, { sees: readonly string[], besides?: readonly string[] }>>} */
const others = {
  report: { sees: ["inputs", "plain"], besides: ["drills/judge"] },
  sandbox: { sees: ["plain"] },
  cli: {
    sees: ["points", "restore", "rows", "feed", "inputs", "panel", "plain"],
    besides: ["report", "sandbox", "drills/judge", "drills/checks"],
  },
};

const anyOf = (/** @type {readonly string[]} */ names) => `(${names.join("|")})`;
const ours = "^(provider|drills|report|sandbox|cli|plugin)/";

/** The modules through which tests reach the code. Tests in the folders below may also import internals. */
const entriesForTests =
  "^provider/(index|start|testing)\\.ts$|^provider/(engine/dynamic|plugin/index)\\.ts$|^drills/testing\\.ts$|^(report|sandbox)/index\\.ts$|^cli/commands\\.ts$|^plugin/";
const testsOfInternals = [
  "^test/(drills|engine|feed|inputs|panel|plain|plugin|points|rows)/",
  "^test/restore/[\\w-]+(\\.test)?\\.ts$",
  "^test/program/(every-input|late-handling)\\.test\\.ts$",
  "^test/sandbox/arguments\\.test\\.ts$",
  "^test/support/sandbox-client\\.ts$",
];

/** @type {"error"} */
const severity = "error";

/** @type {import("dependency-cruiser", { with: { "resolution-mode": "import" } }).IConfiguration} */
const configuration = {
  forbidden: [
    { name: "no-circle", severity, from: {}, to: { circular: true } },
    ...Object.entries(provider).map(([folder, sees]) => ({
      name: `imports-of-${folder}`,
      severity,
      from: { path: `^provider/${folder}/`, pathNot: entries },
      to: { path: ours, pathNot: `^provider/${anyOf([folder, ...sees])}/` },
    })),
    ...Object.entries(drills).map(([folder, sees]) => ({
      name: `imports-of-drills-${folder}`,
      severity,
      from: { path: `^drills/${folder}/` },
      to: {
        path: ours,
        pathNot: [`^provider/${anyOf(sees.provider)}/`, `^drills/${anyOf([folder, ...sees.drills])}/`],
      },
    })),
    ...Object.entries(others).map(([tree, { sees, besides = [] }]) => ({
      name: `imports-of-${tree}`,
      severity,
      from: { path: `^${tree}/` },
      to: { path: ours, pathNot: [`^${anyOf([tree, ...besides])}/`, `^provider/${anyOf(sees)}/`] },
    })),
    {
      name: "known-folders-only",
      comment: "Add each new folder to the tables above.",
      severity,
      from: { path: "^(provider|drills|report|sandbox|cli)/" },
      to: {
        path: "^(provider|drills)/",
        pathNot: `^provider/(${Object.keys(provider).join("|")})/|^provider/(index|start|testing|mocked-run)\\.ts$|^drills/(${Object.keys(drills).join("|")})/|^drills/testing\\.ts$`,
      },
    },
    {
      name: "only-panel-uses-http",
      severity,
      from: { path: "^provider/", pathNot: "^provider/panel/" },
      to: { path: "node_modules/(axios|fast-xml-parser)/" },
    },
    {
      name: "sdk-only-at-the-edge",
      severity,
      from: {
        path: "^(provider|drills|report|cli|sandbox)/",
        pathNot:
          "^provider/(program|engine|plugin)/|^drills/(program|plugin)/|^(provider|drills)/(testing|mocked-run)\\.ts$",
      },
      to: { path: "node_modules/@pulumi/" },
    },
    {
      name: "no-imports-from-tests",
      severity,
      from: { path: "^(provider|drills|report|cli|sandbox|plugin)/" },
      to: { path: "^(test|bench|tools|examples|docs)/" },
    },
    {
      name: "tests-use-entry-points",
      severity,
      from: { path: "^test/", pathNot: testsOfInternals },
      to: { path: ours, pathNot: entriesForTests },
    },
    { name: "not-resolved", severity, from: { pathNot: "^test/" }, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
  },
};

module.exports = configuration;
