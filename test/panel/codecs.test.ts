import assert from "node:assert/strict";
import fc from "fast-check";
import type { Format } from "../../provider/panel/types";
import { decodeTransactions } from "./support/clients";

/** Integers beyond the range in which doubles are exact. */
const bigNumber = fc.bigInt({ min: 2n ** 53n, max: 2n ** 80n });

function one(body: string, format: Format): Record<string, unknown> {
  const { items } = decodeTransactions(body, format);
  assert.equal(items.length, 1, body);
  return { ...items[0] };
}

const inXml = (inner: string): string =>
  `<transactions type="array"><transaction><id type="integer">1</id>${inner}</transaction></transactions>`;

describe("The JSON and XML forms of a list", () => {
  it("are read with white space around their values removed, except in log output", () => {
    const xml = inXml(
      "<parent_type> VirtualMachine\n</parent_type><status>\n running </status><log_output> two\n</log_output>",
    );
    const json = JSON.stringify([
      { id: 1, parent_type: " VirtualMachine\n", status: "\n running ", log_output: " two\n" },
    ]);
    for (const row of [one(xml, "xml"), one(json, "json")]) {
      assert.deepEqual([row["parentType"], row["status"], row["logOutput"]], ["VirtualMachine", "running", " two\n"]);
    }
  });

  it("preserve integers of any size exactly, both as ids and in params", () => {
    fc.assert(
      fc.property(bigNumber, bigNumber, (id, parent) => {
        const [a, b] = [String(id), String(parent)];
        const json = `[{"transaction":{"id":${a},"parent_id": -${b},"chain_id":${b},"params":{"n":[${a}, ${b}]}}}]`;
        const xml = `<transactions type="array"><transaction><id type="integer">${a}</id><parent_id type="integer">-${b}</parent_id><chain_id type="integer">${b}</chain_id><params><n type="array"><n type="integer">${a}</n><n type="integer">${b}</n></n></params></transaction></transactions>`;
        const item = one(json, "json");
        assert.deepEqual([item["id"], item["parentId"], item["chainId"]], [a, `-${b}`, b]);
        assert.deepEqual(item["params"], { n: [a, b] });
        assert.deepEqual(one(xml, "xml"), item);
      }),
      { numRuns: 200 },
    );
  });

  const tokens =
    "9007199254740991 9007199254740993 12345678901234567890 1.50 1e3 12E+2 100000000000000000000000.5 0 -7";
  for (const token of tokens.split(" ")) {
    it(`preserve the id ${token}, and numbers inside strings, exactly as written`, () => {
      const text = 'a: 12345678901234567890, [1.50] "1e5" \\';
      const item = one(`[{"id": ${token}, "action": ${JSON.stringify(text)}, "chain_id": "1.50"}]`, "json");
      assert.deepEqual([item["id"], item["action"], item["chainId"]], [token, text, "1.50"]);
      const xml = `<transactions type="array"><transaction><id type="float">${token}</id></transaction></transactions>`;
      assert.equal(one(xml, "xml")["id"], token);
    });
  }
});

describe("A transaction's fields", () => {
  it("are absent if they are null, missing, of the wrong type, or empty where an empty value means nothing", () => {
    const json = one(
      '[{"id":1,"parent_type":null,"parent_id":"","log_output":"","created_at":"","priority":"x","allowed_cancel":"perhaps","params":"text","status":"","action":""}]',
      "json",
    );
    assert.deepEqual(Object.keys(json).sort(), ["facts", "fields", "id"]);
    const xml = one(
      inXml(
        '<action nil="true"/><parent_id type="integer"/><log_output></log_output><created_at type="datetime"/><status/>',
      ),
      "xml",
    );
    assert.deepEqual(Object.keys(xml).sort(), ["facts", "fields", "id"]);
  });

  it("contain exactly the text in the XML, even with entities, CDATA, white space or number-like text", () => {
    const item = one(
      inXml(
        "<log_output>  a &lt;&gt;&amp;&quot;&apos; &#65;&#x1F600; &amp;lt; &nbsp;&unknown;&#1114112; <![CDATA[<b>&amp;]]> \n</log_output><t:action>007</t:action><status>1e5</status>",
      ),
      "xml",
    );
    assert.equal(item["logOutput"], "  a <>&\"' A\u{1F600} &lt; &nbsp;&unknown;&#1114112; <b>&amp; \n");
    assert.deepEqual([item["action"], item["status"]], ["007", "1e5"]);
  });

  it("include free-form params as an object, even if there are none", () => {
    for (const params of ["<params/>", "<params></params>", "<params>\n  </params>"]) {
      assert.deepEqual(one(inXml(params), "xml")["params"], {});
    }
    const whole =
      '<params><shutdown_type type="symbol">soft</shutdown_type><x>1</x><x>2</x><a type="array"/><b nil="true"/><c type="boolean">true</c><d><e>1</e></d></params>';
    const { params } = one(inXml(whole), "xml");
    assert.deepEqual(params, { shutdown_type: "soft", x: ["1", "2"], a: [], b: null, c: true, d: { e: "1" } });
  });
});

describe("Hostile lists", () => {
  it("never change a prototype, whatever their member names", () => {
    const members =
      '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"hasOwnProperty":1,"toString":2';
    const json = one(`[{"id":1,${members},"params":{${members},"__proto__":{"polluted":2}}}]`, "json");
    const elements =
      "<__proto__><polluted>1</polluted></__proto__><constructor><prototype><polluted>1</polluted></prototype></constructor><hasOwnProperty>1</hasOwnProperty>";
    const xml = one(inXml(`${elements}<params>${elements}</params>`), "xml");
    for (const item of [json, xml]) {
      for (const object of [item, item["fields"], item["params"]] as Record<string, unknown>[]) {
        assert.equal(object["polluted"], undefined);
        assert.equal(Object.getPrototypeOf(object), Object.prototype);
      }
      assert.ok(Object.hasOwn(item["fields"] as object, "constructor"));
    }
    assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
  });

  const deep = 100_000;
  const unreadable: [name: string, format: Format, body: string][] = [
    ["deeply nested arrays", "json", `${"[".repeat(deep)}${"]".repeat(deep)}`],
    ["objects nested slightly too deeply", "json", `[{"id":1,"params":${'{"a":'.repeat(60)}1${"}".repeat(60)}}]`],
    ["deeply nested elements", "xml", inXml(`<params>${"<a>".repeat(deep)}${"</a>".repeat(deep)}</params>`)],
    ["elements nested slightly too deeply", "xml", inXml(`<params>${"<a>".repeat(60)}${"</a>".repeat(60)}</params>`)],
    ["their own entity declaration", "xml", inXml('<!DOCTYPE a [<!ENTITY b "c">]><action>&b;</action>')],
    ["mismatched tags", "xml", inXml("<action>a</actions>")],
    ["two root elements", "xml", `${inXml("")}${inXml("")}`],
    ["text after the root element", "xml", `${inXml("")}x`],
    ["an unclosed comment", "xml", `${inXml("")}<!-- `],
    ["nothing but text", "xml", "transactions"],
    ["nothing but an HTML page", "xml", "<html><body><p>1</p></body></html>"],
  ];
  for (const [name, format, body] of unreadable) {
    it(`are rejected if they contain ${name}`, () => {
      assert.throws(() => decodeTransactions(body, format), /^Undecodable|it is/);
    });
  }
});
