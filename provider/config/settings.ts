import type { Format } from "../panel/terms/types";
import type { Secret } from "../panel/secrets/secret";

/** A connection to one panel and how restores on it are read, complete and validated. */
export interface Settings {
  /** Normalised: scheme, host, port and path, no trailing slash, no userinfo. */
  readonly endpoint: string;
  readonly username: string;
  readonly password: Secret;
  readonly format: Format;
  readonly apiVersion?: string;
  readonly caFile?: string;
  readonly insecure: boolean;
  readonly requestTimeoutMs: number;
  readonly pageSize: number;
  readonly maxConcurrent?: number;
  /** Lower case. Empty: any action whose name contains `restore`. */
  readonly restoreActions: readonly string[];
  /** Lower case, beside `complete`. */
  readonly completeStatuses: readonly string[];
  /** Lower case, beside `failed`. */
  readonly failedStatuses: readonly string[];
  readonly adoptWindowMs: number;
}
