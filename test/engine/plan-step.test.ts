import assert from "node:assert/strict";
import { PlanSteps, readOfPlan } from "../../provider/engine/plan-step";
import type { WaveRestore } from "../../provider/plan/wave-input";
import type { ProviderProcess } from "../../provider/engine/process";
import type { RestoreRequest } from "../../provider/inputs/intent";
import type { RestoreRecord } from "../../provider/inputs/record";
import { check } from "../plan/support/stored-plans";
import { virtualPanel } from "../support/virtual-panel";

const probe = { http: check.target };
const plan: RestoreRequest = {
  name: "shop-db",
  target: { kind: "VmRestore", virtualMachineId: "42", recoveryPointId: "7" },
  timeouts: { busyMs: 0, listedMs: 1_000, queueMs: 1_000, runMs: 1_000 },
  wait: false,
  adopt: "auto",
  retryFailed: true,
  captureLog: "never",
};
const accepted: RestoreRecord = { status: "pending", transactionIds: ["5010"], adopted: false, warnings: [] };

describe("what a process has begun for a restore that it has posted", () => {
  /** One that has posted `shop-db` of a plan; its clock stands still. */
  function posted({ record = accepted, goesOn = true } = {}): PlanSteps {
    const session = virtualPanel("json").newSession();
    const engineLog = { progress: () => undefined, warn: () => undefined };
    const steps = new PlanSteps({ session: () => session, engineLog } as unknown as ProviderProcess);
    const ended = goesOn ? new Promise<never>(() => undefined) : undefined;
    const of = readOfPlan({ ofPlan: { name: "db", checks: [{ ...check, given: probe }] } });
    steps.start(of!, "intent-1/posted-after-1", plan, { urn: "urn:db", owner: "intent-1", record, ended });
    return steps;
  }
  const asked = (changes: Partial<WaveRestore> = {}): WaveRestore => ({
    name: "db",
    kind: "VmRestore",
    request: plan,
    owner: "intent-1",
    posting: "intent-1/posted-after-1",
    record: accepted,
    checks: [{ ...check, id: "1.0", probe }],
    ...changes,
  });
  const isTaken = (steps: PlanSteps, changes?: Partial<WaveRestore>): boolean =>
    steps.take(asked(changes), () => undefined) !== undefined;

  it("is handed to its wave, and once: a wave that asks again wants a new look", () => {
    const steps = posted();
    assert.equal(isTaken(steps), true);
    assert.equal(isTaken(steps), false);
  });

  it("is not handed out for another posting, nor where anything else is to be checked by now", () => {
    assert.equal(isTaken(posted(), { posting: "intent-2/posted-after-1" }), false);
    assert.equal(isTaken(posted(), { checks: [] }), false);
    assert.equal(isTaken(posted(), { checks: [{ ...check, probe: { ...probe, contains: "open" } }] }), false);
  });

  it("is nothing for a restore of no plan, and for one that has ended", () => {
    assert.equal(readOfPlan({ virtualMachineId: "42" }), undefined);
    assert.equal(isTaken(posted({ record: { ...accepted, status: "complete" } })), false);
    assert.equal(isTaken(posted({ goesOn: false })), false);
  });
});
