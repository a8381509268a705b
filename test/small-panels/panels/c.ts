import { iso, numeric, spaced, unix } from "../spelling";
import { filesAs, panelsOf, past, rails } from "../taste";

const json = { formats: ["json"], past, pending: 1 / 5 } as const;

export const c = panelsOf({
  /** Rows with an id, an action and a status but no machine. The machine's log lists the same actions under other numbers. */
  "id, action, status": {
    ...json,
    first: 5201,
    words: { pending: "queued", running: "working", complete: "done" },
    action: (what) => ({ restore: "restore_backup", files: "restore_file_entries" })[what] ?? `${what}_machine`,
    row: ({ id, action, status }) => ({ id, action, status }),
    log: ({ no, action, status }) => ({ log_item: { id: 90_000 + no * 2, action, status } }),
    list: (items, { isLog }) => ({ status: 200, body: isLog ? items : { transactions: items } }),
    accepted: () => ({ status: 201, body: { restore: { accepted: true } } }),
  },

  /** Rows with a `virtual_machine_id` among many other fields, each wrapped in a `transaction`, in JSON and in XML with typed elements. */
  "virtual_machine_id, both formats": {
    ...json,
    ...rails,
    first: 31_007,
    action: (what) => ({ files: "restore_files", restore: "restore_backup" })[what] ?? `${what}_virtual_machine`,
    row: ({ id, action, status, machine, at, ends, now }) => ({
      id,
      action,
      status,
      virtual_machine_id: numeric(machine),
      user_id: 3,
      created_at: iso(at),
      updated_at: iso(Math.min(now, ends)),
    }),
  },

  /** Rows under `data`, next to a total. Each row contains its machine as an object with an id and a label. Timestamps are Unix seconds. */
  "machine as an object": {
    ...json,
    first: 700,
    words: { pending: "waiting", running: "started", complete: "finished" },
    action: filesAs("file restore"),
    row: ({ id, action: name, status, machine, at }) => ({
      id,
      name,
      status,
      virtual_machine: { id: numeric(machine), label: `host ${machine}` },
      time: unix(at),
    }),
    log: ({ action, status, at }) => ({ time: unix(at), message: `${action} ${status}` }),
    list: (data, { total }) => ({ status: 200, body: { data, total } }),
    accepted: () => ({ status: 200, body: {} }),
  },

  /** Rows with a `target` (type and id) and words in capitals. The list starts empty, and the log consists of lines of text. */
  "target, starts empty": {
    ...json,
    old: 0,
    words: { pending: "NEW", running: "ACTIVE", complete: "SUCCESS", failed: "FAILURE" },
    action: (what) => filesAs("restore_files")(what).toUpperCase(),
    row: ({ id, action: type, status, machine, at, detailed }) => {
      const target = { type: "VirtualMachine", id: numeric(machine) };
      return { id, type, target, status, startedAt: iso(at), ...(detailed && { log_output: null }) };
    },
    log: ({ id, action, status, at }) => `${iso(at)} ${action} #${id} ${status}`,
    list: (items, { isLog }) => ({ status: 200, body: { [isLog ? "lines" : "results"]: items } }),
    accepted: () => ({ status: 202, body: { queued: true } }),
    missing: { status: 406, body: { message: "JSON only" } },
  },

  /** Page 1 has the newest ten rows, but each page shows its rows oldest first. So does the log, whose items refer to rows by number. */
  "pages oldest first": {
    ...json,
    first: 985,
    words: { pending: "scheduled", running: "in progress", complete: "completed", failed: "error" },
    action: filesAs("restore files"),
    row: ({ id, action: description, status, machine, at }) => {
      return { id, description, vm_id: numeric(machine), status, created: spaced(at) };
    },
    log: ({ no, action: text, at }) => ({ id: no - 900, date: spaced(at), text, transaction_id: no }),
    isRising: true,
    accepted: () => ({ status: 200, body: { message: "The restore has been scheduled." } }),
  },

  /** Ids such as `tx-101`, pages whose rows are oldest first, no timestamps in the list, and a log with an event for each start and end. */
  "lettered ids, oldest first": {
    ...json,
    first: 101,
    id: ({ no }) => `tx-${no}`,
    words: { pending: "queued", complete: "succeeded" },
    action: filesAs("restore-files"),
    row: ({ id, action: kind, status: state, machine }) => ({ id, kind, machine, state }),
    events: (own) =>
      own.flatMap(({ no, action, status, at, ends, hasEnded }) => {
        const begin = { id: `ev-${no}a`, at: iso(at), event: `${action} queued` };
        return hasEnded ? [{ id: `ev-${no}b`, at: iso(ends), event: `${action} ${status}` }, begin] : [begin];
      }),
    isRising: true,
    list: (items) => ({ status: 200, body: { items } }),
    accepted: (_rows, [job]) => ({ status: 201, body: { id: job?.id } }),
  },

  /** The list and the log show their last ten rows, regardless of the requested page and size. */
  "always the last ten rows": {
    ...json,
    first: 64,
    words: { complete: "ok" },
    action: filesAs("restore some files"),
    row: ({ id, action: task, status, machine, at: ms }) => ({ id, task, machine_id: numeric(machine), status, ms }),
    log: ({ action: task, status, at: ms }) => ({ task, status, ms }),
    isUnpaged: true,
    list: (items, { isLog }) => ({ status: 200, body: { [isLog ? "log" : "transactions"]: items } }),
    accepted: () => ({ status: 200, body: "OK" }),
  },

  /** Accepts a page or a size, but responds with 404 to a request that has both. Rows are wrapped and name the machine by its path. */
  "one suffix only": {
    ...json,
    first: 2_000_417,
    words: { pending: "created", running: "executing", complete: "successful", failed: "unsuccessful" },
    action: (what) => ({ restore: "RestoreMachine", files: "RestoreFiles" })[what] ?? what,
    row: ({ id, action: operation, status, machine, at }) => {
      const row = { id, operation, resource: `/virtual_machines/${machine}`, status };
      return { transaction: { ...row, created_on: new Date(at).toUTCString() } };
    },
    log: ({ id, status }) => ({ entry: { transaction: id, status } }),
    refuse: (asked) =>
      "point" in asked || asked.page === undefined || asked.perPage === undefined ? undefined : { status: 404 },
    accepted: ([row]) => ({ status: 200, body: row }),
  },

  /** A page never has more than 20 rows, regardless of the requested size. Ids are text, and the list contains its page number. */
  "at most twenty rows": {
    ...json,
    first: 400,
    id: ({ no }) => String(no),
    words: { running: "processing" },
    action: filesAs("fileRestore"),
    row: ({ id, action, status, machine: virtualMachineId, at }) => {
      return { id, virtualMachineId, action, status, createdAt: iso(at) };
    },
    log: ({ no, action, status, at }) => ({ id: String(no + 7000), action, status, createdAt: iso(at) }),
    cap: 20,
    list: (records, { page, size: perPage, total }) => ({ status: 200, body: { page, perPage, total, records } }),
    accepted: () => ({ status: 204 }),
  },
});
