import { randomUUID } from "node:crypto";
import { StoredFailure } from "../../provider/engine/outputs";
import { timeoutsIn } from "../../provider/inputs/restore-inputs";
import { own, type Properties } from "../../provider/plain/plain";
import { readText } from "../../provider/plain/stored-fields";
import { quietTimeMs, type Session } from "../../provider/restore/session";
import { formDigest, openChecks, provenAt, whatHappened } from "../judge/history";
import { isOfUnknownPaths } from "../judge/restores";
import { readEarlier, readIntentText, readOptions, readRecord } from "../judge/read";
import type { AskedCheck, IntentText, Proof, WaveOptions, WaveRecord } from "../judge/stored";
import { carryOut, type WaveDone } from "./carry-out";
import { type Core, otherPanelText } from "./one-restore";
import {
  checkNothing,
  Deleted,
  isKnown,
  logged,
  waveNotCompleteText,
  ownOf,
  type PlanOperations,
  type PlanProcess,
  requirePlanned,
  rowOf,
} from "./parts";
import { claimRecord, recordOfNewRun } from "./sent-before";
import { stepsOf, stepsText, unusedAdopts } from "./preview";

const notCarriedOut = "nothing of this wave was sent, and the next `pulumi up` carries it out";

/** A wave: its `create` and its `update` carry out what its intent has stored. */
export function waveOperations(planProcess: PlanProcess, core: Core): PlanOperations {
  const { engineLog } = planProcess;
  const deleted = new Deleted();
  /** A hook that repeats a failed call gets the same outcome, and nothing is sent again. */
  const outcomes = new Map<string, Promise<Properties>>();
  const once = (id: string, inputs: Properties, before: Properties): Promise<Properties> => {
    const key = JSON.stringify([rowOf(inputs), inputs["run"], inputs["__restores"], inputs["__options"]]);
    const outcome = outcomes.get(key) ?? waveOutputs(planProcess, core, id, inputs, before);
    outcomes.set(key, outcome);
    return outcome;
  };
  return {
    check: checkNothing,

    diff: (_id, olds, news) =>
      logged(engineLog, notCarriedOut, () => {
        requirePlanned(news);
        const stored = recordIn(olds, readText(olds["run"]));
        claimStored(planProcess, rowOf(news), stored);
        const record = olds["run"] === news["run"] ? stored : recordOfNewRun(stored);
        if (!isKnown(news["run"])) return { changes: true };
        const isWhole = isKnown(news["__restores"], news["__options"]);
        const options = isKnown(news["__options"]) ? optionsIn(news) : {};
        const { entries, marks = {} }: Partial<IntentText> = isKnown(news["__restores"]) ? intentIn(news) : {};
        const address = sessionIn(planProcess)?.client.address;
        const whyNot = (key: string): string | undefined => {
          const mark = own(marks, key);
          return mark && address !== undefined ? otherPanelText(mark, address) : undefined;
        };
        const steps = stepsOf(entries, record.restores, options, (name) => checksIn(options, name), whyNot);
        // The intent reports what is sent for its own changes, before and after it changes in this run.
        const isNew = new Set(newEntries(news, planProcess.id));
        const told = isWhole
          ? steps.filter(({ does, name }) => does !== "send" || !isNew.has(name))
          : steps.filter(({ does }) => does === "repeat");
        const total = Object.keys(entries ?? record.restores).length;
        if (told.length > 0) engineLog.warn(rowOf(news), stepsText(told, total, quietSecondsIn(planProcess, options)));
        for (const text of unusedAdopts(entries ?? {}, record.restores, options)) engineLog.warn(rowOf(news), text);
        return { changes: !isWhole || steps.length > 0 || olds["run"] !== news["run"] || olds["record"] === undefined };
      }),

    create: (inputs) =>
      logged(engineLog, notCarriedOut, async () => {
        const id = `wave-${randomUUID()}`;
        const before = deleted.of(inputs);
        if (before["run"] === inputs["run"] && before["record"] !== undefined)
          engineLog.warn(
            rowOf(inputs),
            "made anew from its own record, and nothing is restored again for that: new triggers or a new run restore",
          );
        return { id, outs: await once(id, inputs, before) };
      }),

    update: (id, olds, news) => logged(engineLog, notCarriedOut, async () => ({ outs: await once(id, news, olds) })),

    /** A refresh leaves a wave as it is: the next `up` looks. */
    read: deleted.read,
    delete: deleted.delete,
  };
}

/** Transactions that a process has seen stored for a restore are not taken by any other restore. Without settings nothing is taken either. */
function claimStored(planProcess: PlanProcess, urn: string, record: WaveRecord): void {
  const session = sessionIn(planProcess);
  if (session !== undefined) claimRecord(session, urn, record);
}

function sessionIn(planProcess: PlanProcess): Session | undefined {
  try {
    return planProcess.session(undefined);
  } catch {
    // The create or update that needs the settings reports what is wrong with them.
    return undefined;
  }
}

/** How long a later attempt of a restore looks before it posts. */
function quietSecondsIn(planProcess: PlanProcess, options: WaveOptions): (name: string) => number | undefined {
  const session = sessionIn(planProcess);
  return (name) => session && quietTimeMs(session, timeoutsIn({ timeouts: options[name]?.timeouts }).listedMs) / 1_000;
}

function checksIn(options: WaveOptions, name: string): readonly AskedCheck[] {
  return own(options, name)?.checks ?? [];
}

function intentIn({ __restores: restores }: Properties): IntentText {
  const stored = readIntentText(restores);
  if (stored === undefined) throw new Error("the entries of the wave's intent cannot be read: was the state edited?");
  return stored;
}

function newEntries({ __restores: restores }: Properties, up: string): readonly string[] {
  const { entries = {}, marks = {} } = readIntentText(restores) ?? {};
  return Object.entries(entries).flatMap(([name, entry]) =>
    entry.up === up || marks[entry.mark]?.process === up ? [name] : [],
  );
}

function optionsIn({ __options: options }: Properties): WaveOptions {
  const read = readOptions(options);
  if (read === undefined) throw new Error("the options of the wave cannot be read");
  return read;
}

/** The record of the run. */
function recordIn({ run, record }: Properties, ofRun: string | undefined): WaveRecord {
  if (record === undefined) return { restores: {}, proofs: {} };
  const stored = readRecord(record);
  if (stored === undefined) throw new Error("the stored record of this wave cannot be read: was the state edited?");
  return run === ofRun ? stored : recordOfNewRun(stored);
}

async function waveOutputs(
  planProcess: PlanProcess,
  core: Core,
  id: string,
  inputs: Properties,
  before: Properties,
): Promise<Properties> {
  requirePlanned(inputs);
  const run = readText(inputs["run"]);
  const intent = intentIn(inputs);
  const options = optionsIn(inputs);
  const stored = recordIn(before, run);
  const urn = rowOf(inputs);
  const session = planProcess.session(urn);
  const done = await carryOut({
    ...intent,
    core,
    session,
    up: planProcess.id,
    urn,
    options,
    record: stored,
    earlier: readEarlier(inputs["__earlier"]),
    show: (text) => {
      planProcess.engineLog.progress(urn, text);
    },
    warn: (text) => {
      planProcess.engineLog.warn(urn, text);
    },
  });
  const record = {
    restores: done.restores,
    proofs: { ...stored.proofs, ...proofsOf(run ?? "", intent, options, done) },
    panel: session.client.address,
    ...(done.earlierSends && { earlierSends: done.earlierSends }),
    ...(stored.machines && { machines: stored.machines }),
  };
  const logs = Object.keys(done.logs).length > 0 ? { logs: JSON.stringify(done.logs) } : keptLogs(before, run);
  const outs = { ...ownOf(inputs), run, record: JSON.stringify(record satisfies WaveRecord), ...logs };
  if (Object.keys(done.reasons).length === 0) return outs;
  const text = waveNotCompleteText(done.reasons, Object.keys(intent.entries).length);
  if (inputs["onFailure"] !== "continue") throw new StoredFailure(id, outs, [text]);
  planProcess.engineLog.warn(urn, text);
  return outs;
}

function keptLogs({ run, logs }: Properties, ofRun: string | undefined): Properties {
  return run === ofRun && typeof logs === "string" ? { logs } : {};
}

/** A restore is proven when a run has completed it and its checks have passed. */
function proofsOf(
  run: string,
  { entries, marks }: IntentText,
  options: WaveOptions,
  { restores }: WaveDone,
): WaveRecord["proofs"] {
  const proofs = Object.entries(entries).flatMap(([name, entry]): [string, Proof][] => {
    const { counts, state } = whatHappened(restores[name] ?? [], entry.id);
    const checks = checksIn(options, name);
    const at = provenAt(counts);
    const panel = own(marks, entry.mark)?.panel;
    const asked = typeof entry.point === "string" ? entry.point : entry.chosen?.id;
    if (counts === undefined || counts.sent.point !== asked || isOfUnknownPaths(counts.sent)) return [];
    if (state !== "complete" || at === undefined || panel === undefined) return [];
    if (openChecks(counts, checks).length > 0) return [];
    const asks = checks.map((check) => check.asks);
    return [[name, { run, panel, at, form: formDigest(entry), asks }]];
  });
  return Object.fromEntries(proofs);
}
