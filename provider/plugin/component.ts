import * as pulumi from "@pulumi/pulumi";
import { checkRestore, type CheckFailure } from "../inputs/check-restore";
import { unknownText } from "../inputs/unknown";
import { resourceTypes } from "../names/resource-names";
import type { RestoreKind } from "../restore/terms/intent";
import { recordNames } from "../names/record-names";
import { withoutSecret } from "./custom-resources";
import { refused } from "./refused";
import { pluginWay, RestoreRun } from "./restore-run";
import { inputNames } from "../resources/replace-on-changes";
import { componentTypes } from "./tokens";
import { whenKnown } from "./when-known";

/** What of a restore a program sees: where it has to be looked for again is of no use to it. */
const shown = [...inputNames, ...recordNames.filter((name) => name !== "postedAfter")];

class RestoreComponent extends pulumi.ComponentResource {
  readonly state: pulumi.Inputs;

  constructor(kind: RestoreKind, name: string, inputs: pulumi.Inputs, options: Options, parent: pulumi.Resource) {
    super(componentTypes[kind], name, {}, options);
    const opts = { ...forChildren(options), parent: this };
    const way = pluginWay((resource, childName) => [{ type: resourceTypes[resource], name: childName, parent }]);
    const { outputs } = new RestoreRun(kind, name, inputs, { opts, way });
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
  if (errors.length > 0) throw refused(kind, name, errors);
  const parent = await formerParent(options.parent);
  const { urn, state } = new RestoreComponent(kind, name, inputs, options, parent);
  return { urn, state };
}

async function problemsOf(kind: RestoreKind, inputs: pulumi.Inputs): Promise<readonly CheckFailure[]> {
  const known: Record<string, unknown> = {};
  const secret = new Set<string>();
  for (const [property, value] of Object.entries(inputs)) {
    const found = await whenKnown(pulumi.output(value as unknown));
    known[property] = found.isKnown ? found.value : unknownText;
    if (found.isSecret) secret.add(property);
  }
  return checkRestore(kind)({}, known).failures.map((failure) => withoutSecret(failure, secret));
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
