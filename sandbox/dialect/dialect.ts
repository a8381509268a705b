/**
 * One switch per question that the interface's description leaves open. A client that works with all values of all switches depends on
 * nothing that a real panel may do differently.
 */
export const switches = {
  /** The answer to an accepted POST. None names a transaction. */
  postBody: ["resource", "recoveryPoint", "notice", "empty", "blank", "html"],
  /**
   * The fields of a row that name its machine. With `none`, only the machine's own log names its rows. With `target`, a row names only the
   * object worked on, with that object's identifier: a restore names its recovery point, other work its machine.
   */
  machineTie: ["all", "associated", "parent", "identifier", "target", "none"],
  /** The action names of restores; `other` is a panel whose names do not contain "restore". */
  actionNames: ["backup", "recoveryPoint", "camel", "other"],
  /** One row per restore, or three (stop, restore, start) linked by a chain id and `dependent_transaction_id`, or by one of the two. */
  chain: ["single", "chain", "dependentOnly", "chainOnly"],
  chainIdType: ["integer", "string"],
  /** The fate of a chain's later rows after one that did not complete: cancelled, or pending for ever. */
  restOfChain: ["cancelled", "pending"],
  /** The time that sorts the transaction list, newest first. */
  sortedBy: ["created", "updated"],
  /** The answer to a page past the last one. */
  pastEnd: ["empty", "repeatLast", "notFound"],
  /** `/page/` and `/per_page/` in one path. */
  combinedPaging: ["both", "ignorePage", "ignorePerPage", "ignoreBoth", "notFound"],
  /** `?page=…&per_page=…`. */
  queryPaging: ["both", "ignored"],
  /** `paging`: X-Page, X-Limit, X-Total. `tracing`: X-Request-Id and a session cookie. */
  headers: ["none", "paging", "tracing", "all"],
  statusSpelling: ["cancelled", "canceled"],
  statusCase: ["lower", "capitalized", "upper"],
  /** JSON lists: `[{"transaction":{}}]`, `[{}]` or `{"transactions":[{}]}`. */
  wrapping: ["items", "bare", "whole"],
  xmlNames: ["underscore", "hyphen"],
  xmlDatetimeType: ["datetime", "dateTime"],
  emptyListXml: ["array", "nilClasses"],
  timestampPrecision: ["seconds", "milliseconds"],
  finishedAt: ["absent", "sent"],
  idStyle: ["integer", "big", "alphanumeric"],
  nulls: ["null", "absent"],
  /** A restore's `params`; `secret` holds a password, and so does its log. */
  params: ["point", "empty", "secret"],
  /** `log_output` in a list without `?detailed`. */
  undetailedLog: ["absent", "empty"],
  /** Alerts between the transactions of a machine's log. */
  logAlerts: ["none", "some"],
  errorBody: ["list", "single", "fields", "html"],
  /** The path under which a whole machine is restored and its recovery points are listed. */
  restorePath: ["machines", "servers", "both"],
  /** A restore of a locked machine: queued behind the work that locks it, or refused with 422. */
  whenLocked: ["queue", "refuse"],
  /** The list of a machine's recovery points: 404 if `missing`, 403 if `forbidden`. */
  pointList: ["listed", "missing", "forbidden"],
  pointOrder: ["newest", "oldest", "shuffled"],
  /** Paging of recovery points: like the other lists; always the whole list; or the whole list, and 404 for a path that names a page. */
  pointPaging: ["paged", "whole", "notFound"],
  /** The state word of a recovery point that can be restored. A scenario may give a point its own word. */
  pointState: ["built", "available", "absent"],
  /** The form of a recovery point's times. A time without a zone is the panel's local time. */
  pointTime: ["zone", "noZone", "absent"],
  /** The recovery points in the list of one machine: its own, or those of all machines. */
  pointMachines: ["own", "all"],
} as const;

type Choices = { readonly [Name in keyof typeof switches]: (typeof switches)[Name][number] };

export interface Dialect extends Choices {
  /** Maximum number of rows in a page, whatever is asked for; null for no maximum. */
  readonly pageCap: number | null;
  /** Time zone of the panel's time stamps. 0 is written as `Z`. */
  readonly utcOffsetMinutes: number;
  /** Seconds by which the panel's clock is ahead of the true time. */
  readonly clockSkewSeconds: number;
  /** Delay between a POST and its rows in the list. They appear below rows that came meanwhile. */
  readonly listingDelaySeconds: number;
}
