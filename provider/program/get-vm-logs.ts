import type * as pulumi from "@pulumi/pulumi";
import type { MachineId } from "../panel/types";
import { callOutput, callPlain } from "./call";
import {
  echoedArgs,
  listRows,
  machineProblems,
  type OutputArgs,
  type OutputFunctionOptions,
  pagingProblems,
  type PanelFunction,
} from "./function-args";
import type { Provider } from "./provider";
import { containsFreeText, logItem, type LogItem } from "./rows";

/** The arguments of {@link getVmLogs}. */
export interface GetVmLogsArgs {
  /** The machine's id, as in its URL on the panel: a number, or letters, digits, `-` and `_`. */
  virtualMachineId: number | string;
  /**
   * The page of the log to read (1 is the newest); can't be combined with `limit`.
   * @default 1
   */
  page?: number | undefined;
  /**
   * The number of rows per page, up to 10000; with `limit`, the number requested at a time.
   *
   * A panel may enforce a lower limit.
   * @default the panel's own, usually 10; if `limit` is set, the smaller of `limit` and the `pageSize` setting
   */
  perPage?: number | undefined;
  /**
   * How many of the newest entries to read, from as many pages as needed; can't be combined with `page`.
   * @default none: one page
   */
  limit?: number | undefined;
  /**
   * The panel to read; equivalent to the `provider` option.
   * @default the provider of `parent`, or else the stack's connection
   */
  provider?: Provider | undefined;
}

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

type LogsQuery = Pick<GetVmLogsArgs, "virtualMachineId" | "page" | "perPage" | "limit">;

export const logsFunction: PanelFunction<LogsQuery, GetVmLogsResult> = {
  name: "getVmLogs",
  names: ["virtualMachineId", "page", "perPage", "limit"],
  subject: ({ virtualMachineId }) => `the log of virtual machine ${String(virtualMachineId)}`,
  problems: (args) => [...machineProblems(args.virtualMachineId), ...pagingProblems(args)],
  async read(client, args, settings) {
    const machine = String(args.virtualMachineId) as MachineId;
    const { page, perPage, limit } = args;
    const rows = await listRows(
      args,
      settings,
      (request) => client.listLogItems(machine, request),
      (size) => client.walkLogItems(machine, size),
    );
    return {
      virtualMachineId: machine,
      ...echoedArgs({ page, perPage, limit }),
      items: rows.map(logItem),
    };
  },
  // Log entries normally have no free text, but a panel may add some.
  isSecret: (result) => result.items.some((item) => containsFreeText(item.fields)),
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
