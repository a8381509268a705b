import * as pulumi from "@pulumi/pulumi";
import { checkRestore } from "../inputs/check-restore";
import { unknownText } from "../inputs/unknown";
import { resourceTypes } from "../names/resource-names";
import type { FileRestoreArgs } from "../resources/file-restore";
import { prepareRestore } from "../resources/prepare-restore";
import type { WayIn } from "../resources/way-in";
import type { RestoreKind } from "../restore/terms/intent";
import { withoutSecret } from "./custom-resources";
import { inputNames } from "../resources/replace-on-changes";
import { childTypes, componentTypes } from "./tokens";

/** The restores of this process have their order among themselves: each call of the engine's has a run of its own for the SDK. */
const run = {};

/** What of a restore a program sees. */
const shown = [
  ...inputNames,
  "transactionId",
  "transactionIds",
  "action",
  "status",
  "requestedAt",
  "startedAt",
  "finishedAt",
  "queuedSeconds",
  "durationSeconds",
  "adopted",
  "warnings",
  "logOutput",
] as const;

class RestoreRun extends pulumi.CustomResource {}

class RestoreComponent extends pulumi.ComponentResource {
  readonly state: pulumi.Inputs;

  constructor(kind: RestoreKind, name: string, inputs: pulumi.Inputs, options: Options, parent: pulumi.Resource) {
    super(componentTypes[kind], name, {}, options);
    const opts = { ...forChildren(options), parent: this };
    const way: WayIn = {
      types: childTypes,
      carried: () => ({}),
      run,
      formerly: (resource, childName) => [{ type: resourceTypes[resource], name: childName, parent }],
    };
    const restore = prepareRestore(kind, name, inputs as FileRestoreArgs, opts, way);
    const made = new RestoreRun(childTypes[kind], name, restore.props, restore.opts);
    restore.registered(made);
    const outputs = made as unknown as Readonly<Record<string, pulumi.Input<unknown>>>;
    const names = shown.filter((output) => output !== "paths" || kind === "FileRestore");
    this.state = Object.fromEntries(names.map((output) => [output, outputs[output]]));
    this.registerOutputs(this.state);
  }
}

type Options = pulumi.ComponentResourceOptions & pick<pulumi.CustomResourceOptions>;
type pick<T> = Pick<T, Extract<keyof T, "customTimeouts" | "replaceOnChanges">>;

/** A restore that a program in another language asked for: its intent, then itself. Bad inputs are told all at once, and nothing is made. */
export async function constructRestore(
  kind: RestoreKind,
  name: string,
  inputs: pulumi.Inputs,
  options: Options,
): Promise<pulumi.provider.ConstructResult> {
  const errors = await problemsOf(kind, inputs);
  if (errors.length > 0) {
    const message = `${kind} "${name}" was not made, and nothing was sent`;
    throw new pulumi.InputPropertiesError({ message, errors });
  }
  const parent = await formerParent(options.parent);
  const { urn, state } = new RestoreComponent(kind, name, inputs, options, parent);
  return { urn, state };
}

async function problemsOf(
  kind: RestoreKind,
  inputs: pulumi.Inputs,
): Promise<{ propertyPath: string; reason: string }[]> {
  const known: Record<string, unknown> = {};
  const secret = new Set<string>();
  for (const [property, value] of Object.entries(inputs)) {
    const found = await whenKnown(pulumi.output(value as unknown));
    known[property] = found.isKnown ? found.value : unknownText;
    if (found.isSecret) secret.add(property);
  }
  return checkRestore(kind)({}, known)
    .failures.map((failure) => withoutSecret(failure, secret))
    .map(({ property, reason }) => ({ propertyPath: property, reason }));
}

interface Found {
  readonly isKnown: boolean;
  readonly value: unknown;
  readonly isSecret: boolean;
}

/** `isSecret` settles once the callback has run, or cannot run. */
async function whenKnown(output: pulumi.Output<unknown>): Promise<Found> {
  let found: Pick<Found, "isKnown" | "value"> = { isKnown: false, value: undefined };
  const seen = output.apply((value) => {
    found = { isKnown: true, value };
  });
  const isSecret = await pulumi.isSecret(seen);
  return { ...found, isSecret };
}

/** What of the component's options is for its restore. What an option is left out for must not be there at all. */
function forChildren(options: Options): pulumi.CustomResourceOptions {
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

/** Under what the same restore stands in a state of a program in TypeScript: there it is no part of a component. */
async function formerParent(parent: pulumi.Resource | undefined): Promise<pulumi.Resource> {
  if (parent === undefined) return pulumi.rootStackResource;
  const urn = await new Promise<string>((resolve) => parent.urn.apply(resolve));
  return urn.includes("::pulumi:pulumi:Stack::") ? pulumi.rootStackResource : parent;
}
