import * as pulumi from "@pulumi/pulumi";
import type { HeldBack, Mark, PointChoice } from "../inputs/intent";
import { intentName, intentUrnOf, type ResourceTypes } from "../inputs/resource-names";
import { isGiven } from "../inputs/problems";
import { decidingInputs, type RestoreKind } from "../inputs/restore-table";
import { isObject, omitUndefined } from "../plain/plain";
import { intentIgnoreChanges, type SharedInputs, intentReplaceOnChanges } from "./replace-on-changes";
import { isOutputOrPromise } from "./program-values";
import { shortenStackTraces, framesToProgramFromIntent } from "./stack-traces";
import type { Backend } from "./backend";

/**
 * The memory of a restore across a killed run: a small resource of its own, which the engine saves before the restore starts. It
 * records where the panel's list stood and what the restore is for. Each restore constructs its own.
 */
class RestoreIntent extends pulumi.CustomResource {
  declare readonly kind: pulumi.Output<RestoreKind>;
  declare readonly mark: pulumi.Output<Mark | HeldBack>;
  /** Only if a rule chooses the recovery point. The point itself is `recoveryPointId`. */
  declare readonly choice?: pulumi.Output<PointChoice | undefined>;

  constructor(name: string, inputs: pulumi.Inputs, opts: pulumi.CustomResourceOptions, backend: Backend) {
    const undoShortening = shortenStackTraces(framesToProgramFromIntent);
    try {
      super(
        backend.types.RestoreIntent,
        name,
        { ...inputs, mark: undefined, ...backend.extraProperties("RestoreIntent") },
        opts,
      );
    } finally {
      undoShortening();
    }
  }
}

/** Options that an intent takes over from its restore: its place, its provider, and its reasons to be replaced. */
const sharedOptions = [
  "parent",
  "provider",
  "version",
  "pluginDownloadURL",
  "replacementTrigger",
  "replaceWith",
  "transformations",
  "transforms",
] as const;

/** The restore of the same machine that comes before, as a dependency and as an input. */
export interface PreviousRestore {
  readonly dependsOn: pulumi.Input<pulumi.Resource[]>;
  /** The input of the intent and of the restore behind it: see `Predecessor` in `inputs/intent`. */
  readonly predecessor: pulumi.Inputs | undefined;
  /** The last VmRestore before, where that is another one: see `MachineBefore`. */
  readonly machineBefore: pulumi.Inputs | undefined;
}

/** A plan hands its `incidentAt` to the intent of each restore, for the choice of its point. No input, and a symbol never leaves the program. */
export const incidentAtKey: unique symbol = Symbol("incidentAt");
/** A plan says to the intent of each restore that it is one of a plan, where an error would end the others. */
export const inPlanKey: unique symbol = Symbol("inPlan");

/** The inputs of a restore as the program gives them. */
export type GivenInputs = pulumi.Inputs & {
  readonly [incidentAtKey]?: pulumi.Input<unknown>;
  readonly [inPlanKey]?: true;
};

/** Constructs the intent of a restore that is about to be constructed. */
export function constructIntent(
  kind: RestoreKind,
  restoreName: string,
  args: GivenInputs,
  opts: pulumi.CustomResourceOptions,
  { dependsOn, predecessor }: PreviousRestore,
  backend: Backend,
): RestoreIntent {
  const target = { kind, ...pick(decidingInputs, args), triggers: givenTriggers(args["triggers"]) };
  const sharedInputs = intentReplaceOnChanges(opts.replaceOnChanges ?? [], args);
  // A property without a value would be an output that stays unknown in every preview.
  const sharedValues = hasPointRule(args) ? onlyNamedParts(sharedInputs) : sharedInputs.inputs;
  const inputs = omitUndefined<Record<string, unknown>>({ ...target, ...sharedValues });
  const intentOpts: pulumi.CustomResourceOptions = {
    ...omitUndefined<Record<string, unknown>>(pick(sharedOptions, opts)),
    aliases: [
      ...intentAliases(opts.aliases ?? [], kind, backend.types),
      ...(backend.aliasesFor?.("RestoreIntent", intentName(restoreName, kind)) ?? []),
    ],
    ignoreChanges: intentIgnoreChanges(opts.ignoreChanges ?? [], inputs),
    replaceOnChanges: sharedInputs.replaceOnChanges,
    // A protected parent hands its protection down, and a protected intent would stop every new restore.
    protect: false,
  };
  const dependencies = pulumi.mergeOptions(optionIfGiven(opts, "dependsOn"), { dependsOn });
  const name = intentName(restoreName, kind);
  // Its `create` waits behind the restore before it and says so on its own row, and its errors name its restore. The engine tells it neither.
  const createInputs = {
    row: withoutDependencies(pulumi.createUrn(name, backend.types.RestoreIntent, opts.parent)),
    ...(predecessor && { predecessor, ...(args[inPlanKey] && { inPlan: true }) }),
  };
  // Only for a rule: without a value in the state they would be unknown in every preview.
  const choiceInputs = hasPointRule(args)
    ? {
        recoveryPointId: undefined,
        choice: undefined,
        takes: args["adopt"] as unknown,
        incidentAt: args[incidentAtKey],
      }
    : {};
  return new RestoreIntent(
    name,
    { ...choiceInputs, ...inputs, ...createInputs },
    {
      ...intentOpts,
      ...optionIfGiven(dependencies, "dependsOn"),
    },
    backend,
  );
}

/** A URN holds that of its parent, and whoever depends on a component depends on all its children: here on itself. */
function withoutDependencies<T>(output: pulumi.Output<T>): Promise<T> {
  return new Promise((resolve) => {
    output.apply(resolve as (value: unknown) => void);
  });
}

/**
 * The intent as its restore receives it. Each property is an output of its own, so that a secret among the triggers makes nothing else a secret.
 */
export function intentInput(intent: RestoreIntent, args: pulumi.Inputs): pulumi.Inputs {
  const { id, kind, urn, mark } = intent;
  // Every input is a field of the resource.
  const inputs = intent as unknown as pulumi.Inputs;
  const madeFor = omitUndefined<Record<string, unknown>>({
    kind,
    ...pick(decidingInputs, inputs),
    ...chosenPointInput(intent),
  });
  return { id, urn, mark, madeFor, ...choiceInput(args, intent) };
}

/** The chosen point. With an id in `adopt` none is chosen, and it is undefined rather than unknown. */
function chosenPointInput(intent: RestoreIntent): pulumi.Inputs {
  const { choice, recoveryPointId } = intent as RestoreIntent & { readonly recoveryPointId?: unknown };
  if (choice === undefined) return {};
  const isNone = (made: object | undefined): boolean => made !== undefined && Object.keys(made).length === 0;
  return { recoveryPointId: choice.apply((made) => (isNone(made) ? undefined : recoveryPointId)) };
}

/**
 * Keeps only those parts of the shared inputs that `replaceOnChanges` names. A change of any other part would update the intent. In the preview of
 * an update everything that the intent stores is unknown, the chosen point too, and its restore would seem to be replaced.
 */
function onlyNamedParts({ inputs, partsOf }: SharedInputs): pulumi.Inputs {
  const entries = Object.entries(inputs).map(([name, value]): readonly [string, unknown] => {
    const parts = partsOf(name);
    if (parts === undefined) return [name, value];
    const alone = (known: unknown): unknown =>
      isObject(known) ? Object.fromEntries(Object.entries(known).filter(([part]) => parts.has(part))) : known;
    if (!isOutputOrPromise(value)) return [name, alone(value)];
    const output: pulumi.Output<unknown> = pulumi.output<unknown>(value);
    return [name, output.apply(alone)];
  });
  return Object.fromEntries(entries);
}

/** The point that was chosen, and the list it was chosen from. */
interface ChosenPoint {
  readonly recoveryPointId?: unknown;
  readonly choice?: unknown;
}

const choiceByRestore = new WeakMap<object, ChosenPoint>();

/** Remembers the choice of a restore's intent for the plan's wave, because no output of the restore has it. */
export function rememberChoice(restore: object, intent: RestoreIntent): void {
  choiceByRestore.set(restore, { ...chosenPointInput(intent), choice: intent.choice });
}

export function rememberedChoice(restore: object): ChosenPoint | undefined {
  return choiceByRestore.get(restore);
}

/** Left out if the program gives an id as well: that is a mistake, and must reach the restore's `check`. */
function choiceInput({ recoveryPointId: own }: pulumi.Inputs, { choice }: RestoreIntent): pulumi.Inputs {
  if (choice === undefined) return {};
  if (!isOutputOrPromise(own)) return isGiven(own) ? {} : { choice };
  return { choice: pulumi.all([own, choice]).apply(([id, chosen]) => (isGiven(id) ? undefined : chosen)) };
}

/** True if the program gives a rule, even one that is not known yet. */
export function hasPointRule({ recoveryPoint }: pulumi.Inputs): boolean {
  return isGiven(recoveryPoint);
}

function pick(names: readonly string[], values: pulumi.Inputs): pulumi.Inputs {
  return Object.fromEntries(names.map((name) => [name, values[name] as unknown]));
}

/**
 * The triggers, never absent. If the engine leaves an intent out of a run (`--target`), the SDK takes properties that are missing in the state
 * from the program. Triggers given for the first time would then seem to be those of the stored intent.
 */
function givenTriggers(triggers: unknown): unknown {
  if (!isOutputOrPromise(triggers)) return triggers ?? [];
  const output: pulumi.Output<unknown> = pulumi.output<unknown>(triggers);
  return output.apply((known) => known ?? []);
}

function optionIfGiven(opts: pulumi.ResourceOptions, option: "dependsOn"): Pick<pulumi.ResourceOptions, "dependsOn"> {
  return opts[option] === undefined ? {} : { [option]: opts[option] };
}

type AliasInput = pulumi.Input<pulumi.URN | pulumi.Alias>;

/**
 * The aliases of a restore, translated for its intent: if the restore was called `old`, the intent was named after `old`.
 * Without them a renamed restore would get a new intent, and would be restored again.
 */
function intentAliases(aliases: readonly AliasInput[], kind: RestoreKind, types: ResourceTypes): AliasInput[] {
  return aliases.map((alias) =>
    isOutputOrPromise(alias)
      ? pulumi.output(alias).apply((known) => intentAlias(known as pulumi.URN | pulumi.Alias, kind, types))
      : intentAlias(alias, kind, types),
  );
}

function intentAlias(
  alias: pulumi.URN | pulumi.Alias,
  kind: RestoreKind,
  types: ResourceTypes,
): pulumi.URN | pulumi.Alias {
  if (typeof alias === "string") return intentUrnOf(alias, kind, types);
  // Intents have only ever had one type; a restore's former type would name an intent that never existed.
  const translated = { ...alias };
  delete translated.type;
  if (translated.name !== undefined) translated.name = intentNameFor(translated.name, kind);
  return translated;
}

/** Keeps a plain name plain, because older engines compare structured aliases as they are. */
function intentNameFor(name: pulumi.Input<string>, kind: RestoreKind): pulumi.Input<string> {
  return typeof name === "string"
    ? intentName(name, kind)
    : pulumi.output(name).apply((known) => intentName(known, kind));
}
