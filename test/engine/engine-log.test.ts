import assert from "node:assert/strict";
import * as grpc from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogSeverity, type LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { type EngineConnection, type EngineMessage, createEngineLog } from "../../provider/engine/engine-log";

const urn = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/recovery:VmRestore::web";

/** A fake connection to the engine, and a record of everything sent over it. */
function lines(send: (message: EngineMessage) => Promise<void> = () => Promise.resolve()) {
  const events: string[] = [];
  const open = (address: string): EngineConnection => {
    events.push(`open ${address}`);
    return {
      send: async (message) => {
        await send(message);
        events.push(`${message.kind}: ${message.text}`);
      },
      close: () => events.push("close"),
    };
  };
  return { events, open };
}

describe("the engine's log", () => {
  it("sends everything in order over one connection, and closes the connection afterwards", async () => {
    let slow = true;
    const { events, open } = lines(async () => {
      for (let turn = 0; slow && turn < 20; turn += 1) await new Promise(setImmediate);
      slow = false;
    });
    const log = createEngineLog("127.0.0.1:1", open);
    log.progress(urn, "queued");
    log.warn(urn, "odd");
    await log.flushed();
    assert.deepEqual(events, ["open 127.0.0.1:1", "progress: queued", "warning: odd", "close"]);
    log.progress(urn, "running");
    await log.flushed();
    assert.deepEqual(events.slice(4), ["open 127.0.0.1:1", "progress: running", "close"]);
  });

  it("prints a message that the engine rejects, and those waiting behind it, with the resource's name, and then continues", async () => {
    const printed: string[] = [];
    const { events, open } = lines((message) =>
      message.text === "two" ? Promise.reject(new Error("no")) : Promise.resolve(),
    );
    const log = createEngineLog("127.0.0.1:1", open, (line) => printed.push(line));
    for (const text of ["one", "two", "three"]) log.warn(urn, text);
    await log.flushed();
    assert.deepEqual(printed, ["web: warning: two", "web: warning: three"]);
    log.warn(urn, "four");
    await log.flushed();
    assert.equal(events.join(), "open 127.0.0.1:1,warning: one,close,open 127.0.0.1:1,warning: four,close");
  });

  it("sends no control characters to the terminal", async () => {
    const { events, open } = lines();
    const log = createEngineLog("127.0.0.1:1", open);
    log.progress(urn, "\u001b[2Jgone <{%x%}>");
    await log.flushed();
    assert.equal(events[1], "progress: \u{fffd}[2Jgone <{ %x%}>");

    const printed: string[] = [];
    const alone = createEngineLog(undefined, open, (line) => printed.push(line));
    alone.warn(`${urn}<{%x%}>`, "gone");
    await alone.flushed();
    assert.deepEqual(printed, ["web<{ %x%}>: warning: gone"]);
  });

  it("sends messages to the engine's own service, with progress marked as ephemeral", async () => {
    const received: LogRequest.AsObject[] = [];
    const server = new grpc.Server();
    const log: grpc.handleUnaryCall<LogRequest, Empty> = (call, answer) => {
      received.push(call.request.toObject());
      answer(null, new Empty());
    };
    server.addService(EngineService, { log });
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
        error ? reject(error) : resolve(bound),
      );
    });
    const engineLog = createEngineLog(`127.0.0.1:${String(port)}`);
    engineLog.progress(urn, "queued");
    engineLog.warn(urn, "odd");
    await engineLog.flushed();
    server.forceShutdown();
    assert.deepEqual(received, [
      { urn, message: "queued", severity: LogSeverity.INFO, ephemeral: true, streamid: 0 },
      { urn, message: "odd", severity: LogSeverity.WARNING, ephemeral: false, streamid: 0 },
    ]);
  });
});
