import * as pulumi from "@pulumi/pulumi";
import { programError } from "../program/program-error";
import type { RestoreKind } from "../restore/terms/intent";
import { recordNames } from "../names/record-names";
import type { RestoreArgs } from "./args";
import { nextInOrder } from "./construction-order";
import { limitsIn } from "./custom-timeouts";
import { onlyInputs } from "./replace-on-changes";
import { intentInput, intentOf } from "./restore-intent";
import { withDatesAsText } from "./triggers";
import { dynamicWay, type WayIn } from "./way-in";

/**
 * Named without a value, so that they exist on the resource from its construction on: the SDK makes an output of every
 * property it is given, and of no other.
 */
const outputs: Readonly<Record<string, undefined>> = Object.fromEntries(
  ["triggers", "timeouts", "wait", "adopt", "retryFailed", "captureLog", ...recordNames].map((name) => [
    name,
    undefined,
  ]),
);

/** What a restore's constructor registers, and what is to be done with the resource once it exists. */
export interface PreparedRestore {
  readonly props: pulumi.Inputs;
  readonly opts: pulumi.CustomResourceOptions;
  readonly registered: (restore: pulumi.Resource) => void;
}

/**
 * All of a restore's constructor but its registration, which has to stay in the constructor itself: the SDK finds the line of
 * the program that a resource comes from by counting the calls between its own constructor and the program.
 *
 * Values are not looked at: `check` does that in the preview, of the values as they arrive there.
 */
export function prepareRestore(
  kind: RestoreKind,
  name: unknown,
  args: RestoreArgs | null | undefined,
  opts: pulumi.CustomResourceOptions = {},
  way: WayIn = dynamicWay,
): PreparedRestore {
  // The intent changes with every restore and means nothing to a reader: on a terminal its diff would push the progress
  // off the row.
  const merged = {
    ...pulumi.mergeOptions(opts, { additionalSecretOutputs: ["logOutput"], hideDiffs: ["intent"] }),
    ...(way.formerly && { aliases: [...(opts.aliases ?? []), ...way.formerly(kind, String(name))] }),
    ...(opts.replaceOnChanges && { replaceOnChanges: onlyInputs(opts.replaceOnChanges) }),
  };
  if (opts.urn !== undefined) return { props: outputs, opts: merged, registered: () => undefined };
  if (typeof name !== "string" || name === "") throw programError(`a ${kind} needs a name as its first argument`);
  if (typeof args !== "object" || args === null) {
    throw programError(`${kind} "${name}" needs its inputs: virtualMachineId, recoveryPointId and so on`);
  }
  if (opts.import !== undefined || opts.id !== undefined) {
    throw programError(
      `${kind} "${name}" cannot be imported or read by its id: to take a restore that was started elsewhere into the ` +
        `stack, leave the option out and give its transaction's id in the input adopt`,
    );
  }
  const inputs = { ...args, triggers: withDatesAsText(args.triggers) as RestoreArgs["triggers"] };
  const position = nextInOrder(inputs.virtualMachineId, way.run ? undefined : providerOf(way.types[kind], opts), way);
  const intent = intentOf(kind, name, inputs, opts, position.before, way);
  const customTimeouts = limitsIn(opts.customTimeouts);
  return {
    props: {
      ...outputs,
      ...inputs,
      ...(customTimeouts && { customTimeouts }),
      intent: intentInput(intent),
      ...way.carried(kind),
    },
    opts: merged,
    registered: (restore) => {
      position.constructed(restore);
    },
  };
}

/** The explicit provider that the SDK is going to choose: the option's, else the one handed down by the parents. */
function providerOf(type: string, opts: pulumi.CustomResourceOptions): pulumi.ProviderResource | undefined {
  if (opts.provider !== undefined) return opts.provider;
  const parent = pulumi.Resource.isInstance(opts.parent) ? opts.parent : pulumi.runtime.getStackResource();
  return parent?.getProvider(type);
}
