import assert from "node:assert/strict";
import type { PanelErrorKind } from "../../provider/panel/errors";
import type { TransportResponse } from "../../provider/panel/transport";
import type { Format, PostAnswer } from "../../provider/panel/types";
import { messageText, partsOf } from "../../provider/plain/message";
import { assertReadable } from "../support/readable";
import { answer, inProcess, machine, panelErrorOf, point } from "./support/clients";

const html = { "content-type": "text/html" };
const json = { "content-type": "application/json; charset=utf-8" };
const xml = { "content-type": "application/xml" };
const login =
  '<!DOCTYPE html><html><head><title>Log in</title></head><form><input name="p" type="password"></form></html>';
const form = '<form action="/in"><input type=password></form>';
const maintenance = "<html><head><title>Back &amp; soon</title></head></html>";

type Kinds = `${PanelErrorKind | "page"}, ${PostAnswer["kind"]}`;
type Answer = readonly [name: string, format: Format, answer: TransportResponse];

/** Responses, keyed by what they mean for a list request and for a restore. */
const table: Readonly<Partial<Record<Kinds, readonly Answer[]>>> = {
  "page, accepted": [
    ["200 empty XML list", "xml", answer(200, '<transactions type="array"/>', xml)],
    ["200 empty XML list from older servers", "xml", answer(200, '<nil-classes type="array"/>', xml)],
    ["200 list labeled as HTML", "json", answer(200, "[]", html)],
    ["200 wrapped list labeled as HTML", "json", answer(200, '\ufeff {"transactions":[]}', html)],
  ],
  "unreadable, denied": [
    ["200 errors", "json", answer(200, '{"errors":["locked", null]}', json)],
    ["200 errors in XML", "xml", answer(200, "<errors><error>locked</error></errors>", xml)],
  ],
  "unreadable, accepted": [
    ["200 notice labeled as HTML", "json", answer(200, '{"notice":"queued"}', html)],
    ["200 XML instead of JSON, without a type", "json", answer(200, '<transactions type="array"/>')],
    ["200 empty HTML page", "json", answer(200, " ", html)],
    ["201 with a machine", "json", answer(201, '{"virtual_machine":{"id":42}}', json)],
    ["200 notice", "json", answer(200, '{"notice":"queued"}', json)],
    ["202 without a body", "json", answer(202)],
    ["204", "json", answer(204)],
    ["200 failed row", "json", answer(200, '{"id":8,"status":"failed","message":"x"}', json)],
    ["200 white space", "json", answer(200, " \n", json)],
    ["200 object without a list", "json", answer(200, "{}", json)],
    ["200 truncated JSON", "json", answer(200, '[{"transaction":{"id":1', json)],
    ["200 truncated XML", "xml", answer(200, '<transactions type="array"><transaction>', xml)],
    ["200 XML with a DOCTYPE", "xml", answer(200, '<!DOCTYPE a [<!ENTITY b "c">]><transactions/>', xml)],
  ],
  "notThePanel, unknown": [
    ["200 login page without a type", "json", answer(200, login)],
    ["200 login page as XML", "xml", answer(200, '<html><body><input type="password"/></body></html>', xml)],
    ["200 login form alone, labeled as JSON", "json", answer(200, form, json)],
    ["200 login form after a notice, labeled as XML", "xml", answer(200, `Please log in. ${form}`, xml)],
  ],
  "notThePanel, accepted": [
    ["200 other HTML page", "json", answer(200, maintenance, html)],
    ["200 HTML fragment", "json", answer(200, "<h1>It works!</h1>", html)],
    ["200 text labeled as HTML", "json", answer(200, "hello", html)],
  ],
  "redirect, refused": [
    ["301", "json", answer(301, "", { location: "https://other.example/x" })],
    ["307", "json", answer(307, "", { location: "//evil.example/" })],
    ["308 with userinfo", "json", answer(308, "", { location: "https://a:b@other.example/" })],
  ],
  "redirect, accepted": [["303 to the transaction", "json", answer(303, "", { location: "/transactions/8" })]],
  "redirect, unknown": [
    ["302 to login", "json", answer(302, login, { ...html, location: "/users/sign_in?token=a&to=/transactions/8#d" })],
    ["304", "json", answer(304)],
  ],
  "credentials, refused": [["401 JSON", "json", answer(401, '{"errors":["Wrong login"]}', json)]],
  "forbidden, refused": [
    ["403", "json", answer(403, '{"errors":["You do not have permissions"]}', json)],
    ["403 with a request id", "json", answer(403, "", { "x-request-id": "abc-123" })],
    ["403 with control characters", "json", answer(403, JSON.stringify({ error: "a\u001b[31mb\u0007\r\nc" }), json)],
    ["403 with a long message", "json", answer(403, JSON.stringify({ error: "x".repeat(5_000) }), json)],
  ],
  "notFound, refused": [
    ["404", "json", answer(404, '{"errors":["Resource not found"]}', json)],
    ["410", "json", answer(410)],
  ],
  "invalid, refused": [
    ["400", "json", answer(400, '{"error":"bad request"}', json)],
    ["409", "json", answer(409, "busy")],
    ["422 errors by field", "json", answer(422, '{"errors":{"label":["can\'t be blank"],"base":["locked"]}}', json)],
    ["422 with a list of errors", "json", answer(422, '{"errors":["a","b","a"]}', json)],
    [
      "422 with an XML list of errors",
      "xml",
      answer(422, '<errors type="array"><error>a &lt; b</error><error>c</error></errors>', xml),
    ],
    ["422 XML with other names", "xml", answer(422, "<hash><label>is bad</label></hash>", xml)],
    ["422 with truncated JSON", "json", answer(422, '{"errors":', json)],
  ],
  "rateLimited, refused": [["429", "json", answer(429, "", { "retry-after": "5" })]],
  "serverError, unknown": [
    ...[408, 425, 499, 600].map((status): Answer => [String(status), "json", answer(status)]),
    ["500 HTML page", "json", answer(500, "<html><title>We're sorry</title></html>", html)],
    ["500 JSON", "json", answer(500, '{"error":{"message":"boom"}}', json)],
    ["502", "xml", answer(502, "<html><head><title>502 Bad Gateway</title></head></html>", html)],
    ["503", "json", answer(503, "", { "retry-after": "2" })],
    ["500 huge HTML page", "json", answer(500, `<html><title>t</title>${" ".repeat(300_000)}`, html)],
  ],
};

/** Repeating the request would not change these outcomes. */
const final: readonly PanelErrorKind[] = ["credentials", "invalid", "notFound", "redirect"];

/** The message without the request. */
function saidIn({ message }: Error): string {
  return message.replace(/(?:GET|POST) \/[^ ]* on https:\/\/panel\.example(?:; )?/, "").replace(" ()", "");
}

describe("A response", () => {
  for (const [kinds, answers] of Object.entries(table)) {
    const [list, post] = kinds.split(", ");
    for (const [name, format, response] of answers) {
      it(`is classified as "${list ?? ""}" for a list and "${post ?? ""}" for a restore: ${name} (${format})`, async () => {
        const panel = inProcess(() => response, { format });
        const listed = panel.client.listTransactions();
        const posted = await panel.client.restoreMachine(machine, point);
        assert.equal(posted.kind, post);
        if (posted.kind === "accepted") assert.equal(posted.status, response.status);
        if (posted.kind === "denied") assert.deepEqual(posted.error.words, ["locked"]);
        if (list === "page") {
          assert.deepEqual((await listed).items, []);
        } else {
          const error = await panel.clock.run(panelErrorOf(listed));
          assert.equal(error.kind, list);
          const lists = panel.lines.filter((line) => line.startsWith("GET")).length;
          assert.equal(lists, final.includes(error.kind) ? 1 : error.kind === "forbidden" ? 3 : 5);
          assert.ok(error.message.includes(` (GET /transactions.${format} on https://panel.example`), error.message);
          assert.equal(error.status, response.status);
          // The excluded messages differ: for a restore, the machine or the point may be wrong; for a list, the panel's address.
          if (posted.kind !== "accepted" && posted.kind !== "denied" && list !== "notFound" && list !== "invalid")
            assert.equal(saidIn(posted.error), saidIn(error));
          if (response.headers["location"] !== undefined) assert.match(error.message, /a redirect to \S+, which/);
          assertReadable(messageText(partsOf(error)));
          assert.doesNotMatch(error.message, /token=|a:b@/);
        }
        assert.equal(panel.lines.filter((line) => line.startsWith("POST")).length, 1);
        assert.equal(panel.clock.pending, 0);
      });
    }
  }

  it("is quoted if it is an error in an HTML fragment", async () => {
    const panel = inProcess(() => answer(422, "<h1>Locked by admin</h1>", html));
    const error = await panel.clock.run(panelErrorOf(panel.client.listTransactions()));
    assert.match(error.message, /the panel's message: "Locked by admin"/);
  });

  it("is quoted if it comes in place of a list, with a success status", async () => {
    const bodies = [
      '{"success":false,"error":"Your key has expired"}',
      '{"errors":[{"message":"Your key has expired"}]}',
    ];
    for (const body of bodies) {
      const panel = inProcess(() => answer(200, body));
      const error = await panel.clock.run(panelErrorOf(panel.client.listTransactions()));
      assert.match(error.message, /the panel's message: "Your key has expired"/);
    }
  });
});
