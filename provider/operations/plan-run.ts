import { hostname, userInfo } from "node:os";
import { createRequire } from "node:module";
import { randomUUID } from "node:crypto";
import { changedPaths, digestOf } from "../plan/digest";
import { pipelineOf } from "../plan/pipeline";
import { at, textProblem, type Reader } from "../plan/read/problems";
import { stampProblem } from "../plan/read/stamp";
import type { StoredPlan, StoredRun } from "../plan/stored";
import { plainFailure } from "./failure";
import { configure, panelSite, voice } from "../dynamic/here";
import { without } from "../plain/without";
import { messageOf } from "../text/message-of";
import type { Properties } from "./outputs";
import type { CheckResult } from "./check";
import { checkPlanPart } from "./plan-check";
import { planOutputs } from "./plan-failure";
import { expectRestores } from "./plan-step";
import { isObject } from "./rules";
import { same } from "./same";
import { containsUnknown } from "./unknown";

/** What the program hands in; everything else is found out when a run begins. */
const given = ["plan", "run", "kind", "asGiven", "incidentAt", "notes", "__provider"] as const;

/**
 * The engine's side of a plan's first resource. The engine has saved it before anything is posted. It is updated in place for ever, so
 * that each run finds what the one before it was.
 */
export const planRunProvider = {
  configure,

  /** Called by every run before anything else of the plan, also when nothing of it has changed. */
  check(olds: unknown, news: unknown): CheckResult {
    const checked = checkedRun(olds, news);
    expectRestores(checked.inputs["expected"]);
    return checked;
  },

  diff: (_id: string, olds: Properties, news: Properties) => ({
    changes: given.some((name) => containsUnknown(news[name]) || !same(olds[name], news[name])),
  }),

  create(inputs: Properties): Promise<{ id: string; outs: Properties }> {
    return saved(() => ({ id: `run-${randomUUID()}`, outs: planOutputs({ ...begun(inputs) }) }));
  },

  update(_id: string, olds: Properties, news: Properties): Promise<{ outs: Properties }> {
    return saved(() => ({
      outs: planOutputs(olds["run"] === news["run"] ? amended(olds, news) : following(olds, news)),
    }));
  },

  read: (id: string, outputs: Properties) => Promise.resolve({ id, props: outputs }),
  delete: () => Promise.resolve(),
};

const checkedRun = checkPlanPart((inputs: Properties, reader: Reader): void => {
  const leaf = (value: unknown, path: string, problemOf: (value: unknown) => string | undefined): void => {
    if (value === undefined || value === null || containsUnknown(value)) return;
    const problem = problemOf(value);
    if (problem !== undefined) reader.problems.add(path, problem);
  };
  leaf(inputs["run"] ?? "", "run", (value) => textProblem(value, 200));
  leaf(inputs["incidentAt"], "incidentAt", stampProblem);
  for (const [name, note] of entriesOf(inputs["notes"]))
    leaf(note, at("notes", name), (value) => textProblem(value, 2_000));
  const { waves } = isObject(inputs["asGiven"]) ? inputs["asGiven"] : {};
  for (const [index, wave] of (Array.isArray(waves) ? (waves as readonly unknown[]) : []).entries()) {
    for (const [name, restore] of entriesOf(isObject(wave) ? wave["restores"] : undefined)) {
      const path = at(at(at("waves", index), "restores"), name);
      if (!isObject(restore)) continue;
      leaf(restore["recoveryPointTakenAt"], at(path, "recoveryPointTakenAt"), stampProblem);
    }
  }
});

function entriesOf(value: unknown): readonly [string, unknown][] {
  return isObject(value) ? Object.entries(value) : [];
}

/** What the restores are checked with is for this process, not for the record. */
function recorded(inputs: Properties): Properties {
  return without(inputs, "expected");
}

function begun(inputs: Properties): Properties {
  const user = userName();
  const facts: Omit<StoredRun, "plan" | "run" | "kind" | "asGiven" | "incidentAt" | "notes"> = {
    formatVersion: 1,
    digest: digestOf(inputs["asGiven"] as StoredPlan),
    amended: [],
    startedAt: new Date().toISOString(),
    by: { ...(user !== undefined && { user }), host: hostname() },
    ...pipeline(),
    versions: versions(),
    panel: panelSite(undefined).client.address,
  };
  return { ...recorded(inputs), ...facts };
}

function pipeline(): Pick<StoredRun, "pipeline"> {
  const found = pipelineOf(process.env);
  return found === undefined ? {} : { pipeline: found };
}

/** A new run of the plan: what it was before is told apart from what it is. */
function following(olds: Properties, news: Properties): Properties {
  const now = begun(news);
  const { run, digest, startedAt } = olds;
  if (typeof run !== "string" || typeof digest !== "string" || typeof startedAt !== "string") return now;
  const changed = digest !== now["digest"];
  const paths = changed ? changedPaths(olds["asGiven"], news["asGiven"]) : [];
  return { ...now, previous: { run, digest, startedAt }, changed, changedPaths: paths };
}

const mostAmendments = 50;

/** The same run goes on with a plan, or notes, that were changed meanwhile. When it began, and who began it, stays. */
function amended(olds: Properties, news: Properties): Properties {
  const kept = Object.fromEntries(Object.entries(olds).filter(([name]) => !given.some((input) => input === name)));
  const next = { ...kept, ...recorded(news) };
  const digest = digestOf(news["asGiven"] as StoredPlan);
  if (digest === olds["digest"]) return next;
  const paths = changedPaths(olds["asGiven"], news["asGiven"]);
  const before = Array.isArray(olds["amended"]) ? (olds["amended"] as StoredRun["amended"]) : [];
  const previous = isObject(olds["previous"]) ? olds["previous"] : undefined;
  const changed = previous === undefined ? undefined : previous["digest"] !== digest;
  const known = Array.isArray(olds["changedPaths"]) ? (olds["changedPaths"] as readonly string[]) : [];
  return {
    ...next,
    digest,
    amended: [...before, { at: new Date().toISOString(), digest, paths }].slice(-mostAmendments),
    ...(changed !== undefined && {
      changed,
      changedPaths: changed ? [...new Set([...known, ...paths])].slice(0, 100) : [],
    }),
  };
}

function userName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a number that has no name.
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

/** A run that cannot be saved posts nothing: everything else of the plan comes after it. */
async function saved<T>(work: () => T): Promise<T> {
  try {
    return work();
  } catch (error) {
    const why = messageOf(error);
    throw plainFailure(new Error(`${why}${why.includes("\n") ? "\n" : " "}No restore of the plan was sent.`));
  } finally {
    await voice.settled();
  }
}
