import assert from "node:assert/strict";
import { createSandbox, type PanelResponse, type SandboxPanel } from "../../../sandbox";
import { VirtualClock } from "../../support/virtual-clock";

const login = `Basic ${Buffer.from("operator:sandbox").toString("base64")}`;

function get(panel: SandboxPanel, path: string): Promise<PanelResponse> {
  return panel.handle({ method: "GET", path, headers: { authorization: login } });
}

function post(panel: SandboxPanel, machine: number): Promise<PanelResponse> {
  const path = `/virtual_machines/${String(machine)}/backups/recovery_points/1007/restore.json`;
  return panel.handle({ method: "POST", path, headers: { authorization: login } });
}

describe("the sandbox in virtual time", () => {
  it("gives the same run for the same seed, byte by byte", async () => {
    const run = async (seed: number): Promise<string> => {
      const clock = new VirtualClock();
      const panel = createSandbox({
        clock,
        seed,
        dialect: "awkward",
        faults: {
          get: { serverError: 0.2, resetBefore: 0.1, drip: 0.1, rateLimit: 0.1 },
          post: { acceptThen500: 0.5 },
        },
        scenario: { background: { perSecond: 3 } },
      });
      const seen: unknown[] = [];
      for (let round = 0; round < 40; round++) {
        if (round % 10 === 0) seen.push(await post(panel, 42));
        seen.push(await clock.run(get(panel, "/transactions.xml?detailed").catch((error: unknown) => String(error))));
        await clock.advance(1700);
      }
      return JSON.stringify([seen, panel.requests(), panel.restores()]);
    };
    const first = await run(5);
    assert.equal(await run(5), first);
    assert.notEqual(await run(6), first);
  });
});
