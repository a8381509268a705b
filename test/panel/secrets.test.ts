import assert from "node:assert/strict";
import { inspect } from "node:util";
import { Secret } from "../../provider/panel/secrets";
import { clientOf, password } from "./support/clients";

const token = Buffer.from(`operator:${password}`).toString("base64");
const spellings = [password, token, token.replace(/=+$/, ""), encodeURIComponent(password)];

describe("A panel client", () => {
  it("shows no password when it is printed", () => {
    const client = clientOf({ endpoint: "https://panel.example" });
    for (const spelling of spellings)
      assert.ok(!inspect(client, { showHidden: true, depth: Infinity }).includes(spelling));
  });
});

describe("A secret", () => {
  it("appears in no output, and is revealed only on request", () => {
    const secret = new Secret("xyzzy");
    const print = (value: unknown, more: object = {}): string =>
      inspect(value, { showHidden: true, depth: Infinity, getters: true, ...more });
    for (const printed of [
      print({ nested: [secret] }),
      print(secret, { customInspect: false }),
      JSON.stringify({ nested: [secret] }),
      `${String(secret)} ${Object.values(secret).join()}`,
    ])
      assert.doesNotMatch(printed, /xyzzy/);
    assert.equal(secret.reveal(), "xyzzy");
  });
});
