import assert from "node:assert/strict";
import fc from "fast-check";
import { TransportFailure } from "../../provider/panel/transport";
import { answer, inProcess, machine, panelErrorOf, point } from "./support/clients";

const never = (): Promise<never> => new Promise(() => undefined);

function failing(code: string): Promise<never> {
  return Promise.reject(Object.assign(new Error("said by another library"), { code, config: { auth: "x" } }));
}

describe("A failing list request", () => {
  const failures: [what: string, kind: string, tries: number, reply: () => ReturnType<typeof failing>][] = [
    ["a reset", "connection", 5, () => failing("ECONNRESET")],
    ["a refused connection", "connection", 5, () => failing("ECONNREFUSED")],
    ["an error without a code", "connection", 5, () => Promise.reject(new Error("odd"))],
    ["a host name that does not resolve", "nameNotResolved", 5, () => failing("EAI_AGAIN")],
    ["an untrusted certificate", "certificate", 1, () => failing("UNABLE_TO_VERIFY_LEAF_SIGNATURE")],
    ["a response that is too large", "tooLarge", 1, () => Promise.reject(new TransportFailure("TOO_LARGE", true))],
  ];
  for (const [what, kind, tries, reply] of failures)
    it(`is sent ${tries === 1 ? "only once" : `${String(tries)} times`} if the cause is ${what}`, async () => {
      const panel = inProcess(reply);
      const error = await panel.clock.run(panelErrorOf(panel.client.listTransactions()));
      assert.equal(error.kind, kind);
      assert.equal(panel.lines.length, tries);
      assert.equal(error.isTransient, tries > 1);
      assert.equal(panel.clock.pending, 0);
    });

  it("is sent three times within a few seconds if the response is a 403, which a panel may return briefly while it starts", async () => {
    const times: number[] = [];
    const panel = inProcess((_request, clock) => (times.push(clock.now()), answer(403)));
    const error = await panel.clock.run(panelErrorOf(panel.client.listTransactions()));
    assert.equal(error.kind, "forbidden");
    const [first = 0, ...later] = times;
    assert.equal(later.map((at) => at - first).join(), "1000,3000");
    assert.equal(panel.clock.pending, 0);
  });

  const pauses: readonly (readonly [header: string | undefined, ms: number, why: string])[] = [
    [undefined, 0, "the header is missing"],
    ["", 0, "the value is empty"],
    ["soon", 0, "not a number"],
    ["-5", 0, "negative numbers are ignored"],
    ["Sat, 21 Nov 2026 10:00:04 GMT", 0, "dates are ignored"],
    ["3", 3_000, "seconds"],
    [" 3 ", 3_000, "seconds with spaces"],
    ["1.5", 1_500, "a fraction"],
    ["604800", 10_000, "a week is too long"],
    ["9".repeat(400), 10_000, "too large to be a finite number"],
  ];
  for (const [header, ms, why] of pauses)
    it(`is repeated after ${String(ms)} ms if Retry-After is "${String(header).slice(0, 40)}" (${why})`, async () => {
      for (const status of [429, 503]) {
        const times: number[] = [];
        const panel = inProcess((_request, clock) => {
          times.push(clock.now());
          return times.length > 1
            ? answer(200, "[]")
            : answer(status, "", header === undefined ? {} : { "Retry-After": header });
        });
        await panel.clock.run(panel.client.listTransactions());
        assert.equal((times[1] ?? NaN) - (times[0] ?? NaN), ms);
      }
    });

  it("stays within the caller's time limit across all attempts, whatever pause the panel requests", async () => {
    const delay = fc.integer({ min: 0, max: 20_000 });
    const reply = fc.record({ delay, retryAfter: fc.option(fc.integer({ min: -5, max: 1_000_000 })) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(reply, { minLength: 1 }),
        fc.integer({ min: 0, max: 90_000 }),
        async (replies, requestTimeoutMs) => {
          let tries = 0;
          const panel = inProcess(
            async (_request, clock) => {
              const { delay: ms, retryAfter } = replies[tries++ % replies.length] ?? { delay: 0, retryAfter: null };
              await new Promise<void>((resolve) => clock.after(ms, resolve));
              return answer(503, "", retryAfter === null ? {} : { "retry-after": String(retryAfter) });
            },
            { random: () => 0.999, requestTimeoutMs },
          );
          const startedAt = panel.clock.now();
          await panel.clock.run(panelErrorOf(panel.client.listTransactions()));
          const passedMs = panel.clock.now() - startedAt;
          assert.ok(passedMs <= Math.max(1, requestTimeoutMs), String(passedMs));
          assert.ok(tries >= 1 && tries <= 5);
        },
      ),
      { numRuns: 150, seed: 20261121 },
    );
  }).timeout(60_000);

  it("ends at its time limit even if the transport ignores the limit", async () => {
    const panel = inProcess(never);
    const error = await panel.clock.run(panelErrorOf(panel.client.listTransactions()));
    assert.equal(error.kind, "timeout");
    assert.match(error.message, /did not start to respond within 30s/);
    assert.equal(panel.clock.now(), Date.parse("2026-11-21T10:00:30Z"));
  });

  it("ends as soon as the caller gives up, during or between attempts, and leaves no timer behind", async () => {
    for (const reply of [never, () => answer(503, "", { "retry-after": "9" })]) {
      const panel = inProcess(reply);
      const stop = new AbortController();
      panel.clock.after(1_000, () => stop.abort());
      const error = await panel.clock.run(panelErrorOf(panel.client.listTransactions({}, { signal: stop.signal })));
      assert.equal(error.kind, "aborted");
      assert.equal(panel.lines.length, 1);
      assert.equal(panel.clock.pending, 0);
    }
  });
});

describe("A failing restore request", () => {
  const failures = {
    refused: "ECONNREFUSED ENOTFOUND EAI_AGAIN CERT_HAS_EXPIRED ERR_TLS_CERT_ALTNAME_INVALID SELF_SIGNED_CERT_IN_CHAIN",
    unknown: "ECONNRESET EPIPE ETIMEDOUT EHOSTUNREACH HPE_INVALID_CONSTANT SOMETHING_NEW",
  };
  for (const [kind, codes] of Object.entries(failures))
    for (const code of codes.split(" "))
      it(`is sent only once and reported as ${kind} if the error is ${code}`, async () => {
        const panel = inProcess(() => failing(code));
        assert.equal((await panel.client.restoreMachine(machine, point)).kind, kind);
        assert.equal((await panel.client.restoreFiles(machine, point, ["/a"])).kind, kind);
        assert.equal(panel.lines.length, 2);
      });
});
