/**
 * One switch for each question that the API's description leaves open. A client that works with all values of all switches does not depend on behavior in
 * which real panels may differ. The first value of each switch belongs to the `plain` dialect.
 */
export const switches = {
  /** The response to an accepted POST. With `transaction` or `location`, it names the transaction, in a row or in a `Location` header. */
  postBody: ["resource", "recoveryPoint", "notice", "empty", "blank", "html", "transaction", "location"],
  /** A row's fields: all of them, or only the id, the status and the fields that `machineTie` selects. */
  rows: ["full", "bare"],
  /** The fields that name a row's machine: `field` is a `virtual_machine_id`; with `none`, only a machine's own log shows which rows belong to it. */
  machineTie: ["all", "associated", "field", "none"],
  /** The items in a machine's log: each names its transaction, or has only an id and a line of text. */
  logTie: ["transaction", "none"],
  /** The action names for restores. With `other`, they do not contain "restore". */
  actionNames: ["backup", "recoveryPoint", "camel", "other"],
  /** One row per restore, or three (stop, restore, start) linked by a chain id and `dependent_transaction_id`, or by one of the two. */
  chain: ["single", "chain", "dependentOnly", "chainOnly"],
  /** The response to a request for a page past the last page. */
  pastEnd: ["empty", "repeatLast", "notFound"],
  /** How the panel treats a path with both `/page/` and `/per_page/`. */
  combinedPaging: ["both", "ignorePage", "ignorePerPage", "ignoreBoth", "notFound"],
  /** How the panel treats `?page=…&per_page=…`. */
  queryPaging: ["both", "ignored"],
  /** `paging`: X-Page, X-Limit, X-Total. `tracing`: X-Request-Id and a session cookie. */
  headers: ["none", "paging", "tracing", "all"],
  /** JSON lists: `[{"transaction":{}}]`, `[{}]` or `{"transactions":[{}]}`. */
  wrapping: ["items", "bare", "whole"],
  xmlNames: ["underscore", "hyphen"],
  idStyle: ["integer", "big", "alphanumeric"],
  /** A restore's `params`; with `secret`, both `params` and the log contain a password. */
  params: ["point", "empty", "secret"],
  /** `log_output` in a list without `?detailed`. */
  undetailedLog: ["absent", "empty"],
  errorBody: ["list", "single", "fields", "html"],
  /** The path under which a whole machine is restored and its recovery points are listed. */
  restorePath: ["machines", "servers", "both"],
  /** A restore of a locked machine: queued after the work that locks the machine, or rejected with 422. */
  whenLocked: ["queue", "refuse"],
  /** The list of a machine's recovery points: 404 if `missing`, 403 if `forbidden`. */
  pointList: ["listed", "missing", "forbidden"],
  pointOrder: ["newest", "oldest", "shuffled"],
  /**
   * Paging of recovery points. `paged`: as in the other lists. `whole`: always the whole list. `notFound`: the whole list; 404 for a path that names a page.
   * `query`: only by `?page=…`; 404 for a path that names a page. `sizes`: only by `/per_page/`, ignoring page numbers.
   */
  pointPaging: ["paged", "whole", "notFound", "query", "sizes"],
  /** The X-Total header with each page of recovery points: as in `headers`, always, or always one too many. */
  pointTotal: ["asHeaders", "sent", "oneMore"],
  /** The word for the state of a recovery point that can be restored. A scenario may set another word for a single point. */
  pointState: ["built", "available", "absent"],
  /** The recovery points in a machine's list: the machine's own, or those of all machines. */
  pointMachines: ["own", "all"],
} as const;

export type Choices = { readonly [Name in keyof typeof switches]: (typeof switches)[Name][number] };

export interface Dialect extends Choices {
  /** Maximum number of rows on a page, whatever is requested; null for no maximum. */
  readonly pageCap: number | null;
  /** Maximum number of recovery points on a page; null to use `pageCap`. */
  readonly pointCap: number | null;
  /** Rows on a page of recovery points if no size is requested. */
  readonly pointPageSize: number;
  /** Time zone of the panel's timestamps. 0 is written as `Z`. */
  readonly utcOffsetMinutes: number;
  /** Seconds by which the panel's clock is ahead of the true time. */
  readonly clockSkewSeconds: number;
  /** Delay before a POST's rows are listed. They then appear below any rows that were added in the meantime. */
  readonly listingDelaySeconds: number;
}
