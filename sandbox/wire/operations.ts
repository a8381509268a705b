import type { Cloud } from "../cloud/cloud";
import { formatId, type SandboxJob, type Machine, type SandboxPoint } from "../cloud/model";
import type { Dialect } from "../dialect/dialect";
import { hash } from "../plain/clock";
import {
  type PanelResponse,
  documentAnswer,
  errorAnswer,
  htmlAnswer,
  rowsAnswer,
  type AnswerRow,
  unnamed,
  withHeaders,
} from "./answers";
import { decodePaths, type AskedPage, type Route, route } from "./route";
import { idValue, logItemRow, pointRow, transactionRow } from "./rows";

/** The panel's answer to a request with the right credentials. */
export function answerOperation(
  cloud: Cloud,
  dialect: Dialect,
  method: string,
  path: string,
  body: string,
): PanelResponse {
  const asked = route(method, path);
  const now = cloud.advance();
  if (asked.kind === "transactions") return listTransactions(cloud, dialect, asked, now);
  const machine = cloud.machines.get(asked.machine);
  if (machine === undefined) return notFound(asked, dialect);
  switch (asked.kind) {
    case "logs":
      return listLogs(cloud.ledger.jobsOf(machine.id), dialect, asked, now);
    case "points":
      return listPoints(cloud, machine, dialect, asked);
    case "restoreMachine":
    case "restoreFiles":
      return startRestore(cloud, machine, dialect, asked, body);
    case "unknown":
      return notFound(asked, dialect);
  }
}

function listTransactions({ ledger }: Cloud, dialect: Dialect, asked: Route, now: number): PanelResponse {
  return listPage("transactions", asked, ledger.listedCount, dialect, (offset, size) =>
    ledger.slice(offset, size, now).map((job) => transactionRow(job, dialect, asked.detailed, now)),
  );
}

/** Newest first. */
function listLogs(jobs: readonly SandboxJob[], dialect: Dialect, asked: Route, now: number): PanelResponse {
  const listed = jobs.filter((job) => job.listedAt <= now).reverse();
  return listPage("log_items", asked, listed.length, dialect, (offset, size) =>
    listed.slice(offset, offset + size).map((job) => logItemRow(job, dialect)),
  );
}

function listPoints(cloud: Cloud, machine: Machine, dialect: Dialect, asked: Route): PanelResponse {
  if (dialect.pointList === "missing" || !isServed(asked, dialect)) return notFound(asked, dialect);
  if (dialect.pointList === "forbidden") {
    return errorAnswer(403, "You do not have permissions for this action", asked.format, dialect);
  }
  const machines = dialect.pointMachines === "all" ? cloud.allMachines() : [machine];
  const points = machines.flatMap((of) => of.points.map((point) => ({ of, point })));
  const rows = points.sort(byOrder[dialect.pointOrder]).map(({ of, point }) => pointRow(point, of, dialect));
  const answer = pointsPage(rows, asked, dialect);
  if (answer.status !== 200 || dialect.pointTotal === "asHeaders") return answer;
  return withHeaders(answer, { "x-total": String(rows.length + (dialect.pointTotal === "oneMore" ? 1 : 0)) });
}

function pointsPage(rows: AnswerRow[], asked: Route, dialect: Dialect): PanelResponse {
  const { pointPaging, pointCap, pageCap, pointPageSize } = dialect;
  const hasPath = pointPaging !== "notFound" && pointPaging !== "query";
  if (asked.paging.form === "path" && !hasPath) return notFound(asked, dialect);
  if (pointPaging === "whole" || pointPaging === "notFound") {
    return rowsAnswer("recovery_points", rows, asked.format, dialect);
  }
  const paging = pointPaging === "sizes" ? { ...asked.paging, page: undefined } : asked.paging;
  const own = { ...dialect, pageCap: pointCap ?? pageCap };
  const slice = (offset: number, size: number): AnswerRow[] => rows.slice(offset, offset + size);
  return listPage("recovery_points", { ...asked, paging }, rows.length, own, slice, pointPageSize);
}

interface ListedPoint {
  readonly of: Machine;
  readonly point: SandboxPoint;
}

const byOrder: Readonly<Record<Dialect["pointOrder"], (a: ListedPoint, b: ListedPoint) => number>> = {
  newest: (a, b) => b.point.createdAt - a.point.createdAt,
  oldest: (a, b) => a.point.createdAt - b.point.createdAt,
  shuffled: (a, b) => hash(0, a.of.id, a.point.id) - hash(0, b.of.id, b.point.id),
};

/** The number of rows on a page is limited, because each page is built in memory. */
const maxRows = 10_000;

/** A page of a list of `total` rows, or 404 if the panel has no such path or page. */
function listPage(
  list: string,
  asked: Route,
  total: number,
  dialect: Dialect,
  rows: (offset: number, size: number) => AnswerRow[],
  defaultSize = 10,
): PanelResponse {
  const paging = honouredPaging(asked.paging, dialect);
  const size = Math.min(paging?.perPage ?? defaultSize, dialect.pageCap ?? maxRows, maxRows);
  const last = Math.max(1, Math.ceil(total / size));
  const wanted = paging?.page ?? 1;
  if (paging === undefined || (wanted > last && dialect.pastEnd === "notFound")) return notFound(asked, dialect);
  const page = dialect.pastEnd === "repeatLast" ? Math.min(wanted, last) : wanted;
  const shown = rows((page - 1) * size, size);
  const answer = rowsAnswer(list, shown, asked.format, dialect);
  if (dialect.headers !== "paging" && dialect.headers !== "all") return answer;
  return withHeaders(answer, { "x-page": String(page), "x-limit": String(size), "x-total": String(total) });
}

function honouredPaging(request: AskedPage, dialect: Dialect): Omit<AskedPage, "form"> | undefined {
  const { form, page, perPage } = request;
  if (form === "query") return dialect.queryPaging === "both" ? request : {};
  if (page === undefined || perPage === undefined) return request;
  const honoured = {
    both: request,
    ignorePage: { perPage },
    ignorePerPage: { page },
    ignoreBoth: {},
    notFound: undefined,
  };
  return honoured[dialect.combinedPaging];
}

function startRestore(cloud: Cloud, machine: Machine, dialect: Dialect, asked: Route, body: string): PanelResponse {
  const files = asked.kind === "restoreFiles";
  const point = machine.points.find((candidate) => candidate.id === asked.point);
  if (point === undefined || !(files || isServed(asked, dialect))) return notFound(asked, dialect);
  const paths = files ? decodePaths(body, asked.format) : undefined;
  if (typeof paths === "string") return errorAnswer(422, paths, asked.format, dialect);
  if (dialect.whenLocked === "refuse" && cloud.isLocked(machine)) {
    return errorAnswer(422, "Virtual machine is locked by another transaction", asked.format, dialect);
  }
  const kind = files ? "files" : "machine";
  const job = cloud.addRestore({ kind, machine, pointId: point.id, paths, by: "post" });
  return acceptedAnswer(machine, point, job, asked, dialect);
}

function isServed({ under }: Route, { restorePath }: Dialect): boolean {
  return restorePath === "both" || restorePath === under;
}

const empty: PanelResponse = { status: 201, headers: {}, body: "" };

function acceptedAnswer(
  machine: Machine,
  point: SandboxPoint,
  job: SandboxJob,
  asked: Route,
  dialect: Dialect,
): PanelResponse {
  const { format } = asked;
  switch (dialect.postBody) {
    case "resource": {
      const row = { id: idValue(machine.id), identifier: machine.identifier, label: machine.label, locked: true };
      const answer = documentAnswer(201, "virtual_machine", row, format, dialect);
      return withHeaders(answer, { location: `/virtual_machines/${machine.identifier}.${format}` });
    }
    case "recoveryPoint":
      return documentAnswer(201, "recovery_point", pointRow(point, machine, dialect), format, dialect);
    case "transaction":
      return documentAnswer(201, "transaction", transactionRow(job, dialect, false, job.createdAt), format, dialect);
    case "location":
      return withHeaders(empty, { location: `/transactions/${formatId(job.ordinal, dialect.idStyle)}.${format}` });
    case "notice":
      return documentAnswer(200, unnamed, { notice: "The restore has been queued" }, format, dialect);
    case "empty":
      return { ...empty, status: 204 };
    case "blank":
      return empty;
    case "html":
      return htmlAnswer(200, "The restore has been queued");
  }
}

function notFound({ format }: Route, dialect: Dialect): PanelResponse {
  return errorAnswer(404, "Resource not found", format, dialect);
}
