import { appendFileSync } from "node:fs";
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
  const line = JSON.stringify({
    at: session.clock.wallTime().toISOString(),
    restore: request.name,
    read: sight.read,
    jobs: jobs.map(judged),
    state: state.is,
    action: "reason" in action ? `${action.do}: ${action.reason}` : action.do,
  });
  return session.redact(line);
}

/** Writes the lines to a file. A trace that cannot be written stops no restore. */
export function traceTo(file: string | undefined, warn: (text: string) => void): ((line: string) => void) | undefined {
  if (file === undefined || file === "") return undefined;
  let isBroken = false;
  return (line) => {
    if (isBroken) return;
    try {
      appendFileSync(file, `${line}\n`, { mode: 0o600 });
    } catch (error) {
      isBroken = true;
      const { code = "unknown error" } = error as NodeJS.ErrnoException;
      warn(`RECOVERY_TRACE: ${file} cannot be written (${code}), so there is no trace`);
    }
  };
}
