import { followRestore } from "./follow-restore";
import { lookingAbove, unseen } from "./follow/follow-state";
import { notPosted, type Done, type OneRun } from "./one-run";
import { post } from "./post";
import { markOf, noLowerThan } from "./rows/mark";
import { answerLost, refused } from "./telling/not-sent";
import { warningText } from "./telling/warning-text";
import { withPlace } from "./turn/leaving";
import { findClearWay, type Clear } from "./way";

/** A runner that is held up between a read and the POST reads again, but not for ever. */
const mostTries = 5;

/** Waits for a free machine and a place, posts, and follows what was posted. */
export function postWhenClear(run: OneRun): Promise<Done> {
  return withPlace(run.site.slots, async (place) => {
    for (let tries = 0; tries < mostTries; tries++) {
      const way = await findClearWay(run, place);
      if ("blocked" in way) return notPosted(run.plan, way.blocked);
      const done = await postAndFollow(run, way);
      if (done !== "stale") return done;
    }
    return notPosted(
      run.plan,
      `each of ${String(mostTries)} times, what the panel had shown was no longer new when it was to be sent: this runner is too busy, or was suspended.`,
    );
  });
}

/** `stale`: nothing was sent, because what decides about it has grown old meanwhile. */
async function postAndFollow({ site, plan, voice, totalUntil }: OneRun, way: Clear): Promise<Done | "stale"> {
  const mark = noLowerThan(plan.intent.mark, markOf(way.head, site.client.address));
  const answer = await post(site, plan, way.head);
  switch (answer.kind) {
    case "stale":
      return "stale";
    case "unwatched":
      return notPosted(plan, "the run that asked for it is gone, and nobody would watch it.");
    case "refused":
      return { result: { kind: "not-posted", reason: refused(plan, answer.error) } };
    case "unknown":
      voice.warn(answerLost(answer.error));
      break;
    case "accepted":
  }
  site.searches.posted({ machine: plan.target.virtualMachineId, mark });
  const { warnings } = way;
  for (const warning of warnings) voice.warn(warningText(warning));
  const search = lookingAbove(mark, "this run");
  const start = { ...unseen(search, site.clock.now(), totalUntil), posted: answer.kind, warnings };
  return followRestore(site, plan, start, {
    adopted: false,
    postedAfter: mark,
    until: plan.wait ? "ended" : answer.kind === "accepted" ? "accepted" : "listed",
    voice,
    owner: plan.intent.id,
  });
}
