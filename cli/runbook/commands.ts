import * as requests from "../../provider/panel/requests";
import type { Format, MachineId, RecoveryPointId } from "../../provider/panel/types";
import type { Check } from "../../report/model/model";
import { shellQuoted } from "../parts/command";
import type { RunbookStep } from "./model";

/** The lines of one step for a shell, each to be run on its own. */
export interface StepCommands {
  /** Asks for the machine, if the state does not tell it. */
  readonly askMachine?: string;
  readonly listPoints: string;
  /** Asks for the recovery point, if a rule chooses it or the state does not tell it. */
  readonly askPoint?: string;
  /** Absent if the state does not tell the paths. */
  readonly restore?: string;
  readonly listTransactions: string;
}

const rowsListed = 100;

export function stepCommands({ number, kind, machine, point, paths, dialect }: RunbookStep): StepCommands {
  const { format, apiVersion } = dialect;
  // One name for each step: the answer to another step's question is never taken.
  const asked = { machine: `machine_${String(number)}`, point: `point_${String(number)}` };
  const machineId = machine ?? (asked.machine as MachineId);
  const pointId = point.by === "id" ? point.id : (asked.point as RecoveryPointId);
  const unknown = [...(machine === undefined ? [asked.machine] : []), ...(point.by === "id" ? [] : [asked.point])];
  const call = (request: requests.PanelRequest): string => panelCall(request, format, unknown);
  const restore =
    kind === "VmRestore"
      ? requests.restoreMachine(machineId, pointId, format, apiVersion)
      : fileRequest(machineId, pointId, paths, format);
  return {
    ...(machine === undefined && { askMachine: askFor("Machine", asked.machine) }),
    ...(point.by !== "id" && { askPoint: askFor("Recovery point", asked.point) }),
    listPoints: call(requests.listRecoveryPoints(machineId, {}, format, apiVersion)),
    ...(restore && { restore: call(restore) }),
    listTransactions: call(requests.listTransactions({ perPage: rowsListed }, format)),
  };
}

function fileRequest(
  machine: MachineId,
  point: RecoveryPointId,
  paths: readonly string[] | undefined,
  format: Format,
): requests.PanelRequest | undefined {
  try {
    return paths && requests.restoreFiles(machine, point, paths, format);
  } catch (error) {
    if (error instanceof requests.UnsendableValue) return undefined;
    throw error;
  }
}

/**
 * The shell asks for the password, so it is in no file and in no history. Nothing may follow a question in the same block: the question would
 * take the next line of a paste for its answer.
 */
export function connectionCommands(panel: string | undefined): string {
  const login = `${askFor("User name", "RECOVERY_USERNAME")}; \\
  printf 'Password, not shown: '; IFS= read -rs RECOVERY_PASSWORD; echo`;
  return panel === undefined
    ? `${askFor("Address of the panel", "RECOVERY_ENDPOINT")}; \\\n  ${login}`
    : `RECOVERY_ENDPOINT=${shellQuoted(panel)}\n${login}`;
}

function askFor(what: string, variable: string): string {
  return `printf '${what}: '; IFS= read -r ${variable}`;
}

const login = `-u "$RECOVERY_USERNAME:$RECOVERY_PASSWORD"`;

function panelCall({ method, path, body }: requests.PanelRequest, format: Format, unknown: readonly string[]): string {
  const words = path.split("/").map((word) => (unknown.includes(word) ? `\${${word}:?}` : word));
  const rest = [
    `-H 'Accept: application/${format}' -H 'Content-type: application/${format}'`,
    ...(body === undefined ? [] : [`-d ${shellQuoted(format === "json" ? showableJson(body) : showableXml(body))}`]),
    `"$RECOVERY_ENDPOINT${words.join("/")}"`,
  ];
  // An error's text says why a restore was refused, so -f is for reading alone.
  const curl = method === "GET" ? `curl -q -fsS -g ${login}` : `curl -q -isS -g -X ${method} ${login}`;
  return [curl, ...rest].join(" \\\n  ");
}

const unseen = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

/** JSON in which no character is invisible or turns the reading direction: the eye sees what is sent. */
function showableJson(json: string): string {
  const escape = (text: string): string =>
    text
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join("");
  return json.replaceAll(unseen, escape);
}

function showableXml(xml: string): string {
  return xml.replaceAll(unseen, (text) => `&#${String(text.codePointAt(0))};`);
}

/** The line that asks what a check asks; undefined where the state does not tell enough. */
export function checkCommand({ kind, target }: Pick<Check, "kind" | "target">): string | undefined {
  if (kind === "tcp") {
    const [, six, name, port] = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9_][A-Za-z0-9._-]*)):(\d{1,5})$/.exec(target) ?? [];
    const host = six ?? name;
    return host === undefined || port === undefined ? undefined : `nc -vz -w 10 ${shellQuoted(host)} ${port}`;
  }
  // The state has a query and secrets left out, and a long address cut.
  const isWhole = /^https?:\/\/[\x21-\x7e]+$/i.test(target) && !/\?|\[secret\]/.test(target) && URL.canParse(target);
  return kind === "http" && isWhole ? `curl -isS -g -m 10 ${shellQuoted(new URL(target).href)}` : undefined;
}
