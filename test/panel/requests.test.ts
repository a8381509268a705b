import assert from "node:assert/strict";
import type { MachineId, RecoveryPointId } from "../../provider/panel/types";
import { answer, clientOf, formats, inProcess, machine, panelErrorOf, password, point } from "./support/clients";
import { respond, serveRaw } from "../small-panels/serve";

const emptyList = { json: "[]", xml: '<transactions type="array"/>' };
const type = { json: "application/json", xml: "application/xml" };

describe("A request", function () {
  this.timeout(60_000);

  for (const format of formats) {
    describe(`in ${format}`, () => {
      it("has the documented path and the headers for its format", async () => {
        const headers = { "Content-Type": type[format] };
        const server = await serveRaw((socket, request) => {
          const answered =
            request.method === "POST" ? respond(201, "", headers) : respond(200, emptyList[format], headers);
          answered(socket, request);
        });
        const client = clientOf({ endpoint: `${server.url}/cloud/`, format });
        await client.restoreMachine(machine, point);
        await client.restoreFiles("o6fl3xq65pk699" as MachineId, point, ["/etc/a&b <c>", "/var/www/ä"]);
        await client.listTransactions();
        await client.listTransactions({ page: 2 });
        await client.listTransactions({ perPage: 20 });
        await client.listTransactions({ page: 3, detailed: true });
        await client.listLogItems(machine);
        await client.listLogItems(machine, { page: 2 });
        await client.listLogItems(machine, { perPage: 20 });
        client.close();
        await server.stop();

        assert.deepEqual(server.lines, [
          `POST /cloud/virtual_machines/42/backups/recovery_points/1007/restore.${format}`,
          `POST /cloud/virtual_machines/o6fl3xq65pk699/backups/recovery_points/1007/file_entries.${format}`,
          `GET /cloud/transactions.${format}`,
          `GET /cloud/transactions.${format}/page/2`,
          `GET /cloud/transactions.${format}/per_page/20`,
          `GET /cloud/transactions.${format}/page/3?detailed`,
          `GET /cloud/virtual_machines/42/logs.${format}`,
          `GET /cloud/virtual_machines/42/logs.${format}/page/2`,
          `GET /cloud/virtual_machines/42/logs.${format}/per_page/20`,
        ]);
        const basic = `Basic ${Buffer.from(`operator:${password}`).toString("base64")}`;
        for (const { headers } of server.requests) {
          assert.equal(headers["accept"], type[format]);
          assert.equal(headers["content-type"], type[format]);
          assert.equal(headers["authorization"], basic);
        }
        const [restore, files, ...lists] = server.requests;
        assert.equal(restore?.body, "");
        assert.equal(restore.headers["content-length"], "0");
        assert.equal(
          files?.body,
          format === "json"
            ? '{"paths":["/etc/a&b <c>","/var/www/ä"]}'
            : '<paths type="array"><path>/etc/a&amp;b &lt;c&gt;</path><path>/var/www/ä</path></paths>',
        );
        for (const list of lists) assert.equal(list.body, "");
      });
    });
  }

  it("uses the path virtual_servers only for whole-machine restores on panels before version 5.9", async () => {
    const paths = async (apiVersion: string): Promise<string[]> => {
      const panel = inProcess(() => answer(201), { apiVersion });
      await panel.client.restoreMachine(machine, point);
      await panel.client.restoreFiles(machine, point, ["/a"]);
      return panel.lines.map((line) => line.split("/")[1] ?? "");
    };
    for (const old of ["5.8", "5.0", "4.2", "3", "5", "5.8.12"])
      assert.deepEqual(await paths(old), ["virtual_servers", "virtual_machines"], old);
    for (const current of ["5.9", "5.10", "6", "6.7", "10.0", "5.9.1"])
      assert.deepEqual(await paths(current), ["virtual_machines", "virtual_machines"], current);
  });

  const badIds = [
    ...["", "../7", "42/restore", "42?x", "4 2", "42\r\nX: y", "ä", "%2e%2e", "42#", "//evil.example"],
    "a".repeat(129),
  ];
  for (const id of badIds)
    it(`is not sent if an id is ${JSON.stringify(id.slice(0, 20))}`, async () => {
      const panel = inProcess(() => answer(201));
      const posts = [
        await panel.client.restoreMachine(id as MachineId, point),
        await panel.client.restoreMachine(machine, id as RecoveryPointId),
        await panel.client.restoreFiles(id as MachineId, point, ["/a"]),
      ];
      for (const post of posts) {
        assert.equal(post.kind, "refused");
        assert.match(post.error.message, /Not sent: the (machine|recovery point)'s id must consist of/);
      }
      assert.equal((await panelErrorOf(panel.client.listLogItems(id as MachineId))).kind, "unsendable");
      assert.deepEqual(panel.lines, []);
    });

  for (const value of [0, -1, 1.5, NaN, Infinity, 2 ** 53])
    it(`is not sent if the page or page size is ${String(value)}`, async () => {
      const panel = inProcess(() => answer(200, "[]"));
      const lists = [{ page: value }, { perPage: value }, { page: value, perPage: 20 }, { page: 2, perPage: value }];
      for (const list of lists) {
        assert.equal((await panelErrorOf(panel.client.listTransactions(list))).kind, "unsendable");
        assert.equal((await panelErrorOf(panel.client.listLogItems(machine, list))).kind, "unsendable");
      }
      assert.deepEqual(panel.lines, []);
    });

  for (const format of formats)
    it(`is not sent if its file paths are missing, relative, or cannot be written unchanged in ${format}`, async () => {
      for (const paths of [[], ["etc"], [""], ["/a", "/b\nc"], ["/a\0"], ["/\uD800"], ["/a\uFFFF"], ["/\u0085"]]) {
        const panel = inProcess(() => answer(201), { format });
        const post = await panel.client.restoreFiles(machine, point, paths);
        assert.equal(post.kind, "refused", JSON.stringify(paths));
        assert.deepEqual(panel.lines, []);
      }
    });
});
