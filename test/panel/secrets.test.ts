import assert from "node:assert/strict";
import { inspect } from "node:util";
import { PanelError } from "../../provider/panel/errors";
import { Secret } from "../../provider/panel/secrets";
import type { TransportRequest, TransportResponse } from "../../provider/panel/transport";
import { answer, clientOf, inProcess, machine, password, point } from "./support/clients";

const token = Buffer.from(`operator:${password}`).toString("base64");
const spellings = [
  password,
  token,
  token.replace(/=+$/, ""),
  encodeURIComponent(password),
  JSON.stringify(password).slice(1, -1),
  Buffer.from(password).toString("base64"),
];

/** Prints the value in every possible way, and joins the texts. */
function shown(value: unknown): string {
  const error = value as Error;
  return [
    inspect(value, { showHidden: true, depth: Infinity, getters: true, maxStringLength: null, maxArrayLength: null }),
    JSON.stringify(value),
    String(value),
    error.stack,
    JSON.stringify(Object.getOwnPropertyNames(value).map((name) => [name, (value as Record<string, unknown>)[name]])),
  ].join("\n");
}

function assertNoSecret(value: unknown): void {
  assert.ok(value instanceof PanelError);
  assert.equal(value.cause, undefined);
  for (const spelling of spellings) assert.ok(!shown(value).includes(spelling), shown(value));
}

describe("A panel client", function () {
  this.timeout(60_000);

  const echo = ({ headers, path }: TransportRequest, status: number): TransportResponse => {
    const said = [path, ...Object.values(headers), ...spellings].join(" ");
    return answer(status, JSON.stringify({ errors: [said, { [said]: said }] }), {
      "x-request-id": said,
      location: `https://operator:${password}@other.example/${encodeURIComponent(password)}?p=${password}`,
    });
  };

  for (const status of [200, 302, 400, 401, 403, 404, 422, 429, 500, 503]) {
    it(`shows neither the password nor a header in an error if a ${String(status)} response echoes both`, async () => {
      const panel = inProcess((request) => echo(request, status));
      assertNoSecret(await panel.clock.run(panel.client.listTransactions().catch((error: unknown) => error)));
      const post = await panel.client.restoreMachine(machine, point);
      if (post.kind !== "accepted") assertNoSecret(post.error);
      else assert.ok(!spellings.some((spelling) => JSON.stringify(post).includes(spelling)));
    });
  }

  it("shows neither the password nor a header in an error if an HTML page echoes both in its title", async () => {
    const title = spellings.map((text) => text.replaceAll("<", "&lt;").replaceAll(">", "&gt;")).join(" ");
    const page = `<html><head><title>${title}</title></head></html>`;
    for (const status of [200, 500]) {
      const panel = inProcess(() => answer(status, page, { "content-type": "text/html" }));
      assertNoSecret(await panel.clock.run(panel.client.listTransactions().catch((error: unknown) => error)));
    }
  });

  it("shows nothing from an error thrown by the transport", async () => {
    const leaky = Object.assign(new Error(`connect with ${password}`), { code: "ECONNRESET", config: { auth: token } });
    const panel = inProcess(() => Promise.reject(leaky));
    assertNoSecret(await panel.clock.run(panel.client.listTransactions().catch((error: unknown) => error)));
  });

  it("never shows its password when it is printed", () => {
    const client = clientOf({ endpoint: "https://panel.example" });
    for (const spelling of spellings)
      assert.ok(!inspect(client, { showHidden: true, depth: Infinity }).includes(spelling));
  });
});

describe("A secret", () => {
  it("never appears in printed output, and is revealed only on request", () => {
    const secret = new Secret("xyzzy");
    const uninspected = inspect(secret, { customInspect: false, showHidden: true, getters: true });
    for (const print of [shown({ nested: [secret] }), uninspected, `${String(secret)} ${Object.values(secret).join()}`])
      assert.doesNotMatch(print, /xyzzy/);
    assert.equal(secret.reveal(), "xyzzy");
  });
});
