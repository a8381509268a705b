import type { Transaction } from "../../panel/terms/types";

/** Something odd about a restore that somebody should know of. It becomes a text where it is said or stored, and nowhere before. */
export type Warning =
  /** Rows that do not say whose they are were not waited for before the POST, because the machine's log cannot be read. */
  | { readonly kind: "not waited for"; readonly transactionIds: readonly string[]; readonly trouble: string }
  /** An earlier run of the same intent has posted it. */
  | { readonly kind: "adopted"; readonly rows: readonly WarnedOf[]; readonly ageMs: number }
  /** `adopt` names it. */
  | { readonly kind: "taken"; readonly transactionId: string }
  /** `adopt` names it, and by its action it is something else. */
  | { readonly kind: "no restore by name"; readonly transactionId: string; readonly action: string }
  /** Listed after the run that posted it had given up, and so late that they may be somebody else's. */
  | { readonly kind: "appeared later"; readonly rows: readonly WarnedOf[] }
  /** Nothing tells these apart. */
  | { readonly kind: "alike"; readonly transactionIds: readonly string[] }
  /** A status that no setting classifies. */
  | { readonly kind: "unheard of"; readonly status: string }
  /** One that an earlier run has stored. States hold warnings as texts; it stands as it is and is never taken apart. */
  | { readonly kind: "kept"; readonly text: string };

type WarnedOf = Pick<Transaction, "id" | "action" | "createdAt">;
