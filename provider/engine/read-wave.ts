import { isKind, parseRestoreInputs, readChoice, readMachineBefore } from "../inputs/restore-inputs";
import { isOverwritten } from "../inputs/record";
import { nameInUrn } from "../inputs/resource-names";
import { containsUnknown } from "../inputs/read-values";
import { isObject, asList, entriesOf, omit, type Properties } from "../plain/plain";
import { isDefinedAs } from "../plan/definition";
import type { DefinedCheck, DefinedRestore } from "../plan/stored";
import type { WaveCheck, WaveRestore, WaveInput } from "../plan/wave-input";
import { recordIn } from "./outputs";

/** The typed form of a wave's inputs, as the program puts them together. */
export function readWave(inputs: Properties): WaveInput {
  const { plan, run, index, name, round, onFailure, isLastRound, later, earlierReasons, runStartedAt } = inputs;
  const all = plannedIn(inputs);
  const leftOut =
    inputs["isRunLeftOut"] === true
      ? `the run's own record has other restores in wave "${textOrEmpty(name)}" than this program`
      : all.map(([restore, one]) => whyOther(restore, one, textOrEmpty(run))).find((why) => why !== undefined);
  return {
    plan: textOrEmpty(plan),
    run: textOrEmpty(run),
    index: typeof index === "number" ? index : 0,
    name: textOrEmpty(name),
    batch: typeof round === "number" ? round : 0,
    onFailure: onFailure === "continue" ? "continue" : "stop",
    isLastBatch: isLastRound !== false,
    laterWaves: textList(later),
    earlierReasons: textList(earlierReasons),
    ...(typeof runStartedAt === "string" && { runStartedAt }),
    restores: all.map(([restore, one]) => readPlanned(restore, one)),
    ...(leftOut !== undefined && {
      leftOut: `${leftOut}: a part of the plan was left out; run \`pulumi up\` without --target.`,
    }),
  };
}

/** Each restore of the wave as its own resource stands, with what the run's record has of it. */
function plannedIn({ planned, definition, revisions }: Properties): readonly (readonly [string, Properties])[] {
  const [defined, known] = [new Map(entriesOf(definition)), new Map(entriesOf(revisions))];
  return entriesOf(planned).map(([restore, one]) => [
    restore,
    { ...(isObject(one) && one), definition: defined.get(restore), revision: known.get(restore) },
  ]);
}

/** Says how a restore is another one than the run's definition has; undefined if it is that one, at a known revision. */
function whyOther(name: string, { inputs, definition, revision }: Properties, run: string): string | undefined {
  if (!isObject(inputs)) return undefined;
  const [madeIn] = asList(inputs["triggers"]);
  if (typeof madeIn === "string" && madeIn !== run)
    return `restore "${name}" of the plan was made in run "${madeIn}", and this is run "${run}"`;
  const isSame = isObject(definition) && isDefinedAs(inputs, definition as unknown as DefinedRestore);
  return isSame && isObject(revision)
    ? undefined
    : `the run's own record has restore "${name}" otherwise than this program`;
}

function readPlanned(name: string, planned: Properties): WaveRestore {
  const { kind, inputs, posting, record, behind, definition, revision, ...others } = planned;
  if (!isKind(kind) || !isObject(inputs) || !isObject(record)) {
    throw new Error(
      `restore "${name}" of the plan: its own resource is missing from this run; run \`pulumi up\` without --target.`,
    );
  }
  const request = { ...omit(parseRestoreInputs(kind, inputs, "create"), "intent"), name };
  const { checks, recoveryPointTakenAt: asPlanned } = (
    isObject(definition) ? definition : {}
  ) as Partial<DefinedRestore>;
  const { at, checks: checkIds } = isObject(revision) ? revision : {};
  const choice = readChoice(others["choice"]);
  const recoveryPointTakenAt = choice === undefined ? asPlanned : choice.recoveryPointTakenAt;
  const ownRecord = recordIn(record);
  const machineBefore = isObject(behind) ? readMachineBefore(behind) : undefined;
  return {
    name,
    kind,
    request,
    owner: textOrEmpty(posting).split("/")[0] ?? "",
    posting: textOrEmpty(posting),
    record: ownRecord,
    ...(machineBefore && isOverwritten(ownRecord, machineBefore) && { overwrittenBy: nameInUrn(machineBefore.urn) }),
    ...(typeof at === "string" && !containsUnknown(at) && { revision: at }),
    ...(typeof recoveryPointTakenAt === "string" && { recoveryPointTakenAt }),
    ...(choice && { choice }),
    checks: readDefinedChecks(checks).map((check, index) => {
      const id = asList(checkIds)[index];
      return typeof id === "string" ? { ...check, id } : check;
    }),
  };
}

/** The checks of a definition, each with its probe. */
export function readDefinedChecks(checks: unknown): readonly WaveCheck[] {
  return asList(checks).map((check) => {
    const { given: probe, ...shown } = check as DefinedCheck;
    return { ...shown, probe };
  });
}

function textOrEmpty(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function textList(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}
