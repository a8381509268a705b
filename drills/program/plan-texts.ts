import * as pulumi from "@pulumi/pulumi";
import type { CheckFailure } from "../../provider/inputs/problems";
import { omitUndefined } from "../../provider/plain/plain";
import { withDatesAsText } from "../../provider/program/program-values";
import { programError } from "../../provider/program/stack-traces";
import { whatHappened } from "../judge/history";
import { readIntentText, readRecord } from "../judge/read";
import type { EarlierMachine, EarlierMachines, PlanText } from "../judge/stored";
import type { GivenWave, ReadPlan } from "../inputs/read-plan";
import { type ChainedWave, chainWave, type LastEntries, type WaveParts, wavePartsOf } from "../inputs/wave-texts";
import { jsonText, mapKnown, maskSecrets, secretJson, shown } from "./known-values";

type Known<Value> = Value | pulumi.Output<Value>;

/** The inputs of a plan's resources, as far as they follow from its arguments. */
export interface PlanTexts {
  readonly run: Known<string>;
  readonly plan: Known<string>;
  readonly secrets: pulumi.Output<string>;
  readonly incidentAt: Known<string | undefined>;
  readonly waves: readonly WaveTexts[];
}

export interface WaveTexts {
  readonly forms: Known<WaveParts["forms"]>;
  readonly declared: Known<string>;
  readonly behind: Known<string>;
  readonly options: pulumi.Output<string>;
}

/**
 * Makes the texts of a plan. Each is made at once if everything in it is known. Then problems are thrown before anything is registered;
 * later they end the program, and nothing of the wave is sent. Ids, points, paths and times are shown even where the program marks them as secret: every
 * message names them. Triggers are compared, and checks are secret.
 */
export function planTexts(name: string, plan: ReadPlan): PlanTexts {
  const run = shown(mapKnown<string, string>(plan.run, String));
  const incidentAt = shown(mapKnown<string | undefined, string | undefined>(plan.incidentAt, (at) => at));
  let last: Known<LastEntries> = {};
  const parts: Known<WaveParts>[] = [];
  const waves: WaveTexts[] = [];
  for (const wave of plan.waves) {
    const ofWave = partsOf(name, wave);
    const forms = shown(partOf(ofWave, "forms"));
    const chained: Known<ChainedWave> = mapKnown(
      [run, forms, last] as const,
      ([known, ofForms, before]: readonly [string, WaveParts["forms"], LastEntries]) => {
        const chain = chainWave(known, ofForms, wave.path, before);
        throwProblems(name, chain.problems);
        return chain;
      },
    );
    last = mapKnown(chained, ({ last: ofChain }: ChainedWave) => ofChain);
    parts.push(ofWave);
    waves.push({
      forms,
      // After the chain, so that nothing is registered for a wave with problems.
      declared: mapKnown([forms, chained] as const, ([known]: readonly [WaveParts["forms"], unknown]) =>
        jsonText(known),
      ),
      behind: mapKnown(chained, ({ behind }: ChainedWave) => jsonText(behind)),
      options: pulumi.secret(mapKnown(partOf(ofWave, "options"), secretJson)),
    });
  }
  const secrets = mapKnown(parts, (known: readonly WaveParts[]) =>
    secretJson(Object.assign({}, ...known.map(({ secrets: ofWave }) => ofWave))),
  );
  return { run, incidentAt, waves, plan: planText(plan, run, incidentAt, parts), secrets: pulumi.secret(secrets) };
}

function planText(
  { kind, goals, wholeGoals, onFailure, onMissedGoal, notes }: ReadPlan,
  run: Known<string>,
  incidentAt: Known<string | undefined>,
  parts: readonly Known<WaveParts>[],
): Known<string> {
  const values = {
    run,
    incidentAt,
    notes: maskSecrets(notes),
    waves: parts.map((part) => shown(partOf(part, "shown"))),
  };
  return mapKnown(values, (known: Pick<PlanText, "run" | "incidentAt" | "notes" | "waves">) =>
    jsonText(omitUndefined({ kind, goals, wholeGoals, onFailure, onMissedGoal, ...known })),
  );
}

function partOf<Name extends keyof WaveParts>(parts: Known<WaveParts>, name: Name): Known<WaveParts[Name]> {
  return mapKnown(parts, (known: WaveParts) => known[name]);
}

function partsOf(plan: string, { name, path, goals, restores, rule }: GivenWave): Known<WaveParts> {
  const whole = { restores: withDatesAsText(restores), rule };
  const wave = { name, path, ...(goals && { goals }) };
  return mapKnown(
    [whole, maskSecrets(whole.restores)] as const,
    ([known, masked]: readonly [Pick<GivenWave, "restores" | "rule">, GivenWave["restores"]]) => {
      const { parts, problems } = wavePartsOf({ ...wave, ...known }, masked);
      throwProblems(plan, problems);
      return parts;
    },
  );
}

export function throwProblems(plan: string, problems: readonly CheckFailure[]): void {
  if (problems.length === 0) return;
  const list = problems.map(({ reason }) => `  ${reason.trim()}`).join("\n");
  throw programError(`RecoveryPlan "${plan}" cannot be carried out, and nothing of it was sent:\n${list}`);
}

/** An intent and its wave, as they are stored. */
export interface WaveBefore {
  readonly run: unknown;
  readonly restores: unknown;
  readonly record: unknown;
}

/** What the waves before have done with the machines that they share with a wave. Nearly always nothing. */
export function earlierMachines(forms: WaveParts["forms"], waves: readonly WaveBefore[]): EarlierMachines {
  const machines = new Set(Object.values(forms).map(({ machine }) => machine));
  const found: Record<string, EarlierMachine> = {};
  for (const { restores, record } of waves) {
    const events = readRecord(record)?.restores ?? {};
    for (const [name, entry] of Object.entries(readIntentText(restores)?.entries ?? {})) {
      if (!machines.has(entry.machine)) continue;
      const { state, attempts } = whatHappened(events[name] ?? [], entry.id);
      const before = found[entry.machine];
      found[entry.machine] = {
        name,
        isComplete: state === "complete" && before?.isComplete !== false,
        ids: [...(before?.ids ?? []), ...attempts.flatMap(({ ids }) => ids)],
      };
    }
  }
  return found;
}
