import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import net from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import zlib from "node:zlib";
import axios from "axios";
import type { PanelErrorKind } from "../../provider/panel/errors";
import type { PanelClientOptions } from "../../provider/panel/client";
import type { PanelClient, PostAnswer } from "../../provider/panel/types";
import { inDirectory } from "../sandbox/support/temporary-directory";
import { freePort, listening } from "../support/listening";
import { type Behaviour, head, respond, serveRaw, type Served } from "../small-panels/serve";
import { certificate, privateKey } from "./support/certificate";
import { clientOf, machine, panelErrorOf, password, point } from "./support/clients";

const json = "application/json";
const oneRow = '[{"transaction":{"id":7,"status":"complete"}}]';

type ClientOptions = Partial<PanelClientOptions>;

async function withClient(
  options: ClientOptions & { readonly endpoint: string },
  run: (client: PanelClient) => Promise<void>,
): Promise<void> {
  const client = clientOf(options);
  try {
    await run(client);
  } finally {
    client.close();
  }
}

/** Starts a server and its client, and closes both after the test, even if the test fails. */
async function withServer(
  behaviour: Behaviour,
  run: (server: Served, client: PanelClient) => Promise<void>,
  { secure = false, ...options }: ClientOptions & { readonly secure?: boolean } = {},
): Promise<void> {
  const server = await serveRaw(behaviour, secure ? { cert: certificate, key: privateKey } : undefined);
  try {
    await withClient({ endpoint: server.url, ...options }, (client) => run(server, client));
  } finally {
    await server.stop();
  }
}

/** Handles each request with the next behavior, and uses the last behavior for all further requests. */
function inTurn(...behaviours: readonly Behaviour[]): Behaviour {
  let turn = 0;
  return (socket, request) => behaviours[Math.min(turn++, behaviours.length - 1)]?.(socket, request);
}

const reset: Behaviour = (socket) => void socket.resetAndDestroy();

const stall: Behaviour = () => undefined;

const cutAfterHead =
  (status: number): Behaviour =>
  (socket) => {
    socket.end(head(status, { "Content-Type": json, "Content-Length": "1000" }) + oneRow.slice(0, 9));
  };

const resetAfterHead =
  (status: number): Behaviour =>
  (socket) => {
    socket.write(head(status, { "Content-Length": "100" }), () => setTimeout(() => socket.resetAndDestroy(), 5));
  };

const drip =
  (status: number): Behaviour =>
  (socket) => {
    socket.write(head(status, { "Content-Length": "100000" }));
    const timer = setInterval(() => socket.write(" "), 5);
    socket.once("close", () => clearInterval(timer));
  };

describe("A panel client over a real connection", function () {
  this.timeout(60_000);

  const date = "Sat, 21 Nov 2026 10:00:00 GMT";
  const good = respond(200, oneRow, { "Content-Type": json, Date: date });

  const passing: [fault: string, behaviour: Behaviour][] = [
    ["a reset", reset],
    ["half a status line", (socket) => socket.end("HTTP/1.1 20")],
    ["half a body", cutAfterHead(200)],
    ["half a chunked body", (socket) => socket.end(`${head(200, { "Transfer-Encoding": "chunked" })}5\r\n[{"tr`)],
    ["a reset in the middle of the body", resetAfterHead(200)],
    ["a body wrongly labeled as gzip", respond(200, oneRow, { "Content-Encoding": "gzip" })],
    ["an HTML page", respond(200, "<html><title>Wait</title></html>", { "Content-Type": "text/html" })],
    ["a 503", respond(503, "")],
  ];
  for (const [fault, behaviour] of passing) {
    it(`reads a list even if the first two attempts get ${fault}`, async () => {
      await withServer(inTurn(behaviour, behaviour, good), async (server, client) => {
        const { items, panelTime } = await client.listTransactions();
        assert.deepEqual([items.length, items[0]?.id, server.requests.length], [1, "7", 3]);
        assert.equal(panelTime, Date.parse(date));
      });
    });
  }

  // These requests end only at the time limit. All others must end long before the limit, even on a busy machine.
  const endless = new Set(["silence", "a success status and an endless body"]);
  const posts: [answer: string, behaviour: Behaviour, kind: PostAnswer["kind"], error?: PanelErrorKind][] = [
    ["a reset", reset, "unknown", "connection"],
    ["silence", stall, "unknown", "timeout"],
    ["a success status and half a body", cutAfterHead(201), "accepted"],
    ["a success status and then a reset", resetAfterHead(201), "accepted"],
    ["a success status and an endless body", drip(201), "accepted"],
    ["a success status and a body that is not gzip", respond(201, "{}", { "Content-Encoding": "gzip" }), "accepted"],
    ["a 422 and half a body", cutAfterHead(422), "refused", "invalid"],
    ["a 502 and half a body", cutAfterHead(502), "unknown", "serverError"],
  ];
  for (const [answer, behaviour, kind, error] of posts) {
    it(`sends a restore only once, and reports it as ${kind}, if the response is ${answer}`, async () => {
      const requestTimeoutMs = endless.has(answer) ? 1_000 : 60_000;
      await withServer(
        behaviour,
        async (server, client) => {
          for (const post of [
            await client.restoreMachine(machine, point),
            await client.restoreFiles(machine, point, ["/a"]),
          ]) {
            assert.equal(post.kind, kind);
            if (post.kind !== "accepted") assert.equal((post.error as unknown as { kind: string }).kind, error);
          }
          assert.equal(server.requests.length, 2);
        },
        { requestTimeoutMs },
      );
    });
  }

  it("reports a restore as refused, and gives up on a list after all attempts, if no server is listening", async () => {
    const port = await freePort();
    await withClient({ endpoint: `http://127.0.0.1:${String(port)}` }, async (client) => {
      const post = await client.restoreMachine(machine, point);
      assert.equal(post.kind, "refused");
      assert.match(post.error.message, /^No connection to the panel \(ECONNREFUSED\)/);
      assert.equal((await panelErrorOf(client.listTransactions())).kind, "connection");
    });
  });

  it("reports a restore as refused, without sending a byte, if the certificate is not trusted", async () => {
    await withServer(
      respond(201, ""),
      async (server, client) => {
        const post = await client.restoreMachine(machine, point);
        assert.equal(post.kind, "refused");
        assert.match(post.error.message, /not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\).*recovery:caFile/);
        assert.equal((await panelErrorOf(client.listTransactions())).kind, "certificate");
        assert.equal(server.bytes, 0);
        assert.equal(server.connections <= 2, true, "a list is not tried again");
      },
      { secure: true },
    );
  });

  it("trusts a certificate fetched with the command in its own error message", async () => {
    await withServer(
      respond(200, "[]"),
      async (server, client) => {
        const { message } = await panelErrorOf(client.listTransactions());
        const [, line = ""] = /`(openssl [^`]+)`/.exec(message) ?? [];
        await inDirectory(async (folder) => {
          await promisify(execFile)("sh", ["-c", line], { cwd: folder });
          const ca = readFileSync(join(folder, "panel-ca.pem"), "utf8");
          await withClient({ endpoint: server.url, ca }, async (trusting) => {
            assert.deepEqual((await trusting.listTransactions()).items, []);
          });
        });
      },
      { secure: true },
    );
  });

  it("sends a restore if the panel's private CA is configured or certificate checks are disabled", async () => {
    for (const choice of [{ ca: certificate }, { insecure: true }])
      await withServer(
        respond(201, ""),
        async (server, client) => {
          assert.equal((await client.restoreMachine(machine, point)).kind, "accepted");
          assert.equal(server.requests.length, 1);
          assert.ok(server.bytes > 100);
        },
        { secure: true, ...choice },
      );
  });

  it("reads over one connection, with and without TLS", async () => {
    for (const secure of [true, false])
      await withServer(
        respond(200, oneRow, { "Content-Type": json }),
        async (server, client) => {
          for (let count = 0; count < 3; count++) await client.listTransactions();
          assert.deepEqual([server.requests.length, server.connections], [3, 1]);
        },
        { secure, insecure: secure },
      );
  });

  it("times out before sending anything if the TLS handshake never finishes", async () => {
    const silent = net.createServer();
    const port = await listening(silent);
    try {
      await withClient({ endpoint: `https://127.0.0.1:${String(port)}`, requestTimeoutMs: 150 }, async (client) => {
        const post = await client.restoreMachine(machine, point);
        assert.equal(post.kind, "refused");
        assert.match(post.error.message, /^No connection to the panel within 0\.15s/);
      });
    } finally {
      silent.close();
    }
  });

  it("stops reading a response, compressed or not, that exceeds the size limit, and does not repeat the request", async () => {
    const flood: Behaviour = (socket) => {
      socket.write(head(200, { "Transfer-Encoding": "chunked" }));
      const chunk = `10000\r\n${" ".repeat(0x10000)}\r\n`;
      const pour = (): void => {
        while (!socket.destroyed && socket.write(chunk));
      };
      socket.on("drain", pour);
      pour();
    };
    const bomb = zlib.gzipSync(Buffer.alloc(20 * 1024 * 1024));
    for (const behaviour of [flood, respond(200, bomb, { "Content-Encoding": "gzip" })]) {
      await withServer(behaviour, async (server) => {
        await withClient({ endpoint: server.url, maxResponseBytes: 1024 * 1024 }, async (client) => {
          const error = await panelErrorOf(client.listTransactions());
          assert.equal(error.kind, "tooLarge");
          assert.match(error.message, /larger than 1048576 bytes/);
          assert.equal(server.requests.length, 1);
        });
      });
    }
  });

  it("does not follow a redirect to another server, so the password is never sent there", async () => {
    await withServer(respond(200, oneRow), async (elsewhere) => {
      await withServer(
        (socket, request) => respond(302, "", { Location: `${elsewhere.url}${request.path}` })(socket, request),
        async (server, client) => {
          assert.equal((await panelErrorOf(client.listTransactions())).kind, "redirect");
          assert.equal((await client.restoreMachine(machine, point)).kind, "unknown");
          assert.deepEqual([server.requests.length, elsewhere.connections], [2, 0]);
        },
      );
    });
  });

  it("ignores the program's own axios configuration", async () => {
    const seen: unknown[] = [];
    const interceptor = axios.interceptors.request.use((config) => (seen.push(config), config));
    axios.defaults.headers.common["X-Program"] = "1";
    axios.defaults.auth = { username: "program", password: "program" };
    axios.defaults.timeout = 1;
    try {
      await withServer(respond(200, oneRow), async (server, client) => {
        await client.listTransactions();
        const headers = server.requests[0]?.headers ?? {};
        assert.equal(headers["x-program"], undefined);
        assert.equal(headers["authorization"], `Basic ${Buffer.from(`operator:${password}`).toString("base64")}`);
        assert.deepEqual(seen, []);
      });
    } finally {
      axios.interceptors.request.eject(interceptor);
      delete axios.defaults.headers.common["X-Program"];
      delete axios.defaults.auth;
      axios.defaults.timeout = 0;
    }
  });
});
