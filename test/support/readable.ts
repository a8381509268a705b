import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const troubleshooting = readFileSync(join(__dirname, "..", "..", "docs", "troubleshooting.md"), "utf8");

/** Counts text in backticks or quotes as one word. */
function sentencesAndWords(text: string): readonly [sentences: number, words: number] {
  const plain = text.replaceAll(/`[^`]*`|"[^"]*"/g, "code").replaceAll(/\b\d+\.\d+/g, "number");
  return [plain.split(/[.!?](?=\s|$)/).filter((one) => one.trim() !== "").length, plain.split(/\s+/).length];
}

/**
 * Asserts that a tired reader can understand a message: at most eleven indented lines, and at most two sentences and sixty words in each other line. If the
 * message ends with a help command, docs/troubleshooting.md must have a section for the command's word.
 */
export function assertReadable(text: string): void {
  const lines = text.split("\n");
  const below = lines.filter((line) => line.startsWith("  "));
  assert.ok(below.length <= 11, `${String(below.length)} lines below: ${text}`);
  for (const line of lines.filter((one) => !one.startsWith("  "))) {
    const [sentences, words] = sentencesAndWords(line);
    assert.ok(sentences <= 2 && words <= 60, `${String(sentences)} sentences, ${String(words)} words: ${line}`);
  }
  const help = /\nnpx pulumi-recovery help (\w+)$/.exec(text)?.[1];
  if (help !== undefined) assert.ok(troubleshooting.includes(`<!-- help: ${help} -->`), `no section: ${help}`);
}

/** Asserts that no value is missing from a text that a person sees. */
export const assertComplete = (text: string): void => assert.doesNotMatch(text, /\b(undefined|NaN)\b|\[object /);
