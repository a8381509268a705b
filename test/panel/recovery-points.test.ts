import assert from "node:assert/strict";
import type { PanelClientOptions } from "../../provider/panel/client";
import type { Format, MachineId, PanelClient } from "../../provider/panel/types";
import type { PanelOptions } from "../../sandbox";
import { sandboxClient, type SandboxClient } from "../support/sandbox-client";
import { answer, formats, inProcess, machine, panelErrorOf } from "./support/clients";

const hour = 3600;
const scenario = {
  machines: [
    {
      id: 42,
      recoveryPoints: Array.from({ length: 12 }, (_, index) => ({ id: index + 1, ageSeconds: (12 - index) * hour })),
    },
    { id: 43, recoveryPoints: [] },
  ],
};

interface Reading extends SandboxClient {
  readonly client: PanelClient;
}

function reading(format: Format, panel: PanelOptions, options: Partial<PanelClientOptions> = {}): Reading {
  const made = sandboxClient(format, { scenario, ...panel });
  return { ...made, client: made.newClient({ random: () => 0, ...options }) };
}

describe("The list of a machine's recovery points", () => {
  for (const format of formats) {
    it(`is empty for a machine without points, ${format}`, async () => {
      for (const emptyListXml of ["array", "nilClasses"] as const) {
        const { client, clock } = reading(format, { dialect: { emptyListXml } });
        assert.deepEqual((await clock.run(client.listRecoveryPoints("43" as MachineId))).items, []);
      }
    });
  }

  it("fails with the panel's own error where there is none, or where it may not be read", async () => {
    for (const [pointList, kind] of [
      ["missing", "notFound"],
      ["forbidden", "forbidden"],
    ] as const) {
      const { client, clock } = reading("json", { dialect: { pointList } });
      assert.equal((await clock.run(panelErrorOf(client.listRecoveryPoints(machine)))).kind, kind);
    }
  });

  it("is read for eight machines at a time, and for the others in their order", async () => {
    let running = 0;
    let most = 0;
    const asked: string[] = [];
    const { client, clock } = inProcess(async ({ path }) => {
      asked.push(path.split("/")[2] ?? "");
      most = Math.max(most, ++running);
      await new Promise<void>((resolve) => clock.after(1000, resolve));
      running--;
      return answer(200, "[]");
    });
    const ids = Array.from({ length: 20 }, (_, index) => String(index + 1));
    await clock.run(Promise.all(ids.map((id) => client.listRecoveryPoints(id as MachineId))));
    assert.equal(most, 8);
    assert.deepEqual(asked, ids);
  });

  it("is given up while it waits for the others, and its place stays free", async () => {
    const panel = inProcess(async () => {
      await new Promise<void>((resolve) => clock.after(1000, resolve));
      return answer(200, "[]");
    });
    const { client, clock } = panel;
    const stop = new AbortController();
    const first = Array.from({ length: 8 }, () => client.listRecoveryPoints(machine));
    const given = panelErrorOf(client.listRecoveryPoints(machine, { signal: stop.signal }));
    const last = client.listRecoveryPoints("43" as MachineId);
    stop.abort();
    const error = await given;
    assert.equal(error.kind, "aborted");
    assert.match(error.message, /^Given up before anything was sent/);
    await clock.run(Promise.all([...first, last]));
    assert.equal(panel.lines.length, 9);
    const aborted = client.listRecoveryPoints(machine, { signal: stop.signal });
    assert.equal((await panelErrorOf(aborted)).kind, "aborted");
    assert.equal(panel.lines.length, 9);
  });
});
