import type * as pulumi from "@pulumi/pulumi";
import { readBoolean } from "../inputs/problems";
import { callOutput, callPlain } from "./call";
import {
  argumentProblems,
  echoedArgs,
  givenArgs,
  listRows,
  type OutputArgs,
  type OutputFunctionOptions,
  pagingProblems,
  type PanelFunction,
} from "./function-args";
import type { Provider } from "./provider";
import { detailedTransaction, plainTransaction, type Transaction } from "./rows";

/** The arguments of {@link getTransactions}. */
export interface GetTransactionsArgs {
  /**
   * The page of the list to read (1 is the newest); can't be combined with `limit`.
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
   * How many of the newest transactions to read, from as many pages as needed; can't be combined with `page`.
   * @default none: one page
   */
  limit?: number | undefined;
  /**
   * Include log text and `params`; the Output form's result is then a secret.
   * @default false
   */
  detailed?: boolean | undefined;
  /**
   * The panel to read; equivalent to the `provider` option.
   * @default the provider of `parent`, or else the stack's connection
   */
  provider?: Provider | undefined;
}

/** The arguments of {@link getTransactionsOutput}. */
export type GetTransactionsOutputArgs = OutputArgs<GetTransactionsArgs>;

/** The arguments as given, and the transactions that the panel lists. */
export interface GetTransactionsResult {
  /** The argument as given. */
  readonly page: number | undefined;
  /** The argument as given; the panel may have listed fewer. */
  readonly perPage: number | undefined;
  /** The argument as given. */
  readonly limit: number | undefined;
  /** The argument as given. */
  readonly detailed: boolean | undefined;
  /** The transactions, newest first; empty when the panel has none. */
  readonly transactions: Transaction[];
}

type TransactionsQuery = Pick<GetTransactionsArgs, "page" | "perPage" | "limit" | "detailed">;

export const transactionsFunction: PanelFunction<TransactionsQuery, GetTransactionsResult> = {
  name: "getTransactions",
  names: ["page", "perPage", "limit", "detailed"],
  subject: () => "the transaction list",
  problems: (args) => [...pagingProblems(args), ...argumentProblems("detailed", args.detailed, readBoolean)],
  async read(client, args, settings) {
    const { page, perPage, limit, detailed } = args;
    const how = givenArgs({ detailed });
    const rows = await listRows(
      args,
      settings,
      (request) => client.listTransactions({ ...request, ...how }),
      (size) => client.walkTransactions({ ...size, ...how }),
    );
    const transactions = rows.map(detailed === true ? detailedTransaction : plainTransaction);
    return { ...echoedArgs({ page, perPage, limit, detailed }), transactions };
  },
  // Depends on the arguments, not on the answer, so that a program always exports the same outputs as secrets.
  isSecret: (result) => result.detailed === true,
};

/**
 * The panel's transactions, newest first.
 *
 * Reads the panel in previews too. An empty list is a result.
 *
 * ```ts
 * const { transactions } = await recovery.getTransactions({ limit: 20 });
 * ```
 */
export function getTransactions(
  args: GetTransactionsArgs = {},
  opts?: pulumi.InvokeOptions,
): Promise<GetTransactionsResult> {
  return callPlain(transactionsFunction, args, opts);
}

/**
 * The panel's transactions, newest first, as an Output.
 *
 * Reads the panel after all arguments and `dependsOn` resources have resolved. Until then, the result is unknown in a preview.
 *
 * ```ts
 * const recent = recovery.getTransactionsOutput({ limit: 5 }, { dependsOn: web });
 * export const states = recent.transactions.apply((all) => all.map(({ id, status }) => ({ id, status })));
 * ```
 */
export function getTransactionsOutput(
  args: GetTransactionsOutputArgs = {},
  opts?: OutputFunctionOptions,
): pulumi.Output<GetTransactionsResult> {
  return callOutput(transactionsFunction, args, opts);
}
