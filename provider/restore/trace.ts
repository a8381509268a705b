import { appendFileSync } from "node:fs";
import { idsOf, type Judged } from "./recognise";
import type { Run } from "./session";
import type { Action, Decision, Sight } from "./state";

/** One read and the decision after it, as a line of JSON for `RECOVERY_TRACE`. */
export function traceLine({ request, session }: Run, sight: Sight, { state, action }: Decision): string {
  const line = {
    at: session.clock.wallTime().toISOString(),
    restore: request.name,
    read: sight.read,
    jobs: sight.read === "good" ? sight.jobs.map(judgement) : [],
    state: state.is,
    action: actionText(action),
  };
  return session.redact(JSON.stringify(line));
}

function judgement(job: Judged): object {
  const { verdict, why, end, busy } = job;
  return { rows: idsOf(job), verdict, why, end, busy };
}

function actionText(action: Action): string {
  if (action.do === "not sent") return `not sent: ${action.reason}`;
  if (action.do === "adopt") return `adopt: ${action.why}`;
  return action.do === "end" && action.why !== undefined ? `end: ${action.why}` : action.do;
}

/** Writes the lines to a file. If a trace cannot be written, the restore continues. */
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
      warn(`RECOVERY_TRACE: ${file} cannot be written (${code}), so no trace is kept`);
    }
  };
}
