import { randomUUID } from "node:crypto";
import { childPath, Problems, type ReadContext } from "../inputs/problems";
import { type Probe, readCheck } from "../inputs/read-check";
import { makingProcessOf } from "../inputs/intent";
import { nameInUrn, siblingUrn } from "../inputs/resource-names";
import { containsUnknown } from "../inputs/read-values";
import { secretsRedactor } from "../panel/secrets";
import { isObject, asList, entriesOf, type Properties, deepEqual, omit } from "../plain/plain";
import { errorMessage } from "../plain/text";
import { readWholeWave } from "../plan/read-stored";
import { isSameStep } from "../plan/step";
import { hidden } from "../plan/stored";
import { runWave, type PreviousWave, type WaveOutcome, type WaveEffects } from "../plan/wave";
import type { Claims } from "../restore/panel-session";
import type { Operations } from "./sanitize";
import { flushingLog } from "./engine-log";
import { plainFailure, StoredFailure } from "./outputs";
import { checkPlanResource } from "./plan-check";
import { type PlanSteps, probeOf, stepEffects } from "./plan-step";
import type { ProviderProcess } from "./process";
import { readWave } from "./read-wave";

/**
 * The operations of a wave. One resource, and so one of the engine's places, waits for all restores of the wave on the
 * shared feed and checks their machines. It posts nothing, so one that was killed is simply created again.
 */
export function planWaveOperations(providerProcess: ProviderProcess, steps: PlanSteps): Operations {
  const awaited = (inputs: Properties, before: PreviousWave): Promise<WaveOutcome> =>
    awaitWave(providerProcess, steps, inputs, before);
  const urnOf = (properties: Properties): string => waveUrn(properties, providerProcess.types.PlanWave);
  const deleted = new Map<string, PreviousWave>();
  return {
    check: checkPlanResource(checkDefinedChecks),

    diff(_id: string, olds: Properties, news: Properties): { readonly changes: boolean } {
      const { restores } = readWholeWave(olds);
      claimStored(providerProcess.claims, restores);
      return { changes: isChanged(olds, restores, news) };
    },

    async create(inputs: Properties): Promise<{ id: string; outs: Properties }> {
      const id = `wave-${randomUUID()}`;
      return { id, outs: waveOutputs(id, inputs, await awaited(inputs, deleted.get(urnOf(inputs)) ?? noWaveBefore)) };
    },

    async update(id: string, olds: Properties, news: Properties): Promise<{ outs: Properties }> {
      return { outs: waveOutputs(id, news, await awaited(news, waveBeforeIn(olds))) };
    },

    /** A refresh updates the restores; the wave keeps its own record of them. */
    read: (id: string, outputs: Properties) => Promise.resolve({ id, props: outputs }),
    /** One that `--replace` or taint makes anew is deleted first, and goes on from its record. */
    delete(_id: string, outputs: Properties): Promise<void> {
      deleted.set(urnOf(outputs), waveBeforeIn(outputs));
      return Promise.resolve();
    },
  };
}

function waveOutputs(
  id: string,
  inputs: Properties,
  { stored, checkOutput, logOutput, errors }: WaveOutcome,
): Properties {
  // The inputs hold what was planned, and the record what came of it.
  const outputs = { ...omit(inputs, ...inputsOnly), ...stored, checkOutput, logOutput };
  if (errors.length > 0) throw new StoredFailure(id, outputs, errors);
  return outputs;
}

const inputsOnly = ["planned", "definition", "revisions", "runStartedAt", "runProcess", "isRunLeftOut"] as const;

/** The stored outputs decide, not the engine's memory of an error, which a refresh clears. */
function isChanged(olds: Properties, restores: PreviousWave["restores"], news: Properties): boolean {
  if (containsUnknown(withoutUnsettled(news)) || !Array.isArray(olds["reasons"]) || olds["reasons"].length > 0)
    return true;
  // A state of an earlier release: an output that it does not have is unknown in every preview.
  if (!isObject(olds["earlierTries"]) || !isObject(olds["lastProofs"])) return true;
  const plain = ["plan", "run", "index", "name", "round", "earlierReasons"];
  if (plain.some((name) => !deepEqual(olds[name], news[name]))) return true;
  try {
    const wave = readWave(news);
    const isGone = Object.keys(restores).some((name) => !wave.restores.some((asked) => asked.name === name));
    return isGone || wave.restores.some((asked) => !isSameStep(asked, restores[asked.name]));
  } catch {
    // The update reports the problem in a sentence.
    return true;
  }
}

/**
 * The inputs without the parts that are no change of a wave, and so not when they are unknown either. In a preview, everything that the state does not
 * have is unknown, such as the end of a restore that only its wave has waited for; and so is what the run computes, whenever it changes.
 */
function withoutUnsettled(given: Properties): Properties {
  const news = omit(given, "runStartedAt", "runProcess", "revisions");
  const { planned } = news;
  if (!isObject(planned)) return news;
  const restores = Object.entries(planned).map(([name, one]) => [
    name,
    isObject(one) ? omit(one, "record", "behind") : one,
  ]);
  return { ...news, planned: Object.fromEntries(restores) as Properties };
}

/** A transaction that the wave has recorded is not another resource's to adopt. */
function claimStored(claims: Claims, restores: PreviousWave["restores"]): void {
  for (const step of Object.values(restores)) {
    const [owner = ""] = step.posting.split("/");
    if (owner !== "") claims.claim(step.transactionIds, owner);
  }
}

const noWaveBefore: PreviousWave = {
  run: undefined,
  runStartedAt: undefined,
  restores: {},
  earlierTries: {},
  lastProofs: {},
  checkOutput: {},
  logOutput: {},
};

function waveBeforeIn(olds: Properties): PreviousWave {
  const { checkOutput, logOutput } = olds;
  return {
    ...readWholeWave(olds),
    checkOutput: (isObject(checkOutput) ? checkOutput : {}) as PreviousWave["checkOutput"],
    logOutput: (isObject(logOutput) ? logOutput : {}) as PreviousWave["logOutput"],
  };
}

function awaitWave(
  providerProcess: ProviderProcess,
  steps: PlanSteps,
  inputs: Properties,
  before: PreviousWave,
): Promise<WaveOutcome> {
  return flushingLog(providerProcess.engineLog, async () => {
    try {
      const wave = readWave(inputs);
      if (wave.leftOut !== undefined) throw new Error(wave.leftOut);
      return await runWave(wave, before, waveEffects(providerProcess, steps, inputs));
    } catch (error) {
      const why = errorMessage(error);
      throw plainFailure(
        new Error(
          `${why}${why.includes("\n") ? "\n" : " "}The wave posts nothing; the next \`pulumi up\` waits for it again.`,
        ),
      );
    }
  });
}

function waveEffects(providerProcess: ProviderProcess, steps: PlanSteps, inputs: Properties): WaveEffects {
  const row = waveUrn(inputs, providerProcess.types.PlanWave);
  const { redact } = providerProcess.session(row);
  return {
    ...stepEffects(providerProcess, row, undefined),
    startedStep: (asked, onEnded) => steps.take(asked, onEnded),
    hasSeenAllOf: ({ owner }) =>
      [inputs["runProcess"], makingProcessOf(owner)].every((maker) => maker === providerProcess.id),
    redactFor: (check) => {
      const given = secretsRedactor(secretTexts(check && probeOf(check)));
      return (text) => redact(given(text));
    },
    say: (text) => {
      providerProcess.engineLog.progress(row, text);
    },
    warn: (text) => {
      providerProcess.engineLog.warn(row, text);
    },
  };
}

/** The wave's own URN: it has the same parents as the run. */
function waveUrn(inputs: Properties, type: string): string {
  const run = typeof inputs["runUrn"] === "string" ? inputs["runUrn"] : "";
  const name = typeof inputs["row"] === "string" ? inputs["row"] : nameInUrn(run);
  return siblingUrn(run, type, name);
}

/** Values of headers and of the environment. They are removed from a check's output. */
function secretTexts(probe: Probe | undefined): readonly string[] {
  if (probe === undefined || probe.kind === "tcp") return [];
  const values = Object.values(probe.kind === "http" ? probe.headers : probe.env);
  // A short word would remove half of the output.
  return values.flatMap((value) => [value, ...value.split(/\s+/)]).filter((text) => text.length >= 6);
}

/** Checks whose outputs are known by now. The program could not read them, so problems are reported here. */
function checkDefinedChecks(inputs: Properties, context: ReadContext): void {
  const { definition, index } = inputs;
  const wave = childPath(childPath("waves", typeof index === "number" ? index : 0), "restores");
  for (const [restore, defined] of entriesOf(definition)) {
    const checks = isObject(defined) ? asList(defined["checks"]) : [];
    for (const [number, check] of checks.entries()) {
      const { given, target } = isObject(check) ? check : {};
      if (!isObject(given) || context.isUnknown(given)) continue;
      const path = childPath(childPath(childPath(wave, restore), "checks"), number);
      if (target === hidden) checkHidden(given, path, context);
      else checkShown(given, path, context);
    }
  }
}

/** Properties that may be secrets even when the check's address is shown. A reason quotes the value. */
const hiddenProperties = ["status", "contains", "caFile"] as const;

function checkShown(check: unknown, path: string, { isUnknown, problems }: ReadContext): void {
  const found = new Problems();
  readCheck(check, path, { isUnknown, problems: found });
  for (const { property, reason } of found.all) {
    const isHidden = hiddenProperties.some((name) => property === childPath(path, name));
    const problem = isHidden
      ? " is not valid; it may be a secret, so the reason is not shown"
      : reason.slice(property.length);
    problems.add(property, problem);
  }
}

/** Leaves the reasons out, because they quote values. */
function checkHidden(check: unknown, path: string, { isUnknown, problems }: ReadContext): void {
  const found = new Problems();
  readCheck(check, path, { isUnknown, problems: found });
  for (const { property } of found.all) {
    problems.add(property, " is a secret, or part of one, and is not valid; the reason is not shown");
  }
}
