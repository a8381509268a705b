import { setTimeout as pause } from "node:timers/promises";
import { RunError } from "@pulumi/pulumi";

/** Polls the address until it answers with a success status. Returns how long that took, in seconds. */
export async function untilItAnswers(url: string, limitSeconds: number): Promise<number> {
  const began = Date.now();
  for (;;) {
    const problem = await ask(url);
    const seconds = Math.round((Date.now() - began) / 1000);
    if (problem === undefined) return seconds;
    // A RunError ends the program with only its message, without a stack trace.
    if (seconds >= limitSeconds) {
      throw new RunError(`${url} did not answer within ${String(limitSeconds)} s: ${problem}`);
    }
    await pause(2_000);
  }
}

async function ask(url: string): Promise<string | undefined> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(5_000), redirect: "manual" });
    return answer.ok ? undefined : `status ${String(answer.status)}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
