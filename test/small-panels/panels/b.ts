import { createHash, randomUUID } from "node:crypto";
import { operationOf, pathsOf, type MakePanel } from "../panel";

/** Ten panels, each in the taste of another background. What SPEC.md does not show, each fills in its own way. */

/** A row as the panels keep it. `end` is the word with which its status ends. */
interface Row<Id = number> {
  readonly id: Id;
  readonly vm: string;
  readonly op: string;
  readonly from: number;
  readonly to: number;
  readonly end: string;
}

/** Rails conventions in both formats: rows wrapped in the model's name, integer ids, typed XML, no cap on per_page. */
const rails: MakePanel = (world) => {
  type Fields = Record<string, string | number>;
  const [rows, length]: [Row[], number] = [[], world.restoreSeconds * 1000];
  const add = (vm: string, op: string, end: string, from = world.now(), to = from + length): Row => {
    const row = { id: 1201 + rows.length, vm, op, from, to, end };
    rows.unshift(row);
    return row;
  };
  for (let i = 30, now = world.now(); i > 0; i--) {
    const op = ["start_virtual_machine", "stop_virtual_machine", "backup_virtual_machine"][i % 3] ?? "";
    add(`${70001 + (i % 7)}`, op, i % 11 ? "complete" : "failed", now - i * 9e5, now - i * 9e5 + 42e3);
  }
  const status = ({ from, to, end }: Row, now = world.now()): string =>
    now < from + (to - from) / 5 ? "pending" : now < to ? "running" : end;
  const common = (row: Row) => ({ action: row.op, status: status(row), created_at: new Date(row.from).toISOString() });
  const transaction = (row: Row, detailed: boolean): Fields => {
    const virtual_machine_id = /^\d+$/.test(row.vm) ? Number(row.vm) : row.vm;
    const updated_at = new Date(Math.min(row.to, world.now())).toISOString();
    const output = detailed ? { log_output: `Executing ${row.op}\nStatus: ${status(row)}\n` } : {};
    return { id: row.id, ...common(row), updated_at, virtual_machine_id, ...output };
  };
  const xml = (name: string, fields: Fields): string => {
    const inner = Object.entries(fields).map(([key, value]) => {
      const type = typeof value === "number" ? ' type="integer"' : key.endsWith("_at") ? ' type="dateTime"' : "";
      return `<${key}${type}>${String(value).replace(/&/g, "&amp;").replace(/</g, "&lt;")}</${key}>`;
    });
    return `<${name}>${inner.join("")}</${name}>`;
  };
  const headers = { "content-type": "application/xml; charset=utf-8" };
  return {
    answer(request) {
      const op = operationOf(request);
      if (!op) return { status: 404, body: { errors: ["Resource not found"] } };
      if ("point" in op) {
        const files = op.what === "files" ? { paths: pathsOf(request) } : undefined;
        if (files?.paths.length === 0) return { status: 422, body: { errors: { paths: ["can't be blank"] } } };
        const row = add(op.machine, files ? "restore_files" : "restore_backup", world.endOf(op.machine));
        world.posted({ machine: op.machine, point: op.point, ...files, ids: [row.id] });
        const fields = transaction(row, false);
        if (op.format === "json") return { status: 201, body: { transaction: fields } };
        return { status: 201, headers, body: `<?xml version="1.0"?>\n${xml("transaction", fields)}` };
      }
      const [page, size, name] = [op.page || 1, op.perPage || 10, op.what === "log" ? "log_item" : "transaction"];
      const found = rows.filter((row) => op.what !== "log" || row.vm === op.machine);
      const list = found.slice((page - 1) * size, page * size).map((row) => {
        return op.what === "log" ? { id: row.id + 5000, ...common(row) } : transaction(row, op.detailed);
      });
      if (op.format === "json") return { status: 200, body: list.map((fields) => ({ [name]: fields })) };
      const inner = list.map((fields) => xml(name, fields)).join("\n");
      return { status: 200, headers, body: `<?xml version="1.0"?>\n<${name}s type="array">${inner}</${name}s>` };
    },
    work: (vm, op) => void add(vm, op === "restore" ? "restore_backup" : `${op}_virtual_machine`, "complete"),
  };
};

/** Spring Data's page envelope, counted from zero, with camelCase, upper-case enums and at most 100 a page. */
const spring: MakePanel = (world) => {
  const [rows, length]: [Row[], number] = [[], world.restoreSeconds * 1000];
  const add = (vm: string, op: string, end: string, from = world.now(), to = from + length): number =>
    40000 + rows.unshift({ id: 40001 + rows.length, vm, op, from, to, end });
  for (let i = 30, now = world.now(); i > 0; i--) {
    const op = ["VM_START", "VM_STOP", "VM_BACKUP"][i % 3] ?? "";
    add(`srv-${70 + (i % 6)}`, op, "SUCCEEDED", now - i * 3e5, now - i * 3e5 + 2e4);
  }
  const status = ({ from, to, end }: Row, now = world.now()): string =>
    now < from + (to - from) / 10 ? "QUEUED" : now < to ? "IN_PROGRESS" : end;
  const dto = (row: Row, detailed: boolean): object => ({
    id: row.id,
    type: row.op,
    status: status(row),
    resource: { type: "VIRTUAL_MACHINE", id: row.vm },
    createdAt: new Date(row.from).toISOString(),
    finishedAt: world.now() < row.to ? null : new Date(row.to).toISOString(),
    ...(detailed && { log_output: `[${row.op}] transaction ${row.id} is ${status(row)}` }),
  });
  const entry = (row: Row): object => {
    const timestamp = new Date(Math.min(world.now(), row.to)).toISOString();
    return { timestamp, level: "INFO", transactionId: row.id, message: `${row.op} ${status(row)}` };
  };
  return {
    answer(request) {
      const op = operationOf(request);
      if (op?.format !== "json") return { status: 404, body: { status: 404, error: "Not Found", path: request.path } };
      if ("point" in op) {
        const files = op.what === "files" ? { paths: pathsOf(request) } : undefined;
        const end = world.endOf(op.machine) === "complete" ? "SUCCEEDED" : "FAILED";
        const id = add(op.machine, files ? "FILE_RESTORE" : "VM_RESTORE", end);
        world.posted({ machine: op.machine, point: op.point, ...files, ids: [id] });
        return { status: 202, body: { transactionId: id, status: "QUEUED" } };
      }
      const [number, size] = [(op.page || 1) - 1, Math.min(op.perPage || 10, 100)];
      const all = rows.filter((row) => op.what !== "log" || row.vm === op.machine);
      const page = all.slice(number * size, (number + 1) * size);
      const content = page.map((row) => (op.what === "log" ? entry(row) : dto(row, op.detailed)));
      const totals = { totalElements: all.length, totalPages: Math.ceil(all.length / size) };
      const ends = { first: number === 0, last: number + 1 >= totals.totalPages, empty: page.length === 0 };
      return { status: 200, body: { content, ...totals, number, size, numberOfElements: page.length, ...ends } };
    },
    work: (vm, op) => void add(vm, `VM_${op.toUpperCase()}`, "SUCCEEDED"),
  };
};

/** Small Go structs: it starts empty, an empty page is null, Unix seconds, omitempty, and a 202 without a body. */
const go: MakePanel = (world) => {
  const [jobs, length]: [Row[], number] = [[], world.restoreSeconds * 1000];
  const add = (vm: string, op: string, end: string, from = world.now()): number =>
    jobs.unshift({ id: jobs.length + 1, vm, op, from, to: from + length, end });
  const unix = (ms: number): number => Math.floor(ms / 1000);
  const changes = ({ from, to, end }: Row): { at: number; state: string }[] => {
    const times = [from, from + length / 10, to].filter((at) => at <= world.now());
    return times.map((at, i) => ({ at, state: ["pending", "running", end][i] ?? end }));
  };
  const item = (job: Row, detailed: boolean): object => {
    const state = changes(job).at(-1)?.state;
    const ended = world.now() >= job.to ? { ended: unix(job.to) } : {};
    const output = detailed ? { log_output: `${job.op} ${job.vm}: ${state}\n` } : {};
    return { id: job.id, kind: job.op, vm: job.vm, state, started: unix(job.from), ...ended, ...output };
  };
  const paged = <T>(all: readonly T[], page: number | undefined, perPage: number | undefined): T[] | null => {
    const [n, size] = [page || 1, Math.min(perPage || 10, 50)];
    return all.length > (n - 1) * size ? all.slice((n - 1) * size, n * size) : null;
  };
  return {
    answer(request) {
      const op = operationOf(request);
      if (op?.format !== "json") return { status: 404, body: "404 page not found\n" };
      if (op.what === "log") {
        const own = jobs.filter((job) => job.vm === op.machine);
        const all = own.flatMap((job) => changes(job).map(({ at, state }) => ({ at, msg: `${job.op}: ${state}` })));
        all.sort((one, other) => other.at - one.at);
        const lines = paged(all, op.page, op.perPage)?.map(({ at, msg }) => ({ t: unix(at), msg })) ?? null;
        return { status: 200, body: { lines } };
      }
      if (op.what === "transactions") {
        const items = paged(jobs, op.page, op.perPage)?.map((job) => item(job, op.detailed)) ?? null;
        return { status: 200, body: { items, total: jobs.length } };
      }
      const files = op.what === "files" ? { paths: pathsOf(request) } : undefined;
      const end = world.endOf(op.machine) === "complete" ? "done" : "error";
      const id = add(op.machine, files ? "restore-files" : "restore", end);
      world.posted({ machine: op.machine, point: op.point, ...files, ids: [id] });
      return { status: 202 };
    },
    work: (vm, op) => void add(vm, op, "done"),
  };
};

/** Django REST: count, next and results, Celery's status words, hyperlinks to machines, 404 past the last page. */
const django: MakePanel = (world) => {
  const [tasks, length]: [Row[], number] = [[], world.restoreSeconds * 1000];
  const add = (vm: string, op: string, end: string, from = world.now(), to = from + length): Row => {
    const row = { id: 310 + tasks.length, vm, op, from, to, end };
    tasks.unshift(row);
    return row;
  };
  for (let i = 30, now = world.now(); i > 0; i--) {
    const op = ["machines.start", "machines.stop", "machines.backup"][i % 3] ?? "";
    add(`${80000 + (i % 5)}`, op, i % 9 ? "SUCCESS" : "FAILURE", now - i * 6e5, now - i * 6e5 + 31e3);
  }
  const status = ({ from, to, end }: Row, now = world.now()): string =>
    now < from + (to - from) / 6 ? "PENDING" : now < to ? "STARTED" : end;
  const iso = (ms: number): string => new Date(ms).toISOString().replace("Z", "417Z");
  return {
    answer(request) {
      const sent = new Map(Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]));
      if (!sent.get("authorization")?.startsWith("Basic "))
        return { status: 401, body: { detail: "Authentication credentials were not provided." } };
      const [op, base] = [operationOf(request), `http://${sent.get("host") ?? "testserver"}`];
      if (op?.format !== "json") return { status: 404, body: { detail: "Not found." } };
      const serialized = (row: Row): object => {
        const [virtual_machine, modified] = [`${base}/virtual_machines/${row.vm}/`, iso(Math.min(row.to, world.now()))];
        return { id: row.id, task: row.op, status: status(row), virtual_machine, created: iso(row.from), modified };
      };
      if ("point" in op) {
        const files = op.what === "files" ? { paths: pathsOf(request) } : undefined;
        const end = world.endOf(op.machine) === "complete" ? "SUCCESS" : "FAILURE";
        const row = add(op.machine, files ? "backups.restore_files" : "backups.restore", end);
        world.posted({ machine: op.machine, point: op.point, ...files, ids: [row.id] });
        return { status: 201, body: serialized(row) };
      }
      const all = tasks.filter((row) => op.what !== "log" || row.vm === op.machine);
      const [page, size, count] = [op.page ?? 1, Math.min(op.perPage || 10, 100), all.length];
      const last = Math.max(Math.ceil(count / size), 1);
      if (page < 1 || page > last) return { status: 404, body: { detail: "Invalid page." } };
      const [resource = "", query] = request.path.replace(/\/page\/\d+/, "").split("?");
      const link = (n: number): string => `${base}${resource}/page/${n}${query === undefined ? "" : `?${query}`}`;
      const results = all.slice((page - 1) * size, page * size).map((row) => {
        if (op.what === "log") return { id: row.id, created: iso(row.from), text: `${row.op}: ${status(row)}` };
        return { ...serialized(row), ...(op.detailed && { log_output: `Task ${row.op}[${row.id}]: ${status(row)}` }) };
      });
      const [next, previous] = [page < last ? link(page + 1) : null, page > 1 ? link(page - 1) : null];
      return { status: 200, body: { count, next, previous, results } };
    },
    work: (vm, op) => void add(vm, op === "restore" ? "backups.restore" : `machines.${op}`, "SUCCESS"),
  };
};

/** An Express hobbyist on Mongoose: ObjectIds, the machine only in a title, and the last page for any page past it. */
const express: MakePanel = (world) => {
  const [docs, length]: [Row<string>[], number] = [[], world.restoreSeconds * 1000];
  const add = (vm: string, op: string, end: string, from = world.now(), to = from + length): string => {
    const seconds = Math.floor(from / 1000).toString(16);
    const id = `${seconds.padStart(8, "0")}5f1c7a90be${(0x3a91c0 + docs.length).toString(16)}`;
    docs.unshift({ id, vm, op, from, to, end });
    return id;
  };
  for (let i = 30, now = world.now(); i > 0; i--) {
    const op = `${["Start", "Stop", "Backup"][i % 3]} VM old${i % 8}`;
    add(`old${i % 8}`, op, i % 13 ? "finished" : "error", now - i * 7e5, now - i * 7e5 + 15e3);
  }
  const progress = ({ from, to }: Row<string>): number =>
    Math.min(100, Math.floor(((world.now() - from) / (to - from)) * 100));
  const status = (doc: Row<string>): string =>
    progress(doc) < 10 ? "waiting" : progress(doc) < 100 ? "in progress" : doc.end;
  return {
    answer(request) {
      const op = operationOf(request);
      if (op?.format !== "json") return { status: 404, body: `Cannot ${request.method} ${request.path}` };
      if ("point" in op) {
        const files = op.what === "files" ? { paths: pathsOf(request) } : undefined;
        const what = `Restore ${files ? `${files.paths.length} file(s) of ` : ""}VM ${op.machine}`;
        const end = world.endOf(op.machine) === "complete" ? "finished" : "error";
        const id = add(op.machine, `${what} from backup ${op.point}`, end);
        world.posted({ machine: op.machine, point: op.point, ...files, ids: [id] });
        return { status: 200, body: { success: true, message: "Restore started" } };
      }
      const all = docs.filter((doc) => op.what !== "log" || doc.vm === op.machine);
      const size = op.perPage || 10;
      const page = Math.max(1, Math.min(op.page ?? 1, Math.ceil(all.length / size)));
      const body = all.slice((page - 1) * size, page * size).map((doc) => {
        const createdAt = new Date(doc.from);
        if (op.what === "log") return `${createdAt.toUTCString()} - ${doc.op} - ${status(doc)}`;
        const output = op.detailed ? { log_output: `${doc.op}... ${status(doc)}!` } : {};
        return {
          _id: doc.id,
          title: doc.op,
          status: status(doc),
          progress: progress(doc),
          createdAt,
          ...output,
          __v: 0,
        };
      });
      return { status: 200, body };
    },
    work: (vm, op) => void add(vm, `${op.charAt(0).toUpperCase()}${op.slice(1)} VM ${vm}`, "finished"),
  };
};

/** Enterprise XML only: a namespace, PascalCase attributes, codes, an acknowledgement, a fault above 100 records. */
const enterprise: MakePanel = (world) => {
  const [rows, length]: [Row<string>[], number] = [[], world.restoreSeconds * 1000];
  const add = (vm: string, op: string, end: string, from = world.now(), to = from + length): string => {
    const id = `TXN-${String(88100 + rows.length).padStart(8, "0")}`;
    rows.unshift({ id, vm, op, from, to, end });
    return id;
  };
  for (let i = 30, now = world.now(); i > 0; i--) {
    const op = ["VM_START", "VM_STOP", "VM_BACKUP"][i % 3] ?? "";
    add(`CI${9000 + (i % 4)}`, op, i % 10 ? "COMPLETED" : "ABORTED", now - i * 12e5, now - i * 12e5 + 9e4);
  }
  const status = ({ from, to, end }: Row<string>, now = world.now()): string =>
    now < from + (to - from) / 4 ? "SUBMITTED" : now < to ? "PROCESSING" : end;
  const tag = (name: string, attributes: Record<string, string | number>, inner = ""): string => {
    const quoted = (value: string | number): string =>
      String(value).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");
    const list = Object.entries(attributes).map(([key, value]) => ` ${key}="${quoted(value)}"`);
    return `<cmi:${name}${list.join("")}>${inner}</cmi:${name}>`;
  };
  const reply = (code: number, xml: string) => {
    const body = xml.replace(
      /^<[^ >]+/,
      '<?xml version="1.0" encoding="UTF-8"?>\n$& xmlns:cmi="urn:cloud:management:v5"',
    );
    return { status: code, headers: { "content-type": "application/xml;charset=UTF-8" }, body };
  };
  return {
    answer(request) {
      const op = operationOf(request);
      if (op?.format !== "xml") return reply(404, tag("Fault", { Code: "CMI-0404", Reason: "No such operation" }));
      if ("point" in op) {
        const files = op.what === "files" ? { paths: pathsOf(request) } : undefined;
        const end = world.endOf(op.machine) === "complete" ? "COMPLETED" : "ABORTED";
        const id = add(op.machine, files ? "FILE_RESTORE" : "VM_RESTORE", end);
        world.posted({ machine: op.machine, point: op.point, ...files, ids: [id] });
        return reply(202, tag("Acknowledgement", { TransactionId: id }));
      }
      const [page, size] = [op.page || 1, op.perPage || 10];
      if (size > 100) return reply(400, tag("Fault", { Code: "CMI-0107", Reason: "Page size exceeds 100" }));
      const all = rows.filter((row) => op.what !== "log" || row.vm === op.machine);
      const list = all.slice((page - 1) * size, page * size).map((row) => {
        const [text, Timestamp] = [`${row.op} ${status(row)}`, new Date(row.from).toISOString()];
        if (op.what === "log") return tag("LogEntry", { Severity: "INFO", Timestamp, TransactionRef: row.id }, text);
        const inner =
          tag("Target", { Type: "VirtualMachine", Ref: row.vm }) + (op.detailed ? tag("log_output", {}, text) : "");
        const attributes = { TransactionId: row.id, OperationCode: row.op, StatusCode: status(row), Timestamp };
        return tag("Transaction", attributes, inner);
      });
      const counts = { PageNumber: page, PageSize: size, TotalRecords: all.length };
      return reply(200, tag(op.what === "log" ? "LogEntryList" : "TransactionList", counts, list.join("")));
    },
    work: (vm, op) => void add(vm, `VM_${op.toUpperCase()}`, "COMPLETED"),
  };
};

/** UUIDs for everything, in JSON:API documents: a row names its machine by a UUID that is not the id in the path. */
const uuids: MakePanel = (world) => {
  type Item = Row<string> & { readonly logId: string };
  const [items, length]: [Item[], number] = [[], world.restoreSeconds * 1000];
  const add = (vm: string, op: string, end: string, from = world.now(), to = from + length): Item => {
    const item = { id: randomUUID(), logId: randomUUID(), vm, op, from, to, end };
    items.unshift(item);
    return item;
  };
  for (let i = 30, now = world.now(); i > 0; i--) {
    const op = ["start", "stop", "backup"][i % 3] ?? "";
    add(`retired-${i % 6}`, op, i % 14 ? "succeeded" : "errored", now - i * 8e5, now - i * 8e5 + 25e3);
  }
  const uuidOf = (vm: string): string => {
    const hex = createHash("sha1").update(`virtual-machine/${vm}`).digest("hex");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  };
  const state = ({ from, to, end }: Item, now = world.now()): string =>
    now < from + (to - from) / 5 ? "scheduled" : now < to ? "active" : end;
  const resource = (row: Item, detailed: boolean): object => {
    const output = detailed ? { log_output: `${row.id} ${row.op} ${state(row)}` } : {};
    const attributes = { action: row.op, state: state(row), "created-at": new Date(row.from).toISOString(), ...output };
    const machine = { data: { type: "virtual-machines", id: uuidOf(row.vm) } };
    return { type: "transactions", id: row.id, attributes, relationships: { "virtual-machine": machine } };
  };
  const logItem = (row: Item): object => {
    const relationships = { transaction: { data: { type: "transactions", id: row.id } } };
    return { type: "log-items", id: row.logId, attributes: { text: `${row.op} ${state(row)}` }, relationships };
  };
  return {
    answer(request) {
      const [op, headers] = [operationOf(request), { "content-type": "application/vnd.api+json" }];
      if (op?.format !== "json")
        return { status: 404, headers, body: { errors: [{ id: randomUUID(), status: "404" }] } };
      if ("point" in op) {
        const files = op.what === "files" ? { paths: pathsOf(request) } : undefined;
        const end = world.endOf(op.machine) === "complete" ? "succeeded" : "errored";
        const row = add(op.machine, files ? "restore-files" : "restore", end);
        world.posted({ machine: op.machine, point: op.point, ...files, ids: [row.id] });
        return { status: 202, headers, body: { data: resource(row, false) } };
      }
      const all = items.filter((row) => op.what !== "log" || row.vm === op.machine);
      const [number, size] = [op.page || 1, Math.min(op.perPage || 10, 50)];
      const page = all.slice((number - 1) * size, number * size);
      const data = page.map((row) => (op.what === "log" ? logItem(row) : resource(row, op.detailed)));
      return { status: 200, headers, body: { data, meta: { total: all.length, number, size } } };
    },
    work: (vm, op) => void add(vm, op, "succeeded"),
  };
};

/** Events with steps in one list: a restore is a parent that names its machine, and steps that only name the parent. */
const steps: MakePanel = (world) => {
  type Event = Row & { readonly parent: number | null; readonly begins: number };
  const [rows, length]: [Event[], number] = [[], world.restoreSeconds * 1000];
  const add = (vm: string, op: string, end: string, from = world.now(), to = from + length): number =>
    499 + rows.unshift({ id: 500 + rows.length, parent: null, vm, op, from, begins: from + (to - from) / 10, to, end });
  for (let i = 30, now = world.now(); i > 0; i--) {
    const op = ["machine.start", "machine.stop", "machine.backup"][i % 3] ?? "";
    add(`${60010 + (i % 9)}`, op, "finished", now - i * 5e5, now - i * 5e5 + 3e4);
  }
  /** Each step begins when the previous step has ended. After a failed step, the others are skipped. */
  const restore = (vm: string, op: string, names: readonly string[], failed: boolean): number[] => {
    const [parent, from] = [add(vm, op, failed ? "failed" : "finished"), world.now()];
    const ids = names.map((name, i) => {
      const at = (step: number): number => from + length * (failed && step > 1 ? 1 : 0.1 + (0.9 * step) / names.length);
      const end = failed && i > 0 ? (i > 1 ? "skipped" : "failed") : "finished";
      const [begins, to, id] = [at(i), at(i + 1), 500 + rows.length];
      rows.unshift({ id, parent, vm, op: `${op}.${name}`, from, begins, to, end });
      return id;
    });
    return [parent, ...ids];
  };
  const whole = ["stop_machine", "write_disks", "start_machine"];
  const state = ({ begins, to, end }: Event, now = world.now()): string =>
    now < begins ? "queued" : now < to ? "started" : end;
  return {
    answer(request) {
      const op = operationOf(request);
      if (op?.format !== "json") return { status: 404, body: { error: { code: "unknown_resource" } } };
      if ("point" in op) {
        const files = op.what === "files" ? { paths: pathsOf(request) } : undefined;
        const [event, names] = files ? ["files.restore", ["mount", "copy", "unmount"]] : ["machine.restore", whole];
        const ids = restore(op.machine, event, names, world.endOf(op.machine) === "failed");
        world.posted({ machine: op.machine, point: op.point, ...files, ids });
        return { status: 202, body: { event_id: ids[0] } };
      }
      const [page, size] = [op.page || 1, op.perPage || 10];
      const all = rows.filter((row) => op.what !== "log" || row.vm === op.machine);
      const events = all.slice((page - 1) * size, page * size).map((row) => {
        const [at, now] = [`${new Date(row.from).toISOString().slice(0, 19)}+00:00`, state(row)];
        if (op.what === "log") return { at, event_id: row.id, text: `${row.op} ${now}` };
        const names = row.parent === null ? { subject: `virtual_machine:${row.vm}` } : { parent_id: row.parent };
        const output = op.detailed ? { log_output: `${row.op}: ${now}` } : {};
        return { id: row.id, event: row.op, state: now, at, ...names, ...output };
      });
      return { status: 200, body: op.what === "log" ? { log: events } : { events } };
    },
    work(vm, op) {
      if (op === "restore") restore(vm, "machine.restore", whole, false);
      else add(vm, `machine.${op}`, "finished");
    },
  };
};

/** A minimalist: a row is an id and a status, nothing else, and a machine's log is just its rows. */
const minimal: MakePanel = (world) => {
  const [rows, length]: [Row[], number] = [[], world.restoreSeconds * 1000];
  const add = (vm: string, end: string, from = world.now(), to = from + length): number =>
    rows.unshift({ id: rows.length + 1, vm, op: "", from, to, end });
  for (let i = 30, now = world.now(); i > 0; i--)
    add(`x${i % 5}`, i % 8 ? "ok" : "fail", now - i * 4e5, now - i * 4e5 + 1e4);
  const status = ({ from, to, end }: Row, now = world.now()): string =>
    now < from + (to - from) / 5 ? "new" : now < to ? "run" : end;
  return {
    answer(request) {
      const op = operationOf(request);
      if (op?.format !== "json") return { status: 404 };
      if ("point" in op) {
        const files = op.what === "files" ? { paths: pathsOf(request) } : undefined;
        const id = add(op.machine, world.endOf(op.machine) === "complete" ? "ok" : "fail");
        world.posted({ machine: op.machine, point: op.point, ...files, ids: [id] });
        return { status: 200, body: { id } };
      }
      const [page, size] = [op.page || 1, op.perPage || 10];
      const all = rows.filter((row) => op.what !== "log" || row.vm === op.machine);
      const body = all.slice((page - 1) * size, page * size).map((row) => {
        const output = op.what === "transactions" && op.detailed ? { log_output: status(row) } : {};
        return { id: row.id, status: status(row), ...output };
      });
      return { status: 200, body };
    },
    work: (vm) => void add(vm, "ok"),
  };
};

/** A database person: result sets in both formats, status in the columns state and result, times without a zone. */
const database: MakePanel = (world) => {
  type Columns = Record<string, string | number | null>;
  const [table, length]: [Row[], number] = [[], world.restoreSeconds * 1000];
  const insert = (vm: string, op: string, end: string, from = world.now(), to = from + length): number =>
    1000339 + table.unshift({ id: 1000340 + table.length, vm, op, from, to, end });
  for (let i = 30, now = world.now(); i > 0; i--) {
    const op = ["VMSTART", "VMSTOP", "VMBACKUP"][i % 3] ?? "";
    insert(`${50001 + (i % 6)}`, op, i % 12 ? "OK" : "ERROR", now - i * 65e4, now - i * 65e4 + 55e3);
  }
  const state = ({ from, to }: Row, now = world.now()): string =>
    now < from + (to - from) / 5 ? "QUEUED" : now < to ? "ACTIVE" : "CLOSED";
  const stamp = (ms: number): string =>
    new Date(Math.min(ms, world.now())).toISOString().slice(0, 19).replace("T", " ");
  const select = (row: Row, detailed: boolean): Columns => {
    const [result, times] = [world.now() < row.to ? null : row.end, { ts_ins: stamp(row.from), ts_upd: stamp(row.to) }];
    const output = detailed ? { log_output: `${row.op};${state(row)};${result ?? ""}` } : {};
    return { tx_id: row.id, op_code: row.op, vm_id: row.vm, state: state(row), result, ...times, ...output };
  };
  const selectLog = (row: Row): Columns => ({ tx_id: row.id, ts: stamp(row.to), msg: `${row.op} ${state(row)}` });
  const xmlRow = (columns: Columns): string => {
    const cells = Object.entries(columns).map(([name, value]) => {
      const text = String(value).replace(/&/g, "&amp;").replace(/</g, "&lt;");
      return value === null ? `<${name} xsi:nil="true"/>` : `<${name}>${text}</${name}>`;
    });
    return `<row>${cells.join("")}</row>\n`;
  };
  const reply = (status: number, name: string, rows: readonly Columns[], format: "json" | "xml") => {
    if (format === "json") return { status, body: { rows, row_count: rows.length } };
    const start = `<${name} xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n`;
    return { status, headers: { "content-type": "text/xml" }, body: `${start}${rows.map(xmlRow).join("")}</${name}>` };
  };
  return {
    answer(request) {
      const op = operationOf(request);
      if (!op) return { status: 404, body: { sqlstate: "42P01", message: "relation does not exist" } };
      if ("point" in op) {
        const files = op.what === "files" ? { paths: pathsOf(request) } : undefined;
        const end = world.endOf(op.machine) === "complete" ? "OK" : "ERROR";
        const tx_id = insert(op.machine, files ? "FLRESTORE" : "VMRESTORE", end);
        world.posted({ machine: op.machine, point: op.point, ...files, ids: [tx_id] });
        return reply(201, "inserted", [{ tx_id }], op.format);
      }
      const [offset, limit] = [((op.page || 1) - 1) * (op.perPage || 10), op.perPage || 10];
      const rows = table.filter((row) => op.what !== "log" || row.vm === op.machine).slice(offset, offset + limit);
      const list = rows.map((row) => (op.what === "log" ? selectLog(row) : select(row, op.detailed)));
      return reply(200, op.what === "log" ? "log" : "transactions", list, op.format);
    },
    work: (vm, op) => void insert(vm, `VM${op.toUpperCase()}`, "OK"),
  };
};

export const b: Readonly<Record<string, { make: MakePanel; formats: readonly ("json" | "xml")[] }>> = {
  "wrapped Rails rows": { make: rails, formats: ["json", "xml"] },
  "Spring page envelope": { make: spring, formats: ["json"] },
  "Go, empty and null": { make: go, formats: ["json"] },
  "Django REST hyperlinks": { make: django, formats: ["json"] },
  "Express titles, clamped pages": { make: express, formats: ["json"] },
  "enterprise XML attributes": { make: enterprise, formats: ["xml"] },
  "UUIDs in JSON:API": { make: uuids, formats: ["json"] },
  "parent events with steps": { make: steps, formats: ["json"] },
  "id and status only": { make: minimal, formats: ["json"] },
  "state and result columns": { make: database, formats: ["json", "xml"] },
};
