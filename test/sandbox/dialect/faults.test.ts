import assert from "node:assert/strict";
import { createSandbox, type PanelRequest, type SandboxPanel } from "../../../sandbox";
import { VirtualClock } from "../../support/virtual-clock";
import { type Answered, ask, restoreLine, withSandbox } from "../support/ask";

const getLine = "GET /transactions.json";

/** The outcome of a request whose connection may be cut. */
async function outcome(answer: Promise<Answered>): Promise<string> {
  return answer.then(
    ({ status }) => String(status),
    (error: unknown) => String((error as NodeJS.ErrnoException).code),
  );
}

describe("the sandbox's faults", () => {
  it("resetBefore: cut, and not carried out", () =>
    withSandbox({ faults: { post: { resetBefore: true } } }, async (sandbox) => {
      assert.equal(await outcome(ask(sandbox.url, restoreLine)), "ECONNRESET");
      assert.equal(sandbox.acceptedPosts(), 0);
      assert.deepEqual(
        sandbox.requests().map(({ status, fault }) => [status, fault]),
        [[undefined, "resetBefore"]],
      );
    }));

  it("resetAfter: cut, and carried out", () =>
    withSandbox({ faults: { post: { resetAfter: true } } }, async (sandbox) => {
      assert.equal(await outcome(ask(sandbox.url, restoreLine)), "ECONNRESET");
      assert.equal(sandbox.acceptedPosts(42), 1);
    }));

  for (const [handled, accepted] of [
    [false, 0],
    [true, 1],
  ] as const) {
    it(`timeout: no answer, ${handled ? "though carried out" : "and not carried out"}`, async () => {
      const clock = new VirtualClock();
      const panel = createSandbox({ clock, faults: { post: { timeout: { handled } } } });
      const abort = new AbortController();
      const answer = panel.handle({ ...inProcess(panel, restoreLine), signal: abort.signal });
      await clock.advance(24 * 3_600_000);
      abort.abort(new Error("gave up"));
      await assert.rejects(answer, /gave up/);
      assert.equal(panel.acceptedPosts(), accepted);
    });
  }

  it("drip: all of the body, slowly", async () => {
    await withSandbox({ faults: { get: { drip: { bytesPerSecond: 200_000 } } } }, async ({ url }) => {
      assert.equal(((await ask(url, getLine)).json as unknown[]).length, 10);
    });
    const clock = new VirtualClock();
    const panel = createSandbox({ clock, faults: { get: { drip: { bytesPerSecond: 100 } } } });
    const before = clock.now();
    const { body } = await clock.run(panel.handle(inProcess(panel, getLine)));
    assert.equal(clock.now() - before, body.length * 10);
  });

  for (const [kind, status, accepted, html] of [
    ["serverError", 503, 0, true],
    ["unauthorized", 401, 0, false],
    ["refuse", 422, 0, false],
    ["acceptThen500", 500, 1, true],
    ["loginPage", 200, 0, true],
    ["redirect", 302, 0, true],
    ["wrongContentType", 201, 1, true],
  ] as const) {
    it(`${kind}: ${String(status)}, ${accepted === 1 ? "carried out" : "not carried out"}`, () =>
      withSandbox({ faults: { post: { [kind]: true } } }, async (sandbox) => {
        const answer = await ask(sandbox.url, restoreLine);
        assert.equal(answer.status, status);
        assert.equal(String(answer.headers["content-type"]).startsWith("text/html"), html);
        assert.equal(answer.headers["location"] === "/login", kind === "redirect");
        assert.equal(sandbox.acceptedPosts(), accepted);
        assert.equal((await ask(sandbox.url, getLine)).status, 200);
      }));
  }
});

function inProcess(panel: SandboxPanel, line: string): PanelRequest {
  const [method = "", path = ""] = line.split(" ");
  const login = Buffer.from(`${panel.username}:${panel.password}`).toString("base64");
  return { method, path, headers: { authorization: `Basic ${login}` } };
}
