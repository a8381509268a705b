/** Whether the engine has asked this process to stop. */
export interface CancelWatch {
  isCancelled(): boolean;
}

/**
 * Notices the first Ctrl-C. The engine calls `Cancel` then, and the SDK's server of dynamic providers answers the call without passing it on. So this
 * listens for the calls alongside the SDK, on the process's own server. Where that is not possible, nothing changes: the second Ctrl-C always ends
 * the process.
 */
export function watchForCancel(handles: () => readonly unknown[] = activeHandles): CancelWatch {
  let isCancelled = false;
  let isListening = false;
  const listen = (): void => {
    for (const handle of isListening ? [] : handles()) {
      if (!isHttp2Server(handle)) continue;
      isListening = true;
      handle.on("stream", (_stream: unknown, headers: Readonly<Record<string, unknown>>) => {
        if (String(headers[":path"]).endsWith("/Cancel")) isCancelled = true;
      });
    }
  };
  listen();
  return {
    isCancelled: () => {
      // The server may begin to listen after this module was loaded.
      listen();
      return isCancelled;
    },
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
