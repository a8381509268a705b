import * as pulumi from "@pulumi/pulumi";
import { isGiven } from "../inputs/problems";
import { recordNames } from "../inputs/record";
import { inputNamed, type RestoreKind, writtenInputs } from "../inputs/restore-table";
import { type Backend, dynamicBackend } from "./backend";
import { constructIntent, intentInput } from "./intent";
import { takePosition } from "./machine-order";
import { refuseMisspelledSettings } from "./program-settings";
import { withDatesAsText } from "./program-values";
import { expandIgnoreChanges } from "./ignore-changes";
import { programError } from "./stack-traces";

/** All optional inputs and all outputs, set to undefined: the SDK creates outputs only for the properties that are passed to it. */
const unsetOutputs: Readonly<Record<string, undefined>> = Object.fromEntries(
  [...writtenInputs.filter((name) => !inputNamed(name).required), ...recordNames].map((name) => [name, undefined]),
);

/** These properties change with every restore and mean nothing to users, and their diffs would push the progress text off the row. */
const hideDiffs = ["__intent", "__behind", "__previous", "__known", "__followed"];

/** The arguments with which a restore's constructor registers the resource, and a callback to call afterwards. */
interface PreparedRestore {
  readonly props: pulumi.Inputs;
  readonly opts: pulumi.CustomResourceOptions;
  readonly onRegistered: (restore: pulumi.Resource) => void;
}

/**
 * Does everything in a restore's constructor except the registration, which must stay in the constructor itself: the SDK counts the calls between its own
 * constructor and the program to find the program's line.
 *
 * Values are not checked here: `check` does that in the preview, where they are known.
 */
export function prepareRestore(
  kind: RestoreKind,
  name: unknown,
  args: object | null | undefined,
  opts: pulumi.CustomResourceOptions = {},
  backend: Backend = dynamicBackend,
): PreparedRestore {
  const merged: pulumi.CustomResourceOptions = {
    ...pulumi.mergeOptions(opts, { additionalSecretOutputs: ["logOutput"], hideDiffs }),
    ...(backend.aliasesFor && { aliases: [...(opts.aliases ?? []), ...backend.aliasesFor(kind, String(name))] }),
    ...(opts.ignoreChanges && { ignoreChanges: expandIgnoreChanges(opts.ignoreChanges) }),
    // Without this, a restore would inherit the option from its parent. `delete` sends nothing, but it must run, because only `delete` reports that a replaced
    // restore was found again instead of being sent again.
    retainOnDelete: false,
  };
  refuseWrongUse(kind, name, args, opts);
  const given: pulumi.Inputs = { ...args };
  const inputs: pulumi.Inputs = { ...given, triggers: withDatesAsText(given["triggers"]) };
  const customTimeouts = operationLimits(opts.customTimeouts);
  const { virtualMachineId: machineId, wait, recoveryPoint } = inputs as Readonly<Record<string, unknown>>;
  // True even for a rule that is not known yet.
  const hasRule = isGiven(recoveryPoint);
  const position = takePosition(
    { kind, name, machineId, wait },
    backend.orderScope ? undefined : providerOfResource(backend.types[kind], opts),
    backend.orderScope,
  );
  const intent = constructIntent(kind, name, inputs, opts, position, backend);
  return {
    props: {
      ...unsetOutputs,
      ...(hasRule && { recoveryPointTakenAt: undefined }),
      ...inputs,
      ...(customTimeouts && { customTimeouts }),
      __intent: intentInput(intent, inputs),
      ...position.inputs,
      __followed: position.followed,
      ...backend.extraProperties(kind),
    },
    opts: merged,
    onRegistered: (restore) => {
      // The resource's own output would be unknown in every preview, because no state contains it.
      if (!hasRule) Object.assign(restore, { recoveryPointTakenAt: pulumi.output(undefined) });
      position.recordConstructed({ restore, intent });
    },
  };
}

/** If no restore can be made from the arguments, reports an error in the program, at the program's own line. */
function refuseWrongUse(
  kind: RestoreKind,
  name: unknown,
  args: unknown,
  opts: pulumi.CustomResourceOptions,
): asserts name is string {
  refuseMisspelledSettings();
  if (typeof name !== "string" || name === "") throw programError(`a ${kind} needs a name as its first argument`);
  if (typeof args !== "object" || args === null) {
    throw programError(
      `${kind} "${name}" needs inputs, such as virtualMachineId and either recoveryPointId or recoveryPoint`,
    );
  }
  if (opts.import !== undefined || opts.id !== undefined || opts.urn !== undefined) {
    throw programError(
      `${kind} "${name}" cannot be imported, or read by its id or URN: to adopt a restore that was started elsewhere, ` +
        `remove the option and set adopt to its transaction's id`,
    );
  }
  for (const option of ["replaceOnChanges", "replaceWith"] as const) {
    if ((opts[option] ?? []).length === 0) continue;
    throw programError(
      `${kind} "${name}" cannot have the option ${option}, so nothing was sent: after an unrelated change, the option could overwrite ` +
        `the machine. Remove the option; to restore again when a value changes, add the value to triggers`,
    );
  }
}

/** The explicit provider that the SDK will choose: the provider in the options, or else the provider passed on by the parent. */
function providerOfResource(type: string, opts: pulumi.CustomResourceOptions): pulumi.ProviderResource | undefined {
  if (opts.provider !== undefined) return opts.provider;
  const parent = pulumi.Resource.isInstance(opts.parent) ? opts.parent : pulumi.runtime.getStackResource();
  return parent?.getProvider(type);
}

/**
 * The option `customTimeouts` as an input, because the SDK's server for dynamic providers passes on only the properties, not the timeout in the engine's
 * request. Transformations run after the constructor's own code, so their changes to this option have no effect. The limit on deletions is left out, because a
 * deletion takes no time. Programs in YAML and Go send an empty text for each limit that is not set.
 */
function operationLimits({ create, update }: pulumi.CustomTimeouts = {}): pulumi.Inputs | undefined {
  const given = Object.entries({ create, update }).filter(([, limit]) => limit);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}
