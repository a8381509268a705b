import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import { readBody } from "./http";
import { page } from "./page";
import type { Panel } from "./panel";
import { SandboxError } from "./sandbox-error";
import * as shapes from "./shapes";

/** How many of the newest transactions and requests the page is shown. */
const shown = 60;

/**
 * The witness and the levers over HTTP, on a port of their own and on the loopback interface only. There is no
 * password, so a browser that was sent here by some other page is turned away: by its `Host` or by its content type.
 */
export function controlServer(panel: Panel, panelUrl: () => string): Server {
  return createServer((request, response) => {
    void respond(request, panel, panelUrl())
      .then((answer) => {
        write(answer, response);
      })
      .catch((error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        const status = error instanceof SandboxError || error instanceof SyntaxError ? 422 : 500;
        write({ status, json: { error: message } }, response);
      });
  });
}

type ControlAnswer =
  { readonly status: number; readonly json: unknown } | { readonly status: 200; readonly html: string };

async function respond(request: IncomingMessage, panel: Panel, panelUrl: string): Promise<ControlAnswer> {
  if (!/^(127\.0\.0\.1|localhost|\[::1\])(:[0-9]+)?$/.test(request.headers.host ?? "")) {
    return { status: 403, json: { error: "ask for 127.0.0.1 or localhost" } };
  }
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://control");
  if (request.method === "GET") return read(pathname, searchParams, panel, panelUrl);
  if (request.method !== "POST") return { status: 405, json: { error: "there are GET and POST" } };
  if (!/^application\/json\b/.test(request.headers["content-type"] ?? "")) {
    return { status: 415, json: { error: "send application/json" } };
  }
  const body: unknown = JSON.parse((await readBody(request)) || "{}");
  return act(pathname, body, panel);
}

function read(path: string, query: URLSearchParams, panel: Panel, panelUrl: string): ControlAnswer {
  switch (path) {
    case "/":
      return { status: 200, html: page };
    case "/state":
      return { status: 200, json: overview(panel, panelUrl) };
    case "/requests":
      return { status: 200, json: panel.requests() };
    case "/restores":
      return { status: 200, json: panel.restores() };
    case "/transactions":
      return { status: 200, json: panel.transactions() };
    case "/machines":
      return { status: 200, json: panel.machines() };
    case "/accepted-posts":
      return { status: 200, json: { acceptedPosts: panel.acceptedPosts(query.get("machine") ?? undefined) } };
    default:
      return nowhere(path);
  }
}

function act(path: string, body: unknown, panel: Panel): ControlAnswer {
  const done = (result: object = {}): ControlAnswer => ({ status: 200, json: result });
  const ended = /^\/transactions\/([^/]+)\/end$/.exec(path)?.[1];
  if (ended !== undefined) {
    panel.endTransaction(ended, shapes.ending(body, "").outcome);
    return done();
  }
  switch (path) {
    case "/machines":
      panel.addMachine(shapes.machine(body, ""));
      return done();
    case "/transactions":
      return done({ id: panel.addTransaction(shapes.transaction(body, "")) });
    case "/restores": {
      const { machineId, recoveryPointId, ...options } = shapes.somebodysRestore(body, "");
      return done({ id: panel.postRestoreAsSomebodyElse(machineId, recoveryPointId, options) });
    }
    case "/next-restore": {
      const { machineId, ...next } = shapes.nextRestore(body, "");
      panel.failNext(machineId, next);
      return done();
    }
    case "/background":
      panel.setBackground(shapes.background(body, "").perSecond);
      return done();
    case "/faults":
      panel.setFaults(shapes.faults(body, "faults"));
      return done(panel.faults());
    case "/dialect":
      panel.setDialect(shapes.switches(body, "dialect"));
      return done(panel.dialect());
    default:
      return nowhere(path);
  }
}

function overview(panel: Panel, panelUrl: string): object {
  return {
    url: panelUrl,
    username: panel.username,
    now: panel.clock.now(),
    speed: panel.speed,
    faults: panel.faults(),
    acceptedPosts: panel.acceptedPosts(),
    machines: panel.machines(),
    transactions: panel.transactions().slice(-shown).reverse(),
    requests: panel.requests().slice(-shown).reverse(),
  };
}

function nowhere(path: string): ControlAnswer {
  return { status: 404, json: { error: `there is nothing at ${path}` } };
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
