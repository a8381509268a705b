import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import { listening } from "../support/listening";
import { processOn } from "./support/fresh-process";

/** A panel whose newest row holds what the engine can neither carry nor print. */
const rows = [
  { transaction: { id: 5010, created_at: "2026-11-21T10:00:00Z\ud800", status: "complete" } },
  { transaction: { id: "a<{%b", created_at: "<{%no colour%}>", status: "complete" } },
];

describe("an intent made on a panel that sends what would end the engine", () => {
  let server: Server;
  let url: string;
  before(async () => {
    server = createServer((_request, response) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(rows));
    });
    url = `http://127.0.0.1:${await listening(server)}`;
  });
  after((done) => {
    server.close(done);
    server.closeAllConnections();
  });

  it("is stored with that taken out, and with its place in the list", async () => {
    const { intent } = processOn({ url, username: "admin", password: "secret" });
    const { id, outs } = await intent.create({ virtualMachineId: "42", triggers: ["<{%x%}>"] });
    assert.match(id, /^[\w-]{8}-1$/);
    const stored = JSON.stringify(outs);
    assert.doesNotMatch(stored, /<\{%|\\ud800/);
    const mark = outs["mark"] as Record<string, unknown>;
    assert.equal((mark["ended"] as string[])[0], "5010");
    assert.deepEqual(outs["triggers"], ["<{ %x%}>"]);
  });
});
