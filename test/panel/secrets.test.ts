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

  const title = spellings.map((text) => text.replaceAll("<", "&lt;").replaceAll(">", "&gt;")).join(" ");
  const page = `<html><head><title>${title}</title></head></html>`;
  const leaky = Object.assign(new Error(`connect with ${password}`), { code: "ECONNRESET", config: { auth: token } });
  const replies: Record<string, (request: TransportRequest) => TransportResponse | Promise<never>> = {
    "the title of an HTML page with status 200": () => answer(200, page, { "content-type": "text/html" }),
    "the title of an HTML page with status 500": () => answer(500, page, { "content-type": "text/html" }),
    "an error thrown by the transport": () => Promise.reject(leaky),
  };
  for (const status of [200, 302, 400, 401, 403, 404, 422, 429, 500, 503])
    replies[`a response with status ${String(status)}`] = (request) => echo(request, status);
  for (const [what, reply] of Object.entries(replies))
    it(`shows neither the password nor a header in an error if ${what} contains both`, async () => {
      const panel = inProcess(reply);
      assertNoSecret(await panel.clock.run(panel.client.listTransactions().catch((error: unknown) => error)));
      const post = await panel.client.restoreMachine(machine, point);
      if (post.kind !== "accepted") assertNoSecret(post.error);
      else assert.ok(!spellings.some((spelling) => JSON.stringify(post).includes(spelling)));
    });

  it("never shows its password when it is printed", () => {
    const client = clientOf({ endpoint: "https://panel.example" });
    for (const spelling of spellings)
      assert.ok(!inspect(client, { showHidden: true, depth: Infinity }).includes(spelling));
  });
});

it("A secret never appears in printed output, and is revealed only on request", () => {
  const secret = new Secret("xyzzy");
  for (const print of [shown(secret), shown({ nested: [secret] })]) assert.doesNotMatch(print, /xyzzy/);
  assert.equal(secret.reveal(), "xyzzy");
});
