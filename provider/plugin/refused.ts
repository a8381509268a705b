import * as pulumi from "@pulumi/pulumi";
import type { CheckFailure } from "../inputs/check-restore";
import { forTerminal, isCarriable } from "../text/for-terminal";

/** What the engine prints of inputs that cannot be right: each by its path, with the reason. Nothing was made. */
export function refused(type: string, name: string, failures: readonly CheckFailure[]): Error {
  return new pulumi.InputPropertiesError({
    message: forTerminal(`${type} "${name}" was not made, and nothing was sent`),
    errors: failures.map(({ property, reason }) => ({
      // A name that the program gave is part of the path of what lies below it.
      propertyPath: isCarriable(property) ? property : "",
      reason: forTerminal(reason),
    })),
  });
}
