import { randomUUID } from "node:crypto";
import { createRequire } from "node:module";
import { hostname, userInfo } from "node:os";
import type { CheckResult } from "../inputs/check-restore";
import { childPath, type ReadContext, textProblem } from "../inputs/problems";
import { withProgramsAlone } from "../inputs/read-check";
import { timeProblem, containsUnknown, unknownString } from "../inputs/read-values";
import { isObject, asList, entriesOf, type Properties, deepEqual } from "../plain/plain";
import { readTexts } from "../plain/stored-fields";
import { errorMessage, firstFew } from "../plain/text";
import { isOfNotes } from "../plan/changes";
import {
  changedPaths,
  changesOf,
  definitionText,
  readDefinition,
  revisionsOf,
  type RunFacts,
} from "../plan/definition";
import { detectPipeline } from "../plan/pipeline";
import { readRevisions, readRun } from "../plan/read-stored";
import { hidden, type StoredChange, type StoredRun } from "../plan/stored";
import { whyRefused } from "./check-allowed";
import { type Operations, sanitizedProperties } from "./sanitize";
import { type EngineLog, flushingLog } from "./engine-log";
import { plainFailure } from "./outputs";
import { checkPlanResource } from "./plan-check";
import type { ProviderProcess } from "./process";

/** The properties from the program. All others are found out when a run begins. */
const programInputs = [
  "plan",
  "run",
  "kind",
  "asGiven",
  "definition",
  "incidentAt",
  "notes",
  "records",
  "__provider",
] as const;

/**
 * The operations of a plan's first resource. The engine saves it before anything is posted. It is always updated in
 * place, so each run finds the previous one.
 */
export function planRunOperations(providerProcess: ProviderProcess): Operations {
  const begunHere = (): BegunHere => ({
    process: providerProcess.id,
    panel: providerProcess.session(undefined).client.address,
  });
  return {
    check: (olds, news) =>
      withDefinitionAsText(withRecordsKept(olds, withMachinesAllowed(providerProcess, checkRun(olds, news)))),

    diff: (_id: string, olds: Properties, news: Properties) => ({
      changes:
        // A state of an earlier release: an output that it does not have is unknown in every preview.
        !Array.isArray(olds["history"]) ||
        !isObject(olds["revisions"]) ||
        programInputs.some((name) => containsUnknown(news[name]) || !isSameInput(name, olds[name], news[name])),
    }),

    create(inputs: Properties): Promise<{ id: string; outs: Properties }> {
      return withNothingSent(providerProcess.engineLog, () => ({
        id: `run-${randomUUID()}`,
        outs: newRun(inputs, begunHere()),
      }));
    },

    update(_id: string, olds: Properties, news: Properties): Promise<{ outs: Properties }> {
      return withNothingSent(providerProcess.engineLog, () => ({
        outs: olds["run"] === news["run"] ? amendedRun(olds, news) : nextRun(olds, news, begunHere()),
      }));
    },

    read: (id: string, outputs: Properties) => Promise.resolve({ id, props: outputs }),
    delete: () => Promise.resolve(),
  };
}

/** A definition is the same in any order of its parts, and in an earlier release's form. */
function isSameInput(name: (typeof programInputs)[number], before: unknown, after: unknown): boolean {
  if (deepEqual(before, after)) return true;
  return name === "definition" && deepEqual(readDefinition(before), readDefinition(after));
}

const checkRun = checkPlanResource((inputs: Properties, context: ReadContext): void => {
  const checkValue = (value: unknown, path: string, problemOf: (value: unknown) => string | undefined): void => {
    if (value === undefined || value === null || containsUnknown(value)) return;
    const problem = problemOf(value);
    if (problem !== undefined) context.problems.add(path, problem);
  };
  checkValue(inputs["run"] ?? "", "run", (value) =>
    // All secrets are stored alike, so the previous run would pass for this one.
    value === hidden ? secretProblem("and secrets do not tell one run from the next") : textProblem(value, 200),
  );
  checkValue(inputs["incidentAt"], "incidentAt", plainTimeProblem);
  for (const [name, note] of entriesOf(inputs["notes"]))
    checkValue(note, childPath("notes", name), (value) => textProblem(value, 2_000));
  const { waves } = isObject(inputs["asGiven"]) ? inputs["asGiven"] : {};
  for (const [index, wave] of asList(waves).entries()) {
    for (const [name, restore] of entriesOf(isObject(wave) ? wave["restores"] : undefined)) {
      const path = childPath(childPath(childPath("waves", index), "restores"), name);
      if (!isObject(restore)) continue;
      checkValue(restore["recoveryPointTakenAt"], childPath(path, "recoveryPointTakenAt"), plainTimeProblem);
    }
  }
});

/** The program gives the definition in parts. A text of which a part is not known yet is not known either. */
function withDefinitionAsText({ inputs, failures }: CheckResult): CheckResult {
  const { definition } = sanitizedProperties({ definition: inputs["definition"] });
  if (!isObject(definition)) return { inputs, failures };
  const text = containsUnknown(definition) ? unknownString : definitionText(definition);
  return { inputs: { ...inputs, definition: text }, failures };
}

/** The whole plan is refused before any of it is carried out: without a preview, the waves before the machine would be sent. */
function withMachinesAllowed(
  providerProcess: Pick<ProviderProcess, "whyNotAllowed">,
  { inputs, failures }: CheckResult,
): CheckResult {
  const { waves } = isObject(inputs["asGiven"]) ? inputs["asGiven"] : {};
  const refused = new Map<string, readonly [string, ...string[]]>();
  for (const [index, wave] of asList(waves).entries()) {
    for (const [name, restore] of entriesOf(isObject(wave) ? wave["restores"] : undefined)) {
      const machine = isObject(restore) ? restore["virtualMachineId"] : undefined;
      // The restore's own `check` is handed a secret.
      const why = machine === hidden ? undefined : whyRefused(providerProcess, machine);
      if (why === undefined) continue;
      const property = childPath(childPath(childPath("waves", index), "restores"), name);
      const before = refused.get(why);
      refused.set(why, before === undefined ? [property] : [...before, property]);
    }
  }
  // A list that cannot be read is the same problem for every machine.
  const told = [...refused].map(([why, properties]) => ({
    property: properties[0],
    reason: `${firstFew(properties, 2)}: ${why}`,
  }));
  return { inputs, failures: [...failures, ...told] };
}

/** A run that has begun keeps the records of its waves, which say what happened: of a wave, and of each round in which it restores a machine again. */
function withRecordsKept(olds: unknown, { inputs, failures }: CheckResult): CheckResult {
  if (!isObject(olds) || olds["run"] !== inputs["run"] || containsUnknown(inputs["asGiven"])) {
    return { inputs, failures };
  }
  const kept = recordsIn(inputs);
  const gone = recordsIn(olds).filter((name) => !kept.includes(name));
  const refused = gone.map((record) => {
    const [name = "", round] = record.split(":");
    const why =
      round === undefined
        ? "a wave cannot be taken out or renamed during a run. Leave it in, with restores: {}, or begin a new run"
        : "in a wave that restores a machine more than once, these restores cannot become fewer during a run. Leave them in, or begin a new run";
    return {
      property: "waves",
      reason: `waves: ${round === undefined ? "" : `${round} of `}wave "${name}" is in the run "${String(inputs["run"])}", which has begun, and its record says what happened in it: ${why}. Nothing was sent.`,
    };
  });
  return { inputs, failures: [...failures, ...refused] };
}

/** In a state of an earlier release the names of the waves. */
function recordsIn({ records, asGiven }: Properties): readonly string[] {
  const waves = asList(isObject(asGiven) ? asGiven["waves"] : undefined);
  return readTexts(records ?? waves.map((wave) => (isObject(wave) ? wave["name"] : undefined))) ?? [];
}

function plainTimeProblem(value: unknown): string | undefined {
  return value === hidden ? secretProblem("so the times measured from it could not be shown") : timeProblem(value);
}

const secretProblem = (why: string): string => ` is a secret, ${why}: give it in plain`;

/** The facts of a stored run; without the secrets in a state of an earlier release. */
function factsOf({ asGiven, kind, incidentAt, notes, ...others }: Properties): RunFacts {
  return {
    asGiven: withProgramsAlone(asGiven),
    definition: readDefinition(others["definition"]),
    kind,
    incidentAt,
    notes,
  };
}

function revisionsAfter(news: Properties, olds: Properties = {}): NonNullable<StoredRun["revisions"]> {
  const definition = readDefinition(news["definition"]);
  if (definition === undefined) throw new Error("The definition of the plan is missing.");
  const before = { definition: readDefinition(olds["definition"]), revisions: readRevisions(olds) };
  return revisionsOf(randomUUID().slice(-12), definition, before);
}

/** Where a run begins. */
type BegunHere = Required<Pick<StoredRun, "process" | "panel">>;

function newRun(inputs: Properties, here: BegunHere, before?: Properties): Properties {
  const facts: Omit<StoredRun, (typeof programInputs)[number]> = {
    formatVersion: 1,
    // On another panel a machine is another one.
    revisions: revisionsAfter(inputs, before?.["panel"] === here.panel ? before : undefined),
    history: [],
    startedAt: new Date().toISOString(),
    ...whoRunsThis(),
    versions: versions(),
    ...here,
  };
  return { ...inputs, ...facts };
}

function whoRunsThis(): Pick<StoredRun, "by" | "pipeline"> {
  const user = userName();
  const pipeline = detectPipeline(process.env);
  return { by: { ...(user !== undefined && { user }), host: hostname() }, ...(pipeline && { pipeline }) };
}

/** A new run of the plan, with what is other than when the previous one began. */
function nextRun(olds: Properties, news: Properties, here: BegunHere): Properties {
  const now = newRun(news, here, olds);
  const { run, startedAt } = readRun(olds);
  if (run === undefined || startedAt === undefined) return now;
  const { begunWith } = olds;
  const before = factsOf({ ...olds, ...(isObject(begunWith) && begunWith) });
  const paths = changedPaths(before, factsOf(now));
  return { ...now, previous: { run, startedAt }, changed: paths.length > 0, changedPaths: paths };
}

/** The first changes and the last ones that are kept, of each as many. */
const maxChanges = 20;

/** Those of notes alone, which warn of nothing, push out no other one. */
function firstAndLast<Change extends Parameters<typeof isOfNotes>[0]>(history: readonly Change[]): readonly Change[] {
  const ends = (of: readonly Change[]): readonly Change[] => [...of.slice(0, maxChanges), ...of.slice(-maxChanges)];
  const kept = new Set([...ends(history.filter(isOfNotes)), ...ends(history.filter((one) => !isOfNotes(one)))]);
  return history.filter((one) => kept.has(one));
}

/** The same run with a plan, or notes, changed meanwhile. Its start, and who began it, stay; the change is added to its history. */
function amendedRun(olds: Properties, news: Properties): Properties {
  const kept = Object.fromEntries(
    Object.entries(olds).filter(([name]) => !leftBehind.has(name) && !programInputs.some((input) => input === name)),
  );
  const { history: before = [] } = readRun(olds);
  const next: Properties = { ...kept, ...news, revisions: revisionsAfter(news, olds), history: before };
  const changes = changesOf(factsOf(olds), factsOf(next));
  if (changes.length === 0) return next;
  const history = [...before, { at: new Date().toISOString(), ...whoRunsThis(), changes } satisfies StoredChange];
  const { begunWith = { asGiven: olds["asGiven"], definition: olds["definition"] } } = olds;
  return { ...next, begunWith, history: firstAndLast(history) };
}

/** Outputs of earlier releases. */
const leftBehind: ReadonlySet<string> = new Set(["amended", "digest", "key", "hashes", "lastRevision"]);

function userName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a user id that has no name.
    return process.env["USER"] ?? process.env["USERNAME"];
  }
}

function versions(): StoredRun["versions"] {
  const load = createRequire(__filename);
  const versionOf = (file: string): string | undefined => {
    try {
      const { version } = load(file) as { readonly version?: unknown };
      return typeof version === "string" ? version : undefined;
    } catch {
      return undefined;
    }
  };
  const own = versionOf("pulumi-recovery/package.json") ?? versionOf("../../../package.json");
  const sdk = versionOf("@pulumi/pulumi/package.json");
  return {
    ...(own !== undefined && { "pulumi-recovery": own }),
    ...(sdk !== undefined && { "@pulumi/pulumi": sdk }),
    node: process.versions.node,
  };
}

/** Adds to an error that no restore was sent: everything else of the plan comes after this resource. */
function withNothingSent<T>(engineLog: EngineLog, work: () => T): Promise<T> {
  return flushingLog(engineLog, () => {
    try {
      return work();
    } catch (error) {
      const why = errorMessage(error);
      throw plainFailure(new Error(`${why}${why.includes("\n") ? "\n" : " "}No restore of the plan was sent.`));
    }
  });
}
