import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { tcpCheck } from "../../../drills/checks/tcp";
import { listening } from "../../support/listening";

it("an attempt at a tcp check passes when a connection is accepted, closes the connection, and fails when it is refused", async () => {
  const attempt = (port: number) => tcpCheck.attempt({ tcp: `127.0.0.1:${String(port)}` })(2_000);
  const server = createServer();
  const closed = once(server, "connection").then(([socket]: Socket[]) => once(socket!.resume(), "close"));
  try {
    assert.deepEqual(await attempt(await listening(server)), {});
    await closed;
  } finally {
    server.close();
  }
  assert.match((await attempt(1)).problem ?? "", /no connection: ECONNREFUSED/);
});
