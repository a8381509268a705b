import type { NewestPage } from "../feed/types";
import { machineLogReader } from "./machine-log";
import type { PollEvent, Poller, PollTools } from "./poller";

interface DirectReads<State> {
  /** Starts the reads that this state needs, unless they are under way. */
  start(state: State): void;
  stop(): void;
}

/** The reads of one poll for itself, beside the list that all polls share. Answers come as events. */
export function directReads<State>(
  tools: PollTools,
  poller: Pick<Poller<State>, "needsMachineLog" | "needsNewestPage">,
  machine: string,
  onAnswer: (event: PollEvent) => void,
): DirectReads<State> {
  const log = machineLogReader(tools, machine);
  const newestPages = newestPageReader(tools);
  return {
    start(state) {
      const rows = poller.needsMachineLog(state);
      if (rows.length > 0) log.read(rows, onAnswer);
      if (poller.needsNewestPage?.(state) !== true) return;
      newestPages.read((newestPage) => {
        onAnswer({ type: "newest-page", newestPage });
      });
    },
    stop() {
      log.stop();
      newestPages.stop();
    },
  };
}

interface NewestPageReader {
  /** Reads the newest page, beginning now or later. Does nothing while a read is under way. */
  read(onRead: (newestPage: NewestPage) => void): void;
  stop(): void;
}

/** Reads the newest page for a poll that must not go by an older one. A failure means nothing here: the poll's own reads report it. */
function newestPageReader(tools: Pick<PollTools, "feed" | "requestTimeoutMs">): NewestPageReader {
  const stopped = new AbortController();
  let busy = false;
  return {
    read(onRead) {
      if (busy || stopped.signal.aborted) return;
      busy = true;
      tools.feed.newestPage({ signal: stopped.signal, budgetMs: tools.requestTimeoutMs }).then(
        (newestPage) => {
          busy = false;
          onRead(newestPage);
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
