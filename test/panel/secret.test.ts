import assert from "node:assert/strict";
import { inspect } from "node:util";
import { Secret } from "../../provider/panel/secrets";

describe("A secret", () => {
  it("appears in no output, and is revealed only on request", () => {
    const secret = new Secret("xyzzy");
    const holder = { nested: [secret] };
    const prints = [
      inspect(holder, { showHidden: true, depth: Infinity, getters: true }),
      inspect(secret, { customInspect: false, showHidden: true, getters: true }),
      JSON.stringify(holder),
      String(secret),
      secret.toString(),
      Object.values(secret).join(),
    ];
    for (const print of prints) assert.ok(!print.includes("xyzzy"), print);
    assert.equal(secret.reveal(), "xyzzy");
  });
});
