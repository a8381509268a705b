import { operationOf, pathsOf, type MakePanel, type Operation, type PanelRequest, type World } from "../panel";

/** What a panel here keeps of an operation; its status is computed when it is read. */
interface Job {
  readonly no: number;
  readonly machine: string;
  readonly operation: string;
  readonly began: number;
  readonly end: "complete" | "failed";
}

/** Thirty ended operations of other machines, oldest first. */
function history(world: World, first: number): Job[] {
  const operations = ["start", "backup", "stop", "resize", "backup"];
  return Array.from({ length: 30 }, (_, i) => ({
    no: first + i,
    machine: String(8000 + ((i * 5) % 9)),
    operation: operations[i % operations.length] ?? "start",
    began: world.now() - world.restoreSeconds * 1000 - (30 - i) * 420_000,
    end: i % 11 === 7 ? "failed" : "complete",
  }));
}

type Words = readonly [pending: string, running: string, complete: string, failed: string];

function wordOf(world: World, { began, end }: Job, [pending, running, complete, failed]: Words): string {
  const seconds = (world.now() - began) / 1000;
  if (seconds < world.restoreSeconds) return seconds < world.restoreSeconds / 5 ? pending : running;
  return end === "complete" ? complete : failed;
}

/** The n-th page of a list that is kept oldest first, newest first. */
function pageOf<T>(list: readonly T[], page = 1, size = 10): T[] {
  const from = (Math.max(page, 1) - 1) * size;
  return [...list].reverse().slice(from, from + size);
}

type Restore = Extract<Operation, { what: "restore" | "files" }>;

const isRestore = (asked: Operation): asked is Restore => asked.what === "restore" || asked.what === "files";

function tell(world: World, request: PanelRequest, { what, machine, point }: Restore, id: string | number): void {
  world.posted({ machine, point, ...(what === "files" && { paths: pathsOf(request) }), ids: [id] });
}

const numeric = (id: string): string | number => (/^\d+$/.test(id) ? Number(id) : id);
const iso = (ms: number): string => new Date(ms).toISOString();
const xml = (body: string, status = 200) => ({ status, headers: { "Content-Type": "application/xml" }, body });
const escaped = (text: string): string => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

/** Rows that are nothing but an id and a status, in a plain array, a log that is always empty, and a POST that answers nothing. */
const bareRows: MakePanel = (world) => {
  const words: Words = ["pending", "running", "complete", "failed"];
  const jobs = history(world, 1);
  const add = (machine: string, operation: string, end: Job["end"] = "complete"): number => {
    const no = jobs.length + 1;
    jobs.push({ no, machine, operation, began: world.now(), end });
    return no;
  };
  return {
    answer(request) {
      const asked = operationOf(request);
      if (asked?.format !== "json") return { status: 404 };
      if (asked.what === "log") return { status: 200, body: [] };
      if (asked.what === "transactions") {
        const rows = pageOf(jobs, asked.page, asked.perPage).map((job) => ({
          id: job.no,
          status: wordOf(world, job, words),
          ...(asked.detailed && { log_output: "" }),
        }));
        return { status: 200, body: rows };
      }
      tell(world, request, asked, add(asked.machine, asked.what, world.endOf(asked.machine)));
      return { status: 204 };
    },
    work: (machine, operation) => void add(machine, operation),
  };
};

/** Rows of id, action and status that don't say whose they are; the machine's log has the same actions under numbers of its own. */
const idActionStatus: MakePanel = (world) => {
  const words: Words = ["queued", "working", "done", "failed"];
  const actions: Record<string, string> = { restore: "restore_backup", files: "restore_file_entries" };
  const actionOf = ({ operation }: Job): string => actions[operation] ?? `${operation}_machine`;
  const jobs = history(world, 5201);
  const add = (machine: string, operation: string, end: Job["end"] = "complete"): number => {
    const no = 5201 + jobs.length;
    jobs.push({ no, machine, operation, began: world.now(), end });
    return no;
  };
  return {
    answer(request) {
      const asked = operationOf(request);
      if (asked?.format !== "json") return { status: 404, body: { error: "Not found" } };
      if (asked.what === "transactions") {
        const transactions = pageOf(jobs, asked.page, asked.perPage).map((job) => {
          const row = { id: job.no, action: actionOf(job), status: wordOf(world, job, words) };
          return asked.detailed ? { ...row, log_output: `${row.action}: ${row.status}` } : row;
        });
        return { status: 200, body: { transactions } };
      }
      if (asked.what === "log") {
        const own = jobs.filter(({ machine }) => machine === asked.machine);
        const log = pageOf(own, asked.page, asked.perPage).map((job) => ({
          log_item: { id: 90_000 + job.no * 2, action: actionOf(job), status: wordOf(world, job, words) },
        }));
        return { status: 200, body: log };
      }
      tell(world, request, asked, add(asked.machine, asked.what, world.endOf(asked.machine)));
      return { status: 201, body: { restore: { accepted: true } } };
    },
    work: (machine, operation) => void add(machine, operation),
  };
};

/** Rows with a `virtual_machine_id` among many other fields, each wrapped in a `transaction`, in JSON and in XML with typed elements. */
const machineIdBothFormats: MakePanel = (world) => {
  const jobs = history(world, 31_007);
  const add = (machine: string, operation: string, end: Job["end"] = "complete"): Job => {
    jobs.push({ no: 31_007 + jobs.length, machine, operation, began: world.now(), end });
    return jobs[jobs.length - 1] as Job;
  };
  const rowOf = (job: Job, output?: string) => ({
    id: job.no,
    action: { files: "restore_files", restore: "restore_backup" }[job.operation] ?? `${job.operation}_virtual_machine`,
    status: wordOf(world, job, ["pending", "running", "complete", "failed"]),
    virtual_machine_id: numeric(job.machine),
    user_id: 3,
    created_at: iso(job.began),
    updated_at: iso(Math.min(world.now(), job.began + world.restoreSeconds * 1000)),
    ...(output !== undefined && { log_output: output }),
  });
  const elementOf = (name: string, row: object): string => {
    const fields = Object.entries(row).map(([key, value]) => {
      const type = key.endsWith("_at") ? ' type="datetime"' : typeof value === "number" ? ' type="integer"' : "";
      return `<${key}${type}>${escaped(String(value))}</${key}>`;
    });
    return `<${name}>${fields.join("")}</${name}>\n`;
  };
  return {
    answer(request) {
      const asked = operationOf(request);
      if (!asked) return { status: 404 };
      const name = asked.what === "log" ? "log_item" : "transaction";
      if (isRestore(asked)) {
        const row = rowOf(add(asked.machine, asked.what, world.endOf(asked.machine)));
        tell(world, request, asked, row.id);
        return asked.format === "xml" ? xml(elementOf(name, row), 201) : { status: 201, body: { [name]: row } };
      }
      const shown = asked.what === "log" ? jobs.filter(({ machine }) => machine === asked.machine) : jobs;
      const detailed = asked.what === "transactions" && asked.detailed;
      const rows = pageOf(shown, asked.page, asked.perPage).map((job) =>
        rowOf(job, detailed ? `Executing ${job.operation} of virtual machine ${job.machine}` : undefined),
      );
      if (asked.format === "json") return { status: 200, body: rows.map((row) => ({ [name]: row })) };
      const elements = rows.map((row) => elementOf(name, row)).join("");
      return xml(`<${name}s type="array">\n${elements}</${name}s>\n`);
    },
    work: (machine, operation) => void add(machine, operation),
  };
};

/** Rows that hold their machine as an object with an id and a label, under `data` with a total; their stamps are seconds since 1970. */
const machineAsObject: MakePanel = (world) => {
  const words: Words = ["waiting", "started", "finished", "failed"];
  const jobs = history(world, 700);
  const add = (machine: string, operation: string, end: Job["end"] = "complete"): number => {
    const no = 700 + jobs.length;
    jobs.push({ no, machine, operation: operation === "files" ? "file restore" : operation, began: world.now(), end });
    return no;
  };
  return {
    answer(request) {
      const asked = operationOf(request);
      if (asked?.format !== "json") return { status: 404, body: { errors: ["no such page"] } };
      if (asked.what === "transactions") {
        const data = pageOf(jobs, asked.page, asked.perPage).map((job) => ({
          id: job.no,
          name: job.operation,
          status: wordOf(world, job, words),
          virtual_machine: { id: numeric(job.machine), label: `host ${job.machine}` },
          time: Math.floor(job.began / 1000),
          ...(asked.detailed && { log_output: `${iso(job.began)} ${job.operation} on host ${job.machine}\n` }),
        }));
        return { status: 200, body: { data, total: jobs.length } };
      }
      if (asked.what === "log") {
        const own = jobs.filter(({ machine }) => machine === asked.machine);
        const data = pageOf(own, asked.page, asked.perPage).map((job) => ({
          time: Math.floor(job.began / 1000),
          message: `${job.operation} ${wordOf(world, job, words)}`,
        }));
        return { status: 200, body: { data, total: own.length } };
      }
      tell(world, request, asked, add(asked.machine, asked.what, world.endOf(asked.machine)));
      return { status: 200, body: {} };
    },
    work: (machine, operation) => void add(machine, operation),
  };
};

/** Rows with a `target` of a type and an id and words in capitals; its list starts empty, and its log is lines of text. */
const targetFromEmpty: MakePanel = (world) => {
  const words: Words = ["NEW", "ACTIVE", "SUCCESS", "FAILURE"];
  const jobs: Job[] = [];
  const typeOf = ({ operation }: Job) => (operation === "files" ? "RESTORE_FILES" : operation.toUpperCase());
  const add = (machine: string, operation: string, end: Job["end"] = "complete"): Job => {
    const job = { no: jobs.length + 1, machine, operation, began: world.now(), end };
    jobs.push(job);
    return job;
  };
  return {
    answer(request) {
      const asked = operationOf(request);
      if (asked?.format !== "json") return { status: 406, body: { message: "JSON only" } };
      if (asked.what === "transactions") {
        const results = pageOf(jobs, asked.page, asked.perPage).map((job) => ({
          id: job.no,
          type: typeOf(job),
          target: { type: "VirtualMachine", id: numeric(job.machine) },
          status: wordOf(world, job, words),
          startedAt: iso(job.began),
          ...(asked.detailed && { log_output: null }),
        }));
        return { status: 200, body: { count: jobs.length, results } };
      }
      if (asked.what === "log") {
        const own = jobs.filter(({ machine }) => machine === asked.machine);
        const lines = pageOf(own, asked.page, asked.perPage).map(
          (job) => `${iso(job.began)} ${typeOf(job)} #${job.no} ${wordOf(world, job, words)}`,
        );
        return { status: 200, body: { lines } };
      }
      const job = add(asked.machine, asked.what, world.endOf(asked.machine));
      tell(world, request, asked, job.no);
      return { status: 202, body: { target: { type: "VirtualMachine", id: numeric(asked.machine) }, queued: true } };
    },
    work: (machine, operation) => void add(machine, operation),
  };
};

/** Page 1 is the newest ten, but each page lists its rows oldest first, and so does the log, whose items refer to the rows by number. */
const pagesOldestFirst: MakePanel = (world) => {
  const words: Words = ["scheduled", "in progress", "completed", "error"];
  const stamp = (ms: number): string => iso(ms).slice(0, 19).replace("T", " ");
  const jobs = history(world, 985);
  const add = (machine: string, operation: string, end: Job["end"] = "complete"): number => {
    const no = 985 + jobs.length;
    jobs.push({ no, machine, operation: operation === "files" ? "restore files" : operation, began: world.now(), end });
    return no;
  };
  return {
    answer(request) {
      const asked = operationOf(request);
      if (asked?.format !== "json") return { status: 404, body: "not found" };
      if (asked.what === "transactions") {
        const rows = pageOf(jobs, asked.page, asked.perPage).map((job) => ({
          id: job.no,
          description: job.operation,
          vm_id: numeric(job.machine),
          status: wordOf(world, job, words),
          created: stamp(job.began),
          ...(asked.detailed && { log_output: [`${stamp(job.began)} accepted`, wordOf(world, job, words)].join("\n") }),
        }));
        return { status: 200, body: rows.reverse() };
      }
      if (asked.what === "log") {
        const own = jobs.filter(({ machine }) => machine === asked.machine);
        const items = pageOf(own, asked.page, asked.perPage).map((job) => ({
          id: job.no - 900,
          date: stamp(job.began),
          text: job.operation,
          transaction_id: job.no,
        }));
        return { status: 200, body: items.reverse() };
      }
      tell(world, request, asked, add(asked.machine, asked.what, world.endOf(asked.machine)));
      return { status: 200, body: { message: "The restore has been scheduled." } };
    },
    work: (machine, operation) => void add(machine, operation),
  };
};

/** Ids such as `tx-101`, pages whose rows are oldest first, no stamps in the list, and a log of an event for each begin and each end. */
const letteredOldestFirst: MakePanel = (world) => {
  const words: Words = ["queued", "running", "succeeded", "failed"];
  const jobs = history(world, 101);
  const add = (machine: string, operation: string, end: Job["end"] = "complete"): string => {
    const no = 101 + jobs.length;
    jobs.push({ no, machine, operation: operation === "files" ? "restore-files" : operation, began: world.now(), end });
    return `tx-${no}`;
  };
  const eventsOf = (job: Job): object[] => {
    const ended = job.began + world.restoreSeconds * 1000;
    const begin = { id: `ev-${job.no}a`, at: iso(job.began), event: `${job.operation} queued` };
    if (world.now() < ended) return [begin];
    return [begin, { id: `ev-${job.no}b`, at: iso(ended), event: `${job.operation} ${wordOf(world, job, words)}` }];
  };
  return {
    answer(request) {
      const asked = operationOf(request);
      if (asked?.format !== "json") return { status: 404, body: { code: "not-found" } };
      if (asked.what === "transactions") {
        const rows = pageOf(jobs, asked.page, asked.perPage).map((job) => ({
          id: `tx-${job.no}`,
          kind: job.operation,
          machine: job.machine,
          state: wordOf(world, job, words),
          ...(asked.detailed && { log_output: `tx-${job.no}: ${job.operation} of ${job.machine}` }),
        }));
        return { status: 200, body: { items: rows.reverse() } };
      }
      if (asked.what === "log") {
        const events = jobs.filter(({ machine }) => machine === asked.machine).flatMap(eventsOf);
        return { status: 200, body: { items: pageOf(events, asked.page, asked.perPage).reverse() } };
      }
      const id = add(asked.machine, asked.what, world.endOf(asked.machine));
      tell(world, request, asked, id);
      return { status: 201, body: { id } };
    },
    work: (machine, operation) => void add(machine, operation),
  };
};

/** Whatever page and size are asked for, both lists show their last ten. */
const alwaysLastTen: MakePanel = (world) => {
  const words: Words = ["pending", "running", "ok", "failed"];
  const jobs = history(world, 64);
  const push = (machine: string, task: string, end: Job["end"] = "complete"): number =>
    jobs.push({ no: 64 + jobs.length, machine, operation: task, began: world.now(), end }) + 63;
  return {
    answer(request) {
      const asked = operationOf(request);
      if (asked?.format !== "json") return { status: 404 };
      if (isRestore(asked)) {
        const task = asked.what === "files" ? "restore some files" : "restore";
        tell(world, request, asked, push(asked.machine, task, world.endOf(asked.machine)));
        return { status: 200, body: "OK" };
      }
      if (asked.what === "log") {
        const own = jobs.filter(({ machine }) => machine === asked.machine);
        const log = pageOf(own).map((job) => ({
          task: job.operation,
          status: wordOf(world, job, words),
          ms: job.began,
        }));
        return { status: 200, body: { log } };
      }
      const last = pageOf(jobs).map((job) => {
        const row = { id: job.no, task: job.operation, machine_id: numeric(job.machine) };
        const status = wordOf(world, job, words);
        return {
          ...row,
          status,
          ms: job.began,
          ...(asked.detailed && { log_output: `${job.operation}... ${status}` }),
        };
      });
      return { status: 200, body: { transactions: last } };
    },
    work: (machine, operation) => void push(machine, operation),
  };
};

/** It takes a page or a size but not both, which is a 404, and it wraps each row and names the machine by its path. */
const oneSuffixOnly: MakePanel = (world) => {
  const words: Words = ["created", "executing", "successful", "unsuccessful"];
  const jobs = history(world, 2_000_417);
  const rowOf = (job: Job): object => ({
    id: job.no,
    operation: { restore: "RestoreMachine", files: "RestoreFiles" }[job.operation] ?? job.operation,
    resource: `/virtual_machines/${job.machine}`,
    status: wordOf(world, job, words),
    created_on: new Date(job.began).toUTCString(),
  });
  const add = (machine: string, operation: string, end: Job["end"]): Job => {
    const job = { no: 2_000_417 + jobs.length, machine, operation, began: world.now(), end };
    jobs.push(job);
    return job;
  };
  return {
    answer(request) {
      const asked = operationOf(request);
      if (asked?.format !== "json") return { status: 404, body: { error: "unknown path" } };
      if (isRestore(asked)) {
        const job = add(asked.machine, asked.what, world.endOf(asked.machine));
        tell(world, request, asked, job.no);
        return { status: 200, body: { transaction: rowOf(job) } };
      }
      if (asked.page !== undefined && asked.perPage !== undefined)
        return { status: 404, body: { error: "unknown path" } };
      const shown = asked.what === "log" ? jobs.filter(({ machine }) => machine === asked.machine) : jobs;
      const rows = pageOf(shown, asked.page, asked.perPage).map((job) => {
        if (asked.what === "log") return { entry: { transaction: job.no, status: wordOf(world, job, words) } };
        const output = { log_output: `${job.operation} ${wordOf(world, job, words)}` };
        return { transaction: asked.detailed ? { ...rowOf(job), ...output } : rowOf(job) };
      });
      return { status: 200, body: rows };
    },
    work: (machine, operation) => void add(machine, operation, "complete"),
  };
};

/** A page never holds more than 20 rows, whatever is asked for; the ids are text, and the list says which page it is. */
const atMostTwenty: MakePanel = (world) => {
  const words: Words = ["pending", "processing", "complete", "failed"];
  const jobs = history(world, 400);
  const add = (machine: string, operation: string, end: Job["end"] = "complete"): string => {
    const no = 400 + jobs.length;
    jobs.push({ no, machine, operation: operation === "files" ? "fileRestore" : operation, began: world.now(), end });
    return String(no);
  };
  return {
    answer(request) {
      const asked = operationOf(request);
      if (asked?.format !== "json") return { status: 404, body: { status: 404, title: "Not Found" } };
      if (isRestore(asked)) {
        tell(world, request, asked, add(asked.machine, asked.what, world.endOf(asked.machine)));
        return { status: 204 };
      }
      const size = Math.min(asked.perPage ?? 10, 20);
      const shown = asked.what === "log" ? jobs.filter(({ machine }) => machine === asked.machine) : jobs;
      const records = pageOf(shown, asked.page, size).map((job) => ({
        id: asked.what === "log" ? String(job.no + 7000) : String(job.no),
        ...(asked.what === "transactions" && { virtualMachineId: job.machine }),
        action: job.operation,
        status: wordOf(world, job, words),
        createdAt: iso(job.began),
        ...(asked.what === "transactions" && asked.detailed && { log_output: `${job.operation} @ ${job.machine}` }),
      }));
      return { status: 200, body: { page: asked.page ?? 1, perPage: size, total: shown.length, records } };
    },
    work: (machine, operation) => void add(machine, operation),
  };
};

export const c: Readonly<Record<string, { make: MakePanel; formats: readonly ("json" | "xml")[] }>> = {
  "bare rows, empty log": { make: bareRows, formats: ["json"] },
  "id, action, status": { make: idActionStatus, formats: ["json"] },
  "virtual_machine_id, both formats": { make: machineIdBothFormats, formats: ["json", "xml"] },
  "machine as an object": { make: machineAsObject, formats: ["json"] },
  "target, starts empty": { make: targetFromEmpty, formats: ["json"] },
  "pages oldest first": { make: pagesOldestFirst, formats: ["json"] },
  "lettered ids, oldest first": { make: letteredOldestFirst, formats: ["json"] },
  "always the last ten": { make: alwaysLastTen, formats: ["json"] },
  "one suffix only": { make: oneSuffixOnly, formats: ["json"] },
  "at most twenty": { make: atMostTwenty, formats: ["json"] },
};
