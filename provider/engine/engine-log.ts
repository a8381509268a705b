import { createRequire } from "node:module";
import type * as Grpc from "@grpc/grpc-js";
import type * as EngineService from "@pulumi/pulumi/proto/engine_grpc_pb";
import type * as EngineMessages from "@pulumi/pulumi/proto/engine_pb";
import { nameInUrn } from "../inputs/resource-names";
import { forTerminal } from "../plain/text";
import type { Reporter } from "../restore/result";

/** Says something on a resource's own row of `pulumi up`. Never throws and never makes a restore wait. */
export interface EngineLog {
  /** What goes on right now: shown while the resource is being worked on, and a line each in a pipeline's log. */
  progress(urn: string, text: string): void;
  /** What the user should still see when everything is over. */
  warn(urn: string, text: string): void;
  /** Resolves when all that was said is out: the engine may end this process right after the last resource. */
  flushed(): Promise<void>;
}

/**
 * A voice towards the engine at `address` (the provider process's first argument). Where the engine cannot be called,
 * the same text goes to stdout, which `pulumi up` shows as well, without knowing whose it is.
 */
export function createEngineLog(
  address: string | undefined,
  open: (address: string) => EngineConnection = openEngineConnection,
  // eslint-disable-next-line no-console -- a closed pipe, as after the engine's end, is no error to it
  print: (line: string) => void = console.log,
): EngineLog {
  let connection: EngineConnection | undefined;
  let pending = 0;
  let isUnresponsive = false;
  let last: Promise<void> = Promise.resolve();

  // Never throws: the outcome of a restore waits for all that was said, and an error from here would take its place.
  const printInstead = ({ urn, kind, text }: EngineMessage): void => {
    try {
      print(forTerminal(`${nameInUrn(urn)}: ${kind === "warning" ? "warning: " : ""}${text}`));
    } catch {
      // Nobody hears it.
    }
  };
  const disconnect = (): void => {
    try {
      connection?.close();
    } catch {
      // It is closed as far as anybody here can tell.
    }
    connection = undefined;
    isUnresponsive = false;
  };
  const send = async (message: EngineMessage): Promise<void> => {
    try {
      if (address === undefined) throw new Error("no engine");
      if (isUnresponsive) throw new Error("no answer a moment ago");
      connection ??= open(address);
      await connection.send(message);
    } catch (error) {
      isUnresponsive ||= hasTimedOut(error);
      printInstead(message);
    }
    pending -= 1;
    if (pending > 0) return;
    disconnect();
  };
  // One after the other: the engine serves calls at the same time and would show them in any order.
  const enqueue = (urn: string, text: string, kind: EngineMessage["kind"]): void => {
    const message = { urn, text: forTerminal(text), kind };
    pending += 1;
    last = last.then(() => send(message));
  };

  return {
    progress: (urn, text) => {
      enqueue(urn, text, "progress");
    },
    warn: (urn, text) => {
      enqueue(urn, text, "warning");
    },
    flushed: () => last,
  };
}

/**
 * Whether the engine has not answered in time. It would keep each of the messages behind waiting as long, and with them the results of
 * restores; so all that is waiting then is printed at once.
 */
function hasTimedOut(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === deadlineExceededCode;
}

const deadlineExceededCode = 4;

/** One line for a resource's row. */
export interface EngineMessage {
  readonly urn: string;
  readonly text: string;
  readonly kind: "progress" | "warning";
}

/** An open line to the engine's log. Keeps the process alive until it is closed. */
export interface EngineConnection {
  /** Rejects when the engine has not taken the message, at the latest after a few seconds. */
  send(message: EngineMessage): Promise<void>;
  close(): void;
}

const timeoutMs = 5_000;

/**
 * Calls the engine's `Log`, as plugins do: the provider process of dynamic resources has the engine's address but no
 * function for it. The SDK's own copy of the protocol and of gRPC is used, found from the SDK's folder, because a
 * strict package manager shows this package neither. Nothing is loaded before the first message.
 */
function openEngineConnection(address: string): EngineConnection {
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
        client.log(request, new grpc.Metadata(), { deadline: Date.now() + timeoutMs }, (error) => {
          if (error) reject(error);
          else resolve();
        });
      }),
    close: () => {
      client.close();
    },
  };
}

/** Where a restore says how it is getting on: its own row, if it has one. */
export function rowReporter(engineLog: EngineLog, urn: string | undefined): Reporter {
  return {
    progress(text) {
      if (urn !== undefined) engineLog.progress(urn, text);
    },
    warn(text) {
      if (urn !== undefined) engineLog.warn(urn, text);
    },
  };
}

/** What was said is out before the engine may end this process. */
export async function flushingLog<T>(engineLog: EngineLog, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await engineLog.flushed();
  }
}
