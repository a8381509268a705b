/** What a path's ending asks for: `/transactions.json` or `/transactions.xml`. */
export type Format = "json" | "xml";
