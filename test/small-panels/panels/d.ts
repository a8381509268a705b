import { element, iso, numeric, safe, second, tag, unix, xml } from "../spelling";
import { filesAs, panelsOf, past } from "../taste";

const common = { past, pending: 0.15 } as const;
const json = { ...common, formats: ["json"] } as const;
const response = (outer: string, rows: readonly unknown[]) =>
  xml(`<?xml version="1.0" encoding="UTF-8"?>\n<response>\n <${outer}>\n${rows.join("")} </${outer}>\n</response>\n`);

export const d = panelsOf({
  /** A page past the end is a 404, in both the list and the log. Both formats, flat rows with the machine in `vm_id`. */
  "404 past the end": {
    ...common,
    formats: ["json", "xml"],
    action: filesAs("restore_files"),
    row: ({ id, action, status, machine, at }) => {
      return { id, action, vm_id: numeric(machine), status, started_at: iso(at) };
    },
    log: ({ action, status, at }) => ({ date: iso(at), action, status }),
    list: (items, { isLog, format, page }) => {
      const isPast = items.length === 0 && page > 1;
      if (format === "json") return isPast ? { status: 404, body: {} } : { status: 200, body: items };
      if (isPast) return xml("<error>not found</error>", 404);
      const name = isLog ? "log" : "transaction";
      return xml(tag(`${name}s`, {}, element(name, items)));
    },
    accepted: ([row], _jobs, format) =>
      format === "xml" ? xml(element("transaction", row), 201) : { status: 201, body: row },
  },

  /** A page past the end repeats the last page. A row's title contains its action and its machine. */
  "last page past the end": {
    ...json,
    first: 18_800,
    words: { pending: "waiting", complete: "done" },
    action: filesAs("restore files"),
    row: ({ id, action, status, machine, at }) => {
      const title = `${action} of virtual machine ${machine}`;
      return { id, title, status, since: unix(at) };
    },
    log: ({ id, status }) => ({ task_id: id, status }),
    isClamped: true,
    list: (items, { isLog }) => ({ status: 200, body: { [isLog ? "logs" : "transactions"]: items } }),
    accepted: () => ({ status: 204 }),
  },

  /** Answers a POST only once the restore has ended, with its outcome. The list shows the restore before that. */
  "POST waits for the end": {
    ...json,
    first: 3300,
    words: { pending: "accepted", complete: "finished" },
    action: filesAs("restore_file_entries"),
    row: ({ id, no, action, status, machine, at, ends, hasEnded }) => ({
      transaction: {
        id,
        identifier: `${action}-${no * 7}`,
        action,
        machine: numeric(machine),
        status,
        started: iso(at),
        finished: hasEnded ? iso(ends) : null,
      },
    }),
    log: ({ no, action, at }) => ({ log_item: { id: no + 41_000, text: action, time: iso(at) } }),
    accepted: (_rows, [job]) => ({ status: 200, body: { restore: job?.status } }),
    delay: (length) => length,
  },

  /** For as long as the panel exists, somebody else starts four one-second operations per second. Rows name their machine. */
  "four jobs a second by others": {
    ...json,
    first: 100_200,
    words: { pending: "new", running: "busy" },
    action: filesAs("restore-files"),
    others: (count, begin) => {
      begin(String(9300 + (count % 23)), ["start", "backup", "stop", "restore"][count % 4] ?? "start", { seconds: 1 });
      return 250;
    },
    row: ({ id, action: what, status, machine, at: begun }) => ({ id, what, server: numeric(machine), status, begun }),
    list: (items, { isLog, total }) => ({ status: 200, body: { total, [isLog ? "events" : "transactions"]: items } }),
    accepted: () => ({ status: 202 }),
  },

  /** Rows are bare, but the items in a machine's log name their transactions by `target_type` and `target_id`. Others start jobs now and then. */
  "bare rows, named in a log": {
    ...json,
    first: 610,
    action: filesAs("restore_file_entries"),
    others: (count, begin, length) => {
      const end = count % 6 === 4 ? "failed" : "complete";
      begin(String(9300 + (count % 5)), count % 3 === 2 ? "restore" : "backup", { end });
      return Math.max(1000, length * (count < 0 ? 0.3 : 0.7));
    },
    row: ({ id, status }) => ({ transaction: { id, status } }),
    log: ({ no, action, at }) => {
      const target = { target_type: "Transaction", target_id: no };
      return { log_item: { id: 2 * no + 13, action, ...target, created_at: iso(at) } };
    },
    accepted: () => ({ status: 204 }),
    missing: { status: 404, body: { errors: { base: ["Resource not found"] } } },
  },

  /** XML only, with rows two levels down, hyphenated names and some typed elements. */
  "XML two levels down": {
    ...common,
    formats: ["xml"],
    first: 5005,
    words: { pending: "not-started", running: "in-progress", complete: "completed" },
    action: filesAs("restore-files"),
    row: ({ id, action, status, machine, at }) => `  <cloud-transaction>
   <transaction-id type="integer">${id}</transaction-id>
   <action-name>${safe(action)}</action-name>
   <virtual-machine-id type="integer">${safe(machine)}</virtual-machine-id>
   <current-status>${status}</current-status>
   <created-at type="datetime">${iso(at)}</created-at>
  </cloud-transaction>\n`,
    log: ({ action, status, at }) => `  <log-item>
   <message>${safe(`${action} is ${status}`)}</message>
   <logged-at type="datetime">${iso(at)}</logged-at>
  </log-item>\n`,
    list: (items, { isLog }) => response(isLog ? "log-items" : "transaction-list", items),
    accepted: () => xml("<response><accepted>true</accepted></response>"),
    missing: { status: 406 },
  },

  /** Rows are bare. The answer to a POST is 202 with only a `Location`. */
  "202 with a Location": {
    ...json,
    first: 1204,
    words: { pending: "accepted", running: "active", failed: "error" },
    action: filesAs("restoreFiles"),
    row: ({ id, status }) => ({ id, status }),
    log: ({ action, status }) => `${action} ${status}`,
    list: (items, { isLog, page, size }) => {
      if (isLog) return { status: 200, body: { log: items } };
      return { status: 200, body: { items, next: items.length < size ? null : page + 1 } };
    },
    accepted: (_rows, [job]) => ({ status: 202, headers: { location: `/transactions/${job?.id}` } }),
  },

  /** The status is in two fields: a state, which is "closed" at the end, and a result, which is null until then. The machine is in `vm`. */
  "state and result": {
    ...json,
    first: 88_000,
    words: { pending: "open", running: "started", complete: "closed", failed: "closed" },
    action: filesAs("file-restore"),
    row: ({ id, action: job, status: state, machine, at, end, hasEnded }) => {
      const result = hasEnded ? (end === "failed" ? "error" : "ok") : null;
      return { id, vm: numeric(machine), job, state, result, opened: second(at) };
    },
    log: ({ action, at }) => ({ time: second(at), text: action }),
    list: (items, { isLog }) => ({ status: 200, body: { [isLog ? "log" : "jobs"]: items } }),
    accepted: (_rows, [job]) => ({ status: 200, body: { state: "open", vm: numeric(job?.machine ?? "") } }),
  },

  /** The id is called `ticket_no`, and the status is a `lamp`: amber, then green or red. */
  "ticket_no and lamp": {
    ...json,
    first: 4711,
    words: { pending: "amber", running: "amber", complete: "green", failed: "red" },
    action: filesAs("restore of files"),
    row: ({ id: ticket_no, action: errand, status: lamp, machine, at }) => {
      return { ticket_no, errand, machine_no: numeric(machine), lamp, clock: new Date(at).toUTCString() };
    },
    log: ({ id, action, status: lamp }) => ({ note: `Ticket ${id}: ${action}`, lamp }),
    list: (items, { isLog }) => ({ status: 200, body: { [isLog ? "notes" : "board"]: items } }),
    accepted: (_rows, [job]) => ({ status: 201, body: { ticket_no: job?.id, lamp: job?.status } }),
  },
});
