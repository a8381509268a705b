import type { Head } from "../../feed/watching";
import type { Clock } from "../../time/clock";

/**
 * How long after it was read a page may still decide about a POST. In between lies at most the question whether the
 * run is still watched, which takes no longer than two seconds.
 */
const momentMs = 3_000;

/** Whether the page was read a moment ago. */
export function isFresh(head: Head, now: number): boolean {
  return now - head.answeredAt <= momentMs;
}

/**
 * The same right before the POST. The clock that waits go by stands still while the runner is suspended, and only the wall clock
 * shows that hours have passed; where that one was set meanwhile, the page is read once more than needed.
 */
export function isFreshForPost(head: Head, clock: Clock): boolean {
  const now = clock.now();
  const heldUpMs = clock.wallTime().getTime() - head.wallTime.getTime() - (now - head.readAt);
  return isFresh(head, now) && Math.abs(heldUpMs) <= momentMs;
}
