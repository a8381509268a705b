import assert from "node:assert/strict";
import type { PanelErrorKind } from "../../provider/panel/errors";
import type { TransportResponse } from "../../provider/panel/transport";
import type { Format, PostAnswer } from "../../provider/panel/types";
import { answer, inProcess, machine, panelErrorOf, password, point } from "./support/clients";

const html = { "content-type": "text/html" };
const json = { "content-type": "application/json; charset=utf-8" };
const xml = { "content-type": "application/xml" };
const login =
  '<!DOCTYPE html><html><head><title>Log in</title></head><form><input name="p" type="password"></form></html>';
const maintenance = "<html><head><title>Back &amp; soon</title></head></html>";
const basic = Buffer.from(`operator:${password}`).toString("base64");

type Expected = readonly [list: PanelErrorKind | "page", post: PostAnswer["kind"], message: RegExp];
type Row = readonly [name: string, format: Format, answer: TransportResponse, expected: Expected];

/** What each answer is to a list request, what it is to a restore, and what the error says. */
const table: readonly Row[] = [
  // Good statuses: a restore is accepted whatever the body; a list has to be one.
  ["200 empty JSON list", "json", answer(200, "[]", json), ["page", "accepted", /^$/]],
  ["200 empty XML list", "xml", answer(200, '<transactions type="array"/>', xml), ["page", "accepted", /^$/]],
  [
    "200 empty XML list of older servers",
    "xml",
    answer(200, '<nil-classes type="array"/>', xml),
    ["page", "accepted", /^$/],
  ],
  ["200 list without a content type", "json", answer(200, "[]"), ["page", "accepted", /^$/]],
  ["200 list as plain text", "json", answer(200, "[]", { "content-type": "text/plain" }), ["page", "accepted", /^$/]],
  ["200 list as a page", "json", answer(200, "[]", html), ["page", "accepted", /^$/]],
  ["200 wrapped list as a page", "json", answer(200, '\ufeff {"transactions":[]}', html), ["page", "accepted", /^$/]],
  [
    "200 list as XHTML",
    "json",
    answer(200, "[]", { "content-type": "application/xhtml+xml" }),
    ["page", "accepted", /^$/],
  ],
  ["200 list as XML", "json", answer(200, "[]", xml), ["page", "accepted", /^$/]],
  ["200 XML list as a page", "xml", answer(200, '<transactions type="array"/>', html), ["page", "accepted", /^$/]],
  [
    "200 XML list as plain text",
    "xml",
    answer(200, '<transactions type="array"/>', { "content-type": "text/plain" }),
    ["page", "accepted", /^$/],
  ],
  [
    "200 XML list without a type",
    "xml",
    answer(200, '<?xml version="1.0"?>\n<transactions type="array"/>'),
    ["page", "accepted", /^$/],
  ],
  ["200 XML list as JSON", "xml", answer(200, '<transactions type="array"/>', json), ["page", "accepted", /^$/]],
  [
    "200 cut-off JSON as a page",
    "json",
    answer(200, '[{"transaction":{"id":1', html),
    ["unreadable", "accepted", /not JSON, or is cut off/],
  ],
  [
    "200 cut-off XML as a page",
    "xml",
    answer(200, '<transactions type="array"><transaction>', html),
    ["unreadable", "accepted", /not well-formed XML, or is cut off/],
  ],
  [
    "200 notice as a page",
    "json",
    answer(200, '{"notice":"queued"}', html),
    ["unreadable", "accepted", /no list of transactions/],
  ],
  [
    "200 JSON for XML as a page",
    "xml",
    answer(200, "[]", html),
    ["unreadable", "accepted", /is JSON, and XML was asked for/],
  ],
  [
    "200 XML for JSON without a type",
    "json",
    answer(200, '<transactions type="array"/>'),
    ["unreadable", "accepted", /is XML, and JSON was asked for/],
  ],
  ["200 empty page", "json", answer(200, " ", html), ["unreadable", "accepted", /it is empty/]],
  ["200 login page without a type", "json", answer(200, login), ["loginPage", "accepted", /login page.*"Log in"/]],
  [
    "200 login page as plain text for XML",
    "xml",
    answer(200, login, { "content-type": "text/plain" }),
    ["loginPage", "accepted", /login page/],
  ],
  [
    "200 login page as well-formed XML",
    "xml",
    answer(200, '<html><body><input type="password"/></body></html>', xml),
    ["loginPage", "accepted", /login page/],
  ],
  [
    "200 login form alone, called JSON",
    "json",
    answer(200, '<form action="/in"><input type=password></form>', json),
    ["loginPage", "accepted", /login page/],
  ],
  [
    "200 login form after a notice, called XML",
    "xml",
    answer(200, "Please log in. <form><input type=password></form>", xml),
    ["loginPage", "accepted", /login page/],
  ],
  [
    "200 a part of a page, called XML",
    "xml",
    answer(200, "<div>down for maintenance</div>", xml),
    ["notThePanel", "accepted", /an HTML page/],
  ],
  [
    "201 machine",
    "json",
    answer(201, '{"virtual_machine":{"id":42}}', json),
    ["unreadable", "accepted", /no list of transactions/],
  ],
  [
    "201 machine in XML",
    "xml",
    answer(201, "<virtual-machine/>", xml),
    ["unreadable", "accepted", /no list of transactions/],
  ],
  [
    "200 notice",
    "json",
    answer(200, '{"notice":"queued"}', json),
    ["unreadable", "accepted", /no list of transactions/],
  ],
  ["202 empty", "json", answer(202), ["unreadable", "accepted", /it is empty/]],
  ["204", "json", answer(204), ["unreadable", "accepted", /it is empty/]],
  ["204 for XML", "xml", answer(204), ["unreadable", "accepted", /it is empty/]],
  ["200 white space", "json", answer(200, " \n", json), ["unreadable", "accepted", /it is empty/]],
  ["200 null", "json", answer(200, "null", json), ["unreadable", "accepted", /no list/]],
  ["200 number", "json", answer(200, "7", json), ["unreadable", "accepted", /no list/]],
  ["200 object without a list", "json", answer(200, "{}", json), ["unreadable", "accepted", /no list/]],
  ["200 errors", "json", answer(200, '{"errors":["no"]}', json), ["unreadable", "accepted", /no list/]],
  [
    "200 errors in XML",
    "xml",
    answer(200, "<errors><error>no</error></errors>", xml),
    ["unreadable", "accepted", /no list/],
  ],
  [
    "200 cut-off JSON",
    "json",
    answer(200, '[{"transaction":{"id":1', json),
    ["unreadable", "accepted", /not JSON, or is cut off/],
  ],
  [
    "200 cut-off XML",
    "xml",
    answer(200, '<transactions type="array"><transaction>', xml),
    ["unreadable", "accepted", /not well-formed XML, or is cut off/],
  ],
  [
    "200 XML with a declaration",
    "xml",
    answer(200, '<!DOCTYPE a [<!ENTITY b "c">]><transactions/>', xml),
    ["unreadable", "accepted", /not well-formed/],
  ],
  [
    "200 XML for JSON",
    "json",
    answer(200, '<transactions type="array"/>', xml),
    ["unreadable", "accepted", /is XML, and JSON was asked for/],
  ],
  ["200 JSON for XML", "xml", answer(200, "[]", json), ["unreadable", "accepted", /is JSON, and XML was asked for/]],
  ["200 text", "json", answer(200, "OK", { "content-type": "text/plain" }), ["unreadable", "accepted", /not JSON/]],
  [
    "200 login page",
    "json",
    answer(200, login, html),
    ["loginPage", "accepted", /login page for browsers.*"Log in".*single sign-on/],
  ],
  ["200 login page for XML", "xml", answer(200, login, html), ["loginPage", "accepted", /login page/]],
  ["200 login page called JSON", "json", answer(200, login, json), ["loginPage", "accepted", /login page/]],
  [
    "200 other page",
    "json",
    answer(200, maintenance, html),
    ["notThePanel", "accepted", /an HTML page.*"Back & soon".*maintenance/],
  ],
  ["200 page called XML", "xml", answer(200, maintenance, xml), ["notThePanel", "accepted", /an HTML page/]],
  ["200 called a page", "json", answer(200, "hello", html), ["notThePanel", "accepted", /an HTML page/]],
  ["299", "json", answer(299, "[]", json), ["page", "accepted", /^$/]],

  // Redirects: never followed.
  [
    "301",
    "json",
    answer(301, "", { location: "https://other.example/x" }),
    ["redirect", "refused", /redirect to https:\/\/other\.example\/x \(status 301\).*not followed/],
  ],
  [
    "302 to the login",
    "json",
    answer(302, login, { ...html, location: "/users/sign_in?token=abc#d" }),
    ["redirect", "refused", /redirect to \/users\/sign_in \(/],
  ],
  // Web frameworks answer a success with it.
  ["303", "xml", answer(303), ["redirect", "unknown", /the answer is a redirect \(status 303\)/]],
  ["303 to the machine", "json", answer(303, "", { location: "/machines/42" }), ["redirect", "unknown", /redirect to/]],
  ["304", "json", answer(304), ["redirect", "refused", /redirect/]],
  [
    "307",
    "json",
    answer(307, "", { location: "//evil.example/" }),
    ["redirect", "refused", /redirect to \/\/evil\.example\//],
  ],
  [
    "308 with userinfo",
    "json",
    answer(308, "", { location: "https://a:b@other.example/" }),
    ["redirect", "refused", /redirect to https:\/\/other\.example\//],
  ],

  // Refusals.
  [
    "400",
    "json",
    answer(400, '{"error":"bad request"}', json),
    ["refusedRequest", "refused", /refused the request \(status 400\)\. The panel says: "bad request"/],
  ],
  [
    "401 empty",
    "json",
    answer(401),
    ["credentials", "refused", /did not accept the user name and password \(status 401\).*API key/],
  ],
  ["401 JSON", "json", answer(401, '{"errors":["Wrong login"]}', json), ["credentials", "refused", /"Wrong login"/]],
  [
    "401 page",
    "xml",
    answer(401, "<html><title>401 Unauthorized</title></html>", html),
    ["credentials", "refused", /"401 Unauthorized"/],
  ],
  ["402", "json", answer(402), ["refusedRequest", "refused", /status 402/]],
  [
    "403",
    "json",
    answer(403, '{"errors":["You do not have permissions"]}', json),
    ["forbidden", "refused", /"You do not have permissions".*role/],
  ],
  [
    "403 XML",
    "xml",
    answer(403, "<errors><error>No permission</error></errors>", xml),
    ["forbidden", "refused", /"No permission"/],
  ],
  [
    "404",
    "json",
    answer(404, '{"errors":["Resource not found"]}', json),
    ["notFound", "refused", /nothing under this path.*"Resource not found".*virtual_servers/],
  ],
  [
    "404 old JSON",
    "json",
    answer(404, '{"error":"Resource not found"}', json),
    ["notFound", "refused", /"Resource not found"/],
  ],
  [
    "404 page of a web server",
    "json",
    answer(404, "<html><head><title>404 Not Found</title>", html),
    ["notFound", "refused", /"404 Not Found"/],
  ],
  ["405", "json", answer(405), ["refusedRequest", "refused", /status 405/]],
  ["406", "xml", answer(406), ["refusedRequest", "refused", /status 406/]],
  ["409", "json", answer(409, "busy"), ["refusedRequest", "refused", /"busy"/]],
  ["410", "json", answer(410), ["notFound", "refused", /nothing under this path \(status 410\)/]],
  ["411", "json", answer(411), ["refusedRequest", "refused", /status 411/]],
  ["413", "json", answer(413), ["refusedRequest", "refused", /status 413/]],
  ["415", "json", answer(415), ["refusedRequest", "refused", /status 415/]],
  ["418", "json", answer(418), ["refusedRequest", "refused", /status 418/]],
  [
    "422 by field",
    "json",
    answer(422, '{"errors":{"label":["can\'t be blank"],"base":["locked"]}}', json),
    ["invalid", "refused", /"label: can't be blank"; "locked".*busy or locked/],
  ],
  ["422 list", "json", answer(422, '{"errors":["a","b","a"]}', json), ["invalid", "refused", /"a"; "b"\./]],
  [
    "422 XML by field",
    "xml",
    answer(422, '<errors type="array"><error>a &lt; b</error><error>c</error></errors>', xml),
    ["invalid", "refused", /"a < b"; "c"/],
  ],
  [
    "422 XML with other names",
    "xml",
    answer(422, "<hash><label>is bad</label></hash>", xml),
    ["invalid", "refused", /"label: is bad"/],
  ],
  ["422 unreadable", "json", answer(422, '{"errors":', json), ["invalid", "refused", /now \(status 422\)\. Check/]],
  [
    "429",
    "json",
    answer(429, "", { "retry-after": "5" }),
    ["rateLimited", "refused", /too many requests \(status 429\)/],
  ],
  ["431", "json", answer(431), ["refusedRequest", "refused", /status 431/]],
  ["451", "json", answer(451), ["refusedRequest", "refused", /status 451/]],

  // Nobody knows: the request may have been carried out.
  ["408", "json", answer(408), ["serverError", "unknown", /failed \(status 408\)/]],
  ["425", "json", answer(425), ["serverError", "unknown", /status 425/]],
  ["499", "json", answer(499), ["serverError", "unknown", /status 499/]],
  [
    "500 page",
    "json",
    answer(500, "<html><title>We're sorry</title></html>", html),
    ["serverError", "unknown", /"We're sorry".*logs at this time/],
  ],
  ["500 JSON", "json", answer(500, '{"error":{"message":"boom"}}', json), ["serverError", "unknown", /"boom"/]],
  ["501", "json", answer(501), ["serverError", "unknown", /status 501/]],
  [
    "502",
    "xml",
    answer(502, "<html><head><title>502 Bad Gateway</title></head></html>", html),
    ["serverError", "unknown", /"502 Bad Gateway"/],
  ],
  ["503", "json", answer(503, "", { "retry-after": "120" }), ["serverError", "unknown", /status 503/]],
  ["504", "json", answer(504), ["serverError", "unknown", /status 504/]],
  ["520", "json", answer(520), ["serverError", "unknown", /status 520/]],
  ["600", "json", answer(600), ["serverError", "unknown", /status 600/]],
  ["199", "json", answer(199), ["serverError", "unknown", /status 199/]],

  // The panel's words are cleaned, cut and without secrets.
  [
    "request id",
    "json",
    answer(403, "", { "x-request-id": "abc-123" }),
    ["forbidden", "refused", /Request id: abc-123\.$/],
  ],
  [
    "control characters",
    "json",
    answer(403, JSON.stringify({ error: "a\u001b[31mb\u0007\r\nc" }), json),
    ["forbidden", "refused", /"a \[31mb c"/],
  ],
  [
    "a long message",
    "json",
    answer(403, JSON.stringify({ error: "x".repeat(5_000) }), json),
    ["forbidden", "refused", /"x{300}…"/],
  ],
  [
    "many messages",
    "json",
    answer(422, JSON.stringify({ errors: [1, 2, 3, 4, 5, 6, 7] }), json),
    ["invalid", "refused", /"1"; "2"; "3"; "4"; "5"\. /],
  ],
  [
    "a huge page",
    "json",
    answer(500, `<html><title>t</title>${" ".repeat(300_000)}`, html),
    ["serverError", "unknown", /failed \(status 500\)\. Check/],
  ],
  [
    "an echo of the password",
    "json",
    answer(400, JSON.stringify({ error: `bad ${password}` }), json),
    ["refusedRequest", "refused", /"bad \[secret\]"/],
  ],
  [
    "an echo of the header",
    "xml",
    answer(400, `<errors><error>Basic ${basic}</error></errors>`, xml),
    ["refusedRequest", "refused", /"Basic \[secret\]"/],
  ],
  [
    "an echo in the request id",
    "json",
    answer(400, "", { "x-request-id": basic }),
    ["refusedRequest", "refused", /Request id: \[secret\]/],
  ],
  [
    "an echo in a redirect",
    "json",
    answer(302, "", { location: `https://x.example/${encodeURIComponent(password)}` }),
    ["redirect", "refused", /x\.example\/\[secret\]/],
  ],
];

describe("Answers", () => {
  it("are many", () => {
    assert.ok(table.length >= 60, String(table.length));
  });

  for (const [name, format, response, [list, post, message]] of table) {
    it(`${name} (${format}): a list is ${list}, a restore is ${post}`, async () => {
      const panel = inProcess(() => response, { format });
      const listed = panel.client.listTransactions();
      if (list === "page") {
        assert.deepEqual((await listed).items, []);
      } else {
        const error = await panel.clock.run(panelErrorOf(listed));
        assert.equal(error.kind, list);
        assert.match(error.message, message);
        assert.ok(error.message.startsWith(`GET /transactions.${format} on https://panel.example: `), error.message);
        assert.ok(error.message.includes(error.advice));
        assert.deepEqual([error.method, error.path, error.status], ["GET", `/transactions.${format}`, response.status]);
        assert.equal(error.name, error.constructor.name);
      }

      const posted = await panel.client.restoreMachine(machine, point);
      assert.equal(posted.kind, post);
      if (posted.kind === "accepted") assert.equal(posted.status, response.status);
      else assert.match(posted.error.message, message);
      assert.equal(panel.lines.filter((line) => line.startsWith("POST")).length, 1);
      assert.equal(panel.clock.pending, 0);
    });
  }
});
