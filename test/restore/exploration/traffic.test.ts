import assert from "node:assert/strict";
import { goodFate, plainManners } from "../../support/panel-at-work";
import { live } from "./live";

const kill = { after: "saved", nth: 1, ms: 0, orphanMs: 0 } as const;

describe("a run killed before its POST, on a panel on which others restore all the time", () => {
  for (const ids of ["decimal", "lettered"] as const) {
    it(`is continued, and reading the list never gets more expensive: pages of ten, ${ids} ids`, async () => {
      const life = await live({
        manners: { ...plainManners, ids, answersAfterMs: 700 },
        restores: [{ kind: "VmRestore", machine: "42", point: "1001", wait: true, retryFailed: true, timeouts: {} }],
        fates: [goodFate],
        steps: [{ run: "up", kill, pauseMs: 0 }],
        trafficMs: 2_000,
        pageSize: 10,
      });
      assert.equal(life.finding, undefined);
      assert.ok(life.requests < 150, `${String(life.requests)} requests`);
    });
  }
});
