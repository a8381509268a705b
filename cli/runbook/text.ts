/** A piece of a text: the page's own words, a value from the state, a code word, a link to a step, or words that stand out. */
export type Piece =
  | { readonly own: string }
  | { readonly value: string }
  | { readonly code: string }
  | { readonly step: number }
  | { readonly bold: Text };

export type Text = readonly Piece[];

/** A text whose values from the state each format escapes in its own way. */
export function text(own: TemplateStringsArray, ...values: readonly (string | number | Piece | Text)[]): Text {
  return own.flatMap((words, index) => {
    const value = values[index];
    return [...(words === "" ? [] : [{ own: words }]), ...(value === undefined ? [] : piecesOf(value))];
  });
}

function piecesOf(value: string | number | Piece | Text): Text {
  if (typeof value === "string" || typeof value === "number") return [{ value: String(value) }];
  return isText(value) ? value : [value];
}

function isText(value: Piece | Text): value is Text {
  return Array.isArray(value);
}

export function code(words: string): Piece {
  return { code: words };
}

export function bold(words: string | Text): Piece {
  return { bold: typeof words === "string" ? [{ own: words }] : words };
}

export function toStep(number: number): Piece {
  return { step: number };
}

export function joined(texts: readonly Text[], separator: string): Text {
  return texts.flatMap((one, index) => (index === 0 ? one : [{ own: separator }, ...one]));
}

/** A page in parts that each format can show. */
export interface Page {
  readonly title: Text;
  readonly about: readonly Text[];
  readonly facts: Facts;
  readonly sections: readonly PageSection[];
}

export type Facts = readonly (readonly [name: string, value: Text])[];

export interface PageSection {
  readonly id: string;
  readonly title: Text;
  readonly blocks: readonly Block[];
}

export type Block =
  | { readonly kind: "paragraph"; readonly text: Text }
  | { readonly kind: "list"; readonly items: readonly Text[] }
  | { readonly kind: "facts"; readonly facts: Facts }
  | { readonly kind: "commands"; readonly lines: string; readonly does: "restore" | "read" }
  | { readonly kind: "step"; readonly number: number; readonly title: Text }
  | {
      readonly kind: "table";
      readonly label: string;
      readonly heads: readonly string[];
      readonly rows: readonly (readonly Text[])[];
    };
