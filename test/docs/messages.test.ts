import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root, textOf } from "./support/pages";

const page = textOf("docs/troubleshooting.md");

/** The source code with its strings joined, so that parts concatenated with `+` read as they are printed. */
function source(): string {
  return ["provider", "drills"]
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
    )
    .filter((file) => file.endsWith(".ts"))
    .map((file) => readFileSync(join(root, file), "utf8"))
    .join("\n")
    .replace(/["'`]\s*\+\s*["'`]/g, "")
    .replace(/\\(["'`])/g, "$1");
}

describe("docs/troubleshooting.md", () => {
  it("has a section for each help word that a message ends with", () => {
    const words = new Set([...source().matchAll(/help: "(\w+)"/g)].map(([, word]) => word));
    const sections = [...page.matchAll(/^#{2,4} .+\n\s*<!-- help: (\w+) -->$/gm)].map(([, word]) => word);
    assert.ok(words.size >= 10);
    const missing = [...words].filter((word) => word === undefined || !sections.includes(word));
    assert.deepEqual(missing, []);
  });

  it("quotes messages as they are printed", () => {
    const text = source();
    // The messages quoted in the lists, except the engine's own. Fragments of one or two words would prove nothing.
    const pieces = [...page.matchAll(/^(?:\d+\. (?!Pulumi)|- )((?:`[^`\n]+`(?:, )?)+)/gm)]
      .flatMap(([, cell = ""]) => [...cell.matchAll(/`([^`\n]+)`/g)].flatMap(([, quote = ""]) => quote.split("…")))
      .map((piece) => piece.trim())
      .filter((piece) => piece.length >= 10);
    assert.ok(pieces.length > 20, String(pieces.length));
    for (const piece of pieces) assert.ok(text.includes(piece), piece);
  });
});
