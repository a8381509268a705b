import assert from "node:assert/strict";
import { type Dialect, dialects, type SandboxOptions } from "../../../sandbox";
import { resolveDialect } from "../../../sandbox/dialect/presets";
import { VirtualClock } from "../../support/virtual-clock";
import { type Answered, ask, filesLine, restoreLine, withSandbox } from "../support/ask";
import { shows as showsOn } from "../support/switches";

type Row = Readonly<Record<string, unknown>>;

interface Seen {
  readonly get: (path: string) => Promise<Answered>;
  readonly post: (line?: string) => Promise<Answered>;
  /** Rows of the list, without their wrapping. */
  readonly rows: (path?: string) => Promise<readonly Row[]>;
  readonly clock: VirtualClock;
  /** Of the machine. */
  readonly identifier: string;
}

const machine = { machines: [{ id: 42 }] };

/** A panel with one machine, no history, and the switches given on top of `plain`. */
function seen(
  dialect: Partial<Dialect>,
  see: (panel: Seen) => Promise<void>,
  more: SandboxOptions = {},
): Promise<void> {
  const clock = new VirtualClock();
  return withSandbox({ clock, dialect, scenario: machine, ...more }, async (sandbox) => {
    const get = (path: string): Promise<Answered> => ask(sandbox.url, `GET ${path}`);
    await see({
      get,
      post: (line = restoreLine) => {
        const format = line.endsWith(".xml") ? '<paths type="array"><path>/a</path></paths>' : '{"paths":["/a"]}';
        return ask(sandbox.url, line, line.includes("file_entries") ? { body: format } : {});
      },
      rows: async (path = "/transactions.json/per_page/100") =>
        ((await get(path)).json as readonly Row[]).map((row) => (row["transaction"] ?? row["log_item"] ?? row) as Row),
      clock,
      identifier: sandbox.machines()[0]?.identifier ?? "",
    });
  });
}

/** What each value of a switch shows on a panel that differs in more than that. */
function shows<Name extends keyof Dialect>(
  name: Name,
  expected: Parameters<typeof showsOn<Seen, Name>>[2],
  look: (panel: Seen) => Promise<unknown>,
  { dialect = {}, ...more }: Omit<SandboxOptions, "dialect"> & { readonly dialect?: Partial<Dialect> } = {},
): void {
  showsOn((own, see) => seen({ ...dialect, ...own }, see, more), name, expected, look);
}

function idsOf(rows: readonly Row[]): unknown[] {
  return rows.map((row) => row["id"]);
}

function pick(row: Row | undefined, ...names: readonly string[]): unknown[] {
  return names.map((name) => row?.[name]);
}

const tie = ["identifier", "parent_id", "parent_type", "associated_object_id", "associated_object_type"];
const twelve = {
  scenario: {
    ...machine,
    transactions: Array.from({ length: 12 }, () => ({ machineId: 42, action: "work", status: "complete" as const })),
  },
};

describe("the sandbox's dialect", () => {
  describe("postBody", () => {
    const expected: Record<Dialect["postBody"], (answer: Answered, identifier: string) => void> = {
      resource: ({ status, headers, json }, identifier) => {
        assert.equal(status, 201);
        assert.equal(headers["location"], `/virtual_machines/${identifier}.json`);
        assert.deepEqual(pick((json as Record<string, Row>)["virtual_machine"], "id", "locked"), [42, true]);
      },
      recoveryPoint: ({ status, json }) => {
        assert.equal(status, 201);
        assert.equal((json as Record<string, Row>)["recovery_point"]?.["id"], 1007);
      },
      notice: ({ status, json }) => {
        assert.equal(status, 200);
        assert.deepEqual(Object.keys(json as object), ["notice"]);
      },
      empty: ({ status, text }) => {
        assert.deepEqual([status, text], [204, ""]);
      },
      blank: ({ status, text, headers }) => {
        assert.deepEqual([status, text, headers["content-length"]], [201, "", "0"]);
      },
      transaction: ({ status, json }) => {
        assert.equal(status, 201);
        assert.deepEqual(pick((json as Record<string, Row>)["transaction"], "id", "status"), [5000, "pending"]);
      },
      location: ({ status, text, headers }) => {
        assert.deepEqual([status, text, headers["location"]], [201, "", "/transactions/5000.json"]);
      },
      html: ({ status, text, headers }) => {
        assert.equal(status, 200);
        assert.match(String(headers["content-type"]), /^text\/html/);
        assert.match(text, /^<!DOCTYPE html>/);
      },
    };
    for (const [postBody, check] of Object.entries(expected) as [Dialect["postBody"], (typeof expected)["html"]][]) {
      it(postBody, () =>
        seen({ postBody }, async ({ post, identifier, rows }) => {
          check(await post(), identifier);
          assert.equal((await rows()).length, 1);
        }),
      );
    }
    it("has an XML form", () =>
      seen({ postBody: "resource" }, async ({ post }) => {
        assert.match(
          (await post(restoreLine.replace("json", "xml"))).text,
          /<virtual_machine>\n {2}<id type="integer">42</,
        );
      }));
  });

  const [point, vm, none] = [
    [1007, "RecoveryPoint"],
    [42, "VirtualMachine"],
    [null, null],
  ];
  shows(
    "machineTie",
    {
      all: ["its own", ...point, ...vm],
      associated: [null, ...point, ...vm],
      parent: [null, ...vm, ...none],
      identifier: ["its own", ...point, ...none],
      target: ["recoverypoint1007", ...point, ...none],
      field: [null, ...none, ...none, 42],
      none: [null, ...none, ...none],
    },
    async ({ post, rows, identifier }) => {
      await post();
      const [row] = await rows();
      // The machine's own log always tells.
      const [entry] = await rows("/virtual_machines/42/logs.json");
      assert.deepEqual(pick(entry, "target_type", "target_id"), ["Transaction", row?.["id"]]);
      const named = pick(row, ...tie).map((field) => (field === identifier ? "its own" : field));
      return row?.["virtual_machine_id"] === undefined ? named : [...named, row["virtual_machine_id"]];
    },
  );

  shows(
    "rows",
    { full: true, bare: '[{"transaction":{"id":5000,"virtual_machine_id":42,"status":"pending"}}]' },
    async ({ post, get }) => {
      await post();
      const { text } = await get("/transactions.json");
      return text.includes('"action":"restore_backup"') || text;
    },
    { dialect: { machineTie: "field" } },
  );

  shows(
    "logTie",
    {
      transaction: [5000, "Transaction", "restore_backup", undefined],
      none: [undefined, undefined, undefined, "restore_backup: pending"],
    },
    async ({ post, rows }) => {
      await post();
      return pick((await rows("/virtual_machines/42/logs.json"))[0], "target_id", "target_type", "action", "text");
    },
  );

  it("machineTie target: work on the machine itself names the machine", () =>
    seen(
      { machineTie: "target" },
      async ({ rows, identifier }) => {
        const [row] = await rows();
        assert.deepEqual(pick(row, ...tie), [identifier, 42, "VirtualMachine", null, null]);
      },
      { scenario: { ...machine, transactions: [{ machineId: 42, action: "take_backup" }] } },
    ));

  const work = (seconds: number) => ({ machineId: 42, action: `work_of_${String(seconds)}`, seconds, locks: false });
  shows(
    "sortedBy",
    {
      created: ["work_of_20", "work_of_10", "work_of_30"],
      updated: ["work_of_30", "work_of_20", "work_of_10"],
    },
    async ({ rows, clock }) => {
      await clock.advance(60_000);
      const actions = (await rows()).map((row) => row["action"]);
      assert.equal((await rows("/transactions.json/page/2/per_page/2"))[0]?.["action"], actions[2]);
      return actions;
    },
    { scenario: { ...machine, transactions: [work(30), work(10), work(20)] } },
  );

  shows(
    "pageOrder",
    {
      newestFirst: [5011, 5002, 5001, 5000],
      oldestFirst: [5002, 5011, 5000, 5001],
    },
    async ({ rows }) => {
      const [first, second] = [await rows("/transactions.json"), await rows("/transactions.json/page/2")];
      const log = await rows("/virtual_machines/42/logs.json");
      assert.deepEqual(
        log.map((item) => item["target_id"]),
        idsOf(first),
      );
      return [first[0], first.at(-1), ...second].map((row) => row?.["id"]);
    },
    twelve,
  );

  shows(
    "actionNames",
    {
      backup: ["restore_backup", "restore_file_entries"],
      recoveryPoint: ["restore_recovery_point", "restore_files_from_recovery_point"],
      camel: ["RestoreVm", "RestoreFileEntries"],
      other: ["rollback_virtual_machine", "recover_file_entries"],
    },
    async ({ post, rows }) => {
      await post();
      await post(filesLine);
      return (await rows()).map((row) => row["action"]).reverse();
    },
  );

  const [startup, restore, stop] = ["startup_virtual_machine", "restore_backup", "stop_virtual_machine"];
  shows(
    "chain",
    {
      single: [[restore, null, null]],
      chain: [
        [startup, 900, 5001],
        [restore, 900, 5000],
        [stop, 900, null],
      ],
      dependentOnly: [
        [startup, null, 5001],
        [restore, null, 5000],
        [stop, null, null],
      ],
      chainOnly: [
        [startup, 900, null],
        [restore, 900, null],
        [stop, 900, null],
      ],
    },
    async ({ post, rows }) => {
      await post();
      return (await rows()).map((row) => pick(row, "action", "chain_id", "dependent_transaction_id"));
    },
  );

  shows(
    "chainIdType",
    { integer: 900, string: "900" },
    async ({ post, rows }) => {
      await post();
      return (await rows())[0]?.["chain_id"];
    },
    { dialect: { chain: "chain" } },
  );

  it("pageCap: the most rows of a page, whatever is asked for", () =>
    seen(
      { pageCap: 5 },
      async ({ rows }) => {
        assert.equal((await rows("/transactions.json/per_page/100")).length, 5);
        assert.equal((await rows("/transactions.json/page/3")).length, 2);
      },
      twelve,
    ));

  shows(
    "pastEnd",
    { empty: [], repeatLast: [5001, 5000], notFound: 404 },
    async ({ get, rows }) => {
      assert.equal((await rows("/transactions.json/page/2")).length, 2);
      const { status } = await get("/transactions.json/page/3");
      return status === 200 ? idsOf(await rows("/transactions.json/page/9")) : status;
    },
    twelve,
  );

  shows(
    "combinedPaging",
    {
      both: [5007, 5006, 5005, 5004],
      ignorePage: [5011, 5010, 5009, 5008],
      ignorePerPage: [5001, 5000],
      ignoreBoth: Array.from({ length: 10 }, (_, index) => 5011 - index),
      notFound: 404,
    },
    async ({ get, rows }) => {
      const path = "/transactions.json/page/2/per_page/4";
      const { status } = await get(path);
      return status === 200 ? idsOf(await rows(path)) : status;
    },
    twelve,
  );

  shows(
    "queryPaging",
    { both: 4, ignored: 10 },
    async ({ rows }) => (await rows("/transactions.json?page=2&per_page=4")).length,
    twelve,
  );

  shows(
    "headers",
    {
      none: [[undefined, undefined, undefined], false, false],
      paging: [["2", "5", "12"], false, false],
      tracing: [[undefined, undefined, undefined], true, true],
      all: [["2", "5", "12"], true, true],
    },
    async ({ get }) => {
      const { headers } = await get("/transactions.json/page/2/per_page/5");
      return [
        pick(headers, "x-page", "x-limit", "x-total"),
        /^[0-9a-f]{16}$/.test(String(headers["x-request-id"])),
        String(headers["set-cookie"]).startsWith("_session_id="),
      ];
    },
    twelve,
  );

  it("statusSpelling and statusCase: how the same status is written", async () => {
    const scenario = { ...machine, transactions: [{ machineId: 42, action: "work", status: "cancelled" as const }] };
    for (const [dialect, status] of [
      [{}, "cancelled"],
      [{ statusSpelling: "canceled" }, "canceled"],
      [{ statusCase: "upper" }, "CANCELLED"],
      [{ statusCase: "capitalized", statusSpelling: "canceled" }, "Canceled"],
    ] as const) {
      await seen(
        dialect,
        async ({ rows }) => {
          assert.equal((await rows())[0]?.["status"], status);
          assert.equal((await rows("/virtual_machines/42/logs.json"))[0]?.["status"], status);
        },
        { scenario },
      );
    }
  });

  shows(
    "wrapping",
    {
      items: ['[{"transaction":{"id":', '[{"log_item":{"id":'],
      bare: ['[{"id":', '[{"id":'],
      whole: ['{"transactions":[{"id":', '{"log_items":[{"id":'],
    },
    async ({ get, post }) => {
      await post();
      const texts = [await get("/transactions.json"), await get("/virtual_machines/42/logs.json")];
      return texts.map(({ text }) => /^\D*/.exec(text)?.[0]);
    },
  );

  /** A part of the list in XML, behind one restore. */
  const inXml =
    (part: RegExp) =>
    async ({ get, post }: Seen): Promise<unknown> => {
      await post();
      return part.exec((await get("/transactions.xml")).text)?.[1];
    };
  shows("xmlNames", { underscore: "created_at", hyphen: "created-at" }, inXml(/<(created.at) /));
  shows("xmlDatetimeType", { datetime: "datetime", dateTime: "dateTime" }, inXml(/<created_at type="(\w+)">/));
  shows(
    "emptyListXml",
    { array: ["transactions", "transactions"], nilClasses: ["nil_classes", "transactions"] },
    async ({ get, post }) => {
      const root = async () => /\n<(\w+) type="array"/.exec((await get("/transactions.xml")).text)?.[1];
      const ofNone = await root();
      await post();
      return [ofNone, await root()];
    },
  );

  it("utcOffsetMinutes, timestampPrecision and clockSkewSeconds: how the same moment is written", async () => {
    for (const [dialect, stamp, date = "Sat, 21 Nov 2026 10:00:00 GMT"] of [
      [{}, "2026-11-21T10:00:00Z"],
      [{ utcOffsetMinutes: 180 }, "2026-11-21T13:00:00+03:00"],
      [{ utcOffsetMinutes: -210 }, "2026-11-21T06:30:00-03:30"],
      [{ timestampPrecision: "milliseconds" }, "2026-11-21T10:00:00.000Z"],
      [{ clockSkewSeconds: -61 }, "2026-11-21T09:58:59Z", "Sat, 21 Nov 2026 09:58:59 GMT"],
    ] as const) {
      await seen(dialect, async ({ post, rows }) => {
        const { headers } = await post();
        assert.deepEqual([(await rows())[0]?.["created_at"], headers["date"]], [stamp, date]);
      });
    }
  });

  shows("finishedAt", { absent: undefined, sent: "2026-11-21T10:00:10Z" }, async ({ post, rows, clock }) => {
    await post();
    await clock.advance(60_000);
    return (await rows())[0]?.["finished_at"];
  });

  shows(
    "idStyle",
    {
      integer: ["5001", "5000"],
      big: ["9100000000000000001", "9100000000000000000"],
      alphanumeric: ['"t17wdrqp"', '"t0000000"'],
    },
    async ({ post, get }) => {
      await post();
      await post();
      const idsIn = ({ text }: Answered, name: string) =>
        [...text.matchAll(new RegExp(`"${name}":([^,]*),`, "g"))].map(([, id]) => id);
      const ids = idsIn(await get("/transactions.json"), "id");
      assert.deepEqual(idsIn(await get("/virtual_machines/42/logs.json"), "target_id"), ids);
      return ids;
    },
  );

  it("listingDelaySeconds: a restore appears late, below what came meanwhile", () =>
    seen(
      { listingDelaySeconds: 3 },
      async ({ post, rows, clock }) => {
        await post();
        assert.deepEqual(await rows(), []);
        assert.deepEqual(await rows("/virtual_machines/42/logs.json"), []);
        await clock.advance(2999);
        assert.deepEqual(
          (await rows()).map((row) => row["id"]),
          [5002, 5001],
        );
        await clock.advance(1);
        assert.deepEqual(
          (await rows()).map((row) => row["id"]),
          [5003, 5002, 5001, 5000],
        );
        assert.equal((await rows("/virtual_machines/42/logs.json")).length, 1);
      },
      { scenario: { ...machine, background: { perSecond: 1 } } },
    ));

  shows("nulls", { null: [true, true, true], absent: [false, false, false] }, async ({ post, get }) => {
    await post();
    const { text } = await get("/transactions.json");
    const xml = (await get("/transactions.xml")).text;
    return [text.includes('"started_at":null'), text.includes('"started_at"'), xml.includes('nil="true"')];
  });

  shows(
    "params",
    {
      point: [{ recovery_point_id: 1007 }, false],
      empty: [{}, false],
      secret: [{ remote_ip: "192.0.2.7", encryption_key: "correct-horse-battery" }, true],
    },
    async ({ post, rows, clock }) => {
      await post();
      await clock.advance(60_000);
      const [row] = await rows("/transactions.json?detailed");
      return [row?.["params"], String(row?.["log_output"]).includes("password=correct-horse-battery")];
    },
  );

  shows("undetailedLog", { absent: undefined, empty: "" }, async ({ post, rows, clock }) => {
    await post();
    await clock.advance(60_000);
    assert.notEqual((await rows("/transactions.json?detailed"))[0]?.["log_output"], "");
    return (await rows())[0]?.["log_output"];
  });

  shows("logAlerts", { none: ["Transaction"], some: ["Alert", "Transaction"] }, async ({ post, rows }) => {
    await post();
    return (await rows("/virtual_machines/42/logs.json")).map((entry) => entry["target_type"]);
  });

  const message = "Resource not found";
  shows(
    "errorBody",
    {
      list: [{ errors: [message] }, `<errors type="array"><error>${message}</error></errors>`],
      single: [{ error: message }, `<hash><error>${message}</error></hash>`],
      fields: [{ errors: { base: [message] } }, `<errors><base type="array"><error>${message}</error></base></errors>`],
      html: ["<!DOCTYPE html>", "<!DOCTYPE html>"],
    },
    async ({ get }) => {
      const [answer, inXml] = [await get("/nothing.json"), await get("/nothing.xml")];
      assert.equal(answer.status, 404);
      const doctypes = [answer, inXml].map(({ text }) => /^<!DOCTYPE html>/.exec(text)?.[0]);
      if (doctypes[0] !== undefined) return doctypes;
      return [answer.json, inXml.text.replace(/^<\?xml.*\?>/, "").replaceAll(/\n */g, "")];
    },
  );

  shows(
    "restorePath",
    { machines: [201, 404, 201], servers: [404, 201, 201], both: [201, 201, 201] },
    async ({ post }) => {
      const older = restoreLine.replace("virtual_machines", "virtual_servers");
      return [(await post()).status, (await post(older)).status, (await post(filesLine)).status];
    },
  );

  shows("whenLocked", { queue: [201, 201, 201], refuse: [201, 422, 201] }, async ({ post, clock }) => {
    const statuses = [(await post()).status, (await post()).status];
    await clock.advance(60_000);
    return [...statuses, (await post()).status];
  });

  it("has presets, and in the awkward one everything differs from the plain one that may without a setting", () => {
    const same = Object.entries(dialects.plain).filter(([name, value]) => {
      return dialects.awkward[name as keyof Dialect] === value;
    });
    assert.deepEqual(Object.fromEntries(same), {
      // What only the bare dialect changes.
      rows: "full",
      logTie: "transaction",
      pageOrder: "newestFirst",
      // A row left pending keeps its machine for ever, and a list sorted anew for every page costs what it is long.
      restOfChain: "cancelled",
      sortedBy: "created",
      whenLocked: "queue",
      // Without a list, without zones and among other machines' points nothing can be chosen.
      pointList: "listed",
      pointTime: "zone",
      pointMachines: "own",
    });
    assert.deepEqual(resolveDialect({ preset: "modern", pageCap: 7 }), { ...dialects.modern, pageCap: 7 });
  });

  for (const format of ["json", "xml"]) {
    it(`the bare preset gives what SPEC.md shows and nothing else, ${format}`, () =>
      withSandbox({ clock: new VirtualClock(), dialect: "bare", scenario: machine }, async ({ url }) => {
        const inFormat = async (line: string) => {
          const { status, text } = await ask(url, line.replace(".json", `.${format}`));
          return [status, text.replace(/^<\?xml.*\?>/, "").replaceAll(/\n */g, "")];
        };
        const written = (inJson: string, inXml: string) => [200, format === "json" ? inJson : inXml];
        assert.deepEqual(await inFormat("GET /transactions.json"), written("[]", '<transactions type="array"/>'));
        assert.deepEqual(await inFormat(restoreLine), [201, ""]);
        assert.deepEqual(
          await inFormat("GET /transactions.json/page/1/per_page/20"),
          written(
            '[{"id":5000,"status":"pending"}]',
            '<transactions type="array"><transaction><id type="integer">5000</id><status>pending</status></transaction></transactions>',
          ),
        );
        assert.deepEqual(
          await inFormat("GET /transactions.json?detailed"),
          written(
            '[{"id":5000,"status":"pending","log_output":""}]',
            '<transactions type="array"><transaction><id type="integer">5000</id><status>pending</status><log_output></log_output></transaction></transactions>',
          ),
        );
        assert.deepEqual(
          await inFormat("GET /virtual_machines/42/logs.json"),
          written(
            '[{"id":20000,"text":"restore_backup: pending"}]',
            '<log_items type="array"><log_item><id type="integer">20000</id><text>restore_backup: pending</text></log_item></log_items>',
          ),
        );
        assert.equal((await inFormat("GET /virtual_machines/42/backups/recovery_points.json"))[0], 404);
      }));
  }

  it("can change while the panel runs, but for the ids", () =>
    withSandbox({}, async (sandbox) => {
      sandbox.setDialect({ wrapping: "bare" });
      assert.match((await ask(sandbox.url, "GET /transactions.json")).text, /^\[\{"id":/);
      assert.throws(() => {
        sandbox.setDialect({ idStyle: "big" });
      }, /idStyle/);
    }));
});
