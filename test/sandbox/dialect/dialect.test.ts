import assert from "node:assert/strict";
import { type Dialect, dialects, SandboxError, type SandboxOptions, startSandbox } from "../../../sandbox";
import { resolveDialect } from "../../../sandbox/dialect/read-dialect";
import { VirtualClock } from "../../support/virtual-clock";
import { type Answered, ask, filesLine, restoreLine, withSandbox } from "../support/ask";

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

function pick(row: Row | undefined, ...names: readonly string[]): unknown[] {
  return names.map((name) => row?.[name]);
}

const tie = ["identifier", "parent_id", "parent_type", "associated_object_id", "associated_object_type"];
const twelve: SandboxOptions = {
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

  describe("machineTie", () => {
    const point = [1007, "RecoveryPoint"];
    const none = [null, null];
    const expected: Record<Dialect["machineTie"], (identifier: string) => unknown[]> = {
      all: (identifier) => [identifier, ...point, 42, "VirtualMachine"],
      associated: () => [null, ...point, 42, "VirtualMachine"],
      parent: () => [null, 42, "VirtualMachine", ...none],
      identifier: (identifier) => [identifier, ...point, ...none],
      target: () => ["recoverypoint1007", ...point, ...none],
      none: () => [null, ...none, ...none],
    };
    for (const [machineTie, fields] of Object.entries(expected) as [
      Dialect["machineTie"],
      (id: string) => unknown[],
    ][]) {
      it(`${machineTie}; the machine's own log always tells`, () =>
        seen({ machineTie }, async ({ post, rows, identifier }) => {
          await post();
          const [row] = await rows();
          assert.deepEqual(pick(row, ...tie), fields(identifier));
          const [entry] = await rows("/virtual_machines/42/logs.json");
          assert.deepEqual(pick(entry, "target_type", "target_id"), ["Transaction", row?.["id"]]);
        }));
    }
  });

  it("machineTie target: work on the machine itself names the machine", () =>
    seen(
      { machineTie: "target" },
      async ({ rows, identifier }) => {
        const [row] = await rows();
        assert.deepEqual(pick(row, ...tie), [identifier, 42, "VirtualMachine", null, null]);
      },
      { scenario: { ...machine, transactions: [{ machineId: 42, action: "take_backup" }] } },
    ));

  it("sortedBy: made last first, or changed last first", async () => {
    const work = (seconds: number) => ({ machineId: 42, action: `work_of_${String(seconds)}`, seconds, locks: false });
    const scenario = { ...machine, transactions: [work(30), work(10), work(20)] };
    for (const [sortedBy, order] of [
      ["created", ["work_of_20", "work_of_10", "work_of_30"]],
      ["updated", ["work_of_30", "work_of_20", "work_of_10"]],
    ] as const) {
      await seen(
        { sortedBy },
        async ({ rows, clock }) => {
          await clock.advance(60_000);
          assert.deepEqual(
            (await rows()).map((row) => row["action"]),
            order,
          );
          assert.equal((await rows("/transactions.json/page/2/per_page/2"))[0]?.["action"], order[2]);
        },
        { scenario },
      );
    }
  });

  it("actionNames: what a restore is called, in one dialect without the word", async () => {
    const names = new Map<string, unknown[]>();
    for (const actionNames of ["backup", "recoveryPoint", "camel", "other"] as const) {
      await seen({ actionNames }, async ({ post, rows }) => {
        await post();
        await post(filesLine);
        names.set(actionNames, (await rows()).map((row) => row["action"]).reverse());
      });
    }
    assert.deepEqual(Object.fromEntries(names), {
      backup: ["restore_backup", "restore_file_entries"],
      recoveryPoint: ["restore_recovery_point", "restore_files_from_recovery_point"],
      camel: ["RestoreVm", "RestoreFileEntries"],
      other: ["rollback_virtual_machine", "recover_file_entries"],
    });
  });

  it("chain: single is one row, chain shares an id, dependentOnly has none, chainOnly has nothing else", async () => {
    const links = ["action", "chain_id", "dependent_transaction_id"];
    const actions = ["startup_virtual_machine", "restore_backup", "stop_virtual_machine"];
    await seen({ chain: "single" }, async ({ post, rows }) => {
      await post();
      assert.deepEqual(
        (await rows()).map((row) => pick(row, ...links)),
        [["restore_backup", null, null]],
      );
    });
    for (const [chain, id] of [
      ["chain", 900],
      ["dependentOnly", null],
    ] as const) {
      await seen({ chain }, async ({ post, rows }) => {
        await post();
        const found = await rows();
        assert.deepEqual(
          found.map((row) => pick(row, ...links)),
          actions.map((action, index) => [action, id, found[index + 1]?.["id"] ?? null]),
        );
      });
    }
    await seen({ chain: "chainOnly" }, async ({ post, rows }) => {
      await post();
      assert.deepEqual(
        (await rows()).map((row) => pick(row, ...links)),
        actions.map((action) => [action, 900, null]),
      );
    });
  });

  it("chainIdType: a number or text", async () => {
    for (const [chainIdType, id] of [
      ["integer", 900],
      ["string", "900"],
    ] as const) {
      await seen({ chain: "chain", chainIdType }, async ({ post, rows }) => {
        await post();
        assert.equal((await rows())[0]?.["chain_id"], id);
      });
    }
  });

  it("pageCap: the most rows of a page, whatever is asked for", () =>
    seen(
      { pageCap: 5 },
      async ({ rows }) => {
        assert.equal((await rows("/transactions.json/per_page/100")).length, 5);
        assert.equal((await rows("/transactions.json/page/3")).length, 2);
      },
      twelve,
    ));

  it("pastEnd: an empty page, the last one again, or none", async () => {
    await seen(
      { pastEnd: "empty" },
      async ({ rows }) => {
        assert.deepEqual(await rows("/transactions.json/page/9"), []);
      },
      twelve,
    );
    await seen(
      { pastEnd: "repeatLast" },
      async ({ rows }) => {
        assert.deepEqual(await rows("/transactions.json/page/9"), await rows("/transactions.json/page/2"));
        assert.equal((await rows("/transactions.json/page/9")).length, 2);
      },
      twelve,
    );
    await seen(
      { pastEnd: "notFound" },
      async ({ get, rows }) => {
        assert.equal((await get("/transactions.json/page/3")).status, 404);
        assert.equal((await rows("/transactions.json/page/2")).length, 2);
      },
      twelve,
    );
  });

  it("combinedPaging: both, one of the two, none, or no such path", async () => {
    const of = async (combinedPaging: Dialect["combinedPaging"]): Promise<unknown> => {
      let found: unknown;
      await seen(
        { combinedPaging },
        async ({ get }) => {
          const { status, json } = await get("/transactions.json/page/2/per_page/4");
          found = status === 200 ? (json as Record<string, Row>[]).map((row) => row["transaction"]?.["id"]) : status;
        },
        twelve,
      );
      return found;
    };
    assert.deepEqual(await of("both"), [5007, 5006, 5005, 5004]);
    assert.deepEqual(await of("ignorePage"), [5011, 5010, 5009, 5008]);
    assert.deepEqual(await of("ignorePerPage"), [5001, 5000]);
    assert.deepEqual(
      await of("ignoreBoth"),
      Array.from({ length: 10 }, (_, index) => 5011 - index),
    );
    assert.equal(await of("notFound"), 404);
  });

  it("queryPaging: ?page and ?per_page count, or do not", async () => {
    for (const [queryPaging, rows] of [
      ["both", 4],
      ["ignored", 10],
    ] as const) {
      await seen(
        { queryPaging },
        async (panel) => {
          assert.equal((await panel.rows("/transactions.json?page=2&per_page=4")).length, rows);
        },
        twelve,
      );
    }
  });

  it("headers: about the page, about the request, both or none", async () => {
    for (const [headers, paged, traced] of [
      ["none", false, false],
      ["paging", true, false],
      ["tracing", false, true],
      ["all", true, true],
    ] as const) {
      await seen(
        { headers },
        async ({ get }) => {
          const sent = (await get("/transactions.json/page/2/per_page/5")).headers;
          assert.deepEqual(
            [sent["x-page"], sent["x-limit"], sent["x-total"]],
            paged ? ["2", "5", "12"] : [undefined, undefined, undefined],
          );
          assert.equal(/^[0-9a-f]{16}$/.test(String(sent["x-request-id"])), traced);
          assert.equal(String(sent["set-cookie"]).startsWith("_session_id="), traced);
        },
        twelve,
      );
    }
  });

  it("statusSpelling and statusCase: how the same status is written", async () => {
    const status = async (dialect: Partial<Dialect>): Promise<unknown> => {
      let found: unknown;
      const scenario = { ...machine, transactions: [{ machineId: 42, action: "work", status: "cancelled" as const }] };
      await seen(
        dialect,
        async ({ rows }) => {
          found = (await rows())[0]?.["status"];
          assert.equal((await rows("/virtual_machines/42/logs.json"))[0]?.["status"], found);
        },
        { scenario },
      );
      return found;
    };
    assert.equal(await status({}), "cancelled");
    assert.equal(await status({ statusSpelling: "canceled" }), "canceled");
    assert.equal(await status({ statusCase: "upper" }), "CANCELLED");
    assert.equal(await status({ statusCase: "capitalized", statusSpelling: "canceled" }), "Canceled");
  });

  it("wrapping: every item, none, or the list as a whole", async () => {
    for (const [wrapping, transactions, logs] of [
      ["items", /^\[\{"transaction":\{"id":5000,/, /^\[\{"log_item":\{"id":/],
      ["bare", /^\[\{"id":5000,/, /^\[\{"id":/],
      ["whole", /^\{"transactions":\[\{"id":5000,/, /^\{"log_items":\[\{"id":/],
    ] as const) {
      await seen({ wrapping }, async ({ get, post }) => {
        await post();
        assert.match((await get("/transactions.json")).text, transactions);
        assert.match((await get("/virtual_machines/42/logs.json")).text, logs);
      });
    }
  });

  it("xmlNames: with underscores or hyphens", async () => {
    for (const [xmlNames, name] of [
      ["underscore", /<created_at /],
      ["hyphen", /<created-at /],
    ] as const) {
      await seen({ xmlNames }, async ({ get, post }) => {
        await post();
        assert.match((await get("/transactions.xml")).text, name);
      });
    }
  });

  it("xmlDatetimeType: datetime or dateTime", async () => {
    for (const xmlDatetimeType of ["datetime", "dateTime"] as const) {
      await seen({ xmlDatetimeType }, async ({ get, post }) => {
        await post();
        assert.match((await get("/transactions.xml")).text, new RegExp(`<created_at type="${xmlDatetimeType}">`));
      });
    }
  });

  it("emptyListXml: an empty array, or nil classes", async () => {
    for (const [emptyListXml, root] of [
      ["array", /\n<transactions type="array"\/>\n$/],
      ["nilClasses", /\n<nil_classes type="array"\/>\n$/],
    ] as const) {
      await seen({ emptyListXml }, async ({ get }) => {
        assert.match((await get("/transactions.xml")).text, root);
      });
    }
  });

  it("utcOffsetMinutes, timestampPrecision and clockSkewSeconds: how the same moment is written", async () => {
    const moment = async (dialect: Partial<Dialect>): Promise<unknown[]> => {
      let found: unknown[] = [];
      await seen(dialect, async ({ post, rows }) => {
        const { headers } = await post();
        found = [(await rows())[0]?.["created_at"], headers["date"]];
      });
      return found;
    };
    const date = "Sat, 21 Nov 2026 10:00:00 GMT";
    assert.deepEqual(await moment({}), ["2026-11-21T10:00:00Z", date]);
    assert.deepEqual(await moment({ utcOffsetMinutes: 180 }), ["2026-11-21T13:00:00+03:00", date]);
    assert.deepEqual(await moment({ utcOffsetMinutes: -210 }), ["2026-11-21T06:30:00-03:30", date]);
    assert.deepEqual(await moment({ timestampPrecision: "milliseconds" }), ["2026-11-21T10:00:00.000Z", date]);
    assert.deepEqual(await moment({ clockSkewSeconds: -61 }), [
      "2026-11-21T09:58:59Z",
      "Sat, 21 Nov 2026 09:58:59 GMT",
    ]);
  });

  it("finishedAt: a field of its own, or none", async () => {
    for (const [finishedAt, expected] of [
      ["absent", undefined],
      ["sent", "2026-11-21T10:00:10Z"],
    ] as const) {
      await seen({ finishedAt }, async ({ post, rows, clock }) => {
        await post();
        await clock.advance(60_000);
        assert.equal((await rows())[0]?.["finished_at"], expected);
      });
    }
  });

  it("idStyle: integers, integers beyond 2^53 as bare numbers, or text without an order", async () => {
    for (const [idStyle, first, second] of [
      ["integer", '"id":5000,', '"id":5001,'],
      ["big", '"id":9100000000000000000,', '"id":9100000000000000001,'],
      ["alphanumeric", '"id":"t0000000",', '"id":"t17wdrqp",'],
    ] as const) {
      await seen({ idStyle }, async ({ post, get }) => {
        await post();
        await post();
        const { text } = await get("/transactions.json");
        assert.ok(text.indexOf(second) >= 0 && text.indexOf(second) < text.indexOf(first), text);
        assert.ok((await get("/virtual_machines/42/logs.json")).text.includes(first.replace("id", "target_id")));
      });
    }
  });

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

  it("nulls: written, or left out", async () => {
    for (const nulls of ["null", "absent"] as const) {
      await seen({ nulls }, async ({ post, get }) => {
        await post();
        const { text } = await get("/transactions.json");
        assert.equal(text.includes('"started_at":null'), nulls === "null");
        assert.equal(text.includes('"started_at"'), nulls === "null");
        assert.equal((await get("/transactions.xml")).text.includes('nil="true"'), nulls === "null");
      });
    }
  });

  it("params: the recovery point, nothing, or a secret that the log repeats", async () => {
    for (const [params, expected] of [
      ["point", { recovery_point_id: 1007 }],
      ["empty", {}],
      ["secret", { remote_ip: "192.0.2.7", encryption_key: "correct-horse-battery" }],
    ] as const) {
      await seen({ params }, async ({ post, rows, clock }) => {
        await post();
        await clock.advance(60_000);
        const [row] = await rows("/transactions.json?detailed");
        assert.deepEqual(row?.["params"], expected);
        assert.equal(String(row["log_output"]).includes("password=correct-horse-battery"), params === "secret");
      });
    }
  });

  it("undetailedLog: log_output absent or empty in a list that is not detailed", async () => {
    for (const [undetailedLog, expected] of [
      ["absent", undefined],
      ["empty", ""],
    ] as const) {
      await seen({ undetailedLog }, async ({ post, rows, clock }) => {
        await post();
        await clock.advance(60_000);
        assert.equal((await rows())[0]?.["log_output"], expected);
        assert.notEqual((await rows("/transactions.json?detailed"))[0]?.["log_output"], "");
      });
    }
  });

  it("logAlerts: a machine's log holds transactions alone, or alerts too", async () => {
    for (const [logAlerts, types] of [
      ["none", ["Transaction"]],
      ["some", ["Alert", "Transaction"]],
    ] as const) {
      await seen({ logAlerts }, async ({ post, rows }) => {
        await post();
        const found = await rows("/virtual_machines/42/logs.json");
        assert.deepEqual(
          found.map((entry) => entry["target_type"]),
          types,
        );
      });
    }
  });

  it("errorBody: a list, one text, by field, or HTML", async () => {
    const message = "Resource not found";
    for (const [errorBody, json, xml] of [
      ["list", { errors: [message] }, /<errors type="array">\s*<error>Resource not found</],
      ["single", { error: message }, /<hash>\s*<error>Resource not found</],
      ["fields", { errors: { base: [message] } }, /<errors>\s*<base type="array">\s*<error>Resource not found</],
      ["html", undefined, /^<!DOCTYPE html>/],
    ] as const) {
      await seen({ errorBody }, async ({ get }) => {
        const answer = await get("/nothing.json");
        assert.equal(answer.status, 404);
        if (json !== undefined) assert.deepEqual(answer.json, json);
        assert.match((await get("/nothing.xml")).text, xml);
      });
    }
  });

  it("restorePath: whole machines under one path, the older one, or both; files under one always", async () => {
    const older = restoreLine.replace("virtual_machines", "virtual_servers");
    for (const [restorePath, expected] of [
      ["machines", [201, 404, 201]],
      ["servers", [404, 201, 201]],
      ["both", [201, 201, 201]],
    ] as const) {
      await seen({ restorePath }, async ({ post }) => {
        assert.deepEqual([(await post()).status, (await post(older)).status, (await post(filesLine)).status], expected);
      });
    }
  });

  it("whenLocked: a second restore waits, or is refused until the machine is free", async () => {
    for (const [whenLocked, expected] of [
      ["queue", [201, 201, 201]],
      ["refuse", [201, 422, 201]],
    ] as const) {
      await seen({ whenLocked }, async ({ post, clock }) => {
        const statuses = [(await post()).status, (await post()).status];
        await clock.advance(60_000);
        assert.deepEqual([...statuses, (await post()).status], expected);
      });
    }
  });

  it("has presets, and in the awkward one everything differs from the plain one that may without a setting", () => {
    const same = Object.entries(dialects.plain).filter(([name, value]) => {
      return dialects.awkward[name as keyof Dialect] === value;
    });
    assert.deepEqual(Object.fromEntries(same), {
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

  it("can change while the panel runs, but for the ids", () =>
    withSandbox({}, async (sandbox) => {
      sandbox.setDialect({ wrapping: "bare" });
      assert.match((await ask(sandbox.url, "GET /transactions.json")).text, /^\[\{"id":/);
      assert.throws(() => {
        sandbox.setDialect({ idStyle: "big" });
      }, /idStyle/);
    }));

  it("says which switch is wrong", async () => {
    for (const [dialect, message] of [
      ["fancy", /dialect: there is no preset "fancy"/],
      [{ wrap: "items" }, /dialect\.wrap: there is no such switch/],
      [{ wrapping: "item" }, /dialect\.wrapping: must be one of items, bare, whole, not "item"/],
      [{ pageCap: 0 }, /dialect\.pageCap: must be a whole number above 0/],
      [{ listingDelaySeconds: "3" }, /dialect\.listingDelaySeconds: must be a number/],
    ] as const) {
      await assert.rejects(startSandbox({ dialect: dialect as Partial<Dialect> }), (error) => {
        assert.ok(error instanceof SandboxError);
        assert.match(error.message, message);
        return true;
      });
    }
  });
});
