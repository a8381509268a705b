import assert from "node:assert/strict";
import { ReadOnlyGuard, RequestLimitError } from "../../../cli/parts/guard";
import { panelError } from "../../../provider/panel/errors";
import { type TransportRequest } from "../../../provider/panel/transport";
import { VirtualClock } from "../../support/virtual-clock";

const request = (method: "GET" | "POST" = "GET"): TransportRequest => {
  return { method, path: "/transactions.json", headers: {}, signal: new AbortController().signal };
};

describe("the guard in front of the panel during a check", () => {
  it("sends no POST and no more requests than allowed, even when the caller continues", async () => {
    const guard = new ReadOnlyGuard(new VirtualClock(), 2);
    let sent = 0;
    const send = guard.wrap(() => {
      sent++;
      return sent === 1 ? Promise.reject(new Error("reset")) : Promise.resolve({ status: 200, headers: {}, body: "" });
    });
    await assert.rejects(send(request("POST")), { code: "READ_ONLY", written: false });
    assert.equal(sent, 0);
    await assert.rejects(send(request()), /reset/);
    await send(request());
    assert.equal(guard.spent.aborted, false);
    await assert.rejects(send(request()), { code: "ABORTED" });
    assert.deepEqual([sent, guard.spent.aborted], [2, true]);
    const seen = guard.exchanges.map(({ isSent, status }) => [isSent, status]);
    assert.deepEqual(seen, [
      [true, undefined],
      [true, 200],
    ]);
  });

  it("names the limit only when the limit stopped a request", async () => {
    const guard = new ReadOnlyGuard(new VirtualClock(), 1);
    const send = guard.wrap(() => Promise.resolve({ status: 200, headers: {}, body: "" }));
    const exchange = { address: "https://panel.example", method: "GET", path: "/transactions.json" };
    const [aborted, failed] = [panelError("aborted", exchange, false), panelError("serverError", exchange)];
    await send(request());
    assert.equal(guard.explain(aborted), aborted);
    await assert.rejects(send(request()));
    const explained = guard.explain(aborted);
    assert.ok(explained instanceof RequestLimitError);
    assert.equal(
      explained.message,
      "Given up: this command makes at most 1 requests here, and has reached that limit. The panel gives few rows for each, or many were repeated. `pulumi up` has no such limit. (GET /transactions.json on https://panel.example)",
    );
    assert.equal(guard.explain(failed), failed);
  });
});
