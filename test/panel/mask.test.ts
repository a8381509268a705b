import assert from "node:assert/strict";
import { Secret, connectionRedactor } from "../../provider/panel/secrets";
import * as mask from "../../provider/panel/mask";

const nothingKnown = (text: string): string => text;
const hunter2 = connectionRedactor("joe", new Secret("hunter2"));
const maskSecrets = (text: string, redact = nothingKnown): string => mask.maskSecrets(text, redact);
const logTail = (log: string, redact = nothingKnown, lines?: number): readonly string[] =>
  mask.logTail(log, redact, lines);

describe("a log", () => {
  const key = "-----BEGIN PRIVATE KEY-----\nQUJD\n-----END PRIVATE KEY-----\n";
  const table: readonly [name: string, text: string, shown: string][] = [
    ["only plain words", "restored 12 files to /var/www", "restored 12 files to /var/www"],
    ["a variable in capitals", "export MYSQL_ROOT_PASSWORD=hunter2", "export MYSQL_ROOT_PASSWORD=[secret]"],
    ["a value that contains punctuation", "password=Tr0ub4dor&3;x,y)z", "password=[secret]"],
    ["a quoted value that contains a quote", `password="hun\\"ter2" next`, "password=[secret] next"],
    ["JSON", `{"user":"joe","api_key":"hunter2","n":1}`, `{"user":"joe","api_key":[secret],"n":1}`],
    ["JSON within JSON", String.raw`{"b":"{\"password\":\"hun ter2\"}"}`, String.raw`{"b":"{\"password\":[secret]}"}`],
    ["a truncated quote", `{"password": "hun ter2`, `{"password": [secret]`],
    ["an option followed by another option", "tool --password-stdin --verbose", "tool --password-stdin --verbose"],
    ["arguments printed as a list", "['mysql', '--password', 'hunter2']", "['mysql', '--password', [secret]]"],
    ["a URL with a user and a password", "clone https://joe:hunter2@host/x.git", "clone https://[secret]@host/x.git"],
    ["a URL with only a token", "https://ghp_hunter2@host/x.git", "https://[secret]@host/x.git"],
    ["a URL whose password contains an @", "ftp://joe:hun@ter2@host/", "ftp://[secret]@host/"],
    ["a URL with a port and no secrets", "http://host:8080/x?y=1", "http://host:8080/x?y=1"],
    ["a header", "Authorization: Basic aHVudGVyMg==", "Authorization: [secret]"],
    ["a bare token", "sent Bearer abcdefgh12345", "sent Bearer [secret]"],
    ["a cookie", "Set-Cookie: session=hunter2; path=/", "Set-Cookie: [secret] path=/"],
    ["a private key", "a\n-----BEGIN RSA PRIVATE KEY-----\nQUJD\n-----END RSA PRIVATE KEY-----\nb", "a\n[secret]\nb"],
    ["two private keys", `${key}${key}`, "[secret]\n[secret]\n"],
    ["a private key whose end was cut off", "a\n-----BEGIN PRIVATE KEY-----\nQUJD\nREVG", "a\n[secret]"],
    ["a private key whose beginning was cut off", "QUJD\nREVG+/x=\n-----END PRIVATE KEY-----\nb", "[secret]\nb"],
    [
      "a private key without its beginning, after other text",
      "step 3 of 4: keys\nQUJD\n-----END EC PRIVATE KEY-----",
      "step 3 of 4: keys\n[secret]",
    ],
  ];
  for (const [name, text, shown] of table) {
    it(`is shown without secrets if it contains ${name}`, () => {
      assert.equal(maskSecrets(text), shown);
    });
  }

  it("never shows the connection's own password, even as part of a longer word", () => {
    assert.equal(maskSecrets("xhunter2 hunter2x", hunter2), "x[secret] [secret]x");
  });
});

describe("the end of a log", () => {
  it("consists of the last lines that are not empty", () => {
    assert.deepEqual(logTail("1\r\n2\n\n  \n3\r4", nothingKnown, 3), ["2", "3", "4"]);
  });
  it("contains no control characters", () => {
    assert.deepEqual(logTail("\u001b[2J\u001b[31mred\u001b[0m \u0007be\u0000ll \u202eback\u200b \u009b5A"), [
      "red bell back 5A",
    ]);
  });
  it("does not show a secret that is interrupted by color codes", () => {
    assert.deepEqual(logTail("\u001b[32mpassword\u001b[0m: \u001b[1mhunter2\u001b[0m"), ["password: [secret]"]);
    assert.deepEqual(logTail("hun\u001b[0mter2", hunter2), ["[secret]"]);
  });
  it("has its long lines cut, but never in the middle of a character", () => {
    const [line] = logTail(`${"x".repeat(299)}😀${"y".repeat(50)}`);
    assert.equal(line, `${"x".repeat(299)}\ufffd …`);
  });
  it("is masked before it is cut, so that no part of a secret remains", () => {
    const [line] = logTail(`${"x ".repeat(147)}password=${"hunter2".repeat(20)}`);
    assert.ok(line && !line.includes("hunter"), line);
  });
});

describe("256 KiB of hostile text", () => {
  /** A pattern that starts over at each character would take hours on this text, so the test only checks that the calls return before its timeout. */
  const shapes: Readonly<Record<string, string>> = {
    "one long word": "a",
    "secret-like words with dots": "pass.",
    "an endless option": "-pass",
    "backslashes and quotes": '\\"',
    "keys that open quotes": "pass='\"",
    "keys and equals signs": "key==",
    "words and spaces": "token      ",
    "URLs with users": "://a:b",
    "private keys": "-----BEGIN PRIVATE KEY-----",
    "capitals after the end of a private key": "-----END AAAA",
    "base64 lines": `${"A".repeat(64)}\n`,
    "headers with spaces": "authorization   ",
    "unfinished escape sequences": "\u001b[0;",
    "line breaks": "\r",
  };
  for (const [name, piece] of Object.entries(shapes)) {
    it(`is read in linear time if it consists of ${name}`, function () {
      this.timeout(20_000);
      const text = piece.repeat(Math.ceil(2 ** 18 / piece.length));
      assert.ok(logTail(text, hunter2).length <= 15);
      assert.ok(logTail(`x ${text}!`).length <= 15);
    });
  }
});
