import * as pulumi from "@pulumi/pulumi";

export interface Found {
  readonly isKnown: boolean;
  readonly value: unknown;
  readonly isSecret: boolean;
}

/** What is known of a value by now. `isSecret` settles once the callback has run, or cannot run. */
export async function whenKnown(output: pulumi.Output<unknown>): Promise<Found> {
  let found: Pick<Found, "isKnown" | "value"> = { isKnown: false, value: undefined };
  const seen = output.apply((value) => {
    found = { isKnown: true, value };
  });
  const isSecret = await pulumi.isSecret(seen);
  return { ...found, isSecret };
}
