import { type Wanted } from "../../drills/judge/history";
import { effectiveGoals } from "../../drills/judge/goals";
import { readIntentText, readRecord, type Goals, type PlanRestore, type Proof } from "../../drills/judge/stored";
import { restoresOfState, type StatePlan } from "../../drills/judge/state";
import { type Operation, readDeployment, type Resource, resourceName } from "../../drills/judge/resources";
import type { StateRestore } from "../../drills/judge/restores";
import type { Mark } from "../../provider/inputs/intent";
import { type PointRule, readPointRule, ruleForIncident } from "../../provider/inputs/read-point-rule";
import {
  intentUrnOf,
  isOwnResource,
  nameInUrn,
  pluginTypes,
  resourceTypes,
} from "../../provider/inputs/resource-names";
import { readMark } from "../../provider/inputs/restore-inputs";
import { first } from "../../provider/panel/row-reader";
import { isObject, omit, omitUndefined } from "../../provider/plain/plain";
import { knownLater } from "../../provider/inputs/read-values";
import { readFlag, readText } from "../../provider/plain/stored-fields";
import { capitalized, firstFew } from "../../provider/plain/text";
import { deploymentFrom, plainText, secretKey } from "../../report/read-state";
import { CommandError } from "./command";
import { Preview } from "./load-state";

type ShownRestore = StateRestore & { readonly machine: string };

/** A restore in a stack, as judged by `drills/judge`, together with the details of its resources that the commands need. */
export interface StackRestore extends ShownRestore {
  /** The explicit provider that the restore uses. */
  readonly provider?: string;
  /** Transactions that were sent for the restore but are not stored are newer than this mark. */
  readonly mark?: Mark;
  readonly rule?: PointRule;
  readonly goals: Goals;
  /** The time of the incident, from the restore's plan. */
  readonly incidentAt?: string;
  readonly wanted: Wanted;
  /** The run that the wave's record belongs to. */
  readonly run?: string;
  /** The last proof, which is kept across runs. */
  readonly proof?: Proof;
  /** True if an `up` is changing the restore, or was interrupted while changing it. */
  readonly isPending: boolean;
  readonly resource?: Resource;
}

export interface StackState {
  /** A preview shows what the program declares now, together with the stored outputs. */
  readonly from: "state" | "preview";
  readonly project?: string;
  readonly stack?: string;
  readonly writtenAt?: string;
  /** In the order of plans and waves; restores without a plan come last. */
  readonly restores: readonly StackRestore[];
  readonly plans: readonly StatePlan[];
  readonly resources: ReadonlyMap<string, Resource>;
  /** True if an `up` is changing one of this package's resources, or was interrupted while changing it. */
  readonly isUnderWay: boolean;
  /** Unreadable parts of the state, which may declare more restores. */
  readonly unreadable: readonly string[];
}

/** Reads the output of `pulumi stack export`, or a preview. `secrets`: whether to read secrets that the export shows in plain text. */
export function readStack(exported: unknown, secrets: "read" | "ignore" = "read"): StackState {
  const preview = exported instanceof Preview ? exported : undefined;
  const deployment = preview?.deployment ?? deploymentFrom(withSecrets(exported, secrets));
  const { restores, plans } = restoresOfState(deployment);
  const { current: resources, pending } = readDeployment(deployment);
  const isPending = new Set(pending.map(({ urn }) => urn));
  const waves = wavesIn(plans, resources);
  const [names] = [...resources.values()].map(({ urn }) => urn.split("::"));
  const manifest = deployment["manifest"];
  return omitUndefined<StackState>({
    from: preview ? "preview" : "state",
    stack: names?.[0]?.replace(/^urn:pulumi:/, ""),
    project: names?.[1],
    writtenAt: isObject(manifest) ? readText(manifest["time"]) : undefined,
    restores: restores
      .filter(isShown)
      .map((restore) => stackRestore(restore, waves.get(restore.urn), resources, isPending.has(restore.urn))),
    plans,
    resources,
    isUnderWay: pending.some(({ type }) => isOwnResource(type)),
    unreadable: unreadableIn(resources, plans, restores, pending, preview),
  });
}

/** The restores of a stack, or of one of its plans. Throws if there is no such plan. */
export function restoresOfPlan({ restores, plans, from }: StackState, plan?: string): readonly StackRestore[] {
  if (plan === undefined) return restores;
  const names = plans.map(({ name }) => name);
  if (!names.includes(plan))
    throw new CommandError(`the ${from} contains no plan ${plan}; it contains ${names.join(", ") || "none"}`);
  return restores.filter((one) => one.plan === plan);
}

export function noRestore({ from }: StackState, command: "ready" | "runbook"): CommandError {
  return new CommandError(
    from === "preview"
      ? "the preview shows no restores"
      : `the state contains no restores yet. To read a preview, which restores nothing, run \`pulumi preview --json --show-sames | npx pulumi-recovery ${command} --preview -\``,
  );
}

/** Whether a job on the panel may be this restore: the restore was sent, or may have been, and its end is not stored. */
export const mayBeAtWork = ({ state }: Pick<StateRestore, "state">): boolean =>
  ["perhaps sent", "sent", "pending", "running"].includes(state);

/** With `--show-secrets`, the export contains a secret's value as JSON text, next to the key that marks a secret. */
function withSecrets(value: unknown, secrets: "read" | "ignore"): unknown {
  if (Array.isArray(value)) return value.map((one) => withSecrets(one, secrets));
  if (!isObject(value)) return value;
  if (secretKey in value) {
    const shown = secrets === "read" ? plainText(value) : value;
    return shown === value ? omit(value, "plaintext") : shown;
  }
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withSecrets(one, secrets)]));
}

export function isSecret(value: unknown): boolean {
  return isObject(value) && secretKey in value;
}

function isShown(restore: StateRestore): restore is ShownRestore {
  return restore.machine !== undefined && restore.machine !== knownLater;
}

function intentOf({ urn, kind }: StateRestore, resources: ReadonlyMap<string, Resource>): Resource | undefined {
  return first([resourceTypes, pluginTypes], (types) => resources.get(intentUrnOf(urn, kind, types)));
}

/** What a wave and its intent store about the wave's restores, read once for all restores. */
interface WaveFacts {
  readonly plan: StatePlan;
  readonly run: string | undefined;
  readonly goals: Goals | undefined;
  readonly intent: Resource | undefined;
  readonly marks: Readonly<Record<string, Mark>>;
  readonly proofs: Readonly<Record<string, Proof>>;
}

/** Keyed by the wave's URN, because two plans with different parents may have the same name. */
function wavesIn(
  plans: readonly StatePlan[],
  resources: ReadonlyMap<string, Resource>,
): ReadonlyMap<string, WaveFacts> {
  return new Map(
    plans.flatMap((plan) =>
      plan.waves.map(({ name, urn, intentUrn, waveRun: run }): [string, WaveFacts] => {
        const intent = resources.get(intentUrn);
        return [
          urn,
          {
            plan,
            run,
            goals: plan.plan?.waves.find((one) => one.name === name)?.goals,
            intent,
            marks: readIntentText(intent?.outputs["restores"])?.marks ?? {},
            proofs: readRecord(resources.get(urn)?.outputs["record"])?.proofs ?? {},
          },
        ];
      }),
    ),
  );
}

function stackRestore(
  restore: ShownRestore,
  wave: WaveFacts | undefined,
  resources: ReadonlyMap<string, Resource>,
  isPending: boolean,
): StackRestore {
  const stored = resources.get(restore.urn);
  const intent = wave?.intent ?? intentOf(restore, resources);
  const resource = stored ?? intent;
  const { checks, entry, record, happened } = restore;
  const planned = restore.planned && knownPart(restore.planned);
  const outputs = resource?.outputs ?? {};
  // If the current request has no stored attempt, the stored options belong to an earlier request.
  const options = happened.counts === undefined ? {} : outputs;
  const sentMark = record?.mark ?? happened.attempts.at(-1)?.sent.mark;
  const intentMark = wave ? wave.marks[entry?.mark ?? ""] : readMark(intent?.outputs["mark"]);
  // If the current request has no stored attempt, its transactions are newer than the mark in its intent.
  const mark = happened.counts === undefined ? intentMark : (sentMark ?? intentMark);
  const { run, plan: { plan } = {} } = wave ?? {};
  const { incidentAt } = plan ?? {};
  const proof = wave?.proofs[restore.name];
  const rule = planned ? planned.rule : ruleIn(outputs["recoveryPoint"]);
  return omitUndefined<StackRestore>({
    ...restore,
    planned,
    provider: providerName((resource ?? resources.get(wave?.plan.urn ?? ""))?.provider ?? ""),
    mark,
    rule: rule && ruleForIncident(rule, incidentAt),
    incidentAt,
    goals: planned ? effectiveGoals(planned.goals, wave?.goals, plan?.goals) : {},
    wanted: {
      checks,
      adopt: planned ? planned.adopt : readText(options["adopt"]),
      retryFailed: planned ? planned.retryFailed : readFlag(options["retryFailed"]),
    },
    run,
    proof: proof && (restore.panel ?? proof.panel) === proof.panel ? proof : undefined,
    isPending,
    resource,
  });
}

/** Leaves out a point or paths that a preview does not know yet. */
function knownPart({ point, paths, ...others }: PlanRestore): PlanRestore {
  return omitUndefined<PlanRestore>({
    ...others,
    point: point === knownLater ? undefined : point,
    paths: paths?.some((path) => path.includes(knownLater)) === true ? [] : paths,
  });
}

function ruleIn(stored: unknown): PointRule | undefined {
  const reading = readPointRule(stored);
  return "value" in reading ? reading.value : undefined;
}

/** An explicit provider's name; undefined for a default provider. */
export function providerName(reference: string): string | undefined {
  // urn:pulumi:<stack>::<project>::<type>::<name>::<id>
  const name = reference.split("::").slice(3, -1).join("::");
  return name === "" || /^default(?:_|$)/.test(name) ? undefined : name;
}

function unreadableIn(
  resources: ReadonlyMap<string, Resource>,
  plans: readonly StatePlan[],
  restores: readonly StateRestore[],
  pending: readonly Operation[],
  preview: Preview | undefined,
): readonly string[] {
  const hidden = restores.filter((one) => !isShown(one)).map(({ name }) => name);
  const unknownPlans = plans.filter(({ plan }) => plan === undefined).map(({ name }) => name);
  const unknownRuns = [...resources.values()].filter(
    (one) => one.name === "PlanRun" && !plans.some(({ urn }) => urn === one.urn),
  );
  const begun = pending.filter((one) => resourceName(one.type) === "Intent" && !resources.has(one.urn));
  const [from, why] =
    preview === undefined ? ["state", "a secret"] : ["preview", "a secret, or known only during `pulumi up`"];
  const ofHidden =
    hidden.length === 0 ? [] : [`The ${from} does not show the machine of ${firstFew(hidden)}: the id is ${why}.`];
  if (preview !== undefined)
    return [
      ...(preview.problem === undefined ? [] : [`${capitalized(preview.problem)}.`]),
      ...ofHidden,
      ...unknownRuns.map(({ urn }) => `The preview does not show ${nameInUrn(urn)}: the name of its run is ${why}.`),
      ...unknownPlans.map(
        (name) => `The preview does not show plan ${name}: part of it is known only during \`pulumi up\`.`,
      ),
    ];
  return [
    ...ofHidden,
    ...unknownRuns.map(({ urn }) => `The stored record of ${nameInUrn(urn)} cannot be read.`),
    ...unknownPlans.map(
      (name) =>
        `The stored definition of plan ${name} cannot be read: it is a secret, was edited, or is from a later version.`,
    ),
    ...begun.map(
      ({ urn }) =>
        `${nameInUrn(urn)} is being created, or its run was interrupted: the state does not yet show what it restores.`,
    ),
  ];
}
