import { connect, type Socket } from "node:net";

/** Long enough for a busy machine, short enough to be asked right before every POST. */
const timeoutMs = 2_000;

/** Opens a connection; `node:net` in production. */
export type Connect = (port: number, host: string) => Pick<Socket, "once" | "destroy" | "setTimeout">;

/**
 * Whether the engine that started this process is gone. This process outlives a killed engine and would go on posting
 * restores for a run nobody watches; its parent's id does not change with the kill, but from then on connections to
 * the engine's address are refused. Only such a refusal counts: a slow answer, a strange address or any other trouble
 * must not stop a run that somebody is watching.
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

/** The engine gives `127.0.0.1:<port>`; whatever cannot be connected to on this machine says nothing. */
function parseAddress(address: string | undefined): { host: string; port: number } | undefined {
  const [, host, digits] = /^(127(?:\.\d{1,3}){3}|localhost|\[::1\]):(\d{1,5})$/.exec(address ?? "") ?? [];
  const port = Number(digits);
  if (host === undefined || !(port >= 1 && port <= 65_535)) return undefined;
  return { host: host === "[::1]" ? "::1" : host, port };
}

const intervalMs = 5_000;

export interface WatchdogOptions {
  readonly isGone: () => Promise<boolean>;
  readonly exit: () => void;
}

/**
 * A provider process outlives a killed engine, with restores queued in it that nobody waits for any more. From the first call
 * on, the engine is asked for now and then; when it is gone twice in a row, the process ends. What was posted goes on on
 * the panel and is found again by the next run.
 */
export function createWatchdog({ isGone, exit }: WatchdogOptions): () => void {
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
    // A process that has nothing else to do may end: this timer alone does not keep it alive.
    timer.unref();
  };
}

/**
 * When the engine is killed, nobody reads this process's output any more. A write then is an `error` on the stream, which the
 * SDK reports by writing to that same stream, and so on without end: the process would burn a core and never come to the
 * check that ends it. What cannot be said to anybody is dropped.
 */
function ignoreBrokenPipes(streams: readonly NodeJS.WritableStream[] = [process.stdout, process.stderr]): void {
  for (const stream of streams) stream.on("error", () => undefined);
}
