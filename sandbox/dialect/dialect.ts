/**
 * What the interface's description leaves open, one switch per question. A client that works against all values of
 * all switches does not depend on anything a real panel may do differently.
 */
export const switches = {
  /** What answers an accepted POST. None of them names a transaction. */
  postBody: ["resource", "recoveryPoint", "notice", "empty", "blank", "html"],
  /**
   * Which fields of a row name its machine; with `none` only the machine's own log ties a row to it. With `target` a row names what
   * is worked on and nothing else, and the identifier is that one's: a restore names its recovery point, other work its machine.
   */
  machineTie: ["all", "associated", "parent", "identifier", "target", "none"],
  /** What a restore is called; `other` is a panel whose names do not contain "restore". */
  actionNames: ["backup", "recoveryPoint", "camel", "other"],
  /** One row per restore, or stop, restore and start: tied by a chain id and `dependent_transaction_id`, or by one of them alone. */
  chain: ["single", "chain", "dependentOnly", "chainOnly"],
  chainIdType: ["integer", "string"],
  /** What becomes of a chain's rows behind one that did not complete: cancelled with it, or left pending for ever. */
  restOfChain: ["cancelled", "pending"],
  /** What the transaction list is sorted by, newest first. */
  sortedBy: ["created", "updated"],
  /** A page past the last one. */
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
  /** `log_output` of a list without `?detailed`. */
  undetailedLog: ["absent", "empty"],
  /** Whether a machine's log holds alerts between its transactions. */
  logAlerts: ["none", "some"],
  errorBody: ["list", "single", "fields", "html"],
  /** Under which of the two paths a whole machine is restored, and its recovery points are listed. */
  restorePath: ["machines", "servers", "both"],
  /** A restore of a machine that is locked: put behind the work that locks it, or refused with 422. */
  whenLocked: ["queue", "refuse"],
  /** Whether there is a list of a machine's recovery points: 404 where it is `missing`, 403 where it is `forbidden`. */
  pointList: ["listed", "missing", "forbidden"],
  pointOrder: ["newest", "oldest", "shuffled"],
  /** Paged like the other lists, whole whatever page is asked for, or whole and 404 for a path that names a page. */
  pointPaging: ["paged", "whole", "notFound"],
  /** The word for a recovery point that can be restored, unless the scenario gives the point a state of its own. */
  pointState: ["built", "available", "absent"],
  /** How a recovery point's times are written; a time without a zone is the panel's local one. */
  pointTime: ["zone", "noZone", "absent"],
  /** Whose recovery points the list of one machine holds. */
  pointMachines: ["own", "all"],
} as const;

type Choices = { readonly [Name in keyof typeof switches]: (typeof switches)[Name][number] };

export interface Dialect extends Choices {
  /** The most rows a page holds, whatever is asked for; null for as many as asked. */
  readonly pageCap: number | null;
  /** Time zone of the panel's time stamps; 0 is written as `Z`. */
  readonly utcOffsetMinutes: number;
  /** How far the panel's clock is ahead of the true one. */
  readonly clockSkewSeconds: number;
  /** How long after its POST a restore's rows appear in the list, below rows that came meanwhile. */
  readonly listingDelaySeconds: number;
}
