import { randomUUID } from "node:crypto";
import { operationOf, pathsOf, type MakePanel } from "../panel";

/** A Rails scaffold: a bare array of wrapped rows in snake case with numbers as ids; a POST answers 201 with the new transaction. */
const railsScaffold: MakePanel = (world) => {
  type Row = { id: number; action: string; vm: string; begin: number; end: number; failed: boolean };
  const rows: Row[] = [];
  const add = (vm: string, action: string, begin: number, seconds: number, failed: boolean): Row => {
    const row = { id: 48113 + rows.length, action, vm, begin, end: begin + seconds * 1000, failed };
    rows.unshift(row);
    return row;
  };
  for (let i = 30; i > 0; i--) {
    add(`${7301 + (i % 7)}`, i % 3 ? "take_backup" : "stop_virtual_machine", world.now() - i * 660_000, 45, i === 11);
  }
  const iso = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+/, "");
  const show = ({ id, action, vm, begin, end, failed }: Row, detailed: boolean): object => {
    const ended = world.now() >= end;
    const running = world.now() < begin + (end - begin) / 10 ? "pending" : "running";
    const common = { id, action, status: ended ? (failed ? "failed" : "complete") : running, priority: 10, user_id: 4 };
    const associated_object_id = /^\d+$/.test(vm) ? Number(vm) : vm;
    const machine = { associated_object_type: "VirtualMachine", associated_object_id };
    const times = { created_at: iso(begin), updated_at: iso(ended ? end : begin) };
    const output = detailed && { log_output: ended ? `Executing ${action}\nExit code: ${failed ? 1 : 0}\n` : null };
    return { transaction: { ...common, ...machine, ...times, ...output } };
  };
  return {
    work: (vm, operation) => void add(vm, `${operation}_virtual_machine`, world.now(), world.restoreSeconds, false),
    answer(request) {
      const op = operationOf(request);
      if (op?.format !== "json") return { status: 404, body: { errors: ["Resource not found"] } };
      if ("point" in op) {
        const paths = op.what === "files" ? pathsOf(request) : undefined;
        const action = paths ? "restore_file_entries" : "restore_virtual_machine";
        const row = add(op.machine, action, world.now(), world.restoreSeconds, world.endOf(op.machine) === "failed");
        world.posted({ machine: op.machine, point: op.point, ...(paths && { paths }), ids: [row.id] });
        return { status: 201, body: show(row, false) };
      }
      const { perPage = 10, page = 1 } = op;
      const own = op.what === "log" ? rows.filter(({ vm }) => vm === op.machine) : rows;
      const body = own.slice((page - 1) * perPage, page * perPage).map((row) => {
        if (op.what === "transactions") return show(row, op.detailed);
        const { id, action, begin } = row;
        return { log_item: { id: id * 2 + 1, transaction_id: id, action, created_at: iso(begin) } };
      });
      return { status: 200, body };
    },
  };
};

/** Camel case in a paged envelope, uuids, steps nested in the row, milliseconds; a POST answers 202 with only a Location; past the end is 404. */
const camelNestedSteps: MakePanel = (world) => {
  type Row = { id: string; operation: string; vm: string; begin: number; end: number; failed: boolean };
  const rows: Row[] = [];
  const add = (vm: string, operation: string, begin: number, seconds: number, failed = false): string => {
    const id = randomUUID();
    rows.unshift({ id, operation, vm, begin, end: begin + seconds * 1000, failed });
    return id;
  };
  for (let i = 31; i > 0; i--) add(`73${10 + (i % 5)}`, i % 3 ? "backup" : "start", world.now() - i * 1_800_000, 300);
  const stateOf = ({ begin, end, failed }: Row, from = 0.1, to = 1): string => {
    const part = (world.now() - begin) / (end - begin);
    return part < from ? "QUEUED" : part < to ? "IN_PROGRESS" : failed && to === 1 ? "FAILED" : "SUCCEEDED";
  };
  const show = (row: Row, detailed: boolean): object => {
    const { id, operation, vm, begin, end } = row;
    const times = { createdAt: begin, finishedAt: world.now() < end ? null : end };
    const steps = ["prepare", "transfer", "verify"].map((name, i) => {
      return { name, state: stateOf(row, [0.1, 0.3, 0.9][i], [0.3, 0.9, 1][i]) };
    });
    const common = { id, operation, state: stateOf(row), target: { kind: "virtualMachine", id: vm } };
    return { ...common, ...times, steps, ...(detailed && { log_output: `${operation}: ${stateOf(row)}` }) };
  };
  const error = (status: number, code: string, message: string) => ({ status, body: { error: { code, message } } });
  return {
    work: (vm, operation) => void add(vm, operation, world.now(), world.restoreSeconds),
    answer(request) {
      const op = operationOf(request);
      if (op?.format !== "json") return error(404, "NOT_FOUND", "No such resource.");
      if ("point" in op) {
        const paths = op.what === "files" ? pathsOf(request) : undefined;
        const failed = world.endOf(op.machine) === "failed";
        const id = add(op.machine, paths ? "restoreFiles" : "restore", world.now(), world.restoreSeconds, failed);
        world.posted({ machine: op.machine, point: op.point, ...(paths && { paths }), ids: [id] });
        return { status: 202, headers: { location: `/transactions/${id}` } };
      }
      const all = op.what === "transactions" ? rows : rows.filter(({ vm }) => vm === op.machine);
      const [page, perPage] = [op.page ?? 1, Math.min(Math.max(op.perPage ?? 10, 1), 50)];
      const totalPages = Math.max(1, Math.ceil(all.length / perPage));
      if (page < 1 || page > totalPages) return error(404, "PAGE_OUT_OF_RANGE", `There are ${totalPages} pages.`);
      const items = all.slice((page - 1) * perPage, page * perPage).map((row) => {
        if (op.what === "transactions") return show(row, op.detailed);
        return { timestamp: row.begin, message: `${row.operation} ${stateOf(row)}`, transactionId: row.id };
      });
      return { status: 200, body: { items, page, perPage, totalItems: all.length, totalPages } };
    },
  };
};

/** A restore is a parent, and its steps are further rows that appear when they begin and name only the parent; text numbers, unix seconds. */
const parentAndStepRows: MakePanel = (world) => {
  type Row = { id: string; parent: string; vm: string; name: string; begin: number; end: number; failed: boolean };
  const rows: Row[] = [];
  const add = (vm: string, name: string, begin: number, end: number, parent = "", failed = false): string => {
    const id = String(1001 + rows.length);
    rows.push({ id, parent, vm, name, begin, end, failed });
    return id;
  };
  const at = (part: number): number => world.now() + part * world.restoreSeconds * 1000;
  for (let i = 32; i > 0; i--) {
    add(`${7340 + (i % 4)}`, i % 3 ? "vm.backup" : "vm.start", at(0) - i * 900_000, at(0) - i * 900_000 + 75_000);
  }
  const statusOf = ({ parent, begin, end, failed }: Row): string => {
    if (world.now() >= end) return failed ? "error" : "done";
    return parent === "" && world.now() < begin + (end - begin) / 10 ? "waiting" : "active";
  };
  return {
    work: (vm, operation) => void add(vm, `vm.${operation}`, at(0), at(1)),
    answer(request) {
      const op = operationOf(request);
      if (op?.format !== "json") return { status: 404, body: { message: "not found" } };
      if ("point" in op) {
        const { machine, point } = op;
        const [paths, failed] = [op.what === "files" ? pathsOf(request) : undefined, world.endOf(machine) === "failed"];
        const job = add(machine, paths ? "vm.restore_files" : "vm.restore", at(0), at(1), "", failed);
        const ids = [job, add(machine, paths ? "step: mount" : "step: stop", at(0.1), at(0.3), job)];
        ids.push(add(machine, "step: copy", at(0.3), at(failed ? 1 : 0.9), job, failed));
        if (!failed) ids.push(add(machine, paths ? "step: unmount" : "step: start", at(0.9), at(1), job));
        world.posted({ machine, point, ...(paths && { paths }), ids });
        return { status: 202, body: { job } };
      }
      const seen = rows.filter(({ begin, vm }) => begin <= world.now() && (op.what !== "log" || vm === op.machine));
      const sorted = seen.sort((one, two) => two.begin - one.begin || Number(two.id) - Number(one.id));
      const { page = 1, perPage = 10 } = op;
      const body = sorted.slice((page - 1) * perPage, page * perPage).map((row) => {
        const { id, name, parent, vm, end } = row;
        const [status, started] = [statusOf(row), Math.floor(row.begin / 1000)];
        if (op.what === "log") return { time: started, job_id: id, text: `${name} (${status})` };
        const times = { started, ended: world.now() < end ? 0 : Math.floor(end / 1000) };
        const owner = parent === "" ? { vm } : { parent_id: parent };
        return { id, name, ...owner, status, ...times, ...(op.detailed && { log_output: `${name}: ${status}` }) };
      });
      return { status: 200, headers: { "x-total-count": String(sorted.length) }, body };
    },
  };
};

/** XML only and all in attributes, with lettered ids, and a state apart from the result; a POST answers with the id of the transaction. */
const xmlAttributes: MakePanel = (world) => {
  type Row = { id: string; type: string; vm: string; begin: number; end: number; result: string };
  const rows: Row[] = [];
  const add = (vm: string, type: string, begin: number, seconds: number, result = "success"): string => {
    rows.unshift({ id: `T${620 + rows.length}`, type, vm, begin, end: begin + seconds * 1000, result });
    return `T${619 + rows.length}`;
  };
  for (let i = 30; i > 0; i--) add(`${7360 + (i % 6)}`, i % 4 ? "backup" : "stop", world.now() - i * 3_600_000, 120);
  const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  const escaped = (value: string): string => value.replace(/[&<>"]/g, (letter) => escapes[letter] ?? letter);
  const element = (name: string, attributes: Record<string, string | number>, inner = ""): string => {
    const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(String(value))}"`);
    return `<${name}${written.join("")}${inner ? `>${inner}</${name}>` : "/>"}`;
  };
  const send = (status: number, root: string) => {
    return { status, headers: { "content-type": "application/xml" }, body: `<?xml version="1.0"?>\n${root}\n` };
  };
  const show = ({ id, type, vm, begin, end, result }: Row, detailed: boolean): string => {
    const ended = world.now() >= end;
    const state = ended ? "finished" : world.now() < begin + (end - begin) / 8 ? "queued" : "executing";
    const attributes = { id, type, vm, state, ...(ended && { result }), started: new Date(begin).toISOString() };
    return element("transaction", attributes, detailed ? element("log_output", {}, `${type} -&gt; ${state}`) : "");
  };
  return {
    work: (vm, operation) => void add(vm, operation, world.now(), world.restoreSeconds),
    answer(request) {
      const op = operationOf(request);
      if (op?.format !== "xml") return send(404, element("error", { code: 404, message: "Unknown path" }));
      if ("point" in op) {
        const paths = op.what === "files" ? pathsOf(request) : undefined;
        const result = world.endOf(op.machine) === "failed" ? "failure" : "success";
        const id = add(op.machine, paths ? "file-restore" : "restore", world.now(), world.restoreSeconds, result);
        world.posted({ machine: op.machine, point: op.point, ...(paths && { paths }), ids: [id] });
        return send(202, element("accepted", { transaction: id }));
      }
      const { page = 1, perPage = 10 } = op;
      const own = op.what === "log" ? rows.filter(({ vm }) => vm === op.machine) : rows;
      const inner = own.slice((page - 1) * perPage, page * perPage).map((row) => {
        if (op.what === "transactions") return show(row, op.detailed);
        const at = new Date(row.begin).toISOString();
        return element("entry", { at, transaction: row.id }, `${row.type} requested`);
      });
      return send(200, element(op.what, { page, total: own.length }, inner.join("")));
    },
  };
};

/** XML in typed elements, and the same in JSON; a restore queues a start that depends on it, cancelled if it fails; a POST answers 204. */
const elementsChainedStart: MakePanel = (world) => {
  type Row = { vm: string; action: string; created: number; begin: number; end: number; bad?: string; after?: number };
  const rows: (Row & { id: number })[] = [];
  const add = (row: Row): number => rows.unshift({ ...row, id: 200_540 + rows.length }) + 200_539;
  for (let i = 33; i > 0; i--) {
    const created = world.now() - i * 500_000;
    add({ vm: `${7380 + (i % 3)}`, action: i % 4 ? "stop" : "resize", created, begin: created, end: created + 62_000 });
  }
  const iso = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}+00:00`;
  const statusOf = ({ begin, end, bad }: Row): string => {
    return world.now() >= end ? (bad ?? "success") : world.now() < begin ? "scheduled" : "in_progress";
  };
  const xml = (name: string, value: unknown): string => {
    if (value === null) return `<${name} nil="true"/>`;
    if (typeof value === "number") return `<${name} type="integer">${value}</${name}>`;
    if (typeof value === "string") return `<${name}>${value.replace(/&/g, "&amp;").replace(/</g, "&lt;")}</${name}>`;
    const inner = Object.entries(value as object).map(([key, part]) =>
      xml(Array.isArray(value) ? name.slice(0, -1) : key, part),
    );
    return `<${name}${Array.isArray(value) ? ' type="array"' : ""}>${inner.join("")}</${name}>`;
  };
  const at = (part: number): number => world.now() + part * world.restoreSeconds * 1000;
  return {
    work: (vm, action) => void add({ vm, action, created: at(0), begin: at(0.1), end: at(1) }),
    answer(request) {
      const op = operationOf(request);
      if (!op) return { status: 404 };
      if ("point" in op) {
        const { machine: vm, point } = op;
        const paths = op.what === "files" ? pathsOf(request) : undefined;
        const [action, bad] = [paths ? "restore_files" : "restore", world.endOf(vm) === "failed" && { bad: "failure" }];
        const [created, end] = [at(0), bad || paths ? at(1) : at(0.85)];
        const ids = [add({ vm, action, created, begin: at(0.1), end, ...bad })];
        const start = { vm, action: "start", created, begin: end, end: at(1), ...(bad && { bad: "cancelled" }) };
        if (!paths) ids.push(add({ ...start, after: ids[0] ?? 0 }));
        world.posted({ machine: vm, point, ...(paths && { paths }), ids });
        return { status: 204 };
      }
      const [{ page = 1, perPage = 10 }, name] = [op, op.what === "log" ? "log_items" : "transactions"];
      const own = op.what === "log" ? rows.filter(({ vm }) => vm === op.machine) : rows;
      const list = own.slice((page - 1) * perPage, page * perPage).map((row) => {
        const { id, action, vm, created, end, after: depends_on = null } = row;
        const [status, created_at] = [statusOf(row), iso(created)];
        if (op.what === "log") return { transaction_id: id, event: `${action} ${status}`, created_at };
        const times = { created_at, ended_at: world.now() < end ? null : iso(end) };
        const output = op.detailed && { log_output: `${action} <${vm}>\n${status}` };
        return { id, action, status, virtual_machine_id: vm, depends_on, ...times, ...output };
      });
      if (op.format === "json") return { status: 200, body: { [name]: list } };
      return { status: 200, headers: { "content-type": "application/xml" }, body: xml(name, list) };
    },
  };
};

/** Names the machine only in prose, shows a page oldest first, a row turns up a moment after its POST; `/page` and `/per_page` do not combine. */
const machineInProse: MakePanel = (world) => {
  type Row = { id: string; machine: string; text: string; shown: number; end: number; failed: boolean };
  const rows: Row[] = [];
  const add = (machine: string, text: string, shown: number, end: number, failed = false): string => {
    const id = `tx-${String(rows.length + 1).padStart(6, "0")}`;
    rows.push({ id, machine, text, shown, end, failed });
    return id;
  };
  for (let i = 30; i > 0; i--) {
    const [machine, at] = [`${7400 + (i % 8)}`, world.now() - i * 240_000];
    add(machine, `${i % 3 ? "Backup" : "Start"} virtual machine ${machine}`, at, at + 30_000, i === 20);
  }
  const statusOf = ({ shown, end, failed }: Row): string => {
    if (world.now() >= end) return failed ? "Failed" : "Completed";
    return world.now() < shown + (end - shown) / 10 ? "Scheduled" : "Running";
  };
  return {
    work(machine, operation) {
      const text = `${operation.replace(/^./, (first) => first.toUpperCase())} virtual machine ${machine}`;
      add(machine, text, world.now(), world.now() + world.restoreSeconds * 1000);
    },
    answer(request) {
      const op = operationOf(request);
      if (op?.format !== "json") return { status: 404, body: { message: "Page not found" } };
      if ("point" in op) {
        const { machine, point } = op;
        const paths = op.what === "files" ? pathsOf(request) : undefined;
        const text = `Restore ${paths ? `${paths.length} file(s) to ` : ""}virtual machine ${machine} from point ${point}`;
        const [seconds, failed] = [world.restoreSeconds, world.endOf(machine) === "failed"];
        const shown = world.now() + Math.min(1500, seconds * 100);
        const id = add(machine, text, shown, world.now() + seconds * 1000, failed);
        world.posted({ machine, point, ...(paths && { paths }), ids: [id] });
        return { status: 202, body: { message: "The restore has been scheduled" } };
      }
      if (op.page !== undefined && op.perPage !== undefined) return { status: 404, body: { message: "No such page" } };
      const { page = 1, perPage = 10 } = op;
      if (perPage < 1 || perPage > 100) return { status: 422, body: { message: "per_page must be between 1 and 100" } };
      const own = rows.filter((row) => row.shown <= world.now() && (op.what !== "log" || row.machine === op.machine));
      const end = Math.max(0, own.length - (page - 1) * perPage);
      const list = own.slice(Math.max(0, end - perPage), end).map((row) => {
        const [status, date] = [statusOf(row), new Date(row.shown).toISOString().slice(0, 19).replace("T", " ")];
        if (op.what === "log") return `${date} ${row.id} ${status}: ${row.text}`;
        const output = op.detailed && { log_output: [row.text, status] };
        return { id: row.id, description: row.text, status, date, ...output };
      });
      return { status: 200, body: op.what === "log" ? { lines: list } : { transactions: list } };
    },
  };
};

/** Pascal case in a result envelope; a row has neither machine nor time, only a percentage: the log of a machine and the POST say whose it is. */
const rowsWithoutMachine: MakePanel = (world) => {
  type Row = { Id: number; Type: string; machine: string; begin: number; end: number; failed: boolean };
  const rows: Row[] = [];
  const add = (machine: string, operation: string, begin: number, seconds: number, failed = false): number => {
    const Type = operation.replace(/^./, (first) => first.toUpperCase());
    return rows.unshift({ Id: rows.length + 1, Type, machine, begin, end: begin + seconds * 1000, failed });
  };
  for (let i = 30; i > 0; i--) {
    add(`${7420 + (i % 5)}`, i % 2 ? "startVirtualMachine" : "backupVirtualMachine", world.now() - i * 420_000, 90);
  }
  const stateOf = ({ begin, end, failed }: Row): { State: string; Percent: number } => {
    const Percent = Math.max(0, Math.floor((110 * (world.now() - begin)) / (end - begin)) - 10);
    if (world.now() < end) return { State: Percent > 0 ? "Processing" : "Enqueued", Percent };
    return { State: failed ? "Failed" : "Succeeded", Percent: 100 };
  };
  const fail = (status: number, ErrorMessage: string) => {
    return { status, body: { Success: false, ErrorMessage, Result: null } };
  };
  const succeed = (Result: object) => ({ status: 200, body: { Success: true, ErrorMessage: null, Result } });
  return {
    work: (machine, operation) => void add(machine, `${operation}VirtualMachine`, world.now(), world.restoreSeconds),
    answer(request) {
      const op = operationOf(request);
      if (op?.format !== "json") return fail(404, "The resource cannot be found.");
      if ("point" in op) {
        const { machine, point } = op;
        const paths = op.what === "files" ? pathsOf(request) : undefined;
        if (paths && !paths.every((path) => path.startsWith("/"))) return fail(400, "A path must start with a slash.");
        const type = paths ? "RestoreFileEntries" : "RestoreVirtualMachine";
        const id = add(machine, type, world.now(), world.restoreSeconds, world.endOf(machine) === "failed");
        world.posted({ machine, point, ...(paths && { paths }), ids: [id] });
        return succeed({ TransactionId: id });
      }
      const { page = 1, perPage = 10 } = op;
      const own = op.what === "log" ? rows.filter(({ machine }) => machine === op.machine) : rows;
      const Rows = own.slice((page - 1) * perPage, page * perPage).map((row) => {
        const { Id, Type } = row;
        const { State, Percent } = stateOf(row);
        if (op.what === "log") return { TransactionId: Id, Text: `${Type}: ${State}` };
        return { Id, Type, State, Percent, ...(op.detailed && { log_output: `${Type}\r\n${Percent}%` }) };
      });
      return succeed({ TotalCount: own.length, Rows });
    },
  };
};

/** JSON:API in kebab case, the machine as a relationship, one row per restored file, and a list that starts empty. */
const jsonApiRowPerFile: MakePanel = (world) => {
  type Row = { id: string; kind: string; vm: string; path: string | null; begin: number; end: number; failed: boolean };
  const rows: Row[] = [];
  const add = (vm: string, kind: string, path: string | null = null, failed = false): Row => {
    const [begin, end] = [world.now(), world.now() + world.restoreSeconds * 1000];
    const row = { id: String(rows.length + 1), kind, vm, path, begin, end, failed };
    rows.unshift(row);
    return row;
  };
  const statusOf = ({ begin, end, failed }: Row): string => {
    if (world.now() >= end) return failed ? "failed" : "done";
    return world.now() < begin + (end - begin) / 5 ? "not-started" : "in-progress";
  };
  const show = (row: Row, detailed: boolean): object => {
    const { id, kind, path, begin, end, vm } = row;
    const finished = world.now() < end ? null : new Date(end).toISOString();
    const times = { "created-at": new Date(begin).toISOString(), "finished-at": finished };
    const output = detailed && { log_output: `${kind} ${path ?? vm}\n${statusOf(row)}\n` };
    const attributes = { kind, status: statusOf(row), "file-path": path, ...times, ...output };
    const relationships = { "virtual-machine": { data: { type: "virtual-machines", id: vm } } };
    return { type: "transactions", id, attributes, relationships };
  };
  return {
    work: (vm, operation) => void add(vm, `${operation}-vm`),
    answer(request) {
      const op = operationOf(request);
      if (op?.format !== "json") return { status: 404, body: { errors: [{ status: "404", title: "Not Found" }] } };
      if ("point" in op) {
        const { machine, point } = op;
        const [paths, failed] = [op.what === "files" ? pathsOf(request) : undefined, world.endOf(machine) === "failed"];
        const restored = paths?.map((path) => add(machine, "restore-file", path, failed));
        const made = restored ?? [add(machine, "restore-vm", null, failed)];
        world.posted({ machine, point, ...(paths && { paths }), ids: made.map(({ id }) => id) });
        return { status: 202, body: { data: made.map((row) => show(row, false)) } };
      }
      const [number, size] = [op.page ?? 1, Math.min(op.perPage ?? 10, 100)];
      const own = op.what === "log" ? rows.filter(({ vm }) => vm === op.machine) : rows;
      const data = own.slice((number - 1) * size, number * size).map((row) => {
        if (op.what === "transactions") return show(row, op.detailed);
        const attributes = { message: `${row.kind}: ${statusOf(row)}`, "transaction-id": row.id };
        return { type: "log-items", id: `${row.id}-1`, attributes };
      });
      return { status: 200, body: { data, meta: { page: { number, size, total: own.length } } } };
    },
  };
};

/** XML only, in Pascal-case elements with a namespace: a task has a urn as its id and its owner as a link; a POST answers, after a while, with the task. */
const xmlTasksWithOwner: MakePanel = (world) => {
  type Task = { id: string; type: string; vm: string; begin: number; end: number; failed: boolean };
  const tasks: Task[] = [];
  const add = (vm: string, type: string, begin: number, seconds: number, failed = false): Task => {
    const task = { id: `urn:task:${randomUUID()}`, type, vm, begin, end: begin + seconds * 1000, failed };
    tasks.unshift(task);
    return task;
  };
  for (let i = 30; i > 0; i--) add(`${7460 + (i % 9)}`, i % 3 ? "vmBackup" : "vmStop", world.now() - i * 900_000, 150);
  const send = (status: number, root: string, inner: string) => {
    const body = `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://panel.example/v1">${inner}</${root}>`;
    return { status, headers: { "content-type": "application/xml" }, body };
  };
  const inside = ({ id, type, vm, begin, end, failed }: Task, detailed: boolean): string => {
    const [ended, queued] = [world.now() >= end, world.now() < begin + (end - begin) / 10];
    const status = ended ? (failed ? "error" : "success") : queued ? "queued" : "running";
    const href = `/virtual_machines/${vm.replace(/[&<"]/g, (letter) => `&#${letter.charCodeAt(0)};`)}`;
    const head = `<Id>${id}</Id><Operation>${type}</Operation><Status>${status}</Status><Owner type="vm" href="${href}"/>`;
    const times = `<Started>${new Date(begin).toISOString()}</Started>`;
    return head + times + (detailed ? `<log_output><![CDATA[${type}: ${status}]]></log_output>` : "");
  };
  return {
    work: (vm, type) =>
      void add(vm, `vm${type.replace(/^./, (c) => c.toUpperCase())}`, world.now(), world.restoreSeconds),
    async answer(request) {
      const op = operationOf(request);
      if (op?.format !== "xml") return send(404, "Error", "<Code>RESOURCE_NOT_FOUND</Code>");
      if ("point" in op) {
        const { machine, point } = op;
        const [paths, failed] = [op.what === "files" ? pathsOf(request) : undefined, world.endOf(machine) === "failed"];
        const task = add(machine, paths ? "vmRestoreFiles" : "vmRestore", world.now(), world.restoreSeconds, failed);
        world.posted({ machine, point, ...(paths && { paths }), ids: [task.id] });
        await world.pause(150);
        return send(202, "Task", inside(task, false));
      }
      const { page = 1, perPage = 10 } = op;
      const own = op.what === "log" ? tasks.filter(({ vm }) => vm === op.machine) : tasks;
      const inner = own.slice((page - 1) * perPage, page * perPage).map((task) => {
        if (op.what === "transactions") return `<Task>${inside(task, op.detailed)}</Task>`;
        return `<Event><Time>${new Date(task.begin).toISOString()}</Time><TaskId>${task.id}</TaskId></Event>`;
      });
      if (page > 1 && inner.length === 0) return send(404, "Error", "<Code>NO_SUCH_PAGE</Code>");
      return send(200, op.what === "log" ? "EventList" : "TaskList", `<Total>${own.length}</Total>${inner.join("")}`);
    },
  };
};

/** A hypervisor's task list: the id is one long string with the machine inside, an ended task is "stopped" with an exit status; at most 25 rows a page. */
const stoppedWithExitStatus: MakePanel = (world) => {
  type Row = { upid: string; type: string; vmid: string; begin: number; end: number; exitstatus: string };
  const rows: Row[] = [];
  const hex = (value: number): string => Math.floor(value).toString(16).toUpperCase().padStart(8, "0");
  const add = (vmid: string, type: string, begin: number, seconds: number, exitstatus = "OK"): string => {
    const upid = `UPID:node1:${hex(21_840 + rows.length * 7)}:${hex(begin / 1000)}:${type}:${vmid}:admin@local:`;
    rows.unshift({ upid, type, vmid, begin, end: begin + seconds * 1000, exitstatus });
    return upid;
  };
  for (let i = 30; i > 0; i--) {
    add(`${7480 + (i % 6)}`, i % 3 ? "backup" : "stop", world.now() - i * 700_000, 20, i % 9 ? "OK" : "exit code 255");
  }
  const stateOf = ({ begin, end, exitstatus }: Row): object => {
    if (world.now() >= end) return { status: "stopped", exitstatus, endtime: Math.floor(end / 1000) };
    return { status: world.now() < begin + (end - begin) / 10 ? "queued" : "running" };
  };
  return {
    work: (vm, operation) => void add(vm, operation, world.now(), world.restoreSeconds),
    answer(request) {
      const op = operationOf(request);
      if (op?.format !== "json") return { status: 501, body: { data: null, message: "not implemented" } };
      if ("point" in op) {
        const { machine, point } = op;
        const paths = op.what === "files" ? pathsOf(request) : undefined;
        const exit = world.endOf(machine) === "failed" ? "unable to read recovery point: input/output error" : "OK";
        const upid = add(machine, paths ? "filerestore" : "restore", world.now(), world.restoreSeconds, exit);
        world.posted({ machine, point, ...(paths && { paths }), ids: [upid] });
        return { status: 200, body: { data: upid } };
      }
      const [page, perPage] = [op.page ?? 1, Math.min(op.perPage ?? 10, 25)];
      const [from, to] = [(page - 1) * perPage, page * perPage];
      if (op.what === "log") {
        const own = rows.filter(({ vmid }) => vmid === op.machine);
        const ends = own.filter(({ end }) => end <= world.now());
        const lines = own.map(({ upid, begin }) => ({ at: begin, t: `starting task ${upid}` }));
        lines.push(...ends.map(({ upid, end, exitstatus }) => ({ at: end, t: `end task ${upid} ${exitstatus}` })));
        const data = lines.sort((one, two) => two.at - one.at).map(({ t }, i) => ({ n: lines.length - i, t }));
        return { status: 200, body: { total: lines.length, data: data.slice(from, to) } };
      }
      const data = rows.slice(from, to).map((row) => {
        const { upid, type, vmid } = row;
        const common = { upid, node: "node1", type, vmid, starttime: Math.floor(row.begin / 1000) };
        return { ...common, ...stateOf(row), ...(op.detailed && { log_output: `starting task ${upid}\n` }) };
      });
      return { status: 200, body: { total: rows.length, data } };
    },
  };
};

export const a: Readonly<Record<string, { make: MakePanel; formats: readonly ("json" | "xml")[] }>> = {
  "wrapped rows": { make: railsScaffold, formats: ["json"] },
  "camel case, nested steps": { make: camelNestedSteps, formats: ["json"] },
  "parent and step rows": { make: parentAndStepRows, formats: ["json"] },
  "XML attributes": { make: xmlAttributes, formats: ["xml"] },
  "XML elements, chained start": { make: elementsChainedStart, formats: ["xml", "json"] },
  "machine in prose": { make: machineInProse, formats: ["json"] },
  "rows without machine": { make: rowsWithoutMachine, formats: ["json"] },
  "JSON:API, row per file": { make: jsonApiRowPerFile, formats: ["json"] },
  "XML tasks with owner": { make: xmlTasksWithOwner, formats: ["xml"] },
  "stopped with exit status": { make: stoppedWithExitStatus, formats: ["json"] },
};
