import type * as pulumi from "@pulumi/pulumi";
import type { ValueReader } from "../inputs/problems";
import { readBefore, readPointRule, readWithin } from "../inputs/read-point-rule";
import type { MachineId } from "../panel/types";
import { ofOtherMachines } from "../points/messages";
import { pointsWithin } from "../points/pick-by-rule";
import { otherMachines, toPoints } from "../points/points";
import type { Duration } from "./args";
import { callOutput, callPlain } from "./call";
import {
  type MachineArg,
  type OutputArgs,
  type OutputFunctionOptions,
  type PanelArg,
  type PanelFunction,
  readMachineId,
} from "./function-args";
import { containsFreeText, recoveryPoint, type RecoveryPoint } from "./rows";

/** The arguments of {@link getRecoveryPoints}. */
export interface GetRecoveryPointsArgs extends MachineArg, PanelArg {
  /**
   * Only points taken before this time (with a time zone), such as `"2026-11-20T09:30:00Z"`.
   * @default none
   */
  before?: string | undefined;
  /**
   * Only points no older than this, by the panel's clock: `"7d"`, or a number of seconds.
   * @default none
   */
  within?: Duration | undefined;
}

/** The arguments of {@link getRecoveryPointsOutput}. */
export type GetRecoveryPointsOutputArgs = OutputArgs<GetRecoveryPointsArgs>;

/** The arguments as given, and the recovery points that the panel lists. */
export interface GetRecoveryPointsResult {
  /** The argument as given, as text. */
  readonly virtualMachineId: string;
  /** The argument as given. */
  readonly before: string | undefined;
  /** The argument as given, as text. */
  readonly within: string | undefined;
  /** The points, newest first, those without a time last; empty when there are none. */
  readonly points: RecoveryPoint[];
}

/** Checks an argument, and keeps the text as given. */
const asGiven =
  (read: ValueReader<unknown>): ValueReader<string> =>
  (given) => {
    const reading = read(given);
    return "problem" in reading ? reading : { value: String(given) };
  };

export const pointsFunction: PanelFunction<
  { virtualMachineId: MachineId; before?: string; within?: string },
  GetRecoveryPointsResult
> = {
  name: "getRecoveryPoints",
  subject: ({ virtualMachineId }) => `the recovery points of virtual machine ${virtualMachineId}`,
  readers: { virtualMachineId: readMachineId, before: asGiven(readBefore), within: asGiven(readWithin) },
  async read(client, { virtualMachineId, ...window }, { pointStates }) {
    const page = await client.listRecoveryPoints(virtualMachineId);
    const others = otherMachines(page, virtualMachineId);
    if (others.length > 0) throw new Error(`${ofOtherMachines(others).what}.`);
    const rule = readPointRule(window);
    const points = pointsWithin(toPoints(page, pointStates), "value" in rule ? rule.value : {});
    if (points === undefined) {
      throw new Error("within needs the panel's clock, but the response does not include the time: use before.");
    }
    return { points: points.map(recoveryPoint) };
  },
  // Recovery points normally have no free text, but a panel may add some.
  isSecret: ({ points }) => points.some((point) => containsFreeText(point.fields)),
};

/**
 * The recovery points of a machine, newest first.
 *
 * Reads the panel in previews too. An empty list is a result.
 *
 * Do not pass the first point to a restore: with `recoveryPointId: points[0].id`, the next `pulumi up` after every backup restores the
 * machine again. A restore's own `recoveryPoint: "newest"` chooses once.
 *
 * ```ts
 * const { points } = await recovery.getRecoveryPoints({ virtualMachineId: 42, within: "7d" });
 * ```
 */
export function getRecoveryPoints(
  args: GetRecoveryPointsArgs,
  opts?: pulumi.InvokeOptions,
): Promise<GetRecoveryPointsResult> {
  return callPlain(pointsFunction, args, opts);
}

/**
 * The recovery points of a machine, newest first, as an Output.
 *
 * Reads the panel after all arguments and `dependsOn` resources have resolved. Until then, the result is unknown in a preview.
 *
 * Do not pass the first point to a restore: with a `recoveryPointId` from this list, the next `pulumi up` after every backup
 * restores the machine again. A restore's own `recoveryPoint: "newest"` chooses once.
 *
 * ```ts
 * const all = recovery.getRecoveryPointsOutput({ virtualMachineId: 42 });
 * export const newest = all.points.apply(([point]) => point?.takenAt);
 * ```
 */
export function getRecoveryPointsOutput(
  args: GetRecoveryPointsOutputArgs,
  opts?: OutputFunctionOptions,
): pulumi.Output<GetRecoveryPointsResult> {
  return callOutput(pointsFunction, args, opts);
}
