import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Question } from "../../provider/restore/before-post-state";
import { questionText } from "../../provider/restore/before-post-messages";
import { chain, ours, requestOf } from "../restore/support/rows";
import { root, textOf } from "./support/pages";

const page = textOf("docs/troubleshooting.md");

/** The provider's source with its texts in one piece: what is put together with `+` reads as it is printed. */
function texts(): string {
  return readdirSync(join(root, "provider"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => readFileSync(join(root, "provider", file), "utf8"))
    .join("\n")
    .replace(/["'`]\s*\+\s*["'`]/g, "")
    .replace(/\\(["'`])/g, "$1");
}

/** Where one message is put into another, or a word into a message: the pieces stand apart in the source. */
const joints =
  /…|(?<=was not sent: )|\b(?:queue|run|total|busy)(?= limit of)|(?<=ended as )(?:failed|cancelled)|^get\w+: |(?<=could not read )|(?<=transaction list)|(?<=no request was made:)|^paths(?= is empty)|(?<=of this name)|(?=: …)|(?:was |^)cancelled(?=:)|(?<=machine before it,) (?!is …)|within the (?=\w+ limit)/;

/** The page up to the engine's own messages, which this package does not print. */
const own = page.slice(0, page.indexOf("## Pulumi's own messages"));

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

describe("docs/troubleshooting.md", () => {
  it("quotes messages as they are printed", () => {
    const source = texts();
    const headings = [...own.matchAll(/^### (.+)$/gm)].map(({ 1: heading = "" }) => heading);
    const cells = [...own.matchAll(/^\|(?: `\w+Error`\s*\|)?([^|]+)\|/gm)].map(({ 1: cell = "" }) => cell);
    const quotes = [...headings, ...cells].flatMap((text) =>
      [...text.matchAll(/`([^`]*(?:\s|…)[^`]*)`/g)].map(({ 1: quote = "" }) => quote),
    );
    // What stands between two placeholders; a word or two is no evidence of anything.
    const pieces = quotes
      .flatMap((quote) => quote.split(joints))
      .map((piece) => piece.trim())
      .filter((piece) => piece.length >= 10);
    const absent = pieces.filter((piece) => !source.includes(piece));
    assert.ok(pieces.length > 50, `${String(pieces.length)} pieces`);
    assert.deepEqual(absent, []);
  });

  it("has every error of the panel", () => {
    const folder = join(root, "provider", "panel");
    const classes = readdirSync(folder).flatMap((file) =>
      [...readFileSync(join(folder, file), "utf8").matchAll(/class (\w+) extends PanelError/g)].map(
        ({ 1: name = "" }) => name,
      ),
    );
    assert.ok(classes.length > 10);
    assert.deepEqual(
      classes.filter((name) => !page.includes(`\`${name}\``)),
      [],
    );
  });

  const one = chain(ours(5015));
  const questions: readonly Question[] = [
    { about: "several", chains: [one, chain(ours(5016))] },
    { about: "complete for long", chain: one, ageMs: undefined },
    ...(["other paths", "other point", "older chain", "overwritten", "listed late", "queued behind"] as const).map(
      (why): Question => ({
        about: "suspect",
        suspect: [{ chain: one, reason: why }],
      }),
    ),
    { about: "unfinished", chains: [one] },
    { about: "whose", rows: one, trouble: "refused" },
    ...(["empty", "older", "not newest first"] as const).map((why): Question => ({ about: "unusable page", why })),
  ];
  for (const question of questions) {
    const words = questionText(requestOf(), question).replace(/^.* was not sent: /, "");
    it(`has, by its first words: ${words.slice(0, 70)}`, () => {
      const entries = [...own.matchAll(/^\| `([^`]+)`/gm)].map(({ 1: entry = "" }) => entry);
      const begins = (entry: string): boolean =>
        entry.length > 20 && new RegExp(`^${entry.split("…").map(literally).join(".*")}`).test(words);
      assert.equal(entries.filter(begins).length, 1, entries.filter(begins).join("\n"));
    });
  }
});
