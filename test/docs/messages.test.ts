import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findSection, sectionsIn } from "../../cli/help/sections";
import { root, textOf } from "./support/pages";

const page = textOf("docs/troubleshooting.md");

/** The messages in the goldens of messages, by what they are of. Those of inputs and warnings may be several, a line each. */
function goldenMessages(): readonly (readonly [name: string, text: string])[] {
  return ["inputs", "panel", "restore"].flatMap((room) =>
    readFileSync(join(root, "test", room, "messages.golden.txt"), "utf8")
      .split(/^## /m)
      .slice(1)
      .map((block): readonly [string, string] => {
        const [name = "", ...lines] = block.trimEnd().split("\n");
        return [`${room}: ${name}`, lines.join("\n")];
      }),
  );
}

/** What is written in code, or quoted, is a word. */
function sentencesAndWords(text: string): readonly [sentences: number, words: number] {
  const plain = text.replaceAll(/`[^`]*`|"[^"]*"/g, "code").replaceAll(/\b\d+\.\d+/g, "number");
  return [plain.split(/[.!?](?=\s|$)/).filter((one) => one.trim() !== "").length, text.split(/\s+/).length];
}

/** The source with its texts in one piece: what is put together with `+` reads as it is printed. */
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

describe("messages", () => {
  const all = goldenMessages();
  const helpOf = (text: string): string | undefined => /\nnpx pulumi-recovery help (\w+)$/.exec(text)?.[1];

  it("have two sentences and sixty words at most, and ten lines and the word for help below", () => {
    assert.ok(all.length > 250, String(all.length));
    for (const [name, text] of all) {
      const lines = text.split("\n");
      const below = lines.filter((line) => line.startsWith("  "));
      assert.ok(below.length <= 11, `${name}: ${String(below.length)} lines below`);
      for (const line of lines.filter((one) => !one.startsWith("  "))) {
        const [sentences, words] = sentencesAndWords(line);
        assert.ok(
          sentences <= 2 && words <= 60,
          `${name}: ${String(sentences)} sentences, ${String(words)} words: ${line}`,
        );
      }
    }
    const withoutHelp = all.filter(
      ([name, text]) => /^(?:restore|panel): .*Text|^panel: (?!.*warning)/.test(name) && helpOf(text) === undefined,
    );
    // Warnings of a restore that continues: nothing is to be done.
    const warnings =
      /^restore: (?:answerLost|denied|adopted|adoptUnused|runAgain|guess|taken|unknownStatus|forgotten|overwrites|perhapsSent|followed|waiting)Text/;
    const missing = withoutHelp.map(([name]) => name).filter((name) => !warnings.test(name));
    assert.deepEqual(missing, []);
  });

  it("find their section by their last word, and by their sentences", () => {
    const sections = sectionsIn(page);
    const wrong = all.flatMap(([name, text]) => {
      const word = helpOf(text);
      if (word === undefined) return [];
      // A wave's help is that of its first restore.
      const bySentence = name.startsWith("restore: waveNotCompleteText") ? "plan" : word;
      const [sentences = ""] = text.split("\n");
      const found = [findSection(sections, [word])?.word, findSection(sections, sentences.split(" "))?.word];
      return found.join() === [word, bySentence].join() ? [] : [`${name}: ${word}, found ${found.join(", ")}`];
    });
    assert.deepEqual(wrong, []);
  });
});

describe("docs/troubleshooting.md", () => {
  it("has a section for each word that a message ends with", () => {
    const words = new Set([...source().matchAll(/help: "(\w+)"/g)].map(([, word]) => word));
    const sections = sectionsIn(page).map(({ word }) => word);
    assert.ok(words.size >= 10);
    const missing = [...words].filter((word) => word === undefined || !sections.includes(word));
    assert.deepEqual(missing, []);
  });

  it("quotes messages as they are printed", () => {
    const text = source();
    // The messages of the lists, but for the engine's own. A word or two is no evidence of anything.
    const pieces = [...page.matchAll(/^(?:\d+\. (?!Pulumi)|- )((?:`[^`\n]+`(?:, )?)+)/gm)]
      .flatMap(([, cell = ""]) => [...cell.matchAll(/`([^`\n]+)`/g)].flatMap(([, quote = ""]) => quote.split("…")))
      .map((piece) => piece.trim())
      .filter((piece) => piece.length >= 10);
    assert.ok(pieces.length > 20, String(pieces.length));
    for (const piece of pieces) assert.ok(text.includes(piece), piece);
  });
});
