import type { Adopt } from "../inputs/read-values";
import type { RestoreKind } from "../inputs/restore-table";
import { isOverwritten } from "../inputs/record";
import { nameInUrn } from "../inputs/resource-names";
import { isKind, parseRestoreInputs, readChoice, readMachineBefore } from "../inputs/restore-inputs";
import { isObject, asList, type Properties, omit } from "../plain/plain";
import type { WaveCheck, WaveRestore, WaveInput } from "../plan/wave-input";
import { definitionOf, keyIn, madeForHash } from "../plan/made-for";
import { recordIn } from "./outputs";

/** The typed form of a wave's inputs, as the program puts them together. */
export function readWave(inputs: Properties): WaveInput {
  const { plan, run, index, name, round, onFailure, isLastRound, later, earlierReasons, incidentAt } = inputs;
  const { runStartedAt, asked, probes, madeFor } = inputs;
  const restores = Object.entries(isObject(asked) ? asked : {}).map(([restore, value]) =>
    readAskedRestore(
      restore,
      isObject(value) ? value : {},
      isObject(probes) ? probes[restore] : undefined,
      textOrEmpty(run),
      madeFor,
    ),
  );
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
    ...(typeof incidentAt === "string" && { incidentAt }),
    ...(typeof runStartedAt === "string" && { runStartedAt }),
    restores,
  };
}

function readAskedRestore(
  name: string,
  value: Properties,
  probes: unknown,
  run: string,
  madeFor: unknown,
): WaveRestore {
  const { kind, urn, inputs, intentId, restoreId, record, goals, checks } = value;
  if (!isKind(kind) || !isObject(inputs) || !isObject(record)) {
    throw new Error(
      `restore "${name}" of the plan: its own resource is missing from this run; run \`pulumi up\` without --target.`,
    );
  }
  if (typeof value["run"] === "string" && value["run"] !== run) {
    throw new Error(
      `restore "${name}" of the plan was made in run "${value["run"]}", and this is run "${run}": its own resource was left out; ` +
        "run `pulumi up` without --target.",
    );
  }
  const plan = omit(parseRestoreInputs(kind, inputs, "create"), "intent");
  const owner = textOrEmpty(intentId);
  const hashes = hashesIn(madeFor, name, kind, probes);
  const choice = readChoice(value["choice"]);
  const { recoveryPointTakenAt } = choice ?? value;
  const ownRecord = recordIn(record);
  const machineBefore = isObject(value["behind"]) ? readMachineBefore(value["behind"]) : undefined;
  return {
    name,
    urn: textOrEmpty(urn),
    kind,
    request: { ...plan, name },
    owner,
    posting: postingIdOf(owner, textOrEmpty(restoreId), plan.adopt),
    record: ownRecord,
    ...(machineBefore && isOverwritten(ownRecord, machineBefore) && { overwrittenBy: nameInUrn(machineBefore.urn) }),
    ...hashes,
    ...(typeof recoveryPointTakenAt === "string" && { recoveryPointTakenAt }),
    ...(choice && { choice }),
    goals: isObject(goals) ? goals : {},
    checks: readAskedChecks(checks, probes),
  };
}

function hashesIn(
  madeFor: unknown,
  name: string,
  kind: RestoreKind,
  probes: unknown,
): Pick<WaveRestore, "madeFor" | "definition"> {
  if (!isObject(madeFor) || !isObject(madeFor["restores"])) return {};
  const [key, target] = [keyIn(madeFor), madeFor["restores"][name]];
  if (key === undefined || !isObject(target)) return {};
  const hash = madeForHash(key, kind, target);
  const definition = definitionOf(key, kind, target, probes);
  return { ...(hash !== undefined && { madeFor: hash }), ...(definition !== undefined && { definition }) };
}

/** Identifies a posting among all postings of the same restore. Stays the same when the restore is looked at again. */
export function postingIdOf(owner: string, restoreId: string, adopt: Adopt): string {
  return `${owner}/${restoreId}${adopt === "auto" || adopt === "never" ? "" : `/${adopt}`}`;
}

/** The checks as shown, each with its probe. */
export function readAskedChecks(checks: unknown, probes: unknown): readonly WaveCheck[] {
  return asList(checks).map((check, index) => ({
    ...(check as Omit<WaveCheck, "probe">),
    probe: Array.isArray(probes) ? (probes as readonly unknown[])[index] : undefined,
  }));
}

function textOrEmpty(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function textList(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}
