import assert from "node:assert/strict";
import type { Scenario } from "../../../sandbox";
import { VirtualClock } from "../../support/virtual-clock";
import { ask, withSandbox } from "../support/ask";

const hour = 3600;
const scenario: Scenario = {
  machines: [{ id: 42, identifier: "web1", recoveryPoints: [{ id: 11 }, { id: 12, ageSeconds: hour }] }],
};

describe("the sandbox's list of a machine's recovery points", () => {
  it("says of each its id, machine, size, state and times, under the machine's id and its identifier", () => {
    const clock = new VirtualClock();
    return withSandbox({ clock, scenario }, async ({ url }) => {
      for (const machine of ["42", "web1"]) {
        const { json } = await ask(url, `GET /virtual_machines/${machine}/backups/recovery_points.json`);
        assert.deepEqual((json as Readonly<Record<string, unknown>>[])[0]?.["recovery_point"], {
          id: 12,
          virtual_machine_id: 42,
          resource_id: 3,
          size: 8 * 2 ** 30 + 2 ** 28,
          state: "built",
          created_at: `${new Date(clock.now() - hour * 1000).toISOString().slice(0, 19)}Z`,
          updated_at: null,
        });
      }
    });
  });
});
