import { isFinished, recordTable, type RestoreRecord } from "../../provider/inputs/record";
import {
  intentUrnOf,
  nameInUrn,
  pluginTypes,
  restoreUrnOf,
  type ResourceName,
  resourceTypes,
  type ResourceTypes,
  siblingUrn,
} from "../../provider/inputs/resource-names";
import type { RestoreKind } from "../../provider/inputs/restore-table";
import { asList, isObject, omitUndefinedDeep, type Properties } from "../../provider/plain/plain";
import { readStored, readText, readTexts } from "../../provider/plain/stored-fields";
import { endedEvent, entryId, whatHappened, type Happened, type RestoreState } from "./history";
import { judge, lastOf, stateOf, type JudgedWave, type Verdict } from "./judge";
import { findOverwritten, type MachineRestore, type Overwriting, takenOut } from "./overwritten";
import { readChosen, readForm, readIntentText, readPlanText, readRecord, readRun } from "./read";
import type { AskedCheck, Entry, PlanRestore, PlanText, RestoreEvent, StoredRun } from "./stored";

/** A restore of a stack's state, planned or not, in one shape. */
export interface StateRestore extends MachineRestore {
  /** The plan and its wave, if the restore is planned. */
  readonly plan?: string;
  readonly wave?: string;
  readonly kind: RestoreKind;
  /** What is asked for now: the entry of a wave's intent, or made up from an Intent. Absent where nothing was asked for yet. */
  readonly entry?: Entry;
  /** As the plan declares it. */
  readonly planned?: PlanRestore;
  readonly events: readonly RestoreEvent[];
  readonly happened: Happened;
  readonly checks: readonly AskedCheck[];
  /** Without a record, and its resource's creation or update is under way, or broke off. */
  readonly mayBeSent: boolean;
  readonly state: RestoreState;
  readonly overwrittenBy?: Overwriting;
  /** Of a planned restore its wave's. */
  readonly urn: string;
  /** Of a restore without a plan. */
  readonly record?: RestoreRecord;
}

/** A plan as a state has it. */
export interface StatePlan {
  readonly name: string;
  readonly urn: string;
  readonly run: StoredRun;
  /** Undefined if the state keeps it as a secret, or was edited. */
  readonly plan?: PlanText;
  readonly waves: readonly (JudgedWave & {
    readonly urn: string;
    readonly intentUrn: string;
  })[];
  /** Undefined without the plan's text: nothing can be judged. */
  readonly verdict?: Verdict;
}

export interface RestoresOfState {
  readonly restores: readonly StateRestore[];
  readonly plans: readonly StatePlan[];
}

/** A resource of an exported state. */
interface Resource {
  readonly urn: string;
  readonly type: string;
  readonly id: string | undefined;
  readonly name: ResourceName | undefined;
  readonly outputs: Properties;
  /** Replaced, and not deleted yet. */
  readonly isOld: boolean;
  /** Deleted, and not made anew yet. */
  readonly isReplaced: boolean;
  readonly dependencies: readonly string[];
  readonly changedAt: string | undefined;
}

type Unjudged = Omit<StateRestore, "state" | "overwrittenBy">;

/** The restores of a stack's exported deployment, with what happened to each, judged over the whole state; and its plans with their verdicts. */
export function restoresOfState(deployment: unknown): RestoresOfState {
  const fields = isObject(deployment) ? deployment : {};
  const all = asList(fields["resources"]).flatMap((stored) => readResource(stored) ?? []);
  const current = new Map(all.flatMap((one) => (one.isOld ? [] : [[one.urn, one] as const])));
  const operations = asList(fields["pending_operations"]).flatMap((one) => readOperation(one) ?? []);
  const pending = new Set(operations.flatMap((one) => (isStale(one, current) ? [] : [one.urn])));
  const begun = new Set(operations.flatMap(({ madeUnder }) => madeUnder ?? []));
  const plain = all.flatMap((resource) => plainRestore(resource, current, begun) ?? []);
  const read = [...current.values()].flatMap((resource) =>
    resource.name === "PlanRun" ? (readPlan(resource, current, pending) ?? []) : [],
  );
  const planned = read.flatMap(plannedRestores);
  const alone = [...current.values()].flatMap((resource) => intentAlone(resource, current, begun) ?? []);
  const isShown = new Set<Unjudged>([
    ...planned,
    ...plain.filter(({ isOld }) => !isOld).map(({ restore }) => restore),
    ...alone,
  ]);
  const everything: readonly (Unjudged | MachineRestore)[] = [...planned, ...plain.map(({ restore }) => restore)];
  const gone = read.flatMap(({ name: plan, waves }) =>
    waves.flatMap((wave) => {
      const asked = planned.filter((one) => one.plan === plan && one.wave === wave.name).map(({ name }) => name);
      return takenOut(wave.restores, asked);
    }),
  );
  const overwritten = findOverwritten<Unjudged | MachineRestore>([...everything, ...gone]);
  const restores = [...isShown].map((restore): StateRestore => {
    const over = overwritten.get(restore);
    return {
      ...restore,
      state: stateOf(restore, over),
      ...(over && { overwrittenBy: over }),
    };
  });
  const plans = read.map((plan): StatePlan => {
    if (plan.plan === undefined) return plan;
    const others = everything.filter((one) => !("plan" in one) || one.plan !== plan.name);
    const own = [plan.urn, ...plan.waves.flatMap(({ urn, intentUrn }) => [urn, intentUrn])];
    const around = {
      others,
      pending: own.filter((urn) => pending.has(urn)).map(nameInUrn),
      notRun: notRunBetween(plan, current),
    };
    return {
      ...plan,
      verdict: judge({ ...plan.run, plan: plan.plan }, plan.waves, around),
    };
  });
  return { restores, plans };
}

function readResource(stored: unknown): Resource | undefined {
  if (!isObject(stored)) return undefined;
  const { urn, type, id, outputs, dependencies, modified, created } = stored;
  if (typeof urn !== "string" || typeof type !== "string") return undefined;
  return {
    urn,
    type,
    id: readText(id),
    name: resourceName(type),
    outputs: isObject(outputs) ? outputs : {},
    isOld: stored["delete"] === true,
    isReplaced: stored["pendingReplacement"] === true,
    dependencies: readTexts(dependencies) ?? [],
    changedAt: readText(modified) ?? readText(created),
  };
}

function resourceName(type: string): ResourceName | undefined {
  const names = Object.keys(resourceTypes) as readonly ResourceName[];
  return names.find((name) => resourceTypes[name] === type || pluginTypes[name] === type);
}

function typesOf({ type, name }: Resource): ResourceTypes {
  return name !== undefined && pluginTypes[name] === type ? pluginTypes : resourceTypes;
}

/** What the engine was at work on. */
interface Operation {
  readonly type: unknown;
  readonly urn: string;
  /** The id of the intent, if it is a restore without a plan. */
  readonly madeUnder: string | undefined;
}

function readOperation(stored: unknown): Operation | undefined {
  if (!isObject(stored) || !isObject(stored["resource"])) return undefined;
  const { urn, inputs } = stored["resource"];
  return typeof urn === "string" ? { type: stored["type"], urn, madeUnder: intentIdIn(inputs) } : undefined;
}

/** A creation that broke off says nothing once the resource exists: the engine keeps it until a refresh. */
function isStale({ type, urn }: Operation, current: ReadonlyMap<string, Resource>): boolean {
  return type === "creating" && current.get(urn)?.isReplaced === false;
}

function intentIdIn(properties: unknown): string | undefined {
  const intent = isObject(properties) ? properties["intent"] : undefined;
  return isObject(intent) ? readText(intent["id"]) : undefined;
}

type ReadPlan = Omit<StatePlan, "verdict">;

function readPlan(
  resource: Resource,
  current: ReadonlyMap<string, Resource>,
  pending: ReadonlySet<string>,
): ReadPlan | undefined {
  const run = readRun(resource.outputs);
  if (run === undefined) return undefined;
  const { urn } = resource;
  const name = nameInUrn(urn).replace(/-run$/, "");
  const types = typesOf(resource);
  const plan = readPlanText(run.plan);
  const waveUrn = (wave: string): string => siblingUrn(urn, types.Wave, `${name}-wave-${wave}`);
  const intentUrn = (wave: string): string => siblingUrn(urn, types.WaveIntent, `${name}-wave-${wave}-intent`);
  // Without the plan's text its waves are those that the state has.
  const names =
    plan?.waves.map((wave) => wave.name) ??
    [...current.values()].flatMap((one) => waveName(one, name, intentUrn) ?? []);
  return {
    name,
    urn,
    run,
    ...(plan && { plan }),
    waves: names.map((wave) => ({
      ...judgedWave(wave, current.get(intentUrn(wave))?.outputs, current.get(waveUrn(wave))?.outputs),
      isPending: pending.has(waveUrn(wave)),
      urn: waveUrn(wave),
      intentUrn: intentUrn(wave),
    })),
  };
}

function waveName({ urn, name }: Resource, plan: string, intentUrn: (wave: string) => string): string | undefined {
  if (name !== "WaveIntent") return undefined;
  const wave = nameInUrn(urn).slice(`${plan}-wave-`.length, -"-intent".length);
  return intentUrn(wave) === urn ? wave : undefined;
}

/** A wave from the outputs of its two resources. */
export function judgedWave(name: string, intent: Properties | undefined, wave: Properties | undefined): JudgedWave {
  const asked = readIntentText(intent?.["restores"]);
  const panels = Object.entries(asked?.marks ?? {}).map(([key, { panel }]) => [key, panel] as const);
  return {
    name,
    intentRun: asked && readText(intent?.["run"]),
    isPending: false,
    entries: asked?.entries ?? {},
    panels: Object.fromEntries(panels),
    waveRun: readText(wave?.["run"]),
    restores: readRecord(wave?.["record"])?.restores ?? {},
  };
}

function plannedRestores({ name: plan, run, plan: text, waves }: ReadPlan): readonly Unjudged[] {
  return waves.flatMap((wave) => {
    const declared = text?.waves.find(({ name }) => name === wave.name)?.restores ?? {};
    const { entries, restores } = lastOf(run, wave);
    return [...new Set([...Object.keys(declared), ...Object.keys(entries)])].flatMap((name): Unjudged[] => {
      const [planned, entry] = [declared[name], entries[name]];
      const machine = entry?.machine ?? planned?.machine;
      if (machine === undefined) return [];
      const events = restores[name] ?? [];
      const happened = whatHappened(events, entry?.id);
      const panel = entry && wave.panels[entry.mark];
      return [
        {
          name,
          plan,
          wave: wave.name,
          kind: (entry ?? planned)?.paths === undefined ? "VmRestore" : "FileRestore",
          machine,
          ...(panel !== undefined && { panel }),
          ...(entry && { entry }),
          ...(planned && { planned }),
          events,
          happened,
          attempts: happened.attempts,
          counts: happened.counts,
          checks: planned?.checks ?? [],
          mayBeSent: wave.isPending && entry !== undefined,
          urn: wave.urn,
        },
      ];
    });
  });
}

/**
 * A restore without a plan, with its record turned into events. The entry is made up of its intent, which says what is asked for now; without an intent, of what
 * its record was made for.
 */
function plainRestore(
  resource: Resource,
  current: ReadonlyMap<string, Resource>,
  begun: ReadonlySet<string>,
): { readonly restore: Unjudged; readonly isOld: boolean } | undefined {
  const kind = resource.name === "VmRestore" || resource.name === "FileRestore" ? resource.name : undefined;
  if (kind === undefined) return undefined;
  const { urn, outputs, isOld } = resource;
  const intent = current.get(intentUrnOf(urn, kind, typesOf(resource)));
  const form = readForm({
    ...outputs,
    machine: outputs["virtualMachineId"],
    point: outputs["recoveryPointId"],
  });
  const asked = isOld ? undefined : intent && askedFor(intent.outputs);
  const machine = asked?.machine ?? form?.machine ?? readText(outputs["virtualMachineId"]);
  const madeUnder = intentIdIn(outputs);
  const record = omitUndefinedDeep(readStored(recordTable, outputs)) as RestoreRecord;
  const mark = isObject(intent?.outputs["mark"]) ? intent.outputs["mark"] : record.mark;
  const panel = mark && readText(mark.panel);
  const askedId = isOld ? madeUnder : (intent?.id ?? madeUnder);
  const entryForm = asked ?? form;
  const events = eventsOf(
    record,
    madeUnder ?? entryId("", urn, form ?? { machine: machine ?? "", point: "" }, undefined),
    form?.machine ?? machine,
    form,
  );
  const happened = whatHappened(events, askedId);
  return {
    isOld,
    restore: {
      name: nameInUrn(urn),
      kind,
      machine,
      ...(panel !== undefined && { panel }),
      ...(entryForm &&
        askedId !== undefined && {
          entry: { id: askedId, mark: "", ...entryForm },
        }),
      events,
      happened,
      attempts: happened.attempts,
      counts: happened.counts,
      checks: [],
      mayBeSent: askedId !== undefined && begun.has(askedId),
      urn,
      record,
    },
  };
}

/** An intent of which no restore is stored: nobody knows if it was sent. */
function intentAlone(
  resource: Resource,
  current: ReadonlyMap<string, Resource>,
  begun: ReadonlySet<string>,
): Unjudged | undefined {
  if (resource.name !== "Intent" || resource.id === undefined) return undefined;
  const { outputs, id } = resource;
  const kind = outputs["kind"] === "FileRestore" ? "FileRestore" : "VmRestore";
  const urn = restoreUrnOf(resource.urn, kind, typesOf(resource));
  if (current.has(urn)) return undefined;
  const asked = askedFor(outputs);
  const panel = isObject(outputs["mark"]) ? readText(outputs["mark"]["panel"]) : undefined;
  const happened = whatHappened([], id);
  return {
    name: nameInUrn(urn),
    kind,
    machine: asked?.machine ?? readText(outputs["virtualMachineId"]),
    ...(panel !== undefined && { panel }),
    ...(asked && { entry: { id, mark: "", ...asked } }),
    events: [],
    happened,
    attempts: [],
    checks: [],
    mayBeSent: begun.has(id),
    urn,
  };
}

/** What an intent was made for, with the choice of a rule. */
function askedFor(outputs: Properties): Omit<Entry, "id" | "mark"> | undefined {
  const { recoveryPoint, recoveryPointId, choice } = outputs;
  const form = readForm({
    ...outputs,
    machine: outputs["virtualMachineId"],
    point: recoveryPoint ?? recoveryPointId,
  });
  if (form === undefined) return undefined;
  const chosen = isObject(choice)
    ? readChosen({
        ...choice,
        id: recoveryPointId,
        takenAt: choice["recoveryPointTakenAt"],
      })
    : undefined;
  return { ...form, ...(chosen && { chosen }) };
}

function eventsOf(
  record: RestoreRecord,
  entry: string,
  machine: string | undefined,
  form: { readonly point: unknown; readonly paths?: readonly string[] } | undefined,
): readonly RestoreEvent[] {
  const { status, transactionIds, requestedAt, finishedAt, adopted } = record;
  const at = requestedAt ?? finishedAt ?? "";
  const point = typeof form?.point === "string" ? { point: form.point } : {};
  const sent = {
    up: "",
    ...(machine !== undefined && { machine }),
    ...point,
    ...(form?.paths && { paths: form.paths }),
  };
  const events: RestoreEvent[] = [
    adopted
      ? { at, entry, did: "adopted", why: "found", ...sent }
      : { at, entry, did: "posted", answer: "accepted", ...sent },
  ];
  if (transactionIds.length > 0) events.push({ at, entry, did: "listed", ids: transactionIds });
  events.push(
    isFinished(status)
      ? { at: finishedAt ?? at, entry, ...endedEvent(status, record) }
      : { at, entry, did: "stopped", sent: "yes", why: `is ${status}`, status },
  );
  return events;
}

/** Resources between the waves that were last changed before the run began. */
function notRunBetween({ run, waves }: ReadPlan, current: ReadonlyMap<string, Resource>): readonly string[] {
  const began = Date.parse(run.startedAt);
  const urns = new Set(waves.slice(1).flatMap(({ intentUrn }) => current.get(intentUrn)?.dependencies ?? []));
  return [...urns].flatMap((urn) => {
    const one = current.get(urn);
    if (one === undefined || one.name !== undefined || one.changedAt === undefined || one.id === undefined) return [];
    return Date.parse(one.changedAt) < began ? [nameInUrn(urn)] : [];
  });
}
