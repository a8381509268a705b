import assert from "node:assert/strict";
import { XMLValidator } from "fast-xml-parser";
import fc from "fast-check";
import {
  readReport,
  report,
  ReportError,
  subjectsOf,
  toHtml,
  toJson,
  toJunit,
  toMarkdown,
  type Report,
} from "../../report";
import { thorough } from "../support/thorough";
import * as cases from "./support/cases";
import { resourcesOf, type PlayedPlan } from "./support/plans";
import { intentResource, restoreResource, threeRestores } from "./support/restores";
import { validate } from "./support/schema";
import { at, encrypted, exportedStack, shown, type PendingOperation, type StackResource } from "./support/stack";

const text = fc.oneof(
  fc.constantFrom(
    cases.hostileText,
    "</details><script>alert(1)</script>",
    "```\n</pre>|\n# a\n- b\n[c](javascript:d) ![e](//f) <g@h.example> @all #12 https://i.example",
    "]]><x/>&#0;&lt;",
    "__proto__",
    "constructor",
    "passed",
    "complete",
    "x".repeat(70_000),
    "",
  ),
  fc.string({ unit: "binary", maxLength: 30 }),
);
const wrong = fc.oneof(
  text,
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(undefined, null, NaN, -0, -1, 1e300, true, [], {}, [[]], at(-1e7), "2026-02-31T00:00:00Z", "now"),
  fc.constantFrom(encrypted(), shown("complete"), shown(cases.hostileText), shown(null)),
);

/** A change of a state: a new value, a removed property or a repeated item. */
const change = fc.record({
  at: fc.nat(),
  what: fc.oneof(
    wrong.map((value) => ({ put: value })),
    fc.constantFrom("taken away" as const, "said twice" as const),
  ),
});

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** Every place in a state, with the object that holds it. */
function places(value: unknown): readonly (readonly [Record<string, unknown> | unknown[], string])[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = value as Record<string, unknown>;
  return Object.keys(inside).flatMap((key) => [[inside, key] as const, ...places(inside[key])]);
}

function changed(state: object, changes: readonly Change[]): object {
  const copy = structuredClone(state);
  for (const { at: where, what } of changes) {
    const all = places(copy);
    const place = all[where % all.length];
    if (place === undefined) continue;
    const [inside, key] = place;
    if (typeof what === "object") Object.assign(inside, { [key]: structuredClone(what.put) });
    else if (Array.isArray(inside))
      inside.splice(Number(key), 1, ...(what === "taken away" ? [] : [inside[Number(key)], inside[Number(key)]]));
    else if (what === "taken away") Reflect.deleteProperty(inside, key);
  }
  return copy;
}

const pending = fc.record<PendingOperation>({
  type: fc.constantFrom(
    "VmRestore",
    "FileRestore",
    "RestoreIntent",
    "PlanRun",
    "PlanWave",
    "PlanVerdict",
    "aws:s3/bucket:Bucket",
  ),
  name: fc.oneof(fc.constantFrom("shop-web", "shop-run", "shop-wave-data", "web"), text),
  operation: fc.constantFrom("creating", "updating", "deleting"),
  inputs: fc.constantFrom({}, { plan: "shop", run: "2026-Q4" }, { intent: { id: "intent-web" } }, { of: 1 }),
  of: fc.constantFrom("shop", "a b", "a-b"),
});

const ran = { machine: 7, requested: 0, ran: 60, transaction: "7" };
const plan = (name: string, run: string): PlayedPlan => ({
  plan: name,
  run,
  waves: [{ name, restores: [{ name: "db", ...ran, transaction: name, checks: [{ kind: "tcp", target: name }] }] }],
});

/** Runs of all kinds, several plans with restores beside them, and pending operations. */
const base = fc.oneof(
  fc.constantFrom(
    ...[
      cases.passed,
      cases.withWarnings,
      cases.failed,
      cases.checkFailed,
      cases.retried,
      cases.brokenOff,
      cases.hostile,
    ],
    ...[cases.restores, cases.restoresWithLog, cases.restoresUnfinished, cases.withCheckOutput, cases.empty],
  ),
  fc
    .tuple(
      fc.subarray([plan("shop", "2026-Q4"), plan("a b", "1"), plan("a-b", "1"), plan("a b", "2")]),
      fc.array(pending, { maxLength: 3 }),
      fc.boolean(),
    )
    .map(([plans, operations, beside]) =>
      exportedStack(
        [
          ...plans.flatMap(resourcesOf),
          ...(beside
            ? threeRestores.flatMap((one): StackResource[] => [intentResource(one), restoreResource(one)])
            : []),
        ],
        operations,
      ),
    ),
);

const state = fc.tuple(base, fc.array(change, { maxLength: 6 })).map(([made, changes]) => changed(made, changes));

function reportsOf(exported: unknown): readonly Report[] {
  try {
    return subjectsOf(exported).map((subject) =>
      report(exported, { subject, logs: "with logs", goalTimeSeconds: 900 }),
    );
  } catch (error) {
    if (error instanceof ReportError) return [];
    throw error;
  }
}

/** Elements of the pages themselves; an `a` leads to a row, or to an http address. */
const ownElements = new Set(
  "html head meta title style body header main footer nav section h1 h2 h3 p ul li dl div dt dd span a strong code pre time br table thead tbody tr th td details summary svg path circle rect line text g symbol defs pattern use polyline".split(
    " ",
  ),
);

function isInertHtml(page: string): void {
  const body = page
    .replace(/^<!doctype html>/, "")
    .replace(/<style>[\s\S]*?<\/style>/, "")
    .replaceAll(/<(meta|br)\b([^>]*)>/g, "<$1$2/>");
  assert.equal(XMLValidator.validate(body), true);
  for (const { 1: name = "" } of body.matchAll(/<([A-Za-z!?][^\s/>]*)/g)) assert.ok(ownElements.has(name), name);
  assert.doesNotMatch(body.replaceAll(/="[^"]*"/g, '=""'), /<[^>]*\s(?:on\w+|style|src|srcdoc|formaction)\s*=/i);
  for (const { 1: href = "" } of body.matchAll(/\shref="([^"]*)"/g)) assert.match(href, /^(?:https?:\/\/|#)/);
  const ids = [...body.matchAll(/\sid="([^"]+)"/g)].map(({ 1: id }) => id);
  assert.equal(new Set(ids).size, ids.length, "each id is one element's");
}

function isInertMarkdown(markdown: string): void {
  // A block of code, indented by four spaces, is shown as it is.
  const shown = markdown.replaceAll(/^ {4}.*$/gm, "");
  for (const [tag] of shown.matchAll(/<[^>]{0,40}>?/g)) {
    assert.match(tag, /^<\/?(?:details|summary|code|br|sub)>$/);
  }
  assert.doesNotMatch(shown, /\]\(|!\[|(?:^|\s)@\w|:\/\/|```|^#+ (?!(?:✅|⚠️|❌|⏸️) |What needs|Not carried)/m);
  const heads = shown.split("\n").filter((line) => /^\| --- /.test(line));
  const widths = shown
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) => line.split("|").length);
  assert.ok(new Set(widths).size <= heads.length, "no row has a cell of its own making");
}

/** The verdict in each format. */
function minds(made: Report): Readonly<Record<string, unknown>> {
  const junit = toJunit(made);
  const verdict = /<testcase name="verdict"[^>]*?(?:\/>|>\s*<(failure|error) )/.exec(junit);
  return {
    html: /aria-label="Verdict">[\s\S]*?<h2>([^<]+)<\/h2>/.exec(toHtml(made))?.[1]?.toLowerCase(),
    markdown: /: ([A-Z][a-z ]+)\n/.exec(toMarkdown(made))?.[1]?.toLowerCase(),
    json: (JSON.parse(toJson(made)) as Report).verdict.result,
    read: readReport(toJson(made)).verdict,
    junit: verdict === null ? undefined : { failure: "failed", error: "incomplete", "": "passed" }[verdict[1] ?? ""],
    green: /^<testsuites [^>]* failures="0" errors="0"/m.test(junit),
  };
}

describe("made-up states", () => {
  it("make a valid report or the documented error, with escaped markup and one verdict in all formats", function () {
    this.timeout(600_000);
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(state, (exported) => {
        const made = reportsOf(exported);
        if (made.length === 0) seen.set("refused", (seen.get("refused") ?? 0) + 1);
        for (const one of made) {
          const { result } = one.verdict;
          seen.set(result, (seen.get(result) ?? 0) + 1);
          assert.equal(validate(JSON.parse(toJson(one))), true, JSON.stringify(validate.errors));
          isInertHtml(toHtml(one, { panelLink: "https://panel.example.com/{id}" }));
          isInertMarkdown(toMarkdown(one));
          assert.equal(XMLValidator.validate(toJunit(one)), true);
          const { green, junit, ...words } = minds(one);
          assert.deepEqual(words, { html: result, markdown: result, json: result, read: result });
          assert.equal(junit, result.startsWith("passed") ? "passed" : result);
          if (result === "passed") assert.equal(green, true);
          if (!result.startsWith("passed")) assert.equal(green, false);
        }
      }),
      { numRuns: thorough(150, 5_000) },
    );
    for (const result of ["passed", "failed", "incomplete"]) {
      assert.ok((seen.get(result) ?? 0) > 0, `${result} was met: ${JSON.stringify([...seen])}`);
    }
  });
});
