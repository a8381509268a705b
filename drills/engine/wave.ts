import { randomUUID } from "node:crypto";
import { StoredFailure } from "../../provider/engine/outputs";
import type { Operations } from "../../provider/engine/sanitize";
import { MessageError, messageText } from "../../provider/plain/message";
import { own, type Properties } from "../../provider/plain/plain";
import { readText } from "../../provider/plain/stored-fields";
import type { Session } from "../../provider/restore/session";
import { allAsked, type AskedRestore, askedRestores, isUnsettled, notSettled } from "../judge/asked";
import { formDigest, isSending, openChecks, provenAt } from "../judge/history";
import { required } from "../judge/read";
import { isProofOf } from "../judge/restores";
import type { WaveOptions } from "../inputs/wave-texts";
import { readIntentText, readRecord, type Entry, type IntentText, type WaveRecord } from "../judge/stored";
import { carryOut, stopBecause, type WaveWork } from "./carry-out";
import { notMade, type PlannedWave, refusalOf } from "./entries";
import { type Core, otherPanelText } from "./one-restore";
import {
  Deleted,
  isKnown,
  nothingSent,
  waveNotCompleteText,
  ownOf,
  type PlanProcess,
  rowOf,
  type SeenParts,
} from "./parts";
import { keptTexts, overwrittenTexts, stepsOf, stepsTexts, unusedAdopts, wholeSends } from "./preview";
import { claimRecord, forgottenTexts, recordOfRun } from "./sent-before";

/** The operations of a wave. `create` and `update` carry out the requests stored in its intent. */
export function waveOperations(planProcess: PlanProcess, seen: SeenParts, core: Core): Operations {
  const { engineLog } = planProcess;
  const deleted = new Deleted();
  /** If a hook repeats a failed call, it gets the same outcome, and nothing is sent again. */
  const outcomes = new Map<string, Promise<Properties>>();
  const once = (id: string, inputs: Properties, before: Properties): Promise<Properties> => {
    const key = JSON.stringify([rowOf(inputs), inputs["run"], inputs["__restores"], inputs["__options"]]);
    const outcome = outcomes.get(key) ?? waveOutputs(planProcess, seen, core, id, inputs, before);
    outcomes.set(key, outcome);
    return outcome;
  };
  return {
    check(olds, news) {
      const { inputs, isNew } = seen.check(olds, news);
      // The engine does not call `diff` for a resource that it creates.
      if (isNew) previewWave(planProcess, seen, inputs, {});
      return { inputs, failures: [] };
    },

    diff(_id, olds, news) {
      // Claims the stored transactions, so that no other restore adopts them. Without settings, nothing is adopted at all.
      const session = sessionIn(planProcess);
      if (session !== undefined) claimRecord(session, rowOf(news), recordIn(olds));
      if (!seen.isAsked(news)) return { changes: false };
      return { changes: previewWave(planProcess, seen, news, olds) || olds["record"] === undefined };
    },

    async create(inputs) {
      const id = `wave-${randomUUID()}`;
      const before = deleted.of(inputs);
      if (before["run"] === inputs["run"] && before["record"] !== undefined)
        engineLog.warn(
          rowOf(inputs),
          "the wave was replaced, but its record was kept, so nothing is restored; to restore again, change triggers or the run's name",
        );
      return { id, outs: await once(id, inputs, before) };
    },

    update: async (id, olds, news) => ({ outs: await once(id, news, olds) }),

    /** A refresh leaves a wave unchanged, because the next `up` reads the panel. */
    read: deleted.read,

    delete: async (id, outputs) => {
      // A wave that is still in the program is being replaced, and continues from its record.
      for (const text of seen.isAsked(outputs) ? [] : forgottenTexts(outputs["record"]))
        engineLog.warn(rowOf(outputs), text);
      await deleted.delete(id, outputs);
    },
  };
}

/** Rejects forbidden changes and logs what the wave will do. In a preview, the intent has not requested anything yet. Returns whether to run the wave. */
function previewWave(planProcess: PlanProcess, seen: SeenParts, inputs: Properties, before: Properties): boolean {
  seen.requireAllBefore(inputs);
  if (!isKnown(inputs["run"])) return true;
  const stored = isKnown(inputs["__restores"]) ? intentIn(inputs) : undefined;
  const planned = seen.plannedBefore(inputs);
  const intent: PlannedWave | undefined = stored ?? planned;
  if (intent === undefined) return true;
  const isOtherRun = isOfOtherRun(before, inputs);
  const record = recordOfRun(intent.entries, recordIn(before), isOtherRun, seen, inputs);
  const why = refusalOf(intent, record, seen.laterWave(inputs));
  // If the intent has already requested the refused restores, the wave runs to record that they were not sent.
  if (why !== undefined && stored && madeNow(stored, planProcess.id).length > 0) return true;
  if (why !== undefined) throw new MessageError(why);
  const restores = askedRestores(intent.entries, record);
  const options = isKnown(inputs["__options"]) ? optionsIn(inputs) : undefined;
  const kept = seen.before("open", inputs);
  const address = sessionIn(planProcess)?.client.address;
  const steps = stepsOf(restores, options ?? {}, record, {
    kept,
    incidentAt: planned?.incidentAt,
    newRun: isOtherRun ? readText(inputs["run"]) : undefined,
    isNew: ({ mark }) => mark === notMade || own(stored?.marks ?? {}, mark)?.process === planProcess.id,
    isNamed: planned?.isRemade !== undefined,
    whyNot: (key) => {
      const mark = own(stored?.marks ?? {}, key);
      return mark && address !== undefined ? otherPanelText(mark, address) : undefined;
    },
  });
  // Until the wave is carried out, only these restores are certain to stay incomplete.
  seen.open.set(rowOf(inputs), kept);
  const sends = wholeSends(restores, steps);
  seen.sends.set(rowOf(inputs), sends);
  if (steps.some(({ does }) => isSending(does))) planProcess.namePanel();
  // The restores that have changed since an `up` last dealt with them.
  const unsettled = restores.filter(({ name, asked }) => asked.asked !== undefined && isUnsettled(asked, name, record));
  // Restores that are left alone despite a change are recorded, so that a later `up` leaves them alone too.
  const passedOver = unsettled.filter(({ asked, entry }) => entry !== asked).map(({ name }) => name);
  const texts = [
    ...stepsTexts(steps, restores.length),
    ...keptTexts(passedOver, restores.length),
    ...overwrittenTexts(restores, new Map([...seen.before("sends", inputs), ...sends])),
    ...unusedAdopts(restores, options ?? {}),
  ];
  for (const text of texts) planProcess.engineLog.warn(rowOf(inputs), text);
  return steps.length + unsettled.length > 0 || isOtherRun || stored === undefined || options === undefined;
}

function sessionIn(planProcess: PlanProcess): Session | undefined {
  try {
    return planProcess.session();
  } catch {
    // Invalid settings are reported by the create or update that needs them.
    return undefined;
  }
}

const intentIn = ({ __restores: restores }: Properties): IntentText =>
  required(readIntentText(restores), "the entries of the wave's intent");

const optionsIn = ({ __options: options }: Properties): WaveOptions => JSON.parse(String(options)) as WaveOptions;

const recordIn = ({ record }: Properties): WaveRecord =>
  record === undefined ? { restores: {}, proofs: {} } : required(readRecord(record), "the stored record of this wave");

const isOfOtherRun = (before: Properties, inputs: Properties): boolean =>
  before["record"] !== undefined && before["run"] !== inputs["run"];

async function waveOutputs(
  planProcess: PlanProcess,
  seen: SeenParts,
  core: Core,
  id: string,
  inputs: Properties,
  before: Properties,
): Promise<Properties> {
  seen.requireAllBefore(inputs);
  const run = readText(inputs["run"]);
  const intent = intentIn(inputs);
  const options = optionsIn(inputs);
  const stored = recordOfRun(intent.entries, recordIn(before), isOfOtherRun(before, inputs), seen, inputs);
  const urn = rowOf(inputs);
  const session = planProcess.session();
  const why = refusalOf(intent, stored, seen.laterWave(inputs));
  if (why !== undefined) {
    const record = recordOfRefused(intent, stored, planProcess.id, session.clock.wallTime().toISOString());
    const outs = { ...ownOf(inputs), run, record: JSON.stringify(record), ...keptLogs(before, run) };
    throw new StoredFailure(id, outs, messageText({ ...why, what: `${nothingSent("wave")}: ${why.what}` }));
  }
  const work: WaveWork = {
    marks: intent.marks,
    restores: askedRestores(intent.entries, stored),
    core,
    session,
    up: planProcess.id,
    urn,
    options,
    record: stored,
    openBefore: seen.before("open", inputs),
    isFollowed: seen.isFollowed(inputs),
    quietSince: seen.quietSince,
    engineLog: planProcess.engineLog,
  };
  const done = await carryOut(work);
  const restores = askedRestores(intent.entries, done.record);
  const open = restores.filter(({ happened }) => happened.state !== "complete");
  seen.open.set(urn, new Map(open.map(({ name, entry }) => [entry.machine, name])));
  const record = recordOfDone(work, done.record, restores, run);
  const logs = Object.keys(done.logs).length > 0 ? { logs: JSON.stringify(done.logs) } : keptLogs(before, run);
  const outs = { ...ownOf(inputs), run, record: JSON.stringify(record), ...logs };
  if (Object.keys(done.reasons).length === 0) return outs;
  const text = waveNotCompleteText(done.reasons, restores.length);
  if (inputs["onFailure"] !== "continue") throw new StoredFailure(id, outs, text);
  planProcess.engineLog.warn(urn, text);
  return outs;
}

/** Adds what a later `up` needs to know about each restore: whether it is complete and checked, how many of its requests are settled, and its proof. */
function recordOfDone(
  { options, marks, session }: WaveWork,
  record: WaveRecord,
  restores: readonly AskedRestore[],
  run = "",
): WaveRecord {
  const [proofs, done, settled] = [{ ...record.proofs }, { ...record.done }, { ...record.settled }];
  for (const { name, asked, entry, happened } of restores) {
    const { state, counts } = happened;
    const checks = own(options, name)?.checks ?? [];
    if (asked.asked) settled[name] = allAsked(asked).length;
    Reflect.deleteProperty(done, name);
    if (state !== "complete" || counts === undefined || openChecks(counts, checks).length > 0) continue;
    done[name] = entry.id;
    const [at, panel] = [provenAt(counts), own(marks, entry.mark)?.panel];
    if (at === undefined || panel === undefined || !isProofOf(counts.sent, entry)) continue;
    proofs[name] = { run, panel, at, form: formDigest(entry), asks: checks.map(({ asks }) => asks) };
  }
  return { ...record, proofs, done, settled, panel: session.client.address };
}

/** Records that this process's requests were not sent, so that they may be changed back or removed. */
function recordOfRefused(intent: IntentText, record: WaveRecord, up: string, at: string): WaveRecord {
  const [restores, settled] = [{ ...record.restores }, { ...record.settled }];
  for (const [name, entry] of madeNow(intent, up)) {
    const all = allAsked(entry);
    // An earlier form of the request may have been sent, so nothing is recorded.
    if (notSettled(all, name, record).length > 1) continue;
    const last = restores[name]?.at(-1);
    const isRepeated = last?.did === "stopped" && last.because === "refused" && last.entry === entry.id;
    if (!isRepeated) restores[name] = [...(restores[name] ?? []), { at, entry: entry.id, ...stopBecause("refused") }];
    settled[name] = all.length;
  }
  return { ...record, restores, settled };
}

const madeNow = ({ entries, marks }: IntentText, up: string): readonly [string, Entry][] =>
  Object.entries(entries).filter(([, { mark }]) => own(marks, mark)?.process === up);

function keptLogs({ run, logs }: Properties, ofRun: string | undefined): Properties {
  return run === ofRun && typeof logs === "string" ? { logs } : {};
}
