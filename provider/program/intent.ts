import * as pulumi from "@pulumi/pulumi";
import type { Mark, PointChoice } from "../inputs/intent";
import { isGiven } from "../inputs/problems";
import { intentName, intentUrnOf, type ResourceTypes } from "../inputs/resource-names";
import { decidingInputs, type RestoreKind } from "../inputs/restore-table";
import { omitUndefined } from "../plain/plain";
import type { Backend } from "./backend";
import type { MachinePosition } from "./machine-order";
import { isOutputOrPromise } from "./program-values";
import { intentIgnoreChanges } from "./ignore-changes";
import { cheapenStackTraces } from "./stack-traces";

/**
 * A small separate resource that keeps a restore from being forgotten if the run is killed. The engine saves the intent before the restore starts. The intent
 * records what to restore, and the current top of the panel's list. Each restore constructs its own intent.
 */
class Intent extends pulumi.CustomResource {
  declare readonly __kind: pulumi.Output<RestoreKind>;
  declare readonly mark: pulumi.Output<Mark>;
  /** Set only if a rule chooses the recovery point. The point itself is `recoveryPointId`. */
  declare readonly choice?: pulumi.Output<PointChoice | undefined>;

  constructor(name: string, inputs: pulumi.Inputs, opts: pulumi.CustomResourceOptions, backend: Backend) {
    const undo = cheapenStackTraces();
    try {
      super(backend.types.Intent, name, { ...inputs, mark: undefined, ...backend.extraProperties("Intent") }, opts);
    } finally {
      undo();
    }
  }
}

/** Options that an intent copies from its restore: the parent, the provider, and whatever causes a replacement. */
const sharedOptions = [
  "parent",
  "provider",
  "version",
  "pluginDownloadURL",
  "replacementTrigger",
  "transformations",
  "transforms",
] as const;

/** Diffs of these properties mean nothing to users, and would push the progress text off the row. */
const hideDiffs = ["__kind", ...decidingInputs, "mark", "__behind", "__previous", "__known", "__row", "choice"];

/** Constructs the intent of a restore that is about to be constructed. */
export function constructIntent(
  kind: RestoreKind,
  restoreName: string,
  args: pulumi.Inputs,
  opts: pulumi.CustomResourceOptions,
  position: MachinePosition,
  backend: Backend,
): Intent {
  const target = { __kind: kind, ...pick(decidingInputs, args), triggers: givenTriggers(args["triggers"]) };
  // A property without a value would be an output that stays unknown in every preview.
  const inputs = omitUndefined<Record<string, unknown>>(target);
  const intentOpts: pulumi.CustomResourceOptions = {
    ...omitUndefined<Record<string, unknown>>(pick(sharedOptions, opts)),
    aliases: [
      ...intentAliases(opts.aliases ?? [], kind, backend.types),
      ...(backend.aliasesFor?.("Intent", intentName(restoreName, kind)) ?? []),
    ],
    ignoreChanges: intentIgnoreChanges(opts.ignoreChanges ?? [], inputs),
    // Otherwise, a protected parent would protect the intent too, and a protected intent would prevent every new restore.
    protect: false,
    hideDiffs,
  };
  const dependencies = pulumi.mergeOptions(omitUndefined(pick(["dependsOn"], opts)), { dependsOn: position.dependsOn });
  const name = intentName(restoreName, kind);
  const createInputs = {
    // The intent's own URN, from which errors derive the restore's name, because the engine passes no URN to `create`.
    __row: withoutDependencies(pulumi.createUrn(name, backend.types.Intent, opts.parent)),
    ...position.inputs,
  };
  // Set only with a rule: otherwise, the state would have no values for these, and they would be unknown in every preview.
  const choiceInputs = isGiven(args["recoveryPoint"])
    ? {
        recoveryPointId: undefined,
        choice: undefined,
        __takes: args["adopt"] as unknown,
      }
    : {};
  return new Intent(name, { ...choiceInputs, ...inputs, ...createInputs }, { ...intentOpts, ...dependencies }, backend);
}

/** Removes an output's dependencies. A URN depends on the parent's URN, and depending on a component means depending on all its children, even this intent. */
function withoutDependencies<T>(output: pulumi.Output<T>): Promise<T> {
  return new Promise((resolve) => {
    output.apply(resolve as (value: unknown) => void);
  });
}

/** The intent as its restore receives it. Each property is a separate output, so that a secret among the triggers makes only the triggers secret. */
export function intentInput(intent: Intent, args: pulumi.Inputs): pulumi.Inputs {
  const { id, __kind: kind, urn, mark } = intent;
  // Every input is also a field of the resource.
  const inputs = intent as unknown as pulumi.Inputs;
  const madeFor = omitUndefined<Record<string, unknown>>({
    kind,
    ...pick(decidingInputs, inputs),
    ...chosenPointInput(intent),
  });
  return { id, urn, mark, madeFor, ...choiceInput(args, intent) };
}

/** The chosen point. If `adopt` names a transaction, no point is chosen, and the point is undefined instead of unknown. */
function chosenPointInput(intent: Intent): pulumi.Inputs {
  const { choice, recoveryPointId } = intent as Intent & { readonly recoveryPointId?: unknown };
  if (choice === undefined) return {};
  const isNone = (made: object | undefined): boolean => made !== undefined && Object.keys(made).length === 0;
  return { recoveryPointId: choice.apply((made) => (isNone(made) ? undefined : recoveryPointId)) };
}

/** The choice, unless the program also sets an id: setting both is a mistake that must reach the restore's `check`. */
function choiceInput({ recoveryPointId: own }: pulumi.Inputs, { choice }: Intent): pulumi.Inputs | undefined {
  if (choice === undefined) return undefined;
  if (!isOutputOrPromise(own)) return isGiven(own) ? {} : { choice };
  return { choice: pulumi.all([own, choice]).apply(([id, chosen]) => (isGiven(id) ? undefined : chosen)) };
}

function pick(names: readonly string[], values: pulumi.Inputs): pulumi.Inputs {
  return Object.fromEntries(names.map((name) => [name, values[name] as unknown]));
}

/**
 * The triggers, or an empty list if there are none. If `--target` leaves an intent out of a run, the SDK takes properties that are missing in the state from
 * the program. Without the empty list, new triggers would look as if the stored intent already had them.
 */
function givenTriggers(triggers: unknown): unknown {
  const output: pulumi.Output<unknown> = pulumi.output<unknown>(triggers);
  return output.apply((known) => known ?? []);
}

type AliasInput = pulumi.Input<pulumi.URN | pulumi.Alias>;

/**
 * The aliases of a restore, translated for its intent: if the restore was called `old`, the intent's name was derived from `old`. Without these aliases, a
 * renamed restore would get a new intent and run again.
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
  // Intents have only ever had one type, and with a restore's former type, the alias would name an intent that never existed.
  const translated = { ...alias };
  delete translated.type;
  if (translated.name !== undefined) translated.name = intentNameFor(translated.name, kind);
  return translated;
}

/** Returns a plain string for a plain string, because older engines compare structured aliases as they are. */
function intentNameFor(name: pulumi.Input<string>, kind: RestoreKind): pulumi.Input<string> {
  return typeof name === "string"
    ? intentName(name, kind)
    : pulumi.output(name).apply((known) => intentName(known, kind));
}
