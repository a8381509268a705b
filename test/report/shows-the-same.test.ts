import assert from "node:assert/strict";
import { toHtml, toMarkdown } from "../../report";
import { pageOf } from "../../cli/runbook/content";
import { runbookOf } from "../../cli/runbook/model";
import { toHtml as runbookToHtml } from "../../cli/runbook/to-html";
import { toMarkdown as runbookToMarkdown } from "../../cli/runbook/to-markdown";
import { goldenReports, runbookStates } from "./support/golden";

/** Letters and digits alone: what is left of a text in any format. */
function wordsOf(text: string): string {
  return text
    .replaceAll(/<style>[\s\S]*?<\/style>/g, "")
    .replaceAll(/ href="(https?:[^"]*)"[^>]*>/g, ">$1 ")
    .replaceAll(/<\/?[a-z][^>]*>/g, " ")
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll(/&(?:lt|gt|quot|amp);/g, " ")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase();
}

/** Rows of tables as a whole, other lines by their clauses: a page says them in another order. Whether the plan changed it says in other words. */
function factsOf(markdown: string): readonly string[] {
  const evidence = markdown.lastIndexOf("<summary>Evidence");
  const lines = (part: string, kind: RegExp): readonly string[] => part.split("\n").filter((line) => kind.test(line));
  const clauses = [
    ...lines(markdown.slice(0, evidence), /^ *-|^#/),
    ...lines(markdown.slice(evidence), /^\| (?!Plan changed)/),
  ];
  return [
    ...lines(markdown.slice(0, evidence), /^\|(?!.*no goal)/),
    ...clauses.flatMap((line) => line.split(/\||<br>|(?<!&#\d+)[:,;.] |\*\*/)),
  ];
}

function assertShows(page: string, facts: readonly string[]): void {
  const shown = ` ${wordsOf(page)} `;
  const words = facts.map(wordsOf).filter((one) => one !== "");
  assert.ok(words.length > 5);
  assert.deepEqual(
    words.filter((one) => !shown.includes(` ${one} `)),
    [],
  );
}

describe("a page", () => {
  // The texts of the hostile story end in other places of each format.
  const { hostile, ...stories } = goldenReports();
  assert.ok(hostile);

  for (const [name, made] of Object.entries(stories)) {
    it(`of ${name} shows what its Markdown shows`, () => {
      assertShows(toHtml(made), factsOf(toMarkdown(made)));
    });
  }

  for (const [name, state] of Object.entries(runbookStates)) {
    it(`of ${name} shows what its Markdown shows`, () => {
      const runbook = pageOf(runbookOf(state));
      assertShows(runbookToHtml(runbook), runbookToMarkdown(runbook).split(/(?:```sh)?\n/));
    });
  }
});
