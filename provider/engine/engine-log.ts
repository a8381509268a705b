import type * as Grpc from "@grpc/grpc-js";
import type * as EngineService from "@pulumi/pulumi/proto/engine_grpc_pb";
import type * as EngineMessages from "@pulumi/pulumi/proto/engine_pb";
import { createRequire } from "node:module";
import { nameInUrn } from "../inputs/resource-names";
import { forTerminal } from "../plain/text";
import type { Reporter } from "../restore/result";

/** Shows text on a resource's row in `pulumi up`, or on the stack's row if the URN is empty. Never throws, and never makes a restore wait. */
export interface EngineLog {
  /** Shows the current progress while the resource is being worked on. In a pipeline's log, each report is a line. */
  progress(urn: string, text: string): void;
  /** Shows text that, like a warning, stays visible after the run. */
  info(urn: string, text: string): void;
  warn(urn: string, text: string): void;
  /** Resolves once everything has been sent, because the engine may end this process right after the last resource. */
  flushed(): Promise<void>;
}

/**
 * Connects to the engine's log at `address`, the provider process's first argument. If the engine cannot be reached, the text goes to stdout, which `pulumi
 * up` also shows, but without naming the resource.
 */
export function createEngineLog(
  address: string | undefined,
  open: (address: string) => EngineConnection = openEngineConnection,
  // oxlint-disable-next-line no-console -- it ignores a closed pipe, which stdout becomes once the engine has ended
  print: (line: string) => void = console.log,
): EngineLog {
  let connection: EngineConnection | undefined;
  let pending = 0;
  let hasFailed = false;
  let last: Promise<void> = Promise.resolve();

  const printInstead = ({ urn, kind, text }: EngineMessage): void => {
    const where = urn === "" ? "" : `${nameInUrn(urn)}: `;
    print(forTerminal(`${where}${kind === "warning" ? "warning: " : ""}${text}`));
  };
  const send = async (message: EngineMessage): Promise<void> => {
    try {
      if (address === undefined) throw new Error("no engine");
      if (hasFailed) throw new Error("no answer a moment ago");
      connection ??= open(address);
      await connection.send(message);
    } catch {
      // Every later message could take just as long to fail, and would delay the restores' results.
      hasFailed = true;
      printInstead(message);
    }
  };
  const disconnect = (): void => {
    pending -= 1;
    if (pending > 0) return;
    const open = connection;
    connection = undefined;
    hasFailed = false;
    open?.close();
  };
  // Sends one message at a time, because the engine handles calls concurrently and would show them in any order.
  const enqueue =
    (kind: EngineMessage["kind"]) =>
    (urn: string, text: string): void => {
      const message = { urn, text: forTerminal(text), kind };
      pending += 1;
      // Never rejects, because a restore's outcome waits for its messages, and an error here would replace the outcome.
      last = last
        .then(() => send(message))
        .finally(disconnect)
        .catch(() => undefined);
    };

  return {
    progress: enqueue("progress"),
    info: enqueue("info"),
    warn: enqueue("warning"),
    flushed: () => last,
  };
}

/** One line for a resource's row. */
export interface EngineMessage {
  readonly urn: string;
  readonly text: string;
  readonly kind: "progress" | "info" | "warning";
}

/** An open connection to the engine's log. Keeps the process alive until it is closed. */
export interface EngineConnection {
  /** Rejects if the engine does not accept the message within a few seconds. */
  send(message: EngineMessage): Promise<void>;
  close(): void;
}

const timeoutMs = 5_000;

/**
 * Calls the engine's `Log`, as plugins do, because dynamic resources have the engine's address but no function for logging. The protocol and gRPC are the
 * SDK's own copies, resolved from its folder because a strict package manager hides them from this package. They are loaded when the first message is sent.
 */
function openEngineConnection(address: string): EngineConnection {
  const sdk = createRequire(createRequire(__filename).resolve("@pulumi/pulumi/package.json"));
  const grpc = sdk("@grpc/grpc-js") as typeof Grpc;
  const { EngineClient } = sdk("./proto/engine_grpc_pb.js") as typeof EngineService;
  const { LogRequest, LogSeverity } = sdk("./proto/engine_pb.js") as typeof EngineMessages;
  // If the environment sets a proxy, gRPC would look for the engine behind that proxy.
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

const firstPauseMs = 30_000;
const longestPauseMs = 5 * 60_000;

/**
 * Reports a restore's progress on its own row, if it has one. New text is shown at once, but repeated text less and less often, because every report is a
 * line in a pipeline's log.
 */
export function rowReporter(
  engineLog: EngineLog,
  urn: string | undefined,
  now: () => number = performance.now.bind(performance),
): Reporter {
  let last: string | undefined;
  let dueAt = 0;
  let pauseMs = firstPauseMs;
  return {
    progress: (text) => {
      if (urn === undefined || (text === last && now() < dueAt)) return;
      pauseMs = text === last ? Math.min(2 * pauseMs, longestPauseMs) : firstPauseMs;
      dueAt = now() + pauseMs;
      last = text;
      engineLog.progress(urn, text);
    },
    warn: (text) => {
      if (urn !== undefined) engineLog.warn(urn, text);
    },
  };
}
