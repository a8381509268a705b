import type { RestoreRecord } from "./record";

/** What one run of one restore comes to. */
export type RestoreResult =
  /** Complete, or as far as it was to be waited for. */
  | { readonly kind: "good"; readonly record: RestoreRecord }
  /** Failed, cancelled, or its end is not known: to be stored, and told with the reasons. */
  | { readonly kind: "stored"; readonly record: RestoreRecord; readonly reasons: readonly string[] }
  /** Nothing was posted and nothing is to be stored. */
  | { readonly kind: "not-posted"; readonly reason: string };

/** Where a restore says how it is getting on. */
export interface Voice {
  progress(text: string): void;
  warn(text: string): void;
}

export function sayingProgress(voice: Voice): (text: string) => void {
  return (text) => {
    voice.progress(text);
  };
}
