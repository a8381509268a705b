import { settingsWarnings } from "../../provider/inputs/settings";
import type { PanelError } from "../../provider/panel/errors";
import { namesZone, zonedTime } from "../../provider/plain/clock";
import { count } from "../parts/words";
import { type CheckFinding, formatSpan } from "./result";
import type { Survey } from "./survey";

const dayMs = 86_400_000;
const renewalDays = 30;
/** Synchronised clocks are closer than this. */
const clockToleranceMs = 2 * 60_000;

export function connectionFindings(survey: Survey): readonly CheckFinding[] {
  const { list } = survey;
  const listError = list.error !== undefined && list.rows.length === 0 ? list.error : undefined;
  const ofCertificate = certificateFindings(survey);
  // The certificate says more than the error that it causes.
  const saidByCertificate =
    listError?.kind === "certificate" && ofCertificate.some(({ verdict }) => verdict === "fault");
  const otherFindings =
    listError === undefined
      ? [answerFinding(survey), speedFinding(survey), clockFinding(survey), ...stampFindings(survey)]
      : saidByCertificate
        ? []
        : [connectionErrorFinding(listError)];
  return [addressFinding(survey), ...ofCertificate, ...otherFindings];
}

function addressFinding({ settings, address: at }: Survey): CheckFinding {
  const risks = settingsWarnings(settings);
  const where = `${at} as ${settings.username}`;
  if (risks.length === 0) return { code: "connection.address", verdict: "fine", says: `${where}.` };
  return { code: "connection.address", verdict: "question", says: `${where}.`, why: risks.join(" ") };
}

function certificateFindings({ certificate: shown, settings, wallMs }: Survey): readonly CheckFinding[] {
  if (shown === undefined) return [];
  const code = "connection.certificate";
  const days = shown.validTo === undefined ? undefined : Math.floor((shown.validTo.getTime() - wallMs) / dayMs);
  const until = shown.validTo === undefined ? "" : `, valid until ${shown.validTo.toISOString().slice(0, 10)}`;
  const says = `Certificate of ${shown.issuedTo}, signed by ${shown.issuedBy}${until}.`;
  if (shown.problem !== undefined) {
    const why = `This machine does not trust it (${shown.problem})${settings.insecure ? "; recovery:insecure accepts it anyway" : ""}.`;
    return [
      {
        code,
        verdict: settings.insecure ? "question" : "fault",
        says,
        why,
        ...certificateAdvice(shown.problem, days, settings.caFile),
      },
    ];
  }
  if (days !== undefined && days < renewalDays) {
    const why = `It expires in ${count(days, "day")}. After that no restore can be sent.`;
    return [{ code, verdict: "question", says, why, then: "Renew it on the panel." }];
  }
  return [{ code, verdict: "fine", says }];
}

/** A way out for an untrusted certificate. If only its name is wrong, no authority's file helps. */
function certificateAdvice(
  problem: string,
  days: number | undefined,
  caFile: string | undefined,
): Pick<CheckFinding, "then" | "set"> {
  if (days !== undefined && days < 0) return { then: "Renew it on the panel." };
  if (problem === "ERR_TLS_CERT_ALTNAME_INVALID")
    return { then: "Use an address with a name that the certificate is issued to." };
  if (caFile !== undefined)
    return { then: `${caFile} does not hold the authority that signed it: set the file that does.` };
  return {
    then: "Set the file of the authority that signed it:",
    set: ["pulumi config set recovery:caFile ./panel-ca.pem"],
  };
}

/** The provider's own error says what was refused and what to do. */
function connectionErrorFinding(error: PanelError): CheckFinding {
  return {
    code: `connection.${error.kind}`,
    verdict: "fault",
    says: error.message.replace(/\s+/g, " "),
    ...formatAdvice(error),
  };
}

function formatAdvice(error: PanelError): Pick<CheckFinding, "set"> {
  const other = /it is (XML|JSON), and/.exec(error.message)?.[1]?.toLowerCase();
  return other === undefined ? {} : { set: [`pulumi config set recovery:format ${other}`] };
}

function answerFinding({ settings, list }: Survey): CheckFinding {
  const says = `User name and password are accepted; the panel answers in ${settings.format.toUpperCase()}, as asked.`;
  if (list.skipped === 0) return { code: "connection.answer", verdict: "fine", says };
  return {
    code: "connection.answer",
    verdict: "question",
    says,
    why: `${count(list.skipped, "row")} had no id and could not be read: a restore among such rows would not be found.`,
    then: "Look in the panel's list for what these rows have in common.",
  };
}

function speedFinding({ exchanges, settings }: Survey): CheckFinding {
  const times = exchanges.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  const [middle = 0, slowest = 0] = [times[Math.floor(times.length / 2)], times.at(-1)];
  const failed = exchanges.filter(({ status = 0 }) => status === 0 || status >= 500 || status === 429).length;
  const says = `An answer takes ${seconds(middle)}, the slowest ${seconds(slowest)}; the limit is ${seconds(settings.requestTimeoutMs)} (recovery:requestTimeout).`;
  if (slowest > settings.requestTimeoutMs / 2) {
    const wanted = formatSpan(Math.max(60, Math.ceil((slowest * 4) / 60_000) * 60));
    return {
      code: "connection.time",
      verdict: "question",
      says,
      why: "That is close to the limit. On a bad day a request would be given up while the panel still works on it.",
      set: [`pulumi config set recovery:requestTimeout ${wanted}`],
    };
  }
  if (failed > 0) {
    const why = `${String(failed)} of ${count(exchanges.length, "request")} failed and had to be repeated. A wait survives that. A POST is never repeated: when one fails, it may not be known whether the panel took it.`;
    return {
      code: "connection.time",
      verdict: "question",
      says,
      why,
      then: "Check the network between this machine and the panel.",
    };
  }
  return { code: "connection.time", verdict: "fine", says };
}

function seconds(ms: number): string {
  if (ms < 1_000) return `${String(Math.round(ms))} ms`;
  return ms < 10_000 ? `${(ms / 1_000).toFixed(1)}s` : formatSpan(ms / 1_000);
}

function clockFinding({ list }: Survey): CheckFinding {
  const code = "connection.clock";
  if (list.panelMs === undefined) {
    return {
      code,
      verdict: "question",
      says: "Its answers do not give the panel's time (no Date header).",
      why: "This machine's clock is used instead. If the two differ, a restore found later may look older or newer than it is.",
      then: "Have the proxy in front of the panel pass the Date header on, or set both clocks by the same time server.",
    };
  }
  const ahead = list.panelMs - list.wallMs;
  if (Math.abs(ahead) < clockToleranceMs) return { code, verdict: "fine", says: "Its clock and this machine's agree." };
  return {
    code,
    verdict: "question",
    says: `Its clock is ${formatSpan(ahead / 1_000)} ${ahead > 0 ? "ahead of" : "behind"} this machine's.`,
    why: "Restores still work: durations come from the panel's time stamps, limits from this machine's clock. The data age in a report is off by as much.",
    then: "Set both clocks by a time server.",
  };
}

function stampFindings({ list }: Survey): readonly CheckFinding[] {
  const code = "connection.stamps";
  const made = list.rows.flatMap(({ createdAt }) => (createdAt === undefined ? [] : [createdAt]));
  if (list.rows.length === 0) return [];
  if (made.length === 0) {
    const why =
      "So it is not known how long a restore was queued and ran, and old rows are told from new ones by their ids alone.";
    return [{ code, verdict: "question", says: "Rows do not say when they were made.", why }];
  }
  const without = made.filter((stamp) => !namesZone(stamp)).length;
  if (without > 0) {
    return [
      {
        code,
        verdict: "question",
        says: `${without === made.length ? "Its" : `${String(without)} of its`} time stamps name no zone.`,
        why: "Durations are still right. But a row that is listed late may have been made before a restore was sent, and nothing shows it.",
        then: "Have the panel write its time stamps with an offset, if it can.",
      },
    ];
  }
  const youngest = Math.max(...made.map((stamp) => zonedTime(stamp) ?? Number.NEGATIVE_INFINITY));
  const aheadMs = youngest - (list.panelMs ?? list.wallMs);
  if (aheadMs > clockToleranceMs) {
    return [
      {
        code,
        verdict: "question",
        says: `Its time stamps name their zone but lie in the future: they run ${formatSpan(aheadMs / 1_000)} ahead of its clock.`,
        why: "A restore's age is the difference of the two, so one that ended hours ago may look new.",
        then: "Look at the clock and the time zone of the panel's server.",
      },
    ];
  }
  return [
    {
      code,
      verdict: "fine",
      says: `Its time stamps name their zone (${zoneNameOf(made[0] ?? "")}) and fit its clock.`,
    },
  ];
}

function zoneNameOf(stamp: string): string {
  return /(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})\s*$/i.exec(stamp)?.[0].trim() ?? "none";
}
