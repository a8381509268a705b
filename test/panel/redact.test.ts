import assert from "node:assert/strict";
import fc from "fast-check";
import { type Redact, Secret, connectionRedactor, secretsRedactor } from "../../provider/panel/secrets";
import { thorough } from "../support/thorough";

const lower = (text: string): string => text.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase());

/** The ways in which logs and pages commonly encode text. */
const spellings: Readonly<Record<string, (text: string) => string>> = {
  "plain text": (text) => text,
  JSON: (text) => JSON.stringify(text).slice(1, -1),
  "a URL": encodeURIComponent,
  "a URL with lower-case escapes": (text) => lower(encodeURIComponent(text)),
  "a form": (text) => new URLSearchParams({ p: text }).toString().slice(2),
  "a URL that escapes all punctuation": (text) =>
    new URLSearchParams({ p: text }).toString().slice(2).replaceAll("+", "%20"),
};

const piece = fc.oneof(
  { weight: 4, arbitrary: fc.stringMatching(/^[A-Za-z0-9]{1,4}$/) },
  { weight: 3, arbitrary: fc.constantFrom(..."!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~ ".split("")) },
  { weight: 1, arbitrary: fc.constantFrom("ä", "é", "€", "你", "😀", "\\\\", "%2", "&amp;", "\t") },
);
const password = fc.array(piece, { minLength: 4, maxLength: 10 }).map((pieces) => pieces.join(""));
/** Passwords longer than four bytes. In shorter ones, almost every base64 character also depends on the bytes around the password. */
const long = password.filter((text) => Buffer.byteLength(text) > 4);
const username = fc.stringMatching(/^[a-z@.]{1,12}$/);
const around = fc.constantFrom("", " ", "x", '"', "'", "password=", "\n", "/", "=", "ü", "9", "https://u:", "\\");

const hides = (redact: Redact, before: string, spelled: string, after: string): void => {
  const shown = redact(before + spelled + after);
  assert.equal(shown, `${before}[secret]${after}`, JSON.stringify(spelled));
};

describe("The redactor", () => {
  for (const [name, spell] of Object.entries(spellings)) {
    it(`redacts the password anywhere in the text if it is encoded as in ${name}`, () => {
      fc.assert(
        fc.property(username, password, around, around, (user, plain, before, after) => {
          hides(connectionRedactor(user, new Secret(plain)), before, spell(plain), after);
        }),
        { numRuns: thorough(50, 200), seed: 20261121 },
      );
    });
  }

  it("redacts the base64 of the header's credentials and of the password alone, both verbatim and in a URL", () => {
    fc.assert(
      fc.property(username, long, fc.boolean(), (user, plain, isAlone) => {
        const redact = connectionRedactor(user, new Secret(plain));
        const encoded = Buffer.from(isAlone ? plain : `${user}:${plain}`).toString("base64");
        assert.equal(redact(`Authorization: Basic ${encoded}\n`), "Authorization: Basic [secret]\n");
        for (const spelled of [encodeURIComponent(encoded), lower(encodeURIComponent(encoded))])
          hides(redact, "token=", spelled, "&x");
      }),
      { numRuns: thorough(100, 500), seed: 20261121 },
    );
  });

  it("redacts a key or script of any length, line by line, both verbatim and escaped", () => {
    const line = (nth: number): string => Buffer.from(`line ${String(nth)} of <a> "key" & more of it`).toString("hex");
    const lines = [...Array(2_000).keys()].map((nth) => `${String(nth)}: ${line(nth)} <"&">`);
    const plain = lines.join("\n");
    const redact = secretsRedactor([plain]);
    const shows = (text: string, ...hidden: readonly string[]): void =>
      hidden.forEach((one) => assert.ok(!redact(text).includes(one), redact(text).slice(0, 200)));
    for (const spell of ["plain text", "JSON", "a URL"]) {
      shows(`cat: ${spellings[spell]!(plain)} end`, line(0), line(1_000), line(1_999));
      shows(`cat: ${spellings[spell]!(lines[7]!)} end`, line(7));
    }
    assert.equal(redact("line 7 of the table is fine\n"), "line 7 of the table is fine\n");
  });

  it("does not mistake random base64 for a short password", () => {
    const text = Buffer.from(Array.from({ length: 30_000 }, (_, at) => (at * 7919) % 251)).toString("base64");
    for (const plain of ["ab", "abcd", "a-b-c"]) assert.equal(connectionRedactor("u", new Secret(plain))(text), text);
  });

  it("redacts a password shorter than four characters only as a whole word", () => {
    const redact = connectionRedactor("u", new Secret("42"));
    assert.equal(redact("restored 4200 of 142 files, pin=42&x"), "restored 4200 of 142 files, pin=[secret]&x");
  });
});
