import { capitalized } from "../../provider/plain/text";
import { settingsWarnings } from "../../provider/inputs/settings";
import type { PanelError } from "../../provider/panel/errors";
import { formatDuration } from "../../provider/inputs/duration";
import { namesZone, zonedTime, zoneOf } from "../../provider/plain/clock";
import { count } from "../parts/words";
import type { CheckFinding } from "./result";
import { naming, type Survey, type SurveyedList } from "./survey";

/** Synchronized clocks differ by less than this. */
const clockToleranceMs = 2 * 60_000;

export function connectionFindings(survey: Survey): readonly CheckFinding[] {
  const { list, error } = survey;
  if (list === undefined) return [addressFinding(survey), ...(error === undefined ? [] : [errorFinding(error)])];
  return [
    addressFinding(survey),
    answerFinding(survey, list),
    speedFinding(survey),
    clockFinding(survey, list),
    ...stampFindings(survey, list),
  ];
}

function addressFinding({ settings, address }: Survey): CheckFinding {
  const risks = settingsWarnings(settings);
  const finding = { code: "connection.address", says: `${address} as ${settings.username}.` } as const;
  return risks.length === 0
    ? { ...finding, verdict: "fine" }
    : { ...finding, verdict: "question", why: risks.join(" ") };
}

/** The provider's own error. A command at the end of its advice goes on a separate line, which is never wrapped. */
function errorFinding({ kind, parts: { what, lines = [], next = "" } }: PanelError): CheckFinding {
  const [then = "", command, ...rest] = next.split("`");
  const isToPaste = (kind === "unusable" || kind === "unreadable") && command !== undefined && rest.join("") === "";
  return {
    code: kind === "unusable" ? "list.fields" : `connection.${kind}`,
    verdict: "fault",
    says: `${capitalized([what, ...lines].join("; "))}.`,
    ...(isToPaste ? { then: then.trim(), set: [command] } : { then: `${next}.` }),
  };
}

function answerFinding({ settings }: Survey, { top }: SurveyedList): CheckFinding {
  const says = `The user name and password are accepted; the panel responds in ${settings.format.toUpperCase()}, as requested.`;
  if (top.skipped === 0) return { code: "connection.answer", verdict: "fine", says };
  const why = `${count(top.skipped, "row")} had no id and could not be read, so a restore among them would not be found.`;
  const then = "Look at the panel's list to see what these rows have in common.";
  return { code: "connection.answer", verdict: "question", says, why, then };
}

function speedFinding({ exchanges, settings }: Survey): CheckFinding {
  const code = "connection.time";
  const slowest = Math.max(...exchanges.map(({ tookMs }) => tookMs));
  const failed = exchanges.filter(({ status }) => status === undefined || status >= 500 || status === 429).length;
  const says = `The slowest response took ${elapsed(slowest)}; the limit is ${elapsed(settings.requestTimeoutMs)} (recovery:requestTimeout).`;
  if (slowest > settings.requestTimeoutMs / 2) {
    const why = "On a bad day, a request could time out while the panel is still working on it.";
    const set = [`pulumi config set recovery:requestTimeout "${elapsed(slowest * 4)}"`];
    return { code, verdict: "question", says, why, set };
  }
  if (failed === 0) return { code, verdict: "fine", says };
  const why = `${String(failed)} of ${count(exchanges.length, "request")} failed and were retried. A run that waits for a restore keeps waiting, but a POST is never retried.`;
  return { code, verdict: "question", says, why, then: "Check the network between this machine and the panel." };
}

const elapsed = (ms: number): string => formatDuration(Math.ceil(ms / 1_000));

function clockFinding({ wallMs }: Survey, { top: { panelTime } }: SurveyedList): CheckFinding {
  const code = "connection.clock";
  if (panelTime === undefined) {
    const says = "The panel's responses do not include the time (no Date header).";
    const why = "This machine's clock is used, so if the clocks differ, restores seem older or newer than they are.";
    const then = "Have the proxy in front of the panel pass the Date header on, or sync both clocks with NTP.";
    return { code, verdict: "question", says, why, then };
  }
  const ahead = panelTime - wallMs;
  if (Math.abs(ahead) < clockToleranceMs) return { code, verdict: "fine", says: "The panel and local clocks agree." };
  const says = `The panel's clock is ${elapsed(Math.abs(ahead))} ${ahead > 0 ? "ahead of" : "behind"} this machine's.`;
  const why =
    "Restores still work: durations are measured with the panel's timestamps, and limits with this machine's clock. Data ages are off by that difference.";
  return { code, verdict: "question", says, why, then: "Sync both clocks with a time server." };
}

function stampFindings({ settings, wallMs }: Survey, list: SurveyedList): readonly CheckFinding[] {
  const { rows, top } = list;
  const code = "connection.stamps";
  if (rows.length === 0) return [];
  const made = rows.map(({ createdAt }) => createdAt).filter((at) => at !== undefined);
  if (made.length === 0) {
    const says = "Rows do not show when they were created.";
    const why =
      "A restore's times are not measured. After an interrupted run, the next `up` asks you to identify the restore, unless rows name their recovery point.";
    return [{ code, verdict: "question", says, why, ...naming(list, "time", "requested", settings) }];
  }
  const without = made.filter((stamp) => !namesZone(stamp)).length;
  if (without > 0) {
    const says = `${String(without)} of the panel's ${count(made.length, "timestamp")} have no time zone.`;
    const why =
      "Durations are still correct. After an interrupted run, the next `up` asks you to identify the restore, unless rows name their recovery point.";
    return [{ code, verdict: "question", says, why }];
  }
  const aheadMs = Math.max(...made.map((stamp) => zonedTime(stamp) ?? -Infinity)) - (top.panelTime ?? wallMs);
  if (aheadMs <= clockToleranceMs) {
    const says = `The panel's timestamps include their time zone (${zoneOf(made[0] ?? "") ?? "none"}) and match its clock.`;
    return [{ code, verdict: "fine", says }];
  }
  const says = `The panel's timestamps are in the future: ${elapsed(aheadMs)} ahead of its clock.`;
  const why = "A restore's age is the difference between the two, so a restore that ended hours ago may seem new.";
  return [{ code, verdict: "question", says, why, then: "Check the clock and time zone of the panel's server." }];
}
