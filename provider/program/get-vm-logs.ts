import type * as pulumi from "@pulumi/pulumi";
import type { MachineId } from "../panel/types";
import { callOutput, callPlain } from "./call";
import {
  listRows,
  type MachineArg,
  type OutputArgs,
  type OutputFunctionOptions,
  type PagingArgs,
  pagingReaders,
  type PanelArg,
  type PanelFunction,
  readMachineId,
} from "./function-args";
import { containsFreeText, logItem, type LogItem } from "./rows";

/** The arguments of {@link getVmLogs}. */
export interface GetVmLogsArgs extends MachineArg, PagingArgs, PanelArg {}

/** The arguments of {@link getVmLogsOutput}. */
export type GetVmLogsOutputArgs = OutputArgs<GetVmLogsArgs>;

/** The arguments as given, and the log entries that the panel lists. */
export interface GetVmLogsResult {
  /** The argument as given, as text. */
  readonly virtualMachineId: string;
  /** The argument as given. */
  readonly page: number | undefined;
  /** The argument as given; the panel may have listed fewer. */
  readonly perPage: number | undefined;
  /** The argument as given. */
  readonly limit: number | undefined;
  /** The entries, newest first; empty when the machine has none. */
  readonly items: LogItem[];
}

export const logsFunction: PanelFunction<PagingArgs & { virtualMachineId: MachineId }, GetVmLogsResult> = {
  name: "getVmLogs",
  subject: ({ virtualMachineId }) => `the log of virtual machine ${virtualMachineId}`,
  readers: { virtualMachineId: readMachineId, ...pagingReaders },
  async read(client, args, settings) {
    const rows = await listRows(
      args,
      settings,
      (page) => client.listLogItems(args.virtualMachineId, page),
      (options) => client.walkLogItems(args.virtualMachineId, options),
    );
    return { items: rows.map(logItem) };
  },
  // Log entries normally have no free text, but a panel may add some.
  isSecret: ({ items }) => items.some((item) => containsFreeText(item.fields)),
};

/**
 * The entries of a machine's log, newest first.
 *
 * Reads the panel in previews too. An empty list is a result.
 *
 * ```ts
 * const { items } = await recovery.getVmLogs({ virtualMachineId: 42, limit: 20 });
 * ```
 */
export function getVmLogs(args: GetVmLogsArgs, opts?: pulumi.InvokeOptions): Promise<GetVmLogsResult> {
  return callPlain(logsFunction, args, opts);
}

/**
 * The entries of a machine's log, newest first, as an Output.
 *
 * Reads the panel after all arguments and `dependsOn` resources have resolved. Until then, the result is unknown in a preview.
 *
 * ```ts
 * const log = recovery.getVmLogsOutput({ virtualMachineId: 42, limit: 5 }, { dependsOn: web });
 * export const last = log.items[0].action;
 * ```
 */
export function getVmLogsOutput(
  args: GetVmLogsOutputArgs,
  opts?: OutputFunctionOptions,
): pulumi.Output<GetVmLogsResult> {
  return callOutput(logsFunction, args, opts);
}
