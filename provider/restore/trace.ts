import { idsOf, type Judged } from "./recognise";
import type { Run } from "./session";
import type { Decision, Sight } from "./state";

/** One read and what was decided after it, as a line of JSON for `RECOVERY_TRACE`. */
export function traceLine({ request, session }: Run, sight: Sight, { state, action }: Decision): string {
  const jobs = sight.read === "good" ? sight.jobs : [];
  const judged = ({ verdict, why, end, isBusy, ...job }: Judged) => ({
    rows: idsOf(job),
    verdict,
    ...(why.length > 0 && { why }),
    ...(end && { end }),
    ...(isBusy && { busy: true }),
  });
  return JSON.stringify({
    at: session.clock.wallTime().toISOString(),
    restore: request.name,
    read: sight.read,
    jobs: jobs.map(judged),
    state: state.is,
    action: "reason" in action ? `${action.do}: ${action.reason}` : action.do,
  });
}
