import { createHash, randomUUID } from "node:crypto";
import { capital, declared, element, iso, numeric, second, spaced, tag, unix } from "../spelling";
import { filesAs, panelsOf, past, rails } from "../taste";

/** Ten panels by engineers with different backgrounds, who each fill in what docs/how-it-works.md#what-a-panel-must-show leaves open. */

const common = { past, pending: 1 / 5 } as const;
const json = { ...common, formats: ["json"] } as const;

const sort = (i: number): string => ["start", "stop", "backup"][i % 3] ?? "";

const django417 = (ms: number): string => iso(ms).replace("Z", "417Z");

const cmi = (name: string, attributes: object, inner = ""): string => tag(`cmi:${name}`, attributes, inner);
const cmiReply = (status: number, root: string) => ({
  status,
  headers: { "content-type": "application/xml;charset=UTF-8" },
  body: root.replace(/^<[^ >]+/, '<?xml version="1.0" encoding="UTF-8"?>\n$& xmlns:cmi="urn:cloud:management:v5"'),
});

const headers = { "content-type": "application/vnd.api+json" };
const jsonApi = (status: number, body: object) => ({ status, headers, body });
const uuidOf = (text: string): string => {
  const hex = createHash("sha1").update(text).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

const tableReply = (status: number, name: string, rows: readonly unknown[], format: "json" | "xml") => {
  if (format === "json") return { status, body: { rows, row_count: rows.length } };
  const inner = element("row", rows, (value) => (value === null ? { "xsi:nil": true } : {}));
  const root = tag(name, { "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance" }, inner);
  return { ...declared(root, status), headers: { "content-type": "text/xml" } };
};

export const b = panelsOf({
  /** Rails conventions in both formats: rows wrapped in the model's name, integer ids, typed XML, no cap on per_page. */
  "wrapped Rails rows": {
    ...common,
    ...rails,
    first: 1201,
    action: (what) => ({ restore: "restore_backup", files: "restore_files" })[what] ?? `${what}_virtual_machine`,
    row: ({ id, action, status, machine, at, ends, now }) => {
      const times = { created_at: iso(at), updated_at: iso(Math.min(ends, now)) };
      return { id, action, status, ...times, virtual_machine_id: numeric(machine) };
    },
    log: ({ no, action, status, at }) => ({ id: no + 5000, action, status, created_at: iso(at) }),
  },

  /** Spring Data's page envelope, with pages counted from zero, camelCase, upper-case enums and at most 100 rows per page. */
  "Spring page envelope": {
    ...json,
    first: 40_001,
    past: (i) => [`srv-${70 + (i % 6)}`, sort(i), i * 3e5, 20],
    words: { pending: "QUEUED", running: "IN_PROGRESS", complete: "SUCCEEDED", failed: "FAILED" },
    action: (what) => (what === "files" ? "FILE_RESTORE" : `VM_${what.toUpperCase()}`),
    row: ({ id, action: type, status, machine, at, ends, hasEnded }) => ({
      id,
      type,
      status,
      resource: { type: "VIRTUAL_MACHINE", id: machine },
      createdAt: iso(at),
      finishedAt: hasEnded ? iso(ends) : null,
    }),
    log: ({ id, action, at }) => ({ timestamp: iso(at), level: "INFO", transactionId: id, message: action }),
    cap: 100,
    list: (content, { page, size, total: totalElements, pages: totalPages }) => {
      const ends = { first: page === 1, last: page >= totalPages };
      return { status: 200, body: { content, totalElements, totalPages, number: page - 1, size, ...ends } };
    },
    accepted: (_rows, [job]) => ({ status: 202, body: { transactionId: job?.id, status: "QUEUED" } }),
  },

  /** Small Go structs: a list that starts empty, null for an empty page, Unix seconds, omitempty, and a 202 without a body. */
  "Go, empty and null": {
    ...json,
    old: 0,
    words: { complete: "done", failed: "error" },
    action: filesAs("restore-files"),
    row: ({ id, action: kind, status: state, machine: vm, at, ends, hasEnded }) => ({
      id,
      kind,
      vm,
      state,
      started: unix(at),
      ...(hasEnded && { ended: unix(ends) }),
    }),
    log: ({ action, status, at }) => ({ t: unix(at), msg: `${action}: ${status}` }),
    cap: 50,
    list: (items, { isLog, total }) => {
      const shown = items.length > 0 ? items : null;
      return { status: 200, body: isLog ? { lines: shown } : { items: shown, total } };
    },
    accepted: () => ({ status: 202 }),
  },

  /** Django REST: count, next and results, Celery's status words, hyperlinks to machines, 404 past the last page. */
  "Django REST hyperlinks": {
    ...json,
    first: 310,
    words: { pending: "PENDING", running: "STARTED", complete: "SUCCESS", failed: "FAILURE" },
    action: (what) => ({ restore: "backups.restore", files: "backups.restore_files" })[what] ?? `machines.${what}`,
    row: ({ id, action: task, status, machine, at }) => {
      const virtual_machine = `http://testserver/virtual_machines/${machine}/`;
      return { id, task, status, virtual_machine, created: django417(at) };
    },
    log: ({ id, action, status, at }) => ({ id, created: django417(at), text: `${action}: ${status}` }),
    cap: 100,
    list: (results, { page, pages, total: count }) => {
      if (page > pages) return { status: 404, body: { detail: "Invalid page." } };
      const link = (n: number): string => `http://testserver/page/${n}`;
      const [next, previous] = [page < pages ? link(page + 1) : null, page > 1 ? link(page - 1) : null];
      return { status: 200, body: { count, next, previous, results } };
    },
    accepted: ([body]) => ({ status: 201, body }),
  },

  /** An Express hobbyist on Mongoose: ObjectIds, the machine only in a title, and the last page for any page past the end. */
  "Express titles, clamped pages": {
    ...json,
    first: 0x3a91c0,
    id: ({ no, at }) => `${unix(at).toString(16).padStart(8, "0")}5f1c7a90be${no.toString(16)}`,
    past: (i) => [`old${i % 8}`, sort(i), i * 7e5, 15, i % 13 === 0 && "failed"],
    words: { pending: "waiting", running: "in progress", complete: "finished", failed: "error" },
    action: (what, { machine, point, paths }) => {
      if (point === undefined) return `${capital(what)} VM ${machine}`;
      return `Restore ${paths ? `${paths.length} file(s) of ` : ""}VM ${machine} from backup ${point}`;
    },
    row: ({ id, action: title, status, at, ends, now }) => {
      const progress = Math.min(100, Math.floor(((now - at) / (ends - at)) * 100));
      return { _id: id, title, status, progress, createdAt: iso(at), __v: 0 };
    },
    log: ({ action, status, at }) => `${new Date(at).toUTCString()} - ${action} - ${status}`,
    isClamped: true,
    accepted: () => ({ status: 200, body: { success: true, message: "Restore started" } }),
    missing: ({ method, path }) => ({ status: 404, body: `Cannot ${method} ${path}` }),
  },

  /** Enterprise XML only: a namespace, PascalCase attributes, codes, an acknowledgement, and a fault for pages of more than 100 records. */
  "enterprise XML attributes": {
    ...common,
    formats: ["xml"],
    first: 88_100,
    id: ({ no }) => `TXN-${String(no).padStart(8, "0")}`,
    words: { pending: "SUBMITTED", running: "PROCESSING", complete: "COMPLETED", failed: "ABORTED" },
    action: (what) => (what === "files" ? "FILE_RESTORE" : `VM_${what.toUpperCase()}`),
    row: ({ id, action, status, machine, at }) => {
      const inner = cmi("Target", { Type: "VirtualMachine", Ref: machine });
      const attributes = { TransactionId: id, OperationCode: action, StatusCode: status, Timestamp: iso(at) };
      return cmi("Transaction", attributes, inner);
    },
    log: ({ id, action, at }) => cmi("LogEntry", { Timestamp: iso(at), TransactionRef: id }, action),
    refuse: (asked) =>
      "point" in asked || (asked.perPage ?? 10) <= 100
        ? undefined
        : cmiReply(400, cmi("Fault", { Code: "CMI-0107", Reason: "Page size exceeds 100" })),
    list: (items, { isLog, page, size, total }) => {
      const counts = { PageNumber: page, PageSize: size, TotalRecords: total };
      return cmiReply(200, cmi(isLog ? "LogEntryList" : "TransactionList", counts, items.join("")));
    },
    accepted: (_rows, [job]) => cmiReply(202, cmi("Acknowledgement", { TransactionId: job?.id })),
    missing: cmiReply(404, cmi("Fault", { Code: "CMI-0404", Reason: "No such operation" })),
  },

  /** UUIDs for everything, in JSON:API documents: a row names its machine by a UUID that is not the id in the path. */
  "UUIDs in JSON:API": {
    ...json,
    id: () => randomUUID(),
    words: { pending: "scheduled", running: "active", complete: "succeeded", failed: "errored" },
    action: filesAs("restore-files"),
    row: ({ id, action, status: state, machine, at }) => {
      const attributes = { action, state, "created-at": iso(at) };
      const owner = { data: { type: "virtual-machines", id: uuidOf(`virtual-machine/${machine}`) } };
      return { type: "transactions", id, attributes, relationships: { "virtual-machine": owner } };
    },
    log: ({ id, action: text }) => {
      const relationships = { transaction: { data: { type: "transactions", id } } };
      return { type: "log-items", id: uuidOf(`log-item/${id}`), attributes: { text }, relationships };
    },
    cap: 50,
    list: (data, { page: number, size, total }) => jsonApi(200, { data, meta: { total, number, size } }),
    accepted: ([data]) => jsonApi(202, { data }),
  },

  /** Events and steps in one list: a restore is a parent that names its machine, with steps that name only the parent. */
  "parent events with steps": {
    ...json,
    first: 500,
    words: { pending: "queued", running: "started", complete: "finished" },
    action: (what) => (what === "files" ? "files.restore" : `machine.${what}`),
    /** Each step begins when the previous step has ended. After a failed step, the rest are skipped. */
    parts: ({ what, paths, end }, action) => {
      if (what !== "restore" && !paths) return [{}];
      const names = paths ? ["mount", "copy", "unmount"] : ["stop_machine", "write_disks", "start_machine"];
      const failed = end === "failed";
      const at = (step: number): number => (failed && step > 1 ? 1 : 0.1 + (0.9 * step) / names.length);
      const steps = names.map((name, i) => ({
        action: `${action}.${name}`,
        runs: at(i),
        ends: at(i + 1),
        end: failed && i > 0 ? (i > 1 ? "skipped" : "failed") : "complete",
      }));
      return [{}, ...steps];
    },
    row: ({ id, action: event, status: state, machine, parent, at }) => {
      const names = parent === undefined ? { subject: `virtual_machine:${machine}` } : { parent_id: parent };
      return { id, event, state, at: `${second(at)}+00:00`, ...names };
    },
    log: ({ id, action, status, at }) => ({ at: `${second(at)}+00:00`, event_id: id, text: `${action} ${status}` }),
    list: (items, { isLog }) => ({ status: 200, body: { [isLog ? "log" : "events"]: items } }),
    accepted: (_rows, [job]) => ({ status: 202, body: { event_id: job?.id } }),
  },

  /** A minimalist: a row is just an id and a status, and a machine's log is just its rows. */
  "id and status only": {
    ...json,
    words: { pending: "new", running: "run", complete: "ok", failed: "fail" },
    action: () => "",
    row: ({ id, status }) => ({ id, status }),
    accepted: (_rows, [job]) => ({ status: 200, body: { id: job?.id } }),
  },

  /** A database engineer: result sets in both formats, the status in two columns (state and result), and times without a zone. */
  "state and result columns": {
    ...common,
    formats: ["json", "xml"],
    first: 1_000_340,
    words: { pending: "QUEUED", running: "ACTIVE", complete: "CLOSED", failed: "CLOSED" },
    action: (what) => (what === "files" ? "FLRESTORE" : `VM${what.toUpperCase()}`),
    row: ({ id, action, status: state, machine, at, ends, end, hasEnded, now }) => {
      const result = hasEnded ? (end === "failed" ? "ERROR" : "OK") : null;
      const times = { ts_ins: spaced(at), ts_upd: spaced(Math.min(ends, now)) };
      return { tx_id: id, op_code: action, vm_id: machine, state, result, ...times };
    },
    log: ({ id, action, at }) => ({ tx_id: id, ts: spaced(at), msg: action }),
    list: (rows, { isLog, format }) => tableReply(200, isLog ? "log" : "transactions", rows, format),
    accepted: (_rows, [job], format) => tableReply(201, "inserted", [{ tx_id: job?.id }], format),
  },
});
