import type { Settings } from "../config";
import type { PanelClient } from "../panel/terms/types";

/** What is particular to one function; the rest of a call is the same for all. */
export interface PanelFunction<Args extends object, Result extends object> {
  readonly name: string;
  /** What it reads, for messages: `the transaction list`. */
  reads(args: Args): string;
  /** What is wrong with the arguments, each problem naming its property. */
  problems(args: Args): readonly string[];
  read(client: PanelClient, args: Args, settings: ReadingSettings): Promise<Result>;
  isSecret(result: Result): boolean;
}

/** What of the settings a function reads by. */
export type ReadingSettings = Pick<Settings, "pageSize">;
