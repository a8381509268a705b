import { noCheckpointsText } from "./messages";

/**
 * Without checkpoints the engine saves no intent before its restore starts, so after a kill it would be unknown whether it was posted. The engine
 * respects the variable only together with PULUMI_EXPERIMENTAL.
 */
export function requireCheckpoints(who: string, env: NodeJS.ProcessEnv = process.env): void {
  if (!isTruthy(env["PULUMI_SKIP_CHECKPOINTS"]) || !isTruthy(env["PULUMI_EXPERIMENTAL"])) return;
  throw new Error(noCheckpointsText(who));
}

/** The way the engine reads a switch. */
function isTruthy(value: string | undefined): boolean {
  return value === "1" || value?.toLowerCase() === "true";
}
