import type * as pulumi from "@pulumi/pulumi";
import type { MachineId, PanelClient } from "../panel/types";
import { collectNewest } from "../panel/requested-page";
import { callOutput, callPlain } from "./call";
import {
  echoedArgs,
  givenArgs,
  machineProblems,
  type OutputFunctionOptions,
  pagingProblems,
  type PanelFunction,
  type ReadingSettings,
} from "./function-args";
import type { Provider } from "./provider";
import { containsFreeText, logItem, type LogItem } from "./rows";

/** Which entries of which machine's log `getVmLogs` returns. */
export interface GetVmLogsArgs {
  /** The machine, as in its address on the panel: a number, or letters, digits, `-` and `_`. */
  virtualMachineId: number | string;
  /**
   * Which page of the log, 1 being the newest. Not together with `limit`.
   * @default 1
   */
  page?: number | undefined;
  /**
   * Rows of a page, up to 10000; a panel may have a smaller bound of its own. With `limit`: rows asked for at a time.
   * @default what the panel says, usually 10; with `limit`, the setting `pageSize` or `limit` if that is smaller
   */
  perPage?: number | undefined;
  /**
   * The newest so many entries, over as many pages as needed. Not together with `page`.
   * @default none: one page
   */
  limit?: number | undefined;
  /**
   * The panel to read; the option `provider` does the same.
   * @default the provider of the option `parent`, then the stack's connection
   */
  provider?: Provider | undefined;
}

/** Which entries of which machine's log `getVmLogsOutput` returns. */
export interface GetVmLogsOutputArgs {
  /** The machine, as in its address on the panel: a number, or letters, digits, `-` and `_`. */
  virtualMachineId: pulumi.Input<number | string>;
  /**
   * Which page of the log, 1 being the newest. Not together with `limit`.
   * @default 1
   */
  page?: pulumi.Input<number | undefined>;
  /**
   * Rows of a page, up to 10000; a panel may have a smaller bound of its own. With `limit`: rows asked for at a time.
   * @default what the panel says, usually 10; with `limit`, the setting `pageSize` or `limit` if that is smaller
   */
  perPage?: pulumi.Input<number | undefined>;
  /**
   * The newest so many entries, over as many pages as needed. Not together with `page`.
   * @default none: one page
   */
  limit?: pulumi.Input<number | undefined>;
  /**
   * The panel to read; the option `provider` does the same.
   * @default the provider of the option `parent`, then the stack's connection
   */
  provider?: Provider | undefined;
}

/** The arguments as they were given, and what the panel listed. */
export interface GetVmLogsResult {
  /** As given, as text. */
  readonly virtualMachineId: string;
  /** As given. */
  readonly page: number | undefined;
  /** As given; the panel may have listed fewer. */
  readonly perPage: number | undefined;
  /** As given. */
  readonly limit: number | undefined;
  /** Newest first; empty when the machine has none. */
  readonly items: LogItem[];
}

type LogsQuery = Pick<GetVmLogsArgs, "virtualMachineId" | "page" | "perPage" | "limit">;

export const logsFunction: PanelFunction<LogsQuery, GetVmLogsResult> = {
  name: "getVmLogs",
  subject: ({ virtualMachineId }) => `the log of virtual machine ${String(virtualMachineId)}`,
  problems: (args) => [...machineProblems(args.virtualMachineId), ...pagingProblems(args)],
  async read(client, args, settings) {
    const rows = await listRows(client, args, settings);
    const { page, perPage, limit } = args;
    return {
      virtualMachineId: String(args.virtualMachineId),
      ...echoedArgs({ page, perPage, limit }),
      items: rows.map(logItem),
    };
  },
  // Entries have no free text by themselves. A panel that adds some is taken at its word.
  isSecret: (result) => result.items.some((item) => containsFreeText(item.fields)),
};

async function listRows(client: PanelClient, args: LogsQuery, settings: ReadingSettings) {
  const machine = String(args.virtualMachineId) as MachineId;
  const { page, perPage, limit } = givenArgs(args);
  if (limit === undefined) return (await client.listLogItems(machine, givenArgs({ page, perPage }))).items;
  const perRequest = perPage ?? Math.min(limit, settings.pageSize);
  return (await collectNewest(client.walkLogItems(machine, { perPage: perRequest }), limit)).items;
}

/**
 * The entries of a machine's log, newest first. Reads the panel in previews too. An empty list is a result.
 *
 * ```ts
 * const { items } = await recovery.getVmLogs({ virtualMachineId: 42, limit: 20 });
 * ```
 */
export function getVmLogs(args: GetVmLogsArgs, opts?: pulumi.InvokeOptions): Promise<GetVmLogsResult> {
  return callPlain(logsFunction, args, opts);
}

/**
 * The entries of a machine's log, newest first, once the arguments and the resources in `dependsOn` are there;
 * unknown in a preview as long as they are not.
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
