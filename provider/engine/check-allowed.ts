import { howToAllow } from "../inputs/allowed-machines";
import type { CheckResult } from "../inputs/check-restore";
import { containsUnknown, readId } from "../inputs/read-values";
import { ConfigurationError } from "../inputs/settings";
import { messageText } from "../plain/message";
import type { ProviderProcess } from "./process";

/** Adds to the result of a restore's `check` that its machine may not be restored. An id that is not known yet is checked once it is known. */
export function checkAllowed(
  providerProcess: Pick<ProviderProcess, "whyNotAllowed">,
  { inputs, failures }: CheckResult,
): CheckResult {
  const property = "virtualMachineId";
  const why = whyRefused(providerProcess, inputs[property]);
  return {
    inputs,
    failures: why === undefined ? failures : [...failures, { property, reason: `${property}: ${why}` }],
  };
}

/** The reason for a preview. A value that is not an id is reported separately. */
export function whyRefused(
  providerProcess: Pick<ProviderProcess, "whyNotAllowed">,
  machine: unknown,
): string | undefined {
  if (containsUnknown(machine)) return undefined;
  const reading = readId(machine);
  if ("problem" in reading) return undefined;
  try {
    const why = providerProcess.whyNotAllowed(reading.value);
    if (why === undefined) return undefined;
    return messageText({ what: `nothing was sent: ${why}`, next: howToAllow, help: "machines" });
  } catch (error) {
    // Settings that are unknown, or were not passed, are the intent's error.
    return error instanceof ConfigurationError ? error.message : undefined;
  }
}
