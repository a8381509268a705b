import assert from "node:assert/strict";
import type { PostAnswer } from "../../provider/panel/types";
import { answer, inProcess, machine, point } from "./support/clients";

const named: readonly (readonly [body: string, ids: readonly string[]])[] = [
  ['{"transaction":{"id":8,"status":"new"}}', ["8"]],
  ['{"transaction_id":"tx-8"}', ["tx-8"]],
  ['{"Success":true,"Result":{"TransactionId":8}}', ["8"]],
  ['{"data":{"restore":{"transaction-ids":[8,9,8]}}}', ["8", "9"]],
  ['{"transactions":[{"transaction":{"id":8}},{"id":9},10]}', ["8", "9", "10"]],
  ['[{"transaction":{"uuid":"a-b"}}]', ["a-b"]],
  ['{"a":{"b":{"c":{"transaction_id":8}}}}', []],
  ['{"id":8,"job":9,"task_id":10}', []],
  ['{"transaction":true,"transaction_id":null,"transactions":[{"status":"new"},"a b"]}', []],
  ["<transaction><id>8</id></transaction>", ["8"]],
  ['<accepted transaction="T8"/>', ["T8"]],
  ['<c:Ack xmlns:c="urn:c" TransactionId="T8"/>', ["T8"]],
  ["<restore><transaction_id type='integer'>8</transaction_id></restore>", ["8"]],
  ["<answer><a><b><transaction_id>8</transaction_id></b></a></answer>", ["8"]],
  ["<transaction><id>8</id>", []],
  ["", []],
  [`{"transaction_id":8,"log":"${"x".repeat(300_000)}"}`, ["8"]],
];

const locations: readonly (readonly [location: string, ids: readonly string[]])[] = [
  ["/transactions/8", ["8"]],
  ["https://panel.example/api/transactions/tx-8.json?detailed", ["tx-8"]],
  ["../Transactions/8.xml/", ["8"]],
  ["/transactions/8/log", []],
  ["/transactions", []],
  ["/jobs/8", []],
];

/** The outcome of a restore request that gets this successful response. */
function postedWith(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Promise<PostAnswer> {
  const format = body.startsWith("<") ? "xml" : "json";
  return inProcess(() => answer(status, body, headers), { format }).client.restoreMachine(machine, point);
}

describe("The response to a restore request", () => {
  for (const [what, text, ids] of [
    ...named.map(([body, ids]) => ["body", body, ids] as const),
    ...locations.map(([location, ids]) => ["Location", location, ids] as const),
  ])
    it(`names ${ids.join(", ") || "no transaction"} if the ${what} is ${text.slice(0, 100) || "empty"}`, async () => {
      for (const status of [200, 201, 202]) {
        const posted = await (what === "body" ? postedWith(status, text) : postedWith(status, "", { Location: text }));
        assert.deepEqual(posted, { kind: "accepted", status, ...(ids.length > 0 && { transactionIds: ids }) });
      }
    });

  const refusing = [
    '{"error":"locked"}',
    '{"success":false,"message":"locked"}',
    '{"errors":{"base":["locked"]}}',
    "<error>locked</error>",
    "<errors><error>locked</error></errors>",
    "<result><success>false</success><message>locked</message></result>",
    "<result><error>locked</error></result>",
  ];
  const nothing = [...'null "" 0 "0" false "none" [] {} [null] {"base":[]} "OK"'.split(" "), '"no error"'];
  const accepting = [
    ...nothing.map((error) => `{"error":${error},"errors":${error}}`),
    '{"error":{"code":0,"message":""}}',
    '{"success":true,"errors":["a deprecated parameter"]}',
  ];
  for (const [kind, bodies] of Object.entries({ denied: refusing, accepted: accepting }))
    it(`is treated as ${kind} if its status is 200 and its body is ${bodies.join(" or ")}`, async () => {
      for (const body of bodies) assert.equal((await postedWith(200, body)).kind, kind, body);
    });

  it("has its own time limit, which is never shorter than the limit for a list request", async () => {
    for (const [limitMs, limit] of [
      [90_000, "1m 30s"],
      [1_000, "30s"],
    ] as const) {
      const panel = inProcess(() => new Promise(() => undefined));
      const posted = await panel.clock.run(panel.client.restoreMachine(machine, point, limitMs));
      assert.ok(posted.kind === "unknown");
      assert.match(posted.error.message, new RegExp(`did not start to respond within ${limit}\\.`));
    }
  });
});
