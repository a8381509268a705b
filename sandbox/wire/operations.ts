import type { Cloud } from "../cloud/cloud";
import type { Job, Machine, RecoveryPoint } from "../cloud/model";
import { formatId } from "../cloud/transaction-id";
import type { Dialect } from "../dialect/dialect";
import { hash } from "../plain/chance";
import { optional } from "../plain/input";
import {
  type Answer,
  emptyAnswer,
  errorAnswer,
  htmlAnswer,
  itemAnswer,
  listAnswer,
  type ListNames,
  noticeAnswer,
} from "./answers";
import { decodePaths } from "./decode-paths";
import { type Format, type Field, type Value, boolean, id, object, text } from "./value";
import { pageSlice } from "./paging";
import { type PageRequest, type PointsRoute, type RestoreRoute, type Route, route } from "./route";
import { type LogEntry, logItemRow, pointFields, stamp, changedAt, transactionFields, transactionRow } from "./rows";

/** The panel's answer to a request with the right credentials. */
export function answerOperation(cloud: Cloud, dialect: Dialect, method: string, path: string, body: string): Answer {
  const asked = route(method, path);
  switch (asked.kind) {
    case "transactions":
      return listTransactions(cloud, dialect, asked);
    case "logs":
      return listLogs(cloud, dialect, asked);
    case "points":
      return listPoints(cloud, dialect, asked);
    case "restoreMachine":
    case "restoreFiles":
      return startRestore(cloud, dialect, asked, body);
    case "unknown":
      return notFound(asked.format, dialect);
  }
}

function listTransactions(cloud: Cloud, dialect: Dialect, asked: Route & { kind: "transactions" }): Answer {
  const now = cloud.advance();
  return listPage(
    { list: "transactions", item: "transaction" },
    asked,
    cloud.ledger.listedCount,
    dialect,
    (offset, size) =>
      pageOf(cloud, dialect, offset, size, now).map((job) => transactionRow(job, dialect, asked.detailed, now)),
  );
}

/** Sorted by the last change, a page costs the whole list: that is meant for tests with short lists. */
function pageOf({ ledger }: Cloud, { sortedBy }: Dialect, offset: number, size: number, now: number): Job[] {
  if (sortedBy === "created") return ledger.slice(offset, size, now);
  const all = ledger.slice(0, ledger.listedCount, now);
  return all.sort((a, b) => changedAt(b) - changedAt(a) || b.ordinal - a.ordinal).slice(offset, offset + size);
}

function listLogs(cloud: Cloud, dialect: Dialect, asked: Route & { kind: "logs" }): Answer {
  const now = cloud.advance();
  const machine = cloud.machines.find(asked.machine);
  if (machine === undefined) return notFound(asked.format, dialect);
  const entries = logOf(cloud.ledger.jobsOf(machine.id), dialect, now);
  return listPage({ list: "log_items", item: "log_item" }, asked, entries.length, dialect, (offset, size) =>
    entries.slice(offset, offset + size).map((entry) => logItemRow(entry, dialect)),
  );
}

/** Newest first. With alerts, one comes after every second transaction. */
function logOf(jobs: readonly Job[], dialect: Dialect, now: number): LogEntry[] {
  const entries: LogEntry[] = [];
  for (const job of jobs) {
    if (job.listedAt > now) continue;
    entries.push({ kind: "transaction", job });
    if (dialect.logAlerts === "some" && job.ordinal % 2 === 0) entries.push({ kind: "alert", job });
  }
  return entries.reverse();
}

function listPoints(cloud: Cloud, dialect: Dialect, asked: PointsRoute): Answer {
  cloud.advance();
  const machine = cloud.machines.find(asked.machine);
  const served = dialect.pointList !== "missing" && isServed(asked.path, dialect);
  if (!served || machine === undefined) return notFound(asked.format, dialect);
  if (dialect.pointList === "forbidden") {
    return errorAnswer(403, "You do not have permissions for this action", asked.format, dialect);
  }
  const machines = dialect.pointMachines === "all" ? cloud.machines.all() : [machine];
  const rows = machines.flatMap((of) => of.points.map((point) => ({ of, point })));
  const all = rows.sort(byOrder[dialect.pointOrder]).map(({ of, point }) => object(pointFields(point, of, dialect)));
  const answer = pointsPage(all, asked, dialect);
  if (answer.status !== 200 || dialect.pointTotal === "asHeaders") return answer;
  const total = all.length + (dialect.pointTotal === "oneMore" ? 1 : 0);
  return { ...answer, headers: { ...answer.headers, "x-total": String(total) } };
}

function pointsPage(all: readonly Value[], asked: PointsRoute, dialect: Dialect): Answer {
  const { pointPaging, pointCap, pageCap, pointPageSize } = dialect;
  const names = { list: "recovery_points", item: "recovery_point" };
  const { form, perPage } = asked.paging;
  const isPath = form === "path";
  if (isPath && (pointPaging === "notFound" || pointPaging === "query")) return notFound(asked.format, dialect);
  if (pointPaging === "whole" || pointPaging === "notFound") return listAnswer(names, all, asked.format, dialect);
  const wanted = pointPaging === "sizes" ? { ...asked, paging: { ...optional("perPage", perPage), form } } : asked;
  const style = {
    ...dialect,
    pageOrder: "newestFirst" as const,
    pageCap: pointCap ?? pageCap,
    defaultSize: pointPageSize,
  };
  return listPage(names, wanted, all.length, style, (offset, size) => all.slice(offset, offset + size));
}

interface ListedPoint {
  readonly of: Machine;
  readonly point: RecoveryPoint;
}

const byOrder: Readonly<Record<Dialect["pointOrder"], (a: ListedPoint, b: ListedPoint) => number>> = {
  newest: (a, b) => b.point.createdAt - a.point.createdAt,
  oldest: (a, b) => a.point.createdAt - b.point.createdAt,
  shuffled: (a, b) => hash(0, a.of.id, a.point.id) - hash(0, b.of.id, b.point.id),
};

function listPage(
  names: ListNames,
  asked: { readonly format: Format; readonly paging: PageRequest },
  total: number,
  dialect: Dialect & { readonly defaultSize?: number },
  rows: (offset: number, size: number) => Value[],
): Answer {
  const slice = pageSlice(asked.paging, total, dialect);
  if (slice === undefined) return notFound(asked.format, dialect);
  const page = rows(slice.offset, slice.size);
  const answer = listAnswer(names, dialect.pageOrder === "oldestFirst" ? page.reverse() : page, asked.format, dialect);
  if (dialect.headers !== "paging" && dialect.headers !== "all") return answer;
  return {
    ...answer,
    headers: {
      ...answer.headers,
      "x-page": String(slice.page),
      "x-limit": String(slice.size),
      "x-total": String(total),
    },
  };
}

function startRestore(cloud: Cloud, dialect: Dialect, asked: RestoreRoute, body: string): Answer {
  const files = asked.kind === "restoreFiles";
  const machine = cloud.machines.find(asked.machine);
  const point = machine?.points.find((candidate) => candidate.id === asked.point);
  const served = files || isServed(asked.path, dialect);
  if (!served || machine === undefined || point === undefined) return notFound(asked.format, dialect);
  const decoded = files ? decodePaths(body, asked.format) : undefined;
  if (decoded?.ok === false) return errorAnswer(422, decoded.problem, asked.format, dialect);
  cloud.advance();
  if (dialect.whenLocked === "refuse" && cloud.isLocked(machine)) {
    return errorAnswer(422, "Virtual machine is locked by another transaction", asked.format, dialect);
  }
  const restore = cloud.addRestore({
    kind: files ? "files" : "machine",
    machine,
    pointId: point.id,
    ...(decoded?.ok === true ? { paths: decoded.paths } : {}),
    by: "post",
  });
  const job = cloud.ledger.job(restore.restoreOrdinal);
  return acceptedAnswer(machine, point, job, asked, dialect);
}

function isServed(path: "machines" | "servers", { restorePath }: Dialect): boolean {
  return restorePath === "both" || restorePath === path;
}

function acceptedAnswer(
  machine: Machine,
  point: RecoveryPoint,
  job: Job | undefined,
  asked: RestoreRoute,
  dialect: Dialect,
): Answer {
  switch (dialect.postBody) {
    case "resource": {
      const fields: Field[] = [
        ["id", id(machine.id)],
        ["identifier", text(machine.identifier)],
        ["label", text(machine.label)],
        ["locked", boolean(true)],
        ["created_at", { kind: "datetime", text: stamp(machine.createdAt, dialect) }],
      ];
      const answer = itemAnswer(201, "virtual_machine", fields, asked.format, dialect);
      const location = `/virtual_machines/${machine.identifier}.${asked.format}`;
      return { ...answer, headers: { ...answer.headers, location } };
    }
    case "recoveryPoint":
      return itemAnswer(201, "recovery_point", pointFields(point, machine, dialect), asked.format, dialect);
    case "notice":
      return noticeAnswer("The restore has been queued", asked.format, dialect);
    case "empty":
      return emptyAnswer(204);
    case "blank":
      return emptyAnswer(201);
    case "transaction": {
      const fields = job === undefined ? [] : transactionFields(job, dialect, false, job.createdAt);
      return itemAnswer(201, "transaction", fields, asked.format, dialect);
    }
    case "location": {
      const ofRestore = job === undefined ? "" : formatId(job.ordinal, dialect.idStyle);
      return { ...emptyAnswer(201), headers: { location: `/transactions/${ofRestore}.${asked.format}` } };
    }
    case "html":
      return htmlAnswer(200, "The restore has been queued");
  }
}

function notFound(format: Format, dialect: Dialect): Answer {
  return errorAnswer(404, "Resource not found", format, dialect);
}
