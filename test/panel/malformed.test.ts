import assert from "node:assert/strict";
import { UndecodableError } from "../../provider/panel/find-rows";
import type { Format } from "../../provider/panel/types";
import { randomFrom } from "../../sandbox/plain/clock";
import { decodeTransactions, formats } from "./support/clients";
import { thorough } from "../support/thorough";

const good: Record<Format, string[]> = {
  json: [
    '[{"transaction":{"id":5012,"status":"running","params":{},"actor":null,"created_at":"2024-05-01T10:00:05+03:00"}}]',
    '{"transactions":[{"id":5011,"params":{"list":[1,"x"]},"log_output":"a \\"b\\" <c> & d\\n","allowed_cancel":true}]}',
    '[\n  {\n    "id": 77,\n    "parent_id": 42,\n    "scheduled": false\n  }\n]',
    '[{"id":90071992547409931234,"x":1.50,"y":[1e5,-0.0]}]',
  ],
  xml: [
    '<?xml version="1.0" encoding="UTF-8"?>\n<transactions type="array">\n  <transaction>\n    <id type="integer">5012</id>\n    <actor nil="true"/>\n    <log_output>a &quot;b&quot; &lt;c&gt;</log_output>\n  </transaction>\n</transactions>\n',
    '<transactions type="array"><transaction><id type="integer">5011</id><params><list type="array"><list>x</list></list></params><log-output><![CDATA[a <c> & d]]></log-output></transaction></transactions>',
    '<transactions type="array"><transaction><id type="integer">90071992547409931234</id></transaction></transactions>',
  ],
};

const scraps: Record<Format, string[]> = {
  json: [...`" { } [ ] , : \\ \\u00 null - 1e 0 \0 \uD800 "id": {"__proto__":1}`.split(" "), "\n"],
  xml: [
    ...`< > </ /> <a> </a> <![CDATA[ ]]> <!-- --> & &amp; &#0; &#x <? ?> \0 \uD800 <__proto__> =`.split(" "),
    ...["<!DOCTYPE a>", ' type="array"', ' nil="true"'],
  ],
};

function broken(body: string, format: Format, below: (n: number) => number): string {
  let text = body;
  for (let change = 0; change <= below(3); change++) {
    const [at, from] = [below(text.length + 1), below(text.length + 1)];
    const length = below(below(4) === 0 ? 60 : 3);
    const [before, piece, after] = [text.slice(0, at), text.slice(at, at + length + 1), text.slice(at + length + 1)];
    const changed = [
      before,
      before + after,
      before + (scraps[format][below(scraps[format].length)] ?? "") + piece + after,
      before + piece.repeat(2 + below(3)) + after,
      before + String.fromCharCode(below(256)) + text.slice(at + 1),
      before + text.slice(from, from + length) + piece + after,
    ];
    text = changed[below(changed.length)] ?? "";
  }
  return text;
}

/** A decoder cannot know that a digit was changed, so an item counts as invented only if its id is not in the body. */
function assertNothingInvented(body: string, format: Format): void {
  let page;
  try {
    page = decodeTransactions(body, format);
  } catch (error) {
    assert.ok(error instanceof UndecodableError, `${String(error)} for ${body}`);
    return;
  }
  if (format === "json") JSON.parse(body.replace(/^\uFEFF/, ""));
  // Finds ids in any spelling, even as attributes.
  const named = body.match(/["<\s:][-_\s]*i[-_\s]*d[-_\s]*["\s/>=]/gi) ?? [];
  assert.ok(page.items.length <= named.length, body);
  // A CDATA section or a comment may interrupt an id.
  const texts = [body, body.replace(/<!\[CDATA\[|\]\]>|<!--.*?-->/gs, "")];
  const isIn = (id: string): boolean => body.includes("&") || texts.some((text) => text.includes(id));
  for (const { id } of page.items) assert.ok(isIn(id), `${id} is not in ${body}`);
}

describe("Malformed bodies", () => {
  const each = thorough(2_000, 50_000);
  for (const format of formats) {
    it(`never crash the decoder, and never yield invented items (${String(each)} bodies in ${format})`, () => {
      // The same numbers in every run, so that the same bodies are broken in the same ways.
      const random = randomFrom(20261121);
      const below = (most: number): number => Math.floor(random() * most);
      for (let count = 0; count < each; count++)
        assertNothingInvented(broken(good[format][count % good[format].length] ?? "", format, below), format);
    }).timeout(120_000);

    it(`are never accepted as a list if they are truncated at any point (${format})`, () => {
      for (const body of good[format]) {
        const end = body.trimEnd().length;
        for (let at = 0; at < end; at++)
          assert.throws(() => decodeTransactions(body.slice(0, at), format), UndecodableError);
        assert.ok(decodeTransactions(body.slice(0, end), format).items.length > 0);
      }
    });
  }
});
