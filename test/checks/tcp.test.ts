import assert from "node:assert/strict";
import { createServer } from "node:net";
import { tcpAttempt } from "../../provider/checks/tcp";
import { listening } from "../support/listening";

describe("the attempts of a tcp check", () => {
  it("pass when a connection is accepted, and not when it is refused", async () => {
    const server = createServer((socket) => socket.end());
    const port = await listening(server);
    try {
      assert.deepEqual(await tcpAttempt({ kind: "tcp", host: "127.0.0.1", port })(2_000), {});
    } finally {
      server.close();
    }
    assert.match(
      (await tcpAttempt({ kind: "tcp", host: "127.0.0.1", port: 1 })(2_000)).problem ?? "",
      /no connection: ECONNREFUSED/,
    );
  });
});
