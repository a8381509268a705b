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
  it("takes a hundred ten-minute restores, beside a busy cloud, without a timer or a socket", async () => {
    const clock = new VirtualClock();
    const machines = Array.from({ length: 100 }, (_, index) => ({ id: 1000 + index, restoreSeconds: 600 }));
    const panel = createSandbox({ clock, slots: 25, scenario: { machines, background: { perSecond: 10 } } });
    for (const { id } of machines) assert.equal((await post(panel, id)).status, 201);
    await clock.advance(3_600_000);
    assert.equal(clock.pending, 0);
    const restores = panel.restores();
    assert.ok(restores.every(({ status }) => status === "complete"));
    // Four rounds of 25, each ten minutes long, after a second until the first was picked up.
    assert.equal(
      Math.max(...restores.map(({ endedAt }) => endedAt ?? Infinity)) - (restores[0]?.requestedAt ?? 0),
      2_401_000,
    );
    const { body } = await get(panel, "/transactions.json/per_page/100");
    assert.equal((JSON.parse(body) as unknown[]).length, 100);
  });

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
