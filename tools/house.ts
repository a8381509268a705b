/**
 * The house: which rooms (folders with code) there are, what each is for, and which others it may import from. This is
 * the only place where that is written down: test/house holds the code against it, and the map in CONTRIBUTING.md is
 * made of it (`npx ts-node docs/generate.ts`).
 *
 * A new folder gets a row: its purpose in one line, and the rooms and packages that it imports from. Only what is used
 * is listed; an import that is gone takes its entry with it. A type is an import too.
 */
export interface Room {
  readonly purpose: string;
  /** The rooms it may import from, besides itself. A room above or below it in the tree is no exception. */
  readonly imports: readonly string[];
  /** The npm packages it may import from; Node's own modules are free. @default none */
  readonly packages?: readonly string[];
}

export interface House {
  /** The folders whose code is held against the rows; one that is not there yet is passed over. */
  readonly trees: readonly string[];
  readonly rooms: Readonly<Record<string, Room>>;
  /** Everything else at the top of the repository, for the map. */
  readonly alongside: Readonly<Record<string, string>>;
  /** Circles of files that are put up with for now. One that is gone has to be taken out. */
  readonly knownCircles: readonly (readonly string[])[];
  /** Files of one tree that share a name although they mean different things, put up with for now. */
  readonly knownNamesakes: readonly (readonly string[])[];
}

const sdk = "@pulumi/pulumi";

export const house: House = {
  trees: ["provider", "sandbox", "report", "cli", "plugin"],
  rooms: {
    provider: {
      purpose: "what a program imports",
      imports: ["provider/functions", "provider/plan/terms", "provider/program", "provider/resources"],
    },
    "provider/resources": {
      purpose:
        "what a program constructs: `VmRestore`, `FileRestore`, `RecoveryPlan`, `Provider`; asks the panel nothing",
      imports: [
        "provider/config",
        "provider/names",
        "provider/plain",
        "provider/plan/checks",
        "provider/plan/read",
        "provider/plan/terms",
        "provider/program",
        "provider/restore/terms",
      ],
      packages: [sdk],
    },
    "provider/functions": {
      purpose: "`getTransactions`, `getVmLogs`; they run in the program, and for other languages in the plugin",
      imports: [
        "provider/config",
        "provider/inputs",
        "provider/names",
        "provider/panel",
        "provider/panel/list",
        "provider/panel/terms",
        "provider/plain",
        "provider/program",
        "provider/resources",
        "provider/text",
      ],
      packages: [sdk],
    },
    "provider/plan": {
      purpose: "a RecoveryPlan: what it stores, its digest, the verdict; no engine, no panel",
      imports: [
        "provider/config",
        "provider/plan/read",
        "provider/plan/terms",
        "provider/restore/telling",
        "provider/restore/terms",
        "provider/time",
      ],
    },
    "provider/plan/terms": {
      purpose: "what a plan leaves in the stack's state, as plain data",
      imports: ["provider/restore/terms", "provider/time"],
    },
    "provider/plan/read": {
      purpose: "a plan's arguments, read with the full path of every problem",
      imports: [
        "provider/config",
        "provider/inputs",
        "provider/plain",
        "provider/plan/terms",
        "provider/restore/terms",
        "provider/text",
      ],
    },
    "provider/plan/checks": {
      purpose: "checks after a restore: http, tcp, command, tried until they pass",
      imports: [
        "provider/panel/secrets",
        "provider/plan/read",
        "provider/plan/terms",
        "provider/restore/telling",
        "provider/text",
        "provider/time",
      ],
    },
    "provider/plan/wave": {
      purpose: "many restores waited for as one: their ends, checks, progress and reasons",
      imports: [
        "provider/config",
        "provider/panel/secrets",
        "provider/plain",
        "provider/plan",
        "provider/plan/checks",
        "provider/plan/read",
        "provider/plan/terms",
        "provider/restore/telling",
        "provider/restore/terms",
        "provider/text",
        "provider/time",
      ],
    },
    "provider/program": {
      purpose:
        "what a program is spared: stacks behind an error's message, stack traces that nobody reads, connections to an engine that is gone",
      imports: ["provider/text"],
      packages: [sdk],
    },
    "provider/dynamic": {
      purpose: "the way in for dynamic resources: the names that stored states require",
      imports: ["provider/config", "provider/names", "provider/operations", "provider/process"],
    },
    "provider/plugin": {
      purpose:
        "the way in for every other language: components, secrets, settings, functions, over the same operations",
      imports: [
        "provider/config",
        "provider/functions",
        "provider/inputs",
        "provider/names",
        "provider/operations",
        "provider/plain",
        "provider/plan/read",
        "provider/process",
        "provider/resources",
        "provider/restore/terms",
        "provider/text",
      ],
      packages: ["@grpc/grpc-js", sdk],
    },
    "provider/operations": {
      purpose: "what the engine asks of a resource: check, diff, create, read, update, delete",
      imports: [
        "provider/engine",
        "provider/inputs",
        "provider/names",
        "provider/panel/secrets",
        "provider/plain",
        "provider/plan",
        "provider/plan/checks",
        "provider/plan/read",
        "provider/plan/terms",
        "provider/plan/wave",
        "provider/process",
        "provider/restore",
        "provider/restore/rows",
        "provider/restore/telling",
        "provider/restore/terms",
        "provider/restore/turn",
        "provider/text",
      ],
    },
    "provider/process": {
      purpose:
        "what a provider process is, made once: its engine, its panel, its settings, what all its resources share",
      imports: [
        "provider/config",
        "provider/engine",
        "provider/feed",
        "provider/names",
        "provider/panel",
        "provider/panel/secrets",
        "provider/panel/terms",
        "provider/restore",
        "provider/restore/turn",
        "provider/text",
        "provider/time",
      ],
    },
    "provider/inputs": {
      purpose: "what a program or a state gives, checked and read: inputs of a restore, its intent, its mark",
      imports: ["provider/config", "provider/panel/terms", "provider/plain", "provider/restore/terms", "provider/text"],
    },
    "provider/names": {
      purpose: "the types, names and URNs under which everything stands in a stack's state",
      imports: ["provider/restore/terms"],
    },
    "provider/engine": {
      purpose: "the engine this process belongs to: is it still there, what is told to it",
      imports: ["provider/names", "provider/text"],
      packages: ["@grpc/grpc-js", sdk],
    },
    "provider/restore": {
      purpose:
        "the life of one restore: may it be sent, its turn, the POST, adopted, followed or resumed, and what it came to",
      imports: [
        "provider/feed",
        "provider/panel/secrets",
        "provider/panel/terms",
        "provider/restore/follow",
        "provider/restore/rows",
        "provider/restore/telling",
        "provider/restore/terms",
        "provider/restore/turn",
        "provider/restore/waits",
        "provider/time",
      ],
    },
    "provider/restore/telling": {
      purpose:
        "what people read of a restore: messages, its line of progress, the end of a log without what looks like a secret",
      imports: [
        "provider/panel/secrets",
        "provider/restore/follow",
        "provider/restore/rows",
        "provider/restore/terms",
        "provider/restore/waits",
        "provider/time",
      ],
    },
    "provider/restore/follow": {
      purpose: "from the POST to the end: which transactions are it, how they stand, as decisions over plain states",
      imports: [
        "provider/feed",
        "provider/panel/terms",
        "provider/plain",
        "provider/restore/rows",
        "provider/restore/terms",
        "provider/restore/waits",
      ],
    },
    "provider/restore/waits": {
      purpose: "until what is waited: the loop, what it says and asks, and the waits before a POST as plain states",
      imports: [
        "provider/feed",
        "provider/panel/terms",
        "provider/plain",
        "provider/restore/rows",
        "provider/restore/terms",
        "provider/text",
        "provider/time",
      ],
    },
    "provider/restore/rows": {
      purpose: "what the list says: chains, whose row, which words, where the mark lies, which one is mine",
      imports: ["provider/feed", "provider/panel/terms", "provider/plain", "provider/restore/terms", "provider/time"],
    },
    "provider/restore/turn": {
      purpose: "whose turn it is: lanes, places, what is left behind, who has claimed what",
      imports: ["provider/time"],
    },
    "provider/restore/terms": {
      purpose: "what all of them speak of, as plain data: intent, plan, record, result, warning",
      imports: ["provider/panel/terms", "provider/plain"],
    },
    "provider/feed": {
      purpose: "one walk of the transaction list for all that wait, and its pace",
      imports: ["provider/panel/errors", "provider/panel/terms", "provider/time"],
    },
    "provider/config": {
      purpose: "explicit provider, stack configuration and environment, read in one place",
      imports: [
        "provider/panel",
        "provider/panel/errors",
        "provider/panel/http",
        "provider/panel/secrets",
        "provider/panel/terms",
        "provider/plain",
        "provider/text",
      ],
      packages: [sdk],
    },
    "provider/panel": {
      purpose: "the panel's four operations over HTTP, in JSON and XML",
      imports: [
        "provider/panel/answers",
        "provider/panel/errors",
        "provider/panel/formats",
        "provider/panel/http",
        "provider/panel/list",
        "provider/panel/secrets",
        "provider/panel/terms",
        "provider/time",
      ],
    },
    "provider/panel/errors": { purpose: "one class for each way in which the panel fails", imports: [] },
    "provider/panel/answers": {
      purpose: "what an answer means: a list, a refusal, an error, and the panel's own words",
      imports: [
        "provider/panel/errors",
        "provider/panel/formats",
        "provider/panel/http",
        "provider/panel/secrets",
        "provider/panel/terms",
        "provider/plain",
      ],
    },
    "provider/panel/list": {
      purpose: "walking down a list, whatever the panel makes of page numbers and sizes",
      imports: ["provider/panel/answers", "provider/panel/errors", "provider/panel/formats", "provider/panel/terms"],
    },
    "provider/panel/formats": {
      purpose: "JSON and XML: bodies read into rows, and paths written",
      imports: ["provider/panel/terms", "provider/plain", "provider/text"],
      packages: ["fast-xml-parser"],
    },
    "provider/panel/http": {
      purpose: "one request out and one answer in: addresses, connections, time-outs, retries",
      imports: ["provider/panel/errors", "provider/panel/formats", "provider/panel/terms", "provider/time"],
      packages: ["axios"],
    },
    "provider/panel/secrets": {
      purpose: "secrets that are known, above all the password, and how they are kept out of every text",
      imports: [],
    },
    "provider/panel/terms": {
      purpose: "what all of them speak of: transactions, log items, ids, words of a status",
      imports: [],
    },
    "provider/time": {
      purpose: "the clock that everything that waits is given, and how a span of time is written",
      imports: [],
    },
    "provider/plain": {
      purpose: "plain data: what is an object, whether two are the same, and copies without some properties",
      imports: [],
    },
    "provider/text": {
      purpose: "texts that people read: what may not reach a terminal is taken out, a wrong value is shown",
      imports: [],
    },

    report: {
      purpose: "what happened, from the stored state: the model, and what a program asks for",
      imports: [
        "report/history",
        "report/html",
        "report/judge",
        "report/junit",
        "report/markdown",
        "report/model",
        "report/state",
      ],
    },
    "report/model": { purpose: "the model, its canonical form, and how its values are put into words", imports: [] },
    "report/state": {
      purpose: "the exported state, read and never trusted: resources, restores, plans",
      imports: ["report/model"],
    },
    "report/judge": { purpose: "goals and verdict of what was found", imports: ["report/model", "report/state"] },
    "report/html": {
      purpose: "the model as one page that loads and runs nothing",
      imports: ["report/model", "report/state"],
    },
    "report/markdown": { purpose: "the model for summaries and tickets", imports: ["report/model"] },
    "report/junit": { purpose: "the model for test reports", imports: ["report/model"] },
    "report/history": {
      purpose: "several reports as one page",
      imports: ["report/html", "report/model", "report/state"],
    },
    plugin: {
      purpose: "what `pulumi package add` takes: the plugin's entry and schema, nothing compiled",
      imports: ["provider/plugin"],
    },
    cli: {
      purpose: "the command `pulumi-recovery`: which commands there are, and one call of them",
      imports: ["cli/check", "cli/parts", "cli/report", "provider/text", "sandbox", "sandbox/input"],
    },
    "cli/check": {
      purpose: "the command `check`: its arguments, where the settings come from, and what a terminal shows",
      imports: [
        "cli/check/findings",
        "cli/check/reading",
        "cli/parts",
        "provider/config",
        "provider/inputs",
        "provider/panel/secrets",
        "provider/panel/terms",
        "provider/time",
      ],
    },
    "cli/check/findings": {
      purpose: "what was read, judged by the provider's own rules: fine, a question or a fault",
      imports: [
        "cli/check/reading",
        "cli/parts",
        "provider/config",
        "provider/feed",
        "provider/inputs",
        "provider/panel/errors",
        "provider/panel/secrets",
        "provider/panel/terms",
        "provider/restore/rows",
        "provider/restore/terms",
        "provider/restore/waits",
        "provider/text",
        "provider/time",
      ],
    },
    "cli/check/reading": {
      purpose: "a panel read by GETs alone, no more than a few dozen: its certificate, its list, a machine's log",
      imports: [
        "provider/config",
        "provider/panel",
        "provider/panel/errors",
        "provider/panel/http",
        "provider/panel/list",
        "provider/panel/secrets",
        "provider/panel/terms",
        "provider/time",
      ],
    },
    "cli/report": {
      purpose: "the command `report`: where the state comes from and where the report goes",
      imports: ["cli/parts", "provider/config", "provider/text", "report", "report/markdown", "report/model"],
    },
    "cli/parts": {
      purpose: "what each command is made of: its shape, arguments, exit codes, and calls of the Pulumi CLI",
      imports: ["provider/text"],
    },
    sandbox: {
      purpose: "the simulated panel as a command and as a package; below it, its parts",
      imports: [
        "sandbox/cloud",
        "sandbox/control",
        "sandbox/dialect",
        "sandbox/faults",
        "sandbox/input",
        "sandbox/panel",
        "sandbox/scenario",
        "sandbox/wire",
        "sandbox/wire/http",
      ],
    },
    "sandbox/control": {
      purpose: "its second port: what was witnessed, and levers for a test or a person",
      imports: ["sandbox/input", "sandbox/page", "sandbox/panel", "sandbox/scenario", "sandbox/wire/http"],
    },
    "sandbox/page": { purpose: "the page in the browser: its HTML, style and script", imports: [] },
    "sandbox/panel": {
      purpose: "the whole panel: what becomes of a request, and the record of what happened",
      imports: [
        "provider/time",
        "sandbox/chance",
        "sandbox/cloud",
        "sandbox/dialect",
        "sandbox/faults",
        "sandbox/input",
        "sandbox/scenario",
        "sandbox/time",
        "sandbox/wire",
        "sandbox/wire/http",
      ],
    },
    "sandbox/scenario": {
      purpose: "what is there at the start, and how anything given as JSON has to look",
      imports: ["sandbox/cloud", "sandbox/dialect", "sandbox/faults", "sandbox/input"],
    },
    "sandbox/faults": {
      purpose: "what may go wrong with a request, when it does, and what the client gets then",
      imports: [
        "provider/time",
        "sandbox/chance",
        "sandbox/dialect",
        "sandbox/input",
        "sandbox/wire",
        "sandbox/wire/formats",
      ],
    },
    "sandbox/wire/http": {
      purpose: "how a request comes in and an answer goes out, on a socket or without one",
      imports: ["provider/time", "sandbox/input", "sandbox/time", "sandbox/wire"],
    },
    "sandbox/wire": {
      purpose: "what a request asks for, and what it is answered",
      imports: ["provider/time", "sandbox/cloud", "sandbox/dialect", "sandbox/input", "sandbox/wire/formats"],
    },
    "sandbox/wire/formats": { purpose: "an answer as JSON and as XML, and a body read", imports: [] },
    "sandbox/cloud": {
      purpose: "machines, their transactions and the passing of time, as a file may keep them",
      imports: ["sandbox/chance", "sandbox/dialect", "sandbox/input", "sandbox/time"],
    },
    "sandbox/dialect": {
      purpose: "what real panels may do differently, a switch for each, and the presets",
      imports: ["sandbox/input"],
    },
    "sandbox/time": { purpose: "the time the panel goes by and stamps its rows with", imports: ["provider/time"] },
    "sandbox/chance": {
      purpose: "what is random, and comes out the same from the same seed",
      imports: ["provider/time"],
    },
    "sandbox/input": { purpose: "readers for what comes from outside, and the error for what is wrong", imports: [] },
  },
  alongside: {
    examples: "a Pulumi project per folder; the end-to-end tests run them",
    test: "mirrors `provider/`, `report/`, `cli/`, `sandbox/` and `tools/`; `test/house/` guards this map, `test/e2e/` drives the real engine",
    bench: "requests per restore, delay of detection, cost beside the engine",
    docs: "for users; `docs/api/` records what the package declares",
    template: "what `pulumi new` makes a project of",
    tools:
      "set-up, test runner, demo, this map; `go.mod` pins the version of the Pulumi CLI that is built, `go/` what else is",
  },
  knownCircles: [],
  knownNamesakes: [],
};
