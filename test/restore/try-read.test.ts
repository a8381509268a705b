import assert from "node:assert/strict";
import { panelError } from "../../provider/panel/errors";
import { type Run, tryRead } from "../../provider/restore/session";

describe("a read that fails", () => {
  it("has a reason that no request id makes another one: each new text is a line of a pipeline's log", async () => {
    let request = 0;
    const read = (): Promise<never> => {
      const exchange = { address: "https://panel.example", method: "GET", path: "/transactions.json", status: 503 };
      return Promise.reject(panelError("serverError", { ...exchange, requestId: `r-${String(++request)}` }));
    };
    const run = { session: { feed: { read } } } as unknown as Run;
    const [one, other] = [await tryRead(run, {}, 50), await tryRead(run, {}, 50)];
    assert.ok("trouble" in one && "trouble" in other);
    assert.match(one.trouble.what, /status 503/);
    assert.equal(one.trouble.what, other.trouble.what);
  });
});
