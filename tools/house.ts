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
  /** Circles of files that are there today and are to go. One that is gone has to be taken out. */
  readonly knownCircles: readonly (readonly string[])[];
  /** Files of one tree that share a name although they mean different things, and are to be renamed. */
  readonly knownNamesakes: readonly (readonly string[])[];
}

const sdk = "@pulumi/pulumi";

export const house: House = {
  trees: ["provider", "sandbox", "report", "cli", "plugin"],
  rooms: {
    provider: {
      purpose: "what a program imports",
      imports: ["provider/functions", "provider/resources"],
    },
    "provider/resources": {
      purpose: "what a program constructs: `VmRestore`, `FileRestore`, `Provider`; no HTTP",
      imports: ["provider/config", "provider/dynamic", "provider/restore"],
      packages: [sdk],
    },
    "provider/functions": {
      purpose: "`getTransactions`, `getVmLogs`; they run in the program",
      imports: ["provider/config", "provider/panel", "provider/resources", "provider/text"],
      packages: [sdk],
    },
    "provider/dynamic": {
      purpose: "the provider process: check, diff, create, read, update and delete",
      imports: [
        "provider/config",
        "provider/feed",
        "provider/panel",
        "provider/restore",
        "provider/text",
        "provider/time",
      ],
      packages: ["@grpc/grpc-js", sdk],
    },
    "provider/restore": {
      purpose: "the life of one restore: lane, busy, post, identify, adopt, wait, outcome",
      imports: ["provider/feed", "provider/panel", "provider/time"],
    },
    "provider/feed": {
      purpose: "one walk of the transaction list for all that wait, and its pace",
      imports: ["provider/panel", "provider/time"],
    },
    "provider/config": {
      purpose: "explicit provider, stack configuration and environment, read in one place",
      imports: ["provider/panel", "provider/panel/errors"],
      packages: [sdk],
    },
    "provider/panel": {
      purpose: "the panel's four operations over HTTP, in JSON and XML",
      imports: ["provider/panel/errors", "provider/time"],
      packages: ["axios", "fast-xml-parser"],
    },
    "provider/panel/errors": { purpose: "one class for each way in which the panel fails", imports: [] },
    "provider/time": { purpose: "the clock that everything that waits is given", imports: [] },
    "provider/text": {
      purpose: "what may not reach a terminal or the engine is taken out of a panel's text",
      imports: [],
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
      imports: ["provider/time", "sandbox/input", "sandbox/wire"],
    },
    "sandbox/wire": {
      purpose: "what a request asks for, and what it is answered",
      imports: ["provider/time", "sandbox/cloud", "sandbox/dialect", "sandbox/wire/formats"],
    },
    "sandbox/wire/formats": { purpose: "an answer as JSON and as XML, and a body read", imports: [] },
    "sandbox/cloud": {
      purpose: "machines, their transactions and the passing of time, as a file may keep them",
      imports: ["provider/time", "sandbox/chance", "sandbox/dialect", "sandbox/input"],
    },
    "sandbox/dialect": {
      purpose: "what real panels may do differently, a switch for each, and the presets",
      imports: ["sandbox/input"],
    },
    "sandbox/chance": {
      purpose: "what is random, and comes out the same from the same seed",
      imports: ["provider/time"],
    },
    "sandbox/input": { purpose: "readers for what comes from outside, and the error for what is wrong", imports: [] },
  },
  alongside: {
    examples: "a Pulumi project per folder; the end-to-end tests run them",
    test: "mirrors `provider/`, `sandbox/` and `tools/`; `test/house/` guards this map, `test/e2e/` drives the real engine",
    bench: "requests per restore, delay of detection, cost beside the engine",
    docs: "for users; `docs/api/` records what the package declares",
    tools:
      "set-up, test runner, demo, this map; `go.mod` pins the version of the Pulumi CLI that is built, `go/` what else is",
  },
  knownCircles: [["provider/restore/follow.ts", "provider/restore/progress.ts"]],
  knownNamesakes: [
    ["provider/config/words.ts", "provider/panel/words.ts", "provider/restore/words.ts"],
    ["provider/dynamic/failure.ts", "provider/panel/errors/failure.ts"],
    ["provider/feed/types.ts", "provider/panel/types.ts"],
    ["provider/feed/walk.ts", "provider/panel/walk.ts"],
    ["provider/panel/errors/busy.ts", "provider/restore/busy.ts"],
    ["provider/resources/chain.ts", "provider/restore/chain.ts"],
  ],
};
