import { connect, type Socket } from "node:net";

/** Long enough for a busy machine, but short enough for a check before every POST. */
const timeoutMs = 2_000;

/** Opens a connection; `node:net` in production. */
export type Connect = (port: number, host: string) => Pick<Socket, "once" | "destroy" | "setTimeout">;

/**
 * Resolves to true if the engine that started this process is gone. The process outlives a killed engine and would continue to post restores for a run that
 * nobody watches. Killing the engine does not change the parent's process id, but connections to the engine's address are refused from then on. Only a
 * refused connection counts, because no other problem may stop a run that somebody is watching.
 */
export function engineIsGone(address: string | undefined, open: Connect = connect): Promise<boolean> {
  const endpoint = parseAddress(address);
  if (endpoint === undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    const socket = open(endpoint.port, endpoint.host);
    const answer = (gone: boolean): void => {
      socket.destroy();
      resolve(gone);
    };
    socket.setTimeout(timeoutMs, () => {
      answer(false);
    });
    socket.once("connect", () => {
      answer(false);
    });
    socket.once("error", (error: NodeJS.ErrnoException) => {
      answer(error.code === "ECONNREFUSED");
    });
  });
}

/** The engine passes `127.0.0.1:<port>`. An address in any other form is ignored. */
function parseAddress(address: string | undefined): { host: string; port: number } | undefined {
  const [, host, port] = /^(127\.0\.0\.1|localhost):([1-9]\d{0,4})$/.exec(address ?? "") ?? [];
  return host === undefined ? undefined : { host, port: Number(port) };
}

const intervalMs = 5_000;

/**
 * Returns a function whose first call starts checking every few seconds whether the engine is gone. If two checks in a row say so, the process exits, because
 * it may have queued restores that nobody waits for. Posted restores continue, and the next run finds them.
 */
export function createWatchdog(isGone: () => Promise<boolean>, exit: () => void): () => void {
  let started = false;
  return () => {
    if (started) return;
    started = true;
    ignoreBrokenPipes();
    let timesGone = 0;
    const timer = setInterval(() => {
      void isGone().then((gone) => {
        timesGone = gone ? timesGone + 1 : 0;
        if (timesGone >= 2) exit();
      });
    }, intervalMs);
    // This timer must not keep the process alive.
    timer.unref();
  };
}

/**
 * After the engine is killed, nobody reads this process's output. A write then emits `error` on the stream, and the SDK reports that error by writing to the
 * same stream, over and over. The process would keep a core busy and never reach the watchdog.
 */
function ignoreBrokenPipes(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}

/**
 * Notices the first Ctrl-C. The engine then calls `Cancel`, which the SDK's server for dynamic providers answers without telling this package. So this function
 * listens for the call on the process's own server. If that is not possible, the first Ctrl-C goes unnoticed; a second Ctrl-C always ends the process.
 *
 * Returns a function that says whether the engine has asked this process to stop.
 */
export function watchForCancel(): () => boolean {
  let isCancelled = false;
  let isListening = false;
  const listen = (): void => {
    for (const handle of isListening ? [] : activeHandles()) {
      if (!isHttp2Server(handle)) continue;
      isListening = true;
      handle.on("stream", (_stream: unknown, headers: Readonly<Record<string, unknown>>) => {
        if (String(headers[":path"]).endsWith("/Cancel")) isCancelled = true;
      });
    }
  };
  listen();
  return () => {
    // The server may not be listening yet when this module is loaded.
    listen();
    return isCancelled;
  };
}

function activeHandles(): readonly unknown[] {
  const { _getActiveHandles: all } = process as unknown as { readonly _getActiveHandles?: () => readonly unknown[] };
  return all?.call(process) ?? [];
}

function isHttp2Server(handle: unknown): handle is NodeJS.EventEmitter {
  return (
    (handle as { readonly constructor?: { readonly name?: string } } | undefined)?.constructor?.name === "Http2Server"
  );
}
