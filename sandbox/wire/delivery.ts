import type { Answer } from "./answers";

/** How an answer reaches the client, or does not. */
export type Delivery =
  | { readonly kind: "answer"; readonly answer: Answer }
  | { readonly kind: "later"; readonly afterMs: number; readonly handle: () => Answer }
  | { readonly kind: "cut" }
  | { readonly kind: "silence" }
  | { readonly kind: "drip"; readonly answer: Answer; readonly bytesPerSecond: number }
  | { readonly kind: "half"; readonly answer: Answer; readonly declare: "full" | "cut" };
