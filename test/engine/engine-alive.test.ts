import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { createServer } from "node:net";
import { listening } from "../support/listening";
import { engineIsGone, type Connect } from "../../provider/engine/engine-alive";

/** A fake connection that ends as requested, and records whether it was closed. */
function connection(end: (socket: EventEmitter, timeout: () => void) => void) {
  const opened: { port: number; host: string }[] = [];
  let closed = 0;
  const open = ((port: number, host: string) => {
    opened.push({ port, host });
    const socket = new EventEmitter();
    let timeout = (): void => undefined;
    setImmediate(() => end(socket, () => timeout()));
    return Object.assign(socket, {
      setTimeout: (_ms: number, run: () => void) => (timeout = run),
      destroy: () => (closed += 1),
    });
  }) as unknown as Connect;
  return { open, opened, closed: () => closed };
}

const failing = (code: string | undefined) =>
  connection((socket) => socket.emit("error", Object.assign(new Error("failed"), { code })));

describe("the engine at an address", () => {
  const ends: readonly (readonly [what: string, isGone: boolean, made: ReturnType<typeof connection>])[] = [
    ["when its address refuses connections", true, failing("ECONNREFUSED")],
    ["when it answers", false, connection((socket) => socket.emit("connect"))],
    ["when it is slow to answer", false, connection((_socket, timeout) => timeout())],
    ...["ECONNRESET", "EMFILE", "EADDRNOTAVAIL", "ETIMEDOUT", undefined].map(
      (code) => [`after any other error: ${String(code)}`, false, failing(code)] as const,
    ),
  ];
  for (const [what, isGone, { open, opened, closed }] of ends)
    it(`is ${isGone ? "" : "not "}considered gone ${what}`, async () => {
      assert.equal(await engineIsGone("127.0.0.1:4242", open), isGone);
      assert.deepEqual([opened, closed()], [[{ port: 4242, host: "127.0.0.1" }], 1]);
    });

  const invalid = ["", "127.0.0.1", "127.0.0.1:0", "127.0.0.1:x"];
  for (const address of [undefined, ...invalid, "panel.example:80", "[::2]:80"])
    it(`is not contacted, and not considered gone, if its address is invalid or on another machine: ${String(address)}`, async () => {
      const { open, opened } = failing("ECONNREFUSED");
      assert.equal(await engineIsGone(address, open), false);
      assert.deepEqual(opened, []);
    });

  it("is checked over a real socket", async () => {
    const server = createServer();
    const address = `127.0.0.1:${await listening(server)}`;
    assert.equal(await engineIsGone(address), false);
    server.close();
    await once(server, "close");
    assert.equal(await engineIsGone(address), true);
  });
});
