import { randomUUID } from "node:crypto";
import { capital, declared, element, iso, numeric, second, spaced, tag, typed, unix, xml } from "../spelling";
import { filesAs, panelsOf, past, type Shown } from "../taste";

const common = { past, pending: 0.1 } as const;
const json = { ...common, formats: ["json"] } as const;
const zulu = (ms: number): string => `${second(ms)}Z`;

/** The states of three steps inside a row, based on the elapsed fraction of the job's duration. */
function stepsOf({ at, ends, end, now }: Shown): object[] {
  const part = (now - at) / (ends - at);
  return ["prepare", "transfer", "verify"].map((name, i) => {
    const [from = 0, to = 1] = [0.1, 0.3, 0.9, 1].slice(i);
    const ended = end === "failed" && to === 1 ? "FAILED" : "SUCCEEDED";
    return { name, state: part < from ? "QUEUED" : part < to ? "IN_PROGRESS" : ended };
  });
}

function percentOf({ status, hasEnded, at, ends, now }: Shown): { State: string; Percent: number } {
  if (hasEnded) return { State: status, Percent: 100 };
  const Percent = Math.max(0, Math.floor((110 * (now - at)) / (ends - at)) - 10);
  return { State: Percent > 0 ? "Processing" : "Enqueued", Percent };
}

const succeed = (Result: object) => ({ status: 200, body: { Success: true, ErrorMessage: null, Result } });

const inNamespace = (status: number, root: string, inner: string) =>
  declared(tag(root, { xmlns: "http://panel.example/v1" }, inner), status);

const hex = (value: number): string => Math.floor(value).toString(16).toUpperCase().padStart(8, "0");

export const a = panelsOf({
  /** A Rails scaffold: a bare array of wrapped rows in snake case with numeric ids. A POST returns 201 with the new transaction. */
  "wrapped rows": {
    ...json,
    first: 48_113,
    action: (what) => (what === "files" ? "restore_file_entries" : `${what}_virtual_machine`),
    row: ({ id, action, status, machine, at, ends, hasEnded, detailed }) => {
      const owner = { associated_object_type: "VirtualMachine", associated_object_id: numeric(machine) };
      const times = { created_at: zulu(at), updated_at: zulu(hasEnded ? ends : at) };
      const output = detailed && { log_output: hasEnded ? `Executing ${action}\nExit code: 1\n` : null };
      return { transaction: { id, action, status, priority: 10, user_id: 4, ...owner, ...times, ...output } };
    },
    log: ({ no, action, at }) => ({ log_item: { id: no * 2 + 1, transaction_id: no, action, created_at: zulu(at) } }),
    accepted: ([row]) => ({ status: 201, body: row }),
  },

  /** Camel case in a paged envelope, UUIDs, steps in the row, times in milliseconds. A POST returns 202 with only a Location. A page past the end is a 404. */
  "camel case, nested steps": {
    ...json,
    id: () => randomUUID(),
    old: 31,
    words: { pending: "QUEUED", running: "IN_PROGRESS", complete: "SUCCEEDED", failed: "FAILED" },
    action: filesAs("restoreFiles"),
    row: (job) => {
      const { id, action: operation, status: state, at: createdAt, ends, hasEnded } = job;
      const target = { kind: "virtualMachine", id: job.machine };
      return { id, operation, state, target, createdAt, finishedAt: hasEnded ? ends : null, steps: stepsOf(job) };
    },
    log: ({ id, action, status, at }) => ({ timestamp: at, message: `${action} ${status}`, transactionId: id }),
    cap: 50,
    list: (items, { page, size: perPage, total: totalItems, pages: totalPages }) =>
      page > totalPages
        ? { status: 404, body: { error: { code: "PAGE_OUT_OF_RANGE" } } }
        : { status: 200, body: { items, page, perPage, totalItems, totalPages } },
    accepted: (_rows, [job]) => ({ status: 202, headers: { location: `/transactions/${job?.id}` } }),
  },

  /** A restore is a parent row. Each step has a row that appears when the step begins and names only the parent. Ids are text; times are Unix seconds. */
  "parent and step rows": {
    ...json,
    first: 1001,
    id: ({ no }) => String(no),
    words: { pending: "waiting", running: "active", complete: "done", failed: "error" },
    action: (what) => (what === "files" ? "vm.restore_files" : `vm.${what}`),
    parts: ({ point, paths, end }) => {
      const [first, last] = paths ? ["mount", "unmount"] : ["stop", "start"];
      const part = (name: string, at: number, ends: number, how = "complete") => {
        return { action: `step: ${name}`, at, runs: at, ends, end: how };
      };
      if (point === undefined) return [{}];
      if (end === "failed") return [{}, part(first, 0.1, 0.3), part("copy", 0.3, 1, end)];
      return [{}, part(first, 0.1, 0.3), part("copy", 0.3, 0.9), part(last, 0.9, 1)];
    },
    row: ({ id, action: name, parent, machine: vm, status, at, ends, hasEnded }) => {
      const owner = parent === undefined ? { vm } : { parent_id: String(parent) };
      return { id, name, ...owner, status, started: unix(at), ended: hasEnded ? unix(ends) : 0 };
    },
    log: ({ id, action, status, at }) => ({ time: unix(at), job_id: id, text: `${action} (${status})` }),
    sort: (one, other) => other.at - one.at || other.no - one.no,
    list: (body, { total }) => ({ status: 200, headers: { "x-total-count": String(total) }, body }),
    accepted: (_rows, [job]) => ({ status: 202, body: { job: job?.id } }),
  },

  /** XML only, everything in attributes, lettered ids, and a state separate from the result. A POST returns the transaction's id. */
  "XML attributes": {
    ...common,
    formats: ["xml"],
    first: 620,
    id: ({ no }) => `T${no}`,
    words: { pending: "queued", running: "executing", complete: "finished", failed: "finished" },
    action: filesAs("file-restore"),
    row: ({ id, action: type, machine: vm, status: state, at, end, hasEnded, detailed }) => {
      const result = hasEnded && { result: end === "failed" ? "failure" : "success" };
      const output = detailed ? `<log_output>${type} -&gt; ${state}</log_output>` : "";
      return tag("transaction", { id, type, vm, state, ...result, started: iso(at) }, output);
    },
    log: ({ id, action, at }) => tag("entry", { at: iso(at), transaction: id }, `${action} requested`),
    list: (items, { isLog, page, total }) =>
      declared(tag(isLog ? "log" : "transactions", { page, total }, items.join(""))),
    accepted: (_rows, [job]) => declared(tag("accepted", { transaction: job?.id }), 202),
  },

  /** XML in typed elements, and the same in JSON. A restore queues a dependent start, which is cancelled if the restore fails. A POST returns 204. */
  "XML elements, chained start": {
    ...common,
    formats: ["xml", "json"],
    first: 200_540,
    words: { pending: "scheduled", running: "in_progress", complete: "success", failed: "failure" },
    action: filesAs("restore_files"),
    parts: ({ point, paths, end }) => {
      if (point === undefined || paths) return [{ runs: 0.1 }];
      const ends = end === "failed" ? 1 : 0.85;
      const start = { action: "start", runs: ends, end: end === "failed" ? "cancelled" : end };
      return [{ runs: 0.1, ends }, start];
    },
    row: ({ id, action, status, machine: virtual_machine_id, parent = null, at, ends, hasEnded }) => {
      const times = { created_at: `${second(at)}+00:00`, ended_at: hasEnded ? `${second(ends)}+00:00` : null };
      return { id, action, status, virtual_machine_id, depends_on: parent, ...times };
    },
    log: ({ id, action, at }) => ({ transaction_id: id, event: action, created_at: `${second(at)}+00:00` }),
    list: (items, { isLog, format }) => {
      const name = isLog ? "log_item" : "transaction";
      if (format === "json") return { status: 200, body: { [`${name}s`]: items } };
      const typeOf = (value: unknown, field: string) => (value === null ? { nil: true } : typed(value, field));
      return xml(tag(`${name}s`, { type: "array" }, element(name, items, typeOf)));
    },
    accepted: () => ({ status: 204 }),
  },

  /** Names the machine only in prose, shows each page oldest first, and lists a row a moment after its POST. `/page` and `/per_page` cannot be combined. */
  "machine in free text": {
    ...json,
    id: ({ no }) => `tx-${String(no).padStart(6, "0")}`,
    words: { pending: "Scheduled", running: "Running", complete: "Completed", failed: "Failed" },
    action: (what, { machine, point, paths }) => {
      if (point === undefined) return `${capital(what)} virtual machine ${machine}`;
      return `Restore ${paths ? `${paths.length} file(s) to ` : ""}virtual machine ${machine} from point ${point}`;
    },
    parts: ({ point, length }) => [{ at: point === undefined ? 0 : Math.min(1500 / length, 0.1) }],
    row: ({ id, action: description, status, at, detailed }) => {
      const output = detailed && { log_output: [description, status] };
      return { id, description, status, date: spaced(at), ...output };
    },
    log: ({ id, action, status, at }) => `${spaced(at)} ${id} ${status}: ${action}`,
    isRising: true,
    refuse: (asked) => {
      if ("point" in asked || asked.perPage === undefined) return undefined;
      if (asked.page !== undefined) return { status: 404 };
      return asked.perPage > 100 ? { status: 422, body: { message: "per_page must be at most 100" } } : undefined;
    },
    list: (items, { isLog }) => ({ status: 200, body: { [isLog ? "lines" : "transactions"]: items } }),
    accepted: () => ({ status: 202, body: { message: "The restore has been scheduled" } }),
  },

  /** Pascal case in a result envelope. Rows show a percentage but no machine; the machine's log and the response to a POST show a row's machine. */
  "rows without a machine": {
    ...json,
    words: { complete: "Succeeded", failed: "Failed" },
    action: (what) => (what === "files" ? "RestoreFileEntries" : `${capital(what)}VirtualMachine`),
    row: (job) => ({ Id: job.id, Type: job.action, ...percentOf(job) }),
    log: (job) => ({ TransactionId: job.id, Text: `${job.action}: ${percentOf(job).State}` }),
    list: (Rows, { total: TotalCount }) => succeed({ TotalCount, Rows }),
    accepted: (_rows, [job]) => succeed({ TransactionId: job?.id }),
  },

  /** JSON:API in kebab case, the machine as a relationship, one row per restored file, and a list that starts empty. */
  "JSON:API, row per file": {
    ...json,
    old: 0,
    id: ({ no }) => String(no),
    words: { pending: "not-started", running: "in-progress", complete: "done" },
    action: (what) => (what === "files" ? "restore-file" : `${what}-vm`),
    parts: ({ paths }) => paths?.map((path) => ({ path })) ?? [{}],
    row: ({ id, action: kind, status, machine, path, at, ends, hasEnded }) => {
      const times = { "created-at": iso(at), "finished-at": hasEnded ? iso(ends) : null };
      const attributes = { kind, status, "file-path": path ?? null, ...times };
      const relationships = { "virtual-machine": { data: { type: "virtual-machines", id: machine } } };
      return { type: "transactions", id, attributes, relationships };
    },
    log: ({ id }) => ({ type: "log-items", id: `${id}-1`, attributes: { message: "begun", "transaction-id": id } }),
    cap: 100,
    list: (data, { page, total }) => ({ status: 200, body: { data, meta: { page, total } } }),
    accepted: (data) => ({ status: 202, body: { data } }),
  },

  /** XML only, Pascal-case elements in a namespace. A task has a URN as its id and links to its owner. A POST returns the task after a short delay. */
  "XML tasks with an owner": {
    ...common,
    formats: ["xml"],
    id: () => `urn:task:${randomUUID()}`,
    words: { pending: "queued", complete: "success", failed: "error" },
    action: (what) => (what === "files" ? "vmRestoreFiles" : `vm${capital(what)}`),
    row: ({ id, action: type, status, machine, at, detailed }) => {
      const href = `/virtual_machines/${machine.replace(/[&<"]/g, (letter) => `&#${letter.charCodeAt(0)};`)}`;
      const head = `<Id>${id}</Id><Operation>${type}</Operation><Status>${status}</Status>`;
      const output = detailed ? `<log_output><![CDATA[${type}: ${status}]]></log_output>` : "";
      return `${head}<Owner type="vm" href="${href}"/><Started>${iso(at)}</Started>${output}`;
    },
    log: ({ id, at }) => `<Time>${iso(at)}</Time><TaskId>${id}</TaskId>`,
    list: (items, { isLog, page, total }) => {
      if (page > 1 && items.length === 0) return inNamespace(404, "Error", "<Code>NO_SUCH_PAGE</Code>");
      const name = isLog ? "Event" : "Task";
      const inner = items.map((item) => `<${name}>${String(item)}</${name}>`).join("");
      return inNamespace(200, `${name}List`, `<Total>${total}</Total>${inner}`);
    },
    accepted: ([task]) => inNamespace(202, "Task", String(task)),
    delay: () => 150,
  },

  /** A hypervisor's task list, with at most 25 rows per page. Its long ids contain the machine. An ended task is "stopped" and has an exit status. */
  "status stopped, with an exit status": {
    ...json,
    first: 0,
    id: ({ no, at, action, machine }) =>
      `UPID:node1:${hex(21_840 + no * 7)}:${hex(at / 1000)}:${action}:${machine}:admin@local:`,
    past: (i) => [`${7480 + (i % 6)}`, i % 3 ? "backup" : "stop", i * 700_000, 20, i % 9 === 0 && "exit code 255"],
    words: { pending: "queued", complete: "OK", failed: "unable to read recovery point: input/output error" },
    action: filesAs("filerestore"),
    row: ({ id: upid, action: type, machine: vmid, status, at, ends, hasEnded }) => {
      const state = hasEnded ? { status: "stopped", exitstatus: status, endtime: unix(ends) } : { status };
      return { upid, node: "node1", type, vmid, starttime: unix(at), ...state };
    },
    log: ({ no, id }) => ({ n: no, t: `starting task ${id}` }),
    cap: 25,
    list: (data, { total }) => ({ status: 200, body: { total, data } }),
    accepted: (_rows, [job]) => ({ status: 200, body: { data: job?.id } }),
    missing: { status: 501, body: { data: null, message: "not implemented" } },
  },
});
