import * as pulumi from "@pulumi/pulumi";
import type { Backend } from "../../provider/program/backend";

type PartName = "PlanRun" | "WaveIntent" | "Wave" | "Verdict";

interface Part {
  /** Beside its inputs. */
  readonly outputs: readonly string[];
  readonly secretOutputs?: readonly string[];
  /** Changes that a row does not list: its own words say what changes, and these values are wider than a terminal. */
  readonly hideDiffs: readonly string[];
}

const parts: Readonly<Record<PartName, Part>> = {
  PlanRun: {
    outputs: ["startedAt", "up", "by", "changes", "earlierRuns"],
    secretOutputs: ["secrets"],
    hideDiffs: ["secrets", "startedAt", "up", "by", "changes", "earlierRuns"],
  },
  WaveIntent: { outputs: ["restores"], hideDiffs: ["declared", "behind", "incidentAt", "restores"] },
  Wave: {
    outputs: ["record", "logs"],
    secretOutputs: ["logs"],
    hideDiffs: ["run", "restores", "earlier", "options", "onFailure", "record", "logs"],
  },
  Verdict: {
    outputs: ["verdict", "reasons", "counts", "recoveryTimeSeconds", "goals"],
    hideDiffs: ["run", "plan", "ofRun", "waves", "between", "counts", "goals"],
  },
};

/** A resource of a plan: its run, an intent and a wave for each wave, or its verdict. */
export class PlanPart extends pulumi.CustomResource {
  constructor(
    part: PartName,
    name: string,
    inputs: pulumi.Inputs,
    opts: pulumi.CustomResourceOptions & { readonly parent: pulumi.Resource },
    backend: Backend,
  ) {
    const { outputs, secretOutputs = [], hideDiffs } = parts[part];
    // The SDK makes an output of every property that it is given, and of no other.
    const unset = Object.fromEntries(outputs.map((output) => [output, undefined]));
    const type = backend.types[part];
    const aliases = backend.aliasesFor?.(part, name);
    super(
      type,
      name,
      // The provider logs on the row of the resource, and the engine does not pass it the URN.
      { ...unset, ...inputs, row: urnOf(name, type, opts.parent), ...backend.extraProperties(part) },
      {
        ...opts,
        // A part that is created again continues from the record of the deleted part.
        deleteBeforeReplace: true,
        additionalSecretOutputs: [...secretOutputs],
        hideDiffs: ["row", ...hideDiffs],
        ...(aliases && { aliases: [...aliases] }),
      },
    );
  }

  /** An output, or an input as it is stored. */
  output<Value>(name: string): pulumi.Output<Value> {
    return (this as unknown as Readonly<Record<string, pulumi.Output<Value>>>)[name] as pulumi.Output<Value>;
  }
}

/** A promise, because an output would make each part of a plan depend on the plan, and so on every other part. */
function urnOf(name: string, type: string, parent: pulumi.Resource): Promise<string> {
  return new Promise((resolve) => {
    pulumi.createUrn(name, type, parent).apply(resolve);
  });
}
