import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import type { ControlledPanel } from "../panel/panel";
import { messageOf, SandboxError } from "../plain/input";
import { readBody } from "../wire/server";
import { answerQuery, type ControlAnswer, runAction } from "./answers";
import { controlPage } from "./page";

/**
 * Serves the panel's records and actions over HTTP, on a separate port of the loopback interface. There is no password, so requests that other web pages make
 * a browser send are recognized and rejected by their `Host` header or content type.
 */
export function controlServer(panel: ControlledPanel, panelUrl: string): Server {
  return createServer((request, response) => {
    if (request.method === "GET" && request.url === "/" && isLocal(request)) {
      write(200, "text/html", controlPage, response);
      return;
    }
    void answer(request, panel, panelUrl)
      .catch((error: unknown): ControlAnswer => {
        const status = error instanceof SandboxError || error instanceof SyntaxError ? 422 : 500;
        return { status, json: { error: messageOf(error) } };
      })
      .then(({ status, json }) => {
        write(status, "application/json", JSON.stringify(json), response);
      });
  });
}

async function answer(request: IncomingMessage, panel: ControlledPanel, panelUrl: string): Promise<ControlAnswer> {
  const refused = (status: number, error: string): ControlAnswer => ({ status, json: { error } });
  if (!isLocal(request)) return refused(403, "use 127.0.0.1 or localhost");
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://control");
  if (request.method === "GET") return answerQuery(pathname, searchParams, panel, panelUrl);
  if (request.method !== "POST") return refused(405, "only GET and POST are supported");
  const isJson = /^application\/json\b/.test(request.headers["content-type"] ?? "");
  if (!isJson) return refused(415, "send the content type application/json");
  const body: unknown = JSON.parse((await readBody(request)) || "{}");
  return runAction(pathname, body, panel);
}

function isLocal({ headers }: IncomingMessage): boolean {
  return /^(127\.0\.0\.1|localhost|\[::1\])(:[0-9]+)?$/.test(headers.host ?? "");
}

function write(status: number, type: string, body: string, response: ServerResponse): void {
  response.writeHead(status, {
    "content-type": `${type}; charset=utf-8`,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "content-security-policy":
      "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; img-src data:",
  });
  response.end(body);
}
