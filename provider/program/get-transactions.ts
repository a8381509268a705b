import type * as pulumi from "@pulumi/pulumi";
import { readBoolean } from "../inputs/problems";
import { callOutput, callPlain } from "./call";
import {
  listRows,
  type OutputArgs,
  type OutputFunctionOptions,
  type PagingArgs,
  pagingReaders,
  type PanelArg,
  type PanelFunction,
} from "./function-args";
import { detailedTransaction, plainTransaction, type Transaction } from "./rows";

/** The arguments of {@link getTransactions}. */
export interface GetTransactionsArgs extends PagingArgs, PanelArg {
  /**
   * Include log text and `params`; the Output form's result is then a secret.
   * @default false
   */
  detailed?: boolean | undefined;
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

export const transactionsFunction: PanelFunction<PagingArgs & { detailed?: boolean }, GetTransactionsResult> = {
  name: "getTransactions",
  subject: () => "the transaction list",
  readers: { ...pagingReaders, detailed: readBoolean },
  async read(client, args, settings) {
    const rows = await listRows(
      args,
      settings,
      (page) => client.listTransactions(page),
      (options) => client.walkTransactions(options),
    );
    return { transactions: rows.map(args.detailed === true ? detailedTransaction : plainTransaction) };
  },
  // Depends on the arguments, not on the answer, so that a program always exports the same outputs as secrets.
  isSecret: ({ detailed }) => detailed === true,
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
