import { escapeMarkup, showValue } from "../plain/text";
import {
  type Format,
  isSendablePath,
  isValidId,
  type MachineId,
  type PageRequest,
  type RecoveryPointId,
  type TransactionPageRequest,
} from "./types";

export interface ApiRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: string;
}

export class UnsendableValue extends Error {}

export function restoreMachine(
  machine: MachineId,
  point: RecoveryPointId,
  format: Format,
  apiVersion: string | undefined,
): ApiRequest {
  return { method: "POST", path: `/${machinesPath(apiVersion)}/${pointPath(machine, point)}/restore.${format}` };
}

export function restoreFiles(
  machine: MachineId,
  point: RecoveryPointId,
  paths: readonly string[],
  format: Format,
): ApiRequest {
  if (paths.length === 0) throw new UnsendableValue("there is no path to restore");
  const unsendable = paths.find((path) => !isSendablePath(path));
  if (unsendable !== undefined)
    throw new UnsendableValue(
      `the path ${showValue(unsendable)} must begin with "/" and contain no control characters`,
    );
  const body =
    format === "json"
      ? JSON.stringify({ paths })
      : `<paths type="array">${paths.map((path) => `<path>${escapeMarkup(path)}</path>`).join("")}</paths>`;
  return { method: "POST", path: `/virtual_machines/${pointPath(machine, point)}/file_entries.${format}`, body };
}

export function listTransactions(request: TransactionPageRequest, format: Format): ApiRequest {
  const query = request.detailed === true ? "?detailed" : "";
  return { method: "GET", path: `/transactions.${format}${pageSuffix(request)}${query}` };
}

export function listLogItems(machine: MachineId, request: PageRequest, format: Format): ApiRequest {
  return {
    method: "GET",
    path: `/virtual_machines/${checkedId(machine, "machine")}/logs.${format}${pageSuffix(request)}`,
  };
}

export function listRecoveryPoints(
  machine: MachineId,
  request: PageRequest,
  format: Format,
  apiVersion: string | undefined,
  form: "path" | "query" = "path",
): ApiRequest {
  const points = `${checkedId(machine, "machine")}/backups/recovery_points.${format}`;
  const page = form === "path" ? pageSuffix(request) : pageQuery(request);
  return { method: "GET", path: `/${machinesPath(apiVersion)}/${points}${page}` };
}

/** The headers of every request, with or without a body. The path's suffix chooses the format, and the headers repeat it. */
export function headersFor(format: Format, authorization: string): Record<string, string> {
  const type = format === "json" ? "application/json" : "application/xml";
  return {
    Accept: type,
    "Content-type": type,
    Authorization: authorization,
    "Accept-Encoding": "gzip",
    "User-Agent": "pulumi-recovery",
  };
}

/** Puts the page number before the page size, as known clients of such panels do. */
function pageSuffix(request: PageRequest): string {
  return pageParts(request, "/")
    .map((part) => `/${part}`)
    .join("");
}

function pageQuery(request: PageRequest): string {
  const parts = pageParts(request, "=");
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}

function pageParts({ page, perPage }: PageRequest, separator: string): readonly string[] {
  const given = Object.entries({ page, per_page: perPage }).filter(([, value]) => value !== undefined);
  return given.map(([name, value = 0]) => {
    if (!Number.isSafeInteger(value) || value < 1)
      throw new UnsendableValue(`${name} must be a whole number, at least 1`);
    return `${name}${separator}${String(value)}`;
  });
}

function pointPath(machine: MachineId, point: RecoveryPointId): string {
  return `${checkedId(machine, "machine")}/backups/recovery_points/${checkedId(point, "recovery point")}`;
}

/** Checks at run time, not only by type, that an id contains nothing that would make the path lead to another resource. */
function checkedId(text: string, whose: string): string {
  if (!isValidId(text)) {
    throw new UnsendableValue(`the ${whose}'s id must consist of letters, digits, "-" and "_"`);
  }
  return encodeURIComponent(text);
}

/** Before 5.9, only whole-machine restores and the list of recovery points were under `virtual_servers`. */
function machinesPath(apiVersion = ""): "virtual_machines" | "virtual_servers" {
  const [, major = "6", minor = "0"] = /^(\d+)(?:\.(\d+))?/.exec(apiVersion) ?? [];
  const isBefore59 = Number(major) < 5 || (Number(major) === 5 && Number(minor) < 9);
  return isBefore59 ? "virtual_servers" : "virtual_machines";
}
