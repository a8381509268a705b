import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import { messageOf, SandboxError } from "../plain/input";
import type { Panel } from "../panel/panel";
import { readBody } from "../wire/server";
import { type ControlAnswer, answerQuery } from "./queries";
import { runAction } from "./actions";

/**
 * Serves the panel's records and actions over HTTP, on a port of its own on the loopback interface. It has no password, so it turns
 * away a browser that another page sent here, by its `Host` header or its content type.
 */
export function controlServer(panel: Panel, panelUrl: () => string): Server {
  return createServer((request, response) => {
    void respond(request, panel, panelUrl())
      .then((answer) => {
        write(answer, response);
      })
      .catch((error: unknown) => {
        const status = error instanceof SandboxError || error instanceof SyntaxError ? 422 : 500;
        write({ status, json: { error: messageOf(error) } }, response);
      });
  });
}

async function respond(request: IncomingMessage, panel: Panel, panelUrl: string): Promise<ControlAnswer> {
  if (!/^(127\.0\.0\.1|localhost|\[::1\])(:[0-9]+)?$/.test(request.headers.host ?? "")) {
    return { status: 403, json: { error: "ask for 127.0.0.1 or localhost" } };
  }
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://control");
  if (request.method === "GET") return answerQuery(pathname, searchParams, panel, panelUrl);
  if (request.method !== "POST") return { status: 405, json: { error: "there are GET and POST" } };
  if (!/^application\/json\b/.test(request.headers["content-type"] ?? "")) {
    return { status: 415, json: { error: "send application/json" } };
  }
  const body: unknown = JSON.parse((await readBody(request)) || "{}");
  return runAction(pathname, body, panel);
}

function write(answer: ControlAnswer, response: ServerResponse): void {
  const html = "html" in answer;
  response.writeHead(answer.status, {
    "content-type": html ? "text/html; charset=utf-8" : "application/json; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "content-security-policy":
      "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; img-src data:",
  });
  response.end(html ? answer.html : JSON.stringify(answer.json));
}
