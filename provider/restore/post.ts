import type { Head } from "../feed/watching";
import type { MachineId, PostAnswer, RecoveryPointId } from "../panel/terms/types";
import { isFreshForPost } from "./waits/fresh";
import type { IntendedPlan } from "./terms/restore-plan";
import type { Site } from "./site";

/**
 * The one place that sends a restore. The process that carries this code outlives an engine that was killed, and what was
 * still queued in it then would be posted by a run nobody watches, so the engine is asked for right before. After the answer
 * the page by which the machine is free and the mark is made must still be as good as new: else nothing is sent.
 */
export async function post(
  site: Site,
  plan: IntendedPlan,
  head: Head,
): Promise<PostAnswer | { readonly kind: "unwatched" | "stale" }> {
  if (!(await site.isWatched())) return { kind: "unwatched" };
  if (!isFreshForPost(head, site.clock)) return { kind: "stale" };
  const { target } = plan;
  const machine = target.virtualMachineId as MachineId;
  const point = target.recoveryPointId as RecoveryPointId;
  return target.kind === "VmRestore"
    ? site.client.restoreMachine(machine, point)
    : site.client.restoreFiles(machine, point, target.paths ?? []);
}
