import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { attemptOf, checkKind, checkKindNames, type CheckKindName } from "../../../drills/checks/kinds";
import { Problems } from "../../../provider/inputs/problems";
import { report, toJson } from "../../../report";
import { stackOfPlan } from "../../support/stored/plans";
import { listening } from "../../support/listening";
import { published } from "../../cli/support/published";

/** A check of each kind with all its options. A new kind needs a row here. */
const table: Readonly<
  Record<CheckKindName, { readonly given: object; readonly host?: string; readonly secrets: readonly string[] }>
> = {
  http: {
    given: {
      http: "https://shop.example.com:8443/health?key=hunter2",
      status: [200, 204],
      contains: "ok",
      headers: { authorization: "Bearer it's" },
      caFile: "/etc/ca.pem",
    },
    host: "shop.example.com",
    secrets: ["https://shop.example.com:8443/health?key=hunter2", "/health?key=hunter2", "Bearer it's"],
  },
  tcp: { given: { tcp: "[2001:db8::43]:5432" }, host: "2001:db8::43", secrets: [] },
  command: {
    given: { command: ["ssh", "db", "SELECT 1; "], env: { TOKEN: "t o" } },
    secrets: ["db", "SELECT 1; ", "t o"],
  },
};

describe("a check of the kind", () => {
  for (const kind of checkKindNames) {
    it(`"${kind}" is read, is named after its host, if any, and lists its secrets`, () => {
      const { given, host, secrets } = table[kind];
      const problems = new Problems();
      const values = given as Record<string, unknown>;
      const { read, secrets: secretsOf } = checkKind(kind);
      const probe = read(values, "checks[0]", { isUnknown: () => false, problems });
      assert.deepEqual(problems.all, []);
      assert.ok(probe);
      assert.equal(checkKind(kind).host?.(values[kind]), host);
      assert.deepEqual(secretsOf(probe), secrets);
      assert.match(checkKind(kind).description, /^[A-Z].*\.$/);
      assert.deepEqual(JSON.parse(JSON.stringify(probe)), probe, "it is stored as JSON");
      for (const later of Object.values(values)) {
        const isUnknown = (value: unknown): boolean => value === later;
        assert.equal(read(values, "", { isUnknown, problems: new Problems() }), undefined);
      }
    });

    it(`"${kind}" is judged, appears in the report, and matches the report's schema`, () => {
      const db = { name: "db", machine: "43", transaction: "5014", checks: [{ name: "check", kind }] };
      const made = report(stackOfPlan({ waves: [{ name: "data", restores: [db] }] }));
      assert.equal(made.verdict.result, "passed", made.verdict.reasons.join());
      assert.deepEqual(made.waves[0]?.restores[0]?.checks[0]?.kind, kind);
      published("report")(JSON.parse(toJson(made)) as object);
    });
  }

  it('"tcp" passes when a connection is accepted, closes the connection, and fails when it is refused', async () => {
    const tcp = (port: number) => ({ kind: "tcp" as const, host: "127.0.0.1", port });
    const attempt = (port: number) => attemptOf(tcp(port))(2_000);
    const server = createServer();
    const closed = once(server, "connection").then(([socket]: Socket[]) => once(socket!.resume(), "close"));
    try {
      assert.deepEqual(await attempt(await listening(server)), {});
      await closed;
    } finally {
      server.close();
    }
    assert.match((await attempt(1)).problem ?? "", /no connection: ECONNREFUSED/);
  });
});
