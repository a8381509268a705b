import assert from "node:assert/strict";
import fc from "fast-check";
import { readReport, report, ReportError, toHtml, toJson, toJunit, toMarkdown } from "../../report";
import * as cases from "./support/cases";
import { stackOf, threeRestores } from "../support/stored/restores";
import { thorough } from "../support/thorough";

const made = report(cases.hostile);
const page = toHtml({ ...made, earlier: [readReport(toJson(made))] });

function leaves(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key]))];
}

function withValue(state: object, path: readonly string[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const inner = (state as Record<string, unknown>)[key];
  const next = rest.length === 0 ? value : withValue(inner as object, rest, value);
  return Array.isArray(state)
    ? state.map((item: unknown, index) => (String(index) === key ? next : item))
    : { ...state, [key]: next };
}

const unshowable =
  // oxlint-disable-next-line no-control-regex -- the characters to find
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200e\u200f]|\p{Surrogate}/u;

describe("a state with hostile text", () => {
  it("adds no element, attribute or address to the page", () => {
    const tags = new Set([...page.matchAll(/<([a-zA-Z][\w-]*)/g)].map(({ 1: tag = "" }) => tag));
    const foreign = ["script", "img", "iframe", "object", "embed", "link", "form", "base", "foreignObject", "image"];
    for (const tag of foreign) assert.equal(tags.has(tag), false, tag);
    // A quoted value ends at the first quote, because every quote in foreign text is escaped.
    assert.doesNotMatch(page.replaceAll(/="[^"]*"/g, '=""'), /<[^>]*\son\w+\s*=/i);
    assert.doesNotMatch(page, /(?:href|src)="\s*javascript:/i);
    assert.ok(page.includes("&lt;script&gt;alert(1)"), "the text is there, as text");
  });

  it("puts no control characters, bidirectional characters or lone surrogates into any format", () => {
    for (const text of [page, toMarkdown(made), toJson(made), toJunit(made)]) {
      assert.doesNotMatch(text, unshowable);
      assert.ok(text.length < 60_000, `${String(text.length)} characters, from two megabytes of names`);
    }
  });

  it("is shortened: names, ids, sentences and logs to a maximum length, and lists of paths to a maximum number", () => {
    const long = "x".repeat(70_000);
    const texts = { name: long, machine: long, point: long, transaction: long, status: "failed" };
    const paths = Array.from({ length: 101 }, () => `/${long}`);
    const state = stackOf([{ ...texts, paths, outputs: { logOutput: long, warnings: [long] } }]);
    const step = report(state, { logs: "with logs" }).waves[0]!.restores[0]!;
    const { virtualMachineId: machine, recoveryPointId: point, transactionIds: ids, paths: all = [], reason } = step;
    const shown = [step.name, machine, point, ...ids, all[0], reason, ...step.warnings, step.log];
    assert.equal(shown.map((text) => text?.length).join(), "201,101,101,101,2001,2001,2001,65564");
    assert.equal(all.length, 100);
  });

  it("adds no markup, mention, link or table cell to the Markdown", () => {
    const markdown = toMarkdown(made);
    assert.doesNotMatch(markdown, /<script|<img|\]\(|@everyone|^# heading/m);
    const cells = markdown.split("\n").filter((line) => line.startsWith("| "));
    assert.ok(cells.length > 5);
    for (const tags of markdown.matchAll(/<\/?([a-z]+)/g))
      assert.ok(["details", "summary", "code", "br", "sub"].includes(tags[1]!), tags[0]);
  });

  it("yields either an error or a report in every format, however it is changed, and no change turns a failure into a pass", () => {
    const states = [cases.brokenOff, cases.failed, stackOf([{ ...threeRestores[0], status: "running" }])];
    const anything = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom(undefined, NaN, -1, 1e300, "", "passed", "complete", [], {}, cases.hostileText),
    );
    const all = states.map((state) => leaves(state));
    fc.assert(
      fc.property(fc.nat(states.length - 1), fc.nat(), anything, (which, at, value) => {
        const paths = all[which]!;
        const changed = withValue(states[which]!, paths[at % paths.length]!, value);
        try {
          const again = report(changed, { logs: "with logs" });
          for (const text of [toHtml(again), toMarkdown(again), toJson(again), toJunit(again)])
            assert.equal(typeof text, "string");
          readReport(toJson(again));
          if (value !== "complete" && value !== "passed")
            assert.doesNotMatch(again.verdict.result, /^(?:passed|complete)/);
        } catch (error) {
          if (error instanceof ReportError) return;
          throw error;
        }
      }),
      { numRuns: thorough(60, 600) },
    );
  });
});
