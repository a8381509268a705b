import assert from "node:assert/strict";
import { request } from "node:http";
import type { Sandbox } from "../../../sandbox";
import { VirtualClock } from "../../support/virtual-clock";
import { type Answered, ask, restoreLine, withSandbox } from "../support/ask";

const look = ({ controlUrl = "" }: Sandbox, path: string) => ask(controlUrl, `GET ${path}`, { credentials: null });

function runAction({ controlUrl = "" }: Sandbox, path: string, action: object): Promise<Answered> {
  const headers = { "content-type": "application/json" };
  return ask(controlUrl, `POST ${path}`, { body: JSON.stringify(action), headers, credentials: null });
}

describe("the sandbox's control port", () => {
  it("adds machines, work and other people's restores, ends transactions, and schedules failures", async () => {
    const clock = new VirtualClock();
    await withSandbox({ control: true, clock }, async (sandbox) => {
      assert.equal((await runAction(sandbox, "/machines", { id: 77, recoveryPoints: [5] })).status, 200);
      const idOf = async (path: string, action: object) =>
        (await runAction(sandbox, path, action)).json as { id: string };
      const { id } = await idOf("/transactions", { machineId: 77, action: "take_backup", seconds: 600 });
      const restore = await idOf("/restores", { machineId: 77, recoveryPointId: 5 });
      await clock.advance(2000);
      assert.equal((await runAction(sandbox, `/transactions/${id}/end`, { outcome: "cancelled" })).status, 200);
      await runAction(sandbox, "/next-restore", { machineId: 77, outcome: "failed" });
      await ask(sandbox.url, restoreLine.replace("42", "77").replace("1007", "5"));
      await clock.advance(60_000);
      const ended = sandbox.restores().map(({ by, status }) => `${by} ${status}`);
      assert.deepEqual(
        [sandbox.restores()[0]?.transactionId, ...ended],
        [restore.id, "somebody complete", "post failed"],
      );
      assert.equal(sandbox.transactions().find((transaction) => transaction.id === id)?.status, "cancelled");
    });
  });

  it("rejects requests that a browser sends on behalf of another page", () =>
    withSandbox({ control: true }, async (sandbox) => {
      const form = { body: '{"id":77}', headers: { "content-type": "text/plain" } };
      assert.equal((await ask(sandbox.controlUrl ?? "", "POST /machines", form)).status, 415);
      const renamed = await new Promise<number | undefined>((resolve, reject) => {
        request(`${sandbox.controlUrl ?? ""}/state`, { headers: { host: "panel.example" } }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .on("error", reject)
          .end();
      });
      assert.equal(renamed, 403);
      assert.equal(sandbox.machines().length, 3);
    }));

  it("serves a page that loads nothing and shows no password", () =>
    withSandbox({ control: true, password: "hunter2-of-the-panel" }, async (sandbox) => {
      const page = await look(sandbox, "/");
      assert.match(String(page.headers["content-type"]), /^text\/html/);
      assert.doesNotMatch(page.text, /(src|href)="(?!data:)|https?:|@import|url\(/);
      for (const path of ["/", "/state", "/requests"]) {
        assert.ok(!(await look(sandbox, path)).text.includes("hunter2-of-the-panel"));
      }
      const { machines, transactions } = (await look(sandbox, "/state")).json as Record<string, unknown[]>;
      assert.deepEqual([machines?.length, transactions?.length], [3, 14]);
    }));
});
