import assert from "node:assert/strict";
import { createServer } from "node:net";
import { attemptOf } from "../../../drills/checks/kinds";
import { listening } from "../../support/listening";

const tcp = (port: number) => ({ kind: "tcp" as const, host: "127.0.0.1", port });

describe("an attempt of a tcp check", () => {
  it("passes when a connection is accepted, and fails when it is refused", async () => {
    const server = createServer((socket) => socket.end());
    const port = await listening(server);
    try {
      assert.deepEqual(await attemptOf(tcp(port))(2_000), {});
    } finally {
      server.close();
    }
    assert.match((await attemptOf(tcp(1))(2_000)).problem ?? "", /no connection: ECONNREFUSED/);
  });
});
