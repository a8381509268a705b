import assert from "node:assert/strict";
import type { PanelClientOptions } from "../../provider/panel/client";
import type { Format, MachineId, PanelClient } from "../../provider/panel/types";
import type { Dialect, DialectPreset, PanelOptions } from "../../sandbox";
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

async function pointsOf({ client, clock }: Reading) {
  return (await clock.run(client.listRecoveryPoints(machine))).items;
}

describe("The list of a machine's recovery points", () => {
  for (const format of formats) {
    const dialects: readonly (DialectPreset | Partial<Dialect>)[] = [
      "plain",
      "modern",
      "awkward",
      { pointOrder: "oldest", pointPaging: "whole" },
      { pointOrder: "shuffled", pointPaging: "notFound" },
      { pageCap: 5, pastEnd: "repeatLast" },
      { utcOffsetMinutes: 180 },
    ];
    for (const dialect of dialects) {
      it(`is the same points in ${format} where the panel's ways are ${JSON.stringify(dialect)}`, async () => {
        const panel = reading(format, { dialect });
        const start = panel.clock.now();
        const found = (await pointsOf(panel)).map(({ id, size, createdAt, virtualMachineId }) => {
          const skew = panel.sandbox.dialect().clockSkewSeconds;
          return [id, size, (Date.parse(createdAt ?? "") - start) / 1000 - skew, virtualMachineId];
        });
        assert.deepEqual(
          found.sort(([left], [right]) => Number(left) - Number(right)),
          scenario.machines[0]?.recoveryPoints.map(({ id, ageSeconds }, index) => {
            return [String(id), 8 * 2 ** 30 + index * 2 ** 28, -ageSeconds, "42"];
          }),
        );
      });
    }

    it(`is empty for a machine without points, ${format}`, async () => {
      for (const emptyListXml of ["array", "nilClasses"] as const) {
        const { client, clock } = reading(format, { dialect: { emptyListXml } });
        assert.deepEqual((await clock.run(client.listRecoveryPoints("43" as MachineId))).items, []);
      }
    });

    it(`lies under virtual_servers before 5.9, ${format}`, async () => {
      const panel = reading(format, { dialect: { restorePath: "servers" } }, { apiVersion: "5.8" });
      assert.equal((await pointsOf(panel)).length, 12);
      assert.equal(panel.paths()[0], `/virtual_servers/42/backups/recovery_points.${format}/page/1`);
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
