import assert from "node:assert/strict";
import { processSources } from "../../provider/inputs/settings-sources";
import { resourceTypes } from "../../provider/inputs/resource-names";
import { createOperations } from "../../provider/engine";
import { createProviderProcess } from "../../provider/engine/process";
import { readWave } from "../../provider/engine/read-wave";
import { step, waveOf } from "../plan/support/stored-plans";

describe("a wave that is stored", () => {
  it("keeps its restores' transactions from every other restore of the process, from its first diff on", () => {
    const sources = processSources(undefined, {});
    const providerProcess = createProviderProcess({ types: resourceTypes, engineAddress: undefined, sources });
    const { PlanWave } = createOperations(providerProcess);
    assert.equal(providerProcess.claims.isClaimedByAnother("5001", "another"), false);
    PlanWave.diff("id", { ...waveOf({ db: step({ posting: "intent-1/posted-after-5000" }) }) }, {});
    assert.equal(providerProcess.claims.isClaimedByAnother("5001", "another"), true);
    assert.equal(providerProcess.claims.isClaimedByAnother("5001", "intent-1"), false, "its own restore may know it");
  });
});

describe("a wave's inputs", () => {
  const inputs = { plan: "shop", run: "2026-Q4", index: 1, name: "data", round: 1, planned: {} };

  it("say whether another round of the wave follows; none does where they say nothing", () => {
    assert.equal(readWave({ ...inputs, isLastRound: false }).isLastBatch, false);
    assert.equal(readWave({ ...inputs, isLastRound: true }).isLastBatch, true);
    assert.equal(readWave(inputs).isLastBatch, true);
  });

  it("stop the plan over a failure unless they say that it goes on", () => {
    assert.equal(readWave({ ...inputs, onFailure: "continue" }).onFailure, "continue");
    assert.equal(readWave({ ...inputs, onFailure: "stop" }).onFailure, "stop");
    assert.equal(readWave(inputs).onFailure, "stop");
  });
});
