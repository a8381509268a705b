import assert from "node:assert/strict";
import { decodeLogItems, transactionDecoder } from "../../provider/panel/decode";
import { type ListFields, UnusableRows } from "../../provider/panel/fields";
import { UndecodableError } from "../../provider/panel/find-rows";
import type { Format } from "../../provider/panel/types";
import { decodeTransactions } from "./support/clients";

/** Lists as a panel might write them if its makers had read only docs/how-it-works.md#what-a-panel-must-show. */

const formatOf = (body: string): Format => (body.startsWith("<") ? "xml" : "json");
const withoutFields = (row: object): object => ({ ...row, fields: undefined, facts: undefined });

type Rows = readonly object[];
const two: Rows = [
  { id: "8", status: "running" },
  { id: "7", status: "done" },
];
const [eight] = two;
const oneRow: Rows = [eight!];

function rowsOf(body: string, fields?: ListFields): Rows {
  const { items } = transactionDecoder(fields)(body, formatOf(body));
  return items.map((row) => JSON.parse(JSON.stringify(withoutFields(row))) as object);
}

const json = (rows: string): string =>
  rows.replaceAll("8", '{"id":8,"status":"running"}').replaceAll("7", '{"id":7,"status":"done"}');
const xml = (rows: string): string =>
  rows
    .replaceAll(/8|7/g, (id) => `<row><id>${id}</id><status>${id === "8" ? "running" : "done"}</status></row>`)
    .replaceAll(/A|B/g, (id) => `<row id="${id === "A" ? "8" : "7"}" status="${id === "A" ? "running" : "done"}"/>`);

const stamped = (stamps: string): string => `[{"id":8,"status":"running",${stamps}}]`;
const withZone = "2026-11-25T21:14:34+01:00";

describe("A list of transactions", () => {
  const bodies: readonly (readonly [body: string, rows: Rows | "no list" | "unusable"])[] = [
    [json('{"data":[8,7],"links":[{"rel":"self"}],"errors":[]}'), two],
    [json('{"a":{"b":{"c":[8,7]}}}'), "no list"],
    [json('{"events":[8,7],"tags":["a","b"]}'), two],
    [json('{"events":[8,7],"users":[{"id":1}]}'), "unusable"],
    [json('{"transaction":8}'), oneRow],
    [
      '{"data":[{"type":"jobs","id":"8","attributes":{"status":"running"},"relationships":{"vm":{"data":{"id":"42"}}}}]}',
      oneRow,
    ],
    [xml("<TaskList><Total>2</Total>87</TaskList>"), two],
    [xml("<response><cloud-jobs>87</cloud-jobs></response>"), two],
    [xml('<jobs type="array">87</jobs>'), two],
    ...["datetime", "dateTime"].map((type): readonly [string, Rows] => [
      `<a type="array"><b><id>8</id><status>running</status><created-at type="${type}">${withZone}</created-at></b></a>`,
      [{ ...oneRow[0], createdAt: withZone }],
    ]),
    [json('{"total":0,"board":[]}'), []],
    [json('{"items":null,"total":0}'), []],
    [json("null"), []],
    [json('{"data":[],"links":[{"rel":"self"}]}'), []],
    [json('{"data":[],"errors":[{"id":"x","status":"500"}]}'), "no list"],
    [json('{"data":[],"errors":[]}'), []],
    ["<answer><transactions></transactions><page>1</page><name>x</name></answer>", []],
    [json('{"data":null,"error":"no such user"}'), "no list"],
    [json('{"board":null}'), "no list"],
    [json('{"jobs":null,"total":0,"meta":{"page":1}}'), "no list"],
    ['{"jobs":null,"total":0}', []],
    ['{"error":null,"code":0}', "no list"],
    [json('{"message":"maintenance"}'), "no list"],
    [xml("<TaskList><Total>1</Total>8</TaskList>"), oneRow],
    [xml("<TaskList><Total>0</Total></TaskList>"), []],
    [xml("<TaskList><Message>maintenance</Message></TaskList>"), "no list"],
    [xml('<error code="7"/>'), "no list"],
    ['{"transactions":{"id":8,"status":"running"}}', oneRow],
    [xml('<tasks page="1" total="1">A</tasks>'), oneRow],
    [xml("<answer><tasks>8</tasks></answer>"), oneRow],
    [xml("<e><o><m><tasks>87</tasks></m></o></e>"), two],
    ["<e><o><m><tasks/></m></o></e>", []],
    ["<tasks><task><id>8</id><status>running</status><vm><n>1</n></vm><vm><n>2</n></vm></task></tasks>", oneRow],
    ["<tasks/>", []],
    ['<tasks page="1" total="0">\n</tasks>', []],
    ['<tasks xmlns="urn:c"/>', []],
    ['<c:tasks xmlns:c="urn:c"><c:t><c:id>8</c:id><c:status>running</c:status></c:t></c:tasks>', oneRow],
    ["<answer><tasks/></answer>", []],
    ["<tasks>0 tasks</tasks>", "no list"],
    ["<answer><code>503</code></answer>", "no list"],
    ["<answer><task><code>5</code><note/></task></answer>", "no list"],
    ["<errors/>", "no list"],
    ["<errors><item><id>5</id><status>failed</status></item></errors>", "no list"],
    ["<answer><error><id>5</id><status>failed</status></error></answer>", "no list"],
    ['[{"transactionId":8,"State":"running"}]', oneRow],
    ['[{"_id":"8","phase":"running"}]', oneRow],
    ['[{"uuid":"8","STATUS":"running"}]', oneRow],
    ['[{"id":8,"transaction_id":9,"status":"running","state":"closed"}]', oneRow],
    ['<l type="array"><t TransactionID="8" current="no"><status code="1">running</status></t></l>', oneRow],
    ['[{"id":8,"status":true},{"id":7}]', [{ id: "8", status: "true" }, { id: "7" }]],
    ['[{"ticket":8,"status":"running"}]', "unusable"],
    ['[{"id":8,"status":{"code":1}}]', "unusable"],
    ['[{"id":8,"status":"running"},{"note":"x"}]', oneRow],
    ['[{"id":8,"status":"running"},{"id":8,"status":"running"}]', oneRow],
    ['[{"id":8,"status":"running","vm_id":42},{"id":8,"status":"running","vm_id":43}]', "unusable"],
    ['[{"id":8,"status":"running","type":"Creating backup"}]', [{ ...eight, action: "Creating backup" }]],
    ['[{"id":8,"status":"running","type":"vm-restore"}]', [{ ...eight, action: "vm-restore" }]],
    ['[{"id":8,"status":"running","type":"jobs","op":"RESTORE_VM"}]', [{ ...eight, action: "RESTORE_VM" }]],
    ['[{"id":8,"status":"running","type":"backup"}]', oneRow],
    ['[{"id":8,"status":"running","action":"backup","type":"restore"}]', [{ ...eight, action: "backup" }]],
    ['<transactions><job id="8" type="restore" status="running"/></transactions>', [{ ...eight, action: "restore" }]],
    ['[{"id":8,"status":"running","pid":" 7 ","scheduled":"true"}]', [{ ...eight, pid: 7, scheduled: true }]],
    ['[{"id":8,"status":"running","started":"false","command":"restore_vm"}]', [{ ...eight, action: "restore_vm" }]],
    [stamped('"time":1795641274'), [{ ...eight, createdAt: "2026-11-25T21:14:34Z" }]],
    [stamped('"startTime":"1795641274834"'), [{ ...eight, startedAt: "2026-11-25T21:14:34.834Z" }]],
    [stamped('"created":"2026-11-25 21:14:34","end_time":0'), [{ ...eight, createdAt: "2026-11-25 21:14:34" }]],
    [stamped(`"time":35,"completedAt":"${withZone}"`), [{ ...eight, finishedAt: withZone }]],
  ];
  for (const [body, expected] of bodies) {
    it(`is ${typeof expected === "string" ? `rejected as "${expected}"` : `read as ${JSON.stringify(expected)}`} if it is written as ${body.slice(0, 120)}`, () => {
      if (expected === "no list") assert.throws(() => rowsOf(body), UndecodableError);
      else if (expected === "unusable") assert.throws(() => rowsOf(body), UnusableRows);
      else assert.deepEqual(rowsOf(body), expected);
    });
  }

  it("keeps everything that the panel sent, even attributes", () => {
    const row =
      '<t id="8" status="a &amp; b"><vm href="/vms/42">42</vm><owner kind="vm" id="5"/><disk n="1">a</disk><disk n="2">b</disk></t>';
    const [item] = decodeTransactions(`<transactions>${row}</transactions>`, "xml").items;
    assert.deepEqual(item?.fields, {
      id: "8",
      status: "a & b",
      vm: "42",
      owner: { kind: "vm", id: "5" },
      disk: [
        { n: "1", text: "a" },
        { n: "2", text: "b" },
      ],
    });
  });

  it("must have a status in the first rows that are read", () => {
    const decode = transactionDecoder();
    decode('[{"id":1,"status":"new"}]', "json");
    assert.equal(decode('[{"id":2,"status":null}]', "json").items.length, 1);
    const fieldNames = "the first row has id, status";
    assert.throws(() => transactionDecoder()('[{"id":2,"status":null}]', "json"), { fieldNames });
  });
});

describe("recovery:fields", () => {
  const said = { State: "closed", result: "ok", what: "roll back", at: 1795641274 };
  const task = { ref: { no: 8 }, ...said, of: { vm: "web-1", bp: 7 }, grp: "g" };
  const row = { id: "8", status: "closed ok", action: "roll back", createdAt: "2026-11-25T21:14:34Z", chainId: "g" };
  const fields: ListFields = {
    list: "Envelope.Tasks",
    id: "ref.no",
    status: ["state", "result"],
    action: "what",
    machine: "of.vm",
    point: "of.bp",
    requested: "at",
    finished: "until",
    job: "grp",
  };

  it("can name every field, in JSON and in XML", () => {
    const body = { envelope: { tasks: [task], others: [{ id: 1 }] } };
    assert.deepEqual(rowsOf(JSON.stringify(body), fields), [row]);
    const [only] = transactionDecoder(fields)(JSON.stringify(body), "json").items;
    assert.deepEqual(only && [only.facts.machines, only.facts.points], [["web-1"], ["7"]]);
    const inner = Object.entries({ ...task, ref: "<no>8</no>", of: '<vm id="5">web-1</vm><bp>7</bp>' }).map(
      ([name, text]) => `<${name}>${String(text)}</${name}>`,
    );
    const xmlBody = `<r><envelope><tasks>${inner.join("")}</tasks><others><id>1</id></others></envelope></r>`;
    assert.deepEqual(rowsOf(xmlBody, fields), [row]);
  });

  it("can name a field that some rows lack", () => {
    const open = { ...task, ref: { no: 9 }, State: "open", result: null };
    const read = rowsOf(JSON.stringify([open, task]), { id: "ref.no", status: ["State", "result"] });
    assert.equal(read.map((one) => "status" in one && one.status).join(", "), "open, closed ok");
  });

  it("accepts an empty list, but not a body without the list", () => {
    assert.deepEqual(rowsOf('{"envelope":{"tasks":null}}', fields), []);
    assert.deepEqual(rowsOf('{"envelope":{"tasks":[]}}', fields), []);
    assert.deepEqual(rowsOf("<transactions/>", { list: "task" }), []);
    assert.throws(() => rowsOf('{"message":"maintenance"}', fields), UndecodableError);
    assert.throws(() => rowsOf(json('{"a":{"b":{"c":[8]}}}')), /unless recovery:fields names the list/);
  });
});

describe("A log", () => {
  const target = { targetId: "8", targetType: "Transaction", transactionId: "8" };
  const bodies: readonly (readonly [body: string, items: Rows])[] = [
    ['[{"log_item":{"id":1,"target_type":"Transaction","target_id":8}}]', [{ id: "1", ...target }]],
    ['[{"resource_diff_ids":[5,"x"]}]', [{ resourceDiffIds: ["5", "x"] }]],
    ['[{"target_type":"VirtualMachine","target_id":42}]', [{ targetId: "42", targetType: "VirtualMachine" }]],
    ['{"lines":[{"transactionId":8,"text":"a"},{"transactionId":8,"text":"b"}]}', [target, target]],
    ['[{"entry":{"transaction":8,"status":"ok"}}]', [{ status: "ok", ...target }]],
    ['{"logs":[{"log_id":"x","transaction":{"id":8}}]}', [{ id: "x", ...target }]],
    ['["a line","another"]', [{}, {}]],
    ['{"lines":null}', []],
    ['<log page="1"><entry at="now" transaction="8">begun</entry></log>', [target]],
    ['<log vm="web-1"/>', []],
    ["<EventList><Total>1</Total><Event><Text>begun</Text></Event></EventList>", [{}]],
  ];
  for (const [body, expected] of bodies) {
    it(`is read from ${body}`, () => {
      const { items, skipped } = decodeLogItems(body, formatOf(body));
      assert.deepEqual([JSON.parse(JSON.stringify(items.map(withoutFields))), skipped], [expected, 0]);
    });
  }
});
