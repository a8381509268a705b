import { setTimeout as pause } from "node:timers/promises";
import { RunError } from "@pulumi/pulumi";

/** Asks until the address answers with a good status. Returns how long that took, in seconds. */
export async function untilItAnswers(url: string, limitSeconds: number): Promise<number> {
  const began = Date.now();
  const spent = (): number => Math.round((Date.now() - began) / 1000);
  for (let last = "nothing"; ; await pause(2_000)) {
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(5_000), redirect: "manual" });
      if (answer.ok) return spent();
      last = `status ${String(answer.status)}`;
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
    // A RunError ends the program with its message alone, without a stack.
    if (spent() >= limitSeconds) throw new RunError(`${url} did not answer within ${String(limitSeconds)} s: ${last}`);
  }
}
