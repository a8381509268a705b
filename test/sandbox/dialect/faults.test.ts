import assert from "node:assert/strict";
import { createSandbox, type PanelRequest, type SandboxPanel } from "../../../sandbox";
import { VirtualClock } from "../../support/virtual-clock";
import { ask, restoreLine, withSandbox } from "../support/ask";

const getLine = "GET /transactions.json";

describe("the sandbox's faults", () => {
  for (const [kind, outcome, accepted] of [
    ["resetBefore", "ECONNRESET", 0],
    ["resetAfter", "ECONNRESET", 1],
    ["serverError", "503 text/html", 0],
    ["unauthorized", "401 application/json", 0],
    ["refuse", "422 application/json", 0],
    ["acceptThen500", "500 text/html", 1],
    ["loginPage", "200 text/html", 0],
    ["redirect", "302 text/html", 0],
    ["wrongContentType", "201 text/html", 1],
  ] as const)
    it(`include ${kind}, which ends a POST with ${outcome} and ${accepted === 1 ? "carries" : "does not carry"} it out`, () =>
      withSandbox({ faults: { post: { [kind]: true } } }, async (sandbox) => {
        const seen = await ask(sandbox.url, restoreLine).then(
          ({ status, headers }) => `${String(status)} ${String(headers["content-type"]).split(";")[0] ?? ""}`,
          (error: unknown) => String(((error as Error).cause as NodeJS.ErrnoException).code),
        );
        assert.deepEqual([seen, sandbox.acceptedPosts()], [outcome, accepted]);
        assert.equal(sandbox.requests()[0]?.fault, kind);
        assert.equal((await ask(sandbox.url, getLine)).status, 200);
      }));

  it("include `timeout`, which leaves a POST unanswered, whether or not it is carried out, and `drip`, which slows the response down", async () => {
    const clock = new VirtualClock();
    const panelWith = (faults: object) => createSandbox({ clock, faults });
    for (const handled of [false, true]) {
      const panel = panelWith({ post: { timeout: { handled } } });
      const abort = new AbortController();
      const answer = panel.handle({ ...inProcess(panel, restoreLine), signal: abort.signal });
      await clock.advance(24 * 3_600_000);
      abort.abort(new Error("gave up"));
      await assert.rejects(answer, /gave up/);
      assert.equal(panel.acceptedPosts(), handled ? 1 : 0);
    }
    const [panel, before] = [panelWith({ get: { drip: { bytesPerSecond: 100 } } }), clock.now()];
    const { body } = await clock.run(panel.handle(inProcess(panel, getLine)));
    assert.equal(clock.now() - before, body.length * 10);
  });
});

function inProcess(panel: SandboxPanel, line: string): PanelRequest {
  const [method = "", path = ""] = line.split(" ");
  const login = Buffer.from(`${panel.username}:${panel.password}`).toString("base64");
  return { method, path, headers: { authorization: `Basic ${login}` } };
}
