import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { XMLValidator } from "fast-xml-parser";
import fc from "fast-check";
import { resourcesOf } from "../../report/support/plans";
import { hostile, hostileText } from "../../report/support/cases";
import { intentResource, restoreResource, type Played } from "../../report/support/restores";
import { encrypted, exportedStack, shown } from "../../report/support/stack";
import { blocksOf, pagesOf } from "../support/runbook-page";

const nasty = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(
    hostileText,
    "'; touch pwned; '",
    "$(touch pwned)`touch pwned`",
    '"; exit 1 #',
    "'\\''",
    "!!",
    "-rf",
    "```\n# x",
    "EOF",
    "~root/*",
    "\u{202e}\u{200b}\u{2028}",
    "\\u0027",
  ),
);

const unshowable =
  // eslint-disable-next-line no-control-regex -- the characters to find
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\u2028\u2029]|\p{Surrogate}/u;

/** Takes the lines' commands for functions that print their words, and lets nothing else be found. */
const stubs = `PATH=/nowhere
curl() { builtin printf '%s\\0' call "$@"; }
nc() { builtin printf '%s\\0' call "$@"; }
RECOVERY_ENDPOINT=https://panel RECOVERY_USERNAME=user RECOVERY_PASSWORD=word
set -e
`;

function callsOf(script: string): readonly (readonly string[])[] {
  assert.equal(spawnSync("bash", ["-n"], { input: script }).status, 0, script);
  const { status, stdout, stderr } = spawnSync("bash", ["-c", `${stubs}${script}`], { encoding: "utf8" });
  assert.deepEqual([status, stderr], [0, ""], script);
  return stdout
    .split("call\0")
    .slice(1)
    .map((call) => call.split("\0").slice(0, -1));
}

interface Given {
  readonly name: string;
  readonly path: string;
  readonly note: string;
  readonly target: string;
  readonly panel: string;
}

function stateOf({ name, path, note, target, panel }: Given): object {
  const files: Played = { name: `files ${name}`, machine: 42, point: 1009, paths: [`/${path}`], requested: 0, ran: 9 };
  const state = exportedStack([
    ...resourcesOf({
      plan: `p ${name}`,
      waves: [
        {
          name: `w ${name}`,
          restores: [
            {
              name: `r ${name}`,
              machine: 43,
              point: 1008,
              requested: 0,
              ran: 9,
              transaction: note,
              checks: [
                { kind: "http", target: `https://shop.example.com/${target}` },
                { kind: "tcp", target: `${target}:22` },
                { kind: "command", name: note, target },
              ],
            },
          ],
        },
      ],
      runFields: { notes: { scenario: note, owner: note, approver: note, reference: note } },
    }),
    intentResource(files),
    restoreResource(files),
  ]);
  return JSON.parse(JSON.stringify(state), (_key, value: unknown) =>
    value === "https://panel.example.com" ? panel : value,
  ) as object;
}

const allowedTags = new Set(
  "html head meta title style body header main nav section p h1 h2 h3 dl div dt dd ul li a strong code pre table thead tbody tr th td".split(
    " ",
  ),
);

function assertPlain(html: string): void {
  for (const { 1: tag = "" } of html.matchAll(/<\/?([a-zA-Z][\w-]*)/g)) assert.ok(allowedTags.has(tag), tag);
  assert.doesNotMatch(html.replaceAll(/="[^"]*"/g, '=""'), /<[^>]*\s(?:on\w+|src|style)\s*=/i);
  for (const { 1: href = "" } of html.matchAll(/\shref="([^"]*)"/g)) assert.match(href, /^#[\w-]+$/);
}

describe("the runbook of a state with hostile text", () => {
  before(function () {
    if (spawnSync("bash", ["--version"]).status !== 0) this.skip();
  });

  it("has no markup but its own, and lines whose words are what they seem", () => {
    fc.assert(
      fc.property(fc.record({ name: nasty, path: nasty, note: nasty, target: nasty, panel: nasty }), (given) => {
        const { html, markdown } = pagesOf(stateOf(given));
        assertPlain(html);
        assert.doesNotMatch(html + markdown, unshowable);
        for (const { 1: tag = "" } of markdown.replaceAll(/^```sh\n[\s\S]*?^```$/gm, "").matchAll(/<\/?([a-zA-Z]+)/g))
          assert.equal(tag, "code");
        const fences = [...markdown.matchAll(/^ *```.*$/gm)].map(([line]) => line);
        assert.ok(fences.every((line, index) => line === (index % 2 === 0 ? "```sh" : "```")));
        const { before, steps } = blocksOf(markdown);
        assert.match(before.join(""), /^printf 'Address of the panel: '/);
        const script = steps.flat().join("");
        const calls = callsOf(script);
        assert.equal(calls.length, [...script.matchAll(/^(?:curl|nc) /gm)].length);
        const bodies = calls.flatMap((words) => (words.includes("-d") ? [words[words.indexOf("-d") + 1]!] : []));
        // A path with control characters or half a character cannot be sent, and then there is no line.
        const isSendable = !/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/u.test(given.path);
        assert.deepEqual(
          bodies.map((body) => JSON.parse(body) as unknown),
          isSendable ? [{ paths: [`/${given.path}`] }] : [],
        );
        for (const words of calls.filter((one) => one.includes("-u"))) {
          assert.equal(words[words.indexOf("-u") + 1], "user:word");
          assert.match(words.at(-1) ?? "", /^https:\/\/panel\/[\w/.]+$/);
        }
      }),
      { numRuns: 120 },
    );
  });

  it("quotes the address of a panel", () => {
    const panel = "https://panel.example.com/it's/$(touch%20x)/`y`";
    const [block = ""] = blocksOf(
      pagesOf(stateOf({ name: "a", path: "b", note: "c", target: "d", panel })).markdown,
    ).before;
    const { stdout, stderr } = spawnSync("bash", ["-c", `${block}printf '%s' "$RECOVERY_ENDPOINT"`], {
      input: "u\np\n",
      encoding: "utf8",
    });
    assert.deepEqual([stdout.split("\n").at(-1), stderr], [new URL(panel).href, ""]);
  });

  it("of every text, also of the longest, is well-formed and short", () => {
    const { html, markdown } = pagesOf(hostile);
    assertPlain(html);
    assert.doesNotMatch(html + markdown, unshowable);
    assert.doesNotMatch(markdown, /<script|<img|\]\(|@everyone|^# heading/m);
    assert.ok(html.length + markdown.length < 120_000);
    const body = html
      .replace(/^<!doctype html>/, "")
      .replace(/<style>[\s\S]*?<\/style>/, "")
      .replaceAll(/<meta\b([^>]*)>/g, "<meta$1/>");
    assert.equal(XMLValidator.validate(body), true);
  });

  it("shows no secret, encrypted or not, and says that it is not known", () => {
    const secret = "hunter2";
    for (const value of [encrypted(), shown(secret)]) {
      const files: Played = { name: "files", machine: 42, paths: ["/x"], requested: 0, ran: 9 };
      const outputs = { virtualMachineId: value, recoveryPointId: value, paths: value, logOutput: shown(secret) };
      const intent = intentResource(files);
      const state = exportedStack([
        { ...intent, outputs: { ...intent.outputs, ...outputs } },
        { ...restoreResource({ ...files, outputs }), inputs: { password: shown(secret) } },
      ]);
      const { html, markdown } = pagesOf(state);
      assert.doesNotMatch(html + markdown, /hunter2|v1:F\/H5|1b47061264138c4ac30d75fd1eb44270/);
      assert.match(markdown, /- Machine: not known: a secret, or not in the state/);
      assert.match(markdown, /- From: not known: the recovery point is a secret, or not in the state/);
      assert.match(markdown, /- Restores: files: not known: their paths are a secret, or not in the state/);
      assert.match(markdown, /The line that restores is not known: /);
      assert.match(blocksOf(markdown).steps.flat().join(""), /read -r machine_1\n[\s\S]*\$\{machine_1:\?\}/);
    }
  });
});
