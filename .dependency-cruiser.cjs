/**
 * Which folder may import from which: the map in CONTRIBUTING.md as rules. `npm run lint` holds the code to them.
 * A type is an import too.
 */
const provider = {
  plain: [],
  panel: ["plain"],
  feed: ["panel", "plain"],
  inputs: ["panel", "plain"],
  points: ["inputs", "panel", "plain"],
  rows: ["feed", "inputs", "panel", "plain"],
  restore: ["rows", "feed", "inputs", "panel", "plain"],
  checks: ["inputs", "panel", "plain"],
  plan: ["checks", "inputs", "restore", "panel", "plain"],
  engine: ["plan", "checks", "restore", "rows", "feed", "points", "inputs", "panel", "plain"],
  program: ["plan", "checks", "points", "inputs", "panel", "plain"],
  plugin: ["engine", "program", "points", "inputs", "plain"],
};

/** @type {Readonly<Record<string, { sees: readonly string[], besides?: readonly string[] }>>} */
const others = {
  report: { sees: ["plan", "inputs", "plain"] },
  sandbox: { sees: ["plain"] },
  cli: {
    sees: ["plan", "points", "restore", "rows", "feed", "inputs", "panel", "plain"],
    besides: ["report", "sandbox"],
  },
};

const anyOf = (/** @type {readonly string[]} */ names) => `(${names.join("|")})`;

/** @type {import("dependency-cruiser", { with: { "resolution-mode": "import" } }).IConfiguration} */
module.exports = {
  forbidden: [
    { name: "no-circle", severity: "error", from: {}, to: { circular: true } },
    ...Object.entries(provider).map(([room, sees]) => ({
      name: `arrows-of-${room}`,
      severity: "error",
      from: { path: `^provider/${room}/` },
      to: {
        path: "^(provider|report|sandbox|cli|plugin)/",
        pathNot: `^provider/${anyOf([room, ...sees])}/`,
      },
    })),
    ...Object.entries(others).map(([tree, { sees, besides = [] }]) => ({
      name: `arrows-of-${tree}`,
      severity: "error",
      from: { path: `^${tree}/` },
      to: {
        path: "^(provider|report|sandbox|cli|plugin)/",
        pathNot: [`^${anyOf([tree, ...besides])}/`, `^provider/${anyOf(sees)}/`],
      },
    })),
    {
      name: "a-room-for-every-file",
      comment: "A new folder gets a row above.",
      severity: "error",
      from: { path: "^(provider|report|sandbox|cli)/" },
      to: {
        path: "^provider/",
        pathNot: `^provider/(${Object.keys(provider).join("|")})/|^provider/(index|testing)\\.ts$`,
      },
    },
    {
      name: "only-the-panel-speaks-http",
      severity: "error",
      from: { path: "^provider/", pathNot: "^provider/panel/" },
      to: { path: "node_modules/(axios|fast-xml-parser)/" },
    },
    {
      name: "the-sdk-stays-at-the-edge",
      severity: "error",
      from: {
        path: "^(provider|report|cli|sandbox)/",
        pathNot: "^provider/(program|engine|plugin)/|^provider/testing\\.ts$",
      },
      to: { path: "node_modules/@pulumi/" },
    },
    {
      name: "nothing-from-tests",
      severity: "error",
      from: { path: "^(provider|report|cli|sandbox|plugin)/" },
      to: { path: "^(test|bench|tools|examples|docs)/" },
    },
    { name: "not-resolved", severity: "error", from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
  },
};
