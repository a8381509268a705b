import { elapsed } from "../../time/elapsed";
import { stageUntil, type LookingBack } from "../waits/look-back";
import type { Telling } from "../waits/waiting";

/** What is said while a later run looks for what an earlier one may have posted. */
export const whileLookingBack: Telling<LookingBack> = {
  describe(state, now) {
    const { since, until } = state.seen;
    // What is announced grows only by the time that the machine's log is given; a last read under way is about to end.
    const end = state.phase === "awaiting the log" ? stageUntil(state) : until;
    return (
      `looking for a restore that an earlier run may have posted, ${elapsed(now - since)} of ` +
      `${elapsed(end - since)} (a shorter timeouts.listed shortens this)`
    );
  },
  topic: () => "looking back",
};
