import type { Head } from "../../feed/watching";
import type { WaitTools } from "./waiting";

export interface HeadReader {
  /** Reads the newest page, in a read that begins now or later; does nothing while one is under way. */
  read(onRead: (head: Head) => void): void;
  stop(): void;
}

/**
 * The newest page for a wait that must not go by an older one. All that ask at about the same time share a read. One that
 * fails means nothing here: the looks of the wait tell of the trouble.
 */
export function headReader(tools: Pick<WaitTools, "feed" | "requestTimeoutMs">): HeadReader {
  const stopped = new AbortController();
  let busy = false;
  return {
    read(onRead) {
      if (busy || stopped.signal.aborted) return;
      busy = true;
      tools.feed.head({ signal: stopped.signal, budgetMs: tools.requestTimeoutMs, when: "soon" }).then(
        (head) => {
          busy = false;
          onRead(head);
        },
        () => {
          busy = false;
        },
      );
    },
    stop() {
      stopped.abort();
    },
  };
}
