import assert from "node:assert/strict";
import fc from "fast-check";
import { type Redact, Secret, connectionRedactor, secretsRedactor } from "../../provider/panel/secrets";
import { thorough } from "../support/thorough";

const hex = (number: number, width: number): string => number.toString(16).padStart(width, "0");
const chars = (text: string, spell: (char: string) => string): string => Array.from(text).map(spell).join("");
const units = (text: string, spell: (unit: number) => string): string =>
  text
    .split("")
    .map((unit) => spell(unit.charCodeAt(0)))
    .join("");
const bytes = (text: string, spell: (byte: number) => string): string => [...Buffer.from(text)].map(spell).join("");
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
const inHtml = (text: string, apostrophe: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", apostrophe);
const lower = (text: string): string => text.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase());

/** Every way of writing a text that a log or a page was seen to use. */
const spellings: Readonly<Record<string, (text: string) => string>> = {
  "as it is": (text) => text,
  JSON: inJson,
  "JSON within JSON": (text) => inJson(inJson(text)),
  "JSON with slashes escaped": (text) => inJson(text).replaceAll("/", "\\/"),
  "JSON for HTML": (text) => inJson(text).replace(/[<>&']/g, (char) => `\\u${hex(char.charCodeAt(0), 4)}`),
  "JSON in ASCII, in capitals": (text) =>
    inJson(text).replace(/[^ -~]/g, (char) => `\\u${hex(char.charCodeAt(0), 4).toUpperCase()}`),
  "code units": (text) => units(text, (unit) => `\\u${hex(unit, 4)}`),
  "code points": (text) => chars(text, (char) => `\\u{${hex(char.codePointAt(0)!, 1)}}`),
  "bytes in a string": (text) => bytes(text, (byte) => `\\x${hex(byte, 2)}`),
  "HTML, named": (text) => inHtml(text, "&apos;"),
  "HTML, decimal": (text) => inHtml(text, "&#39;").replaceAll("&amp;", "&#38;").replaceAll("&quot;", "&#034;"),
  "HTML, hexadecimal": (text) => inHtml(text, "&#x27;").replaceAll("/", "&#x2F;").replaceAll("&amp;", "&#X26;"),
  "HTML, every character": (text) => chars(text, (char) => `&#${String(char.codePointAt(0))};`),
  "HTML, every character, hexadecimal": (text) =>
    chars(text, (char) => `&#x${hex(char.codePointAt(0)!, 1).toUpperCase()};`),
  "HTML within HTML": (text) => inHtml(inHtml(text, "&#39;"), "&#39;"),
  "JSON in HTML": (text) => inHtml(inJson(text), "&#39;"),
  "HTML in JSON": (text) => inJson(inHtml(text, "&#39;")),
  "an address": encodeURIComponent,
  "an address in lower case": (text) => lower(encodeURIComponent(text)),
  "an address within an address": (text) => encodeURIComponent(encodeURIComponent(text)),
  "an address, every byte": (text) => bytes(text, (byte) => `%${hex(byte, 2).toUpperCase()}`),
  "a form": (text) => new URLSearchParams({ p: text }).toString().slice(2),
  "a shell's quotes": (text) => text.replaceAll("'", "'\\''"),
  "a shell's other quotes": (text) => text.replaceAll("'", `'"'"'`),
  "a shell's backslashes": (text) => text.replace(/[^\w\s]/gu, (char) => `\\${char}`),
};

const piece = fc.oneof(
  { weight: 4, arbitrary: fc.stringMatching(/^[A-Za-z0-9]{1,4}$/) },
  { weight: 3, arbitrary: fc.constantFrom(..."!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~ ".split("")) },
  { weight: 1, arbitrary: fc.constantFrom("ä", "é", "€", "你", "😀", "\\\\", "%2", "&amp;", "\t") },
);
const password = fc.array(piece, { minLength: 4, maxLength: 10 }).map((pieces) => pieces.join(""));
/** In four bytes, hardly a character of base64 is theirs alone. */
const long = password.filter((text) => Buffer.byteLength(text) > 4);
const username = fc.stringMatching(/^[a-z@.]{1,12}$/);
const around = fc.constantFrom("", " ", "x", '"', "'", "password=", "\n", "/", "=", "ü", "9", "https://u:", "\\");

const hides = (redact: Redact, before: string, spelled: string, after: string): void => {
  const shown = redact(before + spelled + after);
  assert.ok(shown.includes("[secret]"), `${JSON.stringify(before + spelled + after)} → ${JSON.stringify(shown)}`);
  assert.ok(!shown.includes(spelled), JSON.stringify(shown));
};

describe("The redactor", () => {
  for (const [name, spell] of Object.entries(spellings)) {
    it(`hides the password spelled as ${name}, wherever it stands`, () => {
      fc.assert(
        fc.property(username, password, around, around, (user, plain, before, after) => {
          hides(connectionRedactor(user, new Secret(plain)), before, spell(plain), after);
        }),
        { numRuns: thorough(50, 200), seed: 20261121 },
      );
    });
  }

  for (const alphabet of ["base64", "base64url"] as const) {
    it(`hides the password in ${alphabet}, alone, after the user's name, and in the middle of something longer`, () => {
      const beside = fc.uint8Array({ maxLength: 5 });
      fc.assert(
        fc.property(username, long, beside, beside, fc.constantFrom("", ":"), (user, plain, before, after, colon) => {
          const text = colon === "" ? plain : user + colon + plain;
          const redact = connectionRedactor(user, new Secret(plain));
          const encoded = Buffer.concat([before, Buffer.from(text), after]).toString(alphabet);
          const shown = redact(`Authorization Basic ${encoded} next`);
          // What is left decodes, at whatever place one begins, to nothing with the password in it.
          for (const skip of [0, 1, 2, 3]) {
            const words = shown.split(/[^\w+/-]/).map((word) => Buffer.from(word.slice(skip), alphabet).toString());
            assert.ok(!words.some((word) => word.includes(plain)), shown);
          }
          assert.ok(shown.includes("[secret]"), shown);
          for (const escaped of [
            encodeURIComponent(encoded),
            lower(encodeURIComponent(encoded)),
            encoded.replaceAll("/", "\\/"),
          ]) {
            hides(redact, "token=", escaped, "&x");
          }
        }),
        { numRuns: thorough(100, 500), seed: 20261121 },
      );
    });
  }

  it("hides base64 that was broken into lines", () => {
    const plain = "correct horse battery staple, and then some more of it until the line is full";
    const encoded = Buffer.from(`operator:${plain}`).toString("base64");
    const lines = encoded.replace(/.{76}/g, "$&\n ");
    assert.ok(lines.includes("\n"));
    assert.equal(connectionRedactor("operator", new Secret(plain))(`Basic ${lines}.`), "Basic [secret].");
  });

  it("hides a key or a script of any length, line by line, escaped, or in base64 that is broken anywhere", () => {
    const line = (nth: number): string => Buffer.from(`line ${String(nth)} of <a> "key" & more of it`).toString("hex");
    const lines = [...Array(2_000).keys()].map((nth) => `${String(nth)}: ${line(nth)} <"&">`);
    const plain = lines.join("\n");
    const redact = secretsRedactor([plain]);
    const shows = (text: string, ...hidden: readonly string[]): void =>
      hidden.forEach((one) => assert.ok(!redact(text).includes(one), redact(text).slice(0, 200)));
    for (const spell of ["as it is", "JSON", "HTML, named", "an address"]) {
      shows(`cat: ${spellings[spell]!(plain)} end`, line(0), line(1_000), line(1_999));
      shows(`cat: ${spellings[spell]!(lines[7]!)} end`, line(7));
    }
    for (const before of ["", "x", "xy"]) {
      const encoded = Buffer.from(before + plain).toString("base64");
      shows(`cert\n${encoded.replace(/.{76}/g, "$&\n")}`, encoded.slice(500, 540));
    }
    assert.equal(redact("line 7 of the table is fine\n"), "line 7 of the table is fine\n");
  });

  it("takes each spelling out whole", () => {
    const redact = connectionRedactor("operator", new Secret('pa&s"w/rd'));
    const header = Buffer.from('operator:pa&s"w/rd').toString("base64");
    const alone = Buffer.from('pa&s"w/rd').toString("base64");
    for (const spelled of ['pa&s"w/rd', 'pa&s\\"w\\/rd', "pa&amp;s&quot;w&#x2f;rd", "pa%26s%22w%2frd", header, alone]) {
      assert.equal(redact(`a ${spelled} b`), "a [secret] b", spelled);
    }
  });

  it("leaves a log readable when the password is a part of many words", () => {
    for (const [plain, text, shown] of [
      ["", "an error", "an error"],
      ["a", "a machine has as many disks as a rack", "[secret] machine has as many disks as [secret] rack"],
      [
        "42",
        "restored 4200 of 142 files, pin 42, pin=42&x",
        "restored 4200 of 142 files, pin [secret], pin=[secret]&x",
      ],
      ["root", "uid=0(root) chroot", "uid=0([secret]) ch[secret]"],
      ["hunter2-long", "an error", "an error"],
    ] as const) {
      assert.equal(connectionRedactor("u", new Secret(plain))(text), shown);
    }
  });

  it("does not take random base64 for a short password's", () => {
    const text = Buffer.from(Array.from({ length: 30_000 }, (_, at) => (at * 7919) % 251)).toString("base64");
    for (const plain of ["ab", "abcd", "a-b-c"]) assert.equal(connectionRedactor("u", new Secret(plain))(text), text);
  });

  describe("on a lot of hostile text", () => {
    const plains = ["hunter2!", '\\\\\\"\\\\', "&amp;&&%%25%", "aaaaaaaaaaaaaaaaaaaab", "  '''' ''", "x".repeat(60)];
    const shapes = [
      "a",
      "\\",
      "\\u005c",
      "%25",
      "&amp;",
      "&#0",
      "'\"",
      "x",
      " ",
      "eHh4",
      "hunter2",
      "\r\n",
      "%",
      "+/",
      '\\\\"',
      "QQ==\n",
    ];
    // What takes the square of its length takes minutes of either, which is more than mocha waits.
    const length = thorough(2 ** 17, 2 ** 20);
    for (const plain of plains) {
      it(`for ${JSON.stringify(plain.slice(0, 20))} takes no time`, function () {
        this.timeout(thorough(60_000, 5 * 60_000));
        const redact = connectionRedactor("operator", new Secret(plain));
        for (const shape of shapes) redact(shape.repeat(Math.ceil(length / shape.length)));
      });
    }
  });
});
