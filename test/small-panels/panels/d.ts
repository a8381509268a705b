import { operationOf, pathsOf, type MakePanel, type Operation, type PanelRequest, type World } from "../panel";

type Phase = "pending" | "running" | "complete" | "failed";

/** One operation in the memory of a panel; its phase is computed when it is read. */
interface Entry {
  readonly no: number;
  readonly machine: string;
  readonly operation: string;
  readonly at: number;
  readonly seconds: number;
  readonly end: "complete" | "failed";
}

/** The memory of a panel, newest first; it begins with thirty ended operations of other machines. */
function memory(world: World, first: number) {
  let next = first;
  const entries: Entry[] = [];
  const begin = (
    machine: string,
    operation: string,
    given: Partial<Pick<Entry, "at" | "seconds" | "end">> = {},
  ): Entry => {
    const usual = { at: world.now(), seconds: world.restoreSeconds, end: "complete" } as const;
    const entry = { no: next++, machine, operation, ...usual, ...given };
    entries.unshift(entry);
    return entry;
  };
  for (let back = 30; back > 0; back--) {
    const at = world.now() - (world.restoreSeconds + back * 611) * 1000;
    const operation = back % 4 === 0 ? "stop" : back % 4 === 1 ? "start" : "backup";
    begin(String(9300 + (back % 7)), operation, { at, end: back % 13 === 5 ? "failed" : "complete" });
  }
  const phase = ({ at, seconds, end }: Entry): Phase => {
    const ran = (world.now() - at) / 1000;
    return ran >= seconds ? end : ran < seconds * 0.15 ? "pending" : "running";
  };
  const restore = ({ what, machine }: Restore, files: string): Entry =>
    begin(machine, what === "files" ? files : "restore", { end: world.endOf(machine) });
  return {
    entries,
    begin,
    restore,
    phase,
    of: (machine: string): Entry[] => entries.filter((entry) => entry.machine === machine),
  };
}

type Restore = Extract<Operation, { what: "restore" | "files" }>;

const isRestore = (asked: Operation): asked is Restore => asked.what === "restore" || asked.what === "files";

function tell(world: World, request: PanelRequest, { what, machine, point }: Restore, id: string | number): void {
  world.posted({ machine, point, ...(what === "files" && { paths: pathsOf(request) }), ids: [id] });
}

function slice<T>(list: readonly T[], page = 1, size = 10): T[] {
  return list.slice((Math.max(page, 1) - 1) * size, Math.max(page, 1) * size);
}

const plain = (id: string): string | number => (/^\d+$/.test(id) ? Number(id) : id);
const iso = (ms: number): string => new Date(ms).toISOString();
const xml = (body: string, status = 200) => ({ status, headers: { "Content-Type": "application/xml" }, body });
const safe = (text: string): string => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");

/** A page past the end is a 404, of the list as of the log; it serves both formats, flat rows with the machine in `vm_id`. */
const pastEndMissing: MakePanel = (world) => {
  const { entries, begin, restore, phase, of } = memory(world, 1);
  const missing = (format?: string) =>
    format === "xml" ? xml("<error>not found</error>", 404) : { status: 404, body: {} };
  const rowOf = (entry: Entry) => ({
    id: entry.no,
    action: entry.operation,
    vm_id: plain(entry.machine),
    status: phase(entry),
    started_at: iso(entry.at),
  });
  const element = (name: string, row: object): string => {
    const fields = Object.entries(row).map(([key, value]) => `<${key}>${safe(String(value))}</${key}>`);
    return `<${name}>${fields.join("")}</${name}>`;
  };
  return {
    answer(request) {
      const asked = operationOf(request);
      if (!asked) return missing();
      if (isRestore(asked)) {
        const entry = restore(asked, "restore_files");
        tell(world, request, asked, entry.no);
        const row = rowOf(entry);
        return asked.format === "xml" ? xml(element("transaction", row), 201) : { status: 201, body: row };
      }
      const page = slice(asked.what === "log" ? of(asked.machine) : entries, asked.page, asked.perPage);
      if (page.length === 0 && (asked.page ?? 1) > 1) return missing(asked.format);
      const rows = page.map((entry) => {
        if (asked.what === "log") return { date: iso(entry.at), action: entry.operation, status: phase(entry) };
        return { ...rowOf(entry), ...(asked.detailed && { log_output: `${entry.operation}: ${phase(entry)}` }) };
      });
      if (asked.format === "json") return { status: 200, body: rows };
      const [list, item] = asked.what === "log" ? ["logs", "log"] : ["transactions", "transaction"];
      return xml(`<${list}>${rows.map((row) => element(item, row)).join("")}</${list}>`);
    },
    work: (machine, operation) => void begin(machine, operation),
  };
};

/** A page past the end is the last page once more; a row says in a sentence what it does to which machine. */
const pastEndRepeats: MakePanel = (world) => {
  const { entries, begin, restore, phase, of } = memory(world, 18_800);
  const words: Record<Phase, string> = { pending: "waiting", running: "running", complete: "done", failed: "failed" };
  const lastOrThat = (list: readonly Entry[], page = 1, size = 10): Entry[] =>
    slice(list, Math.min(page, Math.max(1, Math.ceil(list.length / size))), size);
  return {
    answer(request) {
      const asked = operationOf(request);
      if (asked?.format !== "json") return { status: 404, body: { message: "no such thing" } };
      if (asked.what === "log") {
        const list = lastOrThat(of(asked.machine), asked.page, asked.perPage);
        return {
          status: 200,
          body: { logs: list.map((entry) => ({ task_id: entry.no, status: words[phase(entry)] })) },
        };
      }
      if (asked.what === "transactions") {
        const transactions = lastOrThat(entries, asked.page, asked.perPage).map((entry) => {
          const title = `${entry.operation} of virtual machine ${entry.machine}`;
          const row = { id: entry.no, title, status: words[phase(entry)], since: Math.floor(entry.at / 1000) };
          return asked.detailed ? { ...row, log_output: title } : row;
        });
        return { status: 200, body: { transactions } };
      }
      tell(world, request, asked, restore(asked, "restore files").no);
      return { status: 204 };
    },
    work: (machine, operation) => void begin(machine, operation),
  };
};

/** A POST is answered only when its restore is done, with how it went; meanwhile the row is in the list. */
const postWaits: MakePanel = (world) => {
  const { entries, begin, restore, phase, of } = memory(world, 3300);
  const words = { pending: "accepted", running: "running", complete: "finished", failed: "failed" } as const;
  return {
    async answer(request) {
      const asked = operationOf(request);
      if (asked?.format !== "json") return { status: 404, body: { error: "Not Found" } };
      if (isRestore(asked)) {
        const entry = restore(asked, "restore_file_entries");
        tell(world, request, asked, entry.no);
        await world.pause(entry.seconds * 1000);
        return { status: 200, body: { restore: words[entry.end] } };
      }
      if (asked.what === "log") {
        const log = slice(of(asked.machine), asked.page, asked.perPage).map((entry) => ({
          log_item: { id: entry.no + 41_000, text: `${entry.operation} ${words[phase(entry)]}`, time: iso(entry.at) },
        }));
        return { status: 200, body: log };
      }
      const rows = slice(entries, asked.page, asked.perPage).map((entry) => ({
        transaction: {
          id: entry.no,
          identifier: `${entry.operation}-${entry.no * 7}`,
          action: entry.operation,
          machine: plain(entry.machine),
          status: words[phase(entry)],
          started: iso(entry.at),
          finished: ["pending", "running"].includes(phase(entry)) ? null : iso(entry.at + entry.seconds * 1000),
          ...(asked.detailed && { log_output: `machine ${entry.machine}: ${entry.operation}` }),
        },
      }));
      return { status: 200, body: rows };
    },
    work: (machine, operation) => void begin(machine, operation),
  };
};

/** Somebody else begins ten operations a second, each of which takes a second, for as long as the panel lives; rows name their machine. */
const tenASecond: MakePanel = (world) => {
  const { entries, begin, restore, phase, of } = memory(world, 100_200);
  const words: Record<Phase, string> = { pending: "new", running: "busy", complete: "complete", failed: "failed" };
  let jobs = 0;
  const tick = (): void => {
    begin(String(9300 + (jobs % 23)), ["start", "backup", "stop", "restore"][jobs % 4] ?? "start", { seconds: 1 });
    jobs++;
    world.after(100, tick);
  };
  world.after(100, tick);
  return {
    answer(request) {
      const asked = operationOf(request);
      if (asked?.format !== "json") return { status: 404 };
      if (isRestore(asked)) {
        tell(world, request, asked, restore(asked, "restore-files").no);
        return { status: 202 };
      }
      const list = asked.what === "log" ? of(asked.machine) : entries;
      const rows = slice(list, asked.page, asked.perPage).map((entry) => ({
        id: entry.no,
        what: entry.operation,
        server: plain(entry.machine),
        status: words[phase(entry)],
        begun: entry.at,
        ...(asked.what === "transactions" && asked.detailed && { log_output: `${entry.operation}\n` }),
      }));
      return { status: 200, body: { total: list.length, [asked.what === "log" ? "events" : "transactions"]: rows } };
    },
    work: (machine, operation) => void begin(machine, operation),
  };
};

/** Rows are bare, but the items of a machine's log name their transactions by `target_type` and `target_id`; now and then somebody else works. */
const logNamesRows: MakePanel = (world) => {
  const { entries, begin, restore, phase, of } = memory(world, 610);
  let jobs = 0;
  const others = (): void => {
    begin(String(9300 + (jobs % 5)), jobs % 3 === 2 ? "restore" : "backup", {
      end: jobs % 6 === 4 ? "failed" : "complete",
    });
    jobs++;
    world.after(Math.max(1000, world.restoreSeconds * 700), others);
  };
  world.after(Math.max(1000, world.restoreSeconds * 300), others);
  return {
    answer(request) {
      const asked = operationOf(request);
      if (asked?.format !== "json") return { status: 404, body: { errors: { base: ["Resource not found"] } } };
      if (asked.what === "transactions") {
        const rows = slice(entries, asked.page, asked.perPage).map((entry) => ({
          transaction: { id: entry.no, status: phase(entry), ...(asked.detailed && { log_output: phase(entry) }) },
        }));
        return { status: 200, body: rows };
      }
      if (asked.what === "log") {
        const items = slice(of(asked.machine), asked.page, asked.perPage).map((entry) => ({
          log_item: {
            id: 2 * entry.no + 13,
            action: entry.operation,
            target_type: "Transaction",
            target_id: entry.no,
            created_at: iso(entry.at),
          },
        }));
        return { status: 200, body: items };
      }
      tell(world, request, asked, restore(asked, "restore_file_entries").no);
      return { status: 204 };
    },
    work: (machine, operation) => void begin(machine, operation),
  };
};

/** XML only, and everything is in attributes. */
const xmlAttributes: MakePanel = (world) => {
  const { entries, begin, restore, phase, of } = memory(world, 77);
  const words: Record<Phase, string> = {
    pending: "queued",
    running: "running",
    complete: "success",
    failed: "failure",
  };
  const tag = (name: string, attributes: object, inner?: string): string => {
    const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${safe(String(value))}"`);
    return `<${name}${pairs.join("")}${inner === undefined ? "/>" : `>\n${inner}</${name}>`}\n`;
  };
  const rowOf = ({ no, machine, operation, at }: Entry) => ({
    id: no,
    vm: machine,
    action: operation,
    started: iso(at),
  });
  return {
    answer(request) {
      const asked = operationOf(request);
      if (asked?.format !== "xml") return xml('<error code="404"/>', 404);
      if (isRestore(asked)) {
        const entry = restore(asked, "file_restore");
        tell(world, request, asked, entry.no);
        return xml(tag("transaction", { ...rowOf(entry), status: words[phase(entry)] }), 201);
      }
      if (asked.what === "log") {
        const items = slice(of(asked.machine), asked.page, asked.perPage).map((entry) =>
          tag("item", { at: iso(entry.at), transaction: entry.no, text: `${entry.operation} ${words[phase(entry)]}` }),
        );
        return xml(tag("log", { vm: asked.machine }, items.join("")));
      }
      const rows = slice(entries, asked.page, asked.perPage).map((entry) => {
        const row = { ...rowOf(entry), status: words[phase(entry)] };
        return tag(
          "transaction",
          asked.detailed ? { ...row, log_output: `${entry.operation} of ${entry.machine}` } : row,
        );
      });
      return xml(tag("transactions", { page: asked.page ?? 1, total: entries.length }, rows.join("")));
    },
    work: (machine, operation) => void begin(machine, operation),
  };
};

/** XML only, rows two levels down under names with hyphens, and some typed elements. */
const xmlTwoLevelsDown: MakePanel = (world) => {
  const { entries, begin, restore, phase, of } = memory(world, 5005);
  const words = { pending: "not-started", running: "in-progress", complete: "completed", failed: "failed" };
  const wrap = (outer: string, rows: readonly string[]) =>
    xml(`<?xml version="1.0" encoding="UTF-8"?>\n<response>\n <${outer}>\n${rows.join("")} </${outer}>\n</response>\n`);
  return {
    answer(request) {
      const asked = operationOf(request);
      if (asked?.format !== "xml") return { status: 406 };
      if (isRestore(asked)) {
        tell(world, request, asked, restore(asked, "restore-files").no);
        return xml("<response><accepted>true</accepted></response>");
      }
      if (asked.what === "log") {
        const items = slice(of(asked.machine), asked.page, asked.perPage).map(
          (entry) => `  <log-item>
   <message>${safe(`${entry.operation} is ${words[phase(entry)]}`)}</message>
   <logged-at type="datetime">${iso(entry.at)}</logged-at>
  </log-item>\n`,
        );
        return wrap("log-items", items);
      }
      const rows = slice(entries, asked.page, asked.perPage).map(
        (entry) => `  <cloud-transaction>
   <transaction-id type="integer">${entry.no}</transaction-id>
   <action-name>${safe(entry.operation)}</action-name>
   <virtual-machine-id type="integer">${safe(entry.machine)}</virtual-machine-id>
   <current-status>${words[phase(entry)]}</current-status>
   <created-at type="datetime">${iso(entry.at)}</created-at>
${asked.detailed ? `   <log_output>${safe(entry.operation)}</log_output>\n` : ""}  </cloud-transaction>\n`,
      );
      return wrap("transaction-list", rows);
    },
    work: (machine, operation) => void begin(machine, operation),
  };
};

/** Rows are bare; a POST answers 202 with nothing but a `Location`, where the one row can be read, too. */
const acceptedWithLocation: MakePanel = (world) => {
  const { entries, begin, restore, phase, of } = memory(world, 1204);
  const words: Record<Phase, string> = {
    pending: "accepted",
    running: "active",
    complete: "complete",
    failed: "error",
  };
  const rowOf = (entry: Entry) => ({ id: entry.no, status: words[phase(entry)] });
  return {
    answer(request) {
      const one = request.method === "GET" ? /^\/transactions\/(\d+)(?:\.json)?$/.exec(request.path)?.[1] : undefined;
      const found = entries.find(({ no }) => String(no) === one);
      if (found) return { status: 200, body: rowOf(found) };
      const asked = operationOf(request);
      if (asked?.format !== "json") return { status: 404, body: { detail: "Not found." } };
      if (isRestore(asked)) {
        const { no } = restore(asked, "restoreFiles");
        tell(world, request, asked, no);
        return { status: 202, headers: { Location: `/transactions/${no}` } };
      }
      if (asked.what === "log") {
        const log = slice(of(asked.machine), asked.page, asked.perPage).map(
          (entry) => `${entry.operation} ${words[phase(entry)]}`,
        );
        return { status: 200, body: { log } };
      }
      const items = slice(entries, asked.page, asked.perPage).map((entry) => ({
        ...rowOf(entry),
        ...(asked.detailed && { log_output: `${entry.operation}\n${words[phase(entry)]}\n` }),
      }));
      return {
        status: 200,
        body: { items, next: items.length < (asked.perPage ?? 10) ? null : (asked.page ?? 1) + 1 },
      };
    },
    work: (machine, operation) => void begin(machine, operation),
  };
};

/** The status is in two fields, a state that is closed at the end and a result that is null until then; the machine is `vm`. */
const stateAndResult: MakePanel = (world) => {
  const { entries, begin, restore, phase, of } = memory(world, 88_000);
  const states = { pending: "open", running: "started", complete: "closed", failed: "closed" };
  const results = { pending: null, running: null, complete: "ok", failed: "error" };
  const rowOf = (entry: Entry) => ({
    id: entry.no,
    vm: plain(entry.machine),
    job: entry.operation,
    state: states[phase(entry)],
    result: results[phase(entry)],
    opened: iso(entry.at).slice(0, 19),
  });
  return {
    answer(request) {
      const asked = operationOf(request);
      if (asked?.format !== "json") return { status: 404, body: null };
      if (asked.what === "transactions") {
        const jobs = slice(entries, asked.page, asked.perPage).map((entry) =>
          asked.detailed ? { ...rowOf(entry), log_output: `job ${entry.no} for vm ${entry.machine}` } : rowOf(entry),
        );
        return { status: 200, body: { meta: { total: entries.length }, jobs } };
      }
      if (asked.what === "log") {
        const log = slice(of(asked.machine), asked.page, asked.perPage).map((entry) => {
          const { job, state, result, opened } = rowOf(entry);
          return { time: opened, text: result === null ? `${job} ${state}` : `${job} ${state}: ${result}` };
        });
        return { status: 200, body: { log } };
      }
      tell(world, request, asked, restore(asked, "file-restore").no);
      return { status: 200, body: { state: "open", vm: plain(asked.machine) } };
    },
    work: (machine, operation) => void begin(machine, operation),
  };
};

/** The id is called `ticket_no` and the status is a `lamp`: amber, then green or red. */
const ticketAndLamp: MakePanel = (world) => {
  const { entries, begin, restore, phase, of } = memory(world, 4711);
  const lamps = { pending: "amber", running: "amber", complete: "green", failed: "red" };
  return {
    answer(request) {
      const asked = operationOf(request);
      if (asked?.format !== "json") return { status: 404, body: { lamp: "red", text: "no such desk" } };
      if (isRestore(asked)) {
        const entry = restore(asked, "restore of files");
        tell(world, request, asked, entry.no);
        return { status: 201, body: { ticket_no: entry.no, lamp: lamps[phase(entry)] } };
      }
      if (asked.what === "log") {
        const notes = slice(of(asked.machine), asked.page, asked.perPage).map((entry) => ({
          note: `Ticket ${entry.no}: ${entry.operation}`,
          lamp: lamps[phase(entry)],
        }));
        return { status: 200, body: { notes } };
      }
      const board = slice(entries, asked.page, asked.perPage).map((entry) => ({
        ticket_no: entry.no,
        errand: entry.operation,
        machine_no: plain(entry.machine),
        lamp: lamps[phase(entry)],
        clock: new Date(entry.at).toUTCString(),
        ...(asked.detailed && { log_output: `${entry.operation} at ${iso(entry.at)}` }),
      }));
      return { status: 200, body: { board } };
    },
    work: (machine, operation) => void begin(machine, operation),
  };
};

export const d: Readonly<Record<string, { make: MakePanel; formats: readonly ("json" | "xml")[] }>> = {
  "404 past the end": { make: pastEndMissing, formats: ["json", "xml"] },
  "last page past the end": { make: pastEndRepeats, formats: ["json"] },
  "POST waits for the end": { make: postWaits, formats: ["json"] },
  "ten foreign jobs a second": { make: tenASecond, formats: ["json"] },
  "log names bare rows": { make: logNamesRows, formats: ["json"] },
  "XML attributes": { make: xmlAttributes, formats: ["xml"] },
  "XML two levels down": { make: xmlTwoLevelsDown, formats: ["xml"] },
  "202 with a Location": { make: acceptedWithLocation, formats: ["json"] },
  "state and result": { make: stateAndResult, formats: ["json"] },
  "ticket_no and lamp": { make: ticketAndLamp, formats: ["json"] },
};
