import { createRequire } from "node:module";
import type * as Grpc from "@grpc/grpc-js";
import type * as EngineService from "@pulumi/pulumi/proto/engine_grpc_pb";
import type * as EngineMessages from "@pulumi/pulumi/proto/engine_pb";

/** One line for a resource's row. */
export interface EngineMessage {
  readonly urn: string;
  readonly text: string;
  readonly kind: "progress" | "warning";
}

/** An open line to the engine's log. Keeps the process alive until it is closed. */
export interface EngineLine {
  /** Rejects when the engine has not taken the message, at the latest after a few seconds. */
  send(message: EngineMessage): Promise<void>;
  close(): void;
}

const patienceMs = 5_000;

/**
 * Calls the engine's `Log`, as plugins do: the provider process of dynamic resources has the engine's address but no
 * function for it. The SDK's own copy of the protocol and of gRPC is used, found from the SDK's folder, because a
 * strict package manager shows this package neither. Nothing is loaded before the first message.
 */
export function openEngineLine(address: string): EngineLine {
  const sdk = createRequire(createRequire(__filename).resolve("@pulumi/pulumi/package.json"));
  const grpc = sdk("@grpc/grpc-js") as typeof Grpc;
  const { EngineClient } = sdk("./proto/engine_grpc_pb.js") as typeof EngineService;
  const { LogRequest, LogSeverity } = sdk("./proto/engine_pb.js") as typeof EngineMessages;
  // Behind a proxy set in the environment, gRPC would look for the engine there.
  const client = new EngineClient(address, grpc.credentials.createInsecure(), { "grpc.enable_http_proxy": 0 });
  return {
    send: ({ urn, text, kind }) =>
      new Promise((resolve, reject) => {
        const request = new LogRequest();
        request.setUrn(urn);
        request.setMessage(text);
        request.setSeverity(kind === "warning" ? LogSeverity.WARNING : LogSeverity.INFO);
        request.setEphemeral(kind === "progress");
        client.log(request, new grpc.Metadata(), { deadline: Date.now() + patienceMs }, (error) => {
          if (error) reject(error);
          else resolve();
        });
      }),
    close: () => {
      client.close();
    },
  };
}
