import * as pulumi from "@pulumi/pulumi";
import { type CheckFailure, checkRestore } from "../inputs/check-restore";
import { unknownString } from "../inputs/read-values";
import { shownRecordNames } from "../inputs/record";
import { componentTypes, pluginTypes, resourceTypes } from "../inputs/resource-names";
import { inputsOf, type RestoreKind, writtenInputs } from "../inputs/restore-table";
import { forTerminal, isEngineSafe } from "../plain/text";
import type { Backend } from "../program/backend";
import { prepareRestore } from "../program/prepare-restore";
import { whenKnown } from "../program/program-values";
import { withoutSecret } from "./custom-resources";

class RestoreComponent extends pulumi.ComponentResource {
  readonly state: pulumi.Inputs;

  constructor(kind: RestoreKind, name: string, inputs: pulumi.Inputs, options: Options, parent: pulumi.Resource) {
    super(componentTypes[kind], name, {}, options);
    const opts = { ...childOptions(options), parent: this };
    const backend = pluginBackend((resource, childName) => [
      { type: resourceTypes[resource], name: childName, parent },
    ]);
    // Every output is a field of the resource, as in a VmRestore.
    const outputs = new RestoreRun(kind, name, inputs, opts, backend) as unknown as pulumi.Inputs;
    const names = [...inputsOf(kind, writtenInputs), "recoveryPointTakenAt", ...shownRecordNames];
    this.state = Object.fromEntries(names.map((output) => [output, outputs[output] as unknown]));
    this.registerOutputs(this.state);
  }
}

type Options = pulumi.ComponentResourceOptions & SomeOf<pulumi.CustomResourceOptions>;
type SomeOf<T> = Pick<T, Extract<keyof T, "customTimeouts" | "replaceOnChanges">>;

/** Creates the intent and the restore that a program in another language requested. If inputs are invalid, reports all of them at once and creates nothing. */
export async function constructRestore(
  kind: RestoreKind,
  name: string,
  inputs: pulumi.Inputs,
  options: Options,
): Promise<pulumi.provider.ConstructResult> {
  const errors = await inputProblems(kind, inputs);
  if (errors.length > 0) throw inputsError(kind, name, errors);
  const parent = await aliasParent(options.parent);
  const { urn, state } = new RestoreComponent(kind, name, inputs, options, parent);
  return { urn, state };
}

async function inputProblems(kind: RestoreKind, inputs: pulumi.Inputs): Promise<readonly CheckFailure[]> {
  const known: Record<string, unknown> = {};
  const secret = new Set<string>();
  for (const [property, value] of Object.entries(inputs)) {
    const found = await whenKnown(pulumi.output(value as unknown));
    known[property] = found.isKnown ? found.value : unknownString;
    if (found.isSecret) secret.add(property);
  }
  return checkRestore(kind)({}, known).failures.map((failure) => withoutSecret(failure, secret));
}

/** The component's options that also apply to its restore. Options without a value are left out. */
function childOptions(options: Options): pulumi.CustomResourceOptions {
  const names = [
    "dependsOn",
    "ignoreChanges",
    "replaceOnChanges",
    "customTimeouts",
    "retainOnDelete",
    "replacementTrigger",
    "deletedWith",
  ] as const;
  const given: pulumi.CustomResourceOptions = options;
  return Object.fromEntries(names.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]));
}

/** The parent that the same restore has in the state of a TypeScript program, where the restore is not part of a component. */
async function aliasParent(parent: pulumi.Resource | undefined): Promise<pulumi.Resource> {
  if (parent === undefined) return pulumi.rootStackResource;
  const urn = await new Promise<string>((resolve) => parent.urn.apply(resolve));
  return urn.includes("::pulumi:pulumi:Stack::") ? pulumi.rootStackResource : parent;
}

/** The error for invalid inputs, each with its path and a reason. Nothing was created. */
export function inputsError(type: string, name: string, failures: readonly CheckFailure[]): Error {
  return new pulumi.InputPropertiesError({
    message: forTerminal(`${type} "${name}" was not created, and nothing was sent`),
    errors: failures.map(({ property, reason }) => ({
      propertyPath: shownPath(property),
      reason: forTerminal(reason),
    })),
  });
}

/**
 * The path under which a problem is reported. The engine prints the value at any path that it finds among the inputs, but `waves` contains what checks send,
 * which may be secret. The reason contains the whole path, and the value if it may be shown.
 */
function shownPath(property: string): string {
  if (/^waves\b/.test(property)) return "waves (not shown)";
  // The path may contain names that the program chose, and text that the engine cannot print.
  return isEngineSafe(property) && property !== "" ? property : "(nested)";
}

/** The scope in which this process's restores are ordered. The SDK's own run cannot be used, because the SDK makes a run for each call from the engine. */
const run = {};

/** The backend of the plugin's custom resources. `aliasesFor` returns their names in the state of a TypeScript program. */
export const pluginBackend = (aliasesFor: NonNullable<Backend["aliasesFor"]>): Backend => ({
  types: pluginTypes,
  extraProperties: () => ({}),
  orderScope: run,
  aliasesFor,
});

/** The restore inside its component or its plan. */
class RestoreRun extends pulumi.CustomResource {
  constructor(
    kind: RestoreKind,
    name: string,
    inputs: pulumi.Inputs,
    opts: pulumi.CustomResourceOptions,
    backend: Backend,
  ) {
    const restore = prepareRestore(kind, name, inputs, opts, backend);
    super(pluginTypes[kind], name, restore.props, restore.opts);
    restore.onRegistered(this);
  }
}
